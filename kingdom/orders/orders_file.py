"""Reading a text of a player or the GM as orders in the long form, or as problems; and writing orders as text.

The long form has snake_case words and full lists, as docs/contract.md shows it. The `Record` of the game's orders
declares the keys; the head (`kingdom`, `turn`), `amend`, `final` and `token` mean the same in every game.
"""

import re
from collections.abc import Container, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kingdom.engine.game import AnyGame, Declaration
from kingdom.engine.problems import HEAD, Faults, Problem, first_of, problem
from kingdom.engine.regex import regex
from kingdom.engine.step import Orders
from kingdom.orders import reading, yaml_out, yaml_text
from kingdom.orders.reading import short_of
from kingdom.orders.schema import Choice, Flag, ListOf, MapOf, Number, OneOf, Record, Shape, pair_of, part_of, snake

GM = "gm"
_TYPED = regex(r"\w(?:[\w .,'-]*[\w.'])?")  # what a person need not quote
WIDTH = 78  # columns; a longer list of short forms is broken behind a comma
SCHEMA_FILE = "orders.schema.json"  # the schema of orders, beside a file of them
# the first line of such a file, from which editors take the schema
EDITOR_LINE = f"# yaml-language-server: $schema={SCHEMA_FILE}"


class Filing(Struct, frozen=True):
    """A text that was read. orders: the long form with its head, None if there are problems.

    kingdom, turn: the head, as far as it could be read, else "" and None. token: it is taken out of the orders.
    """

    orders: dict[str, Any] | None
    problems: list[Problem]
    kingdom: str
    turn: int | None
    token: str

    def proved(self) -> dict[str, Any]:
        """Return the orders. Raises Faults if there are problems."""
        if self.orders is None:
            raise Faults(self.problems)
        return self.orders


def read(
    text: bytes,
    file: str,
    game: AnyGame,
    names: Mapping[str, Container[str]],
    seat: str | None,
    turn: int | None,
    limit: int = yaml_text.LIMIT,
    subject: bool = False,
) -> Filing:
    """Read a text of orders. `file` is its name in problems.

    names: the game's closed lists and "seats", the kingdoms in play. seat: whose orders they must be ("gm": the GM's),
    None if the text itself says it. turn: which turn's, None for any. limit: bytes.
    subject: a mail's subject names seat and turn, so the text may leave them out.
    """
    node, problems = yaml_text.parse(text, file, limit, rejoin=True)
    if node is None:
        return Filing(None, first_of(problems), "", None, "")
    of = declared(game, _seat_of(node) if seat is None else seat)
    by_gm = of is game.gm_orders
    if subject:
        of = replace(of, required=())
    head = of.keys.get("turn")
    if turn is not None and isinstance(head, Number):  # what a problem tells to write is right as it stands
        of = replace(of, keys={**of.keys, "turn": replace(head, example=turn)})
    value, more = reading.read(of, node, names, file, seat=seat or "")
    orders: dict[str, Any] = value or {}
    places = {(problem.line, problem.column) for problem in problems}
    problems += (problem for problem in more if (problem.line, problem.column) not in places)
    problems += _head(orders, node, file, names, seat, turn)
    token = orders.pop("token", None) or ""
    if subject and not problems:
        orders = {"kingdom": seat, "turn": turn, **orders}
    kingdom = GM if by_gm else orders.get("kingdom") or ""
    return Filing(None if problems else orders, first_of(problems), kingdom, orders.get("turn"), token)


def declared(game: AnyGame, seat: str | None) -> Record:
    """Return the declaration of a seat's orders: the GM's or a player's."""
    return record_of(game.gm_orders if seat == GM else game.orders, game)


def record_of(declaration: Declaration, game: AnyGame) -> Record:
    """Return a game's declaration as a Record: the engine stands below the schema and knows it by a protocol alone."""
    if not isinstance(declaration, Record):
        raise TypeError(f"the texts of {game.name} must be declared as Records of kingdom/orders/schema.py")
    return declaration


