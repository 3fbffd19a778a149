"""All that a report may say: plain data of one seat, or of everything for the GM's book."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from kingdom.engine.dice import GM
from kingdom.engine.step import Facts, Notice
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.kings_pouch.offers.forms import form_of
from kingdom.games.kings_pouch.report import Card, card, people, scores_text, slots_text
from kingdom.games.kings_pouch.report.board import draw, picture
from kingdom.games.kings_pouch.report.orders import Asked, asked, heading, outcomes
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import KINDS, Marked, Table, all_of, is_over, replace
from kingdom.games.kings_pouch.steps import ALL, accounts, counted, joined, said
from kingdom.games.kings_pouch.steps.land import army_for, castles, within_reach
from kingdom.games.kings_pouch.steps.management import claim_cost
from kingdom.games.kings_pouch.steps.rounds import SET_UP, connected_markers, due, marker_value, value_of
from kingdom.games.kings_pouch.types import Result
from kingdom.games.kings_pouch.visibility import known
from kingdom.games.kit import report

_PHASES = {"opening": "The start", "gm": "The GM", "castles": "The castles"}
_LAST = {"round_end": "The end of the round"}


class CardRow(Card):
    """A card on display, and how often it lies there."""

    copies: int


class Area(TypedDict):
    """How many citizens of a kind a player has in each area, and in all."""

    kind: str
    active: int
    rest: int
    pouch: int
    all: int


class Built(TypedDict):
    """A building of a player."""

    name: str
    colour: str
    prestige: int
    does: list[str]


class Counts(TypedDict):
    """The accounts of a player."""

    prestige: int
    gold: int
    army: int
    citizens: int
    common: int
    corrupt: int
    soldier: int
    merchant: int
    cleric: int
    buildings: int
    territories: int
    characters: int
    markers: int


class Player(Counts):
    """A player's board, with what is counted of it. castle: where it stands; connected: markers joined to it."""

    seat: str
    name: str
    castle: str
    connected: int
    active: str
    rest: str
    pouch: str
    areas: list[Area]
    built: list[Built]
    names: str


class Character(TypedDict):
    """A character of the court. worth: what a marker of the reader would bring at the next council."""

    name: str
    owner: str
    markers: int
    scores: str
    worth: int


class Reached(TypedDict):
    """A territory beside connected land: whose it is, the army that it takes, the prestige that it brings."""

    place: str
    whose: str
    army: int
    prestige: int


class Parts(TypedDict):
    """What a seat's report holds, but for what is made of it."""

    turn: int
    next_turn: int
    seat: str
    name: str
    over: bool
    told: list[list[str]]
    asked: Asked
    board: report.Board
    mine: Player
    display: list[CardRow]
    next_cards: str
    court: list[Character]
    claim: str
    preview: str
    reach: list[Reached]
    players: list[Player]
    pool: str
    house: int
    happened: list[report.PhaseLines]
    orders: report.Outcomes
    messages: list[report.Message]
    news: list[str]
    rolls: list[str]
    form: list[str]
    charted: dict[str, str]


class View(Parts):
    """All that a seat's report holds."""

    first: list[report.FirstLine]
    contents: list[report.Anchor]


class SeatOrders(TypedDict):
    """What became of the orders of a seat."""

    seat: str
    name: str
    orders: report.Outcomes


class Pile(TypedDict):
    """A pile of cards as it lies."""

    name: str
    cards: str


class Book(TypedDict):
    """All that the GM's book holds."""

    turn: int
    next_turn: int
    heading: str
    seats: list[SeatOrders]
    players: list[Player]
    due: str
    pool: str
    piles: list[Pile]
    happened: list[report.PhaseLines]
    messages: list[report.Message]
    rulings: list[dict[str, str]]
    rolls: list[dict[str, str | int]]
    board: report.Board
    contents: list[report.Anchor]


def view(result: Result, seat: str, rules: Rules) -> Facts:
    """What the templates of a seat, or of the GM's book, get besides what reports.py adds."""
    return _book(result, rules) if seat == GM else _of_seat(result, seat, rules)


