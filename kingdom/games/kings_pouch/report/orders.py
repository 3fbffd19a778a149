"""What a report asks of a seat, how the game stands in a line, and what became of a seat's orders, one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kingdom.engine.step import Notice, Orders
from kingdom.games.kings_pouch.offers import wanted
from kingdom.games.kings_pouch.orders import DECISIONS, MANAGE, PLACE
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Table, is_over
from kingdom.games.kings_pouch.steps import joined
from kingdom.games.kings_pouch.steps.rounds import SET_UP
from kingdom.games.kit.report import Outcome, Outcomes


def heading(table: Table, rules: Rules) -> str:
    """How the game stands."""
    if is_over(table):
        return "The game is over."
    if table.round == SET_UP:
        return f"Castles are chosen, in this order: {joined(table.order)}."
    council = next((round for round in rules.council.rounds if round >= table.round), 0)
    when = "a council ends it" if council == table.round else f"the next council ends round {council}"
    return f"Round {table.round} of {rules.rounds.count}; {when}. Turn order: {joined(table.order)}."


def asked(table: Table, seat: str, rules: Rules) -> list[dict[str, str]]:
    """What the next run asks of the seat: key, name and text of each order."""
    return [{"key": kind.key, "name": kind.title, "text": kind.asks(now)} for kind, now in wanted(table, seat, rules)]


_REASONS = 3  # of one order, that are told in full


def outcomes(orders: Orders | None, notices: Iterable[Notice], of: str = "You") -> Outcomes:
    """What became of the orders. notices: those to the seat alone."""
    told: dict[str, list[Notice]] = {}
    for notice in notices:
        if notice.kind in ("refusal", "passed", "used"):
            told.setdefault(notice.facts["order"], []).append(notice)
    if not orders:
        return {
            "said": f"{of} sent none: buildings without slots were used, and no tax was collected (ruling missing_orders).",
            "rows": [],
        }
    listed = dict(_listed(orders))
    others = [
        path for path in told if not any(path.startswith(order) or order.startswith(f"{path}[") for order in listed)
    ]
    rows = [_row(path, text, told) for path, text in [*listed.items(), *((path, path) for path in others)]]
    return {"said": f"{of} sent {len(rows)}." if rows else f"{of} sent none that this run plays.", "rows": rows}


def _row(path: str, text: str, told: Mapping[str, list[Notice]]) -> Outcome:
    """One order with all that was said of it and of what stands inside it."""
    inside = [
        notice
        for where, each in told.items()
        if where == path or where.startswith((f"{path}.", f"{path}["))
        for notice in each
    ]
    whole = [notice for notice in told.get(path.partition("[")[0], ()) if "[" in path]
    done = any(notice.kind == "used" for notice in inside)
    why = [notice.facts.get("reason") or notice.facts["text"] for notice in (*inside, *whole) if notice.kind != "used"]
    refused = any(notice.kind == "refusal" for notice in (*inside, *whole)) and not done
    outcome = "refused" if refused else "changed" if why else "done"
    return {"text": text, "outcome": outcome, "why": _shortened(why)}


def _shortened(why: list[str]) -> str:
    """The first reasons; who sends long lists knows how to read them."""
    more = len(why) - _REASONS
    return " ".join([*why[:_REASONS], *([f"And {more} more that were not possible."] if more > 0 else [])])


def _listed(orders: Orders) -> Iterator[tuple[str, str]]:
    """(path, the order in words) of each order; choices of a castle, and entries of the rest phase, are one order."""
    for kind in DECISIONS:
        filed = [(path, kind.say(order)) for path, order in kind.filed(orders)]
        if kind in (PLACE, MANAGE):
            yield from filed
        elif filed:
            yield kind.key, f"{kind.key}: {', '.join(text for _, text in filed)}"
