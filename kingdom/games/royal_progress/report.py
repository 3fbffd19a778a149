"""What the reports of this game alone show: the map, the courtiers, the cards on the table, what is possible now; and the page of the rules.

The map is drawn in characters, and as one SVG that needs nothing else, in which nothing is told by colour alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape
from typing import Any

import msgspec

from kingdom.engine.step import Facts
from kingdom.games.kit.drawing import INK, SOFT, svg, text
from kingdom.games.kit.rules_page import rulebook as rulebook_of
from kingdom.games.royal_progress import state
from kingdom.games.royal_progress.rules import HOUSE, Rules
from kingdom.games.royal_progress.state import DISCARD, OVER, UNKNOWN, Result, Table, at_court, castle, figure, suit
from kingdom.games.royal_progress.steps import accounts, at_castle, due, named
from kingdom.games.royal_progress.steps.actions import two_may_be_taken
from kingdom.games.royal_progress.steps.moving import distances, map_of, ways
from kingdom.render.plain_text import clean, shortened, wrap

# Of the map: characters from the westmost place to the eastmost, lines, and what is left free.
COLUMNS, ROWS, EDGE = 64, 26, 1
SIGNS = {"home": "^", "village": "o", "castle": "#", "london": "@"}


def lines(seen: Table, rules: Rules) -> list[str]:
    """The table in words, and the map in characters."""
    lines = [*wrap(heading(seen, rules)).split("\n"), "", *_map(seen, rules), ""]
    lines += wrap(
        "^ home, o village with one inn, 8 with two, @ London, # castle, K the castle of this round. A courtier stands under "
        "his place, named by three letters. House data: the map is not the published game's."
    ).split("\n")
    lines += ["", "Courtier    at                   steps  control       minor control  ability", "-" * 78]
    for name, row in ((name, row_of(seen, name, rules)) for name in seen.courtiers):
        held = f"{shortened(row['control'], 12):<12}  {shortened(row['minor'], 12):<12}   {row['used']}"
        lines.append(f"{shortened(name, 11):<11} {shortened(row['place'], 20):<20} {row['steps']:>5}  {held}")
        lines += wrap(row["piles"], 12, 78).split("\n") if row["piles"] else []
    lines.append("Piles: the open card first, then what lies under it; = what the pile is worth.")
    court = ", ".join(f"{seen.courtiers[name].arrived} {name}" for name in at_court(seen)) or "nobody"
    texts = [("At court", court), *_laid_out(seen).items()]
    for seat, of in seen.seats.items():
        gifts, hand = ", ".join(of.gifts) or "none", ", ".join(of.hand) or "none"
        texts.append((shortened(seat, 15), f"{of.points} points; gifts: {gifts}; hand: {hand}"))
    lines += ["", *(line for name, text in texts for line in wrap(text, 16, 78, f"{name:<16}").split("\n"))]
    return [line.rstrip() for line in lines]


def heading(table: Table, rules: Rules) -> str:
    """Which round it is, where the King goes, and who is next."""
    if table.phase == OVER or table.ended:
        return "The game is over; all cards are open."
    if table.phase == DISCARD:
        return f"Before round 1 at {at_castle(table, rules)}: each gives back {rules.box.given_back} of {rules.box.dealt} cards. Then {table.king_card} begins."
    order = ", ".join(due(table, rules))
    return (
        f"Round {table.round} of {len(table.castles)} at {at_castle(table, rules)}. The King stands at {table.king} of {rules.track.end}; "
        f"{table.king_card} has his card. Next at the table: {order}."
    )


def row_of(table: Table, name: str, rules: Rules) -> dict[str, str]:
    """A row of the courtiers: place, steps to the castle, control, whether the ability is used, the piles and their worth."""
    courtier = table.courtiers[name]
    far = distances(castle(table), rules).get(courtier.place, "")
    piles = sorted(courtier.piles.items(), key=lambda each: -state.value(each[1]))
    return {
        "name": name,
        "place": f"court, number {courtier.arrived}" if courtier.arrived else named(courtier.place, rules),
        "steps": "" if courtier.arrived else str(far),
        "control": courtier.control,
        "minor": courtier.minor,
        "used": "used" if courtier.used else "",
        "piles": "; ".join(f"{seat} {'-'.join(map(str, pile))} = {state.value(pile)}" for seat, pile in piles),
    }


def _laid_out(table: Table) -> dict[str, str]:
    """Return what lies on the table besides the piles: a word -> its cards."""
    return {
        "Offer": ", ".join(table.offer) or "none yet",
        "Pairs of gifts": "; ".join(" + ".join(pair) for pair in table.pairs) or "none",
        "Single gifts": ", ".join(table.singles) or "none",
        "Deck": f"{len(table.deck)} cards; discards: {', '.join(table.discards) or 'none'}",
    }


# --- for the templates


def also(result: Result, table: Table, seat: str, rules: Rules) -> dict[str, Any]:
    """The courtiers, the offer and gifts, and what is possible now."""
    return {
        "choices": _choices(table, seat, rules) if seat else [],
        "courtiers": [
            {**row_of(table, name, rules), "text": rules.courtiers[name].text, "own": courtier.control == seat != ""}
            for name, courtier in table.courtiers.items()
        ],
        "laid_out": _laid_out(table),
        "abilities": rules.abilities.used,
    }


def figures(table: Table, seat: str, rules: Rules) -> dict[str, object]:
    """What stands in a player's row. Behind each type of gift the crowns on its cards: "castles 1, 3; land 2"."""
    of, counted = table.seats[seat], accounts(table, seat, rules)
    crowns = {kind: [str(figure(gift)) for gift in of.gifts if suit(gift) == kind] for kind in rules.gifts.types}
    unseen = of.hand.count(UNKNOWN)
    cards = [card for card in of.hand if card != UNKNOWN] + ([f"{unseen} unseen"] if unseen else [])
    return {
        "Points": of.points,
        "Controls": counted["control"],
        "King card": "yes" if counted["king_card"] else "",
        "Gifts": "; ".join(f"{kind} {', '.join(held)}" for kind, held in crowns.items() if held) or "none",
        "Hand": ", ".join(cards) or "none",
    }


