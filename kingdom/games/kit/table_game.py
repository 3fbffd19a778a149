"""A whole game at one table from one declaration: orders, the GM's orders, reports, forms, offers, a bot, standings, a new campaign.

`TableGame` says what is the game's own; `made` makes the Game of it. The state is a kit.table.TableState, a seat of it a kit.table.Player.
Each part below takes the declaration first and can be used by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from kingdom.engine.dice import GM
from kingdom.engine.game import Chance, Corrections, Facts, Forms, Game, Opening, Scoring, Simulation, Tried
from kingdom.engine.offer import LIST, Offer
from kingdom.engine.refusal import Refusal
from kingdom.engine.step import Notice, Orders, Phase, Play, Result, Turn
from kingdom.engine.turn import foreseen
from kingdom.games.kit import new_campaign, report, rulings
from kingdom.games.kit.common_orders import ALL, FOOT, FOOT_ADDS, gm_shape, listed, messages, seat, turn
from kingdom.games.kit.declared import happened
from kingdom.games.kit.drawn import Draw, filing
from kingdom.games.kit.new_campaign import Settings
from kingdom.games.kit.rules_page import rulebook
from kingdom.games.kit.table import HIDDEN, R, T, accounts_of, hidden_from, tell, with_player
from kingdom.games.kit.table_declaration import Lines
from kingdom.games.kit.table_declaration import TableGame as TableGame
from kingdom.orders import kit
from kingdom.orders.kit.order import AnyOrder
from kingdom.orders.kit.pages import FINAL
from kingdom.orders.schema import Record, Shape, Text
from kingdom.orders.yaml_out import dump
from kingdom.render.charts import Drawing
from kingdom.render.plain_text import joined

RANDOM = "random"
RULINGS = 10  # the GM of a simulation gives orders in one turn of so many
_ROLL = ("kingdom", "name", "count", "sides", "result", "source")
FILES = {"kingdoms/*.yaml": Record("a player", {"name": Text("the name", example="Alice", most=60)})}


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
        data=game.folder / "data",
        phases=play.phases,
        orders=declared,
        gm_orders=gm_shape(game.grant, game.by, void=game.orders[0].key),
        refusals=play.refusals,
        causes=causes,
        opening=Opening(
            files={**FILES, **game.files},
            new=partial(new_files, game),
            start=game.start,
            phases=game.opening,
        ),
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
        correction=partial(correction, game),
        foreseen_to=game.orders[-1].phase,  # what comes behind it hangs on dice and on what others order
    )
    return replace(filled, **own)


def _play(game: TableGame[T, R]) -> Play[T, R]:
    own_grant = "table_below_nothing" if "grant" in game.acts else ""
    of_gm = {game.codes.get(code, code): sentence for code, sentence in rulings.REFUSALS.items() if code != own_grant}
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
        ("codes", game.codes, tuple(rulings.REFUSALS), "REFUSALS of the kit"),
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
    due: Callable[[T, R], Mapping[str, Iterable[str]]] | None = None,
) -> Callable[[T, Turn[T, R]], T]:
    """Return the step of that name, in which each seat in turn does what it ordered. The order's docstring is the step's.

    due: as TableGame says; None: all seats decide.
    """

    def seats(turn: Turn[T, R], phase: str) -> Iterable[str]:
        return due(turn.before, turn.rules).get(phase, ()) if due else turn.before.seats

    return kit.step(name, type(order).__doc__ or "", order, seats)


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

    below, no_such, ended = (game.codes.get(code, code) for code in rulings.REFUSALS)
    acts: dict[str, rulings.Act[T, R]] = {
        "grant": grant,
        "void": rulings.void(no_such),
        "finish": rulings.finish(ended, lambda turn, text, reason: tell(turn, ALL, text)),
        **game.acts,
    }

    def gm_orders(table: T, turn: Turn[T, R]) -> T:
        """The GM's rulings in the order listed, what the GM tells, and the messages of players."""
        table = rulings.carried_out(table, turn, acts)
        for _, told in listed(turn.orders.get(GM, {}).get("tell"), "tell"):
            turn.tell(told["to"], "tell", text=told["text"])
        for whose in table.seats:
            for _, message in listed((turn.orders.get(whose) or {}).get("messages"), "messages"):
                turn.tell(message["to"], "message", sender=whose, text=message["text"])
        return table

    return gm_orders


