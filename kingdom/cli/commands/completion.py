"""kingdom completion: the script by which a shell completes commands, made from the table of commands."""

from __future__ import annotations

import argparse
from argparse import Namespace

import shtab

from kingdom.cli.commands import Said
from kingdom.cli.commands import help as help_pages
from kingdom.cli.reading import beginning_with
from kingdom.cli.table import COMMANDS, Command
from kingdom.engine import game as games

FILES = ("FILE", "ORDERS", "TAPE", "MESSAGE")  # arguments that a shell completes with files, by their names in help
FOLDERS = ("CAMPAIGN", "[CAMPAIGN]", "DIR", "FOLDER")
HOW = {
    "bash": 'In ~/.bashrc: eval "$(kingdom completion bash)"',
    "zsh": 'In ~/.zshrc, below compinit: eval "$(kingdom completion zsh)"',
    "fish": "Once: kingdom completion fish > ~/.config/fish/completions/kingdom.fish",
}


def run_completion(args: Namespace) -> Said:
    """Print the script; its first lines say where to put it."""
    made = "".join(f"{line.rstrip()}\n" for line in shtab.complete(nested(), args.shell).splitlines())
    first, _, rest = made.partition("\n")
    how = f"# Completes `kingdom`. {HOW[args.shell]}\n"
    script = f"{first}\n{how}{rest}" if first.startswith("#compdef") else how + made
    return Said(raw=script.encode())


def nested() -> argparse.ArgumentParser:
    """A parser of all commands in which `mail fetch` is a command `fetch` below `mail`, as shell completion needs it."""
    whole = argparse.ArgumentParser(prog="kingdom")
    whole.add_argument("--version", action="store_true", help="say which version this is")
    commands = whole.add_subparsers(metavar="COMMAND")
    for name, command in COMMANDS.items():
        if " " not in name:
            _fill(commands.add_parser(name, help=command.help), command)
    for first in dict.fromkeys(name.split()[0] for name in COMMANDS if " " in name):
        names = beginning_with(first)
        behind = commands.add_parser(first, help=f"{', '.join(name.split()[1] for name in names)}")
        inner = behind.add_subparsers(metavar="COMMAND")
        for name in names:
            _fill(inner.add_parser(name.split()[1], help=COMMANDS[name].help), COMMANDS[name])
    return whole


def _fill(parser: argparse.ArgumentParser, command: Command) -> None:
    for names, settings in command.arguments:
        called = settings.get("metavar", "")
        if called == "G":
            settings = settings | {"choices": games.names()}
        elif called == "TOPIC":
            first = {name.split()[0] for name in COMMANDS}
            settings = settings | {"choices": sorted({*first, *help_pages.pages(), *games.names()})}
        if called:
            settings = settings | {"metavar": called.strip("[]")}
        action = parser.add_argument(*names, **settings)
        if called in FILES or called in FOLDERS:
            kind = shtab.FILE if called in FILES else shtab.DIRECTORY
            action.complete = kind  # type: ignore[attr-defined]
