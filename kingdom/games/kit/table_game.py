"""A whole game at one table from one declaration: orders, the GM's orders, reports, forms, offers, a bot, standings, a new campaign.

`TableGame` says what is the game's own; `made` makes the Game of it. The state is a kit.table.TableState, a seat of it a kit.table.Player.
Each part below takes the declaration first and can be used by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Generic

from msgspec import Struct

from kingdom.engine.dice import GM
from kingdom.engine.game import Bot, Chance, Facts, Forms, Game, Opening, Scoring, Setup, Simulation
from kingdom.engine.offer import Offer
from kingdom.engine.step import Orders, Phase, Result, Turn
from kingdom.games.kit import new_campaign, report, rulings
from kingdom.games.kit.common_orders import ALL, FOOT, FOOT_ADDS, REASON, gm_orders, messages, seat, turn
from kingdom.games.kit.drawn import Draw, filing, gm_filing
from kingdom.games.kit.new_campaign import Players
from kingdom.games.kit.rules_page import rulebook
from kingdom.games.kit.settings import Settings
from kingdom.games.kit.table import HIDDEN, Player, R, T, accounts_of, gained, hidden_from
from kingdom.orders import kit
from kingdom.orders.kit.order import AnyOrder
from kingdom.orders.schema import Number, Record, Shape, Text
from kingdom.orders.yaml_out import dump

MOST = 999  # that the GM may grant at once
RANDOM = "random"
REFUSALS = {
    "table_below_nothing": "{whose} has {has} {account}, and can't come below 0 (GM orders); take {has} or fewer.",
    "table_nothing_to_void": "{whose} filed no order {named} (GM orders); name one that it filed: {filed}.",
    "table_ended_already": "The campaign ends with this turn already (GM orders); leave the order out.",
}
WAITS = "The next turn asks nothing of you; you need not send orders."


class TableGame(Struct, Generic[T, R], frozen=True, kw_only=True):
    """What a game at one table declares.

    file: the `__file__` of its game.py. Seat: the class of a player. orders: in the order in which a turn decides them; their steps stand in `phases` by `deciding`.
    phases: those of a turn, behind the GM's; opening: those of turn 0. start: (seat -> name, rules) -> the table before turn 0.
    counts: the accounts that decide, the weightiest first. grant: the account that the GM may change, not below 0.
    heading: where the game stands, a sentence. lines: the table in words, to be read as the seat knows it. over: why the game is over, or "".
    secret: field of a player -> what others see in its place, such as HIDDEN; face_down: the same of the table.
    limits: (table, seat, rules) -> limit of a turn -> how much of it the seat has; candidates name them in `costs` and `limits`, as accounts.
    causes, refusals: those of steps; orders have their own. settings: a `#rules:` part for campaign.yaml, what the dice decide.
    bots: name -> bot, the first is the steward; one that plays at random is always there.
    """

    file: str
    title: str
    State: type[T]
    Seat: type[Player]
    Rules: type[R]
    orders: Sequence[AnyOrder[T, R]]
    phases: tuple[Phase[T, R], ...]
    opening: tuple[Phase[T, R], ...] = ()
    start: Callable[[Mapping[str, str], R], T]
    players: Players
    counts: tuple[str, ...]
    grant: str
    heading: Callable[[T, R], str]
    lines: Callable[[T, R], Sequence[str]]
    over: Callable[[T], str]
    secret: Mapping[str, Any] = {}
    face_down: Mapping[str, Any] = {}
    limits: Callable[[T, str, R], Mapping[str, int]] = lambda table, seat, rules: {}
    causes: Mapping[str, str] = {}
    refusals: Mapping[str, str] = {}
    bots: Mapping[str, Bot[T, R]] = {}
    dice: str = "they decide what the rules leave to chance."
    rules_example: str = ""

    @property
    def name(self) -> str:
        """The name of the game's folder."""
        return Path(self.file).parent.name


