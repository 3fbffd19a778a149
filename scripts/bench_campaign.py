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
from pathlib import Path
from typing import NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import keeping, next_turn
from kingdom.games.realm.hexmap import label_of

MEMORY = Path("/dev/shm")
EDITION = 2  # of the rules that people play

GROUP = 3  # kingdoms one below the other between two rows of free land
ROWS = 2 * GROUP + 1
SEEN = 6  # hexes of free land beside the last kingdoms, so that they too see as far as their Vigilance reaches
TERRAIN = ("plains", "hills", "plains", "forest")
HOLIDAYS, TAXES = ("long", "average", "very_long"), ("normal", "light", "heavy")
ATTRIBUTES = ("economy", "loyalty", "stability")


class Place(NamedTuple):
    """Where a kingdom stands: the column and row of its upper left hex; `step` is its place in its group, from the top."""

    seat: str
    column: int
    row: int
    step: int


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
        if not folder.exists():
            put(folder, campaign(kingdoms, turns + 1, whole, edition))
            play(folder, turns)
        return folder

    def forget_advice(self) -> None:
        """Make the next run a cold one: the cache has advice for nobody."""
        for file in (self.folder / "cache").glob("kingdom-advice-*"):
            file.unlink()

    @contextmanager
    def copy(self, folder: Path, name: str = "copy") -> Iterator[Path]:
        """A copy of a campaign to run, in a folder that has nothing else, and goes afterwards."""
        again = shutil.copytree(folder, self.folder / name / folder.name)
        yield again
        shutil.rmtree(again.parent)


