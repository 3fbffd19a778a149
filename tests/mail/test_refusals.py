"""What servers say when they refuse, as they say it, and what they speak of: nobody is blamed for what is about us."""

from __future__ import annotations

import pytest

from kingdom.mail import refusals
from kingdom.mail.refusals import ACCESS, AT_READER, AT_SENDER, AT_TEXT, LIMIT, MAIL, MOMENT, READER

SAID = [
    (ACCESS, 554, "5.7.1 <ada@example.org>: Relay access denied"),
    (ACCESS, 454, "4.7.1 <ada@example.org>: Relay access denied"),
    (ACCESS, 553, "5.7.1 <play@example.org>: Sender address rejected: not owned by user play"),
    (ACCESS, 554, "5.7.1 <play@example.org>: Sender address rejected: Access denied"),
    (ACCESS, 550, "5.1.8 <play@example.org>: Sender address rejected: Domain not found"),
    (ACCESS, 450, "4.1.8 <play@example.org>: Sender address rejected: Domain not found"),
    (ACCESS, 550, "5.1.0 <play@x.org>: Sender address rejected: User unknown in virtual mailbox table"),
    (ACCESS, 450, "4.1.7 <play@x.org>: Sender address rejected: undeliverable address: host mx.x.org[1.2.3.4] said: 550 5.1.1 user unknown (in reply to RCPT TO command)"),
    (LIMIT, 550, "5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits go to https://support.google.com/a/answer/166852 n6-20020a056402060600b0057 - gsmtp"),
    (LIMIT, 550, "5.4.5 Daily sending quota exceeded. 12-v6sm1234567pfa.125 - gsmtp"),
    (LIMIT, 554, "5.7.0 Your message could not be sent. The limit on the number of allowed outgoing messages was exceeded. Try again later."),
    (ACCESS, 550, "5.7.60 SMTP; Client does not have permissions to send as this sender"),
    (ACCESS, 554, "5.2.252 SendAsDenied; play@x.org not allowed to send as orders@x.org; STOREDRV.Submission.Exception:SendAsDeniedException.MapiExceptionSendAsDenied; Failed to process message"),
    (ACCESS, 550, "5.1.8 Access denied, bad outbound sender AS(42004)"),
    (ACCESS, 550, "relay not permitted"),
    (ACCESS, 550, "5.7.1 Unable to relay for ada@example.org"),
    (ACCESS, 550, "5.7.54 SMTP; Unable to relay recipient in non-accepted domain"),
    (ACCESS, 553, "sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"),
    (ACCESS, 550, "5.7.1 ada@example.org... Relaying denied. IP name lookup failed [1.2.3.4]"),
    (ACCESS, 550, "5.7.1 Relaying denied. Proper authentication required."),
    (ACCESS, 554, "5.7.1 This server is not configured to relay mail from your IP"),
    (ACCESS, 530, "5.7.0 Authentication Required. For more information, go to"),
    (ACCESS, 530, "5.7.57 SMTP; Client was not authenticated to send anonymous mail during MAIL FROM"),
    (ACCESS, 550, "5.7.1 Authentication required"),
    (ACCESS, 550, "SMTP AUTH is required for message submission on port 587"),
    (LIMIT, 552, "5.2.2 sender quota exceeded"),
    (LIMIT, 552, "5.2.2 Your mailbox is over quota, you can not send mail"),
    (LIMIT, 554, "5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; The sender's submission quota was exceeded"),
    (LIMIT, 432, "4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded"),
    (LIMIT, 450, "4.7.1 Error: too much mail from 10.0.0.1"),
    (LIMIT, 554, "5.7.1 <ada@x.org>: Recipient address rejected: Policy Rejection- Quota exceeded"),
    (LIMIT, 554, "5.7.1 <ada@x.org>: Recipient address rejected: Sending rate limit exceeded, 100 messages per hour"),
    (LIMIT, 550, "5.1.90 Your message can't be sent because you've reached your daily limit for message recipients"),
    (LIMIT, 550, "5.7.233 Your message can't be sent because your trial tenant has exceeded its daily limit for sending email to external recipients (tenant external recipient rate limit)"),
    (LIMIT, 550, "Domain example.org has exceeded the max emails per hour (101/100 (101%)) allowed.  Message discarded."),
    (LIMIT, 454, "Throttling failure: Daily message quota exceeded."),
    (LIMIT, 454, "Throttling failure: Maximum sending rate exceeded."),
    (LIMIT, 550, "You have exceeded your hourly email limit"),
    (LIMIT, 550, "5.7.1 rate limit exceeded"),
    (LIMIT, 451, "4.7.1 Sorry, I can't accept messages as you have reached your sending limit"),
    (ACCESS, 554, "Message rejected: Email address is not verified. The following identities failed the check in region US-EAST-1: play@example.org"),
    (ACCESS, 554, "5.7.1 Service unavailable; Client host [203.0.113.5] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/203.0.113.5"),
    (ACCESS, 550, "5.7.606 Access denied, banned sending IP [203.0.113.5]"),
    (ACCESS, 550, "5.7.708 Service unavailable. Access denied, traffic not accepted from this IP."),
    (ACCESS, 550, "5.7.26 This mail has been blocked because the sender is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM."),
    (ACCESS, 550, "5.7.1 Your account has been suspended for sending spam"),
    (ACCESS, 554, "5.7.1 Account blocked"),
    (ACCESS, 550, "5.7.1 Your account is blocked from sending mail"),
    (ACCESS, 550, "5.7.1 Outbound mail blocked for this user"),
    (ACCESS, 550, 'Outgoing mail from "play@x.org" has been suspended.'),
    (ACCESS, 550, "5.7.0 From address is not one of your addresses"),
    (ACCESS, 550, "5.7.1 Client not authorized to send as <play@x.org>"),
    (ACCESS, 504, "5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname"),
    (READER, 550, "5.1.1 <ada@example.org>: Recipient address rejected: User unknown in virtual mailbox table"),
    (READER, 550, "5.1.1 <ada@example.org>: Recipient address rejected: User unknown in relay recipient table"),
    (READER, 550, "5.1.1 <daily.limit.exceeded@example.org>: Recipient address rejected: User unknown"),
    (READER, 550, "5.1.1 <relay.access.denied@example.org>: no such user"),
    (READER, 550, "5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces."),
    (READER, 550, "5.2.1 The email account that you tried to reach is disabled."),
    (READER, 552, "5.2.2 The email account that you tried to reach is over quota."),
    (MOMENT, 452, "4.2.2 The recipient's inbox is out of storage space."),
    (READER, 552, "5.2.2 <ada@x.org>: Recipient address rejected: Mailbox is full"),
    (READER, 552, "5.2.2 Mailbox size limit exceeded"),
    (READER, 550, "5.2.2 <ada@x.org> User is over quota"),
    (READER, 550, "Requested action not taken: mailbox unavailable"),
    (READER, 550, "no such user here"),
    (READER, 550, "No Such User Here"),
    (READER, 550, "5.4.1 Recipient address rejected: Access denied. AS(201806281)"),
    (READER, 550, "5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@x.org not found by SMTP address lookup"),
    (READER, 554, "delivery error: dd This user doesn't have a yahoo.com account (ada@yahoo.com) [-5]"),
    (READER, 554, "30 Sorry, your message to ada@yahoo.com cannot be delivered. This mailbox is disabled (554.30)."),
    (MOMENT, 450, "4.2.0 <ada@x.org>: Recipient address rejected: Greylisted, try again in 300 seconds"),
    (READER, 550, "5.1.2 <ada@x.invalid>: Recipient address rejected: Domain not found"),
    (READER, 556, "5.1.10 <ada@x.org>: Recipient address rejected: Domain x.org does not accept mail (nullMX)"),
    (READER, 550, "5.1.1 <ada@x.org>: Recipient address rejected: undeliverable address: host mx.evil.org[1.2.3.4] said: 554 5.7.1 Relay access denied"),
    (READER, 550, "5.7.1 Your message was rejected by recipient: sender blocked by the user"),
    (READER, 551, "5.7.1 User not local"),
    (READER, 550, "nobody"),
    (READER, 501, "5.1.3 Bad recipient address syntax"),
    (MAIL, 552, "5.3.4 Message size exceeds fixed limit"),
    (MAIL, 552, "5.2.3 Your message exceeded Google's message size limits. Please visit"),
    (MAIL, 554, "5.7.1 Message rejected as spam by content scanning"),
    (MAIL, 550, "5.7.1 Blocked by SpamAssassin"),
    (MAIL, 552, "5.7.0 This message was blocked because its content presents a potential security issue."),
    (MAIL, 554, "5.6.0 Message contains NUL characters"),
    (MAIL, 550, "5.7.1 Rejected for policy reasons"),
    (MAIL, 550, "Administrative prohibition"),
    (MAIL, 554, "5.7.1 Transaction failed"),
    (MOMENT, 450, "4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered."),
    (MOMENT, 450, "4.7.1 <ada@x.org>: Recipient address rejected: Greylisting in effect, please come back later"),
    (MOMENT, 451, "4.3.0 <ada@x.org>: Temporary lookup failure"),
    (MOMENT, 452, "4.3.1 Insufficient system storage"),
    (MOMENT, 554, "5.3.2 System not accepting network messages"),
    (MOMENT, 550, "5.7.1 Greylisted, try again later"),
    (MOMENT, 451, "4.7.1 greylisted, come again"),
    (MOMENT, 451, "Internal server error"),
    (ACCESS, 554, "5.7.1 <unknown[203.0.113.5]>: Client host rejected: Access denied"),
    (ACCESS, 450, "4.7.1 Client host rejected: cannot find your reverse hostname, [203.0.113.5]"),
    (ACCESS, 450, "4.7.1 <vps.local>: Helo command rejected: Host not found"),
    (ACCESS, 550, "Verification failed for <play@x.org>\nCalled: 203.0.113.9\nSent: RCPT TO:<play@x.org>\nResponse: 550 unknown user\nSender verify failed"),
    (ACCESS, 550, "Requested action not taken: mailbox unavailable\nSender address is not allowed."),
    (ACCESS, 553, "5.7.1 play@x.org: not owned by user play"),
    (ACCESS, 550, "The from address does not match a verified Sender Identity. Mail cannot be sent until this error is resolved."),
    (ACCESS, 530, "5.7.0 Must issue a STARTTLS command first"),
    (LIMIT, 550, "5.7.28 Our system has detected an unusual rate of mail originating from your SPF domain"),
    (LIMIT, 451, "4.3.0 Error: too many messages in this hour"),
    (LIMIT, 550, "User play@x.org has exceeded its 24-hour sending limit. Messages to 250 recipients out of 250 allowed have been sent."),
    (LIMIT, 554, "5.7.1 Sorry, you have reached the maximum number of messages per day"),
    (LIMIT, 452, "4.5.3 Daily recipient limit reached"),
    (READER, 550, "5.7.1 <ada@x.org>: Recipient address rejected: User email address is marked as invalid."),
    (READER, 550, "Unrouteable address"),
    (READER, 552, "Quota exceeded"),
    (READER, 552, "5.2.2 Quota exceeded"),
    (READER, 550, "5.1.1 <ada@x.org>: User unknown; at most 10 such errors per hour"),
    (LIMIT, 552, "Daily quota exceeded"),
    (LIMIT, 550, "5.4.5 <unknown[203.0.113.5]>: Client host rejected: Daily user sending limit exceeded"),
    (LIMIT, 554, "5.7.1 <play@x.org>: Sender address rejected: Daily sending quota exceeded"),
    (LIMIT, 554, "5.7.1 Quota exceeded"),
    (READER, 550, "5.4.4 <ada@x.org>: Host or domain name not found. Name service error for name=x.org type=MX: Host not found"),
    (READER, 554, "5.4.6 Too many hops"),
    (MAIL, 550, "5.7.1 Message contains password protected archive"),
    (MAIL, 554, "Transaction failed\nReject due to policy violations."),
    (MAIL, 550, "5.7.1 The recipient is only accepting mail from specific email addresses"),
    (LIMIT, 550, "Requested action not taken: mailbox unavailable\nFailure sending mail. Try again later."),
    (LIMIT, 450, "Requested mail action not taken: mailbox unavailable\nMail send limit exceeded."),
    (LIMIT, 550, "Connection frequency limited. http://service.mail.qq.com"),
    (LIMIT, 550, "5.4.6 Unusual sending activity detected. Please try after sometime"),
    (ACCESS, 553, "Relaying disallowed as play@example.org"),
    (ACCESS, 554, "Relay rejected for policy reasons."),
    (ACCESS, 550, "I cannot deliver mail for <ada@example.org>"),
    (ACCESS, 550, "Delivery is not allowed to this address."),
    (ACCESS, 553, "sorry, your envelope sender is in my badmailfrom list (#5.7.1)"),
    (ACCESS, 553, "sorry, your envelope sender domain must exist (#5.7.1)"),
    (ACCESS, 571, "sorry, sender address has invalid format (#5.7.1 - chkuser)"),
    (ACCESS, 553, "5.5.4 <play>... Domain name required for sender address play"),
    (ACCESS, 554, "Transaction failed\nUnallowed sender address"),
    (ACCESS, 553, "Mail from must equal authorized user"),
    (ACCESS, 550, "not local sender over smtp"),
    (ACCESS, 551, "5.7.1 Not authorised to send from this header address"),
    (ACCESS, 554, "Message rejected: Sending paused for this account."),
    (ACCESS, 554, "Access denied: User arn:aws:iam::1:user/x is not authorized to perform ses:SendRawEmail on resource"),
    (ACCESS, 502, "5.7.0 Your SMTP account is not yet activated. Contact us at contact@brevo.com to request activation"),
    (ACCESS, 525, "5.7.1 Unauthorized IP address"),
    (ACCESS, 550, "5.7.1 [203.0.113.5] The IP you're using to send mail is not authorized to send email directly to our servers."),
    (ACCESS, 550, "5.7.3 STARTTLS is required to send mail"),
    (ACCESS, 554, "5.2.0 STOREDRV.Submission.Exception:OutboundSpamException; Failed to process message due to a permanent exception"),
    (ACCESS, 550, "5.7.1 Free accounts are for test purposes only. Please upgrade or add the address to authorized recipients"),
    (ACCESS, 550, "5.7.1 This account is not allowed to send mail"),
    (READER, 550, "5.7.1 RESOLVER.RST.AuthRequired; authentication required"),
    (READER, 550, "5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed because the sender was not authenticated when sending to this group"),
    (READER, 550, "5.7.124 RESOLVER.RST.NotAuthorizedForGroup; sender not in allowed-senders list"),
]  # fmt: skip


