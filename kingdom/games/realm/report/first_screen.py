"""What a report holds, key by key; and its first screen: what a player must see before anything else, in at most ten lines with
its numbers.

Each line tells, and leads to, a part of the report that says all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.forecast.event_odds import without_key
from kingdom.games.realm.offers.offers import Options
from kingdom.games.realm.report.afield import ExpeditionRow, RouteRow, Sights
from kingdom.games.realm.report.armies import ArmyRow, BattleRow
from kingdom.games.realm.report.danger import DangerRow
from kingdom.games.realm.report.events import EventRow, PlanRow
from kingdom.games.realm.report.expected_actual import ReckonedRow
from kingdom.games.realm.report.maps.svg_map import MapView
from kingdom.games.realm.report.odds import ChartedForecast
from kingdom.games.realm.report.order_outcomes import OrderRow
from kingdom.games.realm.report.parts import Letter, Told
from kingdom.games.realm.report.story import CheckRow, Happened, PhaseRow
from kingdom.games.realm.report.survey import Explained, LandRow, NumberRow, TownRow
from kingdom.render.plain_text import clean, shortened

LONG = 96  # columns; a longer text is cut behind a word, it stands whole further down
LIKELY = 0.25  # a chance that a player must know of
PHONE_COLUMNS, PHONE_ROWS = 32, 24  # of text beside the names of the lines, on a screen of 360 by 800 pixels
MOST = 10  # lines of the first screen; what they leave out stands further down
HEADS = ("size", "treasury", "unrest")  # the numbers of the first screen
GOOD_ENDS, BAD_ENDS = {"victorious"}, {"defeated", "surrendered", "routed", "withdrew"}  # of a side in a battle
SHOWN = 2  # refusals, questions and events that are told one by one; the rest is counted

PARTS = {  # of a report, in their order, by what the view has where they are there -> (anchor, name)
    "told": ("told", "The GM says"), "asked": ("asked", "Answers"), "next": ("next", "You may"), "numbers": ("sheet", "Sheet"),
    "turn": ("happened", "What happened"), "events": ("events", "Events"), "battles": ("battles", "Battles"), "orders": ("orders", "Orders"),
    "plan": ("plan", "Plan"), "phases": ("turn", "Ledger"), "sources": ("sources", "Sources"), "land": ("land", "Land"),
    "sights": ("sights", "Sights"), "settlements": ("settlements", "Settlements"), "armies": ("armies", "Armies"),
    "expeditions": ("expeditions", "Expeditions"), "routes": ("routes", "Trade"), "map": ("map", "Map"), "charted": ("past", "Last turns"),
    "letters": ("news", "News"), "odds": ("odds", "Odds"), "form": ("form", "Order form"),
}  # fmt: skip
OF_A_TURN = ("orders", "phases")  # which the start has not


class Title(TypedDict):
    """The kingdom. anarchy: the next turn is one; landless: it holds no hex; unsettled: it lost all land, and has none but hexes."""

    seat: str
    name: str
    alignment: str
    government: str
    capital: str
    destroyed: bool
    absent: bool
    anarchy: bool
    landless: bool
    unsettled: bool


class Choice(TypedDict):
    """What the kingdom has chosen, before and after the turn."""

    name: str
    before: str
    after: str


class FiledOrders(TypedDict):
    """The orders with what became of each, and how many were carried out."""

    rows: list[OrderRow]
    said: str


class Question(TypedDict):
    """A question. choices: with the figures that they take; others: an order for each answer to an event but the default."""

    key: str
    question: str
    choices: list[str]
    default: str
    others: list[str]


class ModifierRow(TypedDict):
    """What holds for some turns."""

    account: str
    by: int
    text: str
    lasting: bool
    ends: int


class Turned(TypedDict):
    """What the kingdom won and lost in the turn, each thing in words."""

    won: list[str]
    lost: list[str]


class Goal(TypedDict):
    """What decides the campaign. size: of the reader's land, what would count now; turns: how many turns back the standings look;
    rivals: the size of each other kingdom as far as it is known."""

    size: int
    turns: int
    rivals: list[str]


class Neighbour(TypedDict):
    """What the seat knows of another kingdom."""

    seat: str
    name: str
    size: int | None
    touches: bool
    borders: list[str]


class OutcomeRow(TypedDict):
    """What a check may lead to."""

    what: str
    percent: str


class OddsRow(TypedDict):
    """The odds of a check; needs: the face that is needed, "11+"."""

    name: str
    needs: str
    percent: str
    outcomes: list[OutcomeRow]


class ReportView(TypedDict):
    """All that a seat's report holds but its first screen and its contents, in the words of the modules that make the rows.

    lasting: what events changed for longer than a turn, summed. dangers: None by older rules, whose first screen is as it was.
    """

    turn: int
    next_turn: int
    kingdom: Title
    told: list[Told]
    numbers: list[NumberRow]
    choices: list[Choice]
    checks: list[CheckRow]
    reckoned: list[ReckonedRow]
    afield: list[str]
    orders: FiledOrders
    asked: list[Question]
    requests: list[str]
    phases: list[PhaseRow]
    rolls: list[str]
    sources: list[Explained]
    modifiers: list[ModifierRow]
    coming: list[ModifierRow]
    turned: Turned
    lasting: list[str]
    dangers: list[DangerRow] | None
    land: list[LandRow]
    settlements: list[TownRow]
    events: list[EventRow]
    armies: list[ArmyRow]
    battles: list[BattleRow]
    plan: list[PlanRow]
    reserve: int
    routes: list[RouteRow]
    expeditions: list[ExpeditionRow]
    sights: list[Sights]
    neighbours: list[Neighbour]
    goal: Goal | None
    aid: list[str]
    messages: list[Letter]
    public: list[Letter]
    news: list[str]
    next: Options | None
    odds: list[OddsRow]
    forecast: ChartedForecast | None
    form: list[str]
    happened: list[Happened]
    map: MapView
    charted: dict[str, str]


class Line(TypedDict):
    """A line. mark: "bad", "good", "mark" or ""; to: the part of the report that it leads to."""

    name: str
    text: str
    mark: str
    to: str


class Anchor(TypedDict):
    """A part of the report by its anchor."""

    to: str
    name: str


class FirstScreen(TypedDict):
    """The first screen. changed: what was lost and won; heads: the numbers; first: the lines behind them."""

    changed: list[Line]
    heads: list[NumberRow]
    first: list[Line]


def first_screen(view: ReportView) -> FirstScreen:
    """The first screen. view: what the report holds besides (view.py)."""
    numbers = {row["key"]: row for row in view["numbers"]}
    state, told = _state(view), _told(view)
    if view["dangers"] is None:
        first = [*state, *_checks(view), *_orders(view), *_refused(view), *_asked(view), *_looming(view), *told]
        return {"changed": [], "heads": [numbers["treasury"], numbers["unrest"]], "first": first}
    changed = [*state, *_turned(view)]
    first = [_whole("Danger", row["said"], "odds", "bad") for row in view["dangers"]]
    left = PHONE_ROWS - len(HEADS) - sum(_rows(line) for line in (*changed, *first))
    first += _questions(view, left)
    more = [*_refused_orders(view), *_checks(view), *told]
    more += [_whole("Lasting", ", ".join(view["lasting"]), "events")] if view["lasting"] else []
    room = max(0, MOST - len(HEADS) - len(changed) - len(first))  # by their number: no text pushes one away
    while len(more) > room and any(line["name"] != "Event" for line in more):  # what may do harm is never left out
        del more[max(at for at, line in enumerate(more) if line["name"] != "Event")]
    first += more
    return {"changed": changed, "heads": [numbers[key] for key in HEADS], "first": first}


def _rows(line: Line) -> int:
    """How many rows of a phone it takes."""
    return -(-len(line["text"]) // PHONE_COLUMNS)


def _state(view: ReportView) -> list[Line]:
    """What ends or voids all else."""
    kingdom, turn = view["kingdom"], view["next_turn"]
    said = (
        (kingdom["absent"], "Not in play yet"),
        (kingdom["destroyed"], "Destroyed"),
        (kingdom["anarchy"], f"Anarchy: turn {turn} is lost, orders are void"),
        (kingdom["landless"], f"No land: claim a hex and found a settlement in turn {turn}, or all is lost"),
        (kingdom["unsettled"], f"No settlement: found one in turn {turn}, or all is lost"),
    )
    return [_line("State", text, "sheet", "bad") for holds, text in said if holds][:1]


def _turned(view: ReportView) -> list[Line]:
    """What was lost and won, and how battles went."""
    named = (("Lost", view["turned"]["lost"], "bad"), ("Won", view["turned"]["won"], "good"))
    lines = [_whole(name, ", ".join(things), "happened", mark) for name, things, mark in named if things]
    fought = []
    for battle in view["battles"]:
        ends = {side["outcome"]: side["who"] for side in battle["sides"] if side["seat"] == view["kingdom"]["seat"]}
        mark = "bad" if ends.keys() & BAD_ENDS else "good" if ends.keys() & GOOD_ENDS else ""
        sides = ", ".join(f"{who} {outcome}" for outcome, who in ends.items())
        fought += [(f"{battle['hex']}: {sides}", mark)] if sides else []
    if fought:
        marks = {mark for _, mark in fought}
        text, mark = "; ".join(text for text, _ in fought), marks.pop() if len(marks) == 1 else "mark"
        lines.append(_whole("Battles" if len(fought) > 1 else "Battle", text, "battles", mark))
    return lines


def _questions(view: ReportView, rows: int) -> list[Line]:
    """What needs an answer, with the odds and the price of each choice as far as the rules know them. rows: that are left on a
    phone; where they are too few for all questions the first stands for them."""
    events = {row["key"]: row for row in view["events"] if row["ways"]}
    said = []
    for each in view["asked"]:
        event = events.get(
            each["key"]
        )  # what may be done about it names the choices, and says more of them than the question
        if event:
            odds = " ".join(without_key(each["key"], way) for way in event["ways"])
            choices = f"{event['title']}. Odds of turn {view['next_turn']}: {odds}"
        else:
            choices = f"{each['question']} You can say: {', '.join(each['choices'])}."
        said.append(f"{choices} If you do not reply: {each['default']}.")
    lines = [_whole("Answer", text, "asked", "mark") for text in said]
    if len(lines) > 1 and (len(lines) > SHOWN or sum(map(_rows, lines)) > rows):
        others = {_about(each, events): each["default"] for each in view["asked"][1:]}
        same = len({*others.values()}) == 1
        named = "; ".join(
            others if same else [f"{about} (if you do not reply: {default})" for about, default in others.items()]
        )
        rest = f" If you do not reply: {next(iter(others.values()))}." if same else ""
        lines[1:] = [_whole("", f"And: {named}.{rest}", "asked", "mark")]
    return lines


def _about(question: Question, events: Mapping[str, EventRow]) -> str:
    """What a question is about, in a few words."""
    event = events.get(question["key"])
    return event["title"] if event else question["question"].partition(": ")[0].rstrip(".?")


def _refused_orders(view: ReportView) -> list[Line]:
    """The orders, and those that were refused, in one line."""
    refused = [row for row in view["orders"]["rows"] if row["outcome"] == "refused"]
    if not refused:
        return _orders(view)
    reason = refused[0]["why"].split(". ")[0].rstrip(".")  # what to do about it stands with the order
    more = f" And {len(refused) - 1} more." if len(refused) > 1 else ""
    return [_whole("Refused", f"{refused[0]['text']}: {reason}.{more}", "orders", "bad")]


def _checks(view: ReportView) -> list[Line]:
    checks = sorted(view["checks"], key=lambda check: " " in check["name"])  # first Income's and Upkeep's, of one word
    came_out = ", ".join(f"{check['name']} {'passed' if check['success'] else 'failed'}" for check in checks)
    return [_line("Checks", came_out, "happened")] if checks else []


def _orders(view: ReportView) -> list[Line]:
    return [_line("Orders", view["orders"]["said"], "orders")] if view["turn"] else []


def _refused(view: ReportView) -> list[Line]:
    refused = [f"{row['text']}: {row['why']}" for row in view["orders"]["rows"] if row["outcome"] == "refused"]
    return _some("Refused", refused, "orders", "bad")


def _asked(view: ReportView) -> list[Line]:
    cut = LONG * 2 // 3
    asked = [f"{_cut(each['question'], cut)} If you do not: {each['default']}." for each in view["asked"]]
    return _some("Answer", asked, "asked", "mark")


def _told(view: ReportView) -> list[Line]:
    """What comes, what was heard from afar, and what there is to read."""
    asked = {each["key"] for each in view["asked"]} if view["dangers"] is not None else ()
    announced = [
        row["title"]
        for row in view["events"]
        if row["title"] and row["group"] == "announced" and row["key"] not in asked
    ]
    events = _some("Event", announced, "events", "mark")
    if view["dangers"] is not None and announced:  # each may do harm
        events = [_whole("Event", "; ".join(announced), "events", "mark")]
    return [
        *events,
        *_some("Afield", view["afield"], "happened")[:1],
        *_letters(view),
    ]


def contents(view: ReportView) -> list[Anchor]:
    """The parts that the report has, in their order:"""
    letters = view["aid"] or view["messages"] or view["public"] or view["news"]
    there: dict[str, object] = {**view, "letters": letters, "land": True}
    rows = [part for key, part in PARTS.items() if there[key] and (view["turn"] or key not in OF_A_TURN)]
    return [{"to": anchor, "name": name} for anchor, name in rows]


def _line(name: str, text: str, to: str, mark: str = "") -> Line:
    return {"name": name, "text": _cut(text, LONG), "mark": mark, "to": to}


def _whole(name: str, text: str, to: str, mark: str = "") -> Line:
    """A line that is not cut: a reason with its cure."""
    return {"name": name, "text": clean(text), "mark": mark, "to": to}


def _cut(text: str, columns: int) -> str:
    """The text, cut behind a word where it is wider."""
    whole = clean(text)
    cut = shortened(whole, columns)
    kept, space, _ = cut.rpartition(" ")
    return cut if cut == whole or not space else f"{kept.rstrip(' ;,:')} …"


def _some(name: str, texts: Sequence[str], to: str, mark: str = "") -> list[Line]:
    """Two of the texts, each a line; where there are more, the second says how many."""
    if len(texts) <= SHOWN:
        return [_line(name, text, to, mark) for text in texts]
    return [_line(name, texts[0], to, mark), _line("", f"and {len(texts) - 1} more, see below", to, mark)]


def _looming(view: ReportView) -> list[Line]:
    """The worst of what the next turn's dice are likely to bring."""
    chances = view["forecast"]["chances"] if view["forecast"] and view["odds"] else ()
    likely = sorted((row for row in chances if row["chance"] >= LIKELY), key=lambda row: -row["chance"])
    said = [f"{row['means'][:1].upper()}{row['means'][1:]}: {row['percent']}" for row in likely[:1]]
    return [_line("Looming", f"{text}, if you order nothing", "odds", "bad") for text in said]


def _letters(view: ReportView) -> list[Line]:
    """How much there is to read of what others wrote."""
    told, letters = len(view["told"]), sum(not each["out"] for each in (*view["messages"], *view["public"]))
    said = [f"{told} word{'s' * (told > 1)} from the GM"] if told else []
    said += [f"{letters} letter{'s' * (letters > 1)}"] if letters else []
    return [_line("To read", ", ".join(said), "told" if told else "news")] if said else []
