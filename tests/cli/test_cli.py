"""The command line as users type it: every command and option, right and wrong, and what reaches the terminal.

What a turn, undo, redo, audit and replay do to the files is in test_campaign.py, test_history.py and test_audit.py.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import subprocess
import sys
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from kingdom import __version__
from kingdom.cli import program, table
from kingdom.cli.main import main
from kingdom.engine import game
from tests.kit import small_realm
from tests.kit.rows import sampled
from tests.kit.tiny_game import contents, file_orders, write

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "campaigns" / "greenmarch"
ESC, RIGHT_TO_LEFT = "\x1b[31m", "\N{RIGHT-TO-LEFT OVERRIDE}"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign with two kept turns and orders for the third. For tests that change nothing."""
    return small_realm.played(tmp_path_factory.mktemp("kept") / "fords")


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    """The same, for tests that change something."""
    return shutil.copytree(kept, tmp_path / "fords")


class Said:
    """What a command came to."""

    def __init__(self, code: int, out: str, err: str):
        self.code, self.out, self.err = code, out, err

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def kingdom(capsys: pytest.CaptureFixture):
    """Type a command."""

    def type_(*words: object) -> Said:
        capsys.readouterr()
        try:
            code = main([str(word) for word in words])
        except SystemExit as left:  # as --help and --version end
            code = left.code
        return Said(code, *capsys.readouterr())

    return type_


def process(*words: object, **more) -> subprocess.Popen:
    """The command as a process of its own."""
    command = [sys.executable, "-c", "from kingdom.cli.main import main; raise SystemExit(main())", *map(str, words)]
    environment = os.environ | more.pop("env", {})
    return subprocess.Popen(command, env=environment | {"PYTHONPATH": str(ROOT)}, text=True, encoding="utf-8", **more)


# --- help and wrong usage


def test_help_names_every_command_and_every_command_has_help(kingdom) -> None:
    said = kingdom("--help")
    assert said.code == 0 and said.err == ""
    for name in table.COMMANDS:
        assert re.search(rf"^    {name} +\S", said.out, re.M), name
        help_ = kingdom(name, "--help")
        assert help_.code == 0 and help_.out.startswith(f"usage: kingdom {name} ")
        assert max(map(len, help_.out.splitlines())) < 80


def test_help_lists_each_command_once_in_a_group(kingdom) -> None:
    assert [*table.GROUPS] == ["Play", "Look", "Mail", "Repair", "Share"]
    assert sorted(name for names in table.GROUPS.values() for name in names) == sorted(table.COMMANDS)
    lines = kingdom("--help").out.splitlines()
    assert [line[:-1] for line in lines if re.fullmatch(r"[A-Z]\w+:", line)] == [*table.GROUPS]
    listed = [re.match(r"    ([a-z]+(?: [a-z]+)?)  ", line) for line in lines]
    assert [found[1] for found in listed if found] == [name for names in table.GROUPS.values() for name in names]


@pytest.mark.parametrize("typed", ["", "-h", "help", "--debug", "--debug --help"])
def test_the_program_alone_shows_its_help(kingdom, typed: str) -> None:
    assert vars(kingdom(*typed.split())) == vars(kingdom("--help"))


@pytest.mark.parametrize("typed", ["help turn", "--help turn", "help TURN"])
def test_help_explains_a_command(kingdom, typed: str) -> None:
    assert vars(kingdom(*typed.split())) == vars(kingdom("turn", "--help"))


@pytest.mark.parametrize("typed", ["tour-gm", "tour_gm", "tour gm", "Tour-GM", "tour-gm.md", "docs/tour-gm.md"])
def test_help_shows_a_page_of_the_docs(kingdom, typed: str) -> None:
    said = kingdom("help", *typed.split())
    assert (said.code, said.err) == (0, "")
    page = (ROOT / "docs/tour-gm.md").read_text(encoding="utf-8").rstrip("\n") + "\n"
    page = re.sub(r"<!-- /?checkout -->\n|<!-- installed\n.*?^-->\n", "", page, flags=re.M | re.S)
    assert said.out == page.replace("scripts/kingdom ", "kingdom ")


def test_help_explains_a_command_before_the_page_of_its_name(kingdom) -> None:
    command, page = kingdom("help", "rules"), kingdom("help", "rules.md")
    shown = kingdom("rules", "--help").out + "\n`kingdom help rules.md` shows the page of that name.\n"
    assert command.out == shown and page.out.startswith("# The rules of ")


def test_help_lists_the_commands_of_a_first_word_above_its_page(kingdom) -> None:
    commands = kingdom("mail", "--help").out
    assert re.findall(r"^    mail (\w+)", commands, re.M) == ["fetch", "send", "check", "log", "accept"]
    assert kingdom("help", "mail").out.startswith(commands + "\n# A campaign by mail\n")
    assert kingdom("help", "mail", "log").out == kingdom("mail", "log", "--help").out


@pytest.mark.parametrize("name", game.names())
def test_help_shows_the_rules_of_a_game_without_a_campaign(kingdom, name: str) -> None:
    said = kingdom("help", name)
    assert said.code == 0 and said.out.startswith(f"# The rules of {game.load(name).title}")


@pytest.mark.parametrize(
    ("topic", "cure"),
    {"trun": "turn", "mail chekc": "mail check", "tour-gn": "tour-gm", "kings_puch": "kings_pouch", "zzz": ""}.items(),
)
def test_an_unknown_topic_is_told_with_the_nearest_and_the_list(kingdom, topic: str, cure: str) -> None:
    said = kingdom("help", *topic.split())
    first, *listed = said.err.splitlines()
    cure = f" Did you mean `kingdom help {cure}`?" if cure else ""
    assert (said.code, said.out, first) == (2, "", f"kingdom help: there is nothing on `{topic}`.{cure}")
    named = re.split(r", |\s?\w+: ", " ".join(line.strip() for line in listed))
    assert {*table.COMMANDS, "tour-player", "contract", *game.names()} <= set(named)


