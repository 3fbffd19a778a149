"""Writes the types of a game's orders in the long form, kingdom/games/GAME/order_types.py, from their declaration, and says
which changed. A game without that file has its types where its orders are told (kingdom/orders/kit). Run it with `scripts/retype` after a change of a game's orders."""

from __future__ import annotations

import importlib
import importlib.util
import keyword
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from kingdom.engine import game as games
from kingdom.orders.orders_file import GM, declared
from kingdom.orders.schema import (
    Choice,
    Either,
    Flag,
    ListOf,
    MapOf,
    Number,
    OneOf,
    Raw,
    Record,
    Shape,
    Word,
)

ROOT = Path(__file__).resolve().parent.parent
HEAD = '''"""The orders of {title} in the long form, as types. Made by `scripts/retype` from orders.py; change that, not this.

A type is named for the keys that lead to it: `BuildUpgrade` is an upgrade under `build`. A list is as its seat filed it; where the
GM made an order void, None stands in its place, which `common_orders.listed` leaves out.
"""

from typing import {imports}
'''
WHOLE = ("Orders", "GmOrders")  # the names of the types of whole files, of a player's orders and of the GM's
TYPING = ("Literal", "NotRequired", "TypeAlias", "TypedDict")


class Field(NamedTuple):
    """A key of a map: what may stand there as Python says it, what it means, whether it must be there."""

    type: str
    meaning: str
    required: bool


class Types:
    """The types of one game's orders, each after those that it is made of."""

    def __init__(self) -> None:
        self.definitions: dict[str, str] = {}  # name -> its Python
        self._named: dict[str, str] = {}  # the Python of a type's fields -> the name under which it stands already

    def of(self, shape: Shape, name: str) -> str:
        """The type of a value of the shape. name: for a type that must be defined for it."""
        match shape:
            case Number():
                return "int"
            case Flag():
                return "bool"
            case Word(of=tuple()):
                return literal([*shape.of, *shape.also])
            case ListOf():
                return f"list[{self.of(shape.of, name)}]"
            case Record():
                return self.record(shape, name)
            case OneOf():
                cases = [
                    self.record(record, name + camel(case), shape.by, case) for case, record in shape.cases.items()
                ]
                return self.alias(union(cases), name) if len(cases) > 1 else union(cases)
            case MapOf():
                values = [self.of(shape.of, name), *(self.of(of, name + camel(key)) for key, of in shape.fixed.items())]
                return f"dict[{self.of(shape.key, name + 'Key')}, {union(values)}]"
            case Choice():
                return self.choice(shape, name)
            case Either():
                return union(self.of(of, name) for of in shape.shapes)
            case Raw():
                return "object"
            case _:
                return "str"

    def record(self, shape: Record, name: str, by: str = "", case: str = "") -> str:
        """A map with known keys; `by` is the key that says which case of several it is."""
        fields = {by: Field(literal([case]), "which of them", True)} if by else {}
        for key, of in shape.keys.items():
            fields[key] = Field(self.of(of, name + camel(key)), of.meaning, key in shape.required)
        return self.define(fields, name, shape.meaning)

    def choice(self, shape: Choice, name: str) -> str:
        """A map of one of the words to its argument, "" for none."""
        fields = {}
        for word, of in shape.cases.items():
            argument = [self.of(of, name + camel(word))] if of else []
            fields[word] = Field(union([*argument, literal([""])]), of.meaning if of else "", False)
        return self.define(fields, name, f"{shape.meaning}: one of these")

    def define(self, fields: Mapping[str, Field], name: str, meaning: str) -> str:
        """The name of a type with these fields; the same fields have one name."""
        body = repr(fields)
        if body not in self._named:
            self._named[body] = name = self.free(name)
            self.definitions[name] = typed_dict(name, fields, meaning)
        return self._named[body]

    def alias(self, type_: str, name: str) -> str:
        """The name of a union of types; the same union has one name."""
        if type_ not in self._named:
            self._named[type_] = name = self.free(name)
            self.definitions[name] = f"{name}: TypeAlias = {type_}\n"
        return self._named[type_]

    def free(self, name: str) -> str:
        """The name, changed if another type has it already."""
        return name if name not in self.definitions and name not in WHOLE else self.free(f"{name}Item")


