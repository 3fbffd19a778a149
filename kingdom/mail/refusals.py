"""What a mail server speaks of when it refuses: the reader of a mail, the mail itself, us, or the moment. Pure.

Its number alone does not tell: Postfix says 554 at RCPT both of an address that is wrong and of a campaign that may not send. One table,
read from the top, serves RCPT, the end of DATA, MAIL FROM, delivery reports, and the logins of IMAP and SMTP.
"""

from __future__ import annotations

import re

from kingdom.engine.named_tuple import NamedTuple

READER = "reader"  # the address: nobody is there, the mailbox is full, they want nothing of ours
MAIL = "mail"  # what is in it, its size, or a policy that is told without a reason
ACCESS = "access"  # us: our login, our right to send as that address or to others, our good name
LIMIT = "limit"  # us: how much we may send
MOMENT = "moment"  # nobody: the server is busy
OFF = "off"  # of a login: the account takes no such login, whatever the password
PASSWORD = "password"  # of a login: the rest
OURS = (ACCESS, LIMIT)

AT_SENDER, AT_READER, AT_TEXT = "MAIL FROM", "RCPT TO", "DATA"  # what was refused


class _Row(NamedTuple):
    """A row of the table: what a refusal speaks of that has one of these words, or one of these enhanced status codes. vague: what has them
    may as well speak of something else."""

    of: str
    words: str = r"(?!)"
    codes: str = r"(?!)"
    vague: bool = False


