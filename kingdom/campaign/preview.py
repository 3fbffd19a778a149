"""What would become of orders: their problems, their refusals, what they cost, and the sheet that they would leave.

Foreseen is what holds if nobody else files anything and no die is thrown, from what the seat may know.
"""

from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import filings, next_turn, store
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import NoDice
from kingdom.engine.game import AnyGame
from kingdom.engine.problems import Problem
from kingdom.engine.step import AnyResult, AnyState, Facts, Orders
from kingdom.engine.turn import resolve
from kingdom.engine.typed_dict import TypedDict
from kingdom.orders import orders_file
from kingdom.orders.orders_file import GM, Filing
from kingdom.orders.tables import Tables


class Refused(TypedDict):
    """A refusal: the order's path, the code, and the reason in a sentence."""

    order: str
    code: str
    reason: str


class Foreseen(Struct, frozen=True):
    """seat: whose orders, "" where that can't be told. refusals: order, code and reason of each. cost: in the game's coin.

    before, after: sheets; of the GM's orders, seat -> sheet. after is None, and odds empty, where there are problems.
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
    """What the next orders find: the rules of today, the state, and the closed lists that orders may name."""

    rules: Tables
    state: AnyState
    names: Mapping[str, Container[str]]


def start_of(campaign: Campaign) -> Start:
    """What the next orders find. Raises Faults for a broken campaign."""
    rules = campaigns.rules_today(campaign)
    return Start(rules, state_to_come(campaign, rules), {**campaign.game.names(rules.rules), "seats": campaign.seats})


def verdict(campaign: Campaign, start: Start, seat: str, text: bytes, file: str) -> tuple[Filing, list[Refused]]:
    """What a text that is filed for a seat says, and its refusals: the short of `foresee`, for whom that is enough."""
    filing = orders_file.read(text, file, campaign.game, start.names, seat, start.state.turn + 1)
    if filing.orders is None:
        return filing, []
    if seat == GM:
        return filing, _refused_to_gm(campaign, start.state, filing.orders, start.names, start.rules)
    return filing, refusals(_resolved(campaign, start.state, start.rules, seat, filing.orders), seat)


def foresee(campaign: Campaign, text: bytes, file: str) -> Foreseen:
    """What would become of the orders in a text; `file` is what problems call it. Raises Faults for a broken campaign."""
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
    before, after = sheets(game, state, seat, rules), sheets(game, result.after, seat, rules)
    at_check = replace(result.after, turn=state.turn)  # the checks are still to come in the turn after this state
    odds = game.odds(at_check, seat, rules.rules) if seat != GM else {}
    refused = _refused_to_gm(campaign, state, wanted, names, rules) if seat == GM else refusals(result, seat)
    paid = cost(game, result, seat) + cost_of_answers(campaign, state, rules, seat, wanted, result)
    return Foreseen(seat, number, [], refused, paid, before, after, odds)


def _resolved(
    campaign: Campaign, state: AnyState, rules: Tables, seat: str, wanted: Orders, until: str = ""
) -> AnyResult:
    """The orders carried out as far as can be foreseen, from what the seat may know. until: an earlier phase."""
    game = campaign.game
    world = state if seat == GM else game.known(state, seat, rules.rules)
    filed, held_back = (
        ({seat: wanted}, []) if campaign.settings.messages else next_turn.without_messages({seat: wanted})
    )
    result = resolve(game, world, filed, NoDice(), rules.rules, until=until or game.foreseen_to)
    return result._replace(notices=held_back + result.notices)


def state_to_come(campaign: Campaign, rules: Tables) -> AnyState:
    """The state that the next orders find; before turn 0 the one that it will be."""
    if campaigns.newest(campaign) < 0:
        opening: AnyState = next_turn.opening_draft(campaign, rules).result.after
        return opening
    return campaigns.state_of(campaign, campaigns.kept(campaign))


def amended(campaign: Campaign, filing: Filing, names: Mapping[str, Container[str]], turn: int) -> Orders:
    """What is filed with these orders merged in; these alone where nothing readable is filed."""
    return orders_file.amend(_filed(campaign, filing.kingdom, names, turn), filing.orders or {}, campaign.game)


def _refused_to_gm(
    campaign: Campaign, state: AnyState, wanted: Orders, names: Mapping[str, Container[str]], rules: Tables
) -> list[Refused]:
    """The refusals of the GM's orders as the turn would run now: what they void or answer is what players have filed."""
    players = {seat: _filed(campaign, seat, names, state.turn + 1) for seat in campaign.seats}
    filed = {**{seat: each for seat, each in players.items() if each}, GM: wanted}
    return refusals(resolve(campaign.game, state, filed, NoDice(), rules.rules, until=GM), GM)


def _filed(campaign: Campaign, seat: str, names: Mapping[str, Container[str]], turn: int) -> Orders:
    """What a seat has filed for the turn; nothing where that can't be read."""
    file = filings.folder_of(campaign.folder, turn) / f"{seat}{filings.ENDING}"
    if not file.is_file():
        return {}
    return orders_file.read(store.read(file), str(file), campaign.game, names, seat, turn).orders or {}


def sheets(game: AnyGame, state: AnyState, seat: str, rules: Tables) -> Facts:
    """A seat's sheet; for the GM that of every seat."""
    if seat == GM:
        return {each: game.sheet(state, each, rules.rules) for each in game.seats(state)}
    return game.sheet(state, seat, rules.rules)


def refusals(result: AnyResult, seat: str) -> list[Refused]:
    """The refusals of a seat's orders: path, code and reason."""
    found = [notice.facts for notice in result.notices if notice.kind == "refusal" and notice.seat == seat]
    return [{"order": facts["order"], "code": facts["code"], "reason": facts["reason"]} for facts in found]


def cost(game: AnyGame, result: AnyResult, seat: str) -> int:
    """What the seat's orders take out of the account that they are paid from."""
    return _taken_in(
        game, result, seat, [game.foreseen_to] if game.foreseen_to else [each.name for each in game.phases]
    )


def cost_of_answers(
    campaign: Campaign, state: AnyState, rules: Tables, seat: str, wanted: Orders, result: AnyResult
) -> int:
    """What answers to events cost: it is paid in earlier phases, beside what these take without any answer."""
    game = campaign.game
    names = [phase.name for phase in game.phases]
    earlier = names[: names.index(game.foreseen_to)] if game.foreseen_to in names else []
    if not wanted.get("answers") or not earlier or seat == GM:
        return 0
    silent = {key: value for key, value in wanted.items() if key != "answers"}
    without = _resolved(campaign, state, rules, seat, silent, until=earlier[-1])
    return max(0, _taken_in(game, result, seat, earlier) - _taken_in(game, without, seat, earlier))


def _taken_in(game: AnyGame, result: AnyResult, seat: str, phases: Sequence[str]) -> int:
    """What went out of the account that orders are paid from, in some phases."""
    deltas = [
        entry.delta
        for entry in result.entries
        if (entry.kingdom, entry.account) == (seat, game.paid_from) and entry.phase in phases
    ]
    return -sum(delta for delta in deltas if delta < 0)
