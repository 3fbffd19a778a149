"""Small random worlds and orders for hypothesis: most of the orders may be carried out, some are refused."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from kingdom.games.realm.hexmap import label_of, neighbours
from kingdom.games.realm.state import District, Hex, Kingdom, Modifier, Settlement, World, replace
from kingdom.games.realm.steps.towns.lots import lay_out
from tests.games.realm.kit import rules_of

RULES = rules_of()
SEATS = ("borderia", "cravonia", "examplia")
SIDE = 6
LABELS = [label_of(column, row) for column in range(1, SIDE + 1) for row in range(1, SIDE + 1)]
LABEL = st.sampled_from(LABELS)
TERRAIN = {each.letter: name for name, each in RULES.terrain.items() if each.letter in "phfmsw"}
GRID = st.text("phfmsw", min_size=len(LABELS), max_size=len(LABELS))
BETWEEN = ("0304", "0403", "0404")  # hexes that several of them may claim
HOMES = dict(zip(SEATS, ("0303", "0504", "0305"), strict=False))
CAPITALS = dict(zip(SEATS, ("Millford", "Stonebridge", "Oakhold"), strict=False))
BUILDINGS = ("house", "inn", "shrine", "shop", "granary", "tenement", "park", "barracks", "palace")
ATTRIBUTES = ("economy", "loyalty", "stability")
PASSING = st.lists(
    st.builds(Modifier, st.sampled_from(ATTRIBUTES), st.sampled_from((-2, -1, 1, 3)), st.just("aid"), st.just("aid")),
    max_size=2,
).map(tuple)


@st.composite
def worlds(draw: Any) -> World:
    """Two or three kingdoms within reach of each other on a map of 6 by 6, some of them in trouble."""
    hexes = {label: Hex(TERRAIN[letter]) for label, letter in zip(LABELS, draw(GRID), strict=False)}
    hexes |= {label: Hex("plains", features=("river",)) for label in draw(st.lists(LABEL, max_size=6))}
    hexes |= {label: Hex("hills", resource=True, secret="a vein of ore") for label in draw(st.lists(LABEL, max_size=4))}
    hexes |= {home: Hex("plains", features=("lake",)) for home in HOMES.values()}
    number, held, kingdoms = draw(st.integers(0, 8)), set(HOMES.values()), {}
    for seat in SEATS[: draw(st.integers(2, 3))]:
        kingdoms[seat] = draw(_kingdom(seat, held, number))
        held |= set(kingdoms[seat].hexes)
    return World(number, hexes, kingdoms)


@st.composite
def _kingdom(draw: Any, seat: str, held: set[str], number: int) -> Kingdom:
    """With what no file of a start can hold too: modifiers, a hex to lose, anarchy, an empty land."""
    home = HOMES[seat]
    around = [label for label in neighbours(home) if label not in held]
    land = [home, *draw(st.lists(st.sampled_from(around), unique=True, max_size=5))]
    buildings, _ = lay_out((District(),), draw(st.lists(st.sampled_from(BUILDINGS), max_size=6)), RULES)
    kingdom = Kingdom(
        seat.capitalize(),
        treasury=draw(st.integers(0, 150)),
        unrest=draw(st.integers(0, 22)),
        attributes={name: draw(st.integers(-5, 25)) for name in ATTRIBUTES},
        capital=CAPITALS[seat],
        hexes=dict.fromkeys(land, ()),
        settlements={CAPITALS[seat]: Settlement(home, buildings=buildings)},
        modifiers=draw(PASSING),
        coming=draw(PASSING),
        revealed=tuple(land),
        loses_hex=draw(st.booleans()),
        anarchy=number + 1 if draw(st.integers(0, 5)) == 5 else 0,
        edict_size=len(land),
    )
    return replace(kingdom, hexes={}, settlements={}, capital="") if draw(st.integers(0, 9)) == 9 else kingdom


def _some(order: Any) -> Any:
    return st.lists(order, min_size=1, max_size=3)


@st.composite
def orders(draw: Any, seat: str) -> dict[str, Any]:
    """Orders of one seat in the long form, with any of the keys that are played."""
    others = st.sampled_from(SEATS)
    attribute = st.sampled_from(ATTRIBUTES)
    town = CAPITALS[seat]
    near = st.sampled_from(
        [HOMES[seat], *neighbours(HOMES[seat]), *(far for each in neighbours(HOMES[seat]) for far in neighbours(each))]
    )
    keys = {
        "leadership": _some(attribute),
        "abandon": _some(near),
        "claim": _some(st.sampled_from(BETWEEN) | st.sampled_from(BETWEEN) | near),
        "improve": _some(st.fixed_dictionaries({"hex": near, "build": st.sampled_from(("farm", "road", "mine", "fort", "prepare"))})),
        "settle": _some(st.fixed_dictionaries({"hex": near, "name": st.just("Newford")})),
        "build": _some(st.fixed_dictionaries({"in": st.sampled_from((town, "Newford")), "build": st.sampled_from(BUILDINGS)})),
        "edicts": st.fixed_dictionaries({}, optional={
            "holiday": st.sampled_from(list(RULES.edicts.holiday)),
            "promotion": st.sampled_from(list(RULES.edicts.promotion)),
            "taxation": st.sampled_from(list(RULES.edicts.taxation)),
        }),
        "special": _some(st.fixed_dictionaries({"edict": st.just("aid"), "to": others, "attribute": attribute})),
        "capital": st.sampled_from((town, "Newford", "Nowhere")),
        "loyalty": st.sampled_from(({"rouse_the_people": ""}, {"rouse_the_people": "economy"}, {"change_minds_by_breaking_heads": ""})),
        "answers": st.fixed_dictionaries({"lose_hex": near}),
        "requests": st.just(["May I?"]),
    }  # fmt: skip
    return draw(st.fixed_dictionaries({}, optional=keys))


@st.composite
def filings(draw: Any) -> dict[str, dict[str, Any]]:
    """Orders of some of the seats, and now and then of the GM."""
    filed = {seat: draw(orders(seat)) for seat in draw(st.sampled_from((SEATS, SEATS, SEATS[:2], SEATS[2:], ())))}
    accounts = st.sampled_from(("treasury", "unrest", "economy", "consumption"))
    grant = st.fixed_dictionaries({
        "grant": st.sampled_from(SEATS), "account": accounts, "by": st.integers(-20, 20), "reason": st.just("a whim"),
    })  # fmt: skip
    void = st.fixed_dictionaries({
        "void": st.fixed_dictionaries({"kingdom": st.sampled_from(SEATS), "order": st.sampled_from(("claim[0]", "build[1]", "edicts.holiday"))}),
        "reason": st.just("a whim"),
    })  # fmt: skip
    gm = draw(st.lists(st.one_of(grant, void), max_size=3))
    return {**filed, **({"gm": {"gm": gm}} if gm else {})}
