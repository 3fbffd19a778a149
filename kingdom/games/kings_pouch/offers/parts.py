"""What the offers of the order form are made of, and the names of what is counted in it (kingdom/render/order_form.py says how they are read)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Offer = dict[str, Any]
Deed = dict[str, Any]
LIST, MAP, ONE = "list", "map", "one"  # how an order stands under its key: one of a list, a row of a map, all of it
PLACE, TAX, MANAGE, REST, LETTERS = range(5)  # ranks: what comes before what in a turn; in a list what is chosen first
GOLD, ARMY, PRESTIGE, MARKERS = (
    "gold",
    "army",
    "prestige",
    "markers",
)  # counters, beside the active citizens by their kind
CLAIMED = "claimed"  # the counter of markers that this turn puts on characters
ACTIONS = ("occupy", "construct", "claim")
# Facts. What is drawn no form can tell: from the first draw on there may be more than is counted, and the rest area may be empty.
SURE, UNSURE, RESTING, PLACING = "sure", "unsure", "resting", "placing"
TEXT = 4000  # characters of a message


def pool(kind: str) -> str:
    """The counter of such citizens in the pool."""
    return f"pool {kind}"


def resting(kind: str) -> str:
    """The counter of such citizens in the rest area."""
    return f"rest {kind}"


def discount(action: str) -> str:
    """The counter of the discounts on such actions."""
    return f"discount {action}"


def free(action: str) -> str:
    """The counter of the free actions of that kind."""
    return f"free {action}"


def room(what: str) -> str:
    """The counter of the markers that may be added on own territories, or characters."""
    return f"room {what}"


def slot(name: str) -> str:
    """Where what is filled into a field comes to stand."""
    return f"\x01{name}\x01"


def choice(name: str, label: str, options: Iterable[dict[str, Any]], none: str = "") -> dict[str, Any]:
    """A field to choose in. none: what an empty choice says; "" where something must be chosen."""
    return {
        "name": name,
        "label": label,
        "kind": "choice",
        "options": list(options),
        **({"none": none} if none else {}),
    }


def option(value: Any, text: Any = None, **more: Any) -> dict[str, Any]:
    """One of a choice. more: `when`, `unless`; `means`, what stands in the orders in its place."""
    return {"value": value, "text": str(value if text is None else text), **more}


def ranks(
    names: Iterable[str],
    labels: Iterable[str],
    options: Iterable[dict[str, Any]],
    none: str,
    later: str = "",
    least: int = 0,
    distinct: bool = False,
) -> list[dict[str, Any]]:
    """Choices in a row, each open when the one before it is made. none, later: what an empty
    one says, the first and the others. least: how many must be made. distinct: each word once."""
    found: list[dict[str, Any]] = []
    own = list(options)
    words = [each["value"] for each in own]
    for number, (name, label) in enumerate(zip(names, labels)):
        when = {"when": {found[-1]["name"]: words}} if found else {}
        earlier = [field["name"] for field in found] if distinct else []
        rows = [
            {**each, **when, **({"unless": dict.fromkeys(earlier, [each["value"]])} if earlier else {})} for each in own
        ]
        found.append(choice(name, label, rows, "" if number < least else later if number and later else none))
    return found


def shapes(count: int, key: str = "draw") -> tuple[list[dict[str, Any]], list[str]]:
    """The fields for the shapes of so many draws, and where they come to stand."""
    names = [f"{key}{number}" for number in range(1, count + 1)]
    labels = [f"Draw {number}" for number in range(1, count + 1)]
    fields = ranks(names, labels, [option("cube"), option("prism")], "cubes first", "as the one before")
    return fields, [slot(name) for name in names]
