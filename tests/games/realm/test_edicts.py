"""Leadership, edict levels and the capital's move, where a case file can't say it."""

from __future__ import annotations

from kingdom.engine.dice import NoDice
from kingdom.engine.turn import resolve
from kingdom.games.realm.sheet import accounts, led
from kingdom.games.realm.state import replace, with_kingdoms
from tests.games.realm.kit import game_of, rules_of, run, world_of

RULES = rules_of()
GRID = {"grid": "\n".join("p" * 9 for _ in range(9))}


def of_size(size: int, **fields: object) -> object:
    labels = [f"{column:02d}{row:02d}" for column in range(1, 10) for row in range(1, 10)][:size]
    world = world_of({"examplia": {"hexes": {label: [] for label in labels}}}, GRID)
    return with_kingdoms(world, {"examplia": replace(world.kingdoms["examplia"], **fields)})


def test_ruling_caps_at_start_the_bonus_goes_by_the_size_at_the_start_of_the_phase() -> None:
    """A claim that makes it 25 changes nothing until the next turn, when the second name of the choice counts."""
    world = of_size(24, leadership=("economy", "loyalty"), edict_size=24)
    first = run(world, {"examplia": {"claim": ["0307"]}}, until="edict")
    assert len(first.after.kingdoms["examplia"].hexes) == 25
    assert led(first.after.kingdoms["examplia"], RULES) == ("economy",)
    second = run(first.after, {}, steps="leadership_bonus")
    assert led(second.after.kingdoms["examplia"], RULES) == ("economy", "loyalty")
    assert [(entry.account, entry.delta) for entry in second.entries] == [("loyalty", 3)]


def test_ruling_leadership_default_fewer_named_than_allowed_get_it_and_no_others() -> None:
    result = run(of_size(30), {"examplia": {"leadership": ["stability"]}}, steps="leadership_bonus")
    assert led(result.after.kingdoms["examplia"], RULES) == ("stability",)


def test_ruling_leadership_default_from_size_50_all_three_whatever_is_named() -> None:
    result = run(of_size(50, edict_size=49), {"examplia": {"leadership": ["stability"]}}, steps="leadership_bonus")
    assert led(result.after.kingdoms["examplia"], RULES) == ("economy", "loyalty", "stability")


def test_the_bonus_grows_with_the_size() -> None:
    result = run(of_size(75, edict_size=74), {}, steps="leadership_bonus")
    assert [(entry.account, entry.delta) for entry in result.entries] == [
        ("economy", 1),
        ("loyalty", 1),
        ("stability", 1),
    ]


def test_missing_orders_nothing_takes_the_edicts_to_their_lowest() -> None:
    """The orders of a seat that filed none, in a campaign that says `missing_orders: nothing`."""
    world = of_size(4, holiday="very_short", promotion="expansionist", taxation="overwhelming")
    idle = run(world, {"examplia": dict(game_of().idle)}, steps="edict_levels").after
    kingdom = idle.kingdoms["examplia"]
    assert (kingdom.holiday, kingdom.promotion, kingdom.taxation) == ("very_long", "none", "minimalist")
    assert kingdom.holiday == next(iter(RULES.edicts.holiday)) and kingdom.promotion == next(
        iter(RULES.edicts.promotion)
    )


def test_ruling_capital_move_is_foreseen_without_its_unrest() -> None:
    """It moves whatever the die says, so that is foreseen; the Unrest hangs on the die and is not."""
    settlements = {"Oakhold": {"hex": "0404"}, "Newford": {"hex": "0405"}}
    world = world_of({"examplia": {"hexes": {"0404": [], "0405": []}, "settlements": settlements}})
    result = resolve(game_of("capital_move"), world, {"examplia": {"capital": "Newford"}}, NoDice(), RULES)
    assert result.after.kingdoms["examplia"].capital == "Newford" and not result.entries and not result.rolls


def test_the_capital_is_named_in_small_letters_too() -> None:
    settlements = {"Oakhold": {"hex": "0404"}, "Newford": {"hex": "0405"}}
    world = world_of({"examplia": {"hexes": {"0404": [], "0405": []}, "settlements": settlements}})
    assert (
        run(world, {"examplia": {"capital": "newford"}}, steps="capital_move").after.kingdoms["examplia"].capital
        == "Newford"
    )


def test_every_level_of_every_edict_adds_what_its_table_says() -> None:
    for category in ("holiday", "promotion", "taxation"):
        levels = getattr(RULES.edicts, category)
        lowest = next(iter(levels))
        for level, what in levels.items():
            result = run(world_of(), {"examplia": {"edicts": {category: level}}}, steps="edict_levels")
            before, after = (
                accounts(world.kingdoms["examplia"], world.hexes, RULES) for world in (result.before, result.after)
            )
            for account in ("economy", "loyalty", "stability", "consumption"):
                assert after[account] - before[account] == getattr(what, account) - getattr(levels[lowest], account)
