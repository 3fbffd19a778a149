"""What a plan is made of: the four actions, A to D, and the courtiers' abilities; what makes each illegal; and the loyalty test behind C.

The abilities are house rules. A seat uses at most one a turn, before its actions, and each only once for as long as it keeps control of
the courtier.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kingdom.games.kit.table import clockwise
from kingdom.games.royal_progress import words
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Table, Turn, figure, replace, suit, with_courtier
from kingdom.games.royal_progress.steps import Refused, booked, cards, ended, tell
from kingdom.games.royal_progress.steps.moving import check_move, extra_move, move
from kingdom.games.royal_progress.words import AbilityForm, ActionForm, DiscardForm, LayForm, MoveForm, TakeForm

CAUSES = {"ability": "a courtier's ability", "loyalty": "a loyalty test"}
REFUSALS = {
    "ability_off": "This campaign plays without abilities (ruling abilities); leave `ability` out.",
    "ability_not_yours": "You don't control the {courtier} (ruling ability_timing); you control {yours}.",
    "ability_used": "The {courtier} was used already in this spell of control (ruling ability_timing); you may use {yours}.",
    "ability_needs": "The {courtier} needs {what} (ruling abilities); give it, or leave the ability out.",
    "ability_at_court": "The {courtier} is at court, where this ability does not reach (ruling abilities); name one who is on the road.",
    "ability_no_pile": "{who} has no such card on the {courtier} (ruling abilities); there lie {there}.",
    "ability_no_card": "The deck is empty (ruling abilities); leave the ability out.",
    "lay_not_held": "Not all of these cards are in your hand: {card} is missing (ruling lay); of the {courtier} you hold {held}.",
    "lay_nothing": "No card is named to lay (ruling lay); give `cards` with a courtier, or `each` with two.",
    "lay_both": "`cards` lay on one courtier, `each` one card on each of two (ruling lay); give one of them alone.",
    "lay_each": "`each` lays one card on each of two courtiers, not of {count} (ruling lay); for one, or several cards, give `courtier` and `cards`.",
    "lay_at_court": "The {courtier} is at court (ruling cards_at_court); lay on one who is on the road: {others}.",
    "lay_not_drawn": "No card is drawn before this action (ruling drawn_card); name a card of your hand.",
    "take_none": "No card is open (ruling short_refill); wait until some are discarded, and give another action.",
    "take_no_wish": "No open card fits what you wish (ruling take): {offer}; add `any` for whatever there is.",
    "take_not_two": "Two cards may be taken only where all {count} show no symbol (ruling take): {offer}; leave `two` out for one.",
    "discard_none": "You have no card on the {courtier} (ruling discard); you have some on: {yours}.",
}


class Doing:
    """What the actions of one turn at the table share. unblocked: full places stop nobody. drawn: the card an ability drew, or
    DRAWN where it is not known yet. later: cards were drawn since the plan was looked at. passes: this step goes on at once.
    """

    def __init__(self, unblocked: bool = False, drawn: str = ""):
        self.unblocked, self.drawn, self.later, self.passes = unblocked, drawn, False, False


def act(table: Table, turn: Turn, seat: str, action: ActionForm, doing: Doing) -> Table:
    """The table after one action. Raises Refused where it is illegal."""
    return _ACTS[action["do"]](table, turn, seat, action, doing)


def _move(table: Table, turn: Turn, seat: str, action: MoveForm, doing: Doing) -> Table:
    check_move(table, action["courtier"], action["to"], turn.rules, full=doing.unblocked or doing.passes)
    return move(table, turn, seat, action["courtier"], action["to"])


def _lay(table: Table, turn: Turn, seat: str, action: LayForm, doing: Doing) -> Table:
    laid = laid_by(action, doing)
    hand = list(table.seats[seat].hand)
    for name, symbols in laid.items():
        if table.courtiers[name].arrived and not turn.rules.cards_at_court.allowed:
            others = ", ".join(other for other, courtier in table.courtiers.items() if not courtier.arrived)
            raise Refused("lay_at_court", courtier=name, others=others)
        for each in symbols:
            card = f"{name} {each}"
            if card not in hand:
                held = ", ".join(str(figure(mine)) for mine in table.seats[seat].hand if suit(mine) == name) or "none"
                raise Refused("lay_not_held", card=card, courtier=name, held=held)
            hand.remove(card)
    return cards.lay(table, turn, seat, laid) if laid else table


def laid_by(action: LayForm, doing: Doing) -> dict[str, tuple[int, ...]]:
    """Courtier -> the symbols to lay. A drawn card that is not known yet is left out."""
    each, wanted = action.get("each"), action.get("cards")
    if each and (wanted or "courtier" in action):
        raise Refused("lay_both")
    on: dict[str, tuple[int, ...]] = {card["courtier"]: (card["card"],) for card in each or ()}
    if each and not len(each) == len(on) == 2:
        raise Refused("lay_each", count=len(on))
    if each:
        return on
    if not wanted or "courtier" not in action:
        raise Refused("lay_nothing")
    name, drawn = action["courtier"], words.DRAWN in wanted or action["courtier"] == words.DRAWN
    if drawn and not doing.drawn:
        raise Refused("lay_not_drawn")
    if drawn and doing.drawn == words.DRAWN:  # the orders are only tried: nobody knows whether the drawn card fits
        rest = tuple(int(symbols) for symbols in wanted if symbols != words.DRAWN)
        return {name: rest} if rest and name != words.DRAWN else {}
    name = suit(doing.drawn) if name == words.DRAWN else name
    fits = [symbols for symbols in wanted if symbols != words.DRAWN or suit(doing.drawn) == name]
    laid = tuple(figure(doing.drawn) if symbols == words.DRAWN else int(symbols) for symbols in fits)
    return {name: laid} if laid else {}


def _take(table: Table, turn: Turn, seat: str, action: TakeForm, doing: Doing) -> Table:
    if not table.offer and not (doing.later and turn.foreseeing):
        raise Refused("take_none")
    if action.get("two") and not doing.later and not two_may_be_taken(table, turn.rules):
        raise Refused("take_not_two", count=turn.rules.box.offer, offer=", ".join(table.offer))
    wishes = action.get("prefer") or [words.ANY]
    if not doing.later and not cards.wished(table.offer, wishes, table.seats[seat].hand):
        raise Refused("take_no_wish", offer=", ".join(table.offer))
    two = two_may_be_taken(table, turn.rules) and action.get("two", True)
    for _ in range(2 if two else 1):
        if card := cards.wished(table.offer, (*wishes, words.ANY), table.seats[seat].hand):
            table = cards.take(table, turn, seat, card)
    doing.later = True
    return refill(table, turn)


def two_may_be_taken(table: Table, rules: Rules) -> bool:
    """Whether the offer is full and shows no symbol."""
    return len(table.offer) == rules.box.offer and not any(figure(card) for card in table.offer)


def _discard(table: Table, turn: Turn, seat: str, action: DiscardForm, doing: Doing) -> Table:
    name = action["courtier"]
    if seat not in table.courtiers[name].piles:
        yours = ", ".join(other for other, courtier in table.courtiers.items() if seat in courtier.piles) or "nobody"
        raise Refused("discard_none", courtier=name, yours=yours)
    return cards.discard_open(table, turn, seat, name)


_ACTS: dict[str, Callable[..., Table]] = {
    words.MOVE: _move,
    words.LAY: _lay,
    words.TAKE: _take,
    words.DISCARD: _discard,
}


# --- the abilities


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


def _step(table: Table, turn: Turn, seat: str, order: AbilityForm, doing: Doing, farther: int = 0) -> Table:
    """One courtier moves to a place beside. farther: how many steps farther from the castle that place may be."""
    _demand(order, "move")
    wanted = order["move"]
    if len(wanted) != 2 or wanted[0] not in table.courtiers or wanted[1] not in turn.rules.places:
        raise Refused("ability_needs", courtier=order["use"], what="`move: [COURTIER, PLACE]`")
    name, to = wanted
    check_move(table, name, to, turn.rules, farther=farther)
    return move(table, turn, seat, name, to)


def _clear_inns(table: Table, turn: Turn, seat: str, order: AbilityForm, doing: Doing) -> Table:
    """Full places stop nobody until the turn ends."""
    doing.unblocked = True
    return table


def _blessing(table: Table, turn: Turn, seat: str, order: AbilityForm, doing: Doing) -> Table:
    """A card of the deck, which only the seat sees."""
    if not table.deck:
        raise Refused("ability_no_card")
    table, card = cards.draw(table, turn)
    doing.drawn = card or words.DRAWN
    if not card:
        return table
    turn.tell(seat, "happened", text=f"The card that you drew is {card}.")
    return booked(cards.into_hand(table, seat, card, seen=False), turn, "ability", "a card drawn unseen", seat)


def _purse(table: Table, turn: Turn, seat: str, order: AbilityForm, doing: Doing) -> Table:
    """One card of the offer."""
    return act(table, turn, seat, {"do": words.TAKE, "two": False, "prefer": order.get("prefer") or []}, doing)


def _seal(table: Table, turn: Turn, seat: str, order: AbilityForm, doing: Doing) -> Table:
    """One card is laid."""
    _demand(order, "courtier", "card")
    return act(table, turn, seat, {"do": words.LAY, "courtier": order["courtier"], "cards": [order["card"]]}, doing)


def _patronage(table: Table, turn: Turn, seat: str, order: AbilityForm, doing: Doing) -> Table:
    """In one of the seat's own piles, another card becomes the open one."""
    _demand(order, "courtier", "card")
    name, symbols = order["courtier"], order["card"]
    pile = table.courtiers[name].piles.get(seat, ())
    if symbols == words.DRAWN or symbols not in pile:
        raise Refused("ability_no_pile", who=seat, courtier=name, there=", ".join(map(str, pile)) or "none")
    at = pile.index(symbols)
    tell(turn, f"{seat} opens {name} {symbols}.")
    table = cards.with_pile(table, name, seat, (symbols, *pile[:at], *pile[at + 1 :]))
    return cards.check_control(table, turn, name)