def made(game: TableGame[T, R]) -> Game[T, R]:
    """Return the game. Raises ValueError, with all that is wrong, if the declaration names what is not there."""
    if wrong := [*_amiss(game)]:
        raise ValueError(f"the declaration of {game.name}: {'; '.join(wrong)}")
    declared = _orders(game)
    bots: Mapping[str, Bot[T, R]] = {**game.bots, RANDOM: partial(at_random, game)}
    return Game(
        name=game.name,
        title=game.title,
        State=game.State,
        Rules=game.Rules,
        data=Path(game.file).parent / "data",
        phases=(Phase("gm", (gm_step(game),)), *game.phases),
        orders=declared,
        gm_orders=gm_orders(_grant_shape(game.grant), void=game.orders[0].key),
        refusals=kit.refusals(game.orders, game.refusals, REFUSALS),
        causes=kit.causes(game.orders, game.causes, {"grant": f"{game.grant} given or taken by the GM"}),
        opening=Opening(files=FILES, new=partial(_new, game), start=partial(_start, game), phases=game.opening),
        seats=lambda table: list(table.seats),
        accounts=accounts_of,
        sheet=partial(sheet, game),
        known=partial(known, game),
        view=partial(view, game),
        odds=lambda table, seat, rules: {},
        names=lambda rules: {},
        draw=partial(draw, game),
        finished=partial(finished, game),
        templates="board/plain",
        bots=bots,
        offers=partial(offers, game),
        forms=Forms(text=partial(form_text, game), page=partial(form_page, game)),
        asked=partial(asked, game),
        rulebook=rulebook,
        scoring=Scoring(counts=game.counts, accounts=_accounts(game), rows=partial(standings, game)),
        simulation=Simulation(muddled=partial(muddled, game, declared), gm=partial(gm_at_random, game)),
        correction=rulings.correction(game.grant, game.grant, lambda table: table.seats, accounts_of),
    )


def _amiss(game: TableGame[T, R]) -> Iterator[str]:
    """What the declaration names that its classes, orders and phases don't have."""
    accounts, fields = game.Seat.ACCOUNTS, game.Seat.__struct_fields__
    of_seat, phases = game.Seat.__name__, tuple(phase.name for phase in game.phases)
    for where, named, known, whose in (
        (f"{of_seat}.ACCOUNTS", accounts, fields, f"fields of {of_seat}"),
        ("counts", game.counts, accounts, f"ACCOUNTS of {of_seat}"),
        ("grant", (game.grant,), accounts, f"ACCOUNTS of {of_seat}"),
        ("secret", game.secret, fields, f"fields of {of_seat}"),
        ("face_down", game.face_down, game.State.__struct_fields__, f"fields of {game.State.__name__}"),
        *((f"{type(order).__name__}.phase", (order.phase,), phases, "phases") for order in game.orders),
    ):
        for name in named:
            if name not in known:
                yield f"`{where}` names {name!r}, and the {whose} are {', '.join(known)}"
    for order in game.orders:
        for method in ("asks", "candidates", "objection", "carry_out", "say"):
            if getattr(type(order), method) is getattr(kit.Order, method):
                yield f"the order {type(order).__name__} has no method `{method}`"


# --- orders: the players' and the GM's


def _orders(game: TableGame[T, R]) -> Record:
    keys: dict[str, Shape] = {
        "kingdom": seat("whose orders these are"), "turn": turn(), **kit.keys(game.orders),
        "messages": messages("Shall we share?"), **FOOT,
    }  # fmt: skip
    return Record("the orders of a turn", keys, required=("kingdom", "turn"), adds=("messages", *FOOT_ADDS))


def deciding(order: AnyOrder[T, R], name: str) -> Callable[[T, Turn[T, R]], T]:
    """Return the step of that name, in which each seat in turn does what it ordered. The order's docstring is the step's."""
    return kit.step(name, type(order).__doc__ or "", order, lambda turn, phase: list(turn.before.seats))


def _grant_shape(account: str) -> Record:
    keys: dict[str, Shape] = {
        "grant": seat("to whom"),
        account: Number("how many, negative to take them", -MOST, MOST, 1),
        "reason": REASON,
    }
    return Record(f"{account} given or taken", keys, required=("grant", account, "reason"))


