"""A preview of orders: their problems and refusals, their cost, and the sheet after them.

It uses only what the seat may know, rolls no dice, and assumes that nobody else files orders.
"""

from collections.abc import Container, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import filings, next_turn
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault
from kingdom.engine.dice import NoDice
from kingdom.engine.game import AnyGame
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Problem
from kingdom.engine.step import AnyResult, AnyState, Facts, Notice, Orders
from kingdom.engine.turn import foreseen, resolve
from kingdom.engine.typed_dict import TypedDict
from kingdom.orders import orders_file
from kingdom.orders.orders_file import GM, Filing
from kingdom.orders.tables import Tables


class Refused(TypedDict):
    """A refusal: the order's path, the code, and the reason as a sentence."""

    order: str
    code: str
    reason: str


class Foreseen(Struct, frozen=True):
    """A preview. seat: whose orders, "" if they don't say. refusals: order, code and reason of each. cost: in the game's coin.

    before, after: sheets; for the GM's orders, seat -> sheet, before: of the turn without them. If there are problems, after is None and odds is empty.
    """

    seat: str
    turn: int
    problems: list[Problem]
    refusals: list[Refused] = []
    cost: int = 0
    before: Facts | None = None
    after: Facts | None = None
    odds: Mapping[str, float] = {}


class Start(NamedTuple):
    """The basis of the next orders: the rules of today, the state, and the closed lists of words that orders may use."""

    rules: Tables
    state: AnyState
    names: Mapping[str, Container[str]]


def start_of(campaign: Campaign) -> Start:
    """Return the basis of the next orders. Raises Faults for a broken campaign."""
    rules = campaigns.rules_today(campaign)
    return Start(rules, state_to_come(campaign, rules), {**campaign.game.names(rules.rules), "seats": campaign.seats})


def start_for(campaign: Campaign, seat: str) -> Start:
    """Return the same for a seat that is to order something. Raises Faults if the game is over or the seat out of play."""
    start = start_of(campaign)
    turn = start.state.turn + 1
    if over := campaigns.over(campaign, turn, start.state):
        raise fault("game_over", campaign.folder, turn=turn, reason=over)
    if seat not in campaign.game.seats(start.state):
        raise fault("not_in_play", campaign.folder, seat=seat)
    return start


def verdict(campaign: Campaign, start: Start, seat: str, text: bytes, file: str) -> tuple[Filing, list[Refused]]:
    """Read a text that is filed for a seat, and return its orders and refusals: a shorter `foresee`."""
    filing = orders_file.read(text, file, campaign.game, start.names, seat, start.state.turn + 1)
    if filing.orders is None:
        return filing, []
    if seat == GM:
        return filing, _refused_to_gm(campaign, start.state, filing.orders, start.names, start.rules)
    return filing, refusals(_resolved(campaign, start.state, start.rules, seat, filing.orders).notices, seat)


def foresee(campaign: Campaign, text: bytes, file: str) -> Foreseen:
    """Preview the orders in a text; `file` is its name in problems. Raises Faults for a broken campaign."""
    game = campaign.game
    rules, state, names = start_of(campaign)
    number = state.turn + 1
    filing = orders_file.read(text, file, game, names, None, number)
    seat = filing.kingdom if filing.kingdom in (*campaign.seats, GM) else ""
    if filing.orders is None:
        before = sheets(game, state, seat, rules) if seat else None
        return Foreseen(seat, number, filing.problems, before=before)
    wanted = amended(campaign, filing, names, number) if filing.orders.get("amend") else filing.orders
    result = _resolved(campaign, state, rules, seat, wanted)
    # the GM's orders show beside the turn without them: what it brings every kingdom anyway is not their doing
    was = _resolved(campaign, state, rules, GM, {}).after if seat == GM else state
    before, after = sheets(game, was, seat, rules), sheets(game, result.after, seat, rules)
    at_check = replace(result.after, turn=state.turn)  # its checks belong to the turn that is still to come
    odds = game.odds(at_check, seat, rules.rules) if seat != GM else {}
    refused = _refused_to_gm(campaign, state, wanted, names, rules) if seat == GM else refusals(result.notices, seat)
    paid = cost(game, result, seat) + cost_of_answers(campaign, state, rules, seat, wanted, result)
    return Foreseen(seat, number, [], refused, paid, before, after, odds)


