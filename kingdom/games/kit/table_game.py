"""A whole game at one table from one declaration: orders, the GM's orders, reports, forms, offers, a bot, standings, a new campaign.

`TableGame` says what is the game's own; `made` makes the Game of it. The state is a kit.table.TableState, a seat of it a kit.table.Player.
Each part below takes the declaration first and can be used by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeAlias

from msgspec import Struct, field, to_builtins
from msgspec.structs import replace

from kingdom.engine.dice import GM
from kingdom.engine.game import Chance, Facts, Forms, Game, Opening, Scoring, Setup, Simulation
from kingdom.engine.offer import LIST, Offer
from kingdom.engine.refusal import Refusal
from kingdom.engine.step import Orders, Phase, Play, Result, Turn
from kingdom.engine.turn import foreseen
from kingdom.games.kit import new_campaign, report, rulings
from kingdom.games.kit.common_orders import ALL, FOOT, FOOT_ADDS, gm_shape, messages, seat, turn
from kingdom.games.kit.declared import happened
from kingdom.games.kit.drawn import Draw, filing, gm_filing
from kingdom.games.kit.new_campaign import Players, Settings
from kingdom.games.kit.rules_page import rulebook
from kingdom.games.kit.table import HIDDEN, Player, R, T, accounts_of, hidden_from, tell, with_player
from kingdom.orders import kit
from kingdom.orders.kit.order import AnyOrder
from kingdom.orders.kit.pages import FINAL
from kingdom.orders.schema import Record, Shape, Text
from kingdom.orders.yaml_out import dump
from kingdom.render.charts import Drawing
from kingdom.render.plain_text import joined

RANDOM = "random"
REFUSALS = {
    "table_below_nothing": "{whose} has {has} {account}, and can't come below 0 (GM orders); take {has} or fewer.",
    "table_nothing_to_void": "{whose} filed no order {named} (GM orders); name one that it filed: {filed}.",
    "table_ended_already": "The campaign ends with this turn already (GM orders); leave the order out.",
}
WAITS = "The next turn asks nothing of you; you need not send orders."
Lines: TypeAlias = Iterable[tuple[str, str, str, str]]  # of the first screen: name, text, section, mark
NAME = Record("a player", {"name": Text("the name", example="Alice", most=60)})


class TableGame(Struct, Generic[T, R], frozen=True, kw_only=True):
    """What a game at one table declares. A bigger game fills in more fields of engine.game.Game: `made` takes them.

    file: the `__file__` of its game.py. Seat: the class of a player. orders: in the order in which a turn decides them; their steps stand in `phases` by `deciding`.
    phases: those of a turn, behind the GM's; sorting: steps behind the GM's rulings, in their phase; opening: phases of turn 0.
    start: (setup, rules) -> the table before turn 0; `new_campaign.seated` says who sits there. files, table_file: a table.yaml of its own,
    declared and as a new campaign has it ({seats}: all of them, {first}: the first). settings: fields of new_campaign.Settings.
    counts: the accounts that decide, the weightiest first; fewer: the accounts of which less is better. unit: what the first one counts.
    open: those that are no secret, which a public page may show.
    names: of the seats of a new campaign. accounts: what is counted, if it hangs on the rules. grant: the account that the GM may change, not below 0;
    amount: the key of how much, if it is not the account's name. acts: its own ways to carry out rulings of the GM.
    codes: code of the kit's REFUSALS -> its name in this game, if it has another one.
    heading: where the game stands, a sentence. lines: the table in words, to be read as the seat knows it. over: why the game is over, or "".
    secret: field of a player -> what others see in its place, such as HIDDEN; face_down: the same of the table. hides: what else a seat doesn't know. untold: fields that only keep an order.
    due: (table, rules) -> phase -> the seats that decide in it in the next turn, if these are not all. waits: said to a seat that decides nothing.
    limits: (table, seat, rules) -> limit of a turn -> how much of it the seat has; candidates name them in `costs` and `limits`, as accounts.
    page: (table, seat, rules) -> what its form's page has besides, such as facts, picture, places. words: the closed lists that orders name.
    causes, refusals: those of steps; orders have their own. bots: name -> (what the seat knows,
    seat, rules, chance) -> its orders without the head; the first is the steward, and one that plays at random is always there.
    likely: (table, seat, rules) -> key -> values that random orders take more often.

    Of reports. picture: the table drawn, and wide: how many pixels that takes. sections: those between what is asked and what happened, in their order.
    first: the lines of the first screen between what is decided and what was refused; None: what counts. figures: (table, seat, rules) -> head -> what
    stands in a player's row; None: the accounts. also: (result, table, seat, rules) -> what the game's own templates need. Each as the reader knows the table.
    """

    file: str
    title: str
    State: type[T]
    Seat: type[Player]
    Rules: type[R]
    orders: Sequence[AnyOrder[T, R]]
    phases: tuple[Phase[T, R], ...]
    sorting: tuple[Callable[[T, Turn[T, R]], T], ...] = ()
    opening: tuple[Phase[T, R], ...] = ()
    start: Callable[[Setup, R], T]
    files: Mapping[str, Record] = {}
    table_file: str = ""
    settings: Mapping[str, str] = {}
    players: Players
    names: Sequence[str] = new_campaign.NAMES
    counts: tuple[str, ...]
    fewer: tuple[str, ...] = ()
    unit: str = ""
    open: tuple[str, ...] = ()
    accounts: Callable[[T, str, R], Mapping[str, int]] = accounts_of
    grant: str
    amount: str = ""
    acts: Mapping[str, rulings.Act[T, R]] = {}
    codes: Mapping[str, str] = {}
    heading: Callable[[T, R], str]
    lines: Callable[[T, R], Sequence[str]]
    over: Callable[[T], str]
    secret: Mapping[str, Any] = {}
    face_down: Mapping[str, Any] = {}
    hides: Callable[[T, str], T] = lambda table, seat: table
    untold: tuple[str, ...] = ()
    due: Callable[[T, R], Mapping[str, Sequence[str]]] | None = None
    waits: Callable[[T, R], str] = lambda table, rules: WAITS
    limits: Callable[[T, str, R], Mapping[str, int | kit.Counter]] = lambda table, seat, rules: {}
    page: Callable[[T, str, R], Facts] = lambda table, seat, rules: {}
    words: Callable[[R], Mapping[str, list[str]]] = lambda rules: {}
    causes: Mapping[str, str] = {}
    refusals: Mapping[str, str] = {}
    bots: Mapping[str, Callable[[T, str, R, Chance], Orders]] = {}
    likely: Callable[[T, str, R], Mapping[str, Sequence[object]]] = lambda table, seat, rules: {}
    picture: Callable[[T, R], str] | None = None
    wide: Callable[[R], int] = lambda rules: 0
    sections: Mapping[str, str] = field(default_factory=lambda: {"board": "The table", "players": "The players"})
    first: Callable[[T, str, R], Lines] | None = None
    figures: Callable[[T, str, R], Mapping[str, object]] | None = None
    also: Callable[[Result[T], T, str, R], Facts] = lambda result, table, seat, rules: {}

    @property
    def name(self) -> str:
        """The name of the game's folder."""
        return Path(self.file).parent.name

    @property
    def by(self) -> str:
        """The key under which a grant of the GM has how much."""
        return self.amount or self.grant


