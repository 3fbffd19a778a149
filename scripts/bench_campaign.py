"""Campaigns of any size to measure with: kingdoms of four hexes, each with a town, land to claim and orders.

Three kingdoms of 2 by 2 hexes stand one below the other, then comes a row of free land; a column of such groups beside
the other fills the map. So however many kingdoms there are, each has the same kind of neighbours, and the most that
the labels (99 by 99) have room for is some more than 2,000.

They lie in a folder of the machine's memory where there is one (/dev/shm), so that no figure waits for a disk.
"""

from __future__ import annotations

import math
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from bench_measure import KINGDOM, cpu_of

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import keeping, next_turn
from kingdom.engine import game as games
from kingdom.games.realm.hexmap import label_of

MEMORY = Path("/dev/shm")
EDITION = 2  # of the rules that people play
YEARS = 520  # turns of ten years
MAILING = 6  # kingdoms of a campaign with mail
IDLE, DUE = "2100-01-01T18:00", "2026-01-02T18:00"  # deadlines of turn 1

GROUP = 3  # kingdoms one below the other between two rows of free land
ROWS = 2 * GROUP + 1
SEEN = 6  # hexes of free land beside the last kingdoms, so that they too see as far as their Vigilance reaches
TERRAIN = ("plains", "hills", "plains", "forest")
HOLIDAYS, TAXES = ("long", "average", "very_long"), ("normal", "light", "heavy")
ATTRIBUTES = ("economy", "loyalty", "stability")


class Workbench:
    """A temporary folder with campaigns, each made when it is first asked for; the program's cache is in it too."""

    def __enter__(self) -> Workbench:
        place = MEMORY if os.access(MEMORY, os.W_OK) else None
        self.folder = Path(tempfile.mkdtemp(prefix="kingdom-bench-", dir=place))
        os.environ["KINGDOM_CACHE"] = str(self.folder / "cache")
        os.fsync = lambda fd: None  # nothing measured in this process waits for a disk
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # modules are compiled once, as they are for a user
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder)

    def campaign(self, kingdoms: int, turns: int = 0, whole: bool = False, edition: int = EDITION) -> Path:
        """The folder of a campaign with turn 0 and that many turns kept, and orders filed for the next."""
        folder = self.folder / f"{kingdoms}x{turns}{'-whole' * whole}-{edition}"
        return folder if folder.exists() else kept(folder, campaign(kingdoms, turns + 1, whole, edition), turns)

    def years(self) -> Path:
        """Ten years of a new campaign that six bots play, a turn a week. To make it takes some minutes."""
        asked = {"name": "Ten years", "seed": "the seed of ten years", "tokens": ("aaaa",) * 7, "bots": 6, "size": None}
        folder = self.folder / "years"
        if not folder.exists():
            files = games.load("realm").opening.new(6, asked)
            kept(folder, {name: text.encode() for name, text in files.items()}, YEARS - 1)
        return folder

    def idle(self, folder: Path) -> Path:
        """A campaign with mail in which all is done: one that has run, with a seed and a key of mail of its own, or it would be held back."""
        one = self.folder / "idle-one"
        if not one.exists():
            mailed(one, 0, IDLE)
            for _ in range(2):
                cpu_of([KINGDOM, "run", str(one)])
        shutil.copytree(one, folder, ignore=shutil.ignore_patterns("place"))
        settings = folder / "campaign.yaml"
        settings.write_text(settings.read_text().replace("seed: measured", f"seed: measured, {folder}"))
        (folder / "mail" / "key").write_text(sha256(bytes(folder)).hexdigest())
        return folder

    def house(self, name: str, size: int) -> Path:
        """A folder of that many campaigns: "idle", nothing is to be done; "due", each has a mail of each player for turn 1 that is due."""
        house = self.folder / f"{name}-{size}"
        if not house.exists():
            for number in range(size):
                folder = house / f"c{number:04}"
                mailed(folder, number, DUE) if name == "due" else self.idle(folder)
            if name == "idle":
                cpu_of([KINGDOM, "run", str(house)])  # their mails follow their new keys
        return house

    def forget_advice(self) -> None:
        """Make the next run a cold one: the cache has advice for nobody."""
        for file in (self.folder / "cache").glob("kingdom-advice-*"):
            file.unlink()

    @contextmanager
    def copy(self, folder: Path) -> Iterator[Path]:
        """A copy of a campaign to run, in a folder that has nothing else, and goes afterwards."""
        again = shutil.copytree(folder, self.folder / "copy" / folder.name)
        yield again
        shutil.rmtree(again.parent)


