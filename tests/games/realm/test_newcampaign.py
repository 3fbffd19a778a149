"""A new campaign: it runs as it is, its map is fair, and the same seed makes the same one."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
import yaml

from kingdom.campaign import settings
from kingdom.engine.game import load
from kingdom.games.realm import BOTS
from kingdom.games.realm.hexmap import distance, neighbours
from kingdom.games.realm.opening.fair_map import MOST_UNFAIR, fair_map, size_for, unfairness, worth
from kingdom.games.realm.opening.homeland import FEW, MOST_KINGDOMS, Chance, Names, rings_of
from kingdom.games.realm.opening.new_campaign import LETTERS, new
from kingdom.games.realm.opening.start import start, warnings
from kingdom.games.realm.state import Hex, World, replace
from kingdom.orders import tables
from tests.games.realm.kit import rules_of, run
from tests.games.realm.startkit import setup_of
from tests.kit.rows import sampled

RULES = rules_of()
TOKENS = [f"t0k3n{number}" for number in range(30)]


def made(kingdoms: int | None = 3, seed: str = "a seed for tests", **options: object) -> dict[str, str]:
    return new(kingdoms, {"name": "The Greenmarch", "seed": seed, "tokens": TOKENS, **options})


def begun(files: dict[str, str]) -> World:
    """The world after turn 0, from those files; that nothing is doubtful in them is part of it."""
    kingdoms = {name[9:-5]: text for name, text in files.items() if name.startswith("kingdoms/")}
    setup = setup_of(files["map.yaml"], **kingdoms)
    assert warnings(setup, RULES) == []
    return start(setup, RULES)


def alike(hex: Hex) -> Hex:
    """The hex without its names and tales."""
    city = hex.free_city and replace(hex.free_city, name="", settlement=replace(hex.free_city.settlement, hex=""))
    return replace(
        hex, secret="a secret" if hex.secret else "", hazard="a hazard" if hex.hazard else "", free_city=city
    )


# --- it can be played


def test_the_start_of_every_kingdom() -> None:
    world = begun(made())
    assert len(world.kingdoms) == 3
    for kingdom in world.kingdoms.values():
        home = kingdom.settlements[kingdom.capital].hex
        assert world.hexes[home].terrain == "plains" and "river" in world.hexes[home].features
        assert [building.id for building in kingdom.settlements[kingdom.capital].buildings] == [
            "house",
            "inn",
            "shrine",
        ]
        assert kingdom.treasury == 50 and list(kingdom.hexes) == [home]


def test_a_start_may_be_gentle_plain_or_harsh_and_is_plain_unless_told() -> None:
    assert made() == made(start="plain")
    worlds = [begun(made(start=start)) for start in ("gentle", "plain", "harsh")]
    kingdoms = [next(iter(world.kingdoms.values())) for world in worlds]
    assert [kingdom.attributes["stability"] for kingdom in kingdoms] == [9, 7, 4]
    assert [(kingdom.treasury, kingdom.promotion) for kingdom in kingdoms] == [
        (80, "token"),
        (50, "token"),
        (50, "none"),
    ]


def test_a_first_turn_with_a_claim_and_a_farm() -> None:
    """Beside every capital lie hexes in which a farm may stand, the river being near."""
    world = begun(made())
    orders = {}
    for seat, kingdom in world.kingdoms.items():
        home = kingdom.settlements[kingdom.capital].hex
        fit = [near for near in neighbours(home) if world.hexes[near].terrain in ("plains", "hills")]
        assert len(fit) == 4
        orders[seat] = {
            "claim": [fit[0]],
            "improve": [{"hex": fit[0], "build": "farm"}, {"hex": home, "build": "road"}],
            "build": [{"in": kingdom.capital, "build": "mill"}],
        }
    result = run(world, orders, RULES)
    assert [notice for notice in result.notices if notice.kind == "refusal"] == []
    assert all(len(kingdom.hexes) == 2 for kingdom in result.after.kingdoms.values())


def test_ten_idle_turns_ruin_nobody() -> None:
    world = begun(made())
    for _ in range(10):
        world = run(world, {}, RULES).after
    assert all(kingdom.treasury >= 50 and kingdom.unrest < RULES.hex_loss.unrest for kingdom in world.kingdoms.values())


# --- it is fair


# some numbers of kingdoms and the most in the short run, a second seed and the others in the long one
@pytest.mark.parametrize("seed", ["one", pytest.param("two", marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "kingdoms",
    [
        2,
        6,
        *(
            pytest.param(each, marks=pytest.mark.long)
            for each in (4, 8, 10, *range(1, 12, 2), 12, 18, FEW, FEW + 1, 150)
        ),
    ],
)
def test_on_a_map_of_the_usual_size_every_start_has_the_same_land(kingdoms: int, seed: str) -> None:
    """Ring by ring, as far as three hexes: the same terrain, water, resources, secrets and monsters."""
    chance = Chance(seed)
    map = fair_map(kingdoms, *size_for(kingdoms), chance, Names(chance))
    assert map.radius == 3 and len(map.starts) == kingdoms
    for ring in range(4):
        lands = [Counter(map_hexes(map.hexes, start, ring)) for start in map.starts]
        assert all(land == lands[0] for land in lands)
    assert len({worth(start, map.hexes) for start in map.starts}) == 1


def map_hexes(hexes: dict[str, Hex], start: str, ring: int) -> list[str]:
    return [repr(alike(hexes[label])) for label in rings_of(start, ring)[ring]]


@pytest.mark.parametrize("seed", ["one", *(pytest.param(seed, marks=pytest.mark.long) for seed in ("two", "three"))])
@pytest.mark.parametrize(
    ("kingdoms", "columns", "rows"),
    sampled(
        [(2, 8, 8), (3, 12, 10), (3, 10, 8), (4, 12, 12), (5, 14, 10), (6, 16, 12), (12, 20, 20), (8, 40, 8)],
        [(2, 8, 8), (3, 10, 8), (5, 14, 10), (6, 16, 12)],
    ),
)
def test_on_a_small_map_the_starts_are_worth_the_same(kingdoms: int, columns: int, rows: int, seed: str) -> None:
    """There is no room for the same land three hexes around each: water and resources within reach are the same, and
    the land differs in worth by no more than one part in ten."""
    chance = Chance(seed)
    map = fair_map(kingdoms, columns, rows, chance, Names(chance))
    values = [worth(start, map.hexes) for start in map.starts]
    assert len({(value.water, value.resources) for value in values}) == 1
    assert unfairness(map) <= MOST_UNFAIR
    for ring in range(map.radius + 1):
        lands = [
            Counter(hex.terrain for hex in (map.hexes[label] for label in rings_of(start, ring)[ring]))
            for start in map.starts
        ]
        assert all(land == lands[0] for land in lands)


@pytest.mark.parametrize("seed", ["one", pytest.param("two", marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "kingdoms", [MOST_KINGDOMS, *(pytest.param(each, marks=pytest.mark.long) for each in (200, 350))]
)
def test_on_the_largest_map_the_starts_are_worth_the_same(kingdoms: int, seed: str) -> None:
    """99 by 99 hexes are all that labels can name: a ring or two around each start are alike, and what lies within reach is worth as much."""
    chance = Chance(seed)
    map = fair_map(kingdoms, *size_for(kingdoms), chance, Names(chance))
    assert len({*map.starts}) == kingdoms and len(map.hexes) == 99 * 99
    assert unfairness(map) <= MOST_UNFAIR
    rings = [[sorted(map_hexes(map.hexes, start, ring)) for start in map.starts] for ring in range(map.radius + 1)]
    assert all(lands.count(lands[0]) == kingdoms for lands in rings)


def test_many_kingdoms_have_names_of_their_own() -> None:
    named = Names(Chance("names")).kingdoms(MOST_KINGDOMS)
    capitals = {capital for _, capital in named}
    assert len({name.lower() for name, _ in named}) == len(capitals) == MOST_KINGDOMS
    assert all(re.fullmatch("[A-Z][a-z]{2,15}", name) for name, _ in named) and not capitals & {
        name for name, _ in named
    }
    names = Names(Chance("cities"))
    assert len({names.free_city() for _ in range(150)}) == 150


def test_the_starts_lie_apart() -> None:
    for kingdoms in (2, 3, 4, 7, 12):
        chance = Chance("apart")
        map = fair_map(kingdoms, *size_for(kingdoms), chance, Names(chance))
        assert min(distance(one, other) for one in map.starts for other in map.starts if one != other) > 6


def test_the_whole_map_is_land_or_water_and_coasts_lie_at_water() -> None:
    world = begun(made(4, size=(24, 16)))
    assert len(world.hexes) == 24 * 16
    for label, hex in world.hexes.items():
        if "coast" in hex.features:
            assert any(world.hexes[near].terrain == "water" for near in neighbours(label) if near in world.hexes)


def test_the_river_reaches_the_water() -> None:
    chance = Chance("river")
    map = fair_map(3, *size_for(3), chance, Names(chance))
    for home in map.starts:
        wet, edge = {home}, [home]
        while edge:
            edge = [
                near for label in edge for near in neighbours(label)
                if near not in wet and near in map.hexes and distance(near, home) <= 3
                and ("river" in map.hexes[near].features or map.hexes[near].terrain == "water")
            ]  # fmt: skip
            wet.update(edge)
        assert any(map.hexes[label].terrain == "water" for label in wet)


def test_there_are_secrets_monsters_and_free_cities() -> None:
    hexes = begun(made()).hexes.values()
    for thing in ("resource", "lair", "ruin", "building", "free_city", "hazard", "secret", "monsters"):
        assert sum(bool(getattr(hex, thing)) for hex in hexes) >= 3, thing


# --- it is the seed's


def test_the_same_seed_makes_the_same_campaign() -> None:
    assert made() == made()


def test_another_seed_makes_another_one() -> None:
    assert made(seed="one")["map.yaml"] != made(seed="two")["map.yaml"]


# --- its files


def switched_on(text: str) -> str:
    """With all that is optional: it stands behind a # with no blank, or two, after it."""
    return re.sub(r"^#(?=\S|  )", "", text, flags=re.MULTILINE)