_FULL = r"full|quota|limit|exceed|storage|space"
_TOO_MUCH = r"limit|quota|threshold|maximum|\brate\b|frequency"
_BLOCKED = (
    r"block|suspend|disabl|lock|bann|restrict|not (?:allowed|permitted|authori[sz]ed)|denied|compromised|listed|paus"
)
_TABLE = (  # compiled when a server refuses, which most runs never see
    # Postfix puts what it refused before its own or a policy's reason: `Client host rejected: Daily sending limit exceeded`
    _Row(LIMIT, r"rejected:[^;]{0,80}\b(?:daily|hourly|sending|rate)\b[^;]{0,40}(?:limit|quota|exceed)"),
    # `Sender address rejected: undeliverable address` names no reader; else it is another server's word on the reader, whom Postfix
    # or Exim asked, or the reader's own will
    _Row(
        ACCESS,
        r"sender (?:e-?mail )?(?:address|domain|verif\w+) (?:is |was )?(?:rejected|fail)|(?:client host|client|helo command|ehlo command) rejected",
    ),
    _Row(
        READER,
        r"(?:undeliverable|unverified) address|recipient verif|(?:reject|block|refus|deni)ed by (?:the |this )?(?:user|recipient)|mailbox size",
    ),
    # GMX tells a limit as a mailbox that is unavailable
    _Row(LIMIT, r"mail send limit|failure sending mail\W+try again later"),
    # Exchange: a reader, or a list, that takes mail of its own people alone
    _Row(READER, r"RESOLVER\.(?:ADR|RST\.(?:Auth|SenderNotAuth|NotAuth|Restricted))", r"5\.7\.1(?:24|29|33)"),
    _Row(
        ACCESS,
        r"sender (?:e-?mail )?(?:address |domain )?(?:is |was |has been )?(?:rejected|denied|refused|blocked|unknown|(?:has (?:an )?)?invalid|not )|"
        r"(?:invalid|bad|unknown|unauthori[sz]ed|unallowed|unverified|banned) (?:\w+ )?sender|badmailfrom|not local sender|required for sender|not owned by|not your (?:e-?mail )?address|send ?as|send on behalf|"
        r"\b(?:from|sender|return-path|mail from)\b[^.;]{0,40}(?:not (?:allowed|permitted|authori[sz]ed|verified|valid|match|belong|one of)|"
        r"does ?n[o']t match|must (?:match|be|equal|exist)|mismatch)|address is not verified|(?:not |un)authori[sz]ed to (?:send|perform)|not allowed to send|"
        r"unauthori[sz]ed ip|account is not (?:yet )?(?:activ|verif|validat)|activate your|test purposes only|disabled by user from|"
        r"OutboundSpam",
        r"5\.1\.[78]|5\.7\.(?:60|57)",
    ),
    _Row(
        ACCESS,
        r"relay(?:ing|ed)?\b[^.;]{0,40}(?:denied|not |prohibited|forbidden|refused|disabled|blocked|disallowed|rejected)|"
        r"(?:cannot|can'?t) deliver mail for|delivery is not allowed|(?:unable|not|cannot|can'?t|don'?t|won'?t|refuse|no|denied|to|for)(?: to)? relay|rcpthosts",
    ),
    _Row(
        ACCESS,
        r"authenticat\w+ (?:is |was )?(?:required|needed|failed|unsuccessful|first)|(?:must|need to|please|have to|requires?) (?:\w+ ){0,3}"
        r"(?:authenticat|auth\b|log ?in|issue a starttls)|starttls is required|not (?:been )?(?:authenticated|logged ?in)|smtp auth|login required|"
        r"(?:wrong|bad|incorrect|invalid|expired) password|password (?:is |has )?(?:wrong|incorrect|expired|required)",
        r"5\.7\.(?:3|8|9|11|13|14)",
    ),
    # how big the mail is; then how full a mailbox, ours or the reader's
    _Row(
        MAIL,
        r"(?:message|mail|header|attachment|content|data)s?\b[^.;]{0,30}(?:too (?:big|large|long|many)|size)|size[^.;]{0,30}(?:limit|exceed|maximum)|"
        r"exceed[^.;]{0,40}\bsize|length exceed",
        r"5\.3\.4|5\.2\.3",
    ),
    _Row(LIMIT, rf"(?:your|sender'?s?|sending|outgoing|outbound) (?:[\w-]+ ){{0,3}}(?:{_FULL}|{_TOO_MUCH})"),
    _Row(MOMENT, rf"receiv[^.;]{{0,40}}(?:{_TOO_MUCH})|recipient'?s? [^.;]{{0,30}}\brate"),
    _Row(
        READER,
        rf"(?:mailbox|inbox|incoming|recipient'?s|user'?s|user is|account is)\b[^.;]{{0,30}}(?:{_FULL})|over ?quota|"
        r"(?:insufficient|not enough|out of) (?:\w+ )?(?:storage|space)",
    ),
    # a mailbox that is full or not there, in a word and its code
    _Row(READER, r"^552 (?:over |exceeded? )?quota", r"5\.1\.(?:[1236]|10)|5\.2\.[12]"),
    _Row(
        LIMIT,
        rf"(?:{_TOO_MUCH})\w*[^.;]{{0,60}}(?:exceed|reach|hit\b|over\b|limited)|(?:exceed|reach|hit|over)\w*\b[^.;]{{0,60}}(?:{_TOO_MUCH})|"
        r"rate[- ]?limit|throttl|too (?:many|much) (?:\w+ )?(?:mails?|messages?|e-?mails?|recipients? (?:today|this)|connections?)|"
        r"(?:per|this|last|in an?) (?:day|hour|minute)\b|policy rejection[^.;]{0,20}quota|flood|unusual (?:sending|rate)",
        r"5\.4\.5|5\.7\.(?:28|233|705)|5\.1\.90",
    ),
    # nobody of that name, whatever else is said
    _Row(
        READER,
        r"(?:no|unknown|invalid|inactive|non-?existent) (?:such )?(?:user|recipient|mailbox|address|person|account|domain|destination)|"
        r"(?:user|recipient|mailbox|address|account|domain|person|destination|nobody|host)\b[^.;]{0,40}(?:unknown|not (?:found|known|exist|valid)|n[o']t exist|"
        r"inactive|expired|unavailable|invalid|no longer|tried to reach|does ?n[o']t have|not local|not here)|nobody of that name|"
        r"recipient address rejected: (?:access denied|user|unknown)|mailbox (?:\w+ )?disabled",
        r"5\.1\.(?:[1236]|10)|5\.7\.1[78]|5\.7\.2",
    ),
    # our good name
    _Row(
        ACCESS,
        rf"(?:your|sender'?s?|sending|outgoing|outbound|client)\b[^.;]{{0,50}}(?:{_BLOCKED}|spam)|account (?:\w+ ){{0,3}}(?:block|lock)|"
        r"spamhaus|spamcop|barracuda|\b(?:dns)?[rb]bl\b|(?:block|black|deny) ?-?list|reputation|\b(?:spf|dkim|dmarc)\b|reverse dns|\bptr\b|\b[he]+lo\b|"
        r"(?:\bip\b|host|network)[^;]{0,50}(?:block|bann|listed|not (?:allowed|permitted|accepted))|from (?:this|your) ip|unauthenticated",
        r"5\.7\.(?:2[0-79]|5\d\d|6\d\d|7\d\d)",
    ),
    _Row(
        MOMENT,
        r"\blater\b|try (?:it )?again|retry|temporar|gr[ea]ylist|overload|\bbusy\b|congest|not accepting|maintenance|resources|timed? ?out|system (?:full|error)",
        r"5\.3\.[12]",
    ),
    _Row(MAIL, r"spam|virus|malware|phish|unsolicited|content|attachment|header|mime", r"5\.6\.[0-689]"),
    _Row(MAIL, r"policy|prohibit|(?:message|mail) (?:\w+ ){0,3}(?:reject|refus|den)", r"5\.7\.\d+", vague=True),
)
# what may hold any words, a player's too
_ANYWHERE = r"<[^<>]*>|[^\s<>()\[\]{},;:'\"]+@[^\s<>()\[\]{},;:'\"]+|https?://\S+"
_STATUS = r"(?<![\d.])5\.\d{1,3}\.\d{1,3}(?![\d.])"
_STATUS_NOW = r"(?<![\d.])4(\.\d{1,3}\.\d{1,3})(?![\d.])"
_CODE = r"\b[45]\d\d\b"
_LONGEST = 1_000  # characters of what a server says that are read
LOGIN_CODES = (530, 534, 535, 538)
_TOO_BIG, _SIZES = 552, ("5.3.4", "5.2.3")


