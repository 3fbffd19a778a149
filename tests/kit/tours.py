"""Pages whose commands are run: in their order, in a copy of the checkout, compared with what the page says they print.

In a fenced block a line `$ COMMAND` is typed (a backslash at its end continues it on the next line), and the lines below
it are what it prints; a line `...` stands for lines left out. A fenced block that begins with ```yaml PATH is written to
that file. Each `## ` section is a tour of its own: it begins with the campaigns as they are in the checkout and with an empty
home folder, which pages call /home/you, and its commands share what they change.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from kingdom.campaign import examples
from tests.kit import archives

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/tour-gm.md", "docs/tour-player.md")  # scripts/redoc renews what their commands print
OMITTED = "..."
_HOME, _HOME_IN_PAGES = "home", "/home/you"
_SHARED = ("scripts/kingdom", "docs")
_FILE = re.compile(r"```yaml (\S+)")


class Typed(NamedTuple):
    """A command of a page. line: where it begins, from 0; its output has the lines first to end - 1."""

    section: str
    command: str
    says: list[str]
    line: int
    first: int
    end: int


class Written(NamedTuple):
    """A file that a page shows."""

    section: str
    path: str
    text: str


def text_of(page: str) -> str:
    """The text of a page of PAGES."""
    return (ROOT / page).read_text(encoding="utf-8")


def steps(page: str) -> Iterator[Typed | Written]:
    """What a page does, in its order."""
    lines = page.split("\n")
    section, number = "", 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if line.startswith("## "):
            section = line[3:]
        elif line.startswith("```"):
            end = lines.index("```", number)
            shown = _FILE.fullmatch(line)
            if shown:
                yield Written(section, shown[1], "\n".join([*lines[number:end], ""]))
            else:
                yield from _typed(section, lines, number, end)
            number = end + 1


def _typed(section: str, lines: list[str], first: int, end: int) -> Iterator[Typed]:
    starts = [number for number in range(first, end) if lines[number].startswith("$ ")]
    for start, after in pairwise([*starts, end]):
        says = next(number for number in range(start, after) if not lines[number].endswith("\\")) + 1
        yield Typed(section, "\n".join(lines[start:says])[2:], lines[says:after], start, says, after)


def checkout(folder: Path, tour: str = "") -> Path:
    """A checkout to run tours in: the program is the real one, the campaigns are copies; of a tour those alone that it names."""
    (folder / "scripts").mkdir(parents=True)
    for name in _SHARED:
        (folder / name).symlink_to(ROOT / name)
    (folder / "campaigns").mkdir()
    (folder / _HOME).mkdir()
    for name in examples.names():
        if not tour or name in tour:
            archives.write(folder / "campaigns" / name, examples.files(name))
    return folder


def run(step: Typed, folder: Path) -> list[str]:
    """The lines that a command prints, on standard error or standard output, run in the folder: a command of the program as a
    call, anything else, and what the program's output is piped into, by a shell."""
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    here = {
        "PATH": f"{Path(sys.executable).parent}:{environment['PATH']}",
        "HOME": str(folder / _HOME),
        "LC_ALL": "C.UTF-8",
    }
    first, _, rest = step.command.partition(" | ")
    words = _words_alone(first, folder / _HOME)
    if words is None:
        said = _by_shell(step.command, "", folder, environment | here)
    else:
        errors, printed = _called(words, folder, environment | here, apart=bool(rest))
        said = errors + (_by_shell(rest, printed, folder, environment | here) if rest else printed)
    return _lines(said.replace(str(folder / _HOME), _HOME_IN_PAGES))


def _by_shell(command: str, given: str, folder: Path, environment: dict[str, str]) -> str:
    """What a shell prints that runs the command with this text as its input."""
    return subprocess.run(
        command, shell=True, cwd=folder, env=environment, input=given,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
    ).stdout  # fmt: skip


def _lines(printed: str) -> list[str]:
    return printed.rstrip("\n").split("\n") if printed else []


def _words_alone(command: str, home: Path) -> list[str] | None:
    """What is typed after `scripts/kingdom`, where a shell has nothing else to do; None where it has."""
    command = command.replace("\\\n", " ")
    if not command.startswith("scripts/kingdom ") or re.search(r"[|&;<>$*?#`\n]", command):
        return None
    return [re.sub("^~/", f"{home}/", word) for word in shlex.split(command)[1:]]


def _called(words: list[str], folder: Path, environment: dict[str, str], apart: bool) -> tuple[str, str]:
    """What the program prints on standard error, and on standard output, when it is called in this process; if they need not
    be apart, all of it is in the second."""
    import kingdom.games
    from kingdom.cli.main import main

    own_games = kingdom.games.__path__[:1]  # without those that other tests brought in
    errors, printed = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    errors_go_to = errors if apart else printed
    with (
        contextlib.chdir(folder), mock.patch.dict(os.environ, environment, clear=True),
        mock.patch.object(kingdom.games, "__path__", own_games),
        contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors_go_to), contextlib.suppress(SystemExit),
    ):  # fmt: skip
        main(words, "scripts/kingdom")
    said, out = (stream.buffer.getvalue().decode("utf-8") for stream in (errors, printed))
    return said, out


def agrees(says: list[str], printed: list[str]) -> bool:
    """Whether that was printed, where a line `...` stands for one line or more."""
    says, printed = _trimmed(says), _trimmed(printed)
    parts = "\n".join("(?:[^\n]*\n)*?[^\n]*" if line == OMITTED else re.escape(line) for line in says)
    return re.fullmatch(parts, "\n".join(printed)) is not None


def _trimmed(lines: list[str]) -> list[str]:
    """Without the empty lines at the end, which a page shows or not."""
    end = len(lines)
    while end and not lines[end - 1]:
        end -= 1
    return lines[:end]


def renewed(says: list[str], printed: list[str]) -> list[str]:
    """What the page should say now: where it left lines out it still does, as near to the old places as can be."""
    if agrees(says, printed):
        return says
    if OMITTED not in says:
        return printed
    parts = " ".join(str(number) if line != OMITTED else "|" for number, line in enumerate(_trimmed(says))).split("|")
    counts = [len(part.split()) for part in parts]
    kept, at = list(printed[: counts[0]]), counts[0]
    seen = counts[0] + 1
    for count in counts[1:-1]:
        near = difflib.get_close_matches(says[seen], printed[at:], 1, 0.0) if count else []
        at = printed.index(near[0], at) if near else at
        kept += [OMITTED, *printed[at : at + count]]
        at, seen = at + count, seen + count + 1
    last = counts[-1]
    return [*kept, OMITTED, *(printed[max(at, len(printed) - last) :] if last else [])]


def played(page: str, folder: Path, only: str = "") -> Iterator[tuple[Typed, list[str]]]:
    """Every command of a page, or of that section only, with what it printed; each section has a checkout of its own."""
    section, place = None, folder
    every = list(steps(page))
    for step in every:
        if only and step.section != only:
            continue
        if step.section != section:
            section = step.section
            told = " ".join(other.command for other in every if isinstance(other, Typed) and other.section == section)
            place = checkout(folder / f"tour-{len(list(folder.iterdir()))}", told)
        if isinstance(step, Written):
            file = place / step.path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(step.text, encoding="utf-8")
        else:
            yield step, run(step, place)