def test_the_settings_as_written_and_with_all_that_is_optional(tmp_path: Path) -> None:
    text = made(4, bots=1)["campaign.yaml"]
    (tmp_path / "campaign.yaml").write_text(text)
    found, rules = settings.read(tmp_path)
    assert found.name == "The Greenmarch" and found.game == "realm" and found.seed == "a seed for tests"
    assert rules is None and found.calendar is None and found.mail is None
    assert found.gm.token == "t0k3n0"
    assert [player.token for player in found.players.values()] == ["t0k3n1", "t0k3n2", "t0k3n3", ""]
    assert [player.bot for player in found.players.values()] == ["", "", "", "trader"]
    (tmp_path / "campaign.yaml").write_text(switched_on(text))
    found, rules = settings.read(tmp_path)
    assert rules is not None and found.calendar and found.mail and found.ends.turn == 52
    assert (
        found.missing_orders
        == settings.Settings.__struct_defaults__[found.__struct_fields__.index("missing_orders") - 4]
    )


@pytest.mark.parametrize("edition", [1, 2])
def test_what_it_offers_to_change_is_in_its_edition(tmp_path: Path, edition: int) -> None:
    text = made(4, edition=edition)["campaign.yaml"]
    (tmp_path / "campaign.yaml").write_text(switched_on(text))
    found, rules = settings.read(tmp_path)
    assert found.edition == edition
    assert tables.load(load("realm"), rules, edition=edition).changed


