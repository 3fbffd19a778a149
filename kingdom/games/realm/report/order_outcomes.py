"""What a seat filed, order by order, in the words of the short forms, and what became of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from kingdom.engine.step import Notice, Orders
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.kit.common_orders import FOOT, listed
from kingdom.games.realm.orders.declaration import DECISIONS, ORDERS
from kingdom.games.realm.orders.rulings import GM_ORDERS
from kingdom.games.realm.types import Order
from kingdom.orders.schema import ListOf, OneOf
from kingdom.orders.short_forms import in_words

NOTHING = "came to nothing"  # nobody erred: what was to be done was needless by then
NEEDLESS = ("adventurers_gone",)  # codes of refusals that say so


class OrderRow(TypedDict):
    """An order with what became of it: `outcome` is done, changed, refused or NOTHING, `why` says it for all but the first."""

    path: str
    text: str
    outcome: str
    why: str


def filed(orders: Orders) -> list[tuple[str, str]]:
    """Return (path as in refusals, a line that says it) of every order of one seat, in the order of the rules' steps."""
    return [row for key in _IN_ORDER if orders.get(key) is not None for row in _said(key, orders[key])]


def outcomes(orders: Orders, notices: Iterable[Notice]) -> list[OrderRow]:
    """Every order with what became of it.

    A refusal of a whole key (`build`) stands for each order in it, and so does what the GM voided. Refusals of what is
    not among the orders come last.
    """
    refused: dict[str, str] = {}
    needless: set[str] = set()
    changed: dict[str, list[str]] = {}
    for notice in notices:
        if notice.kind == "refusal":
            refused[notice.facts["order"]] = notice.facts["reason"]
            needless |= {notice.facts["order"]} if notice.facts["code"] in NEEDLESS else set()
        elif notice.kind == "voided":
            refused[notice.facts["order"]] = notice.facts["text"]
        elif notice.kind == "changed":
            changed.setdefault(notice.facts["order"], []).append(notice.facts["text"])
    rows, matched = list[OrderRow](), set[str]()
    for path, text in filed(orders):
        whole = list(_enclosing(path))
        by = next((each for each in whole if each in refused), None)
        if by is not None:
            matched.add(by)
            outcome = NOTHING if by in needless else "refused"
            rows.append({"path": path, "text": text, "outcome": outcome, "why": refused[by]})
        else:
            why = " ".join(each for path in whole for each in changed.get(path, ()))
            rows.append({"path": path, "text": text, "outcome": "changed" if why else "done", "why": why})
    rest = [(path, why) for path, why in refused.items() if path not in matched]
    return rows + [{"path": path, "text": path, "outcome": "refused", "why": why} for path, why in rest]


def summary(filed: bool, rows: list[OrderRow], planned: bool = False) -> str:
    """How many orders were carried out, changed and refused, in a line. planned: a plan was there to be worked off."""
    if not filed:
        return "None came in; the plan was worked off." if planned else "None came in, so nothing new was done."
    if not rows:
        return "None: the filing held no order."
    counts = {
        outcome: sum(row["outcome"] == outcome for row in rows) for outcome in ("done", "changed", NOTHING, "refused")
    }
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)


def _enclosing(path: str) -> Iterator[str]:
    """The path itself, and each path that holds it: `edicts.holiday`, `edicts`."""
    while path:
        yield path
        path = path[: max(path.rfind("."), path.rfind("["), 0)]


def _said(key: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield path and words of each order under a key."""
    shape = _SHAPES[key]
    if key in _KINDS:
        yield from ((path, _KINDS[key].say(order)) for path, order in _KINDS[key].filed({key: value}))
    elif isinstance(shape, ListOf) and key not in ("leadership", "plan"):
        yield from ((path, _SAYS.get(key, in_words)(shape.of, order)) for path, order in listed(value, key))
    else:
        yield key, f"{key}: {in_words(shape, value) or 'none any more'}"


def ruling(shape: OneOf, order: Order) -> str:
    """Return a ruling of the GM in words, with its reason."""
    keys = next(case.keys for word, case in shape.cases.items() if word in order)
    said = (f"{key} {in_words(keys[key], order[key])}" for key in order if key not in ("reason", "start"))
    return f"{' '.join(said)}: {order['reason']}"


def _tell(shape: OneOf, order: Order) -> str:
    answer = f", answer to request {order['answers']}" if order.get("answers") else ""
    return f"tell {order['to']}{answer}: {order['text']}"


_SAYS: Mapping[str, Callable[[Any, Any], str]] = {
    "messages": lambda shape, order: f"message to {order['to']}",
    "requests": lambda shape, text: f"request to the GM: {text}",
    "gm": ruling,
    "tell": _tell,
}
_SHAPES = {**ORDERS.keys, **GM_ORDERS.keys}
_KINDS = {kind.key: kind for kind in DECISIONS if kind.at == kind.key and kind.key not in ("leadership", "special")}
_IN_ORDER = [key for key in dict.fromkeys(("answers", *_SHAPES)) if key not in ("kingdom", "turn", *FOOT)]
