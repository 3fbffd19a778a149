"""The game from its opening on: what is dealt and given back; the turns at the table; gifts and points of a round; the courtiers and cards that go back at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import TypeAlias

from kingdom.engine.dice import GM
from kingdom.games.kit.table import clockwise, shuffled, without
from kingdom.games.royal_progress import state
from kingdom.games.royal_progress.orders import GIVE_BACK, PLANS, STANDING
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Now, Table, Turn, at_court, castle, figure, replace, suit, with_gifts
from kingdom.games.royal_progress.steps import booked, cards, due, ended, named, scored, tell
from kingdom.games.royal_progress.steps.actions import lay_out_again
from kingdom.games.royal_progress.steps.moving import kings_step
from kingdom.render.plain_text import counted

CAUSES = {
    "deal": "the cards dealt at the start",
    "single": "a single gift for minor control of a courtier at court",
    "majority": "the most gifts of a type, or the second or third most",
    "types": "the most different types of gifts, or the second or third most",
    "payout": "control of courtiers at the end of a round",
}
REFUSALS = {
    "discard_first": "This turn is for the card that you give back (ruling opening_discard); `plans` begin with the next turn.",
    "discard_over": "The dealt cards were given back in the first turn (ruling opening_discard); use action D in a plan.",
    "turn_of_another": "Now it is the turn of {seats} (ruling pace); `plans` of yours count when the report asks you.",
}
MOST_TYPES = "most types"
Step: TypeAlias = Callable[[Table, Turn], Table]
Key: TypeAlias = tuple[int, ...]  # positions are ranked by such numbers, the first before the second


# --- turn 0


def table_for(names: dict[str, str], rules: Rules) -> Table:
    """The table of these seats and their names, nothing dealt yet."""
    influence = [f"{name} {symbols}" for name in rules.courtiers for symbols in rules.box.influence]
    gifts = [f"{kind} {crowns}" for kind in rules.gifts.types for crowns in rules.gifts.crowns]
    return Table(
        seats={seat: state.Seat(name=name) for seat, name in names.items()},
        courtiers={name: state.Courtier(of.home) for name, of in rules.courtiers.items()},
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
    """Each seat gets the same number of influence cards."""
    for seat in table.seats:
        for _ in range(turn.rules.box.dealt):
            table, card = cards.draw(table, turn)
            table = cards.into_hand(table, seat, card, seen=False) if card else table
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
    """Each seat gives back some of its dealt cards. They go into the deck, and the offer is laid out (ruling opening_discard)."""
    if turn.before.phase != state.DISCARD:
        return table
    for seat in table.seats:
        if not (turn.foreseeing and seat not in turn.orders):
            table = GIVE_BACK.play(Now(table, seat, turn.rules, turn.foreseeing), turn)
    return replace(cards.fill_offer(table, turn), phase=state.PLAY)


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
    arrivals = f"{len(at_court(table))} courtiers are at court"
    why = "the King is at the end of his track" if table.king >= turn.rules.track.end else arrivals
    tell(turn, f"The turns at the table of this round are over: {why}.")
    return replace(table, phase=state.SCORING)


# --- phases 2 and 3, when the turns at the table are over: the single gifts, then the points


def ending(*steps: Step) -> tuple[Step, ...]:
    """Steps of the end of a round, which do nothing while its turns at the table go on."""

    def of(step: Step) -> Step:
        return wraps(step)(lambda table, turn: step(table, turn) if table.phase == state.SCORING else table)

    return tuple(map(of, steps))


def single_gifts(table: Table, turn: Turn) -> Table:
    """For each courtier at court, the last to arrive first: the seat that has minor control of him picks a single gift."""
    for name in reversed(at_court(table)):
        seat = table.courtiers[name].minor
        if seat and table.singles:
            gift = cards.single_for(table, seat, turn.rules)
            table = with_gifts(replace(table, singles=without(table.singles, gift)), seat, gift)
            tell(turn, f"{seat} takes {gift} for minor control of the {name}.")
            booked(table, turn, "single", f"{gift} for the {name}", seat)
    return table


# --- positions


def score_each_type(table: Table, turn: Turn) -> Table:
    """Type by type: the most gifts, then the most crowns; the seat that comes first discards an open card at once."""
    for kind in turn.rules.gifts.types:
        keys = {seat: key for seat in table.seats if (key := of_type(table, seat, kind))[0]}  # (ruling none_held)
        table = _award(table, turn, keys, "majority", kind)
    return table


def score_most_types(table: Table, turn: Turn) -> Table:
    """The most different types; ties go by the rarest type, its crowns, the next rarest."""
    keys = {seat: variety(table, seat, turn.rules) for seat in table.seats if table.seats[seat].gifts}
    return _award(table, turn, keys, "types", MOST_TYPES)


def of_type(table: Table, seat: str, kind: str) -> tuple[int, int]:
    """(cards, crowns) of a type that the seat has."""
    crowns = [figure(gift) for gift in table.seats[seat].gifts if suit(gift) == kind]
    return len(crowns), sum(crowns)


def variety(table: Table, seat: str, rules: Rules) -> tuple[int, ...]:
    """How many types, then cards and crowns of each from the rarest on (ruling rarest_type)."""
    held = sorted(pair for kind in rules.gifts.types if (pair := of_type(table, seat, kind))[0])
    return (len(held), *(number for pair in held for number in pair))


def places(keys: Mapping[str, tuple[int, ...]]) -> Iterator[tuple[int, list[str]]]:
    """(position from 0, the seats that share it), the best first. Two seats that share a position use up that position and the next."""
    position = 0
    for key in sorted(set(keys.values()), reverse=True):
        seats = [seat for seat in keys if keys[seat] == key]
        yield position, seats
        position += len(seats)


def worth(position: int, sharers: int, number: int, rules: Rules) -> int:
    """The points for each of the sharers of a position in round `number` (ruling ties)."""
    of = rules.positions[min(number, len(rules.positions)) - 1]
    points = (of.first, of.second, of.third)[position] if position < 3 else 0
    return max(0, points - rules.ties.less) if sharers > 1 else points


def _award(table: Table, turn: Turn, keys: Mapping[str, Key], cause: str, what: str) -> Table:
    """The table with the points of these positions; the seat that comes first discards an open card."""
    first: list[str] = []
    for position, seats in places(keys):
        points = worth(position, len(seats), table.round, turn.rules)
        first = seats if position == 0 else first
        for seat in seats if points else ():
            shared, (one, other, *_) = f", shared by {len(seats)}" if len(seats) > 1 else "", keys[seat]
            rarest = f"{counted(one, 'type')}, of the rarest {counted(other, 'card')}"
            why = rarest if what == MOST_TYPES else f"{counted(one, 'card')}, {counted(other, 'crown')}"
            tell(turn, f"{seat} scores {points} for {what}: position {position + 1}{shared}, with {why}.")
            table = scored(table, turn, seat, points, cause, f"{what}: position {position + 1}{shared}")
    discarding = first if len(first) == 1 or turn.rules.tied_firsts_discard.discard else []
    for seat in [seat for seat in clockwise(table, table.king_card) if seat in discarding]:
        if name := cards.forced_discard(table, seat):
            table = cards.discard_open(table, turn, seat, name, "discard", f" as first for {what}")
    return table


# --- control


def score_control(table: Table, turn: Turn) -> Table:
    """Control of the courtiers at court is settled again; then each courtier scores for the seat that controls him."""
    for name in table.courtiers:
        table = cards.settle_control(table, turn, name)
    each = turn.rules.points.control
    for seat in table.seats:
        held = {name: courtier for name, courtier in table.courtiers.items() if courtier.control == seat}
        mine = [name for name in held if held[name].arrived or turn.rules.control_payout.on_the_road]
        if mine and each:
            tell(turn, f"{seat} scores {each * len(mine)} for control of {', '.join(mine)}.")
            table = scored(table, turn, seat, each * len(mine), "payout", f"control of {', '.join(mine)}")
    return table


# --- phase 4


def courtiers_go_home(table: Table, turn: Turn) -> Table:
    """The courtiers at court go home; the others stay where they are."""
    for name, courtier in table.courtiers.items():
        if courtier.arrived:
            table = state.with_courtier(table, name, place=turn.rules.courtiers[name].home, arrived=0)
    return table


def new_round(table: Table, turn: Turn) -> Table:
    """Gifts that are left leave the game, new ones are laid out; discards go into the deck; the King goes back; the seat with his card begins."""
    gone = tuple(sorted((*table.gone, *table.singles, *(gift for pair in table.pairs for gift in pair))))
    table = cards.to_deck(replace(table, gone=gone, pairs=(), singles=(), discards=()), table.discards)
    if table.round >= len(table.castles):
        tell(turn, "The last round is over.")
        return replace(table, phase=state.OVER)
    table = replace(table, phase=state.PLAY, round=table.round + 1, king=len(table.seats), next=table.king_card)
    place = named(castle(table), turn.rules)
    tell(turn, f"Round {table.round} begins: the King goes to {place}. {table.king_card} is first.")
    return deal_gifts(table, turn)
