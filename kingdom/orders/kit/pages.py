"""The order form as a page, made of the orders that a seat decides. kingdom/render/order_form.py says what each key means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NotRequired, TypeAlias, TypedDict

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.offer import LIST, LISTS, MAP, ONE, Offer, Pick, filled
from kingdom.orders.kit.kinds import Sequence
from kingdom.orders.kit.offering import possible
from kingdom.orders.kit.order import AnyOrder, Candidate, R, S, Wanted

Button: TypeAlias = dict[str, object]  # what can be chosen in the page, with keys of several kinds
Field: TypeAlias = dict[str, object]  # what is filled in
ALL = "all"  # stands for everybody as the reader of a message
FINAL = Offer("final", "final", ONE, True, "yes", "I am done", uses={"final": 1})
TEXT = 4000  # characters of a message
LISTS_OF_DEEDS = {"all", "first", "each", "again", "deed", "ranked"}  # of templates/form/deeds.js


class Counter(NamedTuple):
    """What the page counts. left: how much of it there is. name: "" for the account's own. hidden: it only decides what is possible.

    word: what an amount of it is called in a price. debt: it may fall below nothing. plus: other counter -> what one of that adds to
    what is shown, as gold that is left becomes prestige.
    """

    left: int
    name: str = ""
    hidden: bool = False
    word: str = ""
    debt: bool = False
    plus: Mapping[str, int] = {}


class Part(TypedDict):
    """Some of a section's buttons under a title, "" for none; or a sequence, with the data for the game's own script."""

    title: str
    offers: list[Button]
    kind: NotRequired[str]
    key: NotRequired[str]
    data: NotRequired[Any]


class Section(TypedDict):
    """A section of the page."""

    id: str
    title: str
    about: str
    parts: list[Part]


def page(
    wanted: Iterable[Wanted[S, R]], seats: Iterable[str], seat: str, counters: Mapping[str, int | Counter] = {},
    facts: Iterable[str] = (), notice: str = "",
) -> dict[str, Any]:  # fmt: skip
    """Return the page's data. counters: account -> what the seat has of it; only those that a price names are shown. facts: what holds.

    Raises ValueError if an order takes or gives what is not among the counters.
    """
    sections, ordered = list[Section](), list[str]()
    for rank, (kind, now) in enumerate(wanted):
        part: Part = {"title": "", "offers": []}
        if isinstance(kind, Sequence) and (data := kind.data(now)) is not None:
            part |= {"kind": "sequence", "key": kind.key, "data": data}
        else:
            part["offers"] = [button(kind, rank, candidate) for candidate in possible(kind, now, later=True)]
        ordered += [kind.key] if kind.how == LIST else []
        if part["offers"] or "data" in part:
            sections.append({"id": kind.key, "title": kind.title, "about": kind.asks(now), "parts": [part]})
    buttons = [button for section in sections for part in section["parts"] for button in part["offers"]]
    priced = {account: button["id"] for button in buttons for account in _accounts(button)}
    if undeclared := sorted(priced.keys() - counters.keys()):
        raise ValueError(
            f"{priced[undeclared[0]]!r} counts {', '.join(undeclared)}, which is not among the counters of its page"
        )
    return {
        "notice": notice,
        "counters": [_counter(account, counted) for account, counted in counters.items() if account in priced],
        "coin": "",
        "facts": list(facts),
        **({"ordered": ordered} if ordered else {}),
        **({"deeds": {}} if any(button.keys() & LISTS_OF_DEEDS for button in buttons) else {}),
        "places": {},
        "sections": [*sections, letters(seats, seat, len(sections))],
    }


def _counter(account: str, counted: int | Counter) -> Field:
    counter = counted if isinstance(counted, Counter) else Counter(counted)
    more: Field = {"level": counter.hidden, "word": counter.word, "debt": counter.debt, "plus": dict(counter.plus)}
    said: Field = {"id": account, "name": counter.name or account.capitalize(), "left": counter.left}
    return said | {word: value for word, value in more.items() if value}


def _accounts(deed: Any) -> Iterator[str]:
    """Yield the counters that a button, or a deed inside it, takes of, adds to or goes by."""
    if not isinstance(deed, Mapping):
        return
    for word in ("costs", "adds", "least"):
        yield from deed.get(word, ())
    yield from (table["counter"] for table in deed.get("tables", ()))
    for sized in deed.get("sized", ()):
        yield from (sized["counter"], *sized["by"])
    by_fields = deed.get("deed", {"of": {}})
    inner = [
        *(part for word in ("all", "first", "each") for part in deed.get(word, ())),
        *by_fields["of"].values(),
        by_fields.get("other"),
    ]
    for part in inner:
        yield from _accounts(part)


def button(kind: AnyOrder[S, R], rank: int, candidate: Candidate) -> Button:
    """Return the one control of a candidate, with a field for each pick. rank: its place in a turn."""
    order = filled(candidate.order, {name: slot(name) for name in candidate.picks})
    made: Button = {
        "id": candidate.id, "rank": rank, "key": kind.key, "how": ONE if candidate.whole else kind.how,
        "value": list(order) if kind.how == MAP else order, "text": candidate.text,
    }  # fmt: skip
    rest: Button = {
        "more": candidate.more, "at": candidate.at, "fields": [_field(name, candidate) for name in candidate.picks],
        "takes": [_slots(word, candidate) for word in candidate.uses], "costs": {**candidate.costs, **candidate.limits}, "adds": dict(candidate.adds),
        "least": dict(candidate.least), "needs": [list(row) for row in candidate.needs], "gives": list(candidate.gives),
        "ends": list(candidate.ends), "against": list(candidate.against),
        "any_of": list(candidate.any_of), "group": candidate.group,
        "tables": [_table(*table[1:]) for table in candidate.tables if table.of != "effect"],
        "needs_of": {name: {value: [list(row) for row in rows] for value, rows in pick.needs.items()} for name, pick in candidate.picks.items() if pick.needs},
        **candidate.deed,
    }  # fmt: skip
    return made | {name: value for name, value in rest.items() if value}


def _table(account: str, by: Iterable[str], amounts: Mapping[tuple[Any, ...], int]) -> Field:
    """Return a table of costs by the values of fields: those of the first, in each those of the next."""
    costs: dict[str, Any] = {}
    for values, amount in amounts.items():
        *before, last = ["" if value is None else str(value) for value in values]
        inner = costs
        for value in before:
            inner = inner.setdefault(value, {})
        inner[last] = amount
    return {"counter": account, "by": list(by), "costs": costs}


def _field(name: str, candidate: Candidate) -> Field:
    pick = candidate.picks[name]
    field: Field = {"name": name, "label": pick.label, "kind": pick.kind}
    if pick.kind == "choice" or pick.kind in LISTS:
        field["options"] = [option for value in pick.values for option in _options(pick, value)]
    if pick.kind in ("ranked", "row", "number"):
        field |= {"least": pick.least, "most": pick.most}
    elif pick.kind in ("text", "lines"):
        field |= {"most": pick.most}
    if pick.unlike:
        field["unlike"] = [name.upper().lower() for name in pick.unlike]  # as the page compares them
    more: Field = {"value": pick.usual, "none": pick.none, "on_map": pick.on_map}
    return field | {word: value for word, value in more.items() if value}


def _options(pick: Pick, value: Any) -> Iterator[Field]:
    """Yield the option once for each alternative condition."""
    option: Field = {"value": value, "text": pick.texts.get(value, str(value))}
    if value in pick.means:
        option["means"] = pick.means[value]
    for row in pick.beside(value):
        beside = {word: table for word, table in (("unless", row.unless), ("when", row.when)) if table}
        yield option | {word: {name: list(among) for name, among in table.items()} for word, table in beside.items()}


def _slots(text: str, candidate: Candidate) -> str:
    return re.sub(r"\{(\w+)\}", lambda name: slot(name[1]) if name[1] in candidate.picks else name[0], text)


def slot(name: str) -> str:
    """Return the mark that a field's value replaces. Nobody can type it."""
    return f"\x01{name}\x01"


def letters(seats: Iterable[str], seat: str, rank: int, names: Mapping[str, str] = {}) -> Section:
    """Return the last section: a message to another seat or to all, and the button that says that the seat is done. names: seat -> its name."""
    to = [{"value": name, "text": names.get(name, name)} for name in (ALL, *seats) if name != seat]
    fields: list[Field] = [
        {"name": "to", "label": "To", "kind": "choice", "options": to},
        {"name": "text", "label": "Text", "kind": "lines", "most": TEXT},
    ]
    message: Button = {
        "id": "message", "rank": rank, "key": "messages", "how": LIST, "value": {"to": slot("to"), "text": slot("text")},
        "text": "Write a message", "fields": fields,
    }  # fmt: skip
    done: Button = {
        "id": FINAL.id, "rank": rank, "key": FINAL.key, "how": FINAL.how, "value": FINAL.order, "text": FINAL.text,
        "takes": list(FINAL.uses),
    }  # fmt: skip
    parts: list[Part] = [{"title": "", "offers": [message, done]}]
    return {"id": "letters", "title": "Messages", "about": "", "parts": parts}