def made(game: TableGame[T, R], **own: Any) -> Game[T, R]:
    """Return the game. own: fields of Game that it fills in itself. Raises ValueError, with all that is wrong, if the declaration names what is not there."""
    if wrong := [*_amiss(game)]:
        raise ValueError(f"the declaration of {game.name}: {'; '.join(wrong)}")
    declared, play, random = orders_of(game.orders), _play(game), partial(at_random, game)
    causes = kit.causes(game.orders, game.causes, {"grant": f"{game.grant} given or taken by the GM"})
    filled = Game(
        name=game.name,
        title=game.title,
        State=game.State,
        Rules=game.Rules,
        data=Path(game.file).parent / "data",
        phases=play.phases,
        orders=declared,
        gm_orders=gm_shape(game.grant, game.by, void=game.orders[0].key),
        refusals=play.refusals,
        causes=causes,
        opening=Opening(files={**FILES, **game.files}, new=partial(_new, game), start=game.start, phases=game.opening),
        seats=lambda table: list(table.seats),
        accounts=game.accounts,
        sheet=partial(sheet, game),
        known=partial(known, game),
        view=partial(view, game),
        odds=lambda table, seat, rules: {},
        names=game.words,
        draw=partial(draw, game),
        picture=partial(_picture, game) if game.picture else None,
        finished=partial(finished, game),
        templates="board/plain",
        bots={name: partial(filed, bot) for name, bot in {**game.bots, RANDOM: game.bots.get(RANDOM, random)}.items()},
        offers=partial(offers, game, play),
        forms=Forms(text=partial(form_text, game), page=partial(form_page, game)),
        asked=partial(asked, game),
        rulebook=rulebook,
        scoring=Scoring(game.counts, game.fewer, game.unit, _accounts(game), game.open, partial(standings, game)),
        simulation=Simulation(
            muddled=partial(muddled, game, declared),
            gm=partial(gm_at_random, game),
            could_happen=lambda rules: {"cause": tuple(causes), "refusal": tuple(play.refusals)},
            happened=happened,
        ),
        correction=rulings.correction(game.grant, game.by, game.accounts),
        foreseen_to=game.orders[-1].phase,  # what comes behind it hangs on dice and on what others order
    )
    return replace(filled, **own)