def test_version(kingdom) -> None:
    assert (kingdom("--version").out, kingdom("--version").code) == (f"kingdom {__version__}\n", 0)


@pytest.mark.parametrize(
    ("typed", "said"),
    {
        "--verison": "kingdom: `--verison` is no option here. Did you mean `--version`? `kingdom --help` lists them all.",
        "tunr X": "kingdom: there is no command `tunr`. Did you mean `turn`? `kingdom --help` lists them all.",
        "trun X": "kingdom: there is no command `trun`. Did you mean `turn`? `kingdom --help` lists them all.",
        "xyzzy": "kingdom: there is no command `xyzzy`. `kingdom --help` lists them all.",
        "turn": (
            "kingdom turn: which campaign? Name its folder (`kingdom turn CAMPAIGN`), type this inside it, "
            "or name it in the variable KINGDOM_CAMPAIGN."
        ),
        "turn X Y": "kingdom turn: `Y` is one word too many. `kingdom turn --help` says more.",
        "turn X --dryrun": "kingdom turn: `--dryrun` is no option here. Did you mean `--dry-run`? `kingdom turn --help` says more.",
        "turn X --dry": "kingdom turn: `--dry` is no option here. Did you mean `--dry-run`? `kingdom turn --help` says more.",
        "turn X --dice": "kingdom turn: --dice: expected one argument. `kingdom turn --help` says more.",
        "undo X --reopn=1": "kingdom undo: `--reopn` is no option here. Did you mean `--reopen`? `kingdom undo --help` says more.",
        "check X": (
            "kingdom check: which campaign? Name its folder (`kingdom check ORDERS --campaign CAMPAIGN`), type this inside it, "
            "or name it in the variable KINGDOM_CAMPAIGN."
        ),
        "show X --turn first": "kingdom show: --turn: first is no turn; write its number, such as 3. `kingdom show --help` says more.",
        "show X --turn -1": "kingdom show: --turn: -1 is no turn; write its number, such as 3. `kingdom show --help` says more.",
        "replay X --turn 1-2": "kingdom replay: --turn: 1-2 is no turn; write its number, such as 3. `kingdom replay --help` says more.",
        "new X --size 12": (
            "kingdom new: --size: 12 is no size; write columns and rows from 1 to 99, such as 12x10. `kingdom new --help` says more."
        ),
        "new X --kingdoms two": "kingdom new: --kingdoms: two is no number. `kingdom new --help` says more.",
        "ledger X --turn 3-1": (
            "kingdom ledger: --turn: 3-1 runs backwards; write the earlier turn first, such as 1-3. `kingdom ledger --help` says more."
        ),
        "ledger X --by colour": (
            "kingdom ledger: --by: `colour` is nothing to sum by; these are: turn, seq, phase, step, kingdom, account, cause, detail. "
            "`kingdom ledger --help` says more."
        ),
        "dice": "kingdom dice: the following arguments are required: KEY. `kingdom dice --help` says more.",
        "dice 5c0e": "kingdom dice: KEY: it has 64 digits, 0 to 9 and a to f. `kingdom dice --help` says more.",
        f"dice {'a' * 64} economy": (
            "kingdom dice: NAME:COUNT:SIDES: economy is no roll; write NAME:COUNT:SIDES, such as economy:1:20. "
            "`kingdom dice --help` says more."
        ),
        "games realm": "kingdom games: `realm` is one word too many. `kingdom games --help` says more.",
    }.items(),
)
def test_wrong_usage_is_one_helpful_line_and_code_2(kingdom, typed: str, said: str) -> None:
    found = kingdom(*typed.split())
    assert (found.code, found.out, found.err) == (2, "", said + "\n")


@pytest.mark.parametrize("word", [*table.COMMANDS])
def test_no_command_takes_an_option_by_half_its_name(kingdom, word: str) -> None:
    assert kingdom(word, "--deb").code == 2


# --- campaigns and files that are not there


NO_CAMPAIGN = (
    "There is no campaign here: a campaign is a folder with a campaign.yaml. Name one, type this inside one, "
    "or name one in the variable KINGDOM_CAMPAIGN. `kingdom new` makes one."
)
CAMPAIGN_FIRST = ["turn", "show", "map", "status", "ledger", "audit", "replay", "undo", "redo"]


@pytest.mark.parametrize("command", CAMPAIGN_FIRST)
@pytest.mark.parametrize("what", ["nowhere", "an empty folder", "a file"])
def test_what_is_no_campaign_is_told_and_stays_as_it_is(kingdom, tmp_path: Path, command: str, what: str) -> None:
    place = tmp_path / "place"
    if what == "an empty folder":
        place.mkdir()
    elif what == "a file":
        place.write_text("name: The Greenmarch\n")
    found = kingdom(command, place)
    archive = "This is no archive of a campaign that can be unpacked: File is not a zip file."  # audit proves archives as well
    said = archive if (command, what) == ("audit", "a file") else NO_CAMPAIGN
    assert (found.code, found.out, found.err) == (1, "", f"{place}: {said}\n")
    assert (list(place.iterdir()) if place.is_dir() else place.exists()) == ([] if place.is_dir() else what == "a file")