def kept(folder: Path, files: dict[str, bytes], turns: int = 0) -> Path:
    """Write the files of a campaign, and keep turn 0 and that many turns after it, in this process."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    opened = campaigns.open_campaign(folder)
    keeping.keep(opened, [next_turn.opening_draft(opened, campaigns.rules_today(opened))])
    for _ in range(turns):
        keeping.keep(opened, next_turn.drafts(opened))
    return folder


def head_of(seat: str, token: str, name: str) -> bytes:
    """The head of a mail with orders, and the empty line below it."""
    return (
        f"From: {seat}@example.org\nSubject: Orders {seat} 1 [{token}]\nMessage-ID: <{name}@example.org>\n\n".encode()
    )


def mailed(folder: Path, number: int, deadline: str) -> Path:
    """Make a campaign that differs from others in its dice and its names, with turn 0 kept. Its orders of turn 1 lie in mails."""
    files = {}
    for name, data in campaign(MAILING).items():
        if name.startswith("orders/"):
            seat = Path(name).stem
            name, data = f"mail/inbox/{seat}.eml", head_of(seat, f"aaaa{seat}", f"{number}-{seat}") + data
        files[name] = data.replace(b"Town ", f"Town{number} ".encode())
    text = files["campaign.yaml"].decode()
    text = text.replace("seed: measured", f"seed: measured, {number}, 5c0e7d1f9a3b48c2e6d07f5b19a4c83e")
    for seat in map("k{:04}".format, range(MAILING)):
        player = f"{{name: P{number}, email: {seat}@example.org, token: aaaa{seat}}}"
        text = text.replace(f"{{name: Player {seat}}}", player)
    text += f"calendar: {{deadline: {deadline}, zone: UTC, every: 7d}}\nmail: {{address: orders@example.org}}\n"
    return kept(folder, {**files, "campaign.yaml": text.encode()})


# --- what a campaign of any size consists of -----------------------------------------------------------------------------


class Place(NamedTuple):
    """Where a kingdom stands: the column and row of its upper left hex; `step` is its place in its group, from the top."""

    number: int
    seat: str
    column: int
    row: int
    step: int

    def land(self) -> list[str]:
        return [label_of(self.column + right, self.row + down) for down in (0, 1) for right in (0, 1)]

    def claims(self) -> list[str]:
        """The highest of a group claims land above it, the lowest below it; now and then both want the same hex."""
        if self.step == 0:
            return [label_of(self.column, self.row - 1)]
        return [label_of(self.column + (self.number % 4 > 0), self.row + 2)] if self.step == GROUP - 1 else []


def campaign(kingdoms: int, turns: int = 1, whole: bool = False, edition: int = EDITION) -> dict[str, bytes]:
    """The files of a campaign before turn 0 with orders for that many turns, by their names in its folder.

    whole: with every sub-system in use: an event for each kingdom each turn, trade with every neighbour, armies that march
    and watch, expeditions, adventurers, caravans, smuggling, Vigilance that reaches over the land. Without it none of them.
    """
    each = (
        max(1, round(math.sqrt(kingdoms * 2 / (GROUP * ROWS)))) * GROUP
    )  # of a column, so that the map is about square
    places = [
        Place(at, f"k{at:04}", 2 * (at // each) + 1, at % each // GROUP * ROWS + at % GROUP * 2 + 2, at % GROUP)
        for at in range(kingdoms)
    ]
    players = "".join(f"  {place.seat}: {{name: Player {place.seat}}}\n" for place in places)
    chance, trade = 100 if whole else 0, str(whole).lower()
    settings = (
        f"name: Measured\ngame: realm\nedition: {edition}\nseed: measured\ngm: {{name: Gm}}\n"
        f"rules:\n  events: {{chance: {{normal: {chance}, after_quiet_turn: {chance}}}}}\n"
        f"  trade: {{between_neighbours: {trade}}}\nplayers:\n{players}"
    )
    files = {"campaign.yaml": settings, "map.yaml": _map(places, whole)}
    for place in places:
        files[f"kingdoms/{place.seat}.yaml"] = _kingdom(place, whole)
        beside = (
            place.number + 1 if place.step == 0 else place.number - 1
        )  # the next in its group: the one above but for the highest
        for turn in range(1, turns + 1):
            files[f"orders/{turn:04}/{place.seat}.yaml"] = _orders(place, places[beside % kingdoms].seat, turn, whole)
    return {name: text.encode() for name, text in files.items()}


def _map(places: list[Place], whole: bool) -> str:
    """The land of all, with a row above and below; every second column of it along a river."""
    columns = max(place.column for place in places) + 1 + SEEN * whole
    rows = math.ceil((max(place.row for place in places) + 1) / ROWS) * ROWS + 1 + SEEN * whole
    return "hexes:\n" + "".join(
        f'  "{label_of(column, row)}": {{terrain: {TERRAIN[(column + row) % 4]}{", features: [river]" * (column % 2)}'
        f"{', monsters: {acr: 2}' * (whole and row % ROWS == 1 and column % 4 == 2)}}}\n"
        for column in range(1, min(columns, 99) + 1)
        for row in range(1, min(rows, 99) + 1)
    )


def _kingdom(place: Place, whole: bool) -> str:
    """whole: with an army at home and one on watch."""
    index, (home, north_east, south, south_east) = place.number, place.land()
    return (
        f"name: Kingdom {index}\nalignment: LG\ngovernment: republic\ntreasury: 60\ncapital: Town {index}\n"
        f"attributes: {{economy: {8 + index % 5}, loyalty: {4 + index % 3}, stability: {5 + index % 7}}}\n"
        f'hexes: {{"{home}": [road], "{north_east}": [], "{south}": [road], "{south_east}": []}}\n'
        f'settlements:\n  Town {index}: {{hex: "{home}", buildings: [house, inn, house, shop, granary, shrine{", watchtower, barracks, jail, library" * whole}]}}\n'
    ) + (
        f"armies:\n  - {{name: Guard, unit: warrior, size: large}}\n"
        f'  - {{name: Watch, unit: fighter, size: medium, hex: "{north_east}", resources: [improved_weapons]}}\n'
    ) * whole


def _orders(place: Place, other: str, turn: int, whole: bool) -> str:
    """What a player with some sense files in a turn: some of everything; the whole, orders of every sub-system."""
    index, (home, north_east, south, south_east) = place.number, place.land()
    free = place.claims() or [south_east]
    claims = ", ".join(f'"{label}"' for label in place.claims())
    edicts = (
        f"{{edict: aid, to: {other}, attribute: stability}}",
        f"{{edict: explore, from: Town {index}, weeks: 2, toward: {('n', 's')[index % 2]}}}",
        f'{{edict: adventurers, bp: 4, task: "{free[0]}"}}',
        f'{{edict: trade_route, to: {other}, hex: "{free[0]}"}}',
    )
    return (
        f"kingdom: {place.seat}\nturn: {turn}\nleadership: [{ATTRIBUTES[index % 3]}]\nclaim: [{claims}]\n"
        f'improve:\n  - {{hex: "{south}", build: farm}}\n  - {{hex: "{north_east}", build: road}}\n'
        f"build:\n  - {{in: Town {index}, build: house}}\n  - {{in: Town {index}, build: brewery}}\n"
        f"edicts: {{holiday: {HOLIDAYS[index % 3]}, promotion: token, taxation: {TAXES[index % 3]}}}\n"
        f"special:\n  - {edicts[index % 4 if whole else 0]}\n"
        f"loyalty: rouse_the_people\nmessages:\n  - {{to: {other}, text: Shall we talk of the ford?}}\n"
        f"requests:\n  - I court the heir of my neighbour to the west.\n"
    ) + (
        f"armies:\n"
        f"  - {{recruit: Third, size: small, unit: warrior, from: Town {index}}}\n"
        f"  - {{equip: Guard, with: ranged_weapons}}\n"
        f'  - {{army: Watch, move: ["{free[0]}"], then: {("patrol", "raid", "blockade")[index % 3]}, strategy: cautious}}\n'
        f'  - {{army: Guard, move: ["{south}", "{home}"], then: garrison}}\n'
        f"doors: {{{other}: {('open', 'closed')[index % 5 == 0]}}}\nsmuggle: [{other}]\n"
        f"plan: [claim {free[-1]}, road {south_east}]\nreserve: 5\n"
    ) * whole