@pytest.mark.parametrize(("of", "code", "said"), SAID)
def test_what_a_refusal_speaks_of(of: str, code: int, said: str) -> None:
    assert refusals.spoken_of(code, said) == of


@pytest.mark.parametrize(("is_vague", "code", "said", "at"), [
    (True, 550, "nobody", AT_READER),
    (True, 550, "5.7.1 送信数の上限を超えました", AT_READER),
    (True, 550, "5.7.1 Absenderadresse nicht zugelassen", AT_READER),
    (True, 554, "Transaction failed\nReject due to policy restrictions.", AT_TEXT),
    (False, 550, "5.1.1 Empfänger unbekannt", AT_READER),
    (False, 550, "5.1.1 User unknown", AT_READER),
    (False, 554, "5.7.1 Relay access denied", AT_READER),
    (False, 554, "5.7.1 Message rejected as spam by content scanning", AT_TEXT),
    (False, 450, "nobody", AT_READER),
    (False, 530, "nobody", AT_READER),
    (False, 550, "nobody", AT_SENDER),
])  # fmt: skip
def test_which_words_do_not_tell_whom_they_speak_of(is_vague: bool, code: int, said: str, at: str) -> None:
    assert refusals.is_vague(code, said, at) is is_vague


@pytest.mark.parametrize(("of", "code", "said", "at"), [
    (ACCESS, 553, "5.7.1 not your address", AT_SENDER),
    (ACCESS, 501, "5.1.7 Bad sender address syntax", AT_SENDER),
    (ACCESS, 550, "no", AT_SENDER),
    (MAIL, 552, "5.3.4 Message size exceeds fixed limit", AT_SENDER),
    (MAIL, 552, "no", AT_SENDER),
    (LIMIT, 550, "5.4.5 Daily sending quota exceeded", AT_SENDER),
    (MOMENT, 451, "4.3.0 Temporary lookup failure", AT_SENDER),
    (ACCESS, 450, "4.1.8 <play@example.org>: Sender address rejected: Domain not found", AT_SENDER),
    (READER, 550, "5.1.1 nobody of that name", AT_TEXT),
    (MAIL, 554, "Transaction failed", AT_TEXT),
    (READER, 554, "Transaction failed", AT_READER),
])  # fmt: skip
def test_what_is_not_said_goes_by_what_was_refused(of: str, code: int, said: str, at: str) -> None:
    assert refusals.spoken_of(code, said, at) == of