def _of_seat(result: Result, seat: str, rules: Rules) -> View:
    table = known(result.after, seat, rules)
    heard = report.heard(result, seat)
    alone = [notice for notice in heard if notice.seat == seat]
    found: Parts = {
        "turn": result.number,
        "next_turn": result.number + 1,
        "seat": seat,
        "name": table.lords[seat].name,
        "over": is_over(table),
        "told": report.told(heard),
        "asked": asked(table, seat, rules),
        "board": _board(table, seat, rules),
        "mine": _player(table, seat, rules),
        "display": [
            {**card(word, rules), "copies": table.display.count(word)} for word in dict.fromkeys(table.display)
        ],
        "next_cards": _next_cards(table, rules),
        "court": _court(table, seat, rules),
        "claim": _claim(table, seat, rules),
        "preview": _preview(table, seat, rules),
        "reach": _reach(table, seat, rules),
        "players": [_player(table, other, rules) for other in _in_order(table)],
        "pool": people(table.pool),
        "house": rules.house.edition,
        "happened": _happened(heard, result, seat),
        "orders": outcomes(result.orders.get(seat), alone, rules),
        "messages": report.messages(result.notices, seat),
        "news": report.news(heard),
        "rolls": report.dice(result, seat),
        "form": report.form(result, seat, form_of(table, seat, rules)),
        "charted": {"prestige": "Prestige", "citizens": "Citizens", "corrupt": "Corrupt officials"},
    }
    return {**found, "first": _first(found, table, seat, rules), "contents": _contents(found)}


def _first(found: Parts, table: Table, seat: str, rules: Rules) -> list[report.FirstLine]:
    """The first screen: where the game stands, what is asked, who is active."""
    ranked = sorted(table.lords, key=lambda each: (-table.lords[each].prestige, -table.lords[each].stamp))
    place = ranked.index(seat) + 1
    lines = [("Now", heading(table, rules), "board", "")]
    if not found["over"]:
        lines.append(("Asked of you", found["asked"]["short"], "asked", "mark" if found["asked"]["due"] else ""))
        if table.round != SET_UP:
            lines.append(("Active", found["mine"]["active"], "mine", ""))
    lines.append(("Prestige", f"{table.lords[seat].prestige}, place {place} of {len(ranked)}", "players", ""))
    refused = sum(row["outcome"] == "refused" for row in found["orders"]["rows"])
    if refused:
        lines.append(("Refused", f"{refused} of your orders", "orders", "bad"))
    return [{"name": name, "text": text, "to": to, "mark": mark} for name, text, to, mark in lines]


def _contents(found: Parts) -> list[report.Anchor]:
    """The sections of the report, in their order; those without content are left out."""
    going = not found["over"]
    sections = [
        ("told", "The GM says", bool(found["told"])), ("asked", "What to decide", going), ("board", "The island", True),
        ("mine", "Your board", True), ("display", "Cards on display", going), ("court", "The court", True), ("players", "The players", True),
        ("happened", "What happened", True), ("orders", "Your orders", found["turn"] > 0),
        ("messages", "Messages and news", bool(found["messages"] or found["news"])), ("form", "Order form", going),
    ]  # fmt: skip
    return report.contents(sections)


def _board(table: Table, seat: str | None, rules: Rules) -> report.Board:
    return report.board(picture(table, seat, rules), draw(table, seat, rules))


def _in_order(table: Table) -> list[str]:
    return [*table.order, *(seat for seat in table.lords if seat not in table.order)]


def _player(table: Table, seat: str, rules: Rules) -> Player:
    """A player's board and what is counted of it: nothing of it is hidden."""
    lord, counts = table.lords[seat], cast(Counts, accounts(table, seat, rules))  # its accounts, by name
    return {
        "seat": seat,
        "name": lord.name,
        **counts,
        "castle": said(lord.castle) if lord.castle else "none yet",
        "connected": connected_markers(table, seat, rules),
        "active": people(lord.active),
        "rest": people(lord.rest),
        "pouch": people(lord.pouch),
        "areas": [{"kind": kind, "active": getattr(lord.active, kind), "rest": getattr(lord.rest, kind), "pouch": getattr(lord.pouch, kind),
                   "all": getattr(all_of(lord), kind)} for kind in KINDS],
        "built": [{"name": rules.buildings[each].name, "colour": rules.buildings[each].colour, "prestige": rules.buildings[each].prestige,
                   "does": slots_text(rules.buildings[each])} for each in lord.buildings],
        "names": joined((rules.buildings[each].name for each in lord.buildings if rules.buildings[each].era), "none but the basic ones"),
    }  # fmt: skip


def _next_cards(table: Table, rules: Rules) -> str:
    """Which cards are still to come follows from the table of cards and those that were shown; their order is hidden."""
    coming = [
        f"{name}: {joined(dict.fromkeys(rules.buildings[word].name for word in cards))}"
        for name, cards in table.decks.items()
        if cards
    ]
    return "; ".join(coming)


