"""The ruling anarchy over several turns."""

from __future__ import annotations

import pytest

from kingdom.games.realm.state import replace, with_kingdoms
from tests.games.realm.kit import rules_of, run, world_of

RULES = rules_of()


def unruly(size: int, unrest: int = 20, anarchy: int = 1, **fields: object) -> object:
    labels = ["0404", "0405", "0406", "0407", "0304", "0305", "0403", "0504", "0505"][:size]
    world = world_of({"examplia": {"hexes": {label: [] for label in labels}}})
    return with_kingdoms(
        world, {"examplia": replace(world.kingdoms["examplia"], unrest=unrest, anarchy=anarchy, **fields)}
    )


@pytest.mark.parametrize(("size", "left"), [(1, 1), (2, 1), (3, 2), (7, 4), (9, 5)])
def test_ruling_anarchy_half_the_hexes_rounded_down_are_lost(size: int, left: int) -> None:
    kingdom = run(unruly(size), {}).after.kingdoms["examplia"]
    assert (len(kingdom.hexes), kingdom.unrest) == (left, 0)
    assert "0404" in kingdom.hexes, "never the capital's while another is left"


def test_ruling_anarchy_lost_one_after_another_by_the_ruling_hex_loss() -> None:
    result = run(unruly(7), {})
    lost = [entry.detail[:4] for entry in result.entries if entry.account == "size"]
    assert lost == ["0407", "0406", "0405"], "the farthest from 0404 first, then the highest label"


def test_ruling_anarchy_begins_only_once() -> None:
    """Reaching 20 again in the turn in which it has begun does not put it off."""
    world = unruly(2, unrest=19, anarchy=0)
    grants = [{"grant": "examplia", "account": "unrest", "by": by, "reason": "riots"} for by in (1, -5, 5)]
    assert run(world, {"gm": {"gm": grants}}).after.kingdoms["examplia"].anarchy == 2


def test_ruling_anarchy_begins_though_unrest_falls_below_20_again() -> None:
    world = unruly(2, unrest=19, anarchy=0)
    grants = [{"grant": "examplia", "account": "unrest", "by": by, "reason": "riots"} for by in (1, -15)]
    after = run(world, {"gm": {"gm": grants}}).after
    assert after.kingdoms["examplia"].anarchy == 2
    assert len(run(after, {}).after.kingdoms["examplia"].hexes) == 1


def test_ruling_anarchy_may_come_again_later() -> None:
    """Ten of Unrest a turn by three negative attributes and a failed check: the next one begins when 20 is reached anew."""
    world = run(unruly(2), {}).after
    grant = {"gm": [{"grant": "examplia", "account": "unrest", "by": 25, "reason": "riots"}]}
    again = run(world, {"gm": grant}).after.kingdoms["examplia"]
    assert again.anarchy == 3


def test_ruling_anarchy_the_ruler_regains_trust_and_it_is_told() -> None:
    texts = [notice.facts["text"] for notice in run(unruly(2), {}).notices if notice.kind == "news"]
    assert texts[0].startswith("This is a turn of anarchy") and texts[-1].startswith("The turn of anarchy is over")


def test_ruling_anarchy_what_it_voids_is_not_rolled() -> None:
    orders = {"loyalty": {"rouse_the_people": ""}, "capital": "Oakhold", "claim": ["0504"]}
    assert run(unruly(2), {"examplia": orders}).rolls == []


def test_ruling_anarchy_what_is_on_its_way_goes_on() -> None:
    """A modifier that was to come still comes, and Consumption still falls due."""
    from kingdom.games.realm.state import Modifier

    result = run(unruly(2, coming=(Modifier("economy", 2, "aid", "aid from Borderia"),)), {})
    assert [entry.cause for entry in result.entries if entry.phase != "upkeep"] == ["aid"]
    assert "consumption" in [entry.cause for entry in result.entries]
