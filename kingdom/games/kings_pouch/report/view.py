"""What the game's own reports say besides those of every table: the boards, the cards, the court, the territories within reach."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.games.kings_pouch.orders import PLACE
from kingdom.games.kings_pouch.orders.counting import counters, facts
from kingdom.games.kings_pouch.orders.managing import claim_cost
from kingdom.games.kings_pouch.report import card, people, scores_text, slots_text
from kingdom.games.kings_pouch.report.board import picture, whose
from kingdom.games.kings_pouch.rules import Rules, board_for
from kingdom.games.kings_pouch.state import KINDS, Now, Result, Table
from kingdom.games.kings_pouch.steps import accounts, at_top, counted, joined, rounds, said
from kingdom.games.kings_pouch.steps.land import army_for, castles, land, owner_of, within_reach
from kingdom.games.kings_pouch.steps.rounds import connected_markers, due, marker_value, worth_next
from kingdom.games.kit.report import View
from kingdom.orders import kit


def first(table: Table, seat: str, rules: Rules) -> Iterator[tuple[str, str, str, str]]:
    """The lines of the first screen: who is active, and the place of the seat."""
    if table.round != rounds.SET_UP:
        yield "Active", people(table.seats[seat].active), "mine", ""
    place = at_top(table.seats).index(seat) + 1
    yield "Prestige", f"{table.seats[seat].prestige}, place {place} of {len(table.seats)}", "players", ""


def also(result: Result, table: Table, seat: str, rules: Rules) -> View:
    """What the templates of the game need; seat: "" for the GM's book, which has every board and the piles as they lie."""
    in_order = dict.fromkeys([*table.order, *table.seats])
    found: View = {
        "over": table.is_over,
        "players": [_player(table, other, rules) for other in in_order],
        "pool": people(table.pool),
    }
    if not seat:
        piles = [
            {"name": name, "cards": joined(rules.buildings[card].name for card in cards)}
            for name, cards in table.decks.items()
        ]
        return {**found, "due": joined(due(table, rules), "nobody"), "piles": piles}
    shown = dict.fromkeys(table.display)
    return {
        **found,
        "mine": _player(table, seat, rules),
        "display": [{**card(word, rules.buildings[word]), "copies": table.display.count(word)} for word in shown],
        "next_cards": _next_cards(table, rules),
        "court": _court(table, seat, rules),
        "claiming": _claim(table, seat, rules),
        "preview": _preview(table, seat, rules),
        "reach": _reach(table, seat, rules),
        "house": rules.house.edition,
        "charted": {"prestige": "Prestige", "citizens": "Citizens", "corrupt": "Corrupt officials"},
    }


def _player(table: Table, seat: str, rules: Rules) -> View:
    """A player's board and what is counted of it: nothing of it is hidden."""
    lord = table.seats[seat]
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
                   "all": getattr(lord.citizens, kind)} for kind in KINDS],
        "built": [{"name": rules.buildings[each].name, "colour": rules.buildings[each].colour, "prestige": rules.buildings[each].prestige,
                   "does": slots_text(rules.buildings[each])} for each in lord.buildings],
        "names": joined((rules.buildings[each].name for each in lord.buildings if rules.buildings[each].era), "none but the basic ones"),
    }  # fmt: skip


def _next_cards(table: Table, rules: Rules) -> str:
    """The cards that are still to come, which everybody can work out; their order stays hidden."""
    coming = {
        name: [rule.name for word, rule in rules.buildings.items() if word in cards]
        for name, cards in table.decks.items()
    }
    return "; ".join(f"{name}: {joined(dict.fromkeys(names))}" for name, names in coming.items() if names)


def _court(table: Table, seat: str, rules: Rules) -> list[View]:
    """Each character of the game: whose it is, and what a marker of this seat would bring at the next council as things stand."""
    rows: list[View] = []
    for who in table.characters:
        there = table.claimed.get(who)
        character = rules.characters[who]
        rows.append({
            "name": character.name, "owner": there.owner if there else "", "markers": there.markers if there else 0,
            "scores": scores_text(character.by, character.table), "worth": worth_next(table, seat, who, rules),
        })  # fmt: skip
    return rows


def _claim(table: Table, seat: str, rules: Rules) -> str:
    """What the next character costs, in a sentence."""
    cost, left = claim_cost(table, seat, rules), table.seats[seat].markers
    further = f"each further one {rules.claim.per_marker} more than the one before"
    return f"Your next character costs {cost} gold, {further}; you have {counted(left, 'marker')} in hand."


def _preview(table: Table, seat: str, rules: Rules) -> str:
    """What the next council would bring if it were held now, in a sentence."""
    if table.is_over:
        return ""
    markers, each = connected_markers(table, seat, rules), marker_value(table.councils + 1, rules)
    mine = {who: there.markers for who, there in table.claimed.items() if there.owner == seat}
    court = sum(worth_next(table, seat, who, rules) * count for who, count in mine.items())
    parts = f"{markers * each} for {counted(markers, 'connected marker')} and {court} for {counted(sum(mine.values()), 'marker')} on characters"
    return f"If the next council were held now it would bring you {markers * each + court} prestige: {parts}."


def _reach(table: Table, seat: str, rules: Rules) -> list[View]:
    """The territories beside connected land, and what they take."""
    homes, gains, rows = castles(table), rules.occupy, list[View]()
    for place in within_reach(table, seat, rules) if table.seats[seat].castle else ():
        gain = gains.taken if place in table.territories else gains.empty
        gain = rules.castle_attack.prestige if place in homes else gain
        army, owner = army_for(table, seat, place, rules), whose(table, place, "nobody")
        rows.append({"place": said(place), "whose": owner, "army": army, "prestige": gain})
    return rows


# --- what the order form's page has besides the orders: what it counts, the facts that hold, the island to press on


def _begun(seen: Table, seat: str, rules: Rules) -> Table:
    """The table when the seat's turn has begun; before round 1, and if it is not the turn of the seat, the table as it is."""
    playing = seen.round != rounds.SET_UP and seat in due(seen, rules)
    return PLACE.begun(Now(seen, seat, rules), {}).state if playing else seen


def limits(seen: Table, seat: str, rules: Rules) -> dict[str, int | kit.Counter]:
    """What the page counts."""
    return counters(_begun(seen, seat, rules), seat, rules)


def page(seen: Table, seat: str, rules: Rules) -> View:
    """The facts that hold when the seat's turn has begun, and the island with each territory in words."""
    key, done = ("castle", "chosen") if seen.round == rounds.SET_UP else ("manage", "ordered")
    return {
        "facts": facts(_begun(seen, seat, rules), seat, rules),
        "picture": picture(seen, rules, pressed=True),
        "places": {said(place): _in_words(seen, seat, place, rules) for place in land(rules, len(seen.seats))},
        "board": {"thing": "territory", "key": key, "done": done, "open": "may be occupied", "small": True},
    }


def _in_words(seen: Table, seat: str, place: str, rules: Rules) -> str:
    """A territory, with the army that it takes as things stand."""
    castle, board = seen.seats[seat].castle, board_for(rules, len(seen.seats))
    words = [*(["the palace"] if place == rules.map.palace else []), whose(seen, place, "empty")]
    if seen.round == rounds.SET_UP and place in board.castles and place not in castles(seen):
        words.append("a castle may stand here")
    elif castle and owner_of(seen, place) != seat:
        words.append(f"{army_for(seen, seat, place, rules)} army")
    return ", ".join(words)
