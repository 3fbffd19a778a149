"""What a seat may know: its own, what lies beside it, what was revealed to it, and who its neighbours are. Nothing else."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.dice import NoDice
from kingdom.engine.turn import resolve
from kingdom.games.realm.hexmap import distance, neighbours
from kingdom.games.realm.state import (
    FreeCity,
    Hex,
    Kingdom,
    Modifier,
    Route,
    Settlement,
    Sighting,
    World,
    replace,
    with_kingdoms,
)
from kingdom.games.realm.turn import FORESEEN_TO, PLAY
from kingdom.games.realm.visibility.known import HIDDEN, Other, company, known, others
from kingdom.games.realm.visibility.sight import sees
from tests.games.realm.kit import rules_of
from tests.kit.examples import few

RULES = rules_of()
TWO_CLAIMS = rules_of(
    {"improvement_limits": [{"size": None, "settlements": 1, "buildings": 1, "terrain": 2, "claims": 2}]}
)


MAP = {f"{column:02d}{row:02d}": Hex("plains") for column in range(1, 8) for row in range(1, 8)}


def holding(name: str, *labels: str, **built: tuple[str, ...]) -> Kingdom:
    """A kingdom with these hexes and others with improvements in them."""
    hexes = {**dict.fromkeys(labels, ()), **{label[1:]: improvements for label, improvements in built.items()}}
    return Kingdom(name, treasury=50, hexes=hexes, revealed=tuple(hexes))


def two_neighbours(**hexes: Hex) -> World:
    """Examplia holds 0404; borderia 0504, beside it, and 0604; cravonia 0107, far away."""
    kingdoms = {
        "borderia": holding("Borderia", _0504=("farm",), _0604=("mine",)),
        "cravonia": holding("Cravonia", "0107"),
        "examplia": holding("Examplia", "0404"),
    }
    return World(5, {**MAP, **{label[1:]: hex for label, hex in hexes.items()}}, kingdoms)


def alone(label: str) -> World:
    return World(5, MAP, {"examplia": holding("Examplia", label)})


# --- hexes


def test_a_seat_sees_its_own_hexes_and_those_beside_them() -> None:
    assert sees(two_neighbours(), "examplia", RULES) == {"0404", *neighbours("0404")}


def test_a_hex_out_of_sight_is_not_there() -> None:
    world = known(two_neighbours(), "examplia", RULES)
    assert "0401" not in world.hexes and "0107" not in world.hexes
    assert world.hexes["0405"].terrain == "plains"


def test_the_edge_of_the_map_is_seen() -> None:
    world = known(alone("0101"), "examplia", RULES)
    assert set(world.hexes) & set(neighbours("0101")) == {"0102", "0201"}


def test_what_is_hidden_in_a_neighbouring_hex_stays_hidden() -> None:
    secrets = {
        "resource": True,
        "lair": True,
        "ruin": "temple",
        "building": "mill",
        "hazard": "quicksand",
        "secret": "gold",
        "monsters": 3,
    }
    world = two_neighbours(_0405=Hex("hills", ("river",), **secrets), _0404=Hex("plains", resource=True))
    seen = known(world, "examplia", RULES)
    assert seen.hexes["0405"] == Hex("hills", ("river",))
    assert seen.hexes["0404"].resource, "its own hexes have shown what they hide"
    assert {*secrets, "wounds"} == set(HIDDEN)


def test_what_was_revealed_is_known_wherever_it_lies() -> None:
    """A GM's `reveal`, or a hex that was held and lost."""
    world = two_neighbours(_0107=Hex("plains", secret="a sword"))
    examplia = replace(world.kingdoms["examplia"], revealed=("0404", "0107"))
    seen = known(with_kingdoms(world, {"examplia": examplia}), "examplia", RULES)
    assert seen.hexes["0107"].secret == "a sword"
    assert seen.kingdoms["cravonia"] == Kingdom("cravonia"), "but not who holds it"


def test_a_free_city_and_what_was_left_in_the_wild_are_seen() -> None:
    hex = Hex("plains", free_city=FreeCity("Oldwick", Settlement("0405")), left=("farm",))
    assert known(two_neighbours(_0405=hex), "examplia", RULES).hexes["0405"] == hex


# --- other kingdoms


def test_of_a_neighbour_the_name_the_size_and_the_border_are_known() -> None:
    world = two_neighbours()
    assert others(world, "examplia", RULES) == {"borderia": Other("borderia", "Borderia", 2, True, ("0504",))}
    borderia = known(world, "examplia", RULES).kingdoms["borderia"]
    assert borderia == Kingdom("Borderia", hexes={"0504": ()}), "neither its farm nor its treasury"


