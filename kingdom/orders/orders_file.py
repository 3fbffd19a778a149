"""Text that a player or the GM wrote -> orders in the long form, or all that is wrong with it; and orders -> text.

The long form has snake_case words and every list spelt out, as docs/contract.md shows it. `Record` of the game's orders
says which keys there are; the head (`kingdom`, `turn`), `amend`, `final` and `token` mean the same in every game.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from kingdom.engine.game import AnyGame
from kingdom.engine.problems import Problem, first_of, problem
from kingdom.orders import schema, yaml_out, yaml_text
from kingdom.orders.schema import Record

GM = "gm"
SCHEMA_FILE = "orders.schema.json"  # the schema of orders, beside a file of them
EDITOR_LINE = (
    f"# yaml-language-server: $schema={SCHEMA_FILE}"  # the head of such a file: from it editors take the schema
)


class Filing(NamedTuple):
    """What a text says. orders: the long form, its head included, None where there are problems.

    kingdom, turn: the head, as far as it could be read; "" and None where it could not. token: taken out of the orders.
    """

    orders: dict[str, Any] | None
    problems: list[Problem]
    kingdom: str
    turn: int | None
    token: str


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
    """The filing that a text is. `file` is what problems call it.

    names: the game's closed lists and "seats", the kingdoms in play. seat: whose orders they must be ("gm": the GM's),
    None where the text itself says. turn: which turn's, None for any. limit: bytes.
    subject: seat and turn were said beside the text, which may then leave them out.
    """
    node, problems = yaml_text.parse(text, file, limit, rejoin=True)
    if node is None:
        return Filing(None, first_of(problems), "", None, "")
    of = declared(game, _seat_of(node) if seat is None else seat)
    if subject:
        of = replace(of, required=())
    orders, found = schema.read(of, node, names, file)
    orders = orders or {}
    places = {(one.line, one.column) for one in problems}
    problems += (one for one in found if (one.line, one.column) not in places)
    problems += _head(orders, node, file, names, seat, turn)
    token = orders.pop("token", None) or ""
    if subject and not problems:
        orders = {"kingdom": seat, "turn": turn, **orders}
    kingdom = GM if of is game.gm_orders else orders.get("kingdom") or ""
    return Filing(None if problems else orders, first_of(problems), kingdom, orders.get("turn"), token)


def declared(game: AnyGame, seat: str | None) -> Record:
    """The declaration of a seat's orders: the GM's or a player's."""
    return game.gm_orders if seat == GM else game.orders


def _seat_of(node: yaml_text.Node) -> str | None:
    """GM where a text without a named seat is the GM's by its keys."""
    keys = {schema.snake(key.value): value for key, value in node.value} if node.kind == yaml_text.MAP else {}
    named = keys.get("kingdom")
    if named is not None:
        return GM if named.kind == yaml_text.TEXT and schema.snake(named.value) == GM else None
    return GM if GM in keys or "tell" in keys else None


def _head(
    orders: dict[str, Any],
    node: yaml_text.Node,
    file: str,
    names: Mapping[str, Container[str]],
    seat: str | None,
    turn: int | None,
) -> list[Problem]:
    """What is wrong with whose orders these are, and for which turn."""
    found = []
    kingdom, number = orders.get("kingdom"), orders.get("turn")
    if kingdom is not None and seat is not None and kingdom != seat:
        at = yaml_text.find(node, "kingdom")
        found.append(problem("another_kingdom", file, at.line, at.column, "kingdom", seat, word=kingdom, seat=seat))
    if number is not None and turn is not None and number != turn:
        at = yaml_text.find(node, "turn")
        found.append(problem("wrong_turn", file, at.line, at.column, "turn", str(turn), word=number, turn=turn))
    return found


def amend(filed: Mapping[str, Any], newer: Mapping[str, Any], game: AnyGame) -> dict[str, Any]:
    """What is filed, with the newer orders put in key by key; a key that is a map (`edicts`, `doors`) word by word."""
    merged = {**filed}
    keys = game.orders.keys
    for key, value in newer.items():
        by_word = isinstance(keys.get(key), (schema.MapOf, schema.Record)) and isinstance(merged.get(key), dict)
        merged[key] = {**merged[key], **value} if by_word else value
    merged.pop("amend", None)
    return {key: merged[key] for key in keys if key in merged}


def write(orders: Mapping[str, Any]) -> str:
    """The text of orders in the long form: what is filed. The same orders give the same text."""
    return yaml_out.dump({key: _word_alone(value) for key, value in orders.items()})


def _word_alone(value: Any) -> Any:
    """A choice without an argument, {word: ""}, is written as its word."""
    return next(iter(value)) if isinstance(value, dict) and list(value.values()) == [""] else value


def write_short(orders: Mapping[str, Any], game: AnyGame) -> str:
    """The text of orders in short forms, as a person would type them; it reads back as the same orders.

    What has no short form, or none that would be read as the same, is written in the long one.
    """
    from kingdom.orders.short_writing import lines_of

    lines = []
    for key, value in orders.items():
        of = game.orders if key in game.orders.keys else game.gm_orders
        lines += lines_of(of, key, value) or [yaml_out.dump({key: _word_alone(value)})]
    return "".join(lines)