def typed_dict(name: str, fields: Mapping[str, Field], meaning: str) -> str:
    """A TypedDict: as a class where its keys can be a class's names, else as a call."""
    meaning = f"{meaning[:1].upper()}{meaning[1:]}"
    rows = [
        (key, field.type if field.required else f"NotRequired[{field.type}]", field) for key, field in fields.items()
    ]
    said = [f"  # {field.meaning}" if field.meaning else "" for field in fields.values()]
    if all(key.isidentifier() and not keyword.iskeyword(key) for key in fields):
        lines = [f"    {key}: {type_}{note}\n" for (key, type_, _), note in zip(rows, said, strict=True)]
        return f'class {name}(TypedDict):\n    """{meaning}."""\n\n{"".join(lines)}'
    lines = [f'        "{key}": {type_},{note}\n' for (key, type_, _), note in zip(rows, said, strict=True)]
    return f'{name} = TypedDict(  # {meaning}\n    "{name}",\n    {{\n{"".join(lines)}    }},\n)\n'


def camel(word: str) -> str:
    """A key as part of a type's name: city_veto as CityVeto."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"\W|_", word))


def literal(words: Iterable[str]) -> str:
    """The type of one of these words."""
    return f"Literal[{', '.join(quoted(word) for word in dict.fromkeys(words))}]"


def quoted(text: str) -> str:
    """A text as Python, in double quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def union(types: Iterable[str]) -> str:
    """A union of these types, each once; a union among them is taken apart, except inside brackets."""
    cases = (case for type_ in types for case in re.findall(r"(?:[^\[\]|]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])+", type_))
    return " | ".join(dict.fromkeys(case.strip() for case in cases))


def place_of_orders(name: str) -> ModuleType:
    """Return the module in which a game declares its orders."""
    for place in ("orders", "game"):
        if importlib.util.find_spec(f"kingdom.games.{name}.{place}"):
            break
    module = importlib.import_module(f"kingdom.games.{name}.{place}")
    within = f"{module.__name__}.declaration"
    return (
        importlib.import_module(within) if hasattr(module, "__path__") and importlib.util.find_spec(within) else module
    )


def decisions(name: str) -> Sequence[Any]:
    """Return the orders of a game that are told on the order kit; their types stand there."""
    orders: Sequence[Any] = vars(place_of_orders(name)).get("DECISIONS", ())
    return orders


def module(game: games.AnyGame) -> str:
    """The text of the module with the types of a game's orders."""
    types = Types()
    for seat, name in zip((None, GM), WHOLE, strict=True):
        shape = declared(game, seat)
        keys = shape.keys.keys() - {order.key for order in decisions(game.name)}
        fields = {
            key: Field(types.of(of, camel(key)), of.meaning, key in shape.required)
            for key, of in shape.keys.items()
            if key in keys
        }
        types.definitions[name] = typed_dict(name, fields, shape.meaning)
    body = "\n\n".join(types.definitions.values())
    imports = ", ".join(word for word in TYPING if re.search(rf"\b{word}\b", body))
    text = f"{HEAD.format(title=game.title.partition(':')[0], imports=imports)}\n\n{body}"
    ruff = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(file_of(game.name))]
    return subprocess.run(ruff, input=text, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def file_of(name: str) -> Path:
    """Where the types of a game's orders stand."""
    return ROOT / "kingdom" / "games" / name / "order_types.py"


def written() -> list[str]:
    """Return the games whose types are written here."""
    return [name for name in games.names() if file_of(name).is_file()]


def main() -> None:
    """Renew the types of every game that has a file of them."""
    for name in written():
        file, text = file_of(name), module(games.load(name))
        if file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            print(file.relative_to(ROOT))


if __name__ == "__main__":
    main()
