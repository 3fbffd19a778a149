"""The end of a campaign: by `ends` or by the GM's order, with and without mail. All are told, and everything is there to prove it."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from msgspec import structs

from kingdom.books import closing
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import clock, store, undo
from kingdom.campaign.audit import audit
from kingdom.cli.main import main
from kingdom.engine.standings import standings
from kingdom.games.realm.game import GAME
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import reporting
from tests.campaign.test_crash import CALLS, Calls, Killed
from tests.games.realm.kit import load_yaml
from tests.kit import small_realm, tiny_game
from tests.kit.tiny_game import contents, file_orders, write
from tests.mail.test_week import FRIDAY, HOUR, WEEK, Campaign, text_of

PEACE = 'gm: [{finish: campaign, reason: "peace was made"}]\n'
LAST = 3
SEED = "public, this is a test"
MAIL = """\
gm: {name: Gwen, email: gwen@example.org, token: gggg1}
players:
  examplia: {name: Ada, email: ada@example.org, token: aaaa1}
  borderia: {name: Bo, email: bo@example.org, token: bbbb1}
calendar: {deadline: 2026-12-04T18:00, zone: UTC, every: 7d}
"""


def run(folder: Path, *words: str) -> int:
    return main([words[0], str(folder), *words[1:]])


def before_the_end(folder: Path) -> Path:
    """A campaign of two kingdoms, two turns kept after the start."""
    return small_realm.played(folder, LAST - 1)


def by_the_gm(folder: Path) -> None:
    file_orders(folder, LAST, "gm", PEACE)


def by_the_calendar(folder: Path) -> None:
    write(folder, "campaign.yaml", small_realm.CAMPAIGN + f"ends: {{turn: {LAST}, counts: [treasury, size]}}\n")


ENDS = {
    "by the GM's order": (by_the_gm, "the GM ended it: peace was made"),
    "by `ends`": (by_the_calendar, f"turn {LAST} was the last"),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The campaign before its last turn."""
    return before_the_end(tmp_path_factory.mktemp("end") / "fords")


@pytest.fixture
def fords(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "fords"))


