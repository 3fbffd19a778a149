"""`kingdom status`: who has filed and with which problems, what is asked and open, the deadline; and that it looks once."""

from __future__ import annotations

import json
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from kingdom.campaign import checked, clock
from kingdom.cli.main import main
from kingdom.games.kings_progress.game import GAME as KINGS_PROGRESS
from kingdom.orders import cache
from kingdom.render.plain_text import width
from tests.kit import archives, postkit, small_realm, tiny_game
from tests.kit.mailkit import NOW
from tests.kit.tiny_game import file_orders, write

CALENDAR = "calendar: {deadline: 2026-12-04T18:00, zone: Europe/Berlin, every: 7d, extend: {3: 2d}}\n"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign with two kept turns; Borderia's orders for the third lie there."""
    return small_realm.played(tmp_path_factory.mktemp("kept") / "fords")


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    return shutil.copytree(kept, tmp_path / "fords")


@pytest.fixture
def status(capsys: pytest.CaptureFixture):
    """What it says of a campaign: lines, or with `as_json` the JSON."""

    def say(folder: Path, as_json: bool = False) -> Any:
        capsys.readouterr()
        assert main(["status", str(folder), *(["--json"] if as_json else [])]) == 0
        out = capsys.readouterr().out
        return json.loads(out) if as_json else out.splitlines()

    return say


def under(lines: list[str], seat: str) -> list[str]:
    """The line of a seat and what stands under it."""
    start = next(index for index, line in enumerate(lines) if line.startswith(f"{seat} "))
    rest = lines[start + 1 :]
    more = next((index for index, line in enumerate(rest) if not line.startswith("   ")), len(rest))
    return [lines[start], *(line.strip() for line in rest[:more])]


# --- what is filed


def test_a_filing_with_problems_is_told_with_the_first_of_them(folder: Path, status) -> None:
    file_orders(folder, 3, "examplia", "clame: 0102\nbuild: [{in: Oakhold, build: hose}]\n")
    said = under(status(folder), "examplia")
    assert said[0].endswith(", 2 problems")
    assert said[1:] == ["problem 3:1: `clame` is not a key here. Did you mean `claim`?"]
    assert len(status(folder, True)["seats"]["examplia"]["problems"]) == 2


def test_what_will_be_refused_is_told_before_it_is(folder: Path, status) -> None:
    file_orders(folder, 3, "examplia", "claim: 0606 0505\nfinal: true\n")
    said = under(status(folder), "examplia")
    assert said[0].endswith(", final, 2 refusals") and said[1].startswith("refused claim[0]: ")
    found = status(folder, True)["seats"]["examplia"]
    assert [each["order"] for each in found["refusals"]] == ["claim[0]", "claim[1]"] and found["final"] is True
    assert set(found["refusals"][0]) == {"order", "code", "reason"}


def test_the_gms_orders_are_checked_too(folder: Path, status) -> None:
    file_orders(folder, 3, "gm", 'gm: [{reveal: "0909", to: all, reason: "a map"}]\n')
    assert under(status(folder), "GM")[1].startswith("refused gm[0]: There is no hex 0909 on the map")


def test_a_mended_file_is_looked_at_anew(folder: Path, status) -> None:
    file_orders(folder, 3, "examplia", "clame: 0102\n")
    assert "1 problem" in under(status(folder), "examplia")[0]
    file_orders(folder, 3, "examplia", "claim: 0102\n")
    assert "problem" not in under(status(folder), "examplia")[0]


def test_where_nothing_changed_the_game_is_not_loaded_again(
    folder: Path, status, monkeypatch: pytest.MonkeyPatch
) -> None:
    file_orders(folder, 3, "examplia", "clame: 0102\n")
    once = status(folder)
    monkeypatch.setattr(checked, "_verdict", lambda *given: pytest.fail("it was looked at again"))
    assert status(folder) == once


@pytest.mark.parametrize("changed", ["campaign.yaml", "orders/0003/borderia.yaml"])
def test_whatever_it_was_found_from_changes_what_it_is_remembered_by(
    folder: Path, changed: str, tmp_path: Path
) -> None:
    def name() -> str:
        files = {"borderia": (folder / "orders/0003/borderia.yaml").read_bytes()}
        return checked._name(folder, "realm", 2, files)

    before = name()
    assert before == name()
    (folder / changed).write_bytes((folder / changed).read_bytes() + b"# more\n")
    assert name() != before
    assert checked._name(folder, "realm", 1, {}) != checked._name(folder, "realm", 2, {})
    assert checked._name(folder, "realm", 2, {"gm": b"x"}) != checked._name(folder, "realm", 2, {"examplia": b"x"})