@pytest.mark.parametrize("words", [["check", "FILE", "--campaign", "FOLDER"], ["turn", "FOLDER", "--dice", "FILE"]])
@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("missing", "No such file or directory"),
        ("a folder", "Is a directory"),
        ("a link in a circle", "Too many levels of symbolic links"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(kingdom, folder: Path, words: list[str], what: str, said: str) -> None:
    file = folder / "typed.yaml"
    if what == "a folder":
        file.mkdir()
    elif what == "a link in a circle":
        file.symlink_to(file)
    before = contents(folder)
    found = kingdom(*({"FILE": file, "FOLDER": folder}.get(word, word) for word in words))
    assert (found.code, found.out, found.err) == (1, "", f"{file}: This can't be read: {said}.\n")
    assert contents(folder) == before


def test_a_file_that_may_not_be_read_is_named(kingdom, folder: Path, monkeypatch) -> None:
    file, opened = folder / "orders/0003/borderia.yaml", os.open

    def refused(path, *flags, **more):  # as the system says it to all but root
        if Path(path) == file:
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return opened(path, *flags, **more)

    monkeypatch.setattr(os, "open", refused)
    found = kingdom("check", file, "--campaign", folder)
    assert (found.code, found.err) == (1, f"{file}: This can't be read: Permission denied.\n")


@pytest.mark.parametrize("words", [["map", "--to"], ["ledger", "--csv"]])
@pytest.mark.parametrize("place", ["nowhere/file.txt", "folder.txt"])
def test_a_file_that_cannot_be_written_is_named(
    kingdom, folder: Path, tmp_path: Path, words: list[str], place: str
) -> None:
    (tmp_path / "folder.txt").mkdir()
    found = kingdom(words[0], folder, words[1], tmp_path / place)
    assert found.code == 1 and found.out == ""
    assert re.fullmatch(
        rf"{re.escape(str(tmp_path / place))}: This can't be written: [^\n]*run this again\.\n", found.err
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "exampla"], "There is no kingdom `exampla` in this campaign. Did you mean `examplia`?"),
        (["show", "gm"], "There is no kingdom `gm` in this campaign. Known are: borderia, examplia."),
        (["map", "--seat", "bordaria"], "There is no kingdom `bordaria` in this campaign. Did you mean `borderia`?"),
        (["show", "--turn", "3"], "There is no kept turn 3; the newest is 2."),
        (["replay", "--turn", "9"], "There is no kept turn 9; the newest is 2."),
        (["ledger", "--turn", "7-9"], "There is no kept turn 7; the newest is 2."),
        (["ledger", "--kingdom", "bordeia"], "No entry can have the kingdom `bordeia`. Did you mean `borderia`?"),
        (["ledger", "--account", "tresury"], "No entry can have the account `tresury`. Did you mean `treasury`?"),
        (["ledger", "--cause", "buld"], "No entry can have the cause `buld`. Did you mean `build`?"),
        (
            ["ledger", "--phase", "night"],
            "No entry can have the phase `night`. Known are: edict, event, gm, income, upkeep.",
        ),
    ],
)
def test_what_the_campaign_does_not_have_is_told_with_the_nearest_word(
    kingdom, kept: Path, words: list[str], said: str
) -> None:
    found = kingdom(words[0], kept, *words[1:])
    assert (found.code, found.out, found.err) == (1, "", f"{kept}: {said}\n")


# --- the program as its user typed it

TYPED = (
    (["scripts/kingdom"], "scripts/kingdom"),
    ([f"{ROOT}/scripts/kingdom"], f"{ROOT}/scripts/kingdom"),
    (["LINKED"], "LINKED"),  # with a space in it
    (["kingdom"], "kingdom"),
    ([sys.executable, "-m", "kingdom"], f"{sys.executable} -m kingdom"),
    ([sys.executable, "-X", "utf8", "-m", "kingdom"], f"{sys.executable} -X utf8 -m kingdom"),
    ([sys.executable, "-c", "from kingdom.cli.start import run; raise SystemExit(run())"], "kingdom"),
)


@pytest.mark.parametrize(("typed", "said"), TYPED)
def test_printed_commands_begin_as_the_program_was_typed(
    kept: Path, tmp_path: Path, typed: list[str], said: str
) -> None:
    linked = tmp_path / "my folder" / "kingdom"
    linked.parent.mkdir()
    linked.symlink_to(ROOT / "scripts/kingdom")
    typed = [str(linked) if word == "LINKED" else word for word in typed]
    said = said.replace("LINKED", f"'{linked}'")
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    if typed == ["kingdom"]:
        environment["PATH"] = f"{ROOT}/scripts:{environment['PATH']}"

    def printed(*words: str) -> str:
        done = subprocess.run([*typed, *words], cwd=ROOT, env=environment, capture_output=True, text=True)
        return done.stdout + done.stderr

    assert (
        printed("tunr")
        == f"kingdom: there is no command `tunr`. Did you mean `turn`? `{said} --help` lists them all.\n"
    )
    assert printed("games", "--help").startswith(f"usage: {said} games")


def test_only_commands_in_what_is_printed_are_changed() -> None:
    worded = program.wording("scripts/kingdom")
    for text in ("the kingdom turn 3", "`kingdom examplia` has no colon", "kingdom turn: `x` is one word too many"):
        assert worded(text) == text
    assert worded("`kingdom mail log` shows them") == "`scripts/kingdom mail log` shows them"


def test_mails_and_kept_files_say_kingdom_however_it_was_typed(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "own"], "scripts/kingdom") == 0
    assert "then type: scripts/kingdom turn own\n" in capsys.readouterr().out
    settings = (tmp_path / "own/campaign.yaml").read_text()
    write(
        tmp_path / "own", "campaign.yaml", settings.replace("gm: {name: Gm,", "gm: {name: Gm, email: gm@example.org,")
    )
    assert main(["run", "own"], "scripts/kingdom") == 0
    (mail,) = (tmp_path / "own/mail/outbox").glob("report-0000-gm-*.eml")
    text = message_from_bytes(mail.read_bytes(), policy=policy.default).get_body(("plain",)).get_content()
    assert "`kingdom invite own KINGDOM EMAIL --name NAME`" in " ".join(text.split())
    assert "# Without a calendar there is no deadline: `kingdom turn` resolves " in settings
    assert all(b"scripts/kingdom" not in data for data in contents(tmp_path / "own").values())


@pytest.mark.parametrize("name", ["kingdom", "/opt/games/kingdom/scripts/kingdom", "python3 -X utf8 -m kingdom"])
def test_lines_fit_80_columns_however_the_program_was_typed(folder: Path, capsys, name: str) -> None:
    write(
        folder,
        "campaign.yaml",
        f"{small_realm.CAMPAIGN}calendar: {{deadline: 2026-12-04T18:00, zone: UTC, every: 7d}}\n",
    )
    assert main(["mail", "fetch", str(folder)]) == main(["undo", str(folder)], name) == 0
    paragraph = "The first " + capsys.readouterr().out.rpartition("The first ")[2]
    assert paragraph.startswith(f"The first `{name} run` after ")
    assert max(map(len, paragraph.splitlines())) <= 80


