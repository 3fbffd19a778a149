"""Why a kingdom is in danger: the attribute, or the Consumption, that leads to the danger soonest."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.games.realm.forecast.courses import Standing
from kingdom.games.realm.forecast.exact import ends_of, rolled_of, success
from kingdom.games.realm.forecast.terms import Terms, taxes, terms_of
from kingdom.games.realm.forecast.words import name_of, percent
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules

CONSUMPTION = "consumption"  # a cause beside the attributes


def cause_of(name: str, standing: Standing, rules: Rules) -> tuple[str, str]:
    """Return (the cause of the danger of that name, a sentence about the cause)."""
    kingdom, turn = standing.kingdom, standing.turn
    terms, rolled = terms_of(kingdom, standing.hexes, turn, rules), rolled_of(standing, rules)
    if not rolled:
        return "", f"Turn {turn} is one of anarchy"
    if name == "bankruptcy":
        paid = [taxes(face, terms, rules) for face in rolled["economy"].faces if face.success]
        odds = f"Economy check {percent(success(rolled['economy']))} in turn {turn}, for {_span(paid)} BP"
        cause = "economy" if paid and min(paid) >= terms.consumption else CONSUMPTION
        return cause, f"Consumption {terms.consumption} a turn; {odds}"
    limit = rules.anarchy.unrest if name == "anarchy" else rules.hex_loss.unrest
    state = f"Unrest {kingdom.unrest} of {limit}"
    weights = dict(_unrest_by(standing, terms, rules))
    cause = max(weights, key=lambda each: weights[each])
    if cause == CONSUMPTION:
        return cause, f"{state}; a treasury below 0 adds Unrest"
    if terms.values[cause] < 0:
        return cause, f"{state}; {name_of(cause)} below 0 adds Unrest every turn"
    return cause, f"{state}; {name_of(cause)} check {percent(success(rolled[cause]))} in turn {turn}"


def _span(values: list[int]) -> str:
    low, high = min(values, default=0), max(values, default=0)
    return f"{low}" if low == high else f"{low} to {high}"


def _unrest_by(standing: Standing, terms: Terms, rules: Rules) -> Iterator[tuple[str, float]]:
    """(cause, the Unrest that it adds in the next turn on average)."""
    checked = rolled_of(standing, rules)["stability"]
    ruling, total = rules.stability, sum(checked.faces.values())
    far = (1 + ruling.far_die) / 2
    added = {name: rules.negative_attribute.unrest if terms.values[name] < 0 else 0.0 for name in ATTRIBUTES}
    for face, ways in checked.faces.items():
        if not face.success:
            by = far if -face.margin > ruling.near else ruling.near_unrest
            added["stability"] += by * ways / total
    yield from added.items()
    ends = ends_of(standing, rules)
    short = sum(ways for end, ways in ends.items() if end.treasury < 0) / sum(ends.values())
    yield CONSUMPTION, short * rules.consumption.unpaid_unrest
