"""The order form of a seat: one HTML file that needs neither server nor network.

The game's `forms.page` returns what the form offers, as plain data made from what the seat knows. The page in templates/form
works with this data, knows no game and reads no orders files: the filed orders, those of the last turn and those of advice come
to it in the long form, as data, and it presses the controls that give them. A game without `forms` gets only a box for typed
lines. What the data may hold:

    notice     a sentence at the head, or ""
    counters   [{id, name, left, unit?, level?, word?, debt?, floor?, plus?}]: amounts that orders use up; `level`: the form does not
                 show what is left of it; `word`: its name in the price of an offer with deeds; `debt`: it may fall below 0;
                 `floor`: it never falls below this; `plus`: what one of another counter adds to the shown amount
    coin       the counter in which prices are given
    facts      [fact]: the facts before any order; offers need, give and end facts
    sections   [{id, title, about, left?, first?, folded?, parts}]: `left` names counters whose rest the section shows, `first` puts it
                 before the picture, `folded`: it is made when it is unfolded; a part is
                 {title, offers, about?, by?, at?}: buttons, with fields if an offer has some; the first part with a title is unfolded
                   at first; `by`: the word of an offer by which it stands under a heading of its own, `group` if not said; `at`: the
                   place of the picture where it is shown as well; a `kind` of the game's own is shown by its script (Sections.renderers)
                 {kind: choice, title, about?, none: {text, more, place?}, offers}: one of them, or none, which stands at `place`
                 {kind: sequence, key, data}: orders of a list that are carried out one after the other; each is offered for the
                   state after those before it. The game's own script works out these states from `data`; the head of
                   templates/form/sequence.js says what the script must give
    tabs       [[id of a heading, name]]: links to the parts of the form, at the foot of a phone
    bar        data for the game's own script `Bar`, which replaces the counters at the head (templates/realm/form/bar.js)
    scripts    the game's own scripts, files of templates/GAME/form in their order
    picture    an SVG in place of the game's own
    always     key -> value: the entries of every orders file
    places     label -> words, for the picture
    does       key -> `build` of an order -> what it gives, in words, for offers without `more`
    later      {key, lines, names, stands}: how the plan under that key names orders (templates/realm/form/later.js)
    board      {thing, key, done, open, small?}: the things to press on the picture, the key of the orders for marked ones, and the
                 words for that. small: the picture has few of them
    deeds      {}, in every form with lists of deeds, which depend on the state when they are ordered (templates/form/deeds.js)
    ordered    keys of lists whose order is kept when an orders file is read in
    towns, kinds, shapes: the ground for offers with `work`, as described by the game that has them

An offer is {id, rank, key, how, value, text}: an order under `key`, one of a list, a [key, value] of a map, or the whole (`one`);
`rank` is its place in a turn. It may hold `more` (words), `group` (the heading above it), `at` (a label of the picture), `also` (label of the picture -> what a press there may fill in as well), `fields`
(filled in if `value` has slots; the `value` of a field is what it proposes), `costs` (counter -> amount), `tables` (costs by the values of fields: of the first, in each of the next), `sized` (costs by the levels of
counters), `adds` (what it adds to a level), `least` (the level that it needs), `needs` (rows of facts; one fact of each row must be
true), `gives` and `ends` (facts), `takes` (words that can be taken only once), `shares_of` (field value -> words that orders under
one key may take together and orders under another key may not: of alternatives only one is carried out), `against` (offers that
exclude it), lists of deeds, `takes_of` and `needs_of` (the same as `takes` and `needs`, by the value of a field), `any_of` (fields
of which one must be filled), `empties` (the list becomes empty), `aside` (shown only if it is chosen), `unsure` and `tangled` (its
effect is worked out only when it is filed: always, or if another offer with one of these words is chosen), `work` (what is built at
a chosen place).

The page gets all of this smaller: options once (`_shared`), and each order once, with the ways to give it in a table
(kingdom/render/packing.py); it puts them back together when it starts.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Container, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from kingdom.engine.game import AnyGame
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.regex import regex
from kingdom.engine.step import AnyState, Facts
from kingdom.orders import orders_file, places, yaml_text
from kingdom.orders.orders_file import declared
from kingdom.orders.scalars import other_seat
from kingdom.orders.schema import ListOf, MapOf, Record, Shape, Text, example_of
from kingdom.render.packing import packed
from kingdom.render.plain_text import clean

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

SCRIPTS = (
    "writer.js", "filling.js", "counting.js", "dom.js", "fields.js", "draft.js", "tray.js", "sections.js", "ownlines.js", "filed.js",
    "sending.js", "kept.js", "form.js",
)  # fmt: skip  # files of templates/form, in this order; a game's scripts come before the last file, which puts the form together
# Scripts that only some forms need, with the style of the same name if there is one: a word in the data of these forms, and the substitute for the script in all others.
SOMETIMES = {
    "deeds.js": ('"deeds":', 'const Deeds = { follow: () => "" };'),
    "sequence.js": ('"kind":"sequence"', "const Sequence = { of: () => undefined, start: () => null };"),
    "choice.js": ('"none":{', ""),
    "advice.js": ('"advice":[{', "const Advice = { start: () => undefined };"),
    "map.js": (
        '"places":{"',
        "const Board = { start: () => () => undefined }; const Sheet = { close: () => undefined };",
    ),
}
_MARKS = "<>&\x7f"  # characters that could end a script
_EAGER = "//# allFunctionsCalledOnLoad"  # Chromium compiles all of the script at once, not each function when it is first called
_ASIDE = regex(r"(?<=[;{,]) // .*")  # a comment after a line of a script
# characters that could move or hide other text
_HIDING = regex("[\xad\u061c\ufeff\x80-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f]")


_BARE: Facts = {"notice": "", "counters": [], "coin": "", "facts": [], "sections": [], "places": {}}


class FormFacts(NamedTuple):
    """The campaign's facts for the form. closed: keys of orders that the campaign does not accept.

    address, subject: where orders are mailed, and the subject with the token of that turn; token: only the token, for a file
    that is not mailed; "" without mail. called: seat -> how people call its player. longest: the length of a link that every
    mail program takes, in characters. filed: the text of the orders filed now; last: that of the last turn's orders; "" for
    none. advice: the best plan first: `title`, `effects` (sentences), `text` (its orders, a file). told: a sentence on what
    happens to written orders when the campaign ends. attempt: how often the turn before was run; drafts made after an earlier
    attempt are kept apart.
    """

    campaign: str
    deadline: str = ""
    address: str = ""
    subject: str = ""
    closed: Sequence[str] = ()
    longest: int = 0
    filed: str = ""
    last: str = ""
    token: str = ""
    called: Mapping[str, str] = {}
    advice: Sequence[Facts] = ()
    told: str = ""
    attempt: int = 1


def form_of(
    game: AnyGame, state: AnyState, seat: str, rules: object, names: Mapping[str, Container[str]], facts: FormFacts
) -> str:
    """Return the form for the turn after `state`, as HTML. names: the closed lists and "seats".

    The form holds only what the seat knows of the state, so two states that the seat can't tell apart give the same bytes.
    """
    known = game.known(state, seat, rules)
    page = game.forms.page(known, seat, rules) if game.forms else _BARE
    model = packed(_with_deeds(_shared(_named(_open(page, facts.closed), facts.called))))
    title = game.sheet(known, seat, rules).get("name") or seat
    draw = game.forms and game.forms.picture or game.picture
    picture = model.get("picture") or (draw(known, seat, rules) if draw else "")
    offered = {name: what for name, what in model.items() if name not in ("picture", "scripts")}
    turn = known.turn + 1
    keys = declared(game, None).keys

    def pressed(text: str) -> Facts:
        return _pressed(text, game, seat, names)

    advice = [{"title": plan["title"], "effects": plan["effects"], **pressed(plan["text"])} for plan in facts.advice]
    offers = msgspec.json.encode(offered)
    draft = {
        "series": _digest(facts.campaign, facts.address, seat),
        "attempt": facts.attempt,
        "offers": _digest(offers.decode()),
    }
    data = {
        "seat": seat, "turn": turn, "draft": draft, "model": msgspec.Raw(offers), "keys": _keys(keys), "parts": declared(game, None).short_keys, "limit": yaml_text.LIMIT,
        "address": facts.address, "subject": facts.subject, "token": facts.token, "longest": facts.longest,
        "filed": pressed(facts.filed), "last": pressed(facts.last), "advice": advice,
    }  # fmt: skip
    text = as_data(data)
    needed = frozenset(name for name, (word, _) in SOMETIMES.items() if word in text)
    own = tuple(model.get("scripts", ()))
    style, script = _style(game.name, own, needed), _script(game.name, own, needed)
    key = next((key for key, shape in keys.items() if isinstance(shape, ListOf)), "final")
    example = f"{key}: {example_of(keys[key], other_seat(names, seat))}"
    view = {
        "campaign": clean(facts.campaign), "deadline": clean(facts.deadline), "name": clean(str(title)),
        "turn": turn, "notice": clean(model.get("notice", "")), "example": clean(example), "told": clean(facts.told), "address": facts.address,
        "picture": _markup(picture),
        "board": {"thing": "", "small": False, **model.get("board", {})},
        "pressed": bool(model.get("places")),
        "data": _markup(text), "script": _markup(script), "style": _markup(style), "policy": _policy(script),
    }  # fmt: skip
    return template().render(view=view)


def _pressed(text: str, game: AnyGame, seat: str, names: Mapping[str, Container[str]]) -> Facts:
    """Return the `orders` of a text in the long form, as the page presses them, None for none, and their `problems`. The turn
    that the text names does not count, since it may be the last turn's text."""
    if not text:
        return {"orders": None, "problems": []}
    filing = orders_file.read(text.encode(), f"{seat}.yaml", game, names, seat, None)
    return {"orders": filing.orders, "problems": [f"Line {each.line}: {each.message}" for each in filing.problems]}


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def _keys(keys: Mapping[str, Shape]) -> dict[str, dict[str, object]]:
    """Return for each key of orders, in declared order: how many entries a list may hold, whether the value is a map, and
    whether it is a letter, whose text has lines."""

    def told(shape: Shape) -> dict[str, object]:
        if not isinstance(shape, ListOf):
            return {"map": True} if isinstance(shape, (MapOf, Record)) else {}
        inside = shape.of.keys.values() if isinstance(shape.of, Record) else [shape.of]
        letters = any(isinstance(part, Text) and part.lines for part in inside)
        return {"most": shape.most, **({"letters": True} if letters else {})}

    return {key: told(shape) for key, shape in keys.items()}