def test_without_a_cache_it_says_the_same(folder: Path, status, monkeypatch: pytest.MonkeyPatch) -> None:
    file_orders(folder, 3, "examplia", "clame: 0102\n")
    once = status(folder)
    monkeypatch.setenv("KINGDOM_CACHE", "off")
    assert status(folder) == once and cache.get(checked._name(folder, "realm", 2, {})) is None


def test_a_campaign_that_is_broken_still_has_a_status(folder: Path, status, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINGDOM_CACHE", "off")  # what was found of the same turn before is not looked at again
    (folder / "turns/0002/state.json").write_text("{}")
    said = " ".join(" ".join(status(folder)).split())
    assert "examplia nothing filed" in said
    assert "state.json:Thefileisnotasitwaskept" in said.replace(" ", "")  # a long path is cut where the line ends


# --- seats


def test_a_destroyed_seat_is_shown_as_such(status) -> None:
    lines = status(archives.example("greenmarch"))
    assert under(lines, "dunmoor") == ["dunmoor   destroyed"]
    seats = status(archives.example("greenmarch"), True)["seats"]
    assert seats["dunmoor"]["out"] == "destroyed" and seats["examplia"]["out"] == seats["gm"]["out"] == ""


def test_a_seat_that_joins_later_is_no_missing_one(tmp_path: Path, status) -> None:
    folder = shutil.copytree(archives.example("war-of-the-ford"), tmp_path / "ford")
    for turn in range(2, 15):
        shutil.rmtree(folder / f"turns/{turn:04}")
        shutil.rmtree(folder / f"orders/{turn:04}", ignore_errors=True)
    assert under(status(folder), "skarn") == ["skarn      joins in turn 4"]


def test_what_is_asked_is_told_with_its_default_until_it_is_answered(tmp_path: Path, status) -> None:
    folder = shutil.copytree(archives.example("war-of-the-ford"), tmp_path / "ford")
    (asked,) = status(folder, True)["seats"]["hartmark"]["questions"]
    assert set(asked) == {"key", "question", "default", "answered"} and not asked["answered"]
    title, default = asked["question"].partition(":")[0], asked["default"].replace("_", " ")
    assert under(status(folder), "hartmark")[1].strip() == f"{title}: not answered yet ({default}, if it stays so)"
    file_orders(folder, 15, "hartmark", f"answers: {{{asked['key']}: {asked['default']}}}\n")
    assert status(folder, True)["seats"]["hartmark"]["questions"][0]["answered"] is True
    assert len(under(status(folder), "hartmark")) == 1


def test_what_players_asked_the_gm_is_told_without_any_mail(folder: Path, status) -> None:
    assert "  - examplia, request 1: May I dig?" in status(folder)
    assert status(folder, True)["requests"] == ["examplia, request 1: May I dig?"]


def test_a_campaign_that_is_over_says_so_and_waits_for_nobody(folder: Path, status) -> None:
    write(folder, "campaign.yaml", small_realm.CAMPAIGN + CALENDAR + "ends: {turn: 2}\n")
    lines = status(folder)
    assert lines[0] == "The two fords (realm): over, turn 2 is kept."
    assert lines[2] == "There is no turn 3: turn 2 was the last (`ends` in campaign.yaml)." and len(lines) == 3
    assert status(folder, True)["over"] == "turn 2 was the last (`ends` in campaign.yaml)"


# --- the deadline


def at(monkeypatch: pytest.MonkeyPatch, day: int, hour: int) -> None:
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 12, day, hour, tzinfo=UTC))


@pytest.mark.parametrize(
    ("day", "hour", "said"),
    [(1, 0, "(Europe/Berlin)."), (19, 17, "(Europe/Berlin): in 24 hours."), (20, 16, "(Europe/Berlin): in 60 minutes."),
     (20, 22, "(Europe/Berlin): 5 hours ago."), (29, 0, "(Europe/Berlin).")],
)  # fmt: skip
def test_how_far_off_the_deadline_is_is_told_where_it_is_near(
    folder: Path, status, monkeypatch: pytest.MonkeyPatch, day: int, hour: int, said: str
) -> None:
    write(folder, "campaign.yaml", small_realm.CAMPAIGN + CALENDAR)
    at(monkeypatch, day, hour)
    assert status(folder)[1] == f"Orders are due on Sunday 20 December 2026, 18:00 {said}"


