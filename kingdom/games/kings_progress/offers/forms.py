"""The order form of a seat as a page: each decision of the next turn with what may be chosen, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from kingdom.engine.offer import LIST, ONE, How, Offer
from kingdom.games.kings_progress.offers import CITY_VETOES, COIN_VETOES, KINGS, VETO, by_phase, cities_in
from kingdom.games.kings_progress.orders import DEFAULT, KEYS, NEWEST
from kingdom.games.kings_progress.report.text_form import asked_in, waits
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import CITY, CITY_VETO, INVESTMENT, INVESTMENT_VETO, PLAYED, PROGRESS, Table
from kingdom.games.kings_progress.steps.rounds import due
from kingdom.games.kit.forms import Button, Field, Section, letters, slot

VETOES = "vetoes"  # the counter


def form_page(seen: Table, seat: str, rules: Rules) -> dict[str, object]:
    """What the seat's order form offers for the turn after `seen`, which is what it knows (see kingdom/render/order_form.py)."""
    wanted, sections = [], list[Section]()
    for phase, offers in by_phase(seen, seat, rules).items():
        one = asked_in(phase, offers, seen, seat, rules)
        wanted.append(one)
        sections.append(_section(one["key"], one["name"], one["text"], _BUTTONS[phase](seen, seat, rules, offers)))
    vetoes = (
        [{"id": VETOES, "name": "Vetoes", "left": seen.kingdoms[seat].vetoes}]
        if any("veto" in one["text"] for one in wanted)
        else []
    )
    return {
        "notice": "" if wanted else waits(seen, seat, rules),
        "counters": vetoes,
        "coin": "",
        "facts": [],
        "sections": [
            section
            for section in [*sections, letters(seen.kingdoms, seat, len(PLAYED))]
            if section["parts"][0]["offers"]
        ],
        "places": {},
    }


def _section(id: str, title: str, about: str, buttons: Iterable[Button]) -> Section:
    return {"id": id, "title": title, "about": about, "parts": [{"title": "", "offers": list(buttons)}]}


def _button(
    id: str, phase: str, value: object, text: str, takes: Mapping[str, int], costs: Mapping[str, int] | None = None,
    how: How = LIST, fields: Sequence[Field] = (),
) -> Button:  # fmt: skip
    """An order that may be chosen; what lists rank is written in the order in which it is chosen."""
    made: Button = {"id": id, "rank": PLAYED.index(phase), "key": KEYS[phase], "how": how, "value": value, "text": text}
    filled: Button = {"fields": list(fields)} if fields else {}
    return {**made, **filled, "takes": list(takes), **({"costs": dict(costs)} if costs else {})}


def _choice(name: str, label: str, values: Iterable[int]) -> Field:
    return {
        "name": name,
        "label": label,
        "kind": "choice",
        "options": [{"value": value, "text": str(value)} for value in values],
    }


def _placed(phase: str, piece: str, pieces: tuple[int, ...], offers: Iterable[Offer]) -> list[Button]:
    """A piece for each kingdom; what is chosen first is the first choice."""
    field = [_choice(piece, piece.capitalize(), reversed(pieces))]
    first = {offer.order["kingdom"]: offer for offer in offers}
    return [
        _button(f"{piece} {name}", phase, {"kingdom": name, piece: slot(piece)}, f"A {piece} in {name}", of.uses, fields=field)
        for name, of in first.items()
    ]  # fmt: skip


def _cities(table: Table, seat: str, rules: Rules, offers: Sequence[Offer]) -> list[Button]:
    return _placed(CITY, "tile", table.kingdoms[seat].tiles, offers)


def _coins(table: Table, seat: str, rules: Rules, offers: Sequence[Offer]) -> list[Button]:
    return _placed(INVESTMENT, "coin", table.kingdoms[seat].coins, offers)


def _city_vetoes(table: Table, seat: str, rules: Rules, offers: Sequence[Offer]) -> list[Button]:
    mine = table.kingdoms[seat]
    found = []
    for number in cities_in(offers):
        values = {offer.order["replace_with"] for offer in offers if offer.order["city"] == number}
        tile = _choice("tile", "By tile", [value for value in reversed(mine.tiles) if value in values])
        text = f"Replace tile {mine.cities[number - 1].tile} of city {number}"
        order = {"city": number, "replace_with": slot("tile")}
        found.append(_button(f"veto {number}", CITY_VETO, order, text, CITY_VETOES, VETO, fields=[tile]))
    if CITY in due(table, rules):
        fields = [
            _choice("most", "If it is at most", rules.box.values),
            _choice("tile", "By tile", reversed(mine.tiles)),
        ]
        newest = {"if": {"city": NEWEST, "tile_max": slot("most")}, "replace_with": slot("tile")}
        text = "Replace the tile of the newest city"
        found.append(_button("veto newest", CITY_VETO, newest, text, CITY_VETOES, VETO, fields=fields))
    return found


def _coin_vetoes(table: Table, seat: str, rules: Rules, offers: Sequence[Offer]) -> list[Button]:
    mine = table.kingdoms[seat]
    poor = rules.box.values[:2]
    fields = [
        _choice("poor", f"For a {' or a '.join(map(str, poor))}", reversed(mine.coins)),
        _choice("rest", "For any other", mine.coins),
    ]
    swap = {**{str(value): slot("poor") for value in poor}, DEFAULT: slot("rest")}
    found = []
    for number in cities_in(offers):
        if mine.cities[number - 1].coin is not None:
            text = f"Look at the coin of city {number} and replace it"
            order: dict[str, object] = {"city": number, "swap": swap}
            found.append(_button(f"look {number}", INVESTMENT_VETO, order, text, COIN_VETOES, VETO, ONE, fields))
    if INVESTMENT in due(table, rules):
        fields = [_choice("least", "If its tile is at least", rules.box.values), *fields]
        order = {"city": {"newest_if_tile_min": slot("least")}, "swap": swap}
        text = "Look at the coin of the newest city and replace it"
        found.append(_button("look newest", INVESTMENT_VETO, order, text, COIN_VETOES, VETO, ONE, fields))
    return found


def _stays(table: Table, seat: str, rules: Rules, offers: Sequence[Offer]) -> list[Button]:
    found = [
        _button(offer.id, PROGRESS, offer.short, offer.text, offer.uses, offer.costs, ONE)
        for offer in offers
        if offer.costs
    ]
    if len(table.kingdoms[seat].cities) == table.kingdoms[seat].king:  # what lies before him is not placed yet
        most = _choice("most", "If the next tile is at most", rules.box.values)
        order = {"veto_if": {"next_tile_max": slot("most")}}
        found.append(_button("stay if", PROGRESS, order, "The King stays on a condition", KINGS, VETO, ONE, [most]))
    return found


_BUTTONS: dict[str, Callable[[Table, str, Rules, Sequence[Offer]], list[Button]]] = {
    CITY: _cities, CITY_VETO: _city_vetoes, INVESTMENT: _coins, INVESTMENT_VETO: _coin_vetoes, PROGRESS: _stays,
}  # fmt: skip