# --- the campaign that was not typed


@pytest.mark.parametrize("inside", [".", "orders", "orders/0003", "turns/0002/reports"])
def test_the_campaign_is_the_one_around_the_current_folder(kingdom, kept: Path, monkeypatch, inside: str) -> None:
    typed = kingdom("status", kept)
    monkeypatch.chdir(kept / inside)
    assert vars(kingdom("status")) == vars(kingdom("--debug", "status")) == vars(typed)
    assert kingdom("show", "examplia").out == kingdom("show", kept, "examplia").out != kingdom("show").out
    assert (
        kingdom("explain", "--turn", "2", "examplia", "treasury").out
        == kingdom("explain", kept, "examplia", "treasury").out
    )


def test_the_campaign_is_the_one_that_the_environment_names(kingdom, kept: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("KINGDOM_CAMPAIGN", str(kept))
    assert kingdom("show", "examplia", "--json").json["kingdom"] == "examplia"
    other = shutil.copytree(kept, tmp_path / "other")
    write(other, "campaign.yaml", small_realm.CAMPAIGN.replace("The two fords", "The ferry"))
    monkeypatch.chdir(other / "orders")
    assert kingdom("status").out.startswith("The ferry")  # what is around comes first
    assert kingdom("status", kept).out.startswith("The two fords")  # and what is typed before that


def test_check_finds_the_campaign_that_the_file_lies_in(kingdom, kept: Path, tmp_path: Path, monkeypatch) -> None:
    orders = kept / "orders/0003/borderia.yaml"
    typed = kingdom("check", orders, "--campaign", kept)
    assert typed.code == 0 and vars(kingdom("check", orders)) == vars(typed)
    elsewhere = write(tmp_path, "mine.yaml", orders.read_text())
    assert kingdom("check", elsewhere).code == 2
    monkeypatch.chdir(orders.parent)
    assert kingdom("check", "borderia.yaml").out == kingdom("check", elsewhere).out == typed.out


@pytest.mark.parametrize(
    "typed", ["turn X", "map X", "chronicle X Y", "explain X examplia treasury", "mail accept X 12ab --for examplia"]
)
def test_more_words_than_a_command_takes_begin_with_the_campaign(
    kingdom, folder: Path, monkeypatch, typed: str
) -> None:
    """Whoever mistypes a campaign inside another one is not served with that one."""
    monkeypatch.chdir(folder)
    before = contents(folder)
    found = kingdom(*typed.split())
    assert (found.code, found.err, contents(folder)) == (1, f"X: {NO_CAMPAIGN}\n", before)


def test_an_option_and_its_value_are_not_taken_for_the_campaign(kingdom, folder: Path, tmp_path: Path) -> None:
    tape = write(tmp_path, "tape.yaml", "examplia: {economy: 20}\n")
    said = kingdom("turn", "--dice", tape, folder, "--dry-run", "--json")
    assert said.code == 0 and said.json["kingdoms"]["examplia"]["checks"][0]["die"] == 20
    assert kingdom("invite", folder, "--name", "Ada", "examplia", "ada@example.org").code == 0


def test_somebody_elses_campaign_is_not_found_but_may_be_named(kingdom, kept: Path, monkeypatch) -> None:
    """It may name commands to run, as `alert` and `password_command`."""
    monkeypatch.chdir(kept / "orders")
    monkeypatch.setattr(os, "geteuid", lambda: kept.stat().st_uid + 1)
    found = kingdom("status")
    assert found.code == 2 and found.err.endswith(f" The one in {kept} is somebody else's: to use it, name it.\n")
    assert kingdom("status", "..").code == 0


def test_a_variable_that_names_no_campaign_is_told(kingdom, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("KINGDOM_CAMPAIGN", str(tmp_path))
    found = kingdom("status")
    assert found.code == 2 and found.err.endswith(f" That variable names {tmp_path}, where no campaign.yaml is.\n")


# --- new


def test_a_new_campaign_runs_as_it_is(kingdom, tmp_path: Path) -> None:
    place = tmp_path / "green_march"
    made = kingdom("new", place, "--game", "realm", "--kingdoms", "2", "--size", "10x9", "--bots", "1")
    assert (made.code, made.err) == (0, "")
    assert made.out.endswith(f"then type: kingdom turn {place}\n")
    status = kingdom("status", place, "--json").json
    assert (status["campaign"], status["turn"], len(status["filed"])) == ("Green March", None, 2)
    assert "bot: " in (place / "campaign.yaml").read_text()
    assert kingdom("map", place).code == 0
    assert kingdom("turn", place).code == 0
    assert kingdom("audit", place).code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--kingdoms", "0"], "A new campaign has 1 to 500 kingdoms, not 0."),
        (["--kingdoms", "501"], "A new campaign has 1 to 500 kingdoms, not 501."),
        (["--kingdoms", "3", "--size", "3x3"], "A map of 3x3 has no room for 3 equal starts"),
        (["--kingdoms", "2", "--bots", "3"], "3 bots need 3 kingdoms; there are 2."),
        (["--start", "easy"], "`easy` is no start of this game. One of plain, gentle, harsh goes with it."),
        (["--example", "greenmarch", "--bots", "1"], "An example is copied as it is. Leave out --kingdoms,"),
        (["--example", "greenmarch", "--edition", "1"], "An example is copied as it is. Leave out --kingdoms,"),
        (["--edition", "0"], "This game's rules have no edition 0; the newest is 2."),
        (["--edition", "3"], "This game's rules have no edition 3; the newest is 2."),
        (["--game", "kings_pouch", "--edition", "2"], "This game's rules have no edition 2; the newest is 1."),
        (["--game", "kings_pouch", "--start", "plain"], "`plain` is no start of this game. Leave --start out."),
    ],
)
def test_a_campaign_that_cannot_be_made_is_wrong_usage(kingdom, tmp_path: Path, words: list[str], said: str) -> None:
    found = kingdom("new", tmp_path / "place", *words)
    assert found.code == 2 and found.out == "" and found.err.startswith(said) and found.err.count("\n") == 1
    assert not (tmp_path / "place").exists()


