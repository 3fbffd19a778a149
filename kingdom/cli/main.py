"""The command line: the only module that prints or exits. The module of a command is loaded when it runs."""

from __future__ import annotations

import argparse
import gc
import os
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import TextIO

from msgspec.structs import replace

from kingdom.campaign import clock
from kingdom.campaign.errors import DISK, lasts, refused
from kingdom.campaign.lock import CHANGED, Held, NoLocks
from kingdom.cli import campaign_folders, environment
from kingdom.cli import program as programs
from kingdom.cli.commands import (
    DONE,
    GOES_ON,
    PLAYED,
    RUN_GOES_ON,
    RUN_IS_STUCK,
    WAITING,
    WRONG,
    Said,
    Unfinished,
    team_of,
)
from kingdom.cli.reading import Answered, Misused, parsed
from kingdom.cli.table import COMMANDS
from kingdom.engine.problems import Faults
from kingdom.render.plain_text import clean, counted
from kingdom.render.progress import Progress
from kingdom.render.terminal import WORDING

MISUSED = 2
HELD = 3
_LOOKS = 3  # the most attempts of a command that only reads, if another run keeps or takes back turns meanwhile
LOOKING = (  # commands that only read: they hold no lock and can be repeated
    "status", "show", "map", "review", "ledger", "explain", "rules", "check", "form", "forecast", "advise", "schema", "audit", "replay", "mail log",
)  # fmt: skip
TOGETHER = ("status", "review")  # commands that show several campaigns in one table
# a command for several campaigns collects reference cycles only after so many new objects
LITTER = 100_000
STOPPED = 130  # exit code after Ctrl-C
UNKNOWN = "Some of it may be done; `kingdom status` says how things stand"
# commands that keep something report later failures themselves
UNCHANGED = "Nothing was changed; fix that and run this again."


