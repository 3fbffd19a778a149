"""`kingdom explain`: the sentences add up, and what they add up to is the sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from kingdom.books import explain
from kingdom.books.explain import Explained, Move
from kingdom.campaign import campaign as campaigns
from kingdom.cli.main import main
from kingdom.engine.dice import Dice
from kingdom.engine.ledger import Entry
from kingdom.engine.problems import Faults
from kingdom.engine.turn import resolve
from kingdom.games.realm.game import GAME
from kingdom.games.realm.sheet import ACCOUNTS
from kingdom.games.realm.state import World
from kingdom.render.plain_text import width
from tests.games.realm.kit import rules_of
from tests.games.realm.worlds import filings, worlds
from tests.kit import archives, tiny_game
from tests.kit.rows import sampled

EXAMPLES = ("greenmarch", "war-of-the-ford")
NUMBERS = (*ACCOUNTS, "districts", "control_dc")
RULES = rules_of()


@pytest.fixture(autouse=True)
def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many numbers of one turn are asked for: its state and its rules are read once."""
    for name in ("state_of", "rules_of"):
        once = _once(getattr(campaigns, name))
        monkeypatch.setattr(campaigns, name, once)


def _once(read: Any) -> Any:
    found: dict[Path, Any] = {}

    def once(campaign: Any, turn: Any) -> Any:
        if turn.folder not in found:
            found[turn.folder] = read(campaign, turn)
        return found[turn.folder]

    return once


@cache
def example(name: str) -> campaigns.Campaign:
    return campaigns.open_campaign(archives.example(name))


def every_number(name: str) -> Iterator[tuple[dict[str, Any], Explained]]:
    """(the sheet, the explanation) of every number of every seat in every kept turn of an example."""
    campaign = example(name)
    for number in range(campaigns.newest(campaign) + 1):
        turn = campaigns.kept(campaign, number)
        state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
        for seat in turn.record.seats:
            sheet = campaign.game.sheet(state, seat, rules)
            for account in NUMBERS:
                yield sheet, explain.explain(campaign, seat, account, number)


@pytest.mark.parametrize("name", sampled(EXAMPLES, ["greenmarch"]))
def test_every_number_of_every_kept_turn_adds_up_to_the_sheet(name: str) -> None:
    before: dict[tuple[str, str], int] = {}
    for sheet, found in every_number(name):
        assert found.after == sheet[found.account] or not found.in_play, found
        assert found.before == before.get((found.kingdom, found.account), 0), found
        before[found.kingdom, found.account] = found.after
        lines = explain.told(found, GAME.causes)
        assert all(width(line) <= 80 for line in lines)
        said = " ".join(" ".join(lines).split())
        for left, right in re.findall(r"Together: ([0-9 +-]+) = (-?[0-9]+)\.", said):
            assert sum(int(term) for term in re.sub(r"([+-]) ", r"\1", left).split()) == int(right) == found.after
        assert re.findall(r"Together: (-?[0-9]+)\.", said) == ([str(found.after)] if found.sources else [])


@pytest.mark.parametrize("name", EXAMPLES)
def test_told_from_the_start_every_turn_goes_on_from_the_one_before(name: str) -> None:
    campaign = example(name)
    for seat in campaign.seats:
        for account in ("treasury", "unrest", "loyalty"):
            found = explain.explain(campaign, seat, account, back=True)
            assert [move.turn for move in found.back] == [*range(found.turn + 1)]
            assert found.back[0].before == 0 and found.back[-1].after == found.after
            assert all(earlier.after == later.before for earlier, later in pairwise(found.back))
            assert all(move.before + sum(move.causes.values()) == move.after for move in found.back)
            by_cause = sum(total for move in found.back for total in move.causes.values())
            assert f"Together: {by_cause}." in explain.told(found, {})


def test_a_kingdom_that_is_not_in_play_has_what_the_ledger_says() -> None:
    campaign = example("war-of-the-ford")
    absent = explain.explain(campaign, "skarn", "economy", 3, back=True)
    assert (absent.after, absent.in_play, absent.sources) == (0, False, None)
    assert explain.told(absent, {})[0] == "skarn, economy: 0 after turn 3. The kingdom is not in play."
    joined = explain.explain(campaign, "skarn", "economy", 4)
    assert joined.in_play and joined.before == 0 and joined.entries[0].cause == "add"


@given(worlds(), filings())
def test_whatever_the_world_the_sources_and_the_terms_of_checks_sum(world: World, filed: dict[str, Any]) -> None:
    result = resolve(GAME, world, filed, Dice("public: the seed of these tests", world.turn + 1), RULES)
    notices = [notice._asdict() for notice in result.notices]
    for seat in result.after.kingdoms:
        sheet, accounts = GAME.sheet(result.after, seat, RULES), GAME.accounts(result.after, seat, RULES)
        assert GAME.sources is not None
        for account, terms in GAME.sources(result.after, seat, RULES).items():
            assert sum(by for by, _ in terms) == sheet[account]
        for account in accounts:
            for check in explain.checks_of(notices, result.rolls, seat, account, [], accounts):
                assert check.die is None or sum(term.by for term in check.terms) == check.total


# --- the sentences


def entry(delta: int, balance: int, step: str = "claim_hexes", cause: str = "claim", detail: str = "0404") -> Entry:
    return Entry(3, 1, "edict", step, "examplia", "treasury", delta, balance, cause, detail)


