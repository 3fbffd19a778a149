"""Parsing a typed command by the table of commands, and the help made from that table."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from typing import NoReturn

from kingdom import __version__
from kingdom.cli import campaign_folders
from kingdom.cli.program import NAME
from kingdom.cli.table import CAMPAIGN, CAMPAIGNS, COMMANDS, GROUPS
from kingdom.engine.problems import nearest
from kingdom.render import terminal
from kingdom.render.plain_text import wrap_said

_COLUMNS = 78
_INDENT = 4  # columns before a command in the list of all
_NAME = max(map(len, COMMANDS)) + 2


class Misused(Exception):
    """The typed words are no command. The text says in one line what is wrong and where to find help."""


class Answered(Exception):
    """The typed words ask for help or the version, which is the text."""


class _Parser(argparse.ArgumentParser):
    """A parser that raises instead of printing and exiting: argparse would print several lines and list every command."""

    command: str

    def error(self, message: str) -> NoReturn:
        if str(CAMPAIGN.settings["metavar"]) in message:  # the campaign is missing
            raise Misused(_which(self.command))
        said = f"kingdom {self.command}: {message.removeprefix('argument ')}."
        raise Misused(f"{said} `kingdom {self.command} --help` says more.")

    def print_help(self, file: object = None) -> NoReturn:
        raise Answered(self.format_help())


class _Help(argparse.HelpFormatter):
    """Help for 80 columns. Asking the terminal for its width loads much, and argparse asks even if it shows no help."""

    def __init__(self, prog: str):
        super().__init__(prog, max_help_position=28, width=_COLUMNS)


def parsed(words: Sequence[str], program: str = NAME) -> argparse.Namespace:
    """Parse a typed command. Raises Misused, with the nearest known word, or Answered."""
    debug = [*words[:1]] == ["--debug"]
    words = words[debug:]
    if not words or words[0] in ("-h", "--help"):
        words = ["help", *words[1:]]
    words = _joined(words)
    command = words[0]
    if command == "--version":
        raise Answered(f"kingdom {__version__}")
    if command not in COMMANDS:
        what = f"`{command}` is no option here." if command[:1] == "-" else f"there is no command `{command}`."
        known = [*COMMANDS, "--debug", "--help", "--version"]
        raise Misused(f"kingdom: {what}{_nearest(command, known)} `kingdom --help` lists them all.")
    placed = _placed(command, words[1:])
    args, left = _parsed(program, command, placed, debug)
    if COMMANDS[command].arguments[:1] == [CAMPAIGNS]:
        left = _name_several(args, left)
    if any(word[:1] != "-" for word in left) and len(placed) == len(words):
        # the first word stands for the campaign but is not one
        args, left = _parsed(program, command, words[1:], debug)
    if left:
        word = left[0].partition("=")[0]
        flags = [flag for argument in COMMANDS[command].arguments for flag in argument.names if flag.startswith("-")]
        is_option = word[:1] == "-"
        what = f"`{word}` is no option here.{_nearest(word, flags)}" if is_option else f"`{word}` is one word too many."
        raise Misused(f"kingdom {command}: {what} `kingdom {command} --help` says more.")
    if command == "check" and args.campaign is None:
        args.campaign = campaign_folders.campaign(os.path.dirname(args.orders), os.curdir)
        if args.campaign is None:
            raise Misused(_which(command))
    return args


def _parsed(program: str, command: str, words: Sequence[str], debug: bool) -> tuple[argparse.Namespace, list[str]]:
    into = argparse.Namespace(program=program, command=command, debug=debug)
    return parser(program, command).parse_known_args(words, into)


def _placed(command: str, words: Sequence[str]) -> list[str]:
    """Return the words with the campaign in front, if the command needs a campaign and the first word is not one."""
    typed = _first(command, words)
    if COMMANDS[command].arguments[:1] != [CAMPAIGN] or typed is not None and campaign_folders.is_campaign(typed):
        return [*words]
    campaign = campaign_folders.campaign(os.curdir)
    return [*words] if campaign is None else [campaign, *words]


def _name_several(args: argparse.Namespace, left: list[str]) -> list[str]:
    """Set `campaigns` to the folders of all campaigns that were typed, lie in a typed folder, or are here; `campaign` is the
    first. Return the words that are no campaigns."""
    # argparse leaves over the words after an option
    typed = [*args.campaigns, *(word for word in left if word[:1] != "-")]
    args.campaigns, args.others, args.folders, args.several = [], [], [], len(typed) > 1
    for word in typed:
        own, others = ([], []) if campaign_folders.is_campaign(word) else campaign_folders.inside(word)
        if own or others or campaign_folders.is_house(word):
            args.several = True
            args.folders.append(word)
            args.campaigns += own
        else:
            args.campaigns.append(word)
        args.others += others
    here = None if typed else campaign_folders.campaign(os.curdir)
    if not typed and here is None:
        raise Misused(_which(args.command))
    args.campaigns = [*dict.fromkeys(args.campaigns)] if typed else [here]
    args.campaign = next(iter(args.campaigns), "")
    names = [os.path.basename(os.path.realpath(folder)) for folder in args.campaigns]
    if twice := next((name for name in names if args.command == "export" and names.count(name) > 1), ""):
        raise Misused(
            f"kingdom export: two of these folders are called {twice}, and so would be their files. Export one after the other."
        )
    return [word for word in left if word[:1] == "-"]


def _first(command: str, words: Sequence[str]) -> str | None:
    """Return the first word that is neither an option nor an option's value."""
    arguments = COMMANDS[command].arguments
    with_value = {name for argument in arguments if "action" not in argument.settings for name in argument.names}
    before = ""
    for at, word in enumerate(words):
        if word == "--":
            return next(iter(words[at + 1 :]), None)
        if before not in with_value and (word[:1] != "-" or word == "-"):
            return word
        before = "" if before in with_value else word
    return None