def _play(game: TableGame[T, R]) -> Play[T, R]:
    own_grant = "table_below_nothing" if "grant" in game.acts else ""
    of_gm = {game.codes.get(code, code): sentence for code, sentence in REFUSALS.items() if code != own_grant}
    phases = (Phase("gm", (gm_step(game), *game.sorting)), *game.phases)
    return Play(phases, kit.refusals(game.orders, game.refusals, of_gm), lambda table: table.seats, game.accounts)


def _amiss(game: TableGame[T, R]) -> Iterator[str]:
    """A sentence for each name in the declaration that its classes, orders and phases don't have."""
    accounts, fields = game.Seat.ACCOUNTS, game.Seat.__struct_fields__
    of_seat, phases = game.Seat.__name__, tuple(phase.name for phase in game.phases)
    held = accounts if game.accounts is not accounts_of else (*fields, *vars(game.Seat))
    for where, named, known, whose in (
        (f"{of_seat}.ACCOUNTS", accounts, held, f"fields of {of_seat}"),
        ("counts", game.counts, accounts, f"ACCOUNTS of {of_seat}"),
        ("grant", (game.grant,), accounts, f"ACCOUNTS of {of_seat}"),
        ("secret", game.secret, fields, f"fields of {of_seat}"),
        ("face_down", game.face_down, game.State.__struct_fields__, f"fields of {game.State.__name__}"),
        ("fewer", game.fewer, accounts, f"ACCOUNTS of {of_seat}"),
        ("codes", game.codes, tuple(REFUSALS), "REFUSALS of the kit"),
        ("settings", game.settings, Settings._fields, "fields of Settings"),
        *((f"{type(order).__name__}.phase", (order.phase,), phases, "phases") for order in game.orders),
    ):
        for name in (name for name in named if name not in known):
            yield f"`{where}` names {name!r}, and the {whose} are {', '.join(fields if known is held else known)}"
    where_decided = [phases.index(order.phase) for order in game.orders if order.phase in phases]
    if where_decided != sorted(where_decided):
        yield f"`orders` are {', '.join(order.key for order in game.orders)}, and the phases decide them in another order: {', '.join(phases)}"
    for order in game.orders:
        for method in ("asks", "candidates", "objection", "carry_out", "say"):
            if getattr(type(order), method) is getattr(kit.Order, method):
                yield f"the order {type(order).__name__} has no method `{method}`"


# --- orders: the players' and the GM's


def orders_of(orders: Sequence[AnyOrder[T, R]], more: Mapping[str, Shape] = {}) -> Record:
    """Return what a player may file. more: keys of a game's own that are no orders."""
    keys: dict[str, Shape] = {
        "kingdom": seat("whose orders these are"), "turn": turn(), **more, **kit.keys(orders),
        "messages": messages("Shall we share?"), **FOOT,
    }  # fmt: skip
    return Record("the orders of a turn", keys, required=("kingdom", "turn"), adds=("messages", *FOOT_ADDS))


