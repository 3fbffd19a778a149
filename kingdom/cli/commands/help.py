"""kingdom help: a command explained, a page of the docs, the rules of a game."""

from __future__ import annotations

import re
from argparse import Namespace

from kingdom.cli.commands import USAGE, Said
from kingdom.cli.reading import beginning_with, listed, overview, parser
from kingdom.cli.table import COMMANDS
from kingdom.engine import game as games
from kingdom.orders import places
from kingdom.render import terminal

_ENDING = ".md"
_TYPED = "scripts/kingdom "  # the command as pages print it; some readers have no checkout
_README = "readme"
# The part of a page for readers with a checkout, and in a comment the part for those who installed the program.
_OF_A_CHECKOUT = re.compile(r"^<!-- checkout -->\n(.*?)^<!-- /checkout -->\n", re.M | re.S)
_INSTALLED = re.compile(r"^<!-- installed\n(.*?)^-->\n", re.M | re.S)


def run_help(args: Namespace) -> Said:
    """Explain a command, else show a page, else a game's rules, or its tables if it has no page of rules.

    `NAME.md` is the page if a command has the same name.
    """
    topic = " ".join(args.topic).strip().lower()
    if not topic:
        return _said(overview(args.program))
    if topic in COMMANDS:
        of_page = f"\n`kingdom help {topic}{_ENDING}` shows the page of that name.\n" if topic in pages() else ""
        return _said(parser(args.program, topic).format_help() + of_page)
    page = topic.removeprefix("docs/").removesuffix(_ENDING).replace("_", "-").replace(" ", "-")
    if page in pages():
        file = places.readme() if page == _README else places.docs() / f"{page}{_ENDING}"
        text = _for_its_reader(file.read_text(encoding="utf-8"))
        group = listed(beginning_with(topic))  # commands such as `mail log` come before the page of the same name
        return _said("\n".join([*group, "", ""] if group else []) + text.replace(_TYPED, f"{args.program} "))
    name = topic.replace("-", "_").replace(" ", "_")
    if name in games.names():
        from kingdom.orders import tables
        from kingdom.render import reports

        game = games.load(name)
        own = tables.load(game)
        return _said(reports.rules_page(game, own) or tables.dump(own))
    return Said(notes=_unknown(topic), code=USAGE)


def pages() -> list[str]:
    """Return the names of the pages that came with the program."""
    return sorted({_README, *(file.stem for file in places.docs().glob(f"*{_ENDING}"))})


def _for_its_reader(text: str) -> str:
    """Return a page for a reader with a checkout, or for one who installed the program."""
    if places.is_installed():
        return _INSTALLED.sub(r"\1", _OF_A_CHECKOUT.sub("", text))
    return _INSTALLED.sub("", _OF_A_CHECKOUT.sub(r"\1", text))


def _said(text: str) -> Said:
    return Said(text.rstrip("\n").split("\n"))


def _unknown(topic: str) -> list[str]:
    """Say that there is no such topic, what may have been meant, and which topics there are."""
    from kingdom.engine.problems import nearest

    kinds = {"Commands": list(COMMANDS), "Pages": pages(), "Games": games.names()}
    near = nearest(topic, [name for names in kinds.values() for name in names])
    cure = f" Did you mean `kingdom help {near}`?" if near else ""
    lines = [line for kind, names in kinds.items() if names for line in terminal.listed(f"{kind}:", names, 2)]
    return [f"kingdom help: there is nothing on `{topic}`.{cure}", *lines]
