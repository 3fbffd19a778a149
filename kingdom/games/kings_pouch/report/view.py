"""All that a report may say: plain data of one seat, or of everything for the GM's book."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kingdom.engine.dice import GM
from kingdom.engine.step import Facts, Notice
from kingdom.games.kings_pouch.offers import form_text, waits
from kingdom.games.kings_pouch.orders.managing import claim_cost
from kingdom.games.kings_pouch.report import card, people, scores_text, slots_text
from kingdom.games.kings_pouch.report.board import draw, picture
from kingdom.games.kings_pouch.report.orders import asked, heading, outcomes
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import KINDS, Marked, Table, all_of, is_over, replace
from kingdom.games.kings_pouch.steps import ALL, accounts, counted, joined, said
from kingdom.games.kings_pouch.steps.land import army_for, castles, within_reach
from kingdom.games.kings_pouch.steps.rounds import SET_UP, connected_markers, due, marker_value, value_of
from kingdom.games.kings_pouch.types import Result
from kingdom.games.kings_pouch.visibility import known
from kingdom.games.kit import report
from kingdom.games.kit.report import View

_PHASES = {"opening": "The start", "gm": "The GM", "castles": "The castles"}
_LAST = {"round_end": "The end of the round"}


def view(result: Result, seat: str, rules: Rules) -> Facts:
    """What the templates of a seat, or of the GM's book, get besides what reports.py adds."""
    return _book(result, rules) if seat == GM else _of_seat(result, seat, rules)


def _of_seat(result: Result, seat: str, rules: Rules) -> View:
    table = known(result.after, seat, rules)
    over = is_over(table)
    found: View = {
        **report.of_seat(result, seat, table.lords[seat].name, form_text(table, seat, rules)),
        "over": over,
        "asked": asked(table, seat, rules),
        "waits": waits(table, rules),
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
        "happened": _happened(report.heard(result, seat), result, seat),
        "orders": outcomes(result.orders.get(seat), report.alone(result, seat)),
        "charted": {"prestige": "Prestige", "citizens": "Citizens", "corrupt": "Corrupt officials"},
    }
    own = {
        "board": "The island", "mine": "Your board", "display": "Cards on display", "court": "The court", "players": "The players",
    }  # fmt: skip
    words = "told asked board mine display court players happened orders messages form"
    contents = report.contents(found, over, words, own, ("display",))
    return {**found, "first": report.first(_first(found, table, seat, rules), found["orders"]), "contents": contents}


def _first(found: View, table: Table, seat: str, rules: Rules) -> Iterator[tuple[str, str, str, str]]:
    """The first screen: where the game stands, what is asked, who is active."""
    ranked = sorted(table.lords, key=lambda each: (-table.lords[each].prestige, -table.lords[each].stamp))
    yield "Now", heading(table, rules), "board", ""
    if not found["over"]:
        names = joined((order["name"].lower() for order in found["asked"]), "nothing in the next run")
        yield "You decide", names, "asked", "mark" if found["asked"] else ""
        if table.round != SET_UP:
            yield "Active", found["mine"]["active"], "mine", ""
    yield "Prestige", f"{table.lords[seat].prestige}, place {ranked.index(seat) + 1} of {len(ranked)}", "players", ""


def _board(table: Table, seat: str | None, rules: Rules) -> View:
    return report.board(picture(table, seat, rules), draw(table, seat, rules))


def _in_order(table: Table) -> list[str]:
    return [*table.order, *(seat for seat in table.lords if seat not in table.order)]


def _player(table: Table, seat: str, rules: Rules) -> View:
    """A player's board and what is counted of it: nothing of it is hidden."""
    lord = table.lords[seat]
    return {
        "seat": seat,
        "name": lord.name,
        **accounts(table, seat, rules),
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


def _court(table: Table, seat: str, rules: Rules) -> list[View]:
    """Each character of the game: whose it is, and what a marker of this seat would bring at the next council as things stand."""
    rows: list[View] = []
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


def _reach(table: Table, seat: str, rules: Rules) -> list[View]:
    """The territories beside connected land, and what they take."""
    homes, rows = castles(table), list[View]()
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
    groups: dict[str, list[View]] = {}
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


def _book(result: Result, rules: Rules) -> View:
    """The GM's book: every board, the piles as they lie."""
    table: Table = result.after
    names = {seat: lord.name for seat, lord in table.lords.items()}

    def orders(seat: str) -> report.Outcomes:
        return outcomes(result.orders.get(seat), report.alone(result, seat), names[seat])

    return {
        **report.of_gm(result, heading(table, rules), names, orders),
        "players": [_player(table, seat, rules) for seat in _in_order(table)],
        "due": joined(due(table, rules), "nobody"),
        "pool": people(table.pool),
        "piles": [{"name": name, "cards": joined(rules.buildings[each].name for each in cards)} for name, cards in table.decks.items()],
        "happened": _happened(report.alone(result, ALL), result, GM),
        "board": _board(table, None, rules),
        "contents": [{"to": "players", "name": "Players"}, {"to": "piles", "name": "Piles"}, {"to": "gm-happened", "name": "What happened"}],
    }  # fmt: skip