def deciding(
    order: AnyOrder[T, R],
    name: str,
    due: Callable[[T, R, str], Iterable[str]] = lambda table, rules, phase: table.seats,
) -> Callable[[T, Turn[T, R]], T]:
    """Return the step of that name, in which each seat in turn does what it ordered. The order's docstring is the step's.

    due: (the table before the turn, rules, phase) -> the seats that decide, in their order.
    """
    return kit.step(name, type(order).__doc__ or "", order, lambda turn, phase: due(turn.before, turn.rules, phase))


def gm_step(game: TableGame[T, R]) -> Callable[[T, Turn[T, R]], T]:
    """Return the step of the GM's rulings, of what the GM tells, and of what players write each other."""

    def grant(table: T, turn: Turn[T, R], ruling: rulings.Ruling) -> T | Refusal:
        whose, by = ruling["grant"], ruling[game.by]
        has = getattr(table.seats[whose], game.grant)
        if has != HIDDEN and has + by < 0:
            return Refusal(below, {"whose": whose, "has": has, "account": game.grant})
        if game.grant in game.secret:
            tell(turn, ALL, f"The GM changes the {game.grant} of {whose}: {ruling['reason']}.")
            tell(turn, whose, f"The GM: {by:+} {game.grant} for you.")
        else:
            tell(turn, ALL, f"The GM: {by:+} {game.grant} for {whose}: {ruling['reason']}.")
        table = with_player(table, whose, **{game.grant: has if has == HIDDEN else has + by})
        turn.book(whose, game.accounts(table, whose, turn.rules), "grant", ruling["reason"])
        return table

    below, void, ended = (game.codes.get(code, code) for code in REFUSALS)
    acts: dict[str, rulings.Act[T, R]] = {
        "grant": grant,
        "void": rulings.void(void),
        "finish": rulings.finish(ended, lambda turn, text, reason: tell(turn, ALL, text)),
        **game.acts,
    }
    return rulings.step(acts)


# --- what a seat knows and may order


def known(game: TableGame[T, R], table: T, seat: str, rules: R) -> T:
    """The table as a seat knows it. When the game is over nothing is secret."""
    if finished(game, table):
        return table
    return game.hides(hidden_from(table, seat, game.secret, game.face_down), seat)


def finished(game: TableGame[T, R], table: T) -> str:
    """Why the game is over, "" while it goes on."""
    return f"the GM ended it: {table.ended}" if table.ended else game.over(table)


def wanted(game: TableGame[T, R], table: T, seat: str, rules: R) -> list[kit.Wanted[T, R]]:
    """What a seat decides in the next turn."""
    if finished(game, table):
        return []
    now = kit.Now(known(game, table, seat, rules), seat, rules)
    due = game.due(table, rules) if game.due else {order.phase: [seat] for order in game.orders}
    return [(order, now) for order in game.orders if seat in due.get(order.phase, ()) and order.chooses(now)]


def decided(game: TableGame[T, R], table: T, seat: str, rules: R) -> list[kit.Wanted[T, R]]:
    """What the next turn asks of a seat: all orders but the orders that hold until the seat changes them."""
    return [(order, now) for order, now in wanted(game, table, seat, rules) if not order.lasts]


def asked(game: TableGame[T, R], table: T, rules: R) -> list[str]:
    """The seats that decide something in the next turn."""
    return [seat for seat in table.seats if decided(game, table, seat, rules)]


def offers(game: TableGame[T, R], play: Play[T, R], table: T, seat: str, rules: R, orders: Orders) -> list[Offer]:
    """What a seat may order besides the orders that it has. The offers of a phase are for the table behind the phases before it."""
    offered, behind, phase, decisions = list[Offer](), table, "", decided(game, table, seat, rules)
    for order, now in decisions:
        if phase and order.phase != phase:
            behind, _ = foreseen(play, table, {seat: orders}, rules, phase)
        offered += kit.offers(order, now._replace(state=behind), orders)
        phase = order.phase
    return [*offered, FINAL] if wanted(game, table, seat, rules) else []