def test_new_says_which_rules_are_played_and_edition_1_plays_the_text(kingdom, tmp_path: Path) -> None:
    newest, first = kingdom("new", tmp_path / "newest"), kingdom("new", tmp_path / "first", "--edition", "1")
    assert "It plays edition 2 of the rules: calmer events, sieges and armies that cost" in newest.out
    assert "`--edition 1` plays the text, with the rulings that it needs; see `kingdom help edition-2`." in newest.out
    assert "It plays edition 1 of the rules: the text, with the rulings that it needs." in first.out
    head = {name: kingdom("rules", tmp_path / name).out.partition("## How to")[0] for name in ("newest", "first")}
    assert "They are edition 2 of the rules, not the text as it was printed: calmer events" in head["newest"]
    assert "They are edition 1: the text, with the rulings that it needs. New campaigns play edition 2" in head["first"]
    assert (
        "The campaign itself changes nothing in that edition." in head["newest"] and "Nothing is" not in head["newest"]
    )
    assert kingdom("turn", tmp_path / "first").code == 0 and kingdom("turn", tmp_path / "first").code == 0
    assert "Edition" not in kingdom("new", tmp_path / "board", "--game", "kings_pouch").out


def test_new_overwrites_nothing_and_fills_an_empty_folder(kingdom, folder: Path, tmp_path: Path) -> None:
    before = contents(folder)
    found = kingdom("new", folder)
    assert found.code == 1
    assert found.err == f"{folder}: There is something here already. `kingdom new` makes a new folder; name another.\n"
    assert contents(folder) == before
    (tmp_path / "empty").mkdir()
    assert kingdom("new", tmp_path / "empty", "--kingdoms", "1").code == 0


def test_a_copy_of_the_example_is_the_example(kingdom, tmp_path: Path) -> None:
    made = kingdom("new", tmp_path / "march", "--example", "greenmarch")
    assert (made.code, made.err) == (0, "")
    assert made.out.endswith(f"type: kingdom run {tmp_path / 'march'}\n")
    assert contents(tmp_path / "march") == contents(EXAMPLE)
    assert kingdom("audit", tmp_path / "march").code == 0


def test_new_says_when_git_could_take_the_secrets(kingdom, tmp_path: Path) -> None:
    (tmp_path / "clone" / ".git").mkdir(parents=True)
    place = tmp_path / "clone" / "campaigns" / "mine"
    found = kingdom("new", place, "--kingdoms", "1")
    assert found.code == 0 and found.out.startswith(f"A new campaign is in {place}.\n")
    assert found.err == (
        f"{place} is inside the git checkout {tmp_path / 'clone'} and holds secrets. "
        "A folder outside is safer, such as ~/kingdoms/mine.\n"
    )


def test_an_unknown_game_is_told_with_the_nearest(kingdom, tmp_path: Path) -> None:
    found = kingdom("new", tmp_path / "place", "--game", "relm")
    assert (found.code, found.err) == (1, f"{tmp_path / 'place'}: There is no game `relm`. Did you mean `realm`?\n")
    assert not (tmp_path / "place").exists()