def _with_offers(model: Facts, change: Callable[[Facts], Facts | None]) -> Facts:
    """Return the model with each offer changed by the function; an offer for which it returns None is left out."""

    def changed(part: Facts) -> Facts:
        offers = [made for offer in part.get("offers", ()) if (made := change(offer)) is not None]
        return {**part, "offers": offers} if "offers" in part else part

    sections = [{**section, "parts": [changed(part) for part in section["parts"]]} for section in model["sections"]]
    return {**model, "sections": sections}


def _open(model: Facts, closed: Container[str]) -> Facts:
    """Return the model without offers under a key that the campaign does not accept."""
    return _with_offers(model, lambda offer: None if offer["key"] in closed else offer) if closed else model


def _named(model: Facts, called: Mapping[str, str]) -> Facts:
    """Return the model with people's names for the readers of messages."""

    def named(field: Facts) -> Facts:
        options = [{**of, "text": called.get(str(of["value"]), of["text"])} for of in field.get("options", ())]
        return {**field, "options": options} if "options" in field else field

    def change(offer: Facts) -> Facts:
        return (
            {**offer, "fields": [named(field) for field in offer.get("fields", ())]}
            if offer["key"] == "messages"
            else offer
        )

    return _with_offers(model, change) if called else model


def _shared(model: Facts) -> Facts:
    """Return the model with each option only once, in `options`, each list of options once, in `lists`, and each row of values
    in their conditions once, in `rows`.

    Fields, lists, conditions and rows refer to them by number. A list is the names of the fields in its conditions, then its
    options; an option with conditions is [its number, when, unless], each the numbers of rows, -1 for none, in the order of the
    names (templates/form/draft.js puts everything back).
    """
    options: dict[bytes, int] = {}
    lists: dict[bytes, int] = {}
    with_value: dict[bytes, int] = {}  # the first option with each value
    rows: dict[tuple[int, ...], int] = {}

    def number_of(option: Facts) -> int:
        number = options.setdefault(msgspec.json.encode(_lean(option)), len(options))
        with_value.setdefault(msgspec.json.encode(option["value"]), number)
        return number

    def row(among: Sequence[object]) -> int:
        known = [with_value.get(msgspec.json.encode(value)) for value in among]
        numbers = (
            number_of({"value": value, "text": value}) if number is None else number
            for value, number in zip(among, known, strict=True)
        )
        return rows.setdefault(tuple(numbers), len(rows))

    def numbered(option: Facts, names: list[str]) -> object:
        beside = list[list[int]]()
        for word in ("when", "unless"):
            conditions = option.get(word) or {}
            names += [name for name in conditions if name not in names]
            beside.append([row(conditions[name]) if name in conditions else -1 for name in names] if conditions else [])
        return [number_of(option), *beside[: 2 if beside[1] else 1]] if any(beside) else number_of(option)

    def listed(field: Facts) -> Facts:
        names = list[str]()
        of = [numbered(option, names) for option in field["options"]]
        return {**field, "options": lists.setdefault(msgspec.json.encode([names, *of]), len(lists))}

    def change(offer: Facts) -> Facts:
        fields = [listed(field) if "options" in field else field for field in offer.get("fields", ())]
        return {**offer, "fields": fields} if fields else offer

    made = _with_offers(model, change)
    return {
        **made,
        "options": [msgspec.Raw(option) for option in options],
        "lists": [msgspec.Raw(numbers) for numbers in lists],
        "rows": list(rows),
    }