def test_an_entry_says_where_by_how_much_and_why() -> None:
    assert (
        explain.said_entry(entry(-1, 49), "a hex claimed")
        == "In claim hexes (edict) it fell by 1 to 49: 0404 [claim, a hex claimed]."
    )
    assert explain.said_entry(entry(2, 51)) == "In claim hexes (edict) it rose by 2 to 51: 0404 [claim]."


def notice(**facts: Any) -> dict[str, Any]:
    common = {
        "name": "economy",
        "attribute": "economy",
        "die": 13,
        "value": 14,
        "unrest": 2,
        "bonus": 3,
        "total": 28,
        "dc": 25,
        "success": True,
    }
    return {"kind": "check", "phase": "income", "step": "taxes", "seat": "examplia", "facts": {**common, **facts}}


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"by_feast": 1}, "Check `economy`: 13 (die) + 14 economy + 1 feast + 2 bonus - 2 unrest = 28 against 25: success by 3."),
        ({"die": 1, "total": 16, "dc": 10, "success": False},
         "Check `economy`: 1 (die) + 14 economy + 3 bonus - 2 unrest = 16 against 10: failure by the face of the die, a natural 1."),
        ({"die": None, "total": 0, "success": False}, "Check `economy`: 0 against 25, nothing was rolled: failure."),
    ],
)  # fmt: skip
def test_a_check_is_told_term_by_term(facts: dict[str, Any], said: str) -> None:
    (check,) = explain.checks_of([notice(**facts)], [], "examplia", "economy", [], ["treasury", "unrest", "economy"])
    assert explain.said_check(check) == said


def test_a_check_belongs_to_what_it_used_and_to_what_moved_in_its_step() -> None:
    notices, accounts = [notice(), notice(unrest=0, name="economy-2")], ["treasury", "unrest", "economy"]
    paid = [entry(9, 40, "taxes", "taxes")._replace(phase="income")]
    assert len(explain.checks_of(notices, [], "examplia", "treasury", [], accounts)) == 0
    assert len(explain.checks_of(notices, [], "examplia", "treasury", paid, accounts)) == 2
    assert [check.name for check in explain.checks_of(notices, [], "examplia", "unrest", [], accounts)] == ["economy"]
    assert explain.checks_of(notices, [], "borderia", "economy", [], accounts) == []


def test_the_long_tail_of_a_turn_is_summed() -> None:
    move = Move(3, 10, 6, {"claim": -1, "build": -6, "taxes": 9, "aid": -3, "works": 2, "consumption": -5})
    found = Explained("examplia", "treasury", 3, 10, 6, True, [], None, [], [move])
    said = " ".join(" ".join(explain.told(found, {})).split())
    assert "Turn 3 took it from 10 to 6 (-4): taxes +9, build -6, consumption -5, aid -3, 2 other causes +1." in said


# --- the command


@pytest.mark.parametrize("word", ["Control DC", "control-dc", "CONTROL_DC"])
def test_a_number_is_named_in_any_way_that_words_are(word: str, capsys: pytest.CaptureFixture) -> None:
    assert main(["explain", str(archives.example("greenmarch")), "examplia", word]) == 0
    assert "nothing is booked for it" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["exampla", "treasury"], "There is no kingdom `exampla` in this campaign. Did you mean `examplia`?"),
        (["examplia", "ecomony"], "There is no number `ecomony` on a sheet of this game. Did you mean `economy`?"),
        (["examplia", "treasury", "--turn", "99"], "There is no kept turn 99; the newest is"),
    ],
)
def test_what_is_not_there_is_an_error_with_the_nearest_word(
    words: list[str], said: str, capsys: pytest.CaptureFixture
) -> None:
    assert main(["explain", str(archives.example("greenmarch")), *words]) == 1
    assert said in capsys.readouterr().err


def test_it_explains_a_game_that_says_no_sources(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    tiny_game.register()
    folder = tiny_game.played(tmp_path / "tally")
    capsys.readouterr()
    assert main(["explain", str(folder), "ann", "coins", "--back"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "In take it rose by 3 to" in said.replace("(play) ", "") or "rose by 3" in said
    assert "All turns by cause" in said and "made of" not in said


def test_as_json_the_numbers_add_up_too(capsys: pytest.CaptureFixture) -> None:
    import json

    assert (
        main(
            [
                "explain",
                str(archives.example("war-of-the-ford")),
                "karrak",
                "economy",
                "--turn",
                "9",
                "--back",
                "--json",
            ]
        )
        == 0
    )
    said = json.loads(capsys.readouterr().out)
    assert (
        said["before"] + sum(each["delta"] for each in said["entries"])
        == said["after"]
        == sum(each["by"] for each in said["sources"])
    )
    assert {sum(term["by"] for term in each["terms"]) - each["total"] for each in said["checks"]} == {0}
    assert sum(sum(each["causes"].values()) for each in said["back"]) == said["after"]


def test_a_broken_turn_is_told(tmp_path: Path) -> None:
    tiny_game.register()
    folder = tiny_game.played(tmp_path / "tally")
    (folder / "turns/0002/ledger.csv").write_text("turn\n")
    with pytest.raises(Faults):
        explain.explain(campaigns.open_campaign(folder), "ann", "coins")