def _which(command: str) -> str:
    """Say that no campaign is named or found, and how to name one."""
    typed = "check ORDERS --campaign CAMPAIGN" if command == "check" else f"{command} CAMPAIGN"
    said = (
        f"kingdom {command}: which campaign? Name its folder (`kingdom {typed}`), type this inside it, "
        f"or name it in the variable {campaign_folders.VARIABLE}."
    )
    if others := campaign_folders.of_somebody_else(os.curdir):
        said += f" The one in {others} is somebody else's: to use it, name it."
    if campaign_folders.named():
        said += f" That variable names {campaign_folders.named()}, where no campaign.yaml is."
    return said


def parser(program: str, command: str) -> argparse.ArgumentParser:
    """Make the parser of a single command."""
    help_ = COMMANDS[command].help
    made = _Parser(
        prog=f"{program} {command}",
        description=f"{help_[0].upper()}{help_[1:]}.",
        allow_abbrev=False,
        formatter_class=_Help,
    )
    made.command = command
    for names, settings in COMMANDS[command].arguments:
        made.add_argument(*names, **settings)
    vars(made)["color"] = False  # Python 3.14 would colour the help
    made.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    return made


def overview(program: str) -> str:
    """Return the list of all commands in their groups, and where to read more."""
    lines = [f"usage: {program} COMMAND ...", "", "Play-by-email turns of kingdom games."]
    for group, commands in GROUPS.items():
        lines += ["", f"{group}:", *listed(commands)]
    more = (
        "`kingdom help COMMAND` explains a command. `kingdom help TOPIC` shows a page of the docs, such as `mail` or "
        "`tour-gm`, or the rules of a game; any other word lists them. Where a command takes [CAMPAIGN], you can "
        "leave it out inside the campaign's folder, or if the variable KINGDOM_CAMPAIGN names it. `kingdom --version` says which version this is. "
        "`--debug` behind a command shows the traceback of a fault."
    )
    return "\n".join([*lines, "", wrap_said(terminal.WORDING.get()(more), 0, _COLUMNS)])


def listed(commands: Iterable[str]) -> list[str]:
    """Return a line for each command, with what it does."""
    starts = {command: f"{' ' * _INDENT}{command:{_NAME}}" for command in commands}
    return [wrap_said(COMMANDS[command].help, len(start), _COLUMNS, start) for command, start in starts.items()]


def beginning_with(word: str) -> list[str]:
    """Return the commands of two words that begin with this one."""
    return [command for command in COMMANDS if command.startswith(f"{word} ")]


def _joined(words: Sequence[str]) -> list[str]:
    """Join a command of two words, such as `mail fetch`, into one. Raises Misused if the second word is missing."""
    behind = [command.split()[1] for command in beginning_with(words[0])]
    if not behind:
        return list(words)
    second = words[1] if words[1:] else ""
    if second in ("-h", "--help"):
        raise Answered("\n".join(listed(beginning_with(words[0]))))
    if second not in behind:
        raise Misused(
            f"kingdom {words[0]}: write one of {', '.join(behind)} behind it.{_nearest(second, behind)} `kingdom --help` says more."
        )
    return [f"{words[0]} {second}", *words[2:]]


def _nearest(word: str, known: Iterable[str]) -> str:
    near = nearest(word, known)
    return f" Did you mean `{near}`?" if near else ""