def _with_deeds(model: Facts) -> Facts:
    """Return the model with equal deeds of what is picked once, in `deeds`; an offer's `deed` names them by number."""
    deeds: dict[bytes, int] = {}

    def change(offer: Facts) -> Facts:
        if "deed" not in offer:
            return offer
        of = offer["deed"]["of"]
        numbers = {picked: deeds.setdefault(msgspec.json.encode(deed), len(deeds)) for picked, deed in of.items()}
        return {**offer, "deed": {**offer["deed"], "of": numbers}}

    return (
        {**_with_offers(model, change), "deeds": [msgspec.Raw(deed) for deed in deeds]} if "deeds" in model else model
    )


def _lean(option: Facts) -> object:
    """Return an option without its conditions: its value, or [value, text, means], with 0 for a text equal to the value."""
    value, text = option["value"], option.get("text")
    lean = [value, 0 if text == value else text, *([option["means"]] if "means" in option else [])]
    return value if lean == [value, 0] else lean


def as_data(value: object) -> str:
    """Return a value as JSON that is safe in a script element, whatever texts it holds."""
    text = msgspec.json.encode(value).decode()
    for mark in _MARKS:
        text = text.replace(mark, _escaped(mark))
    return text if text.isascii() else _HIDING.sub(lambda letter: _escaped(letter[0]), text)


