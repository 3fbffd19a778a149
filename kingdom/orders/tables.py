"""A game's tables and rulings: read from its data files, changed by a campaign, kept with every turn, and compared.

The base is every data/*.yaml of the game, in the campaign's edition (kingdom/orders/editions.py); a campaign's
`rules:` is laid over it (kingdom/orders/overrides.py), and how two of them differ is told in kingdom/orders/rule_changes.py. A turn's folder keeps its rules as rules.yaml, in the
form that `dump` writes and `kept` reads. The cache holds tables as JSON: unlike pickle it runs nothing, and decoding checks the types again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec

import kingdom
from kingdom.engine.game import AnyGame
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Faults, first_of, problem
from kingdom.orders import cache, editions, yaml_text
from kingdom.orders.overrides import Overlay, additions, is_nothing, pairs
from kingdom.orders.schema import snake
from kingdom.orders.vocabulary import fields_of
from kingdom.orders.yaml_out import flow, scalar
from kingdom.orders.yaml_text import MAP, Node, plain

if TYPE_CHECKING:
    from kingdom.orders.vocabulary import Kind

_CHANGED = "# Changed by the campaign: "  # begins the second line of a rules.yaml
# the modules that make what is cached
_MADE_BY = ("tables", "editions", "overrides", "vocabulary", "scalars", "yaml_text", "yaml_out")


_MOST_WENT_ON = 8


class Tables(NamedTuple):
    """Rules as loaded.

    rules: the game's Rules. json: the same as JSON, in the order of the tables, without defaults.
    digest: SHA-256 of json, in hex. changed: dotted names that a campaign changed or added.
    """

    rules: Any  # an instance of the class that the game names
    json: bytes
    digest: str
    changed: tuple[str, ...] = ()

    @property
    def data(self) -> dict[str, Any]:
        """The tables as plain data."""
        return msgspec.json.decode(self.json, type=dict[str, Any])


def load(
    game: AnyGame,
    overrides: Node | None = None,
    file: str = "campaign.yaml",
    edition: int = 0,
    began: Tables | None = None,
) -> Tables:
    """Load the game's tables with a campaign's `rules:` laid over them. `file` is the campaign file's name in problems.

    edition: of the game's rules, 0 for the newest. began: the rules of the newest turn of a campaign that names no edition; where they
    are older than the edition they go on. Raises problems.Faults with all problems of the overrides, or of the game's own files.
    """
    texts = [(os.fspath(path), path.read_bytes()) for path in sorted(game.data.glob("*.yaml"))]
    parts = [part for path, text in texts for part in (os.path.basename(path).encode(), text)]
    if overrides is None and not edition and began is None:
        return _cached(game, "base", parts, lambda: _read(game, texts, own=True))
    parts += editions.steps_back(game, edition) if edition else ()
    base = None if began is None else _gone_on(game, load(game, edition=edition), began)
    if overrides is None:
        return base or _cached(game, "edition", parts, lambda: _of_edition(game, edition))
    parts += [base.json] if base else []
    parts.append(msgspec.json.encode(plain(overrides)))
    return _cached(
        game, "changed", parts, lambda: _overridden(game, base or load(game, edition=edition), overrides, file)
    )


_went_on: dict[tuple[str, str, tuple[str, ...]], Tables] = {}  # what was worked out last, by the digests of both


def _gone_on(game: AnyGame, own: Tables, began: Tables) -> Tables:
    """Return the rules that a campaign goes on by, without its changes: the kept ones if they lack a table of the edition, else the edition's."""
    if own.digest == began.digest:
        return own
    key = own.digest, began.digest, began.changed
    if key not in _went_on:
        first, last = own.data, began.data
        older = editions.gone_on(first, last, frozenset(began.changed)) if first.keys() - last.keys() else None
        while len(_went_on) >= _MOST_WENT_ON:
            del _went_on[next(iter(_went_on))]
        _went_on[key] = own if older is None else _tables(game, msgspec.json.encode(older))
    return _went_on[key]


def _of_edition(game: AnyGame, edition: int) -> Tables:
    """Return the game's own tables in that edition."""
    data = load(game).data
    for text in editions.steps_back(game, edition):
        data = editions.step_back(data, text)
    return _tables(game, msgspec.json.encode(data))


