"""The rules as players read them: a page in Markdown, from the game's tables and its template `rules.md`."""

from __future__ import annotations

from kingdom.engine.game import AnyGame
from kingdom.orders import places
from kingdom.orders.tables import Tables, load
from kingdom.render.plain_text import clean, signed

TEMPLATE = "rules.md"


def page(game: AnyGame, rules: Tables, campaign: str = "") -> str:
    """The page; campaign: whose rules these are, what differs from the game's own is then marked. "" where the game has none."""
    folder = places.templates() / game.name
    if game.rulebook is None or not (folder / TEMPLATE).is_file():
        return ""
    from kingdom.render.templates import environment  # slow to load

    own = load(game).data
    view = game.rulebook(rules.data, own)
    title = f"The rules of {clean(campaign)}" if campaign else f"The rules of {game.title}"
    made = environment(folder, {"signed": signed}).get_template(TEMPLATE)
    return _plain(made.render(view={**view, "title": title, "campaign": clean(campaign)}))


def _plain(text: str) -> str:
    """No line ends with a space, and no two empty lines follow each other."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.strip() or (lines and lines[-1]):
            lines.append(line.rstrip())
    return "\n".join(lines).rstrip("\n") + "\n"
