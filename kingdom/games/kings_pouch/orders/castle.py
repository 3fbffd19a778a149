"""Before round 1: where the castles shall stand."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.engine.refusal import Refusal
from kingdom.games.kings_pouch.orders.resting import WORDS
from kingdom.games.kings_pouch.rules import Rules, board_for
from kingdom.games.kings_pouch.state import Now, Table, Turn, with_player
from kingdom.games.kings_pouch.steps import counted, joined, orders_of, passed, said, tell
from kingdom.games.kings_pouch.steps.rounds import SET_UP, due
from kingdom.orders import kit
from kingdom.orders.schema import ListOf, Word


class Castle(kit.FirstOf[Table, Rules, str]):
    """The place of the castle: the first of the list that is free, or else the first free place of the board."""

    key, name, phase, required = "castle", "the place of your castle", "castles", True
    shape = ListOf(
        "where the castle shall stand, the first choice first",
        Word("a territory", "territories", example="E1"),
        short=WORDS,
    )
    refusals = {
        "pouch_no_castle": "{place} is no place for a castle with {count} players (ruling castle_choice); name some of {castles}, the best one first.",
        "pouch_castle_taken": "{place} is the castle of {owner} already (ruling castle_choice); name a second and third choice behind it.",
        "pouch_castle_chosen": "Castles are chosen before round 1 alone, and yours stands in {place} (ruling castle_choice); leave `castle` out.",
    }

    def asks(self, now: Now) -> str:
        places = joined(map(said, board_for(now.rules, len(now.state.seats)).castles))
        least = _least(now)
        turn = (
            f"{counted(least - 1, 'player')} before you, so name at least {least}" if least > 1 else "nobody before you"
        )
        return f"Choose the place of your castle: `castle:` with a list of {places}, the best one first. In the order there is {turn}."

    def candidates(self, now: Now) -> Iterator[kit.Candidate]:
        """Return the places that are left if each player before the seat takes the first place that is free; their choices are unknown."""
        free = free_castles(now.state, now.rules)[due(now.state, now.rules).index(now.seat) :]
        for place in free:
            yield kit.Candidate(
                f"castle {place}", place, f"Your castle in {said(place)}", uses={"castle": 1}, checked=True
            )

    def on_page(self, now: Now) -> Iterator[kit.Candidate]:
        """Return the one list. Each player who chooses earlier may take a place, so the list must name a place more for each of them."""
        free = {said(place): place for place in free_castles(now.state, now.rules)}
        places = kit.Pick(
            "Places, the best first", list(free), means=free, kind="ranked", least=_least(now), on_map=True
        )
        once, text = {"castle": 1}, "Where your castle shall stand"
        yield kit.Candidate("castle", kit.Gap("places"), text, {"places": places}, uses=once, whole=True, checked=True)

    def objection(self, now: Now, order: str) -> Refusal | None:
        """The place must be one for a castle, and free."""
        if order in free_castles(now.state, now.rules):
            return None
        places = board_for(now.rules, len(now.state.seats)).castles
        owner = next((seat for seat, lord in now.state.seats.items() if lord.castle == order), "")
        named = joined(map(said, places))
        facts = {"place": said(order), "count": len(now.state.seats), "castles": named, "owner": owner}
        return Refusal("pouch_castle_taken" if order in places else "pouch_no_castle", facts)

    def play(self, now: Now, turn: Turn) -> Table:
        """Give the seat its first choice that is free. It is told which choices were taken; a choice that is no castle's place is refused."""
        castle, failed = "", list[tuple[str, Refusal]]()
        for path, place in self.ordered(now, turn):
            objection = self.objection(now, place)
            if objection is None:
                castle = place
                turn.tell(now.seat, self.used, order=path)
                break
            failed.append((path, objection))
        for path, objection in failed:
            if castle and objection.code == "pouch_castle_taken":
                passed(turn, now.seat, path, turn.reason(objection.code, **objection.facts))
            else:
                turn.refuse_with(now.seat, path, objection)
        if not castle:
            castle = free_castles(now.state, now.rules)[0]
            text = f"No castle that you named was free: you have {said(castle)} (ruling castle_choice)."
            passed(turn, now.seat, "castle", text)
        return self.carry_out(now, castle, turn)

    def carry_out(self, now: Now, order: str, turn: Turn) -> Table:
        tell(turn, now.seat, f"takes the castle in {said(order)}.")
        return with_player(now.state, now.seat, castle=order)

    def say(self, order: str) -> str:
        return f"castle: {said(order)}"


CASTLE = Castle()


def choose_castles(table: Table, turn: Turn) -> Table:
    """In the order of the stack each seat takes the first free place of its list, or else the first free place of the board."""
    for seat in due(turn.before, turn.rules):
        if turn.before.round == SET_UP:
            table = CASTLE.play(Now(table, seat, turn.rules, turn.foreseeing), turn)
        elif "castle" in orders_of(turn, seat):
            turn.refuse(seat, "castle", "pouch_castle_chosen", place=said(table.seats[seat].castle))
    return table


def free_castles(table: Table, rules: Rules) -> list[str]:
    """The places for a castle where none stands yet."""
    taken = {lord.castle for lord in table.seats.values()}
    return [place for place in board_for(rules, len(table.seats)).castles if place not in taken]


def _least(now: Now) -> int:
    """How many places the seat must name: one more than there are players who choose before it."""
    return due(now.state, now.rules).index(now.seat) + 1
