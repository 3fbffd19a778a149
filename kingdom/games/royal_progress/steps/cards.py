"""Influence cards: the deck, the offer, hands and piles; which seat controls a courtier by the piles on him; what standing preferences choose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from kingdom.engine.dice import GM
from kingdom.games.kit.table import clockwise, without
from kingdom.games.royal_progress import state, words
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import UNKNOWN, Courtier, Table, Turn, figure, replace, suit, value, with_player
from kingdom.games.royal_progress.steps import booked, tell
from kingdom.games.royal_progress.words import ForcedDiscard, Gift, Loyalty, Standing, Wish

CAUSES = {
    "take": "a card taken from the offer",
    "lay": "cards laid on a courtier",
    "discard": "an open card discarded",
    "control": "control of a courtier changed",
}


def draw(table: Table, turn: Turn) -> tuple[Table, str]:
    """(the table, a card of the influence deck), each card as likely (ruling draws); "" if the deck is empty or no die is thrown."""
    face = turn.roll(GM, "influence", len(table.deck)) if table.deck else None
    if face is None:
        return table, ""
    return replace(table, deck=table.deck[: face - 1] + table.deck[face:]), table.deck[face - 1]


def fill_offer(table: Table, turn: Turn) -> Table:
    """Cards from the deck until the offer is full or the deck is empty."""
    while len(table.offer) < turn.rules.box.offer:
        table, card = draw(table, turn)
        if not card:
            break
        table = replace(table, offer=(*table.offer, card))
    return table


def to_deck(table: Table, cards: tuple[str, ...]) -> Table:
    """The table with those cards added to the deck, which is kept in order of name."""
    return replace(table, deck=tuple(sorted((*table.deck, *cards))))


def into_hand(table: Table, seat: str, card: str, seen: bool) -> Table:
    """The card goes into the hand. seen: everybody saw which card it is."""
    of, known = table.seats[seat], [card] if seen else []
    return with_player(table, seat, hand=tuple(sorted((*of.hand, card))), seen=tuple(sorted((*of.seen, *known))))


def out_of_hand(table: Table, seat: str, card: str) -> Table:
    """The card leaves the hand. If everybody saw such a card come, that card leaves."""
    of = table.seats[seat]
    seen = without(of.seen, card) if card in of.seen else of.seen
    return with_player(table, seat, hand=without(of.hand, card), seen=seen)


def discard_open(table: Table, turn: Turn, seat: str, name: str, cause: str = "discard", why: str = "") -> Table:
    """The seat's open card on the courtier goes to the discards; the next one becomes open."""
    pile = table.courtiers[name].piles[seat]
    table = with_pile(table, name, seat, pile[1:])
    table = replace(table, discards=tuple(sorted((*table.discards, f"{name} {pile[0]}"))))
    tell(turn, f"{seat} discards {name} {pile[0]}{why}.")
    return check_control(booked(table, turn, cause, f"{name} {pile[0]} discarded{why}", seat), turn, name)


def lay(table: Table, turn: Turn, seat: str, laid: Mapping[str, tuple[int, ...]]) -> Table:
    """Cards of the hand go under the seat's piles, in that order; laid: courtier -> symbols."""
    for name, symbols in laid.items():
        for each in symbols:
            table = out_of_hand(table, seat, f"{name} {each}")
        table = with_pile(table, name, seat, (*table.courtiers[name].piles.get(seat, ()), *symbols))
    what = " and ".join(f"{name} {', '.join(map(str, symbols))}" for name, symbols in laid.items())
    tell(turn, f"{seat} lays {what}.")
    return check_control(booked(table, turn, "lay", f"{what} laid", seat), turn, *laid)


def take(table: Table, turn: Turn, seat: str, card: str) -> Table:
    """A card of the offer goes into the hand."""
    table = into_hand(replace(table, offer=without(table.offer, card)), seat, card, seen=True)
    tell(turn, f"{seat} takes {card}.")
    return booked(table, turn, "take", f"{card} taken", seat)


# --- control: it changes only when another pile is worth more than the holder's (ruling tied_control)


def with_pile(table: Table, name: str, seat: str, pile: tuple[int, ...]) -> Table:
    """The table with that pile on the courtier; an empty pile is taken away. Control is not looked at."""
    piles = {**table.courtiers[name].piles, seat: pile}
    return state.with_courtier(table, name, piles={other: cards for other, cards in piles.items() if cards})


def check_control(table: Table, turn: Turn, *names: str) -> Table:
    """Look who controls these courtiers now; at court nothing changes before the scoring."""
    for name in names:
        if not table.courtiers[name].arrived:
            table = settle_control(table, turn, name)
    return table


