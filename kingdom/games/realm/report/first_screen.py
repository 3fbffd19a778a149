"""The first tier of a report: what a player must know before anything else, in three screens of a phone.

The second tier, folded, has the rest. Nothing of it costs a player something that the first does not tell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from kingdom.engine.step import Facts
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.forecast.event_odds import without_key
from kingdom.games.realm.forecast.words import percent
from kingdom.games.realm.offers.offers import Options
from kingdom.games.realm.orders.customs import CLOSED, OPEN
from kingdom.games.realm.report.afield import LOST
from kingdom.games.realm.report.danger import DangerRow
from kingdom.games.realm.report.events import EventRow
from kingdom.games.realm.report.news import LAND, News, shown, spoken
from kingdom.games.realm.report.story import PhaseRow, texts_of
from kingdom.games.realm.report.survey import NumberRow
from kingdom.games.realm.state import Kingdom, Pending
from kingdom.games.realm.steps.trade.caravans import ACCEPT, REJECT
from kingdom.games.realm.visibility.known import Other
from kingdom.render.plain_text import clean, signed

HEADS = ("size", "treasury", "unrest")  # the numbers of the first tier, before the chance of a Stability check
# dangers as a subject names them
GRAVEST = {"anarchy": "anarchy", "hex_loss": "a hex lost", "bankruptcy": "debt"}
ROWS = 3  # of what was lost and what threatens
SMALL = 3  # BP; questions whose worst answer costs less stand together
HARMLESS = {ACCEPT, REJECT, OPEN, CLOSED}  # answers to caravans and raiders: they cost nothing by themselves


class Basis(TypedDict):
    """What of a report its first tier is made of, in the words of the modules that make the rows."""

    turn: int
    next_turn: int
    numbers: list[NumberRow]
    names: dict[str, str]
    foothold: list[str]
    phases: list[PhaseRow]
    won: list[str]
    lost: list[str]
    stability: list[float | None]
    dangers: list[DangerRow]
    next: Options | None


class Line(TypedDict):
    """A line. mark: "bad", "good", "mark" or ""."""

    name: str
    text: str
    mark: str


def first_screen(
    kingdom: Kingdom, others: Collection[Other], lines: Sequence[News], events: Sequence[EventRow], view: Basis
) -> Facts:
    """The first tier. others: the kingdoms that it knows; lines: all news; events: those of the turn; view: what the report holds besides.

    headline: one sentence; perils: what was lost and what threatens; decide: the questions; told_news: what happened; left_out: the news
    that are only counted there; near: who is in sight; subject: of the mail that brings the report, without its turn.
    """
    lost = f"{', '.join(view['lost'])}{_by(view)}".strip()
    dangers = [] if kingdom.anarchy == view["next_turn"] else list(view["dangers"])  # in anarchy no order helps
    given_up = view["next"] is not None and view["next"]["anywhere"] is None
    land = "a hex that you gave up, or one beside," if given_up else "any one hex"
    in_short, state = state_of(kingdom, view["next_turn"], land)
    perils = [_line("Lost", f"{lost}.", "bad")] if lost else []
    if state:
        headline = _line("", state, "bad")
        enough = [f"`{line}`" for line in view["foothold"]]
        perils += (
            [_line("Order", f"{', '.join(enough)} in turn {view['next_turn']} are enough.", "bad")] if enough else []
        )
    elif lost:
        headline, perils = _line("", f"You lost {lost}.", "bad"), []
    elif dangers:
        headline = _line("", f"{dangers[0]['head']}.", "bad")
        perils = [_line("Danger", dangers.pop(0)["rest"], "bad")]
    else:
        headline = _best(view, lines)
    room = ROWS - len(perils)
    perils += [_line("Danger", row["said"], "bad") for row in dangers]
    if len(dangers) > room:
        perils[ROWS - 1 :] = [_line("Danger", " ".join(line["text"] for line in perils[ROWS - 1 :]), "bad")]

    def said(line: Line) -> Line:
        return {**line, "text": spoken(line["text"], view["names"])}

    def told_as(line: News) -> News:
        text = spoken(line["text"], view["names"])
        return {**line, "text": f"{text[:1].upper()}{text[1:]}"}

    told_news, left_out = shown([line for line in lines if line["text"] != headline["text"]])
    return {
        "subject": _subject(view, in_short),
        "headline": said(headline),
        "heads": [*_heads(view), *_stability(*view["stability"])],
        "perils": [said(line) for line in perils],
        "decide": [said(line) for line in _questions(kingdom, view["next_turn"], events)],
        "told_news": [told_as(line) for line in told_news],
        "left_out": [told_as(line)["text"] for line in left_out],
        "near": _near(kingdom, others, view["next"]),
    }


def _subject(view: Basis, state: str) -> str:
    """The numbers that a player asks first, and what ends or voids all else or the gravest danger: "13 BP, Unrest 3, anarchy 57 %"."""
    numbers = {row["key"]: row["after"] for row in view["numbers"]}
    chances = {row["name"]: row["chance"] for row in view["dangers"]}
    grave = next((f"{word} {percent(chances[name])}" for name, word in GRAVEST.items() if name in chances), "")
    return ", ".join(filter(None, [f"{numbers['treasury']} BP", f"Unrest {numbers['unrest']}", state or grave]))


def state_of(kingdom: Kingdom, turn: int, land: str = "a hex") -> tuple[str, str]:
    """What ends or voids all else, as a subject names it and as a sentence; ("", "") for nothing. turn: the next one; land: what a kingdom
    without any may claim."""
    said = (
        (kingdom.absent, "not in play yet", "Your kingdom is not in play yet. It gives no orders."),
        (kingdom.destroyed, "destroyed", "The kingdom is destroyed. It gives no more orders."),
        (
            kingdom.anarchy == turn,
            "anarchy now",
            f"Anarchy: turn {turn} is lost. Orders are void, no check succeeds, and at its end half the hexes are lost.",
        ),
        (
            not kingdom.hexes,
            "no land",
            f"You hold no land: claim {land} and found a settlement in turn {turn}, or all is lost.",
        ),
        (
            kingdom.anew and not kingdom.settlements,
            "no settlement",
            f"You have no settlement: found one in turn {turn}, or all is lost.",
        ),
    )
    return next(((short, text) for holds, short, text in said if holds), ("", ""))


def _by(view: Basis) -> str:
    """In which phase land was lost, and by what, phase by phase, also land that was won back in the same turn; "" where none was."""
    causes: dict[str, list[str]] = {}
    lost = [label for label in " ".join(view["lost"]).replace(",", "").split() if label.isdigit()]
    for phase in view["phases"]:
        told = [
            text.removeprefix(LOST).rstrip(".")
            for step in phase["steps"]
            for text in texts_of(step)
            if text.startswith(LOST)
        ]
        for move in (move for step in phase["steps"] for move in step["moves"]):
            if any(change["account"] == LAND and change["delta"] < 0 for change in move["changes"]):
                # the news name who took it
                what = next((text for text in told if text[:4] == move["what"][:4]), move["what"])
                what = what.removeprefix(lost[0]).lstrip(":, ") if len(lost) == 1 else what
                causes.setdefault(f" in the {phase['name']} of turn {view['turn']}", []).append(what)
    return ";".join(f"{when}: {'; '.join(whats)}" for when, whats in causes.items())


def _best(view: Basis, lines: Sequence[News]) -> Line:
    """Where nothing was lost and nothing threatens: what was won, else the worst or the best of the news."""
    if view["won"]:
        return _line("", f"You won {', '.join(view['won'])}.", "good")
    worst = next((line for line in lines if line["mark"] == "bad"), None)
    gains = [line for line in lines if line["worth"] > 0 and not line["stays"]]
    best = worst or max(gains, key=lambda line: line["worth"], default=None)
    if best:
        return _line("", best["text"], best["mark"])
    return _line("", "A quiet turn: nothing threatens your kingdom." if view["turn"] else "Your kingdom begins.", "")


def _heads(view: Basis) -> Iterator[Facts]:
    """The numbers after the turn, each with its change as it is said, "" for none."""
    numbers = {row["key"]: row for row in view["numbers"]}
    for key in HEADS:
        row = numbers[key]
        by, good = row["change"], row["change"] * (-1 if key == "unrest" else 1) > 0
        name, said = ("BP" if key == "treasury" else row["name"]), signed(by) if by and view["turn"] else ""
        yield {"key": key, "name": name, "value": str(row["after"]), "change": said, "mark": "good" if good else "bad"}


def _stability(before: float | None, after: float | None) -> Iterator[Facts]:
    if after is not None:
        by = round(100 * after) - round(100 * before) if before is not None else 0
        yield {
            "key": "stability_chance",
            "name": "Stability",
            "value": percent(after),
            "change": signed(by) if by else "",
            "mark": "good" if by > 0 else "bad",
        }


def choices_of(pending: Pending) -> list[str]:
    """The answers to a question, with the figures that they take."""
    figures = {word: f" {' or '.join(map(str, of))}" for word, of in pending.figures.items()}
    return [f"{word}{figures.get(word, '')}" for word in pending.choices]


def _questions(kingdom: Kingdom, turn: int, events: Sequence[EventRow]) -> Iterator[Line]:
    """What needs an answer in that turn, with the odds and the price of each choice as far as the rules know them; small ones together."""
    asking = {row.key: row for row in events}
    small: list[str] = []
    for pending in kingdom.pending:
        event = asking.get(pending.key)
        # what may be done about it names the choices, and says more of them than the question
        if event and event.ways:
            odds = " ".join(without_key(pending.key, way) for way in event.ways)
            said = f"{event.title}. Odds of turn {turn}: {odds}"
        else:
            said = f"{pending.question} You can say: {', '.join(choices_of(pending))}."
        said += f" If you do not reply: {pending.default}."
        if set(pending.choices) <= HARMLESS or event and event.worst < SMALL:
            small.append(said)
        else:
            yield _line("Answer", said, "mark")
    if small:
        yield _line("Answer", " ".join(small), "mark")


def _near(kingdom: Kingdom, others: Collection[Other], offers: Options | None) -> str:
    """Whose land is in sight, and who else deals with the kingdom, each with its size as far as it is known; where nobody's land is in sight, what
    an expedition costs."""

    def sizes(kingdoms: Collection[Other]) -> str:
        return ", ".join(
            f"{each.name} ({'size not known' if each.size is None else f'size {each.size}'})" for each in kingdoms
        )

    near = [other for other in others if other.touches or other.borders]
    far = [other for other in others if other not in near]
    lines = [f"Near you: {sizes(near)}."] if near else []
    lines += [f"You {'also ' if near else ''}know {sizes(far)}."] if far else []
    away = offers["expeditions"] if offers else None
    if away and not near and not kingdom.destroyed:
        nobody = "No land of others" if far else "Nobody"  # an army of one who is known may be
        lines.append(
            f"{nobody} is in sight. An expedition of 2 weeks to the north costs {2 * away['per_week']} BP: `explore: from {kingdom.capital} for 2 weeks toward n`."
        )
    return " ".join(lines)


def _line(name: str, text: str, mark: str = "") -> Line:
    """A line that is not cut: a reason with its cure."""
    return {"name": name, "text": clean(text), "mark": mark}
