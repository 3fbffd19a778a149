"""The courtiers' abilities, which are house rules.

A seat uses at most one a turn, before its actions, and each only once for as long as it keeps control of the courtier.
"""

from __future__ import annotations

from collections.abc import Callable

from kingdom.games.royal_progress.state import Table, Turn, with_courtier
from kingdom.games.royal_progress.steps import Refused, booked, cards, moving, tell
from kingdom.games.royal_progress.steps.actions import Doing, act
from kingdom.games.royal_progress.words import DRAWN, LAY, TAKE, AbilityForm

CAUSES = {"ability": "a courtier's ability"}
REFUSALS = {
    "ability_off": "This campaign plays without abilities (ruling abilities); leave `ability` out.",
    "ability_not_yours": "You don't control the {courtier} (ruling ability_timing); you control {yours}.",
    "ability_used": "The {courtier} was used already in this spell of control (ruling ability_timing); you may use {yours}.",
    "ability_needs": "The {courtier} needs {what} (ruling abilities); give it, or leave the ability out.",
    "ability_at_court": "The {courtier} is at court, where this ability does not reach (ruling abilities); name one who is on the road.",
    "ability_no_pile": "{who} has no such card on the {courtier} (ruling abilities); there lie {there}.",
    "ability_no_card": "The deck is empty (ruling abilities); leave the ability out.",
}


def use(table: Table, turn: Turn, seat: str, order: AbilityForm, doing: Doing) -> Table:
    """The table after the ability. Raises Refused where it is illegal."""
    name = order["use"]
    mine = [other for other, courtier in table.courtiers.items() if courtier.control == seat]
    if not turn.rules.abilities.used:
        raise Refused("ability_off")
    if name not in mine:
        raise Refused("ability_not_yours", courtier=name, yours=", ".join(mine) or "nobody")
    if table.courtiers[name].used:
        fresh = ", ".join(other for other in mine if not table.courtiers[other].used) or "nobody"
        raise Refused("ability_used", courtier=name, yours=fresh)
    tell(turn, f"{seat} uses the {name}.")
    table = with_courtier(table, name, used=True)
    return _ABILITIES[turn.rules.courtiers[name].ability](table, turn, seat, order, doing)


def _demand(order: AbilityForm, *keys: str) -> None:
    for key in keys:
        if key not in order:
            raise Refused("ability_needs", courtier=order["use"], what=f"`{key}`")


def _step(table: Table, turn: Turn, order: AbilityForm) -> tuple[str, str]:
    """(courtier, place): whom the ability moves, and where to."""
    _demand(order, "move")
    wanted = order["move"]
    if len(wanted) != 2 or wanted[0] not in table.courtiers or wanted[1] not in turn.rules.places:
        raise Refused("ability_needs", courtier=order["use"], what="`move: [COURTIER, PLACE]`")
    return wanted[0], wanted[1]


def ride(table: Table, turn: Turn, seat: str, order: AbilityForm, doing: Doing) -> Table:
    """One courtier moves one place."""
    name, to = _step(table, turn, order)
    moving.check_move(table, name, to, turn.rules)
    return moving.move(table, turn, seat, name, to)


def clear_inns(table: Table, turn: Turn, seat: str, order: AbilityForm, doing: Doing) -> Table:
    """Full places stop nobody until the turn ends."""
    doing.unblocked = True
    return table


def blessing(table: Table, turn: Turn, seat: str, order: AbilityForm, doing: Doing) -> Table:
    """A card of the deck, which only the seat sees."""
    if not table.deck:
        raise Refused("ability_no_card")
    table, card = cards.draw(table, turn)
    doing.drawn = card or DRAWN
    if not card:
        return table
    turn.tell(seat, "happened", text=f"The card that you drew is {card}.")
    return booked(cards.into_hand(table, seat, card, seen=False), turn, "ability", "a card drawn unseen", seat)


def purse(table: Table, turn: Turn, seat: str, order: AbilityForm, doing: Doing) -> Table:
    """One card of the offer."""
    return act(table, turn, seat, {"do": TAKE, "two": False, "prefer": order.get("prefer") or []}, doing)


def seal(table: Table, turn: Turn, seat: str, order: AbilityForm, doing: Doing) -> Table:
    """One card is laid."""
    _demand(order, "courtier", "card")
    return act(table, turn, seat, {"do": LAY, "courtier": order["courtier"], "cards": [order["card"]]}, doing)


def patronage(table: Table, turn: Turn, seat: str, order: AbilityForm, doing: Doing) -> Table:
    """In one of the seat's own piles, another card becomes the open one."""
    _demand(order, "courtier", "card")
    name, symbols = order["courtier"], order["card"]
    pile = table.courtiers[name].piles.get(seat, ())
    if symbols == DRAWN or symbols not in pile:
        raise Refused("ability_no_pile", who=seat, courtier=name, there=", ".join(map(str, pile)) or "none")
    at = pile.index(symbols)
    tell(turn, f"{seat} opens {name} {symbols}.")
    table = cards.with_pile(table, name, seat, (symbols, *pile[:at], *pile[at + 1 :]))
    return cards.check_control(table, turn, name)


def whisper(table: Table, turn: Turn, seat: str, order: AbilityForm, doing: Doing) -> Table:
    """A rival's open card goes back to his hand."""
    _demand(order, "courtier", "of")
    name, rival = order["courtier"], order["of"]
    pile = table.courtiers[name].piles.get(rival, ())
    if table.courtiers[name].arrived:
        raise Refused("ability_at_court", courtier=name)
    if not pile or rival == seat:
        rivals = ", ".join(other for other in table.courtiers[name].piles if other != seat) or "nobody"
        raise Refused("ability_no_pile", who=rival, courtier=name, there=f"cards of {rivals}")
    table = cards.into_hand(cards.with_pile(table, name, rival, pile[1:]), rival, f"{name} {pile[0]}", seen=True)
    tell(turn, f"{name} {pile[0]} goes back to the hand of {rival}.")
    return cards.check_control(booked(table, turn, "ability", f"{name} {pile[0]} sent back", rival), turn, name)


def mischief(table: Table, turn: Turn, seat: str, order: AbilityForm, doing: Doing) -> Table:
    """A courtier moves one step, which may take him at most one place farther from the castle."""
    name, to = _step(table, turn, order)
    moving.check_move(table, name, to, turn.rules, farther=1)
    return moving.move(table, turn, seat, name, to)


_ABILITIES: dict[str, Callable[..., Table]] = {
    "ride": ride, "clear_inns": clear_inns, "blessing": blessing, "purse": purse, "seal": seal, "patronage": patronage,
    "whisper": whisper, "mischief": mischief,
}  # fmt: skip