def test_by_how_much_it_was_moved_and_by_whom(folder: Path, status) -> None:
    write(folder, "campaign.yaml", small_realm.CAMPAIGN + CALENDAR)
    (folder / "mail").mkdir()
    journal = {"at": "2026-12-01T00:00:00+00:00", "event": "put_off", "message": "a" * 64, "turn": 3, "by": "1d"}
    (folder / "mail/journal.jsonl").write_text(json.dumps(journal) + "\n")
    lines = " ".join(" ".join(status(folder)).split())
    assert "Monday 21 December 2026" in lines
    assert (
        "That is later by 2d from turn 3 on (`extend` in campaign.yaml), 1d from turn 3 on (the GM by mail)." in lines
    )
    assert status(folder, True)["moved"] == [
        {"turn": 3, "by": "2d", "who": "campaign.yaml"},
        {"turn": 3, "by": "1d", "who": "mail"},
    ]


def test_orders_that_came_by_mail_are_told_with_their_time(
    tmp_path: Path, status, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW)
    post = postkit.fresh(postkit.campaign(tmp_path / "made"), tmp_path / "campaign")
    assert post.mail("examplia", "taxation: light\n").outcome == "accepted"
    found = status(post.folder, True)["seats"]
    assert datetime.fromisoformat(found["examplia"]["at"]) == NOW.replace(second=0) and found["borderia"]["at"] is None
    assert re.search(
        r"^filed by mail on \d{4}-\d\d-\d\d \d\d:\d\d, receipt [0-9a-f]{12}",
        under(status(post.folder), "examplia")[0].split("  ")[1],
    )


# --- one screen


def test_eight_seats_fit_on_one_screen(tmp_path: Path, status) -> None:
    folder = tmp_path / "eight"
    assert main(["new", str(folder), "--kingdoms", "8"]) == 0
    settings = (folder / "campaign.yaml").read_text()
    write(folder, "campaign.yaml", re.sub(r"(?m)^seed: \S+", "seed: public, for a test\npublic_seed: true", settings))
    assert main(["turn", str(folder)]) == 0
    seats = [file.stem for file in sorted((folder / "kingdoms").iterdir())]
    for seat in seats[:4]:
        file_orders(folder, 1, seat, "claim: 9999\nclame: 1\n")
    lines = status(folder)
    assert len(lines) <= 24 and max(map(width, lines)) <= 80 and len(seats) == 8
    assert all(under(lines, seat)[1].startswith("problem 4:1: ") for seat in seats[:4])


def test_a_game_without_sheets_of_questions_has_a_status_too(tmp_path: Path, status) -> None:
    tiny_game.register()
    folder = tiny_game.played(tmp_path / "tally")
    file_orders(folder, 3, "ann", "take: 99\n")
    file_orders(folder, 3, "bob", "tak: 1\n")
    lines = status(folder)
    assert under(lines, "ann")[1].startswith("refused take: ") and under(lines, "bob")[1].startswith("problem 3:1: ")


def test_nothing_in_a_players_words_reaches_the_terminal(folder: Path, status) -> None:
    file_orders(
        folder,
        3,
        "examplia",
        'build: "house in \u202eevil\u202c"\nsettle: "王国王国王国王国王国王国王国王国王国王国王国王国王国王国王国王国 0102"\n',
    )
    text = "\n".join(status(folder))
    assert "\u202e" not in text and all(width(line) <= 80 for line in text.split("\n"))


def test_of_a_turn_for_one_seat_it_says_who_is_not_asked(tmp_path: Path, status) -> None:
    """In the strict pace of this game one seat after the other decides; alice begins."""
    for name, text in KINGS_PROGRESS.opening.new(3, {"name": "One by one", "seed": "public", "bots": 1}).items():
        write(tmp_path, name, text)
    write(tmp_path, "table.yaml", "clockwise: [alice, bob, cara]\nfirst_chancellor: alice\n")
    write(
        tmp_path,
        "campaign.yaml",
        (tmp_path / "campaign.yaml").read_text() + "rules: {pace: strict}\npublic_seed: true\n",
    )
    assert main(["turn", str(tmp_path)]) == 0
    file_orders(tmp_path, 1, "bob", "messages: [{to: all, text: Well met.}]\n")
    lines = status(tmp_path)
    assert under(lines, "alice")[0].endswith("nothing filed") and under(lines, "cara")[0].endswith(
        "not asked in this turn"
    )
    assert "filed, receipt" in under(lines, "bob")[0]
    assert {seat: stands["asked"] for seat, stands in status(tmp_path, as_json=True)["seats"].items()} == {
        "alice": True, "bob": False, "cara": False, "gm": True,
    }  # fmt: skip
