"""What the reports of board games share: the first screen and the contents, and lists of a turn's notices, dice and orders for the templates."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeAlias, TypeVar

from kingdom.engine.dice import GM
from kingdom.engine.step import Notice, Result
from kingdom.games.kit.common_orders import ALL
from kingdom.orders.kit.outcome import Outcome as Outcome
from kingdom.orders.kit.outcome import Outcomes as Outcomes

S = TypeVar("S")  # a game's State
View: TypeAlias = dict[str, Any]  # plain data for templates: what templates/board says of each key
_SECTIONS = {
    "happened": "What happened",
    "orders": "Your orders",
    "messages": "Messages and news",
    "form": "Order form",
}


# --- the first screen, and the contents


def first(lines: Iterable[tuple[str, str, str, str]], orders: Outcomes) -> list[View]:
    """The first screen: (name, text, section that it leads to, mark) of each line, and how many orders were refused.

    An order is not counted of whose key another one was carried out.
    """
    done = {row.get("key", row["text"]) for row in orders["rows"] if row["outcome"] == "done"}
    refused = [row for row in orders["rows"] if row["outcome"] == "refused" and row.get("key", row["text"]) not in done]
    last = [("Refused", f"{len(refused)} of your orders", "orders", "bad")] if refused else []
    return [{"name": name, "text": text, "to": to, "mark": mark} for name, text, to, mark in (*lines, *last)]


def contents(view: View, over: bool, own: Mapping[str, str]) -> list[View]:
    """The table of contents. own: the game's own sections. An empty section is left out; when the game is over, so are
    sections about the next turn."""
    says = {
        "told": view["told"], "messages": view["messages"] or view["news"], "orders": view["turn"] > 0,
        "happened": view["turn"] > 0 or view.get("happened"), **dict.fromkeys(("asked", "form", "board"), not over),
        **{name: view.get(name, True) for name in own if name != "board"},
    }  # fmt: skip
    names = {"told": "The GM says", "asked": "What to decide", **own, **_SECTIONS}
    return [{"to": word, "name": name} for word, name in names.items() if says.get(word, True)]


# --- from the notices of a turn


def heard(result: Result[S], seat: str) -> list[Notice]:
    """The notices to the seat and to all, without those that the seat is told in other words."""
    return [
        notice
        for notice in result.notices
        if notice.seat in (seat, ALL) and seat not in notice.facts.get("besides", ())
    ]


def alone(result: Result[S], seat: str) -> list[Notice]:
    """The notices to the seat and to nobody else."""
    return [notice for notice in result.notices if notice.seat == seat]


def news(notices: Iterable[Notice]) -> list[str]:
    """What is news among these notices."""
    return [notice.facts["text"] for notice in notices if notice.kind == "news"]


def happened(
    notices: Iterable[Notice], phases: Mapping[str, str], kinds: Collection[str] = ("happened",), bad: str = ""
) -> list[View]:
    """What these kinds of notices say, by phases: name, lines (text, good: False if bad for its reader, else None). phases: word -> name, in the order told. bad: the kind that is bad news for its reader."""
    lines: dict[str, list[View]] = {}
    for notice in notices:
        if notice.kind in kinds:
            good = False if notice.kind == bad else None
            lines.setdefault(notice.phase, []).append({"text": notice.facts["text"], "good": good})
    return [{"name": phases[phase], "lines": lines[phase]} for phase in phases if phase in lines]


def messages(notices: Iterable[Notice], seat: str) -> list[View]:
    """What the seat wrote, and what was written to it or to all; for the GM all messages: sender, to, out (the reader wrote it), text (lines)."""
    return [
        {
            "sender": note.facts["sender"],
            "to": note.seat,
            "out": note.facts["sender"] == seat,
            "text": note.facts["text"].split("\n"),
        }
        for note in notices
        if note.kind == "message" and (note.seat in (seat, ALL) or seat in (note.facts["sender"], GM))
    ]


def rulings(result: Result[S]) -> list[View]:
    """The GM's rulings and what became of each: text, outcome, why."""
    refused = [notice.facts for notice in result.notices if notice.kind == "refusal" and notice.seat == GM]
    why = {facts["order"]: facts["reason"] for facts in refused}
    filed = [(f"gm[{index}]", ruling) for index, ruling in enumerate(result.orders.get(GM, {}).get("gm", ()))]
    return [
        {
            "text": ", ".join(f"{key}: {value}" for key, value in ruling.items()),
            "outcome": "refused" if path in why else "done",
            "why": why.get(path, ""),
        }
        for path, ruling in filed
    ]