def spoken_of(code: int, said: str, at: str = AT_READER) -> str:
    """What a refusal of a mail speaks of. code: the server's number, 0 where only its words are known. at: what it refused."""
    if code in LOGIN_CODES:
        return ACCESS
    row, status = _row(code, said)
    of = row.of if row else ""
    if 400 <= code < 500 and of not in OURS:
        return MOMENT
    if at == AT_SENDER:  # what is sent is told here by its size alone
        return of if of == LIMIT else MAIL if code == _TOO_BIG or status in _SIZES else ACCESS
    return of or (MAIL if at == AT_TEXT and not status else READER)


def is_vague(code: int, said: str, at: str = AT_READER) -> bool:
    """Whether a refusal for good has words that the table does not know, in whatever language, or that tell no reason. Said to several
    readers while nobody's mail is taken, they can speak of none of these."""
    row, _ = _row(code, said)
    return code >= 500 and code not in LOGIN_CODES and at != AT_SENDER and (row is None or row.vague)


def _row(code: int, said: str) -> tuple[_Row | None, str]:
    """The first row that a refusal fits, and its enhanced status code as one for good, "" for none."""
    plain = f"{code} {re.sub(_ANYWHERE, ' ', said[:_LONGEST]).strip()}"
    found = re.search(_STATUS, re.sub(_STATUS_NOW, r"5\1", plain))  # 4.7.1 speaks of the same as 5.7.1, for now
    status = found[0] if found else ""
    rows = (row for row in _TABLE if re.search(row.words, plain, re.IGNORECASE) or re.fullmatch(row.codes, status))
    return next(rows, None), status


def spoken_of_in(words: str) -> str:
    """The same of the words of a delivery report, which may begin with the server's number. What failed for good though it was only busy,
    speaks of the reader."""
    number = re.search(_CODE, words[:20])
    of = spoken_of(int(number[0]) if number else 0, words[number.end() :] if number else words)
    return READER if of == MOMENT else of


_NOT_NOW = (  # Postfix says `(reason unavailable)` of any wrong password
    r"\[(?:UNAVAILABLE|INUSE|LIMIT|SERVERBUG|CONTACTADMIN|OVERQUOTA)\b|exceed|too many|too much|\blimit|throttl|try (?:it )?again|\blater\b|overload|temporar|"
    r"\bbusy\b|(?<!reason )unavailable|not connected|bandwidth|maintenance|server error|internal error|system error|timed? ?out"
)
_OFF = (
    r"disabled|not enabled|not allowed|not permitted|switched off|application-specific|app(?:lication)? password|web ?browser|web ?login|suspended|"
    r"blocked|\[(?:PRIVACYREQUIRED|EXPIRED|AUTHORIZATIONFAILED)\b"
)


def login_speaks_of(said: str, code: int = 0) -> str:
    """What a refused login speaks of: MOMENT (load, limits), OFF (the account takes no such login), PASSWORD. code: of SMTP."""
    said = said[:_LONGEST]
    if 400 <= code < 500 or re.search(_NOT_NOW, said, re.IGNORECASE):
        return MOMENT
    return OFF if re.search(_OFF, said, re.IGNORECASE) else PASSWORD


# --- the words, to be told


_MOMENTARY = rf"(?:{_ANYWHERE}):?|\d{{4}}-\d\d-\d\dT\S+|(?<!\S)(?=\S*\d)(?=\S*[A-Za-z])[\w.+/=-]{{10,}}(?: - gsmtp)?"


def steady(said: str) -> str:
    """A server's words without what is other each time: addresses, links, the names of queues. So the same trouble is told once."""
    return " ".join(re.sub(_MOMENTARY, " ", said[:_LONGEST]).replace("[ ]", " ").split())