@pytest.fixture(scope="module", params=list(ENDS))
def ended(request: pytest.FixtureRequest, made: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """(a campaign that has come to its end, why it has). To be looked at alone."""
    end, why = ENDS[request.param]
    folder = Path(shutil.copytree(made, tmp_path_factory.mktemp("ended") / "fords"))
    end(folder)
    assert run(folder, "turn") == 0
    return folder, why


@pytest.fixture
def over(ended: tuple[Path, str], tmp_path: Path) -> tuple[Path, str]:
    """The same, to be changed."""
    folder, why = ended
    return Path(shutil.copytree(folder, tmp_path / "fords")), why


def report(folder: Path, name: str, turn: int = LAST) -> str:
    return (folder / "turns" / store.name_of(turn) / "reports" / name).read_text(encoding="utf-8")


def words(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def unpacked(folder: Path, where: Path) -> Path:
    """The archive of a campaign, unpacked."""
    with zipfile.ZipFile(folder / closing.ARCHIVE) as packed:
        packed.extractall(where)
    (inside,) = where.iterdir()
    return inside


# --- the last turn


@pytest.mark.parametrize("name", ["examplia.txt", "examplia.html", "borderia.txt", "borderia.html", "gm.html"])
def test_the_last_report_says_why_it_is_over_the_standings_the_seed_and_the_whole_map(
    ended: tuple[Path, str], name: str
) -> None:
    folder, why = ended
    text = report(folder, name)
    said = words(text)
    assert f"The campaign is over after turn {LAST}: {why}" in said
    assert SEED in said
    assert "an old crown" in text  # which lies in a hex that Borderia never saw
    for row in the_standings(folder):
        assert row.name in said and all(str(figure) in said for figure in row.figures.values())


def the_standings(folder: Path) -> list:
    campaign = campaigns.open_campaign(folder)
    turn = campaigns.kept(campaign)
    state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
    return standings(campaign.game, state, rules, campaign.settings.ends.counts)


def test_the_standings_are_the_balances_of_the_ledger(ended: tuple[Path, str]) -> None:
    folder, _ = ended
    balances: dict[tuple[str, str], int] = {}
    for turn in range(LAST + 1):
        with open(folder / "turns" / store.name_of(turn) / "ledger.csv", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                key = row["kingdom"], row["account"]
                balances[key] = balances.get(key, 0) + int(row["delta"])
    rows = the_standings(folder)
    assert [row.place for row in rows] == [1, 2]
    for row in rows:
        assert row.figures == {account: balances[row.seat, account] for account in row.figures}
    figures = [tuple(row.figures.values()) for row in rows]
    assert figures == sorted(figures, reverse=True)


def test_the_campaign_says_what_counts_and_where_it_says_nothing_the_game_does(fords: Path) -> None:
    assert list(the_standings(fords)[0].figures) == ["size", "treasury"]
    by_the_calendar(fords)
    assert list(the_standings(fords)[0].figures) == ["treasury", "size"]


def test_an_account_that_the_game_does_not_have_can_t_count(fords: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(fords, "campaign.yaml", small_realm.CAMPAIGN + "ends: {turn: 9, counts: [size, tresury]}\n")
    assert run(fords, "status") == 1
    assert (
        "campaign.yaml:7:32: There is no number `tresury` on a sheet of this game. Did you mean `treasury`?"
        in capsys.readouterr().err
    )


def test_no_report_before_the_last_tells_the_seed(ended: tuple[Path, str]) -> None:
    folder, _ = ended
    for turn in range(LAST):
        for file in (folder / "turns" / store.name_of(turn) / "reports").iterdir():
            assert SEED not in file.read_text(encoding="utf-8")


def test_the_last_report_promises_no_dice_and_asks_for_no_orders(ended: tuple[Path, str]) -> None:
    folder, _ = ended
    for name in ("examplia.txt", "examplia.html"):
        assert f"dice of turn {LAST + 1}" not in report(folder, name)
        assert f"dice of turn {LAST}" in report(folder, name, LAST - 1)


def test_the_gm_s_order_is_told_to_all_with_its_reason(fords: Path) -> None:
    by_the_gm(fords)
    assert run(fords, "turn") == 0
    for seat in ("examplia", "borderia"):
        assert "The GM ends the campaign with this turn: peace was made." in report(fords, f"{seat}.txt")
    assert "finish campaign: peace was made" in words(report(fords, "gm.html"))
    record = json.loads((fords / "turns/0003/turn.json").read_text())
    (told,) = [each for each in record["notices"] if each["facts"].get("reason") == "peace was made"]
    assert (told["seat"], told["kind"], told["phase"]) == ("all", "ruling", "gm")


def test_a_reason_that_is_a_sentence_gets_no_second_full_stop(fords: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file_orders(fords, LAST, "gm", PEACE.replace("peace was made", "Peace was made."))
    assert run(fords, "turn") == 0
    said = capsys.readouterr().out
    assert run(fords, "status") == 0
    texts = [report(fords, f"examplia.{ending}") for ending in ("txt", "html")] + [said, capsys.readouterr().out]
    assert all("Peace was made" in text for text in texts[:2]) and not [
        text for text in texts if "Peace was made.." in text
    ]


def test_the_turn_that_ends_it_is_played_to_its_end(fords: Path) -> None:
    """The orders of that turn are carried out, taxes come in: the state differs in nothing but that it is over."""
    file_orders(fords, LAST, "examplia", "claim: 0204\n")
    other = Path(shutil.copytree(fords, fords.with_name("other")))
    by_the_gm(fords)
    assert run(fords, "turn") == run(other, "turn") == 0
    ended, goes_on = (json.loads((each / "turns/0003/state.json").read_text()) for each in (fords, other))
    assert ended.pop("ended") == "peace was made"
    assert ended == goes_on


def test_a_state_that_is_not_over_says_nothing_of_it(made: Path) -> None:
    """So a turn that an older program kept is the same for this one."""
    assert b"ended" not in (made / "turns/0002/state.json").read_bytes()


# --- afterwards


def test_there_is_no_next_turn(over: tuple[Path, str], capsys: pytest.CaptureFixture[str]) -> None:
    folder, why = over
    before = contents(folder)
    assert run(folder, "turn") == 1
    assert f"There is no turn {LAST + 1}: {why}" in capsys.readouterr().err
    assert contents(folder) == before


def test_run_does_nothing_and_says_so(over: tuple[Path, str], capsys: pytest.CaptureFixture[str]) -> None:
    folder, why = over
    run(folder, "run")
    before = contents(folder)
    capsys.readouterr()
    assert run(folder, "run") == 0
    assert capsys.readouterr().out.startswith(f"The campaign is over: {why}")
    assert contents(folder) == before
    assert run(folder, "run", "--dry-run") == 0
    assert capsys.readouterr().out.startswith(f"The campaign is over: {why}")


def test_the_books_balance_and_every_turn_comes_out_the_same(ended: tuple[Path, str]) -> None:
    folder, _ = ended
    assert run(folder, "audit") == run(folder, "replay") == 0


def test_the_seed_of_the_report_gives_every_roll(ended: tuple[Path, str], capsys: pytest.CaptureFixture[str]) -> None:
    """As a player would verify it: the key from the seed, the roll from the key."""
    import hashlib
    import hmac

    folder, _ = ended
    with open(folder / "turns/0003/dice.csv", encoding="utf-8", newline="") as file:
        rolls = list(csv.DictReader(file))
    assert rolls
    for roll in rolls:
        key = hmac.new(SEED.encode(), f"{LAST}:{roll['kingdom']}".encode(), hashlib.sha256).hexdigest()
        assert main(["dice", key, f"{roll['name']}:{roll['count']}:{roll['sides']}"]) == 0
        assert capsys.readouterr().out.split("= ")[1].strip() == roll["result"]


def test_undo_takes_the_end_back(over: tuple[Path, str]) -> None:
    folder, _ = over
    assert (folder / closing.CHRONICLE).is_dir() and (folder / closing.ARCHIVE).is_file()
    was = contents(folder)
    assert run(folder, "undo") == 0
    assert not (folder / closing.CHRONICLE).exists() and not (folder / closing.ARCHIVE).exists()
    assert run(folder, "turn") == 0
    assert contents(folder)["turns/0003/state.json"] == was["turns/0003/state.json"]
    assert (folder / closing.CHRONICLE).is_dir() and (folder / closing.ARCHIVE).is_file()
    assert audit(campaigns.open_campaign(folder)).problems == []


def test_a_campaign_whose_end_was_taken_back_goes_on(fords: Path) -> None:
    by_the_gm(fords)
    assert run(fords, "turn") == 0
    assert run(fords, "undo") == 0
    (fords / "orders/0003/gm.yaml").unlink()
    assert run(fords, "turn") == run(fords, "turn") == 0
    assert not (fords / closing.CHRONICLE).exists()


def test_redo_makes_chronicle_and_archive_anew(fords: Path) -> None:
    by_the_calendar(fords)
    assert run(fords, "turn") == 0
    was = (fords / closing.ARCHIVE).read_bytes()
    file_orders(fords, LAST, "gm", "gm: [{grant: borderia, account: treasury, by: 7, reason: a mistake}]\n")
    assert run(fords, "redo", "--yes") == 0
    assert (fords / closing.ARCHIVE).read_bytes() != was
    page = (fords / "chronicle/borderia/index.html").read_text()
    assert str(the_standings(fords)[1].figures["treasury"]) in page


def test_a_chronicle_that_the_gm_keeps_there_stays_while_the_campaign_goes_on(fords: Path) -> None:
    assert run(fords, "chronicle", str(fords / closing.CHRONICLE)) == 0
    assert run(fords, "turn") == 0
    assert (fords / closing.CHRONICLE).is_dir()


def test_a_file_of_the_gm_s_that_is_called_like_the_archive_stays(
    fords: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(fords, closing.ARCHIVE, "my backup")
    assert run(fords, "turn") == 0
    file_orders(fords, LAST + 1, "gm", PEACE)
    assert run(fords, "turn") == 1  # the turn is kept, and nothing is written over
    said = capsys.readouterr()
    assert "Turn 4 of" in said.out and said.err.startswith("Turn 4 is kept. The chronicle and the archive could not")
    assert "archive.zip: This is no archive of a campaign" in said.err
    assert (fords / closing.ARCHIVE).read_text() == "my backup" and (fords / "turns/0004").is_dir()
    (fords / closing.ARCHIVE).unlink()
    assert run(fords, "run") == 0
    assert zipfile.is_zipfile(fords / closing.ARCHIVE)


# --- the archive


def test_the_archive_is_a_campaign_that_proves_itself(
    ended: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _ = ended
    there = unpacked(folder, tmp_path / "unpacked")
    assert there.name == "the-two-fords"
    assert run(there, "audit") == run(there, "replay") == 0
    assert run(there, "turn") == 1  # it is over there, too
    assert "There is no turn 4" in capsys.readouterr().err
    assert {file.name for file in there.iterdir()} - {".kingdom.lock"} == {
        "README.txt",
        "verify.py",
        "campaign.yaml",
        "chronicle",
        "kingdoms",
        "map.yaml",
        "rules.md",
        "turns",
    }
    for turn in range(LAST + 1):
        mine, theirs = (contents(each / "turns" / store.name_of(turn)) for each in (folder, there))
        assert mine == theirs
    assert contents(there / "chronicle") == contents(folder / "chronicle")


def test_the_same_turns_give_the_same_archive(over: tuple[Path, str]) -> None:
    folder, _ = over
    was = (folder / closing.ARCHIVE).read_bytes()
    shutil.rmtree(folder / closing.CHRONICLE)
    (folder / closing.ARCHIVE).unlink()
    assert run(folder, "run") == 0
    assert (folder / closing.ARCHIVE).read_bytes() == was


@pytest.mark.parametrize("typed", ["aaaa1", pytest.param("AAAA1", id="in capitals, as a mail may have it")])
def test_the_archive_has_no_address_and_no_token(typed: str, fords: Path, tmp_path: Path) -> None:
    """Not in the settings, and not where a player typed it into a file of orders; that file is named as altered."""
    head, players = small_realm.CAMPAIGN.rsplit("players", 1)
    write(fords, "campaign.yaml", f"{head}{MAIL}mail: {{address: orders@example.org}}\nalert: mail gwen@example.org\n")
    file_orders(fords, LAST, "examplia", f"token: {typed}\nclaim: 0204\n")
    by_the_gm(fords)
    assert run(fords, "turn", "--yes") == 0
    data = (fords / closing.ARCHIVE).read_bytes()
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        texts = {name: packed.read(name) for name in packed.namelist()}
    for word in (b"aaaa1", b"bbbb1", b"gggg1", b"@example.org"):
        assert [name for name, text in texts.items() if word in text.lower()] == []
    assert b"turns/0003/orders/examplia.yaml" in texts["the-two-fords/README.txt"]
    there = unpacked(fords, tmp_path / "unpacked")
    problems = audit(campaigns.open_campaign(there)).problems
    assert {Path(problem.file).name for problem in problems} == {"examplia.yaml"}


def test_the_archive_says_how_the_campaign_was_run(fords: Path, tmp_path: Path) -> None:
    by_the_calendar(fords)
    assert run(fords, "turn") == 0
    there = unpacked(fords, tmp_path / "unpacked")
    mine, theirs = (campaigns.open_campaign(each) for each in (fords, there))
    assert theirs.settings.ends == mine.settings.ends and theirs.settings.seed == mine.settings.seed
    assert campaigns.rules_today(theirs).digest == campaigns.rules_today(mine).digest
    assert "players" in load_yaml((there / "campaign.yaml").read_text())


def test_a_turn_that_was_taken_back_is_in_the_archive(fords: Path, tmp_path: Path) -> None:
    assert run(fords, "undo", "--reopen") == 0
    assert run(fords, "turn") == 0
    by_the_gm(fords)
    assert run(fords, "turn") == 0
    assert run(unpacked(fords, tmp_path / "unpacked"), "audit") == 0


# --- killed in between


@pytest.mark.parametrize("step", [pytest.param(61, marks=pytest.mark.long)])
def test_what_a_killed_turn_did_not_come_to_the_next_run_does(step: int, fords: Path, tmp_path: Path) -> None:
    """Killed at a call after the turn was kept: the next `run` makes what is missing, and all is as if nothing had happened."""
    by_the_gm(fords)
    whole = Path(shutil.copytree(fords, tmp_path / "whole"))
    with pytest.MonkeyPatch.context() as patch:
        calls = Calls(patch, whole, CALLS, at=0)
        assert run(whole, "turn") == 0
    assert run(whole, "run") == 0
    expected = proper(whole)
    seen = set()
    for number in range(
        calls.count, 0, -step
    ):  # every so many calls, from the last one back to the renaming of the turn
        folder = Path(shutil.copytree(fords, tmp_path / f"killed-{number}"))
        with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
            Calls(patch, folder, CALLS, at=number)
            run(folder, "turn")
        if not (folder / "turns/0003").is_dir():
            break
        seen.add(((folder / closing.CHRONICLE).exists(), (folder / closing.ARCHIVE).exists()))
        assert run(folder, "run") == 0
        assert proper(folder) == expected, f"killed at call {number} of {calls.count}"
        shutil.rmtree(folder)
    assert (False, False) in seen and (True, False) in seen


def proper(folder: Path) -> dict[str, bytes]:
    """Everything but what a killed run left for the next one to clear away; the journal has times in it."""
    undo.clear(campaigns.open_campaign(folder))
    return {name: data for name, data in contents(folder).items() if not name.startswith((".", "mail/"))}


# --- by mail


@pytest.fixture(scope="module")
def mailed(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The campaign by mail, a week before its last turn is due."""
    folder = Path(shutil.copytree(made, tmp_path_factory.mktemp("mailed") / "fords"))
    head = small_realm.CAMPAIGN.rsplit("players", 1)[0]
    write(folder, "campaign.yaml", head + MAIL + "missing_limit: 1\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "now", lambda: FRIDAY + WEEK + HOUR)
        assert run(folder, "run") == 0
    return folder


@pytest.fixture
def weeks(
    mailed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Campaign:
    """The same, to be changed."""
    campaign = Campaign(Path(shutil.copytree(mailed, tmp_path / "fords")), monkeypatch, capsys)
    campaign.now = FRIDAY + WEEK + HOUR
    return campaign


def test_the_last_report_goes_to_all_with_the_archive(weeks: Campaign) -> None:
    by_the_gm(weeks.folder)
    said = weeks.run(at=FRIDAY + 2 * WEEK + HOUR)
    assert "The campaign is over: the GM ended it: peace was made." in said
    letters = weeks.out("report-0003")
    assert [mail["To"] for mail in letters] == ["bo@example.org", "ada@example.org", "gwen@example.org"]
    for mail in letters:
        assert SEED in text_of(mail) and "The archive of the whole campaign goes with this mail" in text_of(mail)
        (packed,) = [part for part in mail.walk() if part.get_content_type() == "application/zip"]
        assert packed.get_filename() == "the-two-fords.zip"
        assert packed.get_payload(decode=True) == (weeks.folder / closing.ARCHIVE).read_bytes()
    before = contents(weeks.folder)
    assert weeks.run(at=FRIDAY + 3 * WEEK + HOUR) == "The campaign is over: the GM ended it: peace was made.\n"
    assert contents(weeks.folder) == before  # no reminder, no warning, no second report


def test_an_archive_too_large_for_a_mail_is_told_of(weeks: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reporting, "LARGEST_ARCHIVE", 1000)
    by_the_gm(weeks.folder)
    weeks.run(at=FRIDAY + 2 * WEEK + HOUR)
    for mail in weeks.out("report-0003"):
        assert "is too large for a mail" in text_of(mail)
        assert "application/zip" not in [part.get_content_type() for part in mail.walk()]
    assert str(weeks.folder / closing.ARCHIVE) in text_of(weeks.out("report-0003", "gwen")[0]).replace(" ", "")


def test_who_gave_up_the_seat_and_who_was_destroyed_get_the_last_report_too(weeks: Campaign) -> None:
    write(
        weeks.folder,
        "mail/inbox/9.eml",
        (
            "Received: from there by here; Thu, 17 Dec 2026 12:00:00 +0000\nFrom: Bo <bo@example.org>\nSubject: resign [bbbb1]\n"
            "Date: Thu, 17 Dec 2026 12:00:00 +0000\nMessage-ID: <9@example.org>\n\n\n"
        ),
    )
    file_orders(
        weeks.folder,
        LAST,
        "gm",
        'gm: [{retire: examplia, reason: a flood}, {finish: campaign, reason: "peace was made"}]\n',
    )
    weeks.run(at=FRIDAY + 2 * WEEK + HOUR)
    assert Journal(weeks.folder / "mail").resigned.keys() == {"borderia"}
    assert sorted(mail["To"] for mail in weeks.out("report-0003")) == [
        "ada@example.org",
        "bo@example.org",
        "gwen@example.org",
    ]
    (row,) = [row for row in the_standings(weeks.folder) if row.seat == "examplia"]
    assert (row.place, row.out) == (2, "destroyed")
    assert "destroyed" in text_of(weeks.out("report-0003", "ada")[0])


def test_orders_that_come_after_the_end_are_answered(weeks: Campaign) -> None:
    by_the_gm(weeks.folder)
    weeks.run(at=FRIDAY + 2 * WEEK + HOUR)
    write(
        weeks.folder,
        "mail/inbox/9.eml",
        (
            "Received: from there by here; Sat, 19 Dec 2026 12:00:00 +0000\nFrom: Ada <ada@example.org>\nSubject: Orders examplia 4 [aaaa1]\n"
            "Date: Sat, 19 Dec 2026 12:00:00 +0000\nMessage-ID: <9@example.org>\n\nclaim: 0204\n"
        ),
    )
    weeks.run(at=FRIDAY + 2 * WEEK + 20 * HOUR)
    (answer,) = weeks.out("answer")
    assert "The campaign is over: the GM ended it: peace was made." in text_of(answer)


def test_who_asks_how_it_stands_hears_that_it_is_over(weeks: Campaign) -> None:
    by_the_gm(weeks.folder)
    weeks.run(at=FRIDAY + 2 * WEEK + HOUR)
    write(
        weeks.folder,
        "mail/inbox/9.eml",
        (
            "Received: from there by here; Sat, 19 Dec 2026 12:00:00 +0000\nFrom: Ada <ada@example.org>\nSubject: status [aaaa1]\n"
            "Date: Sat, 19 Dec 2026 12:00:00 +0000\nMessage-ID: <9@example.org>\n\n\n"
        ),
    )
    weeks.run(at=FRIDAY + 2 * WEEK + 20 * HOUR)
    (answer,) = weeks.out("answer")
    assert "The two fords is over: the GM ended it: peace was made." in text_of(answer) and "due" not in text_of(answer)


# --- any game


def test_a_game_that_has_no_standings_of_its_own_is_ranked_by_accounts(tmp_path: Path) -> None:
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    write(folder, "campaign.yaml", tiny_game.CAMPAIGN + "ends: {turn: 1}\n")
    assert main(["turn", str(folder)]) == 0
    file_orders(folder, 1, "ann", "take: 3\nbury: 3\n")
    assert main(["turn", str(folder)]) == 0
    campaign = campaigns.open_campaign(folder)
    turn = campaigns.kept(campaign)
    state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
    rows = standings(campaign.game, state, rules, ("buried", "coins"))
    assert [(row.place, row.seat, row.figures["buried"]) for row in rows] == [(1, "ann", 3), (2, "bob", 0)]
    assert [row.place for row in standings(campaign.game, state, rules, ())] == [
        1,
        1,
    ]  # nothing counts: nobody is first
    assert (folder / closing.ARCHIVE).is_file() and "no map" in (folder / "chronicle/public/index.html").read_text()


def test_who_has_the_same_of_all_that_counts_shares_a_place() -> None:
    campaign_rows = [
        ("b", "B", {"size": 3}, ""),
        ("a", "A", {"size": 3}, ""),
        ("c", "C", {"size": 9}, "destroyed"),
        ("d", "D", {"size": 1}, ""),
    ]
    game = structs.replace(GAME, scoring=structs.replace(GAME.scoring, rows=lambda state, rules, counts: campaign_rows))
    assert [(row.place, row.seat) for row in standings(game, None, None, ("size",))] == [
        (1, "a"),
        (1, "b"),
        (3, "d"),
        (4, "c"),
    ]