def correction(game: TableGame[T, R], today: T, right: T, rules: R, reason: str, tried: Tried[T]) -> Corrections:
    """`Game.correction`: a grant for each seat whose account the correct turn would leave at another number."""
    due = {
        seat: game.accounts(right, seat, rules)[game.grant] - game.accounts(today, seat, rules)[game.grant]
        for seat in right.seats
    }
    orders: list[rulings.Ruling] = [{"grant": seat, game.by: by, "reason": reason} for seat, by in due.items() if by]
    _, refused = tried(orders)
    return [order for number, order in enumerate(orders) if number not in refused], {}


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
    """A GM's orders: in one turn of ten a grant, and a void of an order that may not have been filed."""
    seats, draw = list(table.seats), Draw(chance, {})
    if chance("ruling", RULINGS) > 1:
        return dump({"turn": table.turn + 1})
    paths = [f"{order.key}{'[0]' * (order.how == LIST)}" for order in game.orders]
    grant = {"grant": draw.one(seats), game.by: draw.one((-1, 1, -9, 9)), "reason": "a wager"}
    void = {"void": {"kingdom": draw.one(seats), "order": draw.one(paths)}, "reason": "a slip"}
    tell = {"to": draw.one([*seats, ALL]), "text": "Play well."}
    return dump({"turn": table.turn + 1, "gm": [grant, void], "tell": [tell]})


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
    over, heard = bool(finished(game, table)), report.heard(result, seat)
    decisions = [
        {"key": order.key, "name": order.title, "text": order.asks(now)}
        for order, now in decided(game, table, seat, rules)
    ]
    waits = "" if decisions or over else game.waits(table, rules)
    found: report.View = {
        "seat": seat,
        "name": table.seats[seat].name,
        "told": [notice.facts["text"].split("\n") for notice in heard if notice.kind == "tell"],
        "rolls": [f"{roll.name}:{roll.count}:{roll.sides}" for roll in result.rolls if roll.kingdom == seat and roll.source == "seed"],
        "form": [f"kingdom: {seat}", f"turn: {result.number + 1}", *form_text(game, table, seat, rules)],
        "asked": decisions,
        "waits": waits,
        "orders": _outcomes(game, result, seat),
        "news": report.news(heard),
        **_shared(game, result, table, seat, heard, rules),
    }  # fmt: skip
    lines = [("Now", found["heading"], [*game.sections][-1 if over else 0], "")]
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
    seats: list[report.View] = [
        {"seat": seat, "name": player.name, "orders": _outcomes(game, result, seat)}
        for seat, player in result.after.seats.items()
    ]
    for row in seats:
        row["orders"]["said"] = row["orders"]["said"].replace("You sent", "Sent", 1)
    return {
        "seats": seats,
        "rulings": report.rulings(result),
        "rolls": [{word: getattr(roll, word) for word in _ROLL} for roll in result.rolls],
        "news": report.news(result.notices),
        **_shared(game, result, result.after, "", report.alone(result, ALL), rules),
        "contents": [
            {"to": "players", "name": game.sections.get("players", "The players")},
            {"to": "gm-happened", "name": "What happened"},
        ],
    }


def _outcomes(game: TableGame[T, R], result: Result[T], seat: str) -> report.Outcomes:
    return kit.outcomes(game.orders, result.orders.get(seat), report.alone(result, seat))


def _shared(
    game: TableGame[T, R], result: Result[T], table: T, seat: str, heard: Iterable[Notice], rules: R
) -> report.View:
    """What a seat ("": the GM) reads alike. board; heads and rows: what each player has; players: their heading. And what the game adds.

    table: as the reader knows it. heard: the notices of what happened.
    """
    picture, rows = Drawing(game.picture(table, rules)) if game.picture else "", []
    for other, player in table.seats.items():
        cells = game.figures(table, other, rules) if game.figures else _cells(game, table, other, rules)
        figures = [f"{head[:1].lower()}{head[1:]} {cell}" for head, cell in cells.items()]
        own = {"seat": other, "name": player.name, "own": other == seat}
        rows.append({**own, "cells": list(cells.values()), "figures": figures})
        heads = list(cells)
    return {
        "turn": result.number,
        "next_turn": result.number + 1,
        "heading": game.heading(table, rules),
        "messages": report.messages(result.notices, seat or GM),
        "happened": report.happened(heard, _phases(game)),
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


def new_files(game: TableGame[T, R], seats: int | None, options: Facts) -> dict[str, str]:
    """The files of a new campaign of a game at one table: campaign.yaml, a name for each seat, table.yaml if the game has one.

    seats: how many; None for the usual number, or for one seat more than there are bots if that is more.
    Raises ValueError, with a sentence, for too few or too many seats.
    """
    title, players, bot = game.title.partition(":")[0], game.players, next(iter(game.bots), RANDOM)
    usual = min(players.most, max(players.usual, (options.get("bots") or 0) + 1))
    count = usual if seats is None else seats
    if not players.least <= count <= players.most:
        raise ValueError(f"{title} is for {players.least} to {players.most} players, not {count}.")
    settings = Settings(game.name, **{"bots": f"`bot: {bot}` lets a bot play.", **game.settings})
    names = {name.lower(): name.title() for name in game.names[:count]}
    facts = new_campaign.heads(options, names, lambda seat: {"name": f"{names[seat]} (bot)", "bot": bot})
    own = {
        f"kingdoms/{seat}.yaml": f"name: {name}      # as reports and final standings say it\n"
        for seat, name in names.items()
    }
    table = (
        {new_campaign.TABLE: game.table_file.format(seats=", ".join(names), first=next(iter(names)))}
        if game.table_file
        else {}
    )
    return {"campaign.yaml": new_campaign.campaign_yaml(settings, facts), **own, **table}
