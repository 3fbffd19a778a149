"""The game from its opening on: what is shuffled, dealt and given back; the turns at the table; what goes home at the end of a round."""

from __future__ import annotations

from kingdom.engine.dice import GM
from kingdom.games.kit.table import clockwise, shuffled
from kingdom.games.royal_progress import state
from kingdom.games.royal_progress.orders import GIVE_BACK, PLANS, STANDING
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import (
    Courtier,
    Now,
    Seat,
    Table,
    Turn,
    at_court,
    castle,
    replace,
    with_courtier,
)
from kingdom.games.royal_progress.steps import booked, due, ended, named, tell
from kingdom.games.royal_progress.steps.actions import lay_out_again
from kingdom.games.royal_progress.steps.cards import draw, fill_offer, into_hand, to_deck
from kingdom.games.royal_progress.steps.moving import kings_step

CAUSES = {"deal": "the cards dealt at the start"}
REFUSALS = {
    "discard_first": "This turn is for the card that you give back (ruling opening_discard); `plans` begin with the next turn.",
    "discard_over": "The dealt cards were given back in the first turn (ruling opening_discard); use action D in a plan.",
    "turn_of_another": "Now it is the turn of {seats} (ruling pace); `plans` of yours count when the report asks you.",
}


# --- turn 0


def table_for(names: dict[str, str], rules: Rules) -> Table:
    """The table of these seats and their names, nothing dealt yet."""
    influence = [f"{name} {symbols}" for name in rules.courtiers for symbols in rules.box.influence]
    gifts = [f"{kind} {crowns}" for kind in rules.gifts.types for crowns in rules.gifts.crowns]
    return Table(
        seats={seat: Seat(name=name) for seat, name in names.items()},
        courtiers={name: Courtier(of.home) for name, of in rules.courtiers.items()},
        deck=tuple(sorted(influence)),
        gift_deck=tuple(sorted(gifts)),
    )


def order_castles(table: Table, turn: Turn) -> Table:
    """The order in which the King visits his castles."""
    castles = sorted(place for place, of in turn.rules.places.items() if of.kind == "castle")
    castles = shuffled(castles, turn, "castles") or castles
    return replace(table, castles=tuple(castles[: len(turn.rules.positions)]))


def give_king_card(table: Table, turn: Turn) -> Table:
    """A random player begins, and has the King card; his counter stands at the number of players."""
    seats = list(table.seats)
    seat = seats[(turn.roll(GM, "king_card", len(seats)) or 1) - 1]
    table = replace(table, king_card=seat, next=seat, king=len(seats))
    return booked(table, turn, "deal", "the King card drawn by lot", seat)


def deal_hands(table: Table, turn: Turn) -> Table:
    """The same number of influence cards to each."""
    for seat in table.seats:
        for _ in range(turn.rules.box.dealt):
            table, card = draw(table, turn)
            table = into_hand(table, seat, card, seen=False) if card else table
        table = booked(table, turn, "deal", "influence cards dealt", seat)
    return table


def deal_gifts(table: Table, turn: Turn) -> Table:
    """Pairs and single gifts for the round, from the gift deck."""
    box, dealt, deck = turn.rules.box, [], table.gift_deck
    for _ in range(min(2 * box.pairs + box.singles, len(deck))):
        face = turn.roll(GM, "gifts", len(deck))
        if face is None:
            return table
        dealt.append(deck[face - 1])
        deck = deck[: face - 1] + deck[face:]
    paired = [tuple(sorted(dealt[at : at + 2])) for at in range(0, min(2 * box.pairs, len(dealt) // 2 * 2), 2)]
    return replace(table, gift_deck=deck, pairs=tuple(paired), singles=tuple(dealt[2 * len(paired) :]))


# --- what comes before the play


def sort_orders(table: Table, turn: Turn) -> Table:
    """Refuse what this turn is not for, and keep the standing preferences that were filed, key by key."""
    seats = due(table, turn.rules)
    for seat in table.seats:
        orders = turn.orders.get(seat, {})
        if "plans" in orders and table.phase == state.DISCARD:
            turn.refuse(seat, "plans", "discard_first")
        elif "plans" in orders and seat not in seats:
            turn.refuse(seat, "plans", "turn_of_another", seats=" and ".join(seats) or "nobody")
        if "discard" in orders and table.phase != state.DISCARD:
            turn.refuse(seat, "discard", "discard_over")
        table = STANDING.play(Now(table, seat, turn.rules, turn.foreseeing), turn)
    return table


# --- the first turn


def give_back(table: Table, turn: Turn) -> Table:
    """Each gives back of the cards dealt; they go into the deck, and the offer is laid out (ruling opening_discard)."""
    if turn.before.phase != state.DISCARD:
        return table
    for seat in table.seats:
        if not (turn.foreseeing and seat not in turn.orders):
            table = GIVE_BACK.play(Now(table, seat, turn.rules, turn.foreseeing), turn)
    return replace(fill_offer(table, turn), phase=state.PLAY)


# --- phase 1: the turns at the table. The first plan that is legal as a whole counts (rulings plans, plan_broken, missing_plan)


def turns_at_the_table(table: Table, turn: Turn) -> Table:
    """Each of the seats that are due has its turn, until the round's end (ruling round_ends)."""
    if turn.before.phase != state.PLAY:
        return table
    for seat in due(table, turn.rules):
        if ended(table, turn.rules):
            break
        if turn.foreseeing and seat not in turn.orders:  # what others will do is not foreseen
            continue
        table = kings_step(lay_out_again(table, turn), turn, seat)
        if not ended(table, turn.rules):
            table = PLANS.play(Now(table, seat, turn.rules, turn.foreseeing), turn)
        table = replace(table, next=clockwise(table, seat)[1 % len(table.seats)])
    if turn.foreseeing or not ended(table, turn.rules):
        return table
    why = (
        "the King is at the end of his track"
        if table.king >= turn.rules.track.end
        else f"{len(at_court(table))} courtiers are at court"
    )
    tell(turn, f"The turns at the table of this round are over: {why}.")
    return replace(table, phase=state.SCORING)


# --- phase 4


def courtiers_go_home(table: Table, turn: Turn) -> Table:
    """Those at court go home; the others stay where they are."""
    if table.phase != state.SCORING:
        return table
    for name, courtier in table.courtiers.items():
        if courtier.arrived:
            table = with_courtier(table, name, place=turn.rules.courtiers[name].home, arrived=0)
    return table


def new_round(table: Table, turn: Turn) -> Table:
    """The gifts left leave the game, new ones lie out; discards into the deck; the King back; who has his card begins."""
    if table.phase != state.SCORING:
        return table
    gone = tuple(sorted((*table.gone, *table.singles, *(gift for pair in table.pairs for gift in pair))))
    table = to_deck(replace(table, gone=gone, pairs=(), singles=(), discards=()), table.discards)
    if table.round >= len(table.castles):
        tell(turn, "The last round is over.")
        return replace(table, phase=state.OVER)
    table = replace(table, phase=state.PLAY, round=table.round + 1, king=len(table.seats), next=table.king_card)
    place = named(castle(table), turn.rules)
    tell(turn, f"Round {table.round} begins: the King goes to {place}. {table.king_card} is first.")
    return deal_gifts(table, turn)