def _seat_of(node: yaml_text.Node) -> str | None:
    """Return GM if a text that names no seat has the keys of the GM's orders, else None."""
    keys = {snake(key.value): value for key, value in node.value} if node.kind == yaml_text.MAP else {}
    named = keys.get("kingdom")
    if named is not None:
        return GM if named.kind == yaml_text.TEXT and snake(named.value) == GM else None
    return GM if GM in keys or "tell" in keys else None


def _head(
    orders: dict[str, Any],
    node: yaml_text.Node,
    file: str,
    names: Mapping[str, Container[str]],
    seat: str | None,
    turn: int | None,
) -> list[Problem]:
    """Return the problems of the head: whose orders these are, and for which turn."""
    problems = []
    kingdom, number = orders.get("kingdom"), orders.get("turn")
    if kingdom is not None and seat is not None and kingdom != seat:
        at = yaml_text.find(node, "kingdom")
        problems.append(problem("another_kingdom", file, at.line, at.column, "kingdom", seat, word=kingdom, seat=seat))
    if number is not None and turn is not None and number != turn:
        at = yaml_text.find(node, "turn")
        problems.append(problem("wrong_turn", file, at.line, at.column, "turn", str(turn), word=number, turn=turn))
    return problems


def only_adds(orders: Orders, game: AnyGame, seat: str) -> bool:
    """Return whether orders replace nothing that is filed: all their keys are declared to add to it, or
    there are none, as in an order form in which nothing was chosen."""
    return {key for key in orders if key not in HEAD} <= set(declared(game, seat).adds)


def add(filed: Orders, newer: Orders, game: AnyGame, seat: str) -> dict[str, Any]:
    """Return the filed orders with newer ones that only add: items of a list after those already there, each once."""
    lists = {key: value for key, value in newer.items() if isinstance(value, list) and isinstance(filed.get(key), list)}
    joined = {key: filed[key] + [item for item in value if item not in filed[key]] for key, value in lists.items()}
    return amend(filed, {**newer, **joined}, game, seat)


def lost(filed: Orders, newer: Orders, game: AnyGame, seat: str | None = None) -> dict[str, Any]:
    """Return the filed orders that are missing in newer ones: whole keys, items of a list, words of a map, but not changed words."""
    gone: dict[str, Any] = {}
    keys = declared(game, seat).keys
    for key, value in filed.items():
        now = newer.get(key)
        if key in HEAD:
            continue
        if now is None:
            gone[key] = value
        elif (
            isinstance(value, list) and isinstance(now, list) and (items := [item for item in value if item not in now])
        ):
            gone[key] = items
        elif isinstance(value, dict) and isinstance(now, dict) and _merges_by_word(keys.get(key)):
            gone |= {key: words} if (words := {word: value[word] for word in value if word not in now}) else {}
    return gone


def amend(filed: Orders, newer: Orders, game: AnyGame, seat: str | None = None) -> dict[str, Any]:
    """Return the filed orders with the newer ones put in key by key; a key that is a map (`edicts`, `answers`) word by word."""
    merged = {**filed}
    keys = declared(game, seat).keys
    for key, value in newer.items():
        by_word = _merges_by_word(keys.get(key)) and isinstance(merged.get(key), dict)
        merged[key] = {**merged[key], **value} if by_word else value
    merged.pop("amend", None)
    return {key: merged[key] for key in keys if key in merged}


def _merges_by_word(shape: Shape | None) -> bool:
    """Return whether a key's newer words join the filed ones, as in `edicts`; in `loyalty`, a choice, one word replaces another."""
    return isinstance(shape, (MapOf, Record))


def write(orders: Orders) -> str:
    """Return orders as text in the long form, to be filed. The same orders give the same text."""
    return yaml_out.dump({key: _word_alone(value) for key, value in orders.items()})


def _word_alone(value: object) -> object:
    """Return a choice without an argument, {word: ""}, as its word alone."""
    return next(iter(value)) if isinstance(value, dict) and list(value.values()) == [""] else value