def put(folder: Path, files: dict[str, bytes]) -> None:
    """Write the files of a campaign."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def play(folder: Path, turns: int = 0) -> None:
    """Keep turn 0 and that many turns after it, in this process."""
    opened = campaigns.open_campaign(folder)
    keeping.keep(opened, [next_turn.opening_draft(opened, campaigns.rules_today(opened))])
    for _ in range(turns):
        keeping.keep(opened, next_turn.drafts(opened))


def campaign(kingdoms: int, turns: int = 1, whole: bool = False, edition: int = EDITION) -> dict[str, bytes]:
    """The files of a campaign before turn 0 with orders for that many turns, by their names in its folder.

    whole: with every sub-system in use: an event for each kingdom each turn, trade with every neighbour, armies that march
    and watch, expeditions, adventurers, caravans, smuggling, Vigilance that reaches over the land. Without it none of them.
    """
    places = _places(kingdoms)
    seats = [place.seat for place in places]
    files = {"campaign.yaml": _campaign(seats, whole, edition), "map.yaml": _map(places, whole)}
    for index, place in enumerate(places):
        files[f"kingdoms/{place.seat}.yaml"] = _kingdom(place, index, whole)
        for turn in range(1, turns + 1):
            other = seats[_beside(place, index) % kingdoms]
            text = _orders(place, index, other, turn) if not whole else _whole_orders(place, index, other, turn)
            files[f"orders/{turn:04}/{place.seat}.yaml"] = text
    return {name: text.encode() for name, text in files.items()}


def _places(kingdoms: int) -> list[Place]:
    groups = max(1, round(math.sqrt(kingdoms * 2 / (GROUP * ROWS))))  # so that the map is about square
    each = groups * GROUP
    return [
        Place(
            f"k{index:04}", 2 * (index // each) + 1, index % each // GROUP * ROWS + index % GROUP * 2 + 2, index % GROUP
        )
        for index in range(kingdoms)
    ]


def _campaign(seats: list[str], whole: bool, edition: int) -> str:
    players = "".join(f"  {seat}: {{name: Player {seat}}}\n" for seat in seats)
    chance = 100 if whole else 0
    rules = (
        f"rules:\n  events: {{chance: {{normal: {chance}, after_quiet_turn: {chance}}}}}\n"
        f"  trade: {{between_neighbours: {str(whole).lower()}}}\n"
    )
    return (
        f"name: Measured\ngame: realm\nedition: {edition}\nseed: measured\ngm: {{name: Gm}}\n{rules}players:\n{players}"
    )


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


def _kingdom(place: Place, index: int, whole: bool) -> str:
    home, north_east, south, south_east = _land(place)
    return (
        f"name: Kingdom {index}\nalignment: LG\ngovernment: republic\ntreasury: 60\ncapital: Town {index}\n"
        f"attributes: {{economy: {8 + index % 5}, loyalty: {4 + index % 3}, stability: {5 + index % 7}}}\n"
        f'hexes: {{"{home}": [road], "{north_east}": [], "{south}": [road], "{south_east}": []}}\n'
        f'settlements:\n  Town {index}: {{hex: "{home}", buildings: [house, inn, house, shop, granary, shrine{", watchtower, barracks, jail, library" * whole}]}}\n'
    ) + _armies(place) * whole


def _armies(place: Place) -> str:
    """One at home, one on watch."""
    _, north_east, _, _ = _land(place)
    return (
        f"armies:\n  - {{name: Guard, unit: warrior, size: large}}\n"
        f'  - {{name: Watch, unit: fighter, size: medium, hex: "{north_east}", resources: [improved_weapons]}}\n'
    )


def _land(place: Place) -> list[str]:
    return [label_of(place.column + right, place.row + down) for down in (0, 1) for right in (0, 1)]


def _beside(place: Place, index: int) -> int:
    """The kingdom next in its group: the one below for the highest, the one above for the others."""
    return index + 1 if place.step == 0 else index - 1


def _orders(place: Place, index: int, other: str, turn: int) -> str:
    """What a player with some sense files in a turn: some of everything."""
    _, north_east, south, _ = _land(place)
    claims = ", ".join(f'"{label}"' for label in _claim(place, index))
    return (
        f"kingdom: {place.seat}\nturn: {turn}\nleadership: [{ATTRIBUTES[index % 3]}]\nclaim: [{claims}]\n"
        f'improve:\n  - {{hex: "{south}", build: farm}}\n  - {{hex: "{north_east}", build: road}}\n'
        f"build:\n  - {{in: Town {index}, build: house}}\n  - {{in: Town {index}, build: brewery}}\n"
        f"edicts: {{holiday: {HOLIDAYS[index % 3]}, promotion: token, taxation: {TAXES[index % 3]}}}\n"
        f"special:\n  - {{edict: aid, to: {other}, attribute: stability}}\n"
        f"loyalty: rouse_the_people\nmessages:\n  - {{to: {other}, text: Shall we talk of the ford?}}\n"
        f"requests:\n  - I court the heir of my neighbour to the west.\n"
    )


def _whole_orders(place: Place, index: int, other: str, turn: int) -> str:
    """The same, and orders of every sub-system: the special edict is another one from kingdom to kingdom."""
    home, north_east, south, south_east = _land(place)
    free = _claim(place, index) or [south_east]
    edicts = (
        f"  - {{edict: aid, to: {other}, attribute: stability}}\n",
        f"  - {{edict: explore, from: Town {index}, weeks: 2, toward: {('n', 's')[index % 2]}}}\n",
        f'  - {{edict: adventurers, bp: 4, task: "{free[0]}"}}\n',
        f'  - {{edict: trade_route, to: {other}, hex: "{free[0]}"}}\n',
    )
    text = _orders(place, index, other, turn).replace(edicts[0], edicts[index % 4])
    return text + (
        f"armies:\n"
        f"  - {{recruit: Third, size: small, unit: warrior, from: Town {index}}}\n"
        f"  - {{equip: Guard, with: ranged_weapons}}\n"
        f'  - {{army: Watch, move: ["{free[0]}"], then: {("patrol", "raid", "blockade")[index % 3]}, strategy: cautious}}\n'
        f'  - {{army: Guard, move: ["{south}", "{home}"], then: garrison}}\n'
        f"doors: {{{other}: {('open', 'closed')[index % 5 == 0]}}}\nsmuggle: [{other}]\n"
        f"plan: [claim {free[-1]}, road {south_east}]\nreserve: 5\n"
    )


def _claim(place: Place, index: int) -> list[str]:
    """The highest of a group claims land above it, the lowest below it; now and then both want the same hex."""
    if place.step == 0:
        return [label_of(place.column, place.row - 1)]
    if place.step == GROUP - 1:
        return [label_of(place.column + (index % 4 > 0), place.row + 2)]
    return []
