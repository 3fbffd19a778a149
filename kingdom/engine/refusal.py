"""A refusal: an order that the rules or the state forbid. Its step refuses only this order; other orders go on.

A check gives `Refusal | None`, so that one check serves as advice when orders arrive and as decision in the turn:

    def objection(hex: Hex, kingdom: Kingdom) -> Refusal | None:
        return Refusal("hex_is_taken", {"hex": hex.label}) if hex.owner else None

    if refusal := objection(hex, kingdom):
        turn.refuse_with(seat, "build[0]", refusal)
"""

from collections.abc import Mapping

from kingdom.engine.named_tuple import NamedTuple


class Refusal(NamedTuple):
    """Why an order is refused.

    code: a key of the game's refusals; facts: the values that fill the gaps of its sentence. below: the path of the refused
    part, below the order's own path (`.actions[1]`).
    """

    code: str
    facts: Mapping[str, object] = {}
    below: str = ""


def sentence(refusal: Refusal, refusals: Mapping[str, str]) -> str:
    """Return the sentence that a player reads. refusals: code -> sentence with gaps. Raises KeyError if the code or a fact is missing."""
    if refusal.code not in refusals:
        raise KeyError(f"no order or game declares the refusal {refusal.code}")
    try:
        return refusals[refusal.code].format_map(refusal.facts)
    except KeyError as fact:
        raise KeyError(
            f"the refusal {refusal.code} is given no fact {fact}; it has {', '.join(refusal.facts) or 'none'}"
        ) from None