def form_text(game: TableGame[T, R], table: T, seat: str, rules: R) -> list[str]:
    """The order form as text, below its head."""
    orders, decisions = wanted(game, table, seat, rules), decided(game, table, seat, rules)
    waiting = [] if decisions else kit.remark(game.waits(table, rules))
    return [*waiting, *(kit.text_form(orders) if orders else [])]


def form_page(game: TableGame[T, R], table: T, seat: str, rules: R) -> dict[str, Any]:
    """What the order form in a page offers."""
    counters = {**game.accounts(table, seat, rules), **game.limits(table, seat, rules)}
    orders = wanted(game, table, seat, rules)
    notice = "" if decided(game, table, seat, rules) else game.waits(table, rules)
    page = kit.page(orders, table.seats, seat, counters, notice=notice)
    return {**page, **game.page(table, seat, rules)} if orders else page


# --- random play


def filed(bot: Callable[[T, str, R, Chance], Orders], table: T, seat: str, rules: R, chance: Chance) -> str:
    """The orders of a bot as a text, with their head."""
    return dump({"kingdom": seat, "turn": table.turn + 1, **bot(table, seat, rules, chance)})


def at_random(game: TableGame[T, R], table: T, seat: str, rules: R, chance: Chance) -> Orders:
    """The orders of a bot that draws from what it may order."""
    return kit.at_random(decided(game, table, seat, rules), chance)


def muddled(game: TableGame[T, R], declared: Record, table: T, seat: str, rules: R, chance: Chance) -> str:
    """Orders drawn from the declaration, to be merged into the seat's orders. Most of them are not allowed."""
    draw = Draw(chance, {**game.words(rules), "seats": list(table.seats)}, game.likely(table, seat, rules))
    return filing(declared, {"kingdom": seat, "turn": table.turn + 1}, draw, ("messages",))


def gm_at_random(game: TableGame[T, R], table: T, rules: R, chance: Chance) -> str:
    """A GM's orders, now and then."""
    draw = Draw(chance, {"seats": list(table.seats)})
    paths = [f"{order.key}{'[0]' * (order.how == LIST)}" for order in game.orders]
    return gm_filing(table.turn + 1, draw, game.by, (-1, 1, -9, 9), paths)


# --- what players and the GM read


def draw(game: TableGame[T, R], table: T, seat: str | None, rules: R) -> str:
    """The table in words, as the seat knows it, everything for the GM (None)."""
    return "\n".join(game.lines(known(game, table, seat, rules) if seat else table, rules)) + "\n"


def _picture(game: TableGame[T, R], table: T, seat: str | None, rules: R) -> str:
    return game.picture(known(game, table, seat, rules) if seat else table, rules) if game.picture else ""


def sheet(game: TableGame[T, R], table: T, seat: str, rules: R) -> dict[str, Any]:
    """What `kingdom show --json` prints: the seat's accounts, the table and all players as the seat knows them."""
    seen = known(game, table, seat, rules)
    fields = ((name, getattr(seen, name)) for name in seen.__struct_fields__ if name != "turn")
    of_table = {name: value for name, value in fields if value is not seen.seats}
    shown = _in_words(to_builtins({"table": of_table, "kingdoms": seen.seats}), game.untold)
    head = {"kingdom": seat, "turn": table.turn, "name": table.seats[seat].name}
    return {**head, **game.accounts(table, seat, rules), **shown}


def _in_words(value: Any, untold: Sequence[str]) -> Any:
    """The plain data without the fields that are untold, and with a word in place of a number that is hidden."""
    if isinstance(value, dict):
        return {name: _in_words(inner, untold) for name, inner in value.items() if name not in untold}
    if isinstance(value, list | tuple):
        return [_in_words(item, untold) for item in value]
    return "hidden" if value == HIDDEN else value


