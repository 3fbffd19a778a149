"""What one process for a folder of campaigns costs, beside a process for each: an idle run, and a night in which all are due."""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import bench_campaign
from bench_measure import KINGDOM, Used, cpu_of, exponent, used_by

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import keeping, next_turn

KINGDOMS = 6  # of each campaign
MANY, MOST = 100, 1_000  # campaigns in a folder
ALONE = 10  # of them are run one by one
ROUNDS = 3
IDLE, DUE = "2100-01-01T18:00", "2026-01-02T18:00"  # deadlines of turn 1


def idle(bench: Any) -> float:
    """CPU of an idle run of a folder, for each of its campaigns ÷ that of a run of one of them alone."""
    house = _idle_house(bench, MANY)
    return _each_beside_alone(house, lambda: cpu_of([KINGDOM, "run", str(house)]))


def growth(bench: Any) -> float:
    """The growth exponent of the CPU of an idle run, from a hundred campaigns to a thousand."""
    return exponent(MANY, MOST, lambda size: cpu_of([KINGDOM, "run", str(_idle_house(bench, size))]), ROUNDS)


def night(bench: Any) -> float:
    """CPU of a run in which every campaign has mails and a due turn, for each ÷ that of such a run of one campaign alone."""
    house, again = due_house(bench), bench.folder / "alone"

    def alone(name: str) -> float:
        shutil.copytree(house / name, again / name)
        used = cpu_of([KINGDOM, "run", "--workers", "1", str(again / name)])
        shutil.rmtree(again)
        return used

    names = sorted(place.name for place in house.iterdir())[:ALONE]
    alone(names[0])
    before = [alone(name) for name in names]
    used: Used = _night(bench)
    one: float = statistics.mean(before + [alone(name) for name in names])
    return used.cpu / MANY / one


def memory(bench: Any) -> float:
    """Peak of the resident memory of the whole night, in GiB."""
    used: Used = _night(bench)
    return used.memory / (1 << 30)


@cache
def _night(bench: Any) -> Used:
    """What one process takes for all of a copy of the folder, which is minutes. Every turn must be kept and every report be in the outbox."""
    again = bench.folder / "night"
    shutil.copytree(due_house(bench), again)
    used = used_by([KINGDOM, "run", "--workers", "1", str(again)])
    for place in again.iterdir():
        assert (place / "turns" / "0001" / "orders" / "k0005.yaml").is_file(), place
        assert len([*(place / "mail" / "outbox").glob("report-0001-*")]) == KINGDOMS, place
    shutil.rmtree(again)
    return used


def _each_beside_alone(house: Path, together: Callable[[], float]) -> float:
    """One campaign's share of what all take ÷ what one takes alone; the first round does not count."""
    one = str(sorted(house.iterdir())[0])
    together(), cpu_of([KINGDOM, "run", one])
    rounds = [
        together() / MANY / statistics.median(cpu_of([KINGDOM, "run", one]) for _ in range(5)) for _ in range(ROUNDS)
    ]
    return statistics.median(rounds)


def _idle_house(bench: Any, size: int) -> Path:
    """A folder of that many campaigns in which there is nothing to do: each like one that was run."""
    house: Path = bench.folder / f"idle-{size}"
    if not house.exists():
        for number in range(size):
            alike(idle_one(bench), house / f"c{number:04}")
        cpu_of([KINGDOM, "run", str(house)])  # their mails follow their new keys
    return house


def alike(one: Path, folder: Path) -> Path:
    """A campaign like another that has run, with a seed and a key of mail of its own: a mere copy would be held back."""
    shutil.copytree(one, folder, ignore=shutil.ignore_patterns("place"))
    settings = folder / "campaign.yaml"
    settings.write_text(settings.read_text().replace("seed: measured", f"seed: measured, {folder}"))
    (folder / "mail" / "key").write_text(sha256(bytes(folder)).hexdigest())
    return folder


def idle_one(bench: Any) -> Path:
    """A campaign in which all is done, its mails too: it was run."""
    one: Path = bench.folder / "idle-one"
    if not one.exists():
        _campaign(one, 0, IDLE)
        for _ in range(2):
            cpu_of([KINGDOM, "run", str(one)])
    return one


def due_house(bench: Any) -> Path:
    """A folder of campaigns, no two alike, each with turn 0 kept, a mail of each player for turn 1, and its deadline behind it."""
    house: Path = bench.folder / "due"
    if not house.exists():
        for number in range(MANY):
            _campaign(house / f"c{number:04}", number, DUE)
    return house


def _campaign(folder: Path, number: int, deadline: str) -> None:
    """A campaign that differs from the others in its dice and its names. Its orders of turn 1 lie in mails."""
    for name, data in bench_campaign.campaign(KINGDOMS).items():
        file = folder / name
        if name.startswith("orders/"):
            seat = file.stem
            file = folder / "mail" / "inbox" / f"{seat}.eml"
            head = f"From: {seat}@example.org\nSubject: Orders {seat} 1 [aaaa{seat}]\nMessage-ID: <{number}-{seat}@example.org>\n\n"
            data = head.encode() + data
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data.replace(b"Town ", f"Town{number} ".encode()))
    settings = folder / "campaign.yaml"
    text = settings.read_text().replace("seed: measured", f"seed: measured, {number}, 5c0e7d1f9a3b48c2e6d07f5b19a4c83e")
    for index in range(KINGDOMS):
        seat = f"k{index:04}"
        text = text.replace(
            f"{{name: Player {seat}}}", f"{{name: P{number}, email: {seat}@example.org, token: aaaa{seat}}}"
        )
    calendar = f"calendar: {{deadline: {deadline}, zone: UTC, every: 7d}}\n"
    settings.write_text(f"{text}{calendar}mail: {{address: orders@example.org}}\n")
    opened = campaigns.open_campaign(folder)
    keeping.keep(opened, [next_turn.opening_draft(opened, campaigns.rules_today(opened))])