def _choices(table: Table, seat: str, rules: Rules) -> list[dict[str, str]]:
    """What is possible now, as the table lies: name and text of each action."""
    if table.phase == DISCARD or seat not in due(table, rules):
        return []
    steps = [
        f"{name} to {' or '.join(named(place, rules) for place in to)}"
        for name in table.courtiers
        if (to := ways(table, name, rules))
    ]
    mine = [name for name, courtier in table.courtiers.items() if seat in courtier.piles]
    two = ", two of them, for none shows a symbol" if two_may_be_taken(table, rules) else ", one of them"
    texts = {
        f"A: move, to {at_castle(table, rules)}": "; ".join(steps) or "nobody can move",
        "B: lay": ", ".join(table.seats[seat].hand) or "your hand is empty",
        "C: take": f"{', '.join(table.offer)}{two}" if table.offer else "no card",
        "D: discard": ", ".join(mine) or "you have no open card",
    }
    if rules.abilities.used:
        fresh = [name for name, courtier in table.courtiers.items() if courtier.control == seat and not courtier.used]
        told = " ".join(f"{name}: {rules.courtiers[name].text}" for name in fresh)
        texts["Ability (house data)"] = told or "you control nobody whose ability is free"
    return [{"name": name, "text": text} for name, text in texts.items()]


def first(table: Table, seat: str, rules: Rules) -> Iterator[tuple[str, str, str, str]]:
    """The seat's own lines of the first screen: hand, points, the courtiers that it controls."""
    of = table.seats[seat]
    yield "In hand", ", ".join(of.hand) or "no card", "players", ""
    yield "Points", str(of.points), "players", ""
    controlled = ", ".join(name for name, courtier in table.courtiers.items() if courtier.control == seat)
    yield "You control", controlled or "nobody", "courtiers", ""


# --- the map


def spots(rules: Rules, wide: float, high: float) -> dict[str, tuple[float, float]]:
    """Place -> (x from the west, y from the north), from 0 to `wide` and `high`."""
    east = [of.east for of in rules.places.values()]
    north = [of.north for of in rules.places.values()]
    across, along = max(east) - min(east) or 1, max(north) - min(north) or 1
    return {
        place: ((of.east - min(east)) * wide / across, (max(north) - of.north) * high / along)
        for place, of in rules.places.items()
    }


def _map(table: Table, rules: Rules) -> list[str]:
    """The map in characters: a place stands on its own line, or on the first line below with room."""
    rows = [" " * 78] * (2 * ROWS)
    for place, (x, y) in sorted(spots(rules, COLUMNS, ROWS).items(), key=lambda spot: spot[1][1]):
        of = rules.places[place]
        sign = "8" if of.kind == "village" and of.capacity > 1 else SIGNS[of.kind]
        there = [name[:3].upper() for name, courtier in table.courtiers.items() if courtier.place == place]
        block = [f"{'K' if place == castle(table) else sign} {of.name}", *([f"  {' '.join(there)}"] if there else [])]
        wide = max(map(len, block))
        left, line = min(round(x), 78 - wide), round(y)
        while any(row[max(0, left - EDGE) : left + wide + EDGE].strip() for row in rows[line : line + len(block)]):
            line += 1
        for number, words in enumerate(block, line):
            rows[number] = f"{rows[number][:left]}{words:<{wide}}{rows[number][left + wide :]}"
    return [row.rstrip() for row in "\n".join(rows).rstrip().split("\n")]


# --- as a picture


WIDE, HIGH, MARGIN, HEAD, FOOT = 760, 470, 60, 56, 40  # all in units of the picture
DOWN, TAG = 29, 28  # from a place down to the first tag of a courtier, and from tag to tag
ROAD, CROWN = "#a79f8e", 'l-2-12 7 6 6-9 6 9 7-6-2 12z"'
FILLS = {"home": "#dbe7d3", "village": "#efe3c8", "london": "#e3d3ee", "castle": "#e9e5dc", "court": "#f6d36b"}


