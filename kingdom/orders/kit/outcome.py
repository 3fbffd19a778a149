"""What became of a seat's orders, for its report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NotRequired, TypedDict

from kingdom.engine.step import Notice, Orders
from kingdom.orders.kit.order import AnyOrder, R, S

REASONS = 3  # most reasons of one order that are told in full


class Outcome(TypedDict):
    """What became of an order. key: the one under which it stood, where the game says it. outcome: done, changed, refused or unused."""

    key: NotRequired[str]
    text: str
    outcome: str
    why: str


class Outcomes(TypedDict):
    """What became of a seat's orders: a sentence, and each of them."""

    said: str
    rows: list[Outcome]


def outcomes(kinds: Iterable[AnyOrder[S, R]], orders: Orders | None, notices: Iterable[Notice]) -> Outcomes:
    """Return a row for each order that the seat sent.

    unused: another alternative counted, or its condition did not hold. changed: a part of it was refused.

    orders: None if the seat sent none. notices: the seat's own.
    """
    if orders is None:
        return {"said": "You sent none.", "rows": []}
    told = dict[str, tuple[str, str]]()
    mine = list(notices)
    for notice in (notice for notice in mine if notice.kind == "refusal"):
        told[notice.facts["order"]] = "refused", notice.facts["reason"]
    rows = list[Outcome]()
    for kind in kinds:
        for notice in mine:
            if notice.kind in (kind.used, kind.passed):
                done = notice.kind == kind.used
                told[notice.facts["order"]] = ("done", "") if done else ("unused", notice.facts["text"])
        for path, order in kind.filed(orders):
            otherwise = ("done" if kind.usual(order) else "unused", "")
            parts = [part for below, part in told.items() if below.startswith((f"{path}.", f"{path}["))]
            whole = ("done" if any(part == "done" for part, _ in parts) else "refused", "") if parts else otherwise
            outcome, why = told.get(path) or told.get(kind.key) or whole
            reasons = [reason for reason in (why, *(part for _, part in parts)) if reason]
            outcome = "changed" if reasons and outcome == "done" else outcome
            more = len(reasons) - REASONS
            why = " ".join([*reasons[:REASONS], *([f"And {more} more that were not possible."] if more > 0 else [])])
            rows.append({"key": kind.key, "text": kind.say(order), "outcome": outcome, "why": why})
    others = {path: said for path, said in told.items() if path.startswith("messages")}
    others |= {notice.facts["order"]: ("refused", notice.facts["text"]) for notice in mine if notice.kind == "voided"}
    rows += [{"key": path, "text": path, "outcome": outcome, "why": why} for path, (outcome, why) in others.items()]
    return {"said": f"You sent {len(rows)}." if rows else "You sent none for this turn's decisions.", "rows": rows}