def main(words: Sequence[str] | None = None, program: str = programs.NAME) -> int:
    """Run one command and return its exit code. program: the program as the user typed it, for printed commands."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a letter that the terminal lacks becomes a question mark
    before = WORDING.set(programs.wording(program))
    try:
        return _typed(sys.argv[1:] if words is None else words, program)
    finally:
        WORDING.reset(before)


def _typed(words: Sequence[str], program: str) -> int:
    try:
        args = parsed(words, program)
    except Misused as wrong:
        _say([wrong], sys.stderr)
        return MISUSED
    except Answered as answer:
        return _print(Said(str(answer).rstrip("\n").split("\n")), Progress(sys.stderr))
    args.ask = _ask
    try:
        if args.command != "run":
            return _all(args)
        is_said = not _is_a_file(sys.stdout) or _say([_now()], sys.stdout)
        return _run_in_house(args) or (DONE if is_said else WRONG)
    except KeyboardInterrupt:
        return STOPPED


def _run_in_house(args: argparse.Namespace) -> int:
    """Run campaigns with the things they share: the mail of their house, and its lock. Return the highest exit code."""
    from kingdom.cli.commands.mail import sharing

    try:
        with team_of(args) as args.team, sharing(args) as shared:
            _say(args.team.news(), sys.stderr)
            is_said = shared is None or _say(shared.lines, sys.stdout)
            code = _all(args) or (DONE if is_said else WRONG)
            if shared is not None:
                _say(shared.finish(), sys.stdout)
                _say(shared.errors, sys.stderr)
            return max(code, shared.code if shared is not None else 0)
    except Exception as error:
        return _fail(args, error)


def _all(args: argparse.Namespace) -> int:
    """Run the command, for each campaign if there are several. Return the exit code."""
    if args.command not in TOGETHER and getattr(args, "several", False):
        return _each(args)
    return max(code for code, _ in _by_workers(args)) if args.command == "run" else _alone(args)[0]


def _alone(
    args: argparse.Namespace, head: Sequence[str] = (), made: Callable[[], Said] | None = None
) -> tuple[int, str]:
    """Run the command and print its output, below a head if there is output. Return its exit code, and PLAYED or WAITING for a
    turn.

    made: if the command was run before, returns its output or raises its exception.
    """
    args.told = told = Progress(sys.stderr)
    try:
        said = made() if made else _run(args)
        if head and (said.lines or said.notes):
            said = replace(said, lines=[*head, *said.lines])
        return _print(said, told), said.became
    except Exception as error:
        told.end()
        _say(head, sys.stdout)
        if isinstance(error, Unfinished) and isinstance(error.__cause__, Exception):
            _say(error.lines, sys.stdout)
            error = error.__cause__
        return _fail(args, error), ""
    finally:
        told.end()


def _each(args: argparse.Namespace) -> int:
    """Run the command for each campaign as if it were typed alone, even if it fails for others; then sum up. Return the
    highest of the exit codes."""
    became, codes = Counter[str](), []
    for code, turn in _one_by_one(args) if args.command != "run" else _by_workers(args):
        became[turn] += 1
        codes.append(code)
        if gc.get_count()[0] > LITTER:
            gc.collect()
    for folder in args.others:
        _say([campaign_folders.not_ones_own(folder)], sys.stderr)
        codes.append(WRONG)
    failing = sum(code not in (DONE, HELD) for code in codes)
    turns = [f"{became[PLAYED]} played", f"{became[WAITING]} waiting"] if args.command == "run" else []
    counts = ", ".join([*turns, f"{failing} failing", f"{codes.count(HELD)} busy"])
    is_said = _say([f"{counted(len(codes), 'campaign')}: {counts}."], sys.stdout)
    return max(codes, default=DONE) or (DONE if is_said else WRONG)


def _one_by_one(args: argparse.Namespace) -> Iterator[tuple[int, str]]:
    for folder in args.campaigns:
        args.campaign = folder
        yield _alone(args, [f"{folder}:"])


def _by_workers(args: argparse.Namespace) -> Iterator[tuple[int, str]]:
    """The same for `run`, which workers share: the output of the campaigns is printed in their order."""
    from kingdom.campaign.workers import side_by_side
    from kingdom.cli.commands.mail import running

    # the same folder twice: its runs must come one after the other
    twice = len({*map(os.path.realpath, args.campaigns)}) < len(args.campaigns)
    more = {"helpers": 0 if args.dry_run or twice else args.team.width}
    each = [argparse.Namespace(**{**vars(args), "campaign": folder, **more}) for folder in args.campaigns]
    for one, outcome in zip(each, side_by_side(map(running, each), args.team), strict=True):
        yield _alone(one, [f"{one.campaign}:"] if args.several else (), outcome.get)
    _say(args.team.news(), sys.stderr)


def _is_a_file(stream: TextIO) -> bool:
    """Return whether the output goes into a file, as with cron: such a log needs dates."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):  # a stream without a file
        return False


def _now() -> str:
    """Return this machine's date, time and zone, for the head of a run's output in a log."""
    from kingdom.campaign import calendar

    return f"{calendar.said_here(clock.now())}:"


def _run(args: argparse.Namespace) -> Said:
    """Run the command: `mail log` is the function `run_mail_log` of the module that the table names."""
    module = import_module(f"kingdom.cli.commands.{COMMANDS[args.command].module}")
    command = getattr(module, f"run_{args.command.replace(' ', '_')}")
    looks = _LOOKS if args.command in LOOKING else 1
    while True:
        looks, before = looks - 1, _turns_of(args)
        try:
            said: Said = command(args)
        except Exception:
            if not looks or _turns_of(args) == before:
                raise
        else:
            if not looks or _turns_of(args) == before:
                return said


def _turns_of(args: argparse.Namespace) -> frozenset[tuple[str, int]]:
    """Return the campaign's turns at this moment."""
    try:
        with os.scandir(os.path.join(args.campaign, "turns")) as entries:
            return frozenset((entry.name, entry.inode()) for entry in entries if not entry.name.startswith("."))
    except (OSError, AttributeError, TypeError):  # no campaign is named, or it has no turns
        return frozenset()