@pytest.mark.parametrize(("of", "words"), [
    (ACCESS, "554 5.7.1 <ada@example.org>: Relay access denied"),
    (LIMIT, "550-5.4.5 Daily user sending limit exceeded"),
    (READER, "552 Quota exceeded"),
    (READER, "451 4.7.1 Greylisted, try again later"),
    (READER, "550 5.1.1 <no.relay.denied@example.org>: User unknown"),
    (READER, ""),
])  # fmt: skip
def test_what_a_delivery_report_speaks_of(of: str, words: str) -> None:
    assert refusals.spoken_of_in(words) == of


def test_words_that_are_the_same_each_time() -> None:
    said = (
        "5.4.5 Daily user sending limit exceeded. Go to https://support.example.org/a/166852 n6-20020a05640206 - gsmtp"
    )
    assert refusals.steady(said) == "5.4.5 Daily user sending limit exceeded. Go to"
    assert refusals.steady("5.7.1 <ada@example.org>: Relay access denied") == "5.7.1 Relay access denied"


def test_words_of_any_length_are_read_in_no_time() -> None:
    import time

    began = time.process_time()
    for words in (
        "sender " * 40_000,
        "relay " * 40_000,
        "a@" * 100_000,
        "<" * 100_000,
        "exceed " * 40_000,
        "4." * 100_000,
    ):
        refusals.spoken_of(550, words)
        refusals.login_speaks_of(words)
        refusals.steady(words)
    assert time.process_time() - began < 1
