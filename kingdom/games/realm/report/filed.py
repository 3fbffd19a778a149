"""What a seat filed, order by order, in the words of the short forms, and what became of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from kingdom.engine.step import Notice
from kingdom.games.realm.report.order_words import army, edict, plain, ruling
from kingdom.games.realm.report.order_words import words as words


class Filed(NamedTuple):
    """One order. path: as in refusals, `claim[1]`; text: a line that says it, `claim 0404`."""

    path: str
    text: str


def filed(orders: Mapping[str, Any]) -> list[Filed]:
    """Every order of one seat, in the order of the rules' steps."""
    return [Filed(path, text) for key, said in _SAID.items() if key in orders for path, text in said(key, orders[key])]


def outcomes(orders: Mapping[str, Any], notices: Iterable[Notice]) -> list[dict[str, Any]]:
    """Every order with what became of it: `outcome` is done, changed or refused, `why` says it for the latter two.

    A refusal of a whole key (`claim`) stands for each order in it, and so does what the GM voided. Refusals of what is
    not among the orders come last.
    """
    refused: dict[str, str] = {}
    changed: dict[str, list[str]] = {}
    for notice in notices:
        if notice.kind == "refusal":
            refused[notice.facts["order"]] = notice.facts["reason"]
        elif notice.kind == "voided":
            refused[notice.facts["order"]] = notice.facts["text"]
        elif notice.kind == "changed":
            changed.setdefault(notice.facts["order"], []).append(notice.facts["text"])
    rows, matched = [], set()
    for path, text in filed(orders):
        whole = list(_enclosing(path))
        by = next((each for each in whole if each in refused), None)
        if by is not None:
            matched.add(by)
            rows.append({"path": path, "text": text, "outcome": "refused", "why": refused[by]})
        else:
            why = " ".join(each for path in whole for each in changed.get(path, ()))
            rows.append({"path": path, "text": text, "outcome": "changed" if why else "done", "why": why})
    rest = [(path, why) for path, why in refused.items() if path not in matched]
    return rows + [{"path": path, "text": path, "outcome": "refused", "why": why} for path, why in rest]


def summary(filed: bool, rows: list[dict[str, Any]], planned: bool = False) -> str:
    """How many orders were carried out, changed and refused, in a line. planned: a plan was there to be worked off."""
    if not filed:
        return "None came in; the plan was worked off." if planned else "None came in, so nothing new was done."
    if not rows:
        return "None: the filing held no order."
    counts = {outcome: sum(row["outcome"] == outcome for row in rows) for outcome in ("done", "changed", "refused")}
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)


def _enclosing(path: str) -> Iterator[str]:
    """The path itself, and each path that holds it: `edicts.holiday`, `edicts`."""
    while path:
        yield path
        path = path[: max(path.rfind("."), path.rfind("["), 0)]


def _items(say: Callable[[Any], str]) -> Callable[[str, Any], Iterator[tuple[str, str]]]:
    return lambda key, orders: (
        (f"{key}[{index}]", say(order)) for index, order in enumerate(orders) if order is not None
    )


def _building(order: dict[str, Any]) -> str:
    at = order.get("lot") or order.get("border")
    place = f" in {order['in']}" + (f" at {at}" if at else "")
    if "upgrade" in order:
        return f"upgrade {words(order['upgrade'])} to {words(order['to'])}{place}"
    if "demolish" in order:
        return f"demolish {words(order['demolish'])}{place}"
    water = f", water {' '.join(order['water'])}" if order.get("water") else ""
    return f"build {words(order['build'])}{place}{water}"


def _settlement(order: dict[str, Any]) -> str:
    water = f", water {' '.join(order['water'])}" if order.get("water") else ""
    return f"settle {order['name']} in {order['hex']}{water}"


def _told(order: dict[str, Any]) -> str:
    answer = f", answer to request {order['answers']}" if order.get("answers") else ""
    return f"tell {order['to']}{answer}: {order['text']}"


def _parts(key: str, orders: dict[str, Any]) -> Iterator[tuple[str, str]]:
    return ((f"{key}.{part}", f"{words(part)}: {words(plain(value))}") for part, value in orders.items())


def _answers(key: str, answers: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Under their own keys, by which the report asked."""
    return ((f"{key}.{part}", f"{part}: {words(plain(value))}") for part, value in answers.items())


def _whole(key: str, order: Any) -> Iterator[tuple[str, str]]:
    return iter([(key, f"{key}: {plain(order)}")])


def _names(key: str, order: Any) -> Iterator[tuple[str, str]]:
    return iter([(key, f"{key}: {', '.join(words(name) for name in order)}")])


_SAID: dict[str, Callable[[str, Any], Iterator[tuple[str, str]]]] = {
    "answers": _answers,
    "leadership": _names,
    "abandon": _items(lambda label: f"abandon {label}"),
    "claim": _items(lambda label: f"claim {label}"),
    "improve": _items(lambda order: f"{words(order['build'])} in {order['hex']}"),
    "settle": _items(_settlement),
    "build": _items(_building),
    "armies": _items(army),
    "edicts": _parts,
    "special": _items(edict),
    "doors": _parts,
    "smuggle": _items(lambda seat: f"smuggle to {seat}"),
    "capital": _whole,
    "loyalty": _whole,
    "plan": lambda key, items: iter([(key, f"plan: {', '.join(filter(None, items)) or 'none any more'}")]),
    "reserve": _whole,
    "messages": _items(lambda order: f"message to {order['to']}"),
    "requests": _items(lambda text: f"request to the GM: {text}"),
    "gm": _items(ruling),  # the GM's own
    "tell": _items(_told),
}
