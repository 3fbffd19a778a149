"""What a seat can prove alone: reports/SEAT.json beside each kept report; it goes with its mail as record.json.

It holds what that seat may know and nothing else: the key of its dice and its own rolls, what was promised for them and for the next
turn's, digests of the turn before and of the report, and the orders that counted, byte for byte. `kingdom verify` reads it.
"""

from __future__ import annotations

import re
from binascii import b2a_base64
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from kingdom.campaign import calendar, store, undone_turns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.handed_on import INVITED
from kingdom.campaign.mail_lines import lines_in
from kingdom.campaign.next_turn import Draft
from kingdom.engine.dice import GM, commitment_of
from kingdom.engine.regex import regex
from kingdom.render.plain_text import COLUMNS
from kingdom.render.reports import DIGITS, CampaignFacts

FORMAT = 1
ENDING = ".json"
ATTACHED = "record.json"  # what its bytes are called in a mail
HAND, MAIL, BOT = "hand", "mail", "bot"  # how orders were filed
_LINE = 512  # digits of base64 in a line: no mail server folds it
DUE_LINE = regex(r'<p class="due">.*?</p>\n?', re.DOTALL)
_TOKEN_KEY = regex(rb"^\W*token\b", re.MULTILINE | re.IGNORECASE)
Json: TypeAlias = Mapping[str, object]


class Filed(Struct, frozen=True):
    """A filing as the mail's journal has it. came: the time that "newest" goes by, or when a file put there by hand was first seen."""

    receipt: str
    came: str
    how: str


class Told(Struct, frozen=True):
    """What the mail's journal says of a turn's orders. filings: seat -> those that came, the newest time of each. withdrawn: seat -> when
    its player took orders back. since: seat -> when who holds it took it over."""

    filings: Mapping[str, Sequence[Filed]] = {}
    withdrawn: Mapping[str, str] = {}
    since: Mapping[str, str] = {}


class _Line(Struct, frozen=True):
    """A line of the mail's journal, as far as it tells of orders."""

    at: str
    event: str
    kingdom: str = ""
    turn: int = 0
    receipt: str = ""
    time: str = ""
    digest: str = ""


def told_in(journal: Path, turn: int) -> Told:
    """Return what the mail's journal says of the orders for a turn; nothing if it is missing. What can't be read is passed over."""
    filings: dict[str, dict[str, Filed]] = {}
    withdrawn: dict[str, str] = {}
    since: dict[str, str] = {}
    for entry in lines_in(journal, ("filing", "by_hand", "withdraw", INVITED), _Line):
        if entry.event == INVITED and entry.turn:
            since[entry.kingdom] = entry.at
        elif entry.event == "filing" and entry.turn == turn:
            before = filings.setdefault(entry.kingdom, {}).get(entry.receipt)
            time = max(entry.time, before.came if before else "")
            filings[entry.kingdom][entry.receipt] = Filed(entry.receipt, time, MAIL)
        elif entry.event == "by_hand" and entry.turn == turn:
            receipt = entry.digest.rpartition("-")[2]
            filings.setdefault(entry.kingdom, {}).setdefault(receipt, Filed(receipt, entry.at, HAND))
        elif entry.event == "withdraw" and entry.turn == turn:
            withdrawn[entry.kingdom] = max(entry.time, withdrawn.get(entry.kingdom, ""))
    return Told({seat: list(found.values()) for seat, found in filings.items()}, withdrawn, since)


