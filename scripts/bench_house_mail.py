"""What a mail costs that comes to a house of many campaigns, beside one that comes to a campaign alone."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import bench_house
from bench_measure import KINGDOM, cpu_of

CAMPAIGNS = 100  # in the house
EACH = 10  # mails of one seat: of each campaign in the house, and of each seat of the campaign alone; a seat's first costs more
HOUSE = "name: The house\nhost: {name: Hal, email: hal@example.org}\nmail: {address: orders@example.org}\n"


def mails(bench: Any) -> float:
    """CPU of a run of a house with mails for all of its campaigns, beyond that of an idle run, for each mail ÷ that of a mail of one campaign.

    Every mail must be handled by its campaign.
    """
    one = bench_house.idle_one(bench)
    before = _alone(bench, one)
    house = bench.folder / "mail-house"
    for number in range(CAMPAIGNS):
        _with_its_tokens(bench_house.alike(one, house / f"c{number:04}"), number)
    (house / "house.yaml").write_text(HOUSE)
    for _ in range(2):
        cpu_of([KINGDOM, "run", str(house)])  # the campaigns' mails follow their new tokens
    inbox = house / "mail" / "inbox"
    inbox.mkdir(parents=True, exist_ok=True)
    cost = _cost(house, inbox, [_mail(number, 0, at) for number in range(CAMPAIGNS) for at in range(EACH)])
    handled = sum(_handled(place) for place in house.iterdir() if place.is_dir())
    assert handled >= CAMPAIGNS * EACH, handled
    shutil.rmtree(house)
    return 2 * cost / (before + _alone(bench, one))


def _alone(bench: Any, one: Path) -> float:
    """The CPU of a mail of the one campaign."""
    alone = bench.folder / "mail-alone"
    bench_house.alike(one, alone)
    cpu_of([KINGDOM, "run", str(alone)])
    mails = [_mail(0, seat, at) for seat in range(bench_house.KINGDOMS) for at in range(EACH)]
    cost = _cost(alone, alone / "mail" / "inbox", mails)
    shutil.rmtree(alone)
    return cost


def _cost(folder: Path, inbox: Path, mails: list[bytes]) -> float:
    """The CPU that a mail costs beyond an idle run."""
    idle = cpu_of([KINGDOM, "run", str(folder)])
    for number, data in enumerate(mails):
        (inbox / f"bench{number:05}.eml").write_bytes(data)
    used = cpu_of([KINGDOM, "run", str(folder)])
    assert not (inbox / "bench00000.eml").exists()
    return (used - idle) / len(mails)


def _mail(campaign: int, seat_number: int, number: int) -> bytes:
    """Orders of one of its players, proved by the token of that campaign's seat."""
    seat = f"k{seat_number:04}"
    head = f"From: {seat}@example.org\nSubject: Orders {seat} 1 [{_token(campaign, seat)}]\nMessage-ID: <{campaign}-{seat}-{number}@example.org>\n\n"
    return f"{head}taxation: {('light', 'normal', 'heavy')[number % 3]}\n".encode()


def _token(campaign: int, seat: str) -> str:
    return f"aaaa{seat}" if not campaign else f"a{campaign:04}{seat}"


def _with_its_tokens(folder: Path, number: int) -> None:
    """Give a copy a name and tokens of its own, and let the house have its mail."""
    settings = folder / "campaign.yaml"
    text = re.sub(r"token: aaaa(k\d+)", lambda found: f"token: {_token(number, found[1])}", settings.read_text())
    text = re.sub(r"^name: .*$", f"name: Number {number}", text, flags=re.M)
    settings.write_text(re.sub(r"^mail: .*\n", "", text, flags=re.M))


def _handled(folder: Path) -> int:
    journal = folder / "mail" / "journal.jsonl"
    return sum(b'"handled"' in line for line in journal.read_bytes().splitlines()) if journal.exists() else 0