def _whisper(table: Table, turn: Turn, seat: str, order: AbilityForm, doing: Doing) -> Table:
    """A rival's open card goes back to the rival's hand."""
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


_ABILITIES: dict[str, Callable[..., Table]] = {
    "ride": _step, "mischief": partial(_step, farther=1), "clear_inns": _clear_inns, "blessing": _blessing, "purse": _purse, "seal": _seal,
    "patronage": _patronage, "whisper": _whisper,
}  # fmt: skip


# --- the refill of the offer, and the loyalty test if the deck has too few cards


def refill(table: Table, turn: Turn) -> Table:
    """After cards were taken: the offer is filled; if the deck has too few cards loyalty is tested."""
    table = cards.fill_offer(table, turn)
    if len(table.offer) < turn.rules.box.offer and not table.deck and not turn.foreseeing:
        return loyalty_test(table, turn)
    return table


def lay_out_again(table: Table, turn: Turn) -> Table:
    """If no card lies open, the cards that were discarded since are laid out (ruling short_refill)."""
    if table.offer or turn.foreseeing or not (table.deck or table.discards):
        return table
    tell(turn, "No card lay open: those that were discarded since are laid out.")
    return cards.fill_offer(cards.to_deck(replace(table, discards=()), table.discards), turn)


def loyalty_test(table: Table, turn: Turn) -> Table:
    """Each seat discards an open card, from the left of the King card on; those with most symbols move a courtier each."""
    seats = clockwise(table, table.king_card)
    seats = seats[1:] + seats[:1]
    shown: dict[str, int] = {}
    tell(turn, "The deck is empty: a loyalty test.")
    for seat in seats:
        name = cards.loyalty_discard(table, seat)
        if name:  # (ruling loyalty_nothing)
            shown[seat] = table.courtiers[name].piles[seat][0]
            table = cards.discard_open(table, turn, seat, name, "loyalty", " in the loyalty test")
    table = cards.to_deck(replace(table, offer=(), discards=()), (*table.offer, *table.discards))
    table = cards.fill_offer(table, turn)
    for seat in [seat for seat in seats if seat in shown and shown[seat] == max(shown.values())]:
        if ended(table, turn.rules):
            break
        if wanted := extra_move(table, seat, turn.rules):
            table = move(table, turn, seat, *wanted)
        else:
            tell(turn, f"{seat} makes no extra move.")
    return table
