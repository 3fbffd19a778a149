"""The files of a new campaign: campaign.yaml, a fair map, and a start for each kingdom, with comments that answer a GM's likely
questions.

In campaign.yaml optional lines stand behind a #, with no blank or two after it, so taking away the # switches them on.
"""

from __future__ import annotations

from itertools import cycle
from typing import NamedTuple

import msgspec

from kingdom.engine.game import Facts
from kingdom.games.kit.new_campaign import Settings, campaign_yaml, heads
from kingdom.games.realm import BOTS, EDITIONS, HOLDERS, STARTS
from kingdom.games.realm.hexmap import label_of
from kingdom.games.realm.opening.fair_map import FairMap, fair_map, size_for
from kingdom.games.realm.opening.homeland import MOST_KINGDOMS, Chance, Names
from kingdom.games.realm.state import Hex
from kingdom.orders.yaml_out import flow

KINGDOMS = 3  # if no number is given
LETTERS = {
    "plains": "p", "hills": "h", "forest": "f", "mountains": "m", "marsh": "s", "desert": "d", "jungle": "j", "water": "w",
    "cavern": "c", "coastline": "~",
}  # fmt: skip


class Start(NamedTuple):
    """What the kingdoms of a new campaign start with: points of each attribute, BP, and the level of promotion."""

    economy: int
    loyalty: int
    stability: int
    treasury: int
    promotion: str


# With `plain`, the usual start, a kingdom without orders stays calm; with `harsh` every second one is soon in anarchy
# (docs/balance.md).
BEGINS = dict(zip(STARTS, (
    Start(4, 4, 7, 50, "token"),
    Start(6, 6, 9, 80, "token"),
    Start(4, 4, 4, 50, "none"),
), strict=True))  # fmt: skip


class Seat(NamedTuple):
    """A seat of the new campaign: its id, its kingdom's name, its capital and the capital's hex."""

    id: str
    name: str
    capital: str
    hex: str


def new(seats: int | None, options: Facts) -> dict[str, str]:
    """File name -> text, for so many kingdoms (None: the usual number). The same seed gives the same map.

    options: `name` of the campaign; `seed`, the secret of the dice; `tokens`, the GM's and then the players'; `size`, (columns,
    rows) or None; `bots`, how many of the kingdoms, the last ones, bots of all kinds play; `start`, a key of BEGINS or None for
    the usual one; `edition` of the rules, the newest if it is left out. Raises ValueError, with a sentence, if such a campaign
    can't be made.
    """
    count = KINGDOMS if seats is None else seats
    bots, seed = options.get("bots") or 0, options["seed"]
    if not 1 <= count <= MOST_KINGDOMS:
        raise ValueError(f"A new campaign has 1 to {MOST_KINGDOMS} kingdoms, not {count}.")
    if bots > count:
        raise ValueError(f"{bots} bots need {bots} kingdoms; there are {count}.")
    begins = BEGINS[options.get("start") or STARTS[0]]
    chance = Chance(seed)
    names = Names(chance)
    columns, rows = options.get("size") or size_for(count)
    map = fair_map(count, columns, rows, chance, names)
    places = zip(names.kingdoms(count), chance.shuffled("seats", map.starts), strict=True)
    played = [Seat(name.lower(), name, capital, hex) for (name, capital), hex in places]
    return {
        "campaign.yaml": _campaign(options, played, bots),
        "map.yaml": _map(map, columns, rows, played),
        **{f"kingdoms/{seat.id}.yaml": _kingdom(seat, begins) for seat in played},
    }


# --- campaign.yaml


def _campaign(options: Facts, seats: list[Seat], bots: int) -> str:
    edition = options.get("edition") or len(EDITIONS)
    kinds = dict(zip([seat.id for seat in seats[len(seats) - bots :]], cycle(BOTS[1:])))
    players = {seat.id: f"Player {number}" for number, seat in enumerate(seats, 1)}
    editions = "".join(f"# Edition {number} is {said}.\n" for number, said in enumerate(EDITIONS, 1))
    settings = _SETTINGS._replace(
        rules=_SETTINGS.rules.format(events=_EVENTS[edition - 1]),
        edition=_SETTINGS.edition.format(editions=editions, edition=edition),
    )
    facts = heads(options, players, lambda seat: {"name": HOLDERS[kinds[seat]], "bot": kinds[seat]})
    return campaign_yaml(settings, facts)


# The settings of events that a campaign may change, in each edition.
_EVENTS = (
    "#  events: {chance: {normal: 8, after_quiet_turn: 30}}    # percent a turn, as in edition 2; here they are 25 and 75",
    "#  events: {pace: calm}               # half as many events; `pace: eventful` brings three times as many\n"
    "#  event_lasting: {changes: for_ever} # what events change lasts until you end it, as in the text the rules are made from",
)