def records(
    campaign: Campaign, draft: Draft, previous: str, facts: CampaignFacts, reports: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return file name -> bytes: `SEAT.json` for each seat of these reports (file name -> bytes). previous: the digest of the turn before."""
    journal = campaign.folder / "mail" / "journal.jsonl"
    told, tokens = told_in(journal, draft.number), tokens_in(campaign)
    dates, put_off = campaign.settings.calendar, calendar.put_off_in(journal)
    due, next_due = (
        calendar.deadline(dates, turn, put_off).astimezone(UTC).isoformat() if dates and turn else None
        for turn in (draft.number, draft.number + 1)
    )
    seeds = [*sorted(campaign.settings.old_seeds.items()), (None, campaign.settings.seed)] if facts.finished else []
    rolls = defaultdict[str, list[list[object]]](list)
    for roll in draft.result.rolls:
        rolls[roll.kingdom].append([roll.name, roll.count, roll.sides, roll.result, roll.source])
    made = {}
    for seat in facts.players:
        if f"{seat}.txt" not in reports:
            continue
        record = {
            "record": FORMAT,
            "campaign": facts.name,
            "seat": seat,
            "turn": draft.number,
            "attempt": draft.attempt,
            "corrects": draft.corrects,
            "anew": list(draft.anew),
            "due": due,
            "key": facts.keys.get(seat, ""),
            "promised": _promised(draft, seat, facts.keys),
            "next": _next(campaign, draft.number + 1, seat, next_due, facts.commitments),
            "previous": previous,
            **_digests(reports[f"{seat}.txt"].decode(), reports[f"{seat}.html"].decode()),
            "filing": _filing(draft, seat, told, tokens),
            "other_filings": _others(draft, seat, told),
            "rolls": rolls[seat],
        }
        end = {"gm_key": facts.keys.get(GM, ""), "seeds": seeds} if seeds else {}
        made[f"{seat}{ENDING}"] = _written({**record, **end})
    return made


def _digests(text: str, page: str) -> dict[str, str]:
    """The digests of a report, whole, and without the line of the deadline: a mail gives the one that holds when it goes out."""
    head, rule, rest = text.partition(f"\n{'=' * COLUMNS}\n")
    dateless = head + rule + rest.partition("\n\n")[2]
    pages = {"page": page, "dateless_page": DUE_LINE.sub("", page, count=1)}
    return {
        name: store.digest_of(said.encode())
        for name, said in {"text": text, "dateless_text": dateless, **pages}.items()
    }


def _promised(draft: Draft, seat: str, keys: Mapping[str, str]) -> Json | None:
    """The commitments by which this turn was rolled, and those before them; None for a start that nobody was promised."""
    if not draft.number and not draft.replaced:
        return None
    replaced = [
        {"seat": one.commitments.get(seat, ""), "gm": one.commitments.get(GM, ""), "why": one.why}
        for one in draft.replaced
    ]
    own, gms = commitment_of(keys[seat]), commitment_of(keys[GM])
    return {"seat": own, "gm": gms, "replaced": replaced, "untold": seat in draft.untold}


def _next(campaign: Campaign, turn: int, seat: str, due: str | None, commitments: Mapping[str, str]) -> Json | None:
    """What is promised for the dice of the next turn; None after the end."""
    if not commitments:
        return None
    both = {"seat": commitments.get(seat, ""), "gm": commitments[GM]}
    return {"turn": turn, "attempt": undone_turns.attempt_of(campaign.folder, turn), "due": due, **both}


def _filing(draft: Draft, seat: str, told: Told, tokens: re.Pattern[bytes]) -> Json | None:
    """The orders that counted, byte for byte, unless a player before this one wrote them or a token stands in them; None for none."""
    data = draft.filings.files.get(seat)
    if data is None:
        return None
    digest = store.digest_of(data)
    known = next((one for one in told.filings.get(seat, ()) if one.receipt == digest[:DIGITS]), None)
    how = BOT if seat in draft.filings.bots else known.how if known else HAND
    came = known.came if known and how == MAIL else None
    since = told.since.get(seat)
    is_own = not since or known is not None and datetime.fromisoformat(known.came) > datetime.fromisoformat(since)
    lines = []
    if (is_own or how == BOT) and not tokens.search(data) and not _TOKEN_KEY.search(data):
        digits = b2a_base64(data, newline=False).decode()
        lines = [digits[at : at + _LINE] for at in range(0, len(digits), _LINE)]
    return {"digest": digest, "receipt": digest[:DIGITS], "how": how, "came": came, "base64": lines}


def _others(draft: Draft, seat: str, told: Told) -> list[Json]:
    """The other filings that came for the seat, and when its player took orders back."""
    counted = store.digest_of(draft.filings.files.get(seat, b""))[:DIGITS]
    others: list[Json] = [
        {"receipt": one.receipt, "how": one.how, "came": one.came}
        for one in told.filings.get(seat, ())
        if one.receipt != counted
    ]
    return [*others, *([{"withdrawn": told.withdrawn[seat]}] if seat in told.withdrawn else [])]


def tokens_in(campaign: Campaign) -> re.Pattern[bytes]:
    """A pattern of all tokens of today, which no record and no archive tells: an archive goes to everybody."""
    tokens = [re.escape(person.token.encode()) for person in campaign.settings.people if person.token]
    return re.compile(rb"\b(?:%s)\b" % b"|".join(tokens) if tokens else rb"(?!)", re.IGNORECASE)


def _written(record: Json) -> bytes:
    """Return it as JSON in ASCII, a line for each key and for each item of a list: a mail carries it as it stands."""
    import json  # a run that plays no turn needs it not

    lines = []
    for key, value in record.items():
        said = json.dumps(value)
        if key == "rolls" and isinstance(value, list) and value:
            said = "[\n  " + ",\n  ".join(json.dumps(item) for item in value) + "]"
        if key == "filing" and isinstance(value, dict):
            said = json.dumps(value, indent=1).replace("\n", "\n ")
        lines.append(f' "{key}": {said}')
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()
