"""What every report says alike, as plain data: what the GM told, the news, messages, dice, and the order form's head."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NotRequired, TypedDict, TypeVar

from kingdom.engine.dice import GM
from kingdom.engine.step import Facts, Notice, Result
from kingdom.games.kit.common_orders import ALL
from kingdom.render.charts import Drawing

S = TypeVar("S")  # a game's State
_ROLL = ("kingdom", "name", "count", "sides", "result", "source")


class Line(TypedDict):
    """What happened, in a sentence. good: False where it is bad for its reader, None where it is neither."""

    text: str
    good: bool | None


class PhaseLines(TypedDict):
    """What happened in a phase."""

    name: str
    lines: list[Line]


class Message(TypedDict):
    """A message as one seat reads it. out: the seat wrote it itself."""

    sender: str
    to: str
    out: bool
    text: list[str]


class FirstLine(TypedDict):
    """A line of the first screen. to: the section that it leads to; mark: `mark` or `bad` where it stands out."""

    name: str
    text: str
    to: str
    mark: str


class Anchor(TypedDict):
    """A section of the report, in its table of contents."""

    to: str
    name: str


class Board(TypedDict):
    """The board as an image and as lines of text."""

    picture: Drawing
    lines: list[str]


class Outcome(TypedDict):
    """What became of an order of a seat. key: the one under which it stood, where the game says it."""

    key: NotRequired[str]
    text: str
    outcome: str
    why: str


class Outcomes(TypedDict):
    """What became of a seat's orders: a sentence, and each of them."""

    said: str
    rows: list[Outcome]


def heard(result: Result[S], seat: str) -> list[Notice]:
    """The notices to the seat and to all."""
    return [notice for notice in result.notices if notice.seat in (seat, ALL)]


def told(notices: Iterable[Notice]) -> list[list[str]]:
    """What the GM told, each as lines."""
    return [notice.facts["text"].split("\n") for notice in notices if notice.kind == "tell"]


def news(notices: Iterable[Notice], kinds: Collection[str] = ("news",)) -> list[str]:
    """The sentences of these kinds of notices."""
    return [notice.facts["text"] for notice in notices if notice.kind in kinds]


def happened(
    notices: Iterable[Notice], phases: Mapping[str, str], kinds: Collection[str] = ("happened",), bad: str = ""
) -> list[PhaseLines]:
    """What these kinds of notices say, by phases. phases: word -> name, in the order told. bad: the kind that is no good to its reader."""
    lines: dict[str, list[Line]] = {}
    for notice in notices:
        if notice.kind in kinds:
            lines.setdefault(notice.phase, []).append(
                {"text": notice.facts["text"], "good": False if notice.kind == bad else None}
            )
    return [{"name": phases[phase], "lines": lines[phase]} for phase in phases if phase in lines]


def messages(notices: Iterable[Notice], seat: str) -> list[Message]:
    """What the seat wrote, and what was written to it or to all; for the GM all of it. out: it wrote it itself."""
    return [
        message(notice.facts["sender"], notice.seat, notice.facts["text"], seat)
        for notice in notices
        if notice.kind == "message" and (notice.seat in (seat, ALL) or seat in (notice.facts["sender"], GM))
    ]


def message(sender: str, to: str, text: str, seat: str) -> Message:
    """A message as that seat reads it."""
    return {"sender": sender, "to": to, "out": sender == seat, "text": text.split("\n")}


def dice(result: Result[S], seat: str) -> list[str]:
    """The seat's own rolls of the seed, as `kingdom dice` takes them: "name:count:sides"."""
    return [
        f"{roll.name}:{roll.count}:{roll.sides}"
        for roll in result.rolls
        if roll.kingdom == seat and roll.source == "seed"
    ]


def rolls(result: Result[S]) -> list[dict[str, str | int]]:
    """Every roll of the turn, for the GM's book."""
    return [{word: getattr(roll, word) for word in _ROLL} for roll in result.rolls]


def rulings(result: Result[S]) -> list[dict[str, str]]:
    """The GM's rulings and what became of each: text, outcome, why."""
    why = {facts["order"]: facts["reason"] for facts in refused(result)}
    filed = [(f"gm[{index}]", ruling) for index, ruling in enumerate(result.orders.get(GM, {}).get("gm", ()))]
    return [
        {
            "text": ", ".join(f"{key}: {value}" for key, value in ruling.items()),
            "outcome": "refused" if path in why else "done",
            "why": why.get(path, ""),
        }
        for path, ruling in filed
    ]


def refused(result: Result[S]) -> list[Facts]:
    """What was refused to the GM: the facts of each."""
    return [notice.facts for notice in result.notices if notice.kind == "refusal" and notice.seat == GM]


def form(result: Result[S], seat: str, lines: Iterable[str]) -> list[str]:
    """The order form of the next turn: its head, and the lines behind it."""
    return [f"kingdom: {seat}", f"turn: {result.number + 1}", *lines]


def board(picture: str, text: str) -> Board:
    """The board as an image and as lines of text."""
    return {"picture": Drawing(picture), "lines": text.rstrip("\n").split("\n")}


def contents(sections: Iterable[tuple[str, str, bool]]) -> list[Anchor]:
    """The table of contents. sections: (where to, its name, whether it says anything), in their order."""
    return [{"to": to, "name": name} for to, name, says in sections if says]


def of_third(orders: Outcomes) -> Outcomes:
    """What became of orders, said to another than the one who gave them."""
    return {"said": orders["said"].replace("You sent", "Sent", 1), "rows": orders["rows"]}
