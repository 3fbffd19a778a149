"""The rounds: whose turn it is, whom the next run plays, and what follows a run and a round: a council, new cards, a new turn order.

The great council comes after some rounds, the final scoring after the last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from kingdom.games.kings_pouch import state
from kingdom.games.kings_pouch.rules import Rules, board_for
from kingdom.games.kings_pouch.state import Marked, Table, Turn, on_characters, on_territories, replace, with_player
from kingdom.games.kings_pouch.steps import at_top, booked, counted, joined, orders_of, scored, tell
from kingdom.games.kings_pouch.steps.land import connected
from kingdom.games.kit.rulings import Ruling

SET_UP = 0  # the round in which castles are chosen
TURNS = ("first_turn", "second_turn", "third_turn", "fourth_turn")  # the phases of a round, a player's turn each


def due(table: Table, rules: Rules) -> tuple[str, ...]:
    """The seats that the run after this state plays, in their order (table paces)."""
    if table.is_over:
        return ()
    rest = table.order[table.acted :]
    return rest[:1] if rules.paces[rules.pace].one_seat else rest


def due_in(table: Table, rules: Rules) -> dict[str, tuple[str, ...]]:
    """Phase -> the seats that decide in it in the run after this state. All turns of a round stand under the first turn's phase."""
    return {"castles" if table.round == SET_UP else TURNS[0]: due(table, rules)}


def acting(turn: Turn, phase: str = "") -> list[str]:
    """The one seat whose turn is the current phase; empty if there is no such seat, or if this run does not play its turn."""
    before, index = turn.before, TURNS.index(turn.phase)
    playing = due(before, turn.rules) if before.round != SET_UP else ()
    return [seat for seat in before.order[index : index + 1] if seat in playing]


def round_ends(turn: Turn) -> bool:
    """Whether the run plays the last turn of a round, or the last choice of a castle."""
    before = turn.before
    return not before.is_over and before.acted + len(due(before, turn.rules)) >= len(before.order)


def next_turns(table: Table, turn: Turn) -> Table:
    """Set who plays in the next run. The cards and the order of a new round come last, so that all orders for it know them."""
    before = turn.before
    if table.ended:
        return replace(table, over=True)
    if not round_ends(turn):
        return replace(table, acted=table.acted + len(due(before, turn.rules)))
    if before.round >= turn.rules.rounds.count:
        return replace(table, over=True, acted=0)
    return begun(replace(table, round=before.round + 1, acted=0), turn)


def begun(table: Table, turn: Turn) -> Table:
    """Begin a round: discard the display, take the turn order, show cards of each pile; of the one mixed pile three times as many.

    Nothing begins while castles are to be chosen.
    """
    if table.round == SET_UP:
        return table
    table = replace(table, discard=(*table.discard, *table.display), display=())
    for seat in table.seats:
        table = with_player(table, seat, taxed=False, attacked=())
    order = at_top(table.seats)
    tell(turn, "", f"Round {table.round} begins; the order is {joined(order)}.")
    table = replace(table, order=order)
    if table.round > turn.rules.rounds.building or turn.foreseeing:
        return table
    shown, display, decks = board_for(turn.rules, len(table.seats)).shown, list[str](), {}
    for name, cards in table.decks.items():
        count = shown * len(state.COLOURS) if name == state.MIXED else shown
        display += cards[:count]
        decks[name] = cards[count:]
    tell(turn, "", f"On display: {joined((turn.rules.buildings[card].name for card in display), 'nothing')}.")
    return replace(table, display=tuple(display), decks=decks)


# --- the GM's grant, and what is not for this run: told before anything is decided


REFUSALS = {
    "pouch_not_your_turn": "This run plays the turn of {seats}, so `{key}` is not carried out (table paces); "
    "send it when your turn is next. The order is {round}.",
    "pouch_castles_first": "Castles are chosen first, so `{key}` is not carried out (ruling castle_choice); send it again for round 1.",
}
PLAYED = ("castle", "place", "manage", "tax", "rest")


def grant(table: Table, turn: Turn, ruling: Ruling) -> Table:
    """Prestige given or taken; a debt is possible."""
    seat, by = ruling["grant"], ruling["prestige"]
    tell(turn, "", f"The GM: {by:+} prestige for {seat}: {ruling['reason']}.")
    return scored(turn, table, seat, by, "grant", ruling["reason"])


def sort_orders(table: Table, turn: Turn) -> Table:
    """Refuse orders that this run does not play, so that nobody waits for them."""
    before = turn.before
    now = due(before, turn.rules)
    for seat in table.seats:
        for key in PLAYED:
            if key not in orders_of(turn, seat):
                continue
            if before.round == SET_UP and key != "castle":
                turn.refuse(seat, key, "pouch_castles_first", key=key)
            elif seat not in now:
                turn.refuse(seat, key, "pouch_not_your_turn", key=key, seats=joined(now), round=joined(before.order))
    return table


# --- the great council, the final scoring, and what is counted for each character


CAUSES = {
    "council_territories": "a council: markers connected to the castle",
    "council_character": "a council: a marker on a character",
    "characters_return": "markers sent home from characters after a council",
    "final_buildings": "the prestige printed on buildings, at the end",
    "final_corrupt": "corrupt officials at the end",
}


def great_council(table: Table, turn: Turn) -> Table:
    """After some rounds: each player in prestige order, first the territories, then the characters (ruling council_order)."""
    rules = turn.rules
    if turn.foreseeing or table.round == SET_UP or not round_ends(turn) or table.round not in rules.council.rounds:
        return table
    table = replace(table, councils=table.councils + 1)
    tell(turn, "", f"The great council number {table.councils} meets.")
    for seat in at_top(table.seats):
        table = _council_of(table, turn, seat)
    return table