def standings(
    game: TableGame[T, R], table: T, rules: R, counts: Sequence[str]
) -> list[tuple[str, str, dict[str, int], str]]:
    """The rows of the final standings."""
    held = {seat: game.accounts(table, seat, rules) for seat in table.seats}
    return [
        (seat, player.name, {account: held[seat][account] for account in counts}, "")
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
        for order, now in decided(game, table, seat, rules)
    ]
    waits = "" if decisions or over else game.waits(table, rules)
    found: report.View = {
        **report.of_seat(result, seat, table.seats[seat].name, form_text(game, table, seat, rules)),
        "heading": heading,
        "asked": decisions,
        "waits": waits,
        "happened": report.happened(report.heard(result, seat), _phases(game)),
        "orders": _outcomes(game, result, seat),
        **_drawn(game, result, table, seat, rules),
    }
    lines = [("Now", heading, [*game.sections][-1 if over else 0], "")]
    if not over:
        names = joined(f"{decision['name'][:1].lower()}{decision['name'][1:]}" for decision in decisions)
        lines.append(("You decide", names if decisions else waits, "asked", "mark" if decisions else ""))
        lines += game.first(table, seat, rules) if game.first else _counted(game, table, seat, rules)
    contents = report.contents(found, over, game.sections)
    return {**found, "first": report.first(lines, found["orders"]), "contents": contents}


def _counted(game: TableGame[T, R], table: T, seat: str, rules: R) -> Lines:
    accounts, section = game.accounts(table, seat, rules), [*game.sections][-1]
    return [(account.capitalize(), str(accounts[account]), section, "") for account in game.counts]


def _gm_view(game: TableGame[T, R], result: Result[T], rules: R) -> report.View:
    table = result.after
    names = {seat: player.name for seat, player in table.seats.items()}
    return {
        **report.of_gm(result, game.heading(table, rules), names, partial(_outcomes, game, result)),
        "happened": report.happened(report.alone(result, ALL), _phases(game)),
        **_drawn(game, result, table, "", rules),
        "contents": [
            {"to": "players", "name": game.sections.get("players", "The players")},
            {"to": "gm-happened", "name": "What happened"},
        ],
    }


def _outcomes(game: TableGame[T, R], result: Result[T], seat: str) -> report.Outcomes:
    return kit.outcomes(game.orders, result.orders.get(seat), report.alone(result, seat))


def _drawn(game: TableGame[T, R], result: Result[T], table: T, seat: str, rules: R) -> report.View:
    """board; heads and rows: what each player has; players: their heading; all as the seat knows it. And what the game adds."""
    picture, rows = Drawing(game.picture(table, rules)) if game.picture else "", []
    for other, player in table.seats.items():
        cells = game.figures(table, other, rules) if game.figures else _cells(game, table, other, rules)
        figures = [f"{head[:1].lower()}{head[1:]} {cell}" for head, cell in cells.items()]
        own = {"seat": other, "name": player.name, "own": other == seat}
        rows.append({**own, "cells": list(cells.values()), "figures": figures})
        heads = list(cells)
    return {
        "board": {"picture": picture, "lines": list(game.lines(table, rules)), "wide": game.wide(rules)},
        "players": game.sections.get("players", ""),
        "heads": heads,
        "rows": rows,
        **game.also(result, table, seat, rules),
    }


def _cells(game: TableGame[T, R], table: T, seat: str, rules: R) -> dict[str, object]:
    held = game.accounts(table, seat, rules)
    return {account.capitalize(): "hidden" if held[account] == HIDDEN else held[account] for account in _accounts(game)}


def _accounts(game: TableGame[T, R]) -> tuple[str, ...]:
    """The accounts of a player. Those that decide the game come first."""
    return (*game.counts, *(account for account in game.Seat.ACCOUNTS if account not in game.counts))


def _phases(game: TableGame[T, R]) -> dict[str, str]:
    names = {phase.name: phase.name.replace("_", " ").capitalize() for phase in (*game.opening, *game.phases)}
    return {"gm": "The GM", **names}


# --- a new campaign

FILES = {"kingdoms/*.yaml": NAME}


def _new(game: TableGame[T, R], seats: int | None, options: Facts) -> dict[str, str]:
    bot = next(iter(game.bots), RANDOM)
    words = {
        "dice": "they decide what the rules leave to chance.",
        "rules": "",
        "bots": f"`bot: {bot}` lets a bot play.",
        "silent": "nothing is done for a player who sent nothing; hold: the turn waits",
        **game.settings,
    }
    settings, title = Settings(game.name, **words), game.title.partition(":")[0]
    return new_campaign.table_files(settings, title, game.players, bot, seats, options, game.names, game.table_file)