def _escaped(letter: str) -> str:
    return f"\\u{ord(letter):04x}"


@lru_cache(maxsize=16)
def _script(game: str, own: Sequence[str], needed: Container[str]) -> str:
    """The page's scripts and a game's own as one text, without comments, indents and needless line ends. needed: those of SOMETIMES."""
    folder = places.templates()
    files = [folder / "form" / name for name in (*(name for name in SOMETIMES if name in needed), *SCRIPTS)]
    files[-1:-1] = [folder / game / "form" / name for name in own]
    spared = [stand_in for name, (_, stand_in) in SOMETIMES.items() if stand_in and name not in needed]
    lines = [_ASIDE.sub("", line.strip()) for file in files for line in file.read_text(encoding="utf-8").split("\n")]
    told = [_EAGER, '"use strict";', *spared, *(line for line in lines if line and not line.startswith(("//", "/**")))]
    return "".join(line if line[-1] in ";{,(" and "//" not in line else f"{line}\n" for line in told)


@lru_cache(maxsize=8)
def _style(game: str, own: Sequence[str], needed: frozenset[str]) -> str:
    """The page's style sheet and those beside its scripts, without the comments and blanks that only developers need."""
    folder = places.templates()
    scripts = [folder / "form" / name for name in ("form.js", *(name for name in SOMETIMES if name in needed))]
    scripts += [folder / game / "form" / name for name in own]
    files = [sheet for script in scripts if (sheet := script.with_suffix(".css")).exists()]
    return regex(r"\s*/\*.*?\*/|(?<=[:;,{}])\s+|\s+(?={)").sub(
        "", "".join(file.read_text(encoding="utf-8") for file in files)
    )


@lru_cache(maxsize=8)
def _policy(script: str) -> str:
    """The content security policy: it allows this script and styles inside the page, and nothing else."""
    digest = base64.b64encode(hashlib.sha256(f"\n{script}\n".encode()).digest()).decode()
    return f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


@lru_cache(maxsize=1)
def template() -> Template:
    """The template of the form's page."""
    from kingdom.render.templates import environment  # loads jinja2

    return environment(places.templates() / "form", {}).get_template("form.html")


def _markup(text: str) -> Markup:
    from markupsafe import Markup

    return Markup(text)
