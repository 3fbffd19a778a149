"""A command reads no argument that the table does not declare, and that the command line does not set: no type says so."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from kingdom.cli.table import COMMANDS

CLI = Path(__file__).parents[2] / "kingdom" / "cli"
# what main.py and reading.py give, and `team_of` reads
EVERYWHERE = {"debug", "program", "command", "helpers", "workers", "scheduler", "trust_network"}


def dest(names: tuple[str, ...], settings: dict[str, object]) -> str:
    """Under which name argparse hands an argument on."""
    return str(settings.get("dest") or names[0].lstrip("-").replace("-", "_"))


def attributes(file: Path, of_kind: type[ast.expr_context]) -> set[str]:
    """The attributes of `args` that a module reads, or sets."""
    found = (node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Attribute))
    return {
        one.attr
        for one in found
        if isinstance(one.value, ast.Name) and one.value.id == "args" and isinstance(one.ctx, of_kind)
    }


@pytest.mark.parametrize("module", sorted({command.module for command in COMMANDS.values()}))
def test_a_command_reads_only_arguments_that_there_are(module: str) -> None:
    arguments = [
        argument for command in COMMANDS.values() if command.module == module for argument in command.arguments
    ]
    declared = {dest(argument.names, argument.settings) for argument in arguments}
    given = set[str]().union(*(attributes(file, ast.Store) for file in CLI.rglob("*.py")))
    assert attributes(CLI / "commands" / f"{module}.py", ast.Load) <= declared | given | EVERYWHERE