_SETTINGS = Settings(
    "realm",
    dice="whoever knows it can foresee every roll. It also made the map.\n# Once turns were played, another seed would break their proof.",
    rules="""\
#rules:
{events}
#  control_dc: {{base: 10}}             # Control DC = base + size + districts; 20 is the other common base
#  wilderness: {{decay: 10, monsters: 5}}       # percent a turn, in hexes that were lost; 0 turns either off
#  farm_water: {{required: false}}      # farms without a river, lake, marsh or canal
#  add: {{buildings: {{hanging_garden: {{name: Hanging Garden, cost: 12, lots: 1, kingdom: {{loyalty: 2}}}}}}}}
""",
    bots=f"A bot holds a seat by `{{name: Traders, bot: trader}}`. The bots are {', '.join(BOTS)}.",
    silent="edict levels stay; hold: the turn waits; nothing: levels fall to the lowest",
    every="7d",
    remind="[48h, 12h]",
    early="false                        # true: run as soon as all orders are final",
    edition="""\
# The edition of the rules that it plays; later ones change nothing here.
{editions}edition: {edition}
""",
    more="""\
#advice: on                           # mails, pages and forms advise players what to order
#subject: figures                     # of a report's mail: its figures; plain: the turn alone
""",
)


# --- map.yaml


def _map(map: FairMap, columns: int, rows: int, seats: list[Seat]) -> str:
    grid = "\n".join(
        "  " + "".join(LETTERS[map.hexes[label_of(column, row)].terrain] for column in range(1, columns + 1))
        for row in range(1, rows + 1)
    )
    capitals = {seat.hex: f"{seat.capital}, capital of {seat.name}" for seat in seats}
    cells = {label: _cell(hex) for label, hex in map.hexes.items()}
    lines = [
        f'  "{label}": {flow(cell)}' + (f"    # {capitals[label]}" if label in capitals else "")
        for label, cell in cells.items()
        if cell
    ]
    alike = "1 hex" if map.radius == 1 else f"{map.radius} hexes"
    return _MAP.format(grid=grid, hexes="\n".join(lines), alike=alike, last=label_of(columns, rows))


def _cell(hex: Hex) -> dict[str, object]:
    """The keys of a hex in map.yaml besides its letter in the grid."""
    told: dict[str, object] = msgspec.to_builtins(hex)  # the fields that differ from those of bare land
    del told["terrain"]
    if hex.free_city:
        buildings = [each.id for each in hex.free_city.settlement.buildings]
        told["free_city"] = {"name": hex.free_city.name, "buildings": buildings}
    if hex.monsters:
        told["monsters"] = {"acr": hex.monsters}
    return told


_MAP = """\
# The map, all of it: for your eyes only. `kingdom map` draws it, `kingdom map --seat ID` draws what a player knows.
# Edit it as you like before turn 0 is made; afterwards the kept turns hold the map, and changes are GM orders.
#
# All starts are alike: within {alike} of each capital lie the same hexes, though not in the same places.
# The dice of the seed placed them; what you change here you may want to change for all.

# One letter a hex, a row a line; the first letter is 0101, the last {last}. Even columns stand half a hex lower.
# p plains, h hills, f forest, m mountains, s marsh, d desert, j jungle, w water, c cavern, ~ coastline, . no hex
grid: |
{grid}

# What else is there. `terrain`, where it is written here, has the say over the grid.
# Players see `features` (river, lake, coast, canal, landmark, bridge) and `free_city` from the next hex.
# `resource`, `lair`, `ruin`, `building`, `hazard`, `secret` and `monsters` are hidden until a kingdom claims the hex or you
# reveal it. Where monsters or a hazard come to light nothing is built until they are cleared.
hexes:
{hexes}
"""


# --- kingdoms/ID.yaml


def _kingdom(seat: Seat, begins: Start) -> str:
    return _KINGDOM.format(name=seat.name, capital=seat.capital, hex=seat.hex, **begins._asdict())


_KINGDOM = """\
# {name} as it starts. All kingdoms start alike but for name and place.
name: {name}
#alignment: LG                        # LG NG CG LN N CN LE NE CE; it adds points to two attributes, or many to one
#government: autocracy                # autocracy, magocracy, oligarchy, overlord, republic, secret_syndicate, theocracy
attributes: {{economy: {economy}, loyalty: {loyalty}, stability: {stability}}}      # on top of what leadership, buildings, land and edicts add
treasury: {treasury}
unrest: 0
capital: {capital}
leadership: [economy]                 # where the ruler's own bonus goes: economy, loyalty or stability
edicts: {{holiday: very_long, promotion: {promotion}, taxation: minimalist}}
hexes: {{"{hex}": []}}                  # the hexes it holds, each with its improvements: plains at a river, fit for farms around
settlements:
  {capital}: {{hex: "{hex}", districts: 1, buildings: [house, inn, shrine], water: [south]}}      # the river runs along the south
armies: []
"""