def test_two_new_campaigns_have_two_seeds_and_other_tokens(kingdom, tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two"):
        kingdom("new", tmp_path / name, "--kingdoms", "1")
        texts.append((tmp_path / name / "campaign.yaml").read_text())
    for secret in (r'^seed: "?([0-9a-f]{64})', r'token: "?(\w{8})'):
        one, two = (re.findall(secret, text, re.M) for text in texts)
        assert one and two and not {*one} & {*two}


# --- what the reading commands say


def test_games_lists_what_this_program_can_run(kingdom) -> None:
    said = kingdom("games")
    assert [line.split("  ")[0] for line in said.out.splitlines() if line[0] != " "] == game.names()
    assert re.search(r"^realm +Kingdoms", said.out, re.M)


def test_show_says_one_sheet_or_all_now_or_then(kingdom, kept: Path) -> None:
    every = kingdom("show", kept).out
    one = kingdom("show", kept, "examplia").out
    assert every == f"{kingdom('show', kept, 'borderia').out}\n{one}"
    assert re.search(r"^kingdom +examplia\n", one) and re.search(r"^turn +2$", one, re.M)
    assert re.search(r"^treasury +50$", kingdom("show", kept, "examplia", "--turn", "0").out, re.M)
    sheet = kingdom("show", kept, "examplia", "--json").json
    assert kingdom("show", kept, "--json").json == [kingdom("show", kept, "borderia", "--json").json, sheet]
    for key, value in sheet.items():
        assert re.search(rf"^{key} ", one, re.M), key
        if isinstance(value, int) and not isinstance(value, bool):
            assert re.search(rf"^{key} +{value}$", one, re.M)


def test_a_settlement_and_a_modifier_stand_on_a_sheet_as_a_person_reads_them(kingdom, kept: Path) -> None:
    lines = kingdom("show", kept, "borderia").out.splitlines()
    assert "settlements  Fordham: hex: 0303; districts: 1; buildings: house A1" in lines
    assert "coming       economy +3 (aid from Examplia)" in lines


def test_check_says_what_is_new_and_what_is_gone(kingdom, folder: Path) -> None:
    file = file_orders(
        folder, 3, "borderia", "claim: 0201\nbuild: shop in Fordham, house in Fordham\ntaxation: light\n"
    )
    said = kingdom("check", file, "--campaign", folder).out
    assert "\nedicts taxation: minimalist -> light\nhexes 0201: new\n" in said
    assert "\nsettlements Fordham buildings: new shop B1, house C1\n" in said
    assert "\nmodifiers: new economy +3 (aid from Examplia)\ncoming: gone economy +3 (aid from Examplia)\n" in said


def test_before_turn_0_there_is_no_sheet_but_a_map_and_a_status(kingdom, tmp_path: Path) -> None:
    place = small_realm.campaign(tmp_path / "fords")
    found = kingdom("show", place)
    assert (found.code, found.err) == (1, f"{place}: No turn has been kept yet. `kingdom turn` makes turn 0.\n")
    assert kingdom("ledger", place).err == found.err
    assert "____/" in kingdom("map", place).out
    assert "not begun, turn 1 is next." in kingdom("status", place).out
    assert not (place / "turns").exists()


def test_map_shows_a_seat_what_it_knows_and_goes_to_a_file(kingdom, kept: Path, tmp_path: Path) -> None:
    whole, seen = kingdom("map", kept).out, kingdom("map", kept, "--seat", "borderia").out
    assert "an old crown" in whole and "an old crown" not in seen
    assert "0202" in seen and "0604" in whole and "0604" not in seen
    file = tmp_path / "map.txt"
    assert kingdom("map", kept, "--to", file).out == f"The map is in {file}.\n"
    assert file.read_text() == whole


def test_a_map_is_written_as_what_its_file_says_it_is(kingdom, kept: Path, tmp_path: Path) -> None:
    for ending, begins in (("svg", b"<svg "), ("png", b"\x89PNG\r\n\x1a\n"), ("SVG", b"<svg ")):
        file = tmp_path / f"map.{ending}"
        assert kingdom("map", kept, "--to", file).out == f"The map is in {file}.\n"
        assert file.read_bytes().startswith(begins), ending
    for name in ("map.gif", "map", "txt"):
        found = kingdom("map", kept, "--to", tmp_path / name)
        said = f"kingdom map: {tmp_path / name}: name a file that ends with .txt, .svg or .png.\n"
        assert (found.code, found.out, found.err) == (2, "", said)
        assert not (tmp_path / name).exists()


def test_a_map_before_turn_0_is_a_picture_too(kingdom, tmp_path: Path) -> None:
    place = small_realm.campaign(tmp_path / "fords")
    for file in (tmp_path / "map.svg", tmp_path / "map.png"):
        assert kingdom("map", place, "--seat", "borderia", "--to", file).code == 0
    assert 'data-hex="0202"' in (tmp_path / "map.svg").read_text() and not (place / "turns").exists()


def test_status_says_who_has_filed(kingdom, folder: Path) -> None:
    said = kingdom("status", folder)
    assert said.out.splitlines()[0] == "The two fords (realm): turn 2 is kept, turn 3 is next."
    assert re.search(r"^examplia  nothing filed$", said.out, re.M)
    receipt = re.search(r"^borderia  filed, receipt ([0-9a-f]{12})$", said.out, re.M)
    status = kingdom("status", folder, "--json").json
    assert receipt and status["filed"] == {"borderia": receipt[1], "examplia": None}
    assert (status["turn"], status["next"], status["gm"], status["deadline"], status["waits"]) == (2, 3, None, None, [])
    write(folder, "orders/0003/bordria.yaml", "turn: 3\n")
    write(
        folder, "campaign.yaml", small_realm.CAMPAIGN + "calendar: {deadline: 2026-12-04T18:00, zone: Europe/Berlin}\n"
    )
    later = kingdom("status", folder)
    assert "Orders are due on Friday 18 December 2026, 18:00 (Europe/Berlin)." in later.out
    assert "orders/0003/bordria.yaml is nobody's" in later.out
    assert kingdom("status", folder, "--json").json["deadline"] == "2026-12-18T18:00:00+01:00"


def test_check_names_no_cost_where_orders_are_paid_from_no_account(kingdom, tmp_path: Path) -> None:
    trial = tmp_path / "trial"
    kingdom("new", trial, "--game", "kings_pouch", "--bots", "1")
    kingdom("turn", trial)
    file = file_orders(trial, 1, "alice", "final: true\n")
    assert "Cost:" not in kingdom("check", file, "--campaign", trial).out


def test_check_says_what_would_become_of_the_orders(kingdom, folder: Path) -> None:
    file = file_orders(folder, 3, "examplia", "claim: 0101, 0603\nimprove: farm 0203\nhoilday: long\n")
    wrong = kingdom("check", file, "--campaign", folder)
    assert (wrong.code, wrong.out) == (1, "Not filed like this: 1 problem.\n")
    assert wrong.err == f"{file}:5:1: `hoilday` is not a key here. Did you mean `holiday`?\n"
    file_orders(folder, 3, "examplia", "claim: 0101, 0603\n")
    said = kingdom("check", file, "--campaign", folder)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("Orders of examplia for turn 3: no problems.\n\nRefused:\n  claim[1]: ")
    assert re.search(r"^Cost: 1\n\n.*\n", said.out, re.M) and re.search(r"^treasury +41 +40 +-1$", said.out, re.M)
    assert "\nhexes 0101: new\n" in said.out
    assert re.search(r"^Chances of success: economy \d+%, loyalty \d+%, stability \d+%\.$", said.out, re.M)
    assert contents(folder)[f"orders/0003/{file.name}"] == file.read_bytes()
    assert kingdom("check", file, "--campaign", folder, "--json").json["refusals"][0]["order"] == "claim[1]"


def test_check_takes_a_file_from_anywhere_and_the_gms_too(kingdom, folder: Path, tmp_path: Path) -> None:
    mine = write(tmp_path, "notes.txt", "kingdom: borderia\nturn: 3\nclaim: 0201\n")
    assert kingdom("check", mine, "--campaign", folder).out.startswith("Orders of borderia for turn 3")
    gm = write(tmp_path, "gm.yaml", "turn: 3\ngm: [{set: borderia, account: unrest, to: 0, reason: peace}]\n")
    said = kingdom("check", gm, "--campaign", folder)
    assert said.code == 0 and re.search(r"^unrest +7 +0 +-7$", said.out, re.M)
    assert kingdom("check", gm, "--campaign", folder, "--json").json["after"]["borderia"]["unrest"] == 0


def test_the_gms_orders_are_checked_against_what_players_have_filed(kingdom, folder: Path, tmp_path: Path) -> None:
    """A void of what is filed stands, one of what is not is refused; the sheets are those of the GM's orders alone."""
    file_orders(folder, 3, "borderia", "claim: 0201\nrequests: May I dig?\n")
    gm = "turn: 3\ngm: [{void: {kingdom: borderia, order: 'VOID'}, reason: no}]\ntell: [{to: borderia, answers: 1, text: Yes.}]\n"
    stands = write(tmp_path, "gm.yaml", gm.replace("VOID", "claim[0]"))
    assert kingdom("check", stands, "--campaign", folder, "--json").json["refusals"] == []
    assert kingdom("check", stands, "--campaign", folder, "--json").json["after"]["borderia"]["size"] == 3
    refused = write(tmp_path, "gm.yaml", gm.replace("VOID", "claim[1]"))
    assert [each["order"] for each in kingdom("check", refused, "--campaign", folder, "--json").json["refusals"]] == [
        "gm[0]"
    ]
    file_orders(folder, 3, "borderia", "clam: 0201\n")
    assert [each["order"] for each in kingdom("check", stands, "--campaign", folder, "--json").json["refusals"]] == [
        "gm[0]",
        "tell[0]",
    ]


def test_a_dry_run_says_what_the_turn_would_and_json_says_it_to_programs(kingdom, folder: Path) -> None:
    before = contents(folder)
    dry, told = kingdom("turn", folder, "--dry-run"), kingdom("turn", folder, "--dry-run", "--json").json
    assert dry.out.startswith("Turn 3 of The two fords is resolved and not kept (--dry-run).\n")
    assert contents(folder) == before
    done = kingdom("turn", folder)
    place = folder / "turns/0003"
    assert (
        done.out
        == dry.out.replace("resolved and not kept (--dry-run)", f"kept in {place}")
        + f"\nThe reports are in {place}/reports.\n"
    )
    assert "examplia: no orders came; " in done.out
    shown = {seat: kingdom("show", folder, seat, "--json").json for seat in ("borderia", "examplia")}
    assert {seat: sheets["after"] for seat, sheets in told["kingdoms"].items()} == shown


def test_a_number_and_what_became_of_it_stay_in_one_line(kingdom, kept: Path) -> None:
    lines = kingdom("turn", kept, "--dry-run").out.splitlines()
    assert any(line.startswith("  borderia: treasury ") for line in lines)
    for line in lines:
        assert not line.rstrip().endswith("->") and len(line) <= 80
        assert not re.match(r" *(->|\d)", line)


def test_a_tape_is_named_on_the_command_line(kingdom, folder: Path, tmp_path: Path) -> None:
    tape = write(tmp_path, "tape.yaml", "examplia: {economy: 20, stability: 19}\n")
    checks = kingdom("turn", folder, "--dice", tape, "--json").json["kingdoms"]["examplia"]["checks"]
    assert [(check["name"], check["die"]) for check in checks] == [("economy", 20), ("stability", 19)]
    again = kingdom("turn", folder, "--dice", tape)
    assert again.code == 0  # the next turn rolls these, too


def test_dice_prints_rolls_and_checks_a_promise(kingdom) -> None:
    key = "00ff" * 16
    said = kingdom("dice", key, "economy:1:20", "stability_failure:2:6")
    assert re.fullmatch(r"economy:1:20 = \d+\nstability_failure:2:6 = [1-6]\n", said.out) and said.code == 0
    assert kingdom("dice", key.upper(), "economy:1:20").out == said.out.splitlines()[0] + "\n"
    wrong = kingdom("dice", key, "--commitment", "0" * 64)
    assert (wrong.code, wrong.out) == (1, "")
    promise = re.fullmatch(r"The key is not the one that was promised: its commitment is ([0-9a-f]{64})\.\n", wrong.err)
    assert promise
    right = kingdom("dice", key, "economy:1:20", "--commitment", promise[1])
    assert (right.code, right.err) == (0, "") and right.out.endswith("The key is the one that was promised.\n")


def test_dice_takes_a_roll_about_a_partner_after_an_option(kingdom) -> None:
    key = "ab" * 32
    said = kingdom("dice", key, "aid-borderia:1:20", "contest-0404:1:20")
    assert [line.split(" = ")[0] for line in said.out.splitlines()] == ["aid-borderia:1:20", "contest-0404:1:20"]


def test_audit_and_replay_say_what_holds_in_one_line_each(kingdom, kept: Path) -> None:
    assert re.fullmatch(
        r"Looked at 3 turns, \d+ files, \d+ entries, \d+ dice\.\nThe books balance, .*\nNot known here: .*\n",
        kingdom("audit", kept).out,
    )
    same = "the same state, dice and ledger.\n"
    assert kingdom("replay", kept).out == "".join(f"Turn {number}: {same}" for number in range(3))
    assert kingdom("replay", kept, "--turn", "1").out == f"Turn 1: {same}"


def test_undo_and_redo_say_what_they_did(kingdom, folder: Path) -> None:
    assert kingdom("redo", folder).out == "Resolved again, turn 2 comes out the same.\n"
    write(folder, "campaign.yaml", small_realm.CAMPAIGN.replace("rules: {", "rules: {control_dc: {base: 30}, "))
    would = kingdom("redo", folder).out
    assert would.startswith("Resolved again, turn 2 comes out otherwise:\n")
    assert re.search(r"^  control_dc is \d+, and was \d+$", would, re.M)
    assert would.endswith("Nothing is changed yet: `kingdom redo --yes` puts it in the turn's place.\n")
    assert kingdom("redo", folder, "--yes").out.endswith(
        f"Turn 2 is replaced; the old one lies in {folder}/undone/0002-1.\n"
    )
    undone = kingdom("undo", folder)
    assert undone.out.startswith(f"Turn 2 is taken back; it lies in {folder}/undone/0002-2.\n")
    assert kingdom("turn", folder).code == 0
    reopened = kingdom("undo", folder, "--reopen").out.splitlines()
    assert [line.split()[0] for line in reopened if line.startswith("  ")] == ["borderia", "examplia", "gm"]
    assert all(re.fullmatch(r"  \w+  [0-9a-f]{64}", line) for line in reopened if line.startswith("  "))


# --- the terminal


def test_no_words_of_others_steer_the_terminal(kingdom, folder: Path) -> None:
    hostile = f"gold{ESC}{RIGHT_TO_LEFT}"
    write(folder, f"orders/0003/{hostile}.yaml", "")
    file = write(folder, "typed.yaml", "kingdom: examplia\nturn: 3\n")
    file.write_text(f'kingdom: examplia\nturn: 3\nrequests: ["{hostile}", "\\e[31m", "\\u202e"]\n')
    for words in (["status", folder], ["turn", folder], ["check", file, "--campaign", folder], ["show", folder, hostile],
                  ["ledger", folder, "--kingdom", hostile], ["show", hostile], [hostile], ["turn", folder, hostile],
                  ["new", folder, "--game", hostile], ["dice", hostile], ["ledger", folder, "--by", hostile]):  # fmt: skip
        found = kingdom(*words)
        for line in (found.out + found.err).splitlines():
            assert line.isprintable(), (words[0], line)
    problems = kingdom("check", file, "--campaign", folder).err.splitlines()
    assert problems and all("An invisible control character (U+" in line for line in problems)


def test_a_kept_ledger_with_such_words_is_shown_without_them(kingdom, folder: Path) -> None:
    """The reader of orders lets none in, but a ledger may come from elsewhere."""
    file = folder / "turns/0002/ledger.csv"
    file.write_text(file.read_text().replace("a fine, for", f"a fine{ESC}\x07{RIGHT_TO_LEFT}, for"))
    said = kingdom("ledger", folder, "--last", "0")
    assert said.code == 0 and "fine" in said.out
    assert all(line.isprintable() for line in said.out.splitlines())


def test_letters_of_all_scripts_are_shown_and_a_terminal_that_lacks_them_shows_a_question_mark(
    kingdom, folder: Path
) -> None:
    write(folder, "campaign.yaml", small_realm.CAMPAIGN.replace("The two fords", "Große Fürt 東京"))
    assert kingdom("status", folder).out.startswith("Große Fürt 東京 (realm)")
    plain = process("status", folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={"PYTHONIOENCODING": "ascii"})
    out, err = plain.communicate()
    assert (plain.returncode, err) == (0, "") and out.startswith("Gro?e F?rt ?? (realm)")


@pytest.mark.long
def test_no_colours_are_used_whatever_the_terminal_can(kept: Path) -> None:
    for words in (
        ["status", kept],
        ["ledger", kept],
        ["check", kept / "orders/0003/borderia.yaml", "--campaign", kept],
    ):
        colours = process(
            *words, stdout=subprocess.PIPE, env={"FORCE_COLOR": "1", "CLICOLOR_FORCE": "1", "TERM": "xterm-256color"}
        )
        assert "\x1b" not in colours.communicate()[0]


@pytest.mark.parametrize("columns", ["20", "40", "200"])
def test_lines_fit_80_columns_whatever_the_environment_says(kingdom, kept: Path, monkeypatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    orders = kept / "orders/0003/borderia.yaml"
    for words in (
        ["show", kept],
        ["status", kept],
        ["ledger", kept],
        ["check", orders, "--campaign", kept],
        ["games"],
        ["--help"],
    ):
        assert max(map(len, kingdom(*words).out.splitlines())) <= 80, words[0]


@pytest.mark.parametrize(
    "words",
    sampled(
        [["ledger", "FOLDER"], ["show", "FOLDER", "--json"], ["ledger", "FOLDER", "--csv", "-"], ["--help"]],
        [["ledger", "FOLDER"], ["--help"]],
    ),
)
def test_nobody_reading_on_is_no_fault(kept: Path, words: list[str]) -> None:
    read, written = os.pipe()
    os.close(read)
    ran = process(*(kept if word == "FOLDER" else word for word in words), stdout=written, stderr=subprocess.PIPE)
    os.close(written)
    assert (ran.communicate()[1], ran.returncode) == ("", 0)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_an_output_that_cannot_be_written_is_told_and_the_turn_is_kept(folder: Path) -> None:
    with open("/dev/full", "w") as full:
        ran = process("turn", folder, stdout=full, stderr=subprocess.PIPE)
        err = ran.communicate()[1]
    said = (
        "standard output: This can't be written: No space left on device. What the command does is done all the same.\n"
    )
    assert (ran.returncode, err) == (1, said)
    assert (folder / "turns/0003/turn.json").exists()


# --- faults


class Bug(Exception):
    """A fault of the program."""


def _broken(*given):
    raise Bug("two\nlines of it")


def test_a_fault_is_one_sentence_and_a_traceback_only_for_who_asks(kingdom, kept: Path, monkeypatch) -> None:
    monkeypatch.setattr("kingdom.cli.commands.show.run_show", _broken)
    found = kingdom("show", kept)
    assert (found.code, found.out) == (1, "")
    assert found.err.startswith(f"{kept}: `kingdom show` stopped (Bug: two lines of it). Nothing was changed.")
    assert found.err.count("\n") == 1 and "internal error" not in found.err.lower() and "Traceback" not in found.err
    for words in (["--debug", "show", kept], ["show", kept, "--debug"]):
        with pytest.raises(Bug):
            kingdom(*words)


def test_debug_changes_nothing_where_nothing_is_at_fault(kingdom, kept: Path) -> None:
    plain = kingdom("show", kept, "examplia").out
    assert kingdom("--debug", "show", kept, "examplia").out == kingdom("show", kept, "examplia", "--debug").out == plain
    assert kingdom("show", kept, "nobody", "--debug").err.startswith(f"{kept}: There is no kingdom `nobody`")


def test_stopped_by_the_keyboard_it_ends_quietly(kingdom, kept: Path, monkeypatch) -> None:
    def stopped(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr("kingdom.cli.commands.show.run_show", stopped)
    found = kingdom("show", kept)
    assert (found.code, found.out, found.err) == (130, "", "")
