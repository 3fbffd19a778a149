"""Counting what occurs in simulated campaigns, by closed vocabularies: kinds of orders, refusals, and the game's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from kingdom.campaign import next_turn
from kingdom.engine.game import AnyGame
from kingdom.engine.step import AnyResult, Orders
from kingdom.orders import orders_file, schema
from kingdom.orders.orders_file import GM

HEAD = ("kingdom", "turn", "token")  # keys of orders that order nothing

Counts: TypeAlias = Counter[tuple[str, str]]  # (vocabulary, word) -> how often it occurred


def vocabularies(game: AnyGame, rules: object) -> dict[str, list[str]]:
    """Return vocabulary -> its words, all of which simulations should bring up. (The causes of entries are counted too.)"""
    could = game.simulation.could_happen if game.simulation else None
    return {
        "order": list(_kinds(orders_file.declared(game, None))),
        "GM order": list(_kinds(orders_file.declared(game, GM))),
        "refusal": [*game.refusals, *next_turn.REFUSALS],
        **{vocabulary: list(words) for vocabulary, words in (could(rules) if could else {}).items()},
    }


def occurred(game: AnyGame, result: AnyResult, filed: Mapping[str, Orders], rules: object) -> Iterator[tuple[str, str]]:
    """Yield (vocabulary, word) each time that one occurred in the turn, in its orders or its results."""
    for seat, given in filed.items():
        declared, vocabulary = orders_file.declared(game, seat), "GM order" if seat == GM else "order"
        yield from ((vocabulary, kind) for kind in _kinds_in(declared, given))
    yield from (("refusal", notice.facts["code"]) for notice in result.notices if notice.kind == "refusal")
    yield from (("cause", entry.cause) for entry in result.entries)
    if game.simulation and game.simulation.happened:
        yield from game.simulation.happened(result, rules)


def _kinds(declared: schema.Record) -> Iterator[str]:
    """The kinds of orders: a key, or a key with the case or word behind it."""
    for key, of in declared.keys.items():
        if key not in HEAD:
            yield from (f"{key}: {word}" for word in _words(of)) if _words(of) else [key]


def _words(of: object) -> Iterable[str]:
    """The words that tell kinds of an order apart, none if it has one kind."""
    inner = of.of if isinstance(of, schema.ListOf) else of
    if isinstance(inner, (schema.OneOf, schema.Choice)):
        return list(inner.cases)
    return list(inner.keys) if isinstance(inner, schema.Record) and inner is of else []


def _kinds_in(declared: schema.Record, given: Orders) -> Iterator[str]:
    """The kind of each order in orders of the long form."""
    for key, value in given.items():
        of = declared.keys.get(key)
        if key in HEAD or of is None:
            continue
        words = _words(of)
        for item in value if isinstance(value, list) else [value]:
            if not words:
                yield key
            elif isinstance(of, schema.ListOf) and isinstance(of.of, schema.OneOf) and of.of.by:
                yield f"{key}: {item[of.of.by]}"
            else:
                yield from (f"{key}: {word}" for word in words if word in item)


def never(counts: Counts, words: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return vocabulary -> its words that never occurred, without vocabularies whose words all did."""
    missing = {name: [word for word in known if not counts[name, word]] for name, known in words.items()}
    return {name: left for name, left in missing.items() if left}