def _council_of(table: Table, turn: Turn, seat: str) -> Table:
    rules = turn.rules
    markers, value_each = connected_markers(table, seat, rules), marker_value(table.councils, rules)
    connected, by = counted(markers, "connected marker"), markers * value_each
    table = scored(turn, table, seat, by, "council_territories", f"{connected}, {value_each} each")
    said = [f"{by} for {connected}"]
    for who in [who for who in table.characters if who in table.claimed and table.claimed[who].owner == seat]:
        value, name = value_of(table, seat, who, rules), rules.characters[who].name
        for _ in range(table.claimed[who].markers):
            table = scored(turn, table, seat, value, "council_character", name)
            said.append(f"{value} for the {name}")
    tell(turn, seat, f"scores {', '.join(said)}; {table.seats[seat].prestige} prestige.")
    return _sent_home(table, turn, seat)


def marker_value(council: int, rules: Rules) -> int:
    """What a connected marker brings at the council of that number, from 1."""
    return rules.council.marker[min(council, len(rules.council.marker)) - 1]


def _sent_home(table: Table, turn: Turn, seat: str) -> Table:
    """All markers of the seat come back from characters (ruling markers_return)."""
    markers = on_characters(table, seat)
    if not markers:
        return table
    left = {who: marked for who, marked in table.claimed.items() if marked.owner != seat}
    table = with_player(replace(table, claimed=left), seat, markers=table.seats[seat].markers + markers)
    return booked(turn, table, seat, "characters_return", "after the council")


def connected_markers(table: Table, seat: str, rules: Rules) -> int:
    """The castle and all markers connected to it (ruling cut_off)."""
    castle = Marked(seat)
    return sum([table.territories.get(place, castle).markers for place in connected(table, seat, rules)])


def value_of(table: Table, seat: str, who: str, rules: Rules) -> int:
    """What a marker of the seat on that character would bring now."""
    character = rules.characters[who]
    count = _COUNTED[character.by](table, seat, rules)
    reached = [line.prestige for line in character.table if line.least <= count]
    return reached[-1] if reached else character.table[0].prestige


def worth_next(table: Table, seat: str, who: str, rules: Rules) -> int:
    """What a marker of the seat on that character would bring if the next council were held now."""
    there = table.claimed.get(who)
    mine = table if there and there.owner == seat else replace(table, claimed={**table.claimed, who: Marked(seat)})
    return value_of(replace(mine, councils=min(table.councils + 1, len(rules.council.rounds))), seat, who, rules)


def _of_colours(table: Table, seat: str, rules: Rules) -> list[int]:
    colours: list[str] = [rules.buildings[building].colour for building in table.seats[seat].buildings]
    return [colours.count(colour) for colour in state.COLOURS]


def _on_princesses(table: Table, seat: str, rules: Rules) -> int:
    princesses = {who for who, rule in rules.characters.items() if rule.by == "own_markers_on_princesses"}
    return on_characters(
        replace(table, claimed={who: table.claimed[who] for who in princesses & {*table.claimed}}), seat
    )


_COUNTED: Mapping[str, Callable[[Table, str, Rules], int]] = {
    "council": lambda table, seat, rules: table.councils,
    "own_markers_on_princesses": _on_princesses,
    "own_territory_markers_with_castle": lambda table, seat, rules: 1 + on_territories(table, seat),
    "own_markers_on_characters": lambda table, seat, rules: on_characters(table, seat),
    "active_commons": lambda table, seat, rules: table.seats[seat].active.common,
    "sets_of_three_colours": lambda table, seat, rules: min(_of_colours(table, seat, rules)),
    "most_buildings_of_one_colour": lambda table, seat, rules: max(_of_colours(table, seat, rules)),
    "holds_palace": lambda table, seat, rules: int(table.territories.get(rules.map.palace, Marked("")).owner == seat),
    "active_corrupt": lambda table, seat, rules: table.seats[seat].active.corrupt,
    "nothing": lambda table, seat, rules: 0,
    "active_cubes": lambda table, seat, rules: sum([getattr(table.seats[seat].active, kind) for kind in state.CUBES]),
}


def final_scoring(table: Table, turn: Turn) -> Table:
    """After the last round, or when the GM ends the campaign: the buildings, and the corrupt officials."""
    if turn.foreseeing or not (table.ended or (table.round >= turn.rules.rounds.count and round_ends(turn))):
        return table
    for seat, lord in table.seats.items():
        printed = sum([turn.rules.buildings[building].prestige for building in lord.buildings])
        corrupt = lord.citizens.corrupt
        loss, officials = turn.rules.final.corrupt * corrupt, counted(corrupt, "corrupt official")
        table = scored(turn, table, seat, printed, "final_buildings", "printed on the buildings")
        table = scored(turn, table, seat, -loss, "final_corrupt", officials)
        ends = f"and ends with {table.seats[seat].prestige} prestige"
        tell(turn, seat, f"scores {printed} for buildings, loses {loss} for {officials}, {ends}.")
    return table


def pieces(table: Table, rules: Rules) -> dict[str, int]:
    """What is in the box: citizens by kind, markers by player, building cards by their word."""
    citizens = sum([lord.citizens for lord in table.seats.values()], table.pool)
    counted: dict[str, int] = {kind: getattr(citizens, kind) for kind in state.KINDS}
    cards = [*table.display, *table.discard]
    for seat, lord in table.seats.items():
        counted[f"markers of {seat}"] = lord.markers
        cards += lord.buildings
        if lord.site:
            cards.append(lord.site)
    for marked in (*table.territories.values(), *table.claimed.values()):
        counted[f"markers of {marked.owner}"] += marked.markers
    for deck in table.decks.values():
        cards += deck
    return {**counted, **Counter(cards)}
