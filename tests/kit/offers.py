"""What an answer offers its reader to send back, and whether that works: over every refused or asked mail of the corpora.

`.venv/bin/python -m tests.kit.offers [WORD]` says which don't.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, timedelta
from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tests.kit import mailkit, people
from tests.kit.mailkit import Case
from tests.kit.onemail import OFFER, Became, Mail, Table, text_of
from tests.kit.people import Typed, items
from tests.kit.postkit import Post, links, pressed

BY_HAND = "Correct them and send them again"  # a link that opens a mail in which something is still to be corrected


class Offer(NamedTuple):
    """Lines to be sent back. how: "copied" out of the answer's text, or the name of the link that opens a mail with them."""

    how: str
    lines: str
    subject: str | None = None


def offers_in(answer: EmailMessage) -> list[Offer]:
    """All that an answer offers."""
    made = [Offer("copied", match[1]) for match in OFFER.finditer(text_of(answer))]
    if answer.get_body(("html",)):
        for name, link in links(answer).items():
            _, subject, body = pressed(link)
            to_be_written = name == BY_HAND or subject.startswith("to ") and not body.strip()
            made += [] if to_be_written else [Offer(name, body, subject)]
    return made


# --- as people type


def wrong_with_typed(case: Typed, table: Table) -> Iterator[str]:
    """What is wrong with the offers that a mail of people/ brings, if it is not taken as it came."""
    became = table.take(*case.mails)
    if not _is_asked(became):
        return
    for offer in [offer for mail in became.to(became.who) for offer in offers_in(mail)]:
        became = table.take(*case.mails)
        mail = Mail(became.who, offer.lines, offer.subject, None if offer.subject else "receipt")
        yield from (f"{offer.how}: {wrong}" for wrong in _wrong_back(case, table, became, offer, table.go_on(mail)))


def _is_asked(became: Became) -> bool:
    return became.outcome != "accepted" or "meant orders" in became.answer


def _wrong_back(case: Typed, table: Table, became: Became, offer: Offer, back: Became) -> Iterator[str]:
    if back.outcome != "accepted":
        yield f"refused when it is sent back ({back.code}): {offer.lines!r}"
        return
    if case.meant is None:
        return
    yield from _unlike(table.read(case.meant, became.who), became.filed, back.filed, became.answer.lower())


# --- as programs send


def wrong_with_case(case: Case, folder: Path) -> Iterator[str]:
    """What is wrong with the offers that the last message of a case brings, if it is not taken as it came."""
    outcome = mailkit.run(case, folder)[-1]
    fate = outcome.taken.fate
    if fate.outcome != "refused" or not fate.seat:
        return
    post = _post(case, folder)
    answer = next((post.letter(entry["mail"]) for entry in outcome.letters if entry["kind"] == "answer"), None)
    for number, offer in enumerate(offers_in(answer) if answer else []):
        if number:
            mailkit.run(case, folder)
            post = _post(case, folder)
        assert answer is not None
        before = post.filed(fate.seat, fate.turn or mailkit.TURN)
        head = {} if offer.subject else {"In-Reply-To": str(answer["Message-ID"])}
        back = post.mail(
            fate.seat, offer.lines, offer.subject or f"Re: {answer['Subject']}", fate.headers.sender, **head
        )
        if back.outcome != "accepted":
            yield f"{offer.how}: refused when it is sent back ({back.code}): {offer.lines!r}"
        elif "meant" in case.said:
            now = post.filed(fate.seat, fate.turn or mailkit.TURN) or {}
            words = text_of(answer).lower()
            yield from (f"{offer.how}: {wrong}" for wrong in _unlike(case.said["meant"], before or {}, now, words))


def _unlike(meant: Mapping[str, Any], before: Mapping[str, Any], now: Mapping[str, Any], answer: str) -> Iterator[str]:
    """What lines that were sent back file that was not meant, and what they leave out without a word."""
    if now == before:
        return
    wanted, filed = items(meant), items(now)
    yield from (f"files {item}, which was not meant" for item in filed - wanted - items(before))
    for item in wanted - filed:
        words = [word for word in item.replace('"', " ").replace(",", " ").split() if any(map(str.isalnum, word))]
        if words[-1].strip("}]") not in answer:
            yield f"leaves out {item} without a word"


def _post(case: Case, folder: Path) -> Post:
    post = Post(folder, (folder / "campaign.yaml").read_text(encoding="utf-8"))
    now = mailkit.messages(case)[-1].get("now")
    if now:
        post.now = now if now.tzinfo else now.replace(tzinfo=UTC)
    post.now += timedelta(minutes=10)
    post.sent = 1000  # its messages are others than those of the case
    return post


def cases_refused() -> Iterator[Case]:
    """Each message of the corpus that is to be refused, with those before it."""
    for whole in mailkit.cases():
        if {"first", "times", "breaks"} & set(whole.said):
            continue
        said = mailkit.messages(whole)
        for count, message in enumerate(said, 1):
            if "refused" in message:
                yield whole if len(said) == 1 else _until(whole, said[:count])


def _until(case: Case, messages: Any) -> Case:
    kept: Mapping[str, Any] = {key: value for key, value in case.said.items() if key in ("campaign", "files", "shows")}
    return case._replace(name=f"{case.name}[{len(messages)}]", said={**kept, "messages": messages})


def wrong(folder: Path, word: str = "", every: int = 1) -> tuple[dict[str, list[str]], int]:
    """(name of a case -> what is wrong with what its answer offers, how many cases were looked at). every: look at every nth."""
    table = Table(folder / "three_kingdoms")
    campaign = mailkit.campaign(folder / "fords")
    typed = [case for case in people.cases() if word in str(case)][::every]
    refused = [case for case in cases_refused() if word in str(case)][::every]
    made = {str(case): [*wrong_with_typed(case, table)] for case in typed}
    made |= {str(case): [*wrong_with_case(case, campaign)] for case in refused}
    return {name: said for name, said in made.items() if said}, len(made)


def main() -> None:
    """Say which offers don't work."""
    with TemporaryDirectory() as made:
        found, count = wrong(Path(made), sys.argv[1] if len(sys.argv) > 1 else "")
    for name, said in found.items():
        print(f"{name}:", *said, sep="\n    ")
    print(len(found), "of", count)


if __name__ == "__main__":
    main()
