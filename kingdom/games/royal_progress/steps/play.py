"""Phase 1, the turns at the table: whose come in this turn of the campaign, what each begins with, and the plan that is carried out.

The first plan that is legal as a whole counts (rulings plans, plan_broken, missing_plan).
"""

from __future__ import annotations

from collections.abc import Sequence

from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD as FIRST_TURN
from kingdom.games.royal_progress.state import PLAY, SCORING, Table, at_court, clockwise, replace, with_seat
from kingdom.games.royal_progress.steps import ALL, Refused, Trial, booked, ended, listed, refused, tell
from kingdom.games.royal_progress.steps.abilities import use
from kingdom.games.royal_progress.steps.actions import Doing, act, lay_out_again
from kingdom.games.royal_progress.steps.cards import discard_open
from kingdom.games.royal_progress.steps.preferences import forced_discard, standing
from kingdom.games.royal_progress.types import Turn
from kingdom.games.royal_progress.words import ANY, DISCARD, MOVE, TAKE, ActionForm, NoPlan, PlanForm, Wish

CAUSES = {
    "kings_company": "the King card held while a courtier is at court",
}


def due(table: Table, rules: Rules) -> list[str]:
    """The seats that are asked for orders for the next turn, in the order in which theirs are carried out."""
    if table.phase == FIRST_TURN:
        return list(table.seats)
    if table.phase != PLAY:
        return []
    seats = clockwise(table, table.next or next(iter(table.seats)))
    return seats if rules.paces[rules.pace].everybody else seats[:1]


def turns_at_the_table(table: Table, turn: Turn) -> Table:
    """Each of the seats that are due has its turn, until the round's end (ruling round_ends)."""
    if turn.before.phase != PLAY:
        return table
    for seat in due(table, turn.rules):
        if ended(table, turn.rules):
            break
        if turn.foreseeing and seat not in turn.orders:  # what others will do is not foreseen
            continue
        table = kings_step(lay_out_again(table, turn), turn, seat)
        if not ended(table, turn.rules):
            table = take_turn(table, turn, seat)
        table = replace(table, next=clockwise(table, seat)[1 % len(table.seats)])
    if turn.foreseeing or not ended(table, turn.rules):
        return table
    why = (
        "the King is at the end of his track"
        if table.king >= turn.rules.track.end
        else f"{len(at_court(table))} courtiers are at court"
    )
    tell(turn, ALL, f"The turns at the table of this round are over: {why}.")
    return replace(table, phase=SCORING)


def kings_step(table: Table, turn: Turn, seat: str) -> Table:
    """Who holds the King card moves the King on, and scores where a courtier is at court (rulings king_card, track_end)."""
    if table.king_card != seat:
        return table
    table = replace(table, king=table.king + 1)
    tell(turn, ALL, f"The King moves on to {table.king} of {turn.rules.track.end}.", seat)
    points = turn.rules.points.kings_company
    if any(courtier.arrived for courtier in table.courtiers.values()) and points:
        table = with_seat(table, seat, points=table.seats[seat].points + points)
        tell(turn, ALL, f"{seat} scores {points} for the King's company.", seat)
        booked(table, turn, "kings_company", f"the King at {table.king} of {turn.rules.track.end} with company", seat)
    return table


# --- the plan of a turn at the table


REFUSALS = {
    "back_in_alphabet": "{second} comes before {first} in the alphabet, and actions never go back (ruling two_actions); give {second} first, then {first}.",
    "one_turn_ends": "Two actions make a turn, not {count} (ruling two_actions); give two, the same one twice if you like.",
}
DO: tuple[str, str] = (TAKE, TAKE)  # what a seat does that said nothing of it
PREFER: tuple[Wish, ...] = ({"suit_in_hand": "most"}, ANY)
OWN = "standing.no_plan"  # the path of what a seat without a legal plan does


def take_turn(table: Table, turn: Turn, seat: str) -> Table:
    """The seat's turn at the table, but for the King's own step."""
    for path, plan in listed(turn.orders.get(seat, {}).get("plans"), "plans"):
        wrong = trouble(table, seat, plan, turn.rules)
        if wrong is None:
            turn.tell(seat, "used", order=path)
            return carry_out(table, turn, seat, plan, path)
        refused(wrong, turn, seat, path)
    if not turn.foreseeing:
        turn.tell(
            seat,
            "missing",
            text="No plan of yours was carried out: your standing order for that was (ruling missing_plan).",
        )
    return carry_out(table, turn, seat, without_plan(table, seat, turn.rules), OWN)


def trouble(table: Table, seat: str, plan: PlanForm, rules: Rules) -> Refused | None:
    """Why the plan is not legal on this table as it lies; None where it is. No card is drawn to find that out."""
    actions = plan.get("actions", ())
    if len(actions) != 2:
        error = Refused("one_turn_ends", count=len(actions))
        error.path = ".actions"
        return error
    back = goes_back([action["do"] for action in actions])
    if back:
        back.path = ".actions[1]"
        return back
    try:
        _steps(table, Trial(rules), seat, plan)
    except Refused as error:
        return error
    return None


def goes_back(words: Sequence[str]) -> Refused | None:
    """Why these two kinds of actions can't follow each other; None where they can."""
    first, second = words
    return Refused("back_in_alphabet", first=first.upper(), second=second.upper()) if second < first else None


def carry_out(table: Table, turn: Turn, seat: str, plan: PlanForm, path: str) -> Table:
    """The plan, step by step; what a card drawn meanwhile made impossible is left out."""
    return _steps(table, turn, seat, plan, path)


def _steps(table: Table, turn: Turn, seat: str, plan: PlanForm, path: str = "") -> Table:
    """path: that of the plan, for what is refused; "": the first that is illegal raises Refused."""
    doing = Doing()
    actions = plan["actions"]
    ability = plan.get("ability")
    for number in range(-1 if ability else 0, len(actions)):  # -1: the ability, before the actions
        if ended(table, turn.rules):  # (ruling round_ends)
            break
        place = ".ability" if number < 0 else f".actions[{number}]"
        try:
            if number < 0 and ability:
                table = use(table, turn, seat, ability, doing)
            else:
                doing.passes = _passes(actions[number : number + 2])
                table = act(table, turn, seat, actions[number], doing)
        except Refused as error:
            error.path = place
            if not path:
                raise
            if path != OWN:
                refused(error, turn, seat, path)
    return table


def _passes(actions: Sequence[ActionForm]) -> bool:
    """Whether the first action only passes through: both are spent on the same courtier (ruling passing)."""
    moved = [action["courtier"] for action in actions if action["do"] == MOVE]
    return len(moved) == 2 and moved[0] == moved[1]


def without_plan(table: Table, seat: str, rules: Rules) -> PlanForm:
    """What the seat does where no plan of its is legal (ruling missing_plan); it takes a card for each that it can't discard."""
    said: NoPlan = standing(table, seat).get("no_plan") or {}
    prefer: list[Wish] = [*(said.get("prefer") or PREFER), ANY]
    discards: list[ActionForm] = []
    for word in said.get("do") or DO:
        name = forced_discard(table, seat) if word == DISCARD else ""
        if name:
            discards.append({"do": DISCARD, "courtier": name})
            table = discard_open(table, Trial(rules), seat, name)
    takes: list[ActionForm] = [{"do": TAKE, "prefer": prefer} for _ in range(2 - len(discards))]
    return {"actions": [*takes, *discards]}
