"""The opening of the game, and the end of a round: what is shuffled, dealt, given back, and goes home."""

from __future__ import annotations

from kingdom.engine.dice import GM
from kingdom.games.royal_progress.state import (
    DISCARD,
    OVER,
    PLAY,
    SCORING,
    Table,
    castle,
    figure,
    replace,
    with_courtier,
    with_seat,
    without,
)  # fmt: skip
from kingdom.games.royal_progress.steps import ALL, booked, named, tell
from kingdom.games.royal_progress.steps.cards import draw, fill_offer, into_hand, to_deck
from kingdom.games.royal_progress.types import Turn

CAUSES = {
    "deal": "the cards dealt at the start",
    "give_back": "a dealt card given back",
}
REFUSALS = {
    "give_back_count": "{count} cards are to be given back, not {given} (ruling opening_discard); name {count}: of {hand}.",
    "give_back_not_held": "Your hand has no {card} (ruling opening_discard); it has {hand}.",
}


# --- turn 0


def order_castles(table: Table, turn: Turn) -> Table:
    """The order in which the King visits his castles."""
    castles = sorted(place for place, of in turn.rules.places.items() if of.kind == "castle")
    for last in range(len(castles) - 1, 0, -1):
        face = turn.roll(GM, "castles", last + 1) or last + 1
        castles[face - 1], castles[last] = castles[last], castles[face - 1]
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


# --- the first turn


def give_back(table: Table, turn: Turn) -> Table:
    """Each gives back of the cards dealt; they go into the deck, and the offer is laid out (ruling opening_discard)."""
    if turn.before.phase != DISCARD:
        return table
    back: list[str] = []
    for seat, _of in table.seats.items():
        if turn.foreseeing and seat not in turn.orders:
            continue
        for card in _given_back(table, turn, seat):
            table = with_seat(table, seat, hand=without(table.seats[seat].hand, card))
            back.append(card)
            turn.tell(seat, "drawn", text=f"You gave back {card}.")
        table = booked(table, turn, "give_back", f"{turn.rules.box.given_back} of the cards dealt", seat)
    return replace(fill_offer(to_deck(table, tuple(back)), turn), phase=PLAY)


def _given_back(table: Table, turn: Turn, seat: str) -> list[str]:
    hand, count = list(table.seats[seat].hand), turn.rules.box.given_back
    said = turn.orders.get(seat, {}).get("discard")
    if said is not None and len(said) != count:
        turn.refuse(seat, "discard", "give_back_count", count=count, given=len(said), hand=", ".join(hand))
        said = None
    chosen = []
    for index, order in enumerate(said or ()):
        card = f"{order['suit']} {order['card']}"
        if card in hand:
            hand.remove(card)
            chosen.append(card)
        else:
            turn.refuse(
                seat, f"discard[{index}]", "give_back_not_held", card=card, hand=", ".join(table.seats[seat].hand)
            )
    while len(chosen) < count and hand:
        card = min(reversed(hand), key=figure)
        hand.remove(card)
        chosen.append(card)
    return chosen


# --- phase 4


def courtiers_go_home(table: Table, turn: Turn) -> Table:
    """Those at court go home; the others stay where they are."""
    if table.phase != SCORING:
        return table
    for name, courtier in table.courtiers.items():
        if courtier.arrived:
            table = with_courtier(table, name, place=turn.rules.courtiers[name].home, arrived=0)
    return table


def new_round(table: Table, turn: Turn) -> Table:
    """The gifts left leave the game, new ones lie out; discards into the deck; the King back; who has his card begins."""
    if table.phase != SCORING:
        return table
    gone = tuple(sorted((*table.gone, *table.singles, *(gift for pair in table.pairs for gift in pair))))
    table = to_deck(replace(table, gone=gone, pairs=(), singles=(), discards=()), table.discards)
    if table.round >= len(table.castles):
        tell(turn, ALL, "The last round is over.")
        return replace(table, phase=OVER)
    table = replace(table, phase=PLAY, round=table.round + 1, king=len(table.seats), next=table.king_card)
    tell(
        turn,
        ALL,
        f"Round {table.round} begins: the King goes to {named(castle(table), turn.rules)}. {table.king_card} is first.",
    )
    return deal_gifts(table, turn)