def test_of_a_kingdom_that_dealt_with_the_seat_name_and_size_are_known() -> None:
    """It sent aid or a message; where it lies is not said by that."""
    world = two_neighbours()
    assert others(world, "examplia", RULES, ["cravonia"])["cravonia"] == Other("cravonia", "Cravonia", 1, False, ())
    assert known(world, "examplia", RULES, ["cravonia"]).kingdoms["cravonia"] == Kingdom("Cravonia")


def test_of_a_stranger_the_id_alone_is_known() -> None:
    """Seats are known to all players: messages are sent to them."""
    seen = known(two_neighbours(), "examplia", RULES)
    assert list(seen.kingdoms) == ["borderia", "cravonia", "examplia"]
    assert seen.kingdoms["cravonia"] == Kingdom("cravonia")


def test_a_foreign_canal_beside_the_border_is_a_feature_of_the_land() -> None:
    """It waters farms whoever holds it (ruling farm_water), so it must be seen."""
    world = two_neighbours()
    borderia = replace(world.kingdoms["borderia"], hexes={"0504": ("canal", "farm"), "0604": ("canal",)})
    seen = known(with_kingdoms(world, {"borderia": borderia}), "examplia", RULES)
    assert seen.kingdoms["borderia"].hexes == {"0504": ("canal",)}


# --- beyond what is seen


def test_beyond_what_is_seen_stands_unknown_land_as_far_as_claims_reach() -> None:
    """So a chain of claims is foreseen. With two claims the second hex may lie two hexes away, not three."""
    seen = known(two_neighbours(), "examplia", TWO_CLAIMS)
    unknown = {label for label, hex in seen.hexes.items() if RULES.terrain[hex.terrain].unseen}
    assert {distance("0404", label) for label in unknown} == {2}
    assert len(unknown) == 12
    assert all(seen.hexes[label] == Hex("unknown") for label in unknown)


def test_unknown_land_stands_beyond_the_map_too() -> None:
    """Otherwise its absence would tell where the map ends."""
    seen = known(alone("0707"), "examplia", TWO_CLAIMS)
    assert "0707" in seen.hexes and "0807" not in seen.hexes, "beside a held hex the edge of the map is seen"
    assert seen.hexes["0907"] == Hex("unknown")


def test_without_land_any_hex_might_be_claimed() -> None:
    landless = replace(two_neighbours().kingdoms["examplia"], hexes={}, settlements={}, capital="", revealed=("0404",))
    seen = known(with_kingdoms(two_neighbours(), {"examplia": landless}), "examplia", RULES)
    assert seen.hexes["0404"].terrain == "plains" and seen.hexes["9999"] == Hex("unknown")


def test_with_one_claim_a_turn_nothing_lies_beyond_what_is_seen() -> None:
    assert set(known(two_neighbours(), "examplia", RULES).hexes) == sees(two_neighbours(), "examplia", RULES)


# --- two worlds that differ only in what is hidden

LABELS = list(MAP)
SEATS = ("borderia", "cravonia", "dunmark", "examplia")
hidden_things = st.fixed_dictionaries(
    {
        "resource": st.booleans(),
        "lair": st.booleans(),
        "ruin": st.sampled_from(["", "temple"]),
        "building": st.sampled_from(["", "mill"]),
        "hazard": st.sampled_from(["", "quicksand"]),
        "secret": st.sampled_from(["", "gold"]),
        "monsters": st.integers(0, 9),
    }
)
hexes = st.builds(
    lambda terrain, features, hidden: Hex(terrain, features, **hidden),
    st.sampled_from(["plains", "hills", "forest", "water"]),
    st.sampled_from([(), ("river",), ("landmark", "coast")]),
    hidden_things,
)
sheets = st.fixed_dictionaries(
    {
        "treasury": st.integers(-50, 50),
        "unrest": st.integers(0, 19),
        "alignment": st.sampled_from(["", "LG"]),
        "modifiers": st.sampled_from([(), (Modifier("economy", 3, "aid", "aid from nowhere"),)]),
        "edict_size": st.integers(0, 60),
    }
)


