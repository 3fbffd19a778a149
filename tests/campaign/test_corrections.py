"""An earlier turn was wrong: what each would have today, and the GM's orders that book it in the coming turn."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import corrections
from kingdom.cli.main import main
from tests.kit import small_realm, tiny_game
from tests.kit.tiny_game import contents, file_orders, write

ACCOUNTS = (
    "treasury",
    "unrest",
    "size",
    "economy",
    "loyalty",
    "stability",
    "consumption",
    "vigilance",
    "debauchery",
    "opulence",
)
EXAMPLE = Path(__file__).parents[2] / "campaigns" / "greenmarch"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_realm.played(tmp_path_factory.mktemp("played") / "fords", 3)


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    """Turns 0 to 3 are kept; turn 4 comes."""
    return Path(shutil.copytree(played, tmp_path / "fords"))


def said(capfd: pytest.CaptureFixture[str], *words: str) -> str:
    capfd.readouterr()
    code = main([str(word) for word in words])
    out, errors = capfd.readouterr()
    assert code == 0, errors
    return out


def played_right(folder: Path, changed: dict[tuple[int, str], str | None], turns: int = 4) -> Path:
    """The campaign as it would be had those orders been filed from the start."""
    small_realm.campaign(folder)
    assert main(["turn", "--yes", str(folder)]) == 0
    for number in range(1, turns + 1):
        for (turn, seat), text in {**small_realm.ORDERS, **changed}.items():
            if turn == number and text is not None:
                file_orders(folder, turn, seat, text)
        assert main(["turn", "--yes", str(folder)]) == 0
    return folder


def sheets(folder: Path) -> dict[str, dict[str, Any]]:
    campaign = campaigns.open_campaign(folder)
    turn = campaigns.kept(campaign)
    state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
    return {seat: campaign.game.sheet(state, seat, rules) for seat in campaign.seats}


def same_accounts_and_land(one: Path, other: Path) -> None:
    for seat, sheet in sheets(one).items():
        right = sheets(other)[seat]
        assert {account: sheet[account] for account in ACCOUNTS} == {account: right[account] for account in ACCOUNTS}, (
            seat
        )
        assert set(sheet["hexes"]) == set(right["hexes"]), seat


def test_a_turn_that_was_right_comes_out_the_same(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = contents(folder)
    assert (
        said(capfd, "correct", folder, "--turn", 1)
        == "Run again, turns 1 to 3 come out the same: nothing is to be corrected.\n"
    )
    assert said(capfd, "correct", folder, "--turn", 3, "--yes").endswith("No orders are filed.\n")
    assert contents(folder) == before


def test_a_ruling_that_was_wrong_is_booked_in_the_coming_turn(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Borderia should not have been fined: the GM takes the fine out of the orders of turn 2."""
    file_orders(folder, 2, "gm", "gm: []\n")
    before = contents(folder)
    out = said(capfd, "correct", folder, "--turn", 2)
    assert 'Turn 2, borderia:\n  no longer: treasury -3 (a fine, for "noise")\n' in out
    assert "  - {grant: borderia, account: treasury, by: 3, reason: correction of turn 2}\n" in out
    assert contents(folder) == before, "without --yes nothing is written"
    said(capfd, "correct", folder, "--turn", 2, "--yes")
    now = contents(folder)
    assert {name for name in now if now[name] != before.get(name)} == {
        "orders/0004/gm.yaml"
    } and now.keys() >= before.keys()
    said(capfd, "turn", folder)
    same_accounts_and_land(folder, played_right(tmp_path / "right", {(2, "gm"): None}))
    assert "correction of turn 2" in (folder / "turns/0004/reports/borderia.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "orders"),
    [
        ("another hex is claimed", "claim: 0103\nbuild: house in Oakhold\nfinal: true\n"),
        ("nothing is claimed and nothing built", "final: true\n"),
        ("more is paid for joy", "claim: 0102\nbuild: house in Oakhold\npromotion: standard\ntaxation: heavy\n"),
        ("more is built", "claim: 0102\nbuild: house in Oakhold, tenement in Oakhold\nimprove: road 0202\n"),
    ],
)
def test_an_order_that_was_wrong(
    name: str, orders: str, folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The turn that books it leads to the accounts and the land of the history in which the order was right."""
    file_orders(folder, 1, "examplia", orders)
    said(capfd, "correct", folder, "--turn", 1, "--yes")
    said(capfd, "turn", folder)
    same_accounts_and_land(folder, played_right(tmp_path / "right", {(1, "examplia"): orders}))


def test_an_anarchy_that_should_not_have_come_is_called_off(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A slip of the GM's pen made Unrest 15 higher: a grant would leave the turn of anarchy that it brought."""
    wrong = 'gm: [{grant: borderia, account: unrest, by: 15, reason: "1.5 was meant"}]\n'
    folder = played_right(tmp_path / "wrong", {(3, "gm"): wrong}, 3)
    assert sheets(folder)["borderia"]["anarchy"]
    file_orders(folder, 3, "gm", "gm: []\n")
    out = said(capfd, "correct", folder, "--turn", 3, "--yes")
    assert "  - {set: borderia, account: unrest, to: 8, reason: correction of turn 3}\n" in out
    assert "  borderia: a hex is lost at the start of the coming turn" in out, "no order of the GM holds it back"
    said(capfd, "turn", folder)
    right = sheets(played_right(tmp_path / "right", {(3, "gm"): None}))["borderia"]
    assert sheets(folder)["borderia"]["unrest"] == right["unrest"] and not sheets(folder)["borderia"]["anarchy"]


def test_a_hex_that_should_not_be_held_is_taken(folder: Path) -> None:
    file_orders(folder, 2, "examplia", "requests: May I dig?\n")
    found = corrections.correct(campaigns.open_campaign(folder), 2)
    assert {"take": "0103", "from": "examplia", "reason": "correction of turn 2"} in found.orders


def test_what_would_have_been_found_is_revealed(folder: Path) -> None:
    """The crown of 0103, had the GM shown it to borderia in turn 2."""
    file_orders(
        folder,
        2,
        "gm",
        small_realm.ORDERS[2, "gm"].rstrip("]\n") + ', {reveal: "0103", to: borderia, reason: a map}]\n',
    )
    found = corrections.correct(campaigns.open_campaign(folder), 2)
    assert found.orders == [{"reveal": "0103", "to": "borderia", "reason": "correction of turn 2"}]


def test_what_no_order_of_the_gm_can_make_is_said(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file_orders(folder, 1, "examplia", "claim: 0102\nfinal: true\n")
    out = said(capfd, "correct", folder, "--turn", 1)
    left = out.partition("What stays as it is, since no order of the GM makes it so:\n")[2]
    assert "  examplia: settlements Oakhold buildings: gone house" in left
    assert "treasury" not in left and "economy" not in left


@pytest.mark.parametrize("kind", ["plague", "political_calm", "inquisition", "justice_prevails"])
def test_what_an_event_lends_is_offered_as_a_grant_and_not_called_impossible(
    folder: Path, capfd: pytest.CaptureFixture[str], kind: str
) -> None:
    event = f", {{event: {kind}, to: examplia, reason: forgotten}}]\n"
    file_orders(folder, 2, "gm", small_realm.ORDERS[2, "gm"].rstrip("]\n") + event)
    lent = corrections.correct(campaigns.open_campaign(folder), 2).lent
    out = said(capfd, "correct", folder, "--turn", 2)
    offered = out.partition("If you want to book it for good, add to your orders:\n")[2]
    accounts = [order["account"] for order in lent]
    assert {"stability", "loyalty"} & {*accounts}
    for order in lent:
        line = f"{{grant: examplia, account: {order['account']}, by: {order['by']}, reason: correction of turn 2}}"
        assert f"  - {line}\n" in offered
    assert not [account for account in accounts if f"examplia: {account}:" in out]


def test_rules_of_today_count_for_the_old_turns(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = small_realm.CAMPAIGN.replace("rules: {", "rules: {control_dc: {base: 5}, ")
    write(folder, "campaign.yaml", text)
    out = said(capfd, "correct", folder, "--turn", 1)
    assert "Run again with today's rules" in out and "come out otherwise" in out


def test_the_gms_own_lines_and_remarks_stay(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    own = "# my rulings\nturn: 4\ngm:   # first things first\n  # a gift\n  - {grant: examplia, account: treasury, by: 1, reason: a gift}\ntell: {all: Well met.}\n"
    file = write(folder, "orders/0004/gm.yaml", own)
    file_orders(folder, 2, "gm", "gm: []\n")
    said(capfd, "correct", folder, "--turn", 2, "--yes")
    line = "  - {grant: borderia, account: treasury, by: 3, reason: correction of turn 2}\n"
    wanted = own.replace("  - {grant: examplia", line + "  - {grant: examplia")
    assert file.read_text(encoding="utf-8") == wanted
    said(capfd, "correct", folder, "--turn", 2, "--yes")
    assert file.read_text(encoding="utf-8") == wanted, "asked again it stands there once"
    file_orders(folder, 2, "gm", "gm: [{grant: borderia, account: treasury, by: -1, reason: a smaller fine}]\n")
    said(capfd, "correct", folder, "--turn", 1, "--yes")
    assert file.read_text(encoding="utf-8") == wanted.replace("by: 3", "by: 2").replace("of turn 2", "of turn 1"), (
        "an earlier turn takes it in"
    )


@pytest.mark.parametrize(
    "own",
    ["turn: 4", "turn: 4\ngm:\n", "turn: 4\ntell: {all: Hail.}\n", "turn: 4\ngm:\n- {ban: plague, reason: mercy}\n"],
)
def test_whatever_the_gm_has_filed_the_orders_find_their_place(
    own: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = write(folder, "orders/0004/gm.yaml", own)
    file_orders(folder, 2, "gm", "gm: []\n")
    said(capfd, "correct", folder, "--turn", 2, "--yes")
    assert all(line in file.read_text(encoding="utf-8") for line in own.splitlines())
    said(capfd, "turn", folder)
    assert '"treasury"' not in said(capfd, "correct", folder, "--turn", 2)


def test_what_is_booked_is_not_booked_again(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """When the turns are run again later on, the orders of the correction are left out: the history needs none."""
    file_orders(folder, 2, "gm", "gm: []\n")
    said(capfd, "correct", folder, "--turn", 2, "--yes")
    said(capfd, "turn", folder)
    assert said(capfd, "correct", folder, "--turn", 2).endswith("Today everybody has the same all the same.\n")
    assert corrections.correct(campaigns.open_campaign(folder), 3).orders == [], (
        "what came before the turn is not run again"
    )


def test_a_turn_keeps_its_dice_its_tape_and_its_attempt(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = small_realm.played(tmp_path / "fords", 1)
    assert main(["undo", str(folder), "--reopen"]) == 0
    tape = write(folder, "tape.yaml", "examplia: {economy: 20}\nborderia: {stability: 1}\n")
    assert main(["turn", str(folder), "--dice", str(tape)]) == 0
    assert "turn 1 comes out the same" in said(capfd, "correct", folder, "--turn", 1)


def test_what_bots_filed_stays(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN.replace("bob: {}", "bob: {bot: taker}"))
    tiny_game.played(folder, 2)
    (folder / "orders/0001/bob.yaml").unlink()
    (folder / "orders/0002/ann.yaml").write_text("kingdom: ann\nturn: 2\ntake: 1\n", encoding="utf-8")
    out = said(capfd, "correct", folder, "--turn", 1)
    assert "Today ann has, and would have:" in out and "Today bob" not in out
    assert "No order of the GM can book it." in out, "of a game that has no such orders"


FILED = [
    file.relative_to(EXAMPLE)
    for file in sorted(EXAMPLE.glob("orders/*/*.yaml"))
    if (EXAMPLE / "turns" / file.parent.name).is_dir()
]


@pytest.mark.parametrize(
    "file",
    [each if number % 12 == 8 else pytest.param(each, marks=pytest.mark.long) for number, each in enumerate(FILED)],
    ids=str,
)
def test_whoever_should_have_filed_nothing_every_account_is_booked(file: Path, tmp_path: Path) -> None:
    """Of each file of orders in a campaign of the examples, as if it had never come."""
    folder = Path(shutil.copytree(EXAMPLE, tmp_path / "greenmarch"))
    (folder / file).unlink()
    found = corrections.correct(campaigns.open_campaign(folder), int(file.parent.name))
    apart = {
        seat: [line for line in lines if line.startswith(("treasury:", "unrest:", "size:"))]
        for seat, lines in found.left.items()
    }
    fallen = {seat for seat in found.right if found.right[seat]["destroyed"] != found.today[seat]["destroyed"]}
    assert not [seat for seat, lines in apart.items() if lines and seat not in fallen]


def test_a_campaign_of_eleven_turns(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Of the examples: examplia should have taxed less in turn 9."""
    folder = Path(shutil.copytree(EXAMPLE, tmp_path / "greenmarch"))
    file = folder / "orders/0009/examplia.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("taxation: heavy", "taxation: normal"), encoding="utf-8")
    out = said(capfd, "correct", folder, "--turn", 9, "--yes")
    assert (
        out.count("  - {") == 1
        and "  - {grant: examplia, account: treasury, by: -1, reason: correction of turn 9}\n" in out
    )
    said(capfd, "turn", "--yes", folder)
    assert said(capfd, "correct", folder, "--turn", 9).endswith("Today everybody has the same all the same.\n")