def _resolved(
    campaign: Campaign, state: AnyState, rules: Tables, seat: str, wanted: Orders, until: str = ""
) -> AnyResult:
    """Carry out the orders without dice, from what the seat may know. until: the phase to stop after."""
    game = campaign.game
    world = state if seat == GM else game.known(state, seat, rules.rules)
    filed, held_back = (
        ({seat: wanted}, []) if campaign.settings.messages else next_turn.without_messages({seat: wanted})
    )
    result = resolve(game, world, filed, NoDice(), rules.rules, until=until or game.foreseen_to)
    return result._replace(notices=held_back + result.notices)


def state_to_come(campaign: Campaign, rules: Tables) -> AnyState:
    """Return the state before the next orders; if there is no turn 0 yet, the state that it will give."""
    if campaigns.newest(campaign) < 0:
        opening: AnyState = next_turn.opening_draft(campaign, rules).result.after
        return opening
    return campaigns.state_of(campaign, campaigns.kept(campaign))


def amended(campaign: Campaign, filing: Filing, names: Mapping[str, Container[str]], turn: int) -> Orders:
    """Return the filed orders with these merged in; these alone if nothing readable is filed."""
    return orders_file.amend(_filed(campaign, filing.kingdom, names, turn), filing.orders or {}, campaign.game)


def _refused_to_gm(
    campaign: Campaign, state: AnyState, wanted: Orders, names: Mapping[str, Container[str]], rules: Tables
) -> list[Refused]:
    """Return which of the GM's orders would be refused now. Players' filed orders count, since the GM's may void or answer them."""
    players = {seat: _filed(campaign, seat, names, state.turn + 1) for seat in campaign.seats}
    filed = {**{seat: orders for seat, orders in players.items() if orders}, GM: wanted}
    return refusals(foreseen(campaign.game, state, filed, rules.rules, GM)[1].notices, GM)


def _filed(campaign: Campaign, seat: str, names: Mapping[str, Container[str]], turn: int) -> Orders:
    """Return the orders that a seat has filed for the turn; none if they can't be read."""
    file = filings.folder_of(campaign.folder, turn) / f"{seat}{filings.ENDING}"
    data = filings.content(file)
    return {} if data is None else orders_file.read(data, str(file), campaign.game, names, seat, turn).orders or {}


def sheets(game: AnyGame, state: AnyState, seat: str, rules: Tables) -> Facts:
    """Return a seat's sheet; for the GM every seat's."""
    if seat == GM:
        return {other: game.sheet(state, other, rules.rules) for other in game.seats(state)}
    return game.sheet(state, seat, rules.rules)


def refusals(notices: Iterable[Notice], seat: str) -> list[Refused]:
    """Return the refusals of a seat's orders."""
    refused = [notice.facts for notice in notices if notice.kind == "refusal" and notice.seat == seat]
    return [{"order": facts["order"], "code": facts["code"], "reason": facts["reason"]} for facts in refused]


def cost(game: AnyGame, result: AnyResult, seat: str) -> int:
    """Return how much the seat's orders take from the account that pays for orders."""
    return _taken_in(
        game, result, seat, [game.foreseen_to] if game.foreseen_to else [phase.name for phase in game.phases]
    )


def cost_of_answers(
    campaign: Campaign, state: AnyState, rules: Tables, seat: str, wanted: Orders, result: AnyResult
) -> int:
    """Return the cost of answers to events: what the earlier phases take with these answers, minus what they take without."""
    game = campaign.game
    names = [phase.name for phase in game.phases]
    earlier = names[: names.index(game.foreseen_to)] if game.foreseen_to in names else []
    if not wanted.get("answers") or not earlier or seat == GM:
        return 0
    silent = {key: value for key, value in wanted.items() if key != "answers"}
    without = _resolved(campaign, state, rules, seat, silent, until=earlier[-1])
    return max(0, _taken_in(game, result, seat, earlier) - _taken_in(game, without, seat, earlier))


def _taken_in(game: AnyGame, result: AnyResult, seat: str, phases: Sequence[str]) -> int:
    """Return how much went out of the account that pays for orders, in these phases."""
    own = [one for one in result.entries if (one.kingdom, one.account) == (seat, game.paid_from)]
    return -sum(min(0, one.delta) for one in own if one.phase in phases)
