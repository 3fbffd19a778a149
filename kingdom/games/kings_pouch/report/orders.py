"""What a report asks of a seat, how the game stands in a line, and what became of a seat's orders, one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypedDict

from kingdom.engine.step import Notice, Orders
from kingdom.games.kings_pouch.orders.placing import name_of
from kingdom.games.kings_pouch.rules import Rules, board_for
from kingdom.games.kings_pouch.state import Table, is_over
from kingdom.games.kings_pouch.steps import joined, said
from kingdom.games.kings_pouch.steps.rounds import SET_UP, due
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


class Asked(TypedDict):
    """due: whether anything is asked. short: in a line. lines: what can be ordered, a sentence each."""

    due: bool
    short: str
    lines: list[str]


def asked(table: Table, seat: str, rules: Rules) -> Asked:
    """What the next run asks of the seat."""
    if is_over(table):
        return {"due": False, "short": "nothing any more", "lines": []}
    if seat not in due(table, rules):
        return {"due": False, "short": f"nothing: it is the turn of {joined(due(table, rules))}", "lines": []}
    if table.round == SET_UP:
        board = board_for(rules, len(table.lords))
        places = joined(map(said, board.castles if board else ()))
        lines = [
            f"Choose the place of your castle: `castle:` with a list of {places}, the best one first. Who is higher in the order chooses first."
        ]
        return {"due": True, "short": f"the place of your castle: {places}", "lines": lines}
    number = table.order.index(seat) + 1
    before = table.order[: number - 1]
    lines = [
        "Place your active citizens on buildings: `place:`, one after the other; `at: any` places the rest.",
        "Then build at most one card, claim characters and occupy territories: `manage:`, a list of wishes; of each list the first that is possible is done.",
        f"Say whether the tax may be collected: `tax:` never, always or if_needed. Without it you have {rules.tax.prestige} prestige more.",
        "Say which shapes you draw: `rest: {draw: [cube, prism]}`; without it cubes first.",
        f"Your turn comes after {joined(before)}: what they take before you your wishes do without."
        if before
        else "Your turn is the first of the round.",
    ]
    if table.round > rules.rounds.building:
        lines[1] = lines[1].replace("build at most one card, claim", "claim")
    return {
        "due": True,
        "short": f"your turn of round {table.round}, as number {number} of {len(table.order)}",
        "lines": lines,
    }


_REASONS = 3  # of one order, that are told in full


def outcomes(orders: Orders | None, notices: Iterable[Notice], rules: Rules, of: str = "You") -> Outcomes:
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
    listed = dict(_listed(orders, rules))
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


def _listed(orders: Orders, rules: Rules) -> Iterator[tuple[str, str]]:
    """(path, the order in words) of each order."""
    if orders.get("castle"):
        yield "castle", f"castle: {', '.join(map(said, orders['castle']))}"
    for index, order in enumerate(orders.get("place") or ()):
        if order is not None:
            yield f"place[{index}]", _placed(order, rules)
    for index, wish in enumerate(orders.get("manage") or ()):
        if wish is not None:
            key = next(iter(wish))
            yield f"manage[{index}]", f"{key}: {', '.join(_alternative(key, each, rules) for each in wish[key])}"
    if "tax" in orders:
        yield "tax", f"tax: {said(orders['tax'])}"
    if "rest" in orders:
        yield (
            "rest",
            "rest: " + ", ".join(f"{key.replace('_', ' ')} {_plain(value)}" for key, value in orders["rest"].items()),
        )


def _placed(order: Orders, rules: Rules) -> str:
    at = "any building" if order["at"] == "any" else name_of(order["at"], rules)
    text = f"{order['citizen']} at {at}" if order.get("citizen") else at
    more = [f"{key.replace('_', ' ')} {_plain(value)}" for key, value in order.items() if key not in ("citizen", "at")]
    return f"{text} ({', '.join(more)})" if more else text


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{count} {kind}" for kind, count in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _alternative(key: str, each: str | Mapping[str, str], rules: Rules) -> str:
    if isinstance(each, Mapping):
        return f"castle of {each['castle']}"
    if key == "claim":
        return rules.characters[each].name if each in rules.characters else said(each).title()
    return name_of(each, rules) if key == "build" else said(each)