def gm_step(game: TableGame[T, R]) -> Callable[[T, Turn[T, R]], T]:
    """Return the step of the GM's rulings, of what the GM tells, and of what players write each other."""

    def grant(table: T, turn: Turn[T, R], path: str, ruling: rulings.Ruling) -> T:
        whose, by = ruling["grant"], ruling[game.grant]
        has = getattr(table.seats[whose], game.grant)
        if has != HIDDEN and has + by < 0:
            turn.refuse(GM, path, "table_below_nothing", whose=whose, has=has, account=game.grant)
            return table
        if game.grant in game.secret:
            turn.tell(ALL, "happened", text=f"The GM changes the {game.grant} of {whose}: {ruling['reason']}.")
            turn.tell(whose, "happened", text=f"The GM: {by:+} {game.grant} for you.")
        else:
            turn.tell(ALL, "happened", text=f"The GM: {by:+} {game.grant} for {whose}: {ruling['reason']}.")
        return gained(table, turn, whose, "grant", ruling["reason"], **{game.grant: by})

    def told(turn: rulings.AnyTurn, text: str, reason: str) -> None:
        turn.tell(ALL, "happened", text=text)

    acts: dict[str, rulings.Act[T, R]] = {
        "grant": grant,
        "void": rulings.void("table_nothing_to_void", "passed"),
        "finish": rulings.finish("table_ended_already", told),
    }
    return rulings.step(acts, lambda table: table.seats)


# --- what a seat knows and may order


def known(game: TableGame[T, R], table: T, seat: str, rules: R) -> T:
    """The table as a seat knows it. When the game is over nothing is secret."""
    return table if finished(game, table) else hidden_from(table, seat, game.secret, game.face_down)


def finished(game: TableGame[T, R], table: T) -> str:
    """Why the game is over, "" while it goes on."""
    return f"the GM ended it: {table.ended}" if table.ended else game.over(table)


def wanted(game: TableGame[T, R], table: T, seat: str, rules: R) -> list[kit.Wanted[T, R]]:
    """What a seat decides in the next turn."""
    if finished(game, table):
        return []
    now = kit.Now(known(game, table, seat, rules), seat, rules)
    return [(order, now) for order in game.orders if order.chooses(now)]


def asked(game: TableGame[T, R], table: T, rules: R) -> list[str]:
    """The seats that decide something in the next turn."""
    return [seat for seat in table.seats if wanted(game, table, seat, rules)]


def offers(game: TableGame[T, R], table: T, seat: str, rules: R, orders: Orders) -> list[Offer]:
    """What a seat may order besides the orders that it has."""
    return [offer for order, now in wanted(game, table, seat, rules) for offer in kit.offers(order, now, orders)]


def form_text(game: TableGame[T, R], table: T, seat: str, rules: R) -> list[str]:
    """The order form as text, below its head."""
    decisions = wanted(game, table, seat, rules)
    return kit.text_form(decisions) if decisions else kit.remark(WAITS)


def form_page(game: TableGame[T, R], table: T, seat: str, rules: R) -> dict[str, Any]:
    """What the order form in a page offers."""
    decisions = wanted(game, table, seat, rules)
    counters = {**accounts_of(table, seat), **game.limits(table, seat, rules)}
    return kit.page(decisions, table.seats, seat, counters, notice="" if decisions else WAITS)


# --- random play


def at_random(game: TableGame[T, R], table: T, seat: str, rules: R, chance: Chance) -> str:
    """The orders of a bot that draws from what it may order."""
    return dump({"kingdom": seat, "turn": table.turn + 1, **kit.at_random(wanted(game, table, seat, rules), chance)})


def muddled(game: TableGame[T, R], declared: Record, table: T, seat: str, rules: R, chance: Chance) -> str:
    """Orders drawn from what is declared, to be merged into what the seat filed; most of them are not allowed."""
    return filing(
        declared, {"kingdom": seat, "turn": table.turn + 1}, Draw(chance, {"seats": list(table.seats)}), ("messages",)
    )


def gm_at_random(game: TableGame[T, R], table: T, rules: R, chance: Chance) -> str:
    """A GM's orders, now and then."""
    draw = Draw(chance, {"seats": list(table.seats)})
    return gm_filing(table.turn + 1, draw, game.grant, (-1, 1, -9, 3), [order.key for order in game.orders])


# --- what players and the GM read


def draw(game: TableGame[T, R], table: T, seat: str | None, rules: R) -> str:
    """The table in words, as the seat knows it, everything for the GM (None)."""
    return "\n".join(game.lines(known(game, table, seat, rules) if seat else table, rules)) + "\n"


def sheet(game: TableGame[T, R], table: T, seat: str, rules: R) -> dict[str, Any]:
    """What `kingdom show --json` prints."""
    return {"kingdom": seat, "turn": table.turn, "name": table.seats[seat].name, **accounts_of(table, seat)}


