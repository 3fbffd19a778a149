"""What became of a seat's orders, plan by plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kingdom.engine.step import Notice, Orders
from kingdom.games.royal_progress.steps.preferences import Wish
from kingdom.games.shared.report import Outcome, Outcomes

UNUSED = "not looked at: an earlier plan counted"
ENDED = "the round ended before your turn"


def outcomes(orders: Orders | None, notices: Iterable[Notice]) -> Outcomes:
    """said: a sentence. rows: text, outcome (done, changed, refused), why. notices: the seat's own."""
    if orders is None:
        return {"said": "You sent none.", "rows": []}
    mine = list(notices)
    refused = [notice.facts for notice in mine if notice.kind == "refusal"]
    used = {notice.facts["order"] for notice in mine if notice.kind == "used"}
    rows: list[Outcome] = []
    for index, plan in enumerate(orders.get("plans") or ()):
        if plan is not None:
            path = f"plans[{index}]"
            reasons = [
                facts["reason"]
                for facts in refused
                if facts["order"] == "plans" or facts["order"].partition(".")[0] == path
            ]
            outcome = ("changed" if reasons else "done") if path in used else "refused" if reasons else "unused"
            rows.append({"text": f"Plan {index + 1}: {text_of(plan)}", "outcome": outcome, "why": " ".join(reasons)})
    wrong = [facts for facts in refused if not facts["order"].startswith("plans")]
    if orders.get("discard"):
        text = "Give back " + ", ".join(f"{each['suit']} {each['card']}" for each in orders["discard"] if each)
        why = " ".join(facts["reason"] for facts in wrong if facts["order"].startswith("discard"))
        rows.append({"text": text, "outcome": "refused" if why else "done", "why": why})
    if orders.get("standing"):
        rows.append(
            {
                "text": f"Standing preferences: {', '.join(orders['standing']).replace('_', ' ')}",
                "outcome": "done",
                "why": "",
            }
        )
    rows += [
        {"text": facts["order"], "outcome": "refused", "why": facts["reason"]}
        for facts in wrong
        if not facts["order"].startswith("discard")
    ]
    rows += [
        {"text": notice.facts["order"], "outcome": "refused", "why": notice.facts["text"]}
        for notice in mine
        if notice.kind == "voided"
    ]
    plans, sent = [row for row in rows if row["text"].startswith("Plan ")], len(rows)
    rows = _unused_together(plans, UNUSED if used else ENDED) + rows[len(plans) :]
    return {"said": f"You sent {sent}." if rows else "You sent none for this turn.", "rows": rows}


def _unused_together(rows: list[Outcome], why: str) -> list[Outcome]:
    """Of plans that nobody looked at one line is enough."""
    there = [row for row in rows if row["outcome"] != "unused"]
    rest = len(rows) - len(there)
    return there + (
        [{"text": f"{rest} {'more ' if there else ''}plan{'s' if rest > 1 else ''}", "outcome": "unused", "why": why}]
        if rest
        else []
    )


def text_of(plan: Orders) -> str:
    """A plan in words."""
    parts = [_ability(plan["ability"])] if plan.get("ability") else []
    return "; ".join([*parts, *map(_action, plan.get("actions", ()))])


def _ability(order: Orders) -> str:
    rest = [" to ".join(order["move"][:1] + [_place(each) for each in order["move"][1:]])] if order.get("move") else []
    rest += [str(order[key]) for key in ("courtier", "card", "of") if key in order]
    rest += map(_wish, order.get("prefer") or ())
    return f"use the {order['use']}" + (f" ({', '.join(rest)})" if rest else "")


def _action(action: Orders) -> str:
    if action["do"] == "a":
        return f"A {action['courtier']} to {_place(action['to'])}"
    if action["do"] == "b":
        each = action.get("each")
        if each:
            return "B " + ", ".join(f"{card['courtier']} {card['card']}" for card in each)
        return f"B {action.get('courtier', '')} {' '.join(map(str, action.get('cards', ())))}"
    if action["do"] == "c":
        return "C " + (", ".join(map(_wish, action.get("prefer") or ())) or "any")
    return f"D {action['courtier']}"


def _place(place: str) -> str:
    return place.replace("_", " ").title()


def _wish(wish: Wish) -> str:
    if isinstance(wish, str):
        return wish
    parts: Mapping[str, object] = wish
    words = {
        "suit": "{}",
        "card": "{}",
        "min": "of at least {}",
        "max": "of at most {}",
        "suit_in_hand": "of the suit {} in hand",
    }
    return " ".join(text.format(parts[key]) for key, text in words.items() if key in parts)