def settle_control(table: Table, turn: Turn, name: str) -> Table:
    """Look who controls the courtier now, wherever he is."""
    courtier = table.courtiers[name]
    control, minor = holders(courtier, clockwise(table, table.king_card or next(iter(table.seats))))
    if (control, minor) == (courtier.control, courtier.minor):
        return table
    used = courtier.used and control == courtier.control
    table = state.with_courtier(table, name, control=control, minor=minor, used=used)
    if control != courtier.control:
        before = f", no longer {courtier.control}" if courtier.control else ""
        tell(turn, f"{control or 'Nobody'} controls the {name} now{before}.")
    touched = {courtier.control, courtier.minor, control, minor} - {""}
    return booked(table, turn, "control", f"control of the {name} (ruling tied_control)", *sorted(touched))


def holders(courtier: Courtier, seats: Sequence[str]) -> tuple[str, str]:
    """(control, minor control) by the piles as they lie. seats: all, from the King card on, for ties."""
    worth = {seat: value(courtier.piles[seat]) for seat in seats if seat in courtier.piles}
    order = sorted(worth, key=lambda seat: (-worth[seat], seat != courtier.minor))
    control = _held(courtier.control, order, worth)
    order = [seat for seat in order if seat != control]
    return control, _held(courtier.minor if courtier.minor != control else "", order, worth)


def _held(holder: str, order: list[str], worth: dict[str, int]) -> str:
    """The holder, unless another seat has more; then the seat that has most."""
    if not order:
        return ""
    return holder if holder in order and worth[order[0]] <= worth[holder] else order[0]


# --- what standing preferences choose


def standing(table: Table, seat: str) -> Standing:
    """The seat's standing preferences, as they were filed."""
    return cast(Standing, table.seats[seat].standing)


def pair_for(table: Table, seat: str, rules: Rules) -> tuple[str, ...]:
    """Which pair the seat picks."""
    return _pick(table.pairs, standing(table, seat).get("pair") or {}, rules)


def single_for(table: Table, seat: str, rules: Rules) -> str:
    """Which single gift the seat picks."""
    return _pick([(card,) for card in table.singles], standing(table, seat).get("single") or {}, rules)[0]


def _pick(groups: Iterable[tuple[str, ...]], said: Gift, rules: Rules) -> tuple[str, ...]:
    """The group with most of the preferred types, then by crowns; of equal groups the leftmost."""
    types, then = said.get("prefer_types", ()), said.get("then") or rules.absent_choice.then

    def key(group: tuple[str, ...]) -> list[int]:
        held, crowns = [suit(card) for card in group], sum(figure(card) for card in group)
        by = {words.MOST_CROWNS: -crowns, words.FEWEST_CROWNS: crowns, words.LEFTMOST: 0}[then]
        return [*(-held.count(kind) for kind in types), by]

    return min(groups, key=key)


def forced_discard(table: Table, seat: str) -> str:
    """The courtier whose open card the seat discards if it must; "" if it has no open card."""
    said: ForcedDiscard = standing(table, seat).get("forced_discard") or {}
    return _open_card(table, seat, said.get("keep", ()), said.get("from") or words.LOWEST)


def loyalty_discard(table: Table, seat: str) -> str:
    """The courtier whose open card the seat discards in a loyalty test; "" if it has no open card."""
    said: Loyalty = standing(table, seat).get("loyalty") or {}
    return _open_card(table, seat, said.get("keep", ()), said.get("discard") or words.LOWEST)


def _open_card(table: Table, seat: str, keep: Iterable[str], by: str) -> str:
    piles = {name: courtier.piles[seat] for name, courtier in table.courtiers.items() if seat in courtier.piles}

    def key(name: str) -> tuple[bool, int, int, str]:
        symbols, worth = piles[name][0], value(piles[name])
        first = {words.LOWEST: symbols, words.HIGHEST: -symbols, words.SMALLEST: worth, words.LARGEST: -worth}[by]
        return name in keep, first, worth, name

    return min(piles, key=key, default="")


def wished(offer: Sequence[str], wishes: Iterable[Wish], hand: Sequence[str]) -> str:
    """The open card that the first wish names of which one lies open; "" if no wish names an open card (ruling preferred_card)."""
    there = sorted((card for card in offer if card != UNKNOWN), key=lambda card: -figure(card))
    for wish in wishes:
        for card in _by_hand(there, wish, hand):
            if _fits(card, wish):
                return card
    return ""


def _by_hand(cards: list[str], wish: Wish, hand: Sequence[str]) -> list[str]:
    """The cards, sorted for a wish for the suit that the hand has most or least of."""
    if isinstance(wish, str) or "suit_in_hand" not in wish:
        return cards
    suits = [suit(card) for card in hand]
    sign = -1 if wish["suit_in_hand"] == "most" else 1
    return sorted(cards, key=lambda card: sign * suits.count(suit(card)))


def _fits(card: str, wish: Wish) -> bool:
    if isinstance(wish, str):
        return True
    symbols = figure(card)
    just = wish.get("suit", suit(card)) == suit(card) and wish.get("card", symbols) == symbols
    return just and wish.get("min", symbols) <= symbols <= wish.get("max", symbols)
