"""kingdom help: a command explained, a page of the docs, the rules of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from kingdom.cli.commands import USAGE, Said
from kingdom.cli.reading import beginning_with, listed, overview, parser
from kingdom.cli.table import COMMANDS
from kingdom.engine import game as games
from kingdom.orders import places
from kingdom.render import terminal

_ENDING = ".md"
_TYPED = "scripts/kingdom "  # in pages, whose readers may have no checkout


class Args(Protocol):
    """The arguments of `kingdom help`."""

    topic: Sequence[str]
    program: str


def run_help(args: Args) -> Said:
    """Explain a command, else show a page, else a game's rules. `NAME.md` is the page if a command has the same name."""
    topic = " ".join(args.topic).strip().lower()
    if not topic:
        return _said(overview(args.program))
    if topic in COMMANDS:
        return _said(parser(args.program, topic).format_help() + _of_the_page(topic))
    page = topic.removeprefix("docs/").removesuffix(_ENDING).replace("_", "-").replace(" ", "-")
    if page in pages():
        text = (places.docs() / f"{page}{_ENDING}").read_text(encoding="utf-8")
        return _said(_of_the_group(topic) + text.replace(_TYPED, f"{args.program} "))
    game = topic.replace("-", "_").replace(" ", "_")
    if game in games.names():
        return _said(_rules(game))
    return Said(notes=_unknown(topic), code=USAGE)


def pages() -> list[str]:
    """Return the names of the pages that came with the program."""
    return sorted(file.stem for file in places.docs().glob(f"*{_ENDING}"))


def _said(text: str) -> Said:
    return Said(text.rstrip("\n").split("\n"))


def _of_the_page(command: str) -> str:
    """Return a line on how to see the page with the same name as a command; "" if there is none."""
    return f"\n`kingdom help {command}{_ENDING}` shows the page of that name.\n" if command in pages() else ""


def _of_the_group(topic: str) -> str:
    """Return the list of commands that begin with this word, to stand above the page of that name; "" if there are none."""
    lines = listed(beginning_with(topic))
    return "\n".join([*lines, "", ""]) if lines else ""


def _rules(name: str) -> str:
    """Return a game's rules without a campaign; its tables if it has no page of rules."""
    from kingdom.orders import tables
    from kingdom.render import reports

    game = games.load(name)
    own = tables.load(game)
    return reports.rules_page(game, own) or tables.dump(own)


def _unknown(topic: str) -> list[str]:
    """Say that there is no such topic, what may have been meant, and which topics there are."""
    from kingdom.engine.problems import nearest

    kinds = {"Commands": list(COMMANDS), "Pages": pages(), "Games": games.names()}
    near = nearest(topic, [name for names in kinds.values() for name in names])
    cure = f" Did you mean `kingdom help {near}`?" if near else ""
    listed = [line for kind, names in kinds.items() if names for line in terminal.listed(f"{kind}:", names, 2)]
    return [f"kingdom help: there is nothing on `{topic}`.{cure}", *listed]
