"""A ruling on the page of the rules: its sentence, its figures, and the line of campaign.yaml that sets them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from kingdom.engine.game import Facts
from kingdom.orders.yaml_out import flow


def plain(value: object) -> str:
    """A figure as a reader takes it: "yes", "3", "0, 1, 2"."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def ruling(
    name: str,
    now: Facts,
    own: Facts,
    said: Callable[[Any], str] = plain,  # a figure as text
) -> dict[str, Any]:
    """name, text, figures (name, value; own: the game's, "" if the campaign's is the same), set. now, own: the ruling as played, and the game's own."""
    figures = {key: value for key, value in now.items() if key != "text"}
    return {
        "name": name,
        "text": now["text"],
        "figures": [
            {
                "name": key.replace("_", " "),
                "value": said(value),
                "own": said(own[key]) if own.get(key, value) != value else "",
            }
            for key, value in figures.items()
        ],
        "set": f"rules: {{{name}: {flow(figures)}}}" if figures else "",
    }


def changed(rulings: Iterable[Facts]) -> list[str]:
    """The names of the rulings with figures that are not the game's own."""
    return [ruling["name"] for ruling in rulings if any(figure["own"] for figure in ruling["figures"])]


def rulebook(rules: Facts, own: Facts) -> dict[str, Any]:
    """`Game.rulebook` of a game whose rules are rulings and tables. figures: all of them, for the prose; rulings; changed: names."""
    texts = [name for name, now in rules.items() if isinstance(now, dict) and isinstance(now.get("text"), str)]
    rulings = [ruling(name, rules[name], own[name]) for name in texts]
    return {"figures": rules, "rulings": rulings, "changed": [name for name, now in rules.items() if now != own[name]]}