def test_bots_of_every_kind_but_the_steward_hold_the_last_seats_in_turn() -> None:
    """As many kinds as the game has, and its comment names all of them."""
    text = made(9, bots=8)["campaign.yaml"]
    kinds = [player.get("bot", "") for player in yaml.safe_load(text)["players"].values()]
    assert kinds == ["", *BOTS[1:], BOTS[1]] and f"The bots are {', '.join(BOTS)}." in text


def test_the_kingdoms_are_named_for_the_players() -> None:
    files = made(12)
    names = sorted(name for name in files if name.startswith("kingdoms/"))
    assert len(names) == 12 and all(re.fullmatch(r"kingdoms/[a-z]+\.yaml", name) for name in names)
    assert len({name[9] for name in names}) == 12, "their initials differ, so their letters on the map do"


def test_what_a_kingdoms_file_offers_can_be_switched_on() -> None:
    files = made()
    name = next(name for name in files if name.startswith("kingdoms/"))
    files[name] = switched_on(files[name])
    assert begun(files).kingdoms[name[9:-5]].alignment == "LG"


def test_the_letters_of_the_grid_are_those_of_the_rules() -> None:
    assert {name: terrain.letter for name, terrain in RULES.terrain.items() if not terrain.unseen} == LETTERS


def test_as_many_kingdoms_as_usual() -> None:
    assert len(begun(made(None)).kingdoms) == 3


def test_without_tokens_nobody_has_one() -> None:
    assert "token:" not in re.sub(r"#.*", "", new(2, {"seed": "x"})["campaign.yaml"])


@pytest.mark.parametrize(
    ("kingdoms", "options", "sentence"),
    [
        (0, {}, "A new campaign has 1 to 500 kingdoms, not 0."),
        (501, {}, "A new campaign has 1 to 500 kingdoms, not 501."),
        (3, {"bots": 4}, "4 bots need 4 kingdoms; there are 3."),
        (3, {"size": (4, 4)}, "A map of 4x4 has no room for 3 equal starts; 12x16 has."),
    ],
)
def test_what_cannot_be_made(kingdoms: int, options: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError) as caught:
        made(kingdoms, **options)
    assert str(caught.value) == sentence