def _court(table: Table, seat: str, rules: Rules) -> list[Character]:
    """Each character of the game: whose it is, and what a marker of this seat would bring at the next council as things stand."""
    rows: list[Character] = []
    for who in table.characters:
        there = table.claimed.get(who)
        mine = table if there and there.owner == seat else replace(table, claimed={**table.claimed, who: Marked(seat)})
        then = replace(mine, councils=min(table.councils + 1, len(rules.council.rounds)))
        character = rules.characters[who]
        rows.append({
            "name": character.name, "owner": there.owner if there else "", "markers": there.markers if there else 0,
            "scores": scores_text(character.by, character.table), "worth": value_of(then, seat, who, rules),
        })  # fmt: skip
    return rows


def _claim(table: Table, seat: str, rules: Rules) -> str:
    """What the next character costs, in a sentence."""
    cost, left = claim_cost(table, seat, rules), table.lords[seat].markers
    further = f"each further one {rules.claim.per_marker} more than the one before"
    return f"Your next character costs {cost} gold, {further}; you have {counted(left, 'marker')} in hand."


def _preview(table: Table, seat: str, rules: Rules) -> str:
    """What the next council would bring if it were held now, in a sentence."""
    if is_over(table):
        return ""
    then = replace(table, councils=min(table.councils + 1, len(rules.council.rounds)))
    markers, each = connected_markers(table, seat, rules), marker_value(then.councils, rules)
    mine = {who: there.markers for who, there in table.claimed.items() if there.owner == seat}
    court = sum(value_of(then, seat, who, rules) * count for who, count in mine.items())
    parts = f"{markers * each} for {counted(markers, 'connected marker')} and {court} for {counted(sum(mine.values()), 'marker')} on characters"
    return f"If the next council were held now it would bring you {markers * each + court} prestige: {parts}."


def _reach(table: Table, seat: str, rules: Rules) -> list[Reached]:
    """The territories beside connected land, and what they take."""
    homes, rows = castles(table), list[Reached]()
    for place in within_reach(table, seat, rules) if table.lords[seat].castle else ():
        there = table.territories.get(place)
        whose = (
            f"the castle of {homes[place]}"
            if place in homes
            else f"{there.owner}, {counted(there.markers, 'marker')}"
            if there
            else "nobody"
        )
        gain = rules.castle_attack.prestige if place in homes else rules.occupy.taken if there else rules.occupy.empty
        rows.append(
            {"place": said(place), "whose": whose, "army": army_for(table, seat, place, rules), "prestige": gain}
        )
    return rows


def _happened(notices: Iterable[Notice], result: Result, seat: str) -> list[report.PhaseLines]:
    """What was told to all, phase by phase, the turns by their player."""
    groups: dict[str, list[report.Line]] = {}
    names = {each: lord.name for each, lord in result.after.lords.items()}
    for notice in notices:
        if notice.kind == "happened":
            of = notice.facts["of"]
            name = {**_PHASES, **_LAST}.get(notice.phase) or (
                "Your turn" if of == seat else f"The turn of {names.get(of, of)}"
            )
            who = f"{of} " if of and (notice.phase in _PHASES or notice.phase in _LAST) else ""
            text = notice.facts["text"]
            groups.setdefault(name, []).append(
                {"text": who + text if who else text[:1].upper() + text[1:], "good": None}
            )
    return [{"name": name, "lines": lines} for name, lines in groups.items()]


def _book(result: Result, rules: Rules) -> Book:
    """The GM's book: every board, the piles as they lie."""
    table: Table = result.after
    return {
        "turn": result.number,
        "next_turn": result.number + 1,
        "heading": heading(table, rules),
        "seats": [
            {"seat": seat, "name": lord.name,
             "orders": outcomes(result.orders.get(seat), [each for each in result.notices if each.seat == seat], rules, lord.name)}
            for seat, lord in table.lords.items()
        ],
        "players": [_player(table, seat, rules) for seat in _in_order(table)],
        "due": joined(due(table, rules), "nobody"),
        "pool": people(table.pool),
        "piles": [{"name": name, "cards": joined(rules.buildings[each].name for each in cards)} for name, cards in table.decks.items()],
        "happened": _happened([notice for notice in result.notices if notice.seat == ALL], result, GM),
        "messages": report.messages(result.notices, GM),
        "rulings": report.rulings(result),
        "rolls": report.rolls(result),
        "board": _board(table, None, rules),
        "contents": [{"to": "players", "name": "Players"}, {"to": "piles", "name": "Piles"}, {"to": "gm-happened", "name": "What happened"}],
    }  # fmt: skip