def standings(
    game: TableGame[T, R], table: T, rules: R, counts: Sequence[str]
) -> list[tuple[str, str, dict[str, int], str]]:
    """The rows of the final standings."""
    return [
        (seat, player.name, {account: getattr(player, account) for account in counts}, "")
        for seat, player in table.seats.items()
    ]


def view(game: TableGame[T, R], result: Result[T], seat: str, rules: R) -> Facts:
    """What the templates of a seat, or of the GM's book, get."""
    return _gm_view(game, result, rules) if seat == GM else _seat_view(game, result, seat, rules)


def _seat_view(game: TableGame[T, R], result: Result[T], seat: str, rules: R) -> report.View:
    table = known(game, result.after, seat, rules)
    heading, over = game.heading(table, rules), bool(finished(game, table))
    decisions = [
        {"key": order.key, "name": order.title, "text": order.asks(now)}
        for order, now in wanted(game, table, seat, rules)
    ]
    found: report.View = {
        **report.of_seat(result, seat, table.seats[seat].name, form_text(game, table, seat, rules)),
        **_figures(game, table, seat),
        "heading": heading,
        "asked": decisions,
        "waits": WAITS,
        "happened": report.happened(report.heard(result, seat), _phases(game)),
        "orders": kit.outcomes(game.orders, result.orders.get(seat), report.alone(result, seat)),
        "board": {"picture": "", "lines": list(game.lines(table, rules)), "wide": 0},
    }
    own = accounts_of(table, seat)
    lines = [("Now", heading, "board", "")]
    if not over:
        names = ", ".join(decision["name"].lower() for decision in decisions)
        lines.append(("You decide", names or "nothing", "asked", "mark" if names else ""))
    lines += [(account.capitalize(), str(own[account]), "players", "") for account in game.counts]
    words = "told asked board players happened orders messages form"
    contents = report.contents(found, over, words, {"players": "The players"})
    return {**found, "first": report.first(lines, found["orders"]), "contents": contents}


def _gm_view(game: TableGame[T, R], result: Result[T], rules: R) -> report.View:
    table = result.after
    names = {seat: player.name for seat, player in table.seats.items()}

    def outcomes(seat: str) -> report.Outcomes:
        return kit.outcomes(game.orders, result.orders.get(seat), report.alone(result, seat))

    return {
        **report.of_gm(result, game.heading(table, rules), names, outcomes),
        **_figures(game, table, ""),
        "happened": report.happened(report.alone(result, ALL), _phases(game)),
        "board": {"picture": "", "lines": list(game.lines(table, rules)), "wide": 0},
        "contents": [{"to": "players", "name": "Players"}, {"to": "gm-happened", "name": "What happened"}],
    }


def _figures(game: TableGame[T, R], table: T, seat: str) -> report.View:
    """heads and rows: what each player has, as the seat knows it."""
    accounts = _accounts(game)
    rows = []
    for other, player in table.seats.items():
        cells = [
            "hidden" if getattr(player, account) == HIDDEN else str(getattr(player, account)) for account in accounts
        ]
        figures = [f"{account} {cell}" for account, cell in zip(accounts, cells, strict=True)]
        rows.append({"seat": other, "name": player.name, "own": other == seat, "cells": cells, "figures": figures})
    return {"heads": [account.capitalize() for account in accounts], "rows": rows}


def _accounts(game: TableGame[T, R]) -> tuple[str, ...]:
    """The accounts of a player, those first that decide."""
    return (*game.counts, *(account for account in game.Seat.ACCOUNTS if account not in game.counts))


def _phases(game: TableGame[T, R]) -> dict[str, str]:
    names = {phase.name: phase.name.replace("_", " ").capitalize() for phase in (*game.opening, *game.phases)}
    return {"gm": "The GM", **names}


# --- a new campaign

FILES = {"kingdoms/*.yaml": Record("a player", {"name": Text("the name", example="Alice", most=60)})}


def _new(game: TableGame[T, R], seats: int | None, options: Facts) -> dict[str, str]:
    bot = next(iter(game.bots), RANDOM)
    settings = Settings(
        game.name,
        dice=game.dice,
        rules=game.rules_example,
        bots=f"`bot: {bot}` lets a bot play.",
        silent="nothing is done for who sent nothing; hold: the turn waits",
    )
    return new_campaign.table_files(settings, game.title.partition(":")[0], game.players, bot, seats, options)


def _start(game: TableGame[T, R], setup: Setup, rules: R) -> T:
    return game.start(new_campaign.named(setup, setup.seats), rules)