def wide(rules: Rules) -> int:
    """How many pixels the picture takes."""
    return WIDE + 2 * MARGIN


def picture(seen: Table, rules: Rules) -> str:
    """The map as one `<svg>`."""
    spot = spots(rules, WIDE, HIGH)
    at = {place: (round(MARGIN + x), round(HEAD + MARGIN / 2 + y)) for place, (x, y) in spot.items()}
    standing = Counter(courtier.place for courtier in seen.courtiers.values())
    lowest = max(at[place][1] + DOWN + TAG * count for place, count in standing.items())
    width, height = wide(rules), max(HEAD + HIGH + MARGIN, lowest) + FOOT
    title = heading(seen, rules)
    round_line, _, rest = title.partition(". ")
    roads = "".join(f"M{at[one][0]} {at[one][1]}L{at[other][0]} {at[other][1]}" for one, other in rules.roads)
    drawn = [_place(place, at[place], seen, rules) for place in rules.places]
    drawn += [_courtiers(place, at[place], seen, rules) for place in rules.places]
    below = (
        "Squares are homes, circles villages with their inns, a crown the castle of this round. The map is house data."
    )
    return svg(width, height, title, [
        text(14, 24, f"{round_line}.", 16, weight=600), text(14, 44, shortened(rest, 110), 13, SOFT),
        f'<path d="{roads}" fill="none" stroke="{ROAD}" stroke-width="2"/>', *drawn, text(14, height - 14, below, 12, SOFT),
    ])  # fmt: skip


def _place(place: str, at: tuple[int, int], table: Table, rules: Rules) -> str:
    """The place with its name; in a circle how many inns it has."""
    x, y = at
    of, court = rules.places[place], place == castle(table)
    room = f", room for {of.capacity}" if of.capacity else ""
    style = f'fill="{FILLS["court" if court else of.kind]}" stroke="{INK}" stroke-width="{2.5 if court else 1}"'
    if of.kind == "castle":
        drawn = f'<path d="M{x - 13} {y + 11}V{y - 11}h5v5h5v-5h6v5h5v-5h5V{y + 11}Z" {style}/>'
    elif of.kind == "home":
        drawn = f'<rect x="{x - 9}" y="{y - 9}" width="18" height="18" {style}/>'
    else:
        inns = text(x, y + 4, str(of.capacity), 11, SOFT, "middle")
        drawn = f'<circle cx="{x}" cy="{y}" r="{12 if of.capacity > 1 else 9}" {style}/>{inns}'
    crown = f'<path d="M{x - 11} {y - 15}{CROWN} fill="#7a3b12" stroke="{INK}" stroke-width=".8"/>'
    name = text(x, y + 24, of.name, 11, weight=600 if court else 400, anchor="middle")
    return f"<g><title>{escape(of.name)}: {of.kind}{room}</title> {drawn}{crown if court else ''}{name}</g>"


def _courtiers(place: str, at: tuple[int, int], table: Table, rules: Rules) -> str:
    """The courtiers at a place, a tag each: the name, and below it who controls the courtier."""
    there = sorted((courtier.arrived, name) for name, courtier in table.courtiers.items() if courtier.place == place)
    drawn = []
    for number, (arrived, name) in enumerate(there):
        row = row_of(table, name, rules)
        x, y = at[0] - 34, at[1] + DOWN + TAG * number
        label = f"{arrived}. {name}" if arrived else name
        said = f"{name} at {row['place']}: controlled by {row['control'] or 'nobody'}. {row['piles']}"
        drawn.append(
            f'<g data-courtier="{escape(name)}"><title>{escape(clean(said))}</title> '
            f'<rect x="{x}" y="{y}" width="68" height="26" rx="4" fill="#fff" stroke="{INK}" stroke-width="{2 if row["control"] else 1}"/>'
            f"{text(at[0], y + 11, shortened(label, 13), 11, weight=600, anchor='middle')}"
            f"{text(at[0], y + 22, shortened(row['control'] or 'free', 11), 10, SOFT, 'middle')}</g>"
        )
    return "".join(drawn)


# --- the page of the rules: its prose, in templates/royal_progress/rules.md, takes its figures from the tables as a campaign plays them


def rulebook(rules: Facts, own: Facts) -> Facts:
    """What the kit's page shows; and castles: their places; steps: courtier -> steps to each of them; roads: place -> names of those beside;
    turns: (players, most turns of a round); house: the tables that are house data."""
    typed = msgspec.convert(rules, Rules)
    map, players = map_of(typed), range(typed.box.least_players, typed.box.most_players + 1)
    return {
        **rulebook_of(rules, own),
        "castles": [*map.far],
        "steps": {name: [far.get(of.home, "") for far in map.far.values()] for name, of in typed.courtiers.items()},
        "roads": {
            place: ", ".join(named(other, typed) for other in map.beside.get(place, ())) for place in typed.places
        },
        "turns": [(count, count * (typed.track.end - count + typed.box.arrivals)) for count in players],
        "house": HOUSE,
    }