def edition_of(game: AnyGame, own: Tables) -> int:
    """Return which edition these rules without a campaign's changes are; 0 if they are older than the first."""
    numbers = range(editions.newest(game), 0, -1)
    return next((number for number in numbers if load(game, edition=number).digest == own.digest), 0)


def ways_back(game: AnyGame, data: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return (ruling, the line of campaign.yaml that restores the first edition) for each ruling that differs from that edition.

    data: the tables in play. Only rulings, which have a text, are compared. Maps of figures are left out if the first
    edition has none, since maps merge in a campaign.
    """
    first, found = load(game, edition=1), []
    rulings = {name: value for name, value in data.items() if isinstance(value, dict) and "text" in value}
    for name, now in rulings.items():
        if name not in first.data:
            found.append((name, f"rules: {{{name}: null}}"))
            continue
        was = msgspec.json.decode(msgspec.json.encode(getattr(first.rules, name)))
        figures = {key: was[key] for key in now if key != "text" and was[key] != now[key] and was[key] != {}}
        if figures:
            found.append((name, f"rules: {{{name}: {flow(figures)}}}"))
    return found


def kept(game: AnyGame, text: str, file: str = "rules.yaml") -> Tables:
    """Read the tables of a turn's rules.yaml. Raises problems.Faults.

    Newer programs run a turn again with its own rules. So a table, ruling or field that a later program adds
    needs a default in the game's Rules that turns it off, and no name in them is ever removed.
    """
    data = text.encode()
    return _cached(game, "kept", [data], lambda: _read(game, [(file, data)])._replace(changed=_changed_by(text)))


def dump(tables: Tables) -> str:
    """Return the text of rules.yaml: every table and ruling as used, a line for each row. The same tables give the same text."""
    name = _name("text", "", [tables.json, *(word.encode() for word in tables.changed)])
    known = cache.get(name)
    if known is not None:
        return known.decode()
    head = ["# Every table and ruling as this turn used it."]
    if tables.changed:
        head.append(f"{_CHANGED}{', '.join(tables.changed)}")
    lines = [line for table, rows in tables.data.items() for line in _lines(table, rows)]
    text = "\n".join([*head, *lines, ""])
    cache.put(name, text.encode())
    return text


def _changed_by(text: str) -> tuple[str, ...]:
    """Return the dotted names that the head of a rules.yaml says a campaign changed."""
    line = next((line for line in text.split("\n", 2)[:2] if line.startswith(_CHANGED)), "")
    return tuple(line.removeprefix(_CHANGED).split(", ")) if line else ()


def _lines(name: str, content: object) -> list[str]:
    """Return a line for each row of a table, or for each figure of a ruling."""
    if isinstance(content, list):
        return [f"{name}:", *(f"  - {flow(row)}" for row in content)]
    if not isinstance(content, dict):  # a choice: a word that names what is played
        return [f"{name}: {flow(content)}"]
    return [f"{name}:", *(f"  {scalar(key)}: {flow(value)}" for key, value in content.items())]


def _cached(game: AnyGame, what: str, parts: Iterable[bytes], make: Callable[[], Tables]) -> Tables:
    """Return the tables made from these bytes: from the cache, if it has them and they fit the game's vocabulary."""
    name = _name(what, game.name, parts)
    content = cache.get(name)
    if content is not None:
        changed, _, json = content.partition(b"\n")
        try:
            return _tables(game, json, msgspec.json.decode(changed, type=tuple[str, ...]))
        except msgspec.DecodeError:
            pass
    tables = make()
    cache.put(name, msgspec.json.encode(tables.changed) + b"\n" + tables.json)
    return tables


def _name(what: str, game: str, parts: Iterable[bytes]) -> str:
    """Return the name in the cache for what this version of the program makes from these bytes."""
    digest = sha256(f"{_program()} {game}".encode())
    for part in parts:
        digest.update(b"%d:" % len(part) + part)
    return f"kingdom-{what}-{digest.hexdigest()[:40]}"


def _program() -> str:
    """Return a text that changes when the program's files do."""
    try:
        modules = [os.stat(f"{os.path.dirname(__file__)}/{module}.py") for module in _MADE_BY]
    except OSError:  # the program runs without its sources
        modules = []
    return f"{kingdom.__version__} {[(about.st_mtime_ns, about.st_size) for about in modules]}"


def _tables(game: AnyGame, json: bytes, changed: Iterable[str] = ()) -> Tables:
    """Raises msgspec.DecodeError."""
    kind: Kind = game.Rules
    rules, digest = _decoded(kind, json)
    return Tables(rules, json, digest, tuple(changed))


@lru_cache(maxsize=8)
def _decoded(kind: Kind, json: bytes) -> tuple[Any, str]:
    """Return (the rules, the digest of their JSON). Equal JSON gives the same record, so that values remembered for it stay valid."""
    return msgspec.json.decode(json, type=kind), sha256(json).hexdigest()


def _read(game: AnyGame, texts: Sequence[tuple[str, bytes]], own: bool = False) -> Tables:
    """Read the tables of these (file, text). own: they are the game's own files, which must use every effect code."""
    tables = _nodes(texts)
    known = fields_of(game.Rules)
    names = {key.value: [row.value for row, _ in pairs(node)] for _, key, node in tables}
    overlay = Overlay({name: names.get(name, ()) for name in known}, "")
    data: dict[str, object] = {}
    place: dict[str, str] = {}
    for overlay.file, key, node in tables:
        name = key.value
        if name not in known:
            overlay.unknown_key(key, name, known)
        elif name in place:
            overlay.note("table_twice", key, name, word=name, other=place[name])
        else:
            place[name] = overlay.file
            data[name] = overlay.lay(known[name].type, msgspec.UNSET, node, name)
    overlay.file = os.fspath(game.data) if own else texts[0][0]
    whole = Node(MAP, (), 1, 1)
    for name in [name for name, field in known.items() if field.required and name not in place]:
        overlay.note("missing_table", whole, name, word=name)
    for code in sorted(overlay.codes - overlay.used) if own and not overlay.problems else ():
        overlay.note("unused_code", whole, "", word=code)
    return _finished(game, overlay, data, whole)


def _nodes(texts: Iterable[tuple[str, bytes]]) -> list[tuple[str, Node, Node]]:
    """Return (file, key, table) for every table in these (file, text). Raises problems.Faults."""
    tables, problems = [], []
    for file, text in texts:
        node, more = yaml_text.read(text, file, None)
        problems += more
        if node is not None and node.kind is MAP:
            tables += [(file, key, value) for key, value in node.value]
        elif node is not None:
            problems.append(problem("not_map", file, meaning="the tables", example="table: {...}"))
    if problems:
        raise Faults(problems)
    return tables


def _overridden(game: AnyGame, base: Tables, node: Node, file: str) -> Tables:
    """Return the base with a campaign's `rules:` laid over it. Raises problems.Faults."""
    if is_nothing(node):
        return base
    names = {table: list(rows) for table, rows in base.data.items() if isinstance(rows, dict)}
    for table, rows in additions(node):
        names.setdefault(snake(table.value), []).extend(snake(key.value) for key, _ in pairs(rows))
    overlay = Overlay(names, file, "rules.")
    return _finished(
        game, overlay, overlay.campaign(game.Rules, base.data, node, lambda name: _brought(game, name)), node
    )


def _brought(game: AnyGame, name: str) -> int:
    """Return the first edition that has this table or ruling; the newest if none has it."""
    newest = editions.newest(game)
    return next((number for number in range(1, newest) if name in load(game, edition=number).data), newest)


def _finished(game: AnyGame, overlay: Overlay, data: Mapping[str, object] | None, node: Node) -> Tables:
    """Return the finished tables. Raises problems.Faults if the overlay noted problems."""
    if not overlay.problems:
        overlay.prove(game.Rules, data, node, "")
    if overlay.problems or data is None:
        raise Faults(first_of(overlay.problems))
    ordered = {name: data[name] for name in fields_of(game.Rules) if name in data}
    return _tables(game, msgspec.json.encode(ordered), overlay.changed if overlay.under else ())
