"""What is decided in which turn: the phases of a round cut into windows by the pace, and who is next."""

from __future__ import annotations

from kingdom.engine.dice import GM
from kingdom.games.kings_progress import state
from kingdom.games.kings_progress.rules import Rules, rounds
from kingdom.games.kings_progress.state import PLAYED, PROGRESS, Table, Turn, replace
from kingdom.games.kit.common_orders import ALL
from kingdom.games.kit.table import tell

Slots = dict[str, tuple[int, int]]  # phase -> (from, up to): the seats that decide in it, counted in its order


def draw_first_chancellor(table: Table, turn: Turn) -> Table:
    """Draw who begins, if table.yaml names nobody (ruling first_chancellor)."""
    if table.first:
        return table
    face = turn.roll(GM, "first_chancellor", len(table.seats))
    if face is None:
        return table
    first = list(table.seats)[face - 1]
    tell(turn, ALL, f"{first} was drawn as first chancellor of round 1.")
    return replace(table, first=first)


def phases_of(round: int, rules: Rules) -> tuple[str, ...]:
    """The phases of a round; the last one has no vetoes of placements."""
    if round < rounds(rules) or rules.last_round.placement_vetoes:
        return PLAYED
    return tuple(phase for phase in PLAYED if phase not in state.VETOES)


def first_chancellor(table: Table) -> str:
    """The first chancellor of the round: a seat further to the left each round."""
    return order(table, state.CITY)[0]


def order(table: Table, phase: str) -> tuple[str, ...]:
    """The seats in the order in which they decide in a phase: from the first chancellor, or from the seat to the left."""
    seats, from_left = tuple(table.seats), phase not in (state.CITY, state.CITY_VETO)
    at = ((seats.index(table.first) if table.first else 0) + table.round - 1 + from_left) % len(seats)
    return seats[at:] + seats[:at]


def due(table: Table, rules: Rules) -> dict[str, list[str]]:
    """Phase -> the seats that decide in it in the turn after this state, in their order."""
    slots = _slots(table, rules)
    return {phase: list(order(table, phase)[start:end]) for phase, (start, end) in slots.items()}


def moved_on(table: Table, rules: Rules) -> Table:
    """The table behind the window that begins here: at another phase, another round, or OVER."""
    slots = _slots(table, rules)
    phase, (_, end) = list(slots.items())[-1] if slots else (table.phase, (0, len(table.seats)))
    if end < len(table.seats):
        return replace(table, phase=phase, acted=end)
    later = phases_of(table.round, rules)
    later = later[later.index(phase) + 1 :] if phase in later else ()
    if later:
        return replace(table, phase=later[0], acted=0)
    if table.round < rounds(rules):
        return replace(table, round=table.round + 1, phase=state.CITY, acted=0)
    return replace(table, phase=state.OVER, acted=0)


def ends_game(table: Table, rules: Rules) -> bool:
    """Whether the turn after this state plays the last phase of the last round."""
    return table.round == rounds(rules) and PROGRESS in _slots(table, rules)


def windows(players: int, rules: Rules) -> int:
    """How many turns a game takes."""
    table, count = Table(seats=dict.fromkeys(map(str, range(players)))), 0  # type: ignore[arg-type]
    while table.phase != state.OVER:
        table, count = moved_on(table, rules), count + 1
    return count


def _slots(table: Table, rules: Rules) -> Slots:
    """The window of phases that begins here. The first move of the Kings, which nobody decides, belongs to the phase before it."""
    if table.phase == state.OVER:
        return {}
    pace, played, seats = rules.paces[rules.pace], phases_of(table.round, rules), len(table.seats)
    phase, acted = table.phase, table.acted
    if phase not in played:  # the rules were changed while this phase was next
        phase, acted = next(later for later in played if PLAYED.index(later) > PLAYED.index(phase)), 0
    window = next((phases for phases in pace.windows if phase in phases), (phase,))
    rest = [later for later in window if later in played and PLAYED.index(later) >= PLAYED.index(phase)]
    slots = {later: (acted if later == phase else 0, seats) for later in rest}
    if pace.one_seat and phase != PROGRESS:
        slots = {phase: (acted, acted + 1)}
    last, (_, end) = list(slots.items())[-1]
    if table.round == 1 and end == seats and played[played.index(last) + 1 :] == (PROGRESS,):
        slots[PROGRESS] = (0, seats)
    return slots
