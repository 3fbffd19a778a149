"""Long work shows on a terminal that it is alive, and nowhere else: run against a pseudo-terminal, as a person sees it."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kingdom.render import progress
from kingdom.render.progress import Progress
from tests.kit import archives, small_realm
from tests.kit.campaignkit import Example

ROOT = Path(__file__).parents[2]
GREENMARCH = ROOT / "campaigns" / "greenmarch"
NORMANDY = archives.example("normandy")  # whose turns take least
AT_ONCE = "from kingdom.render import progress\nprogress.AFTER = 0.0\n"  # so that nobody has to wait a second
SLOWLY = """
import time, kingdom.render.progress as progress
class Patient(progress.Progress):
    def __call__(self, what, done=0, of=0):
        super().__call__(what, done, of)
        until = time.monotonic() + 60
        while not self.shown and not self._over and time.monotonic() < until:
            time.sleep(0.01)
progress.Progress = Patient
"""  # whoever tells something waits until the line is there: no test hangs on how fast a machine is


class Seen:
    """What a command left on its standard error and its standard output."""

    def __init__(self, code: int, error: str, out: str):
        self.code = code
        self.error = error
        self.out = out


def run(*words: object, before: str = AT_ONCE + SLOWLY, terminal: bool = True) -> Seen:
    """The command in a process of its own whose standard error is a pseudo-terminal, or a pipe."""
    program = (
        f"{before}\nimport sys\nfrom kingdom.cli.main import main\nraise SystemExit(main({list(map(str, words))!r}))"
    )
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    command = [sys.executable, "-P", "-c", program]
    if not terminal:
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)
        return Seen(done.returncode, done.stderr, done.stdout)
    ours, theirs = pty.openpty()
    try:
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=theirs, stdin=subprocess.DEVNULL, cwd=ROOT, env=environment
        ) as child:
            os.close(theirs)
            error = _all_of(ours)
            out = child.stdout.read().decode() if child.stdout else ""
        return Seen(child.returncode, error, out)
    finally:
        os.close(ours)


def _all_of(terminal: int) -> str:
    found = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:  # Linux says so where the other end is closed
            break
        if not more:
            break
        found += more
    return found.decode("utf-8", "replace")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_realm.campaign(tmp_path / "fords")


def words(folder: Path, tmp_path: Path) -> dict[str, tuple[object, ...]]:
    """Each command whose work may last, with what it must say of it."""
    return {
        "turn": ("turn", folder),
        "replay": ("replay", NORMANDY),
        "audit": ("audit", NORMANDY),
        "forecast": ("forecast", GREENMARCH, "examplia", "--turns", 2, "--samples", 10),
        "simulate": ("simulate", "--games", 1, "--turns", 1, "--seed", "x"),
        "export": ("export", NORMANDY, "--to", tmp_path / "books.csv"),
    }


SAYS = {
    "turn": "turn 0 is written", "replay": "is run again", "audit": "is proved", "forecast": "forecast of 2 turns",
    "simulate": "campaigns are played", "export": "the books are opened",
}  # fmt: skip


@pytest.mark.parametrize(
    "command",
    [name if name in ("turn", "forecast") else pytest.param(name, marks=pytest.mark.long) for name in SAYS],
)
def test_it_shows_on_a_terminal_and_is_gone_when_the_work_is_over(command: str, folder: Path, tmp_path: Path) -> None:
    seen = run(*words(folder, tmp_path)[command])
    assert seen.code == 0 and SAYS[command] in seen.error
    assert seen.error.endswith("\x1b[2K")  # the last thing is that the line is wiped
    assert "\x1b" not in seen.out and SAYS[command] not in seen.out


@pytest.mark.long
def test_nothing_of_it_gets_into_a_log(folder: Path, tmp_path: Path) -> None:
    """Standard error is a pipe: not a byte of any command, one after the other, and nothing is loaded for it."""
    loaded = "import atexit, sys\natexit.register(lambda: sys.stdout.write('rich' if 'rich' in sys.modules else ''))\n"
    *others, last = words(folder, tmp_path).values()
    loaded += "from kingdom.cli.main import main\n"
    loaded += "".join(f"assert main({list(map(str, each))!r}) == 0\n" for each in others)
    seen = run(*last, before=AT_ONCE + loaded, terminal=False)
    assert (seen.code, seen.error) == (0, "") and not seen.out.endswith("rich")


def test_short_work_shows_nothing_on_a_terminal_either(folder: Path) -> None:
    """It is over long before the hour that this clock waits."""
    seen = run("turn", folder, before="from kingdom.render import progress\nprogress.AFTER = 3600.0")
    assert (seen.code, seen.error) == (0, "") and "Turn 0" in seen.out


def test_work_that_tells_nothing_more_shows_all_the_same() -> None:
    """One long step is enough: the clock does not wait for the next thing that is told."""
    before = "from kingdom.render import progress\nprogress.AFTER = 0.05\n"
    program = "import sys, time\ntold = progress.Progress(sys.stderr)\ntold('a long step')\nwhile not told.shown: time.sleep(0.01)\ntold.end()"
    assert "a long step" in run("games", before=f"{before}{program}").error


def test_an_error_is_told_on_a_line_of_its_own(tmp_path: Path) -> None:
    wrong = run("replay", GREENMARCH, "--turn", 99)
    assert wrong.code == 1 and "There is no kept turn 99" in wrong.error
    broken = run("forecast", tmp_path, "examplia")
    assert broken.code == 1 and "\x1b" not in broken.error.splitlines()[-1]


def test_what_is_shown_is_taken_as_it_is() -> None:
    """No mark of what draws the line is read in it, as a kingdom's name may have one."""
    before = (
        AT_ONCE
        + "import sys\ntold = progress.Progress(sys.stderr)\ntold('[red]seven[/red]', 1, 7)\ntold._is_late()\ntold.end()\n"
    )
    assert "[red]seven[/red]" in run("games", before=before).error


def test_a_terminal_that_can_wipe_no_line_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    told = Progress(Terminal())
    told("work", 1, 2)
    assert not told.shown and told._clock is None


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def clever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")


def test_after_the_end_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "AFTER", 3600.0)
    stream = Terminal()
    told = Progress(stream)
    told("work", 1, 2)
    told.end()
    told("more work", 2, 2)
    assert not told.shown and stream.getvalue() == ""


def test_what_is_hidden_comes_back_with_the_next_thing_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "AFTER", 3600.0)
    told = Progress(Terminal())
    told("work", 1, 2)
    told._is_late()
    assert told.shown
    told.hide()
    assert not told.shown
    told("work", 2, 2)
    assert told.shown
    told.end()
    assert not told.shown


def test_every_turn_is_told() -> None:
    """The parts of the work are those of the campaign."""
    from kingdom.campaign import audit, replay
    from kingdom.campaign import campaign as campaigns

    heard: list[tuple[str, int, int]] = []
    campaign, last = campaigns.open_campaign(GREENMARCH), Example(GREENMARCH, 11).last
    list(replay.replay(campaign, told=lambda *said: heard.append(said)))
    assert [done for _, done, _ in heard] == list(range(last + 1)) and {of for _, _, of in heard} == {last + 1}
    heard.clear()
    audit.audit(campaign, resolving=False, told=lambda *said: heard.append(said))
    assert len(heard) == last + 1 and re.fullmatch(r"turn \d+ is proved", heard[-1][0])
