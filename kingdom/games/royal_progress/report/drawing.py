"""The table drawn in characters: the map, the courtiers with the piles on them, court, the offer, the gifts."""

from __future__ import annotations

from kingdom.games.royal_progress import board
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD, Table, at_court, castle, value
from kingdom.games.royal_progress.steps.laps import due
from kingdom.games.royal_progress.steps.shared import at_castle, is_over, named
from kingdom.games.royal_progress.visibility import known
from kingdom.render.plain_text import shortened, wrap

COLUMNS, ROWS, EDGE = (
    64,
    26,
    1,
)  # of the map: characters from the westmost place to the eastmost, lines, and what is left free
SIGNS = {"home": "^", "village": "o", "castle": "#", "london": "@"}


def draw(table: Table, seat: str | None, rules: Rules) -> str:
    """The table as the seat knows it, everything for the GM (None)."""
    seen = known(table, seat, rules) if seat else table
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
    lines += ["", *_laid_out(seen)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def heading(table: Table, rules: Rules) -> str:
    """Which round it is, where the King goes, and who is next."""
    if is_over(table):
        return "The game is over; all cards are open."
    if table.phase == DISCARD:
        return f"Before round 1 at {at_castle(table, rules)}: each gives back {rules.box.given_back} of {rules.box.dealt} cards. Then {table.king_card} begins."
    order = ", ".join(due(table, rules))
    return (
        f"Round {table.round} of {len(table.castles)} at {at_castle(table, rules)}. The King stands at {table.king} of {rules.track.end}; "
        f"{table.king_card} has his card. Next at the table: {order}."
    )


def row_of(table: Table, name: str, rules: Rules) -> dict[str, str]:
    """A courtier, for a table: where, how far, who controls him, whether his ability is used, the piles and their worth."""
    courtier = table.courtiers[name]
    far = board.distances(castle(table), rules).get(courtier.place, "")
    piles = sorted(courtier.piles.items(), key=lambda each: -value(each[1]))
    return {
        "name": name,
        "place": f"court, number {courtier.arrived}" if courtier.arrived else named(courtier.place, rules),
        "steps": "" if courtier.arrived else str(far),
        "control": courtier.control,
        "minor": courtier.minor,
        "used": "used" if courtier.used else "",
        "piles": "; ".join(f"{seat} {'-'.join(map(str, pile))} = {value(pile)}" for seat, pile in piles),
    }


def sign_of(place: str, table: Table, rules: Rules) -> str:
    """The mark of a place: K for the castle of the round."""
    of = rules.places[place]
    return "K" if place == castle(table) else "8" if of.kind == "village" and of.capacity > 1 else SIGNS[of.kind]


def _laid_out(table: Table) -> list[str]:
    court = ", ".join(f"{table.courtiers[name].arrived} {name}" for name in at_court(table)) or "nobody"
    texts = [
        ("At court", court),
        ("Offer", ", ".join(table.offer) or "none yet"),
        ("Pairs", "; ".join(" + ".join(pair) for pair in table.pairs) or "none"),
        ("Singles", ", ".join(table.singles) or "none"),
        ("Deck", f"{len(table.deck)} cards; discards: {', '.join(table.discards) or 'none'}"),
    ]
    lines = [line for name, text in texts for line in wrap(text, 10, 78, f"{name:<10}").split("\n")]
    for seat, of in table.seats.items():
        gifts = ", ".join(of.gifts) or "none"
        lines += wrap(
            f"{of.points} points; gifts: {gifts}; hand: {', '.join(of.hand) or 'none'}",
            10,
            78,
            f"{shortened(seat, 9):<10}",
        ).split("\n")
    return lines


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
    rows = [[" "] * 78 for _ in range(2 * ROWS)]
    for place, (x, y) in sorted(spots(rules, COLUMNS, ROWS).items(), key=lambda each: each[1][1]):
        text = f"{sign_of(place, table, rules)} {rules.places[place].name}"
        there = [name[:3].upper() for name, courtier in table.courtiers.items() if courtier.place == place]
        line = round(y)
        while not _free(rows, line, round(x), max(len(text), len(" ".join(there)) + 2), 2 if there else 1):
            line += 1
        _write(rows[line], round(x), text)
        if there:
            _write(rows[line + 1], round(x) + 2, " ".join(there))
    last = max(number for number, row in enumerate(rows) if "".join(row).strip())
    return ["".join(row).rstrip() for row in rows[: last + 1]]


def _free(rows: list[list[str]], line: int, x: int, length: int, high: int) -> bool:
    x = min(x, 78 - length)
    return all(
        not "".join(rows[each][max(0, x - EDGE) : x + length + EDGE]).strip() for each in range(line, line + high)
    )


def _write(row: list[str], x: int, text: str) -> None:
    x = min(x, 78 - len(text))
    row[x : x + len(text)] = text