@st.composite
def worlds(draw: Any) -> World:
    land = {label: draw(hexes) for label in LABELS if draw(st.integers(0, 9))}
    holder = {label: draw(st.sampled_from((*SEATS, None, None))) for label in land}
    kingdoms = {}
    for seat in SEATS:
        held = {
            label: draw(st.sampled_from([(), ("road", "farm"), ("canal",)])) for label in land if holder[label] == seat
        }
        found = draw(st.lists(st.sampled_from(sorted(land)), max_size=3)) if land else []
        kingdoms[seat] = Kingdom(
            seat.title(), hexes=held, revealed=tuple(dict.fromkeys([*held, *found])), **draw(sheets)
        )
    return World(5, land, kingdoms)


@st.composite
def pairs(draw: Any) -> tuple[World, World]:
    """Two worlds that are the same to examplia: what it neither sees nor was shown is drawn anew for the second one."""
    world = draw(worlds())
    mine, neighbours_of_mine = world.kingdoms["examplia"], others(world, "examplia", RULES)
    seen = sees(world, "examplia", RULES).union(label for label in mine.revealed if label in world.hexes)
    land = {label: hex for label, hex in world.hexes.items() if label in seen}
    for label in seen - set(mine.revealed):
        land[label] = replace(land[label], **draw(hidden_things))
    near = {
        label for held in mine.hexes for label in neighbours(held)
    }  # where there is no hex the edge of the map is seen
    far = [label for label in LABELS if label not in seen | near]
    land.update({label: draw(hexes) for label in far if draw(st.booleans())})
    free = [label for label in far if label in land]
    kingdoms = {"examplia": mine}
    for seat in SEATS[:-1]:
        old = world.kingdoms[seat]
        held = {label: built for label, built in old.hexes.items() if label in seen}
        held = {label: (*built, *draw(st.sampled_from([(), ("fort",)]))) for label, built in held.items()}
        if seat in neighbours_of_mine:
            while len(held) < len(old.hexes):  # its size is known, so it stays; where the rest lies may change
                label = free.pop() if free else f"30{len(held) + SEATS.index(seat) * 50:02d}"
                land.setdefault(label, draw(hexes))
                held[label] = ()
        elif free and draw(st.booleans()):
            held[free.pop()] = ("farm",)
        name = old.name if seat in neighbours_of_mine else draw(st.sampled_from(["Somewhere", old.name]))
        kingdoms[seat] = Kingdom(name, hexes=held, revealed=tuple(held), **draw(sheets))
    return world, World(5, dict(sorted(land.items())), dict(sorted(kingdoms.items())))


def test_who_plays_no_part_in_what_a_seat_knows_costs_it_nothing() -> None:
    """What is worked out for a seat alone goes over the kingdoms that it sees, or that its record, its orders or a route in sight name."""
    world = two_neighbours()
    seen = known(world, "examplia", RULES)
    assert list(company(seen, "examplia").kingdoms) == ["borderia", "examplia"]
    assert company(seen, "examplia", {"aid": [{"to": "cravonia"}]}) == seen
    remembers = replace(seen.kingdoms["examplia"], memory={"0909": Sighting(1, Hex("plains"), "cravonia")})
    remembering = replace(seen, kingdoms={**seen.kingdoms, "examplia": remembers})
    assert company(remembering, "examplia") == remembering
    passing = {"passing-1": Route("cravonia", ("0504",), open=True)}
    trading = replace(seen, kingdoms={**seen.kingdoms, "borderia": replace(seen.kingdoms["borderia"], routes=passing)})
    assert company(trading, "examplia") == trading


@few
@given(worlds())
def test_it_is_worked_out_the_same_without_them(world: World) -> None:
    seen = known(world, "examplia", RULES)
    whole, less = (
        resolve(PLAY, some, {"examplia": {"edicts": {"taxation": "heavy"}}}, NoDice(), RULES, until=FORESEEN_TO)
        for some in (seen, company(seen, "examplia"))
    )
    assert less.after.kingdoms["examplia"] == whole.after.kingdoms["examplia"]
    mine = [[entry._replace(seq=0) for entry in each.entries if entry.kingdom == "examplia"] for each in (whole, less)]
    assert mine[0] == mine[1]


@few
@given(pairs())
def test_worlds_that_differ_only_in_what_is_hidden_are_one_world_to_the_seat(pair: tuple[World, World]) -> None:
    one, other = pair
    assert known(one, "examplia", TWO_CLAIMS) == known(other, "examplia", TWO_CLAIMS)
    assert others(one, "examplia", RULES) == others(other, "examplia", RULES)


@few
@given(worlds())
def test_what_is_known_is_all_there_is_to_know(world: World) -> None:
    """Whoever knows only what the seat knows finds no more in it: knowing twice is knowing once."""
    once = known(world, "examplia", TWO_CLAIMS)
    assert known(once, "examplia", TWO_CLAIMS) == once