def _ask(question: str) -> bool | None:
    """Ask yes or no at the terminal; None without a terminal."""
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    sys.stderr.write(f"{clean(WORDING.get()(question))} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _print(said: Said, told: Progress) -> int:
    """Print a command's output and return its exit code. The command's work is done by then, even if the output fails, unless
    lines come while the work goes on."""
    is_said = True
    if said.raw:
        told.end()
        is_said = _put(sys.stdout, said.raw)
    if isinstance(said.lines, (list, tuple)):
        told.end()
    is_said &= _say(said.lines, sys.stdout, told)
    told.end()
    _say(said.notes, sys.stderr)
    return said.code or (DONE if is_said else WRONG)


def _say(lines: Iterable[object], stream: TextIO, told: Progress | None = None) -> bool:
    """Print lines; return False if they belong on standard output and it can't be written. All output passes here and is
    cleaned here, so nothing in it can control a terminal."""
    worded, is_said = WORDING.get(), True
    for line in lines:
        if told:
            told.hide()
        is_said &= _put(stream, f"{clean(worded(str(line)))}\n", is_last=False)
    return _put(stream, "") and is_said


def _put(stream: TextIO, text: str | bytes, is_last: bool = True) -> bool:
    """Write on a stream; after the first failure the stream leads nowhere. Return False if a reader of standard output misses
    something."""
    try:
        if isinstance(text, bytes):
            stream.flush()
            stream.buffer.write(text)
        else:
            stream.write(text)
        if is_last:
            stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # else Python complains when it ends
        # nobody reads the output any more, as after `head`
        if stream is sys.stderr or isinstance(error, BrokenPipeError):
            return True
        lost = f"standard output: This can't be written: {error.strerror}. What the command does is done all the same."
        _say([lost], sys.stderr)
        return False
    return True


def _fail(args: argparse.Namespace, error: Exception) -> int:
    """Print what is wrong and return the exit code. With --debug a fault of the program is raised again."""
    lines, code = _failure(args, error)
    _say(lines, sys.stderr)
    return code


def _failure(args: argparse.Namespace, error: Exception) -> tuple[Sequence[object], int]:
    then = GOES_ON.get(args.command, UNCHANGED)
    if then == RUN_GOES_ON and lasts(error):
        then = RUN_IS_STUCK
    if isinstance(error, Faults):
        return [f"{problem} {then}" if problem.code in DISK else problem for problem in error.problems], WRONG
    if isinstance(error, Held):
        return [error], HELD
    workers = sys.modules.get("kingdom.campaign.workers")  # if it is not loaded, no workers were started
    if isinstance(error, NoLocks) or workers and isinstance(error, workers.NoTeam):
        return [f"kingdom {args.command}: {error}"], MISUSED
    servers = sys.modules.get("kingdom.mail.servers.connection")  # if it is not loaded, no connection was tried
    if servers and isinstance(error, (servers.Unreachable, servers.Denied)):
        return [error], error.exit_code
    if args.debug:
        raise error
    where = f"{args.campaign}: " if hasattr(args, "campaign") else ""
    if isinstance(error, OSError):
        file = f"{error.filename}: " if error.filename else where
        return [f"{file}{refused(error, '').message} {then}"], WRONG
    if isinstance(error, (ImportError, SyntaxError, AttributeError)) and environment.is_damaged():
        stopped = f"{where}`kingdom {args.command}` stopped. {then.partition(';')[0]}."
        return [f"{stopped} Type it again: .venv is made anew first."], WRONG
    notes = "".join(f"{note}, " for note in getattr(error, "__notes__", ()))
    what = " ".join(str(error).split())[:300] or "no more is known"
    so = UNKNOWN if CHANGED in notes and then != RUN_GOES_ON else then.partition(";")[0]
    said = (
        f"{where}`kingdom {args.command}` stopped ({notes}{type(error).__name__}: {what}). {so}. This is a fault of "
        f"the program: run it again with --debug, and send what it prints to its maintainers."
    )
    return [said], WRONG