def write_short(orders: Orders, game: AnyGame) -> str:
    """Return orders as text in short forms, as a person would type them; it reads back as the same orders.

    An order without a short form, or whose short form would read differently, is written in the long form.
    """
    players, gms = declared(game, None), declared(game, GM)
    lines = []
    for key, value in orders.items():
        of = players if key in players.keys else gms
        lines += lines_of(of, key, value) or [yaml_out.dump({key: _word_alone(value)})]
    return "".join(lines)


def lines_of(shape: Record, key: str, value: object) -> list[str] | None:
    """Return the lines of `key: value` in short forms; None if it has no short form."""
    of = shape.keys[key]
    if isinstance(of, (Flag, Number)):
        return None
    if isinstance(of, Record) and isinstance(value, dict):
        if value and all(shape.short_keys.get(word) == key for word in value):
            return [f"{word}: {_scalar(part)}\n" for word, part in value.items()]
    elif isinstance(of, ListOf) and isinstance(value, list):
        if of.pairs and len({item[of.pairs[0]] for item in value}) == len(value) > 0:
            return _pairs(of, key, value)
        by = of.of.by if isinstance(of.of, OneOf) else ""
        words = {item.get(by) for item in value} if isinstance(of.of, OneOf) else set()
        if len(words) == 1 and shape.short_keys.get(word := words.pop()) == key:
            key, of = word, part_of(of, word)
            value = [{name: part for name, part in item.items() if name != by} for item in value]
    text = text_of(of, value)
    return None if text is None else [_wrapped(f"{key}: {_scalar(text)}") + "\n"]


def _pairs(of: ListOf, key: str, value: list[dict[str, str]]) -> list[str] | None:
    """Return a list of two-key records as the lines of a map; None if an item has other keys."""
    (first, _), (second, _) = pair_of(of)
    if any(set(item) != {first, second} for item in value):
        return None
    return [f"{key}:\n", *(f"  {yaml_out.scalar(item[first])}: {yaml_out.scalar(item[second])}\n" for item in value)]


def _scalar(text: str) -> str:
    """Return a text as a person would type it: in quotes only if YAML needs them."""
    plain = _TYPED.fullmatch(text) and text.lower() not in yaml_out.OTHERWISE_READ
    return text if plain else yaml_out.quoted(text)


def _wrapped(line: str) -> str:
    """Return the lines of a text that is too long, broken after its commas; a quoted text stays whole."""
    if len(line) <= WIDTH or '"' in line:
        return line
    lines = [""]
    for part in line.split(", "):
        if lines[-1] and len(lines[-1]) + len(part) + 3 > WIDTH:
            lines.append("  " + part + ", ")
        else:
            lines[-1] += part + ", "
    return "\n".join(text.rstrip(" ") for text in lines).rstrip(", ")


def text_of(shape: Shape, value: object) -> str | None:
    """Return the short form of a value of this shape, None if it has none."""
    if isinstance(shape, ListOf) and isinstance(value, list):
        return _list(shape, value)
    if isinstance(shape, (Record, OneOf)) and isinstance(value, dict):
        return short_of(shape, value)
    if isinstance(shape, Choice) and isinstance(value, dict):
        word, argument = next(iter(value.items()))
        return " ".join(filter(None, (word, argument))) if isinstance(argument, str) else None
    if isinstance(value, (bool, int)):
        return yaml_out.flow(value)
    return value if isinstance(value, str) else None


def _list(shape: ListOf, value: list[object]) -> str | None:
    texts = [text for item in value if (text := text_of(shape.of, item)) is not None]
    if not texts or len(texts) < len(value):
        return None
    if shape.short in ("words", "commas"):
        between, joined = (r"[\s,]", " ") if shape.short == "words" else (",", ", ")
        return None if any(re.search(between, text) for text in texts) else joined.join(filter(None, texts))
    return texts[0] if shape.short == "one" and len(texts) == 1 else None
