"""Laying a text over tables: each key and value is checked against the game's types, and all problems are reported at once.

The types are the game's closed vocabulary (kingdom/orders/vocabulary.py). Maps merge; everything else replaces the old value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, Never, TypeAlias, get_args

from msgspec import UNSET, Meta, ValidationError, convert
from msgspec.structs import FieldInfo

from kingdom.engine.problems import MESSAGES, problem, shown
from kingdom.orders.scalars import ScalarReading, all_of
from kingdom.orders.schema import Flag, Id, Number, Text, Word, snake
from kingdom.orders.vocabulary import (
    Kind,
    bare,
    fields_of,
    is_keyed,
    is_record,
    is_union,
    origin,
    own_fields,
    without_none,
)
from kingdom.orders.yaml_text import LIST, MAP, TEXT, Node, find, plain

Rows: TypeAlias = dict[str, object]  # a table as plain data, or one row of it

TABLE_MESSAGES: dict[str, str] = {
    "unknown_row": "`{word}` is not in {table}.{cure}",
    "row_exists": "`{word}` is in {table} already. Change it outside `add`: `{table}: {{{word}: ...}}`.",
    "nothing_to_add": "Nothing can be added to `{word}`.{cure}",
    "nothing_to_set": "The ruling `{word}` has no figures, so nothing of it can be changed.",
    "fixed_text": "The text of a ruling can't be changed: it says what the program does.",
    "same_twice": "`{word}` is the {field} of {row} already. Each row of {table} needs its own.",
    "impossible": "This can't be so ({what}): {reason}.",
    "not_played": "`{word}` is not in the rules that this campaign plays, so nothing of it can be changed. `edition: {edition}` in campaign.yaml brings "
    "it, with all else that is in edition {edition}.",
    "missing_table": "The table or ruling `{word}` is missing.",
    "table_twice": "The table or ruling `{word}` stands in {other} too. Keep one.",
    "unused_code": "No row uses the effect code `{word}` of the vocabulary.",
}


class Overlay(ScalarReading):
    """One text laid over tables. names: table -> the names of its rows, new ones included.

    under: the path of the text in its file, "rules." or "", for the paths of problems.
    changed: dotted names of the values that differ from the tables below. codes, used: effect codes that are declared, and that are used.
    """

    def __init__(self, names: Mapping[str, Iterable[str]], file: str, under: str = ""):
        super().__init__({table: tuple(rows) for table, rows in names.items()}, file)
        self.under = under
        self.changed: list[str] = []
        self.codes: set[str] = set()
        self.used: set[str | None] = set()

    def note(self, code: str, node: Node, path: str, hint: str = "", **facts: Any) -> Never | None:
        """Note a problem at the node; `path` is the place in the tables. Returns None."""
        messages = TABLE_MESSAGES if code in TABLE_MESSAGES else MESSAGES
        where = f"{self.under}{path}".rstrip(".")
        self.problems.append(problem(code, self.file, node.line, node.column, where, hint, messages, **facts))
        return None

    def lay(self, kind: Kind, base: object, node: Node, path: str) -> object:
        """Return `base` with `node` laid over it, as plain data. If nothing is below, base is UNSET and the node must be complete.

        kind: the type that the data is to have.
        """
        kind, meta = bare(kind)
        inner = without_none(kind)
        if inner is not None and is_nothing(node):
            return self.put(base, None, path)
        if inner is not None:
            return self.lay(inner, UNSET if base is None else base, node, path)
        if is_record(kind):
            return self.record(kind, base, node, path)
        if origin(kind) is dict:
            row, value = get_args(kind)
            return self.rows(value, base, node, path) if is_keyed(kind) else self.mapping(row, value, base, node, path)
        if origin(kind) is tuple:
            return self.put(base, self.sequence(get_args(kind)[0], node, path), path)
        if is_union(kind):
            return self.case(kind, node, path)
        return self.put(base, self.leaf(kind, meta, base, node, path), path)

    def put(self, base: object, value: object, path: str) -> object:
        """Return the value, and note that it replaces `base`."""
        if value != base and "[" not in path:
            self.changed.append(path)
        return value

    def record(self, kind: Kind, base: object, node: Node, path: str, given: Mapping[str, object] = {}) -> Rows | None:
        """Read a record. given: fields that already have a value, if nothing is below."""
        if node.kind is not MAP:
            return self.note("not_map", node, path, meaning=_meaning(path), example=self.example(kind))
        known = fields_of(kind)
        values = {**given, **_rows(base)}
        before = len(self.problems)
        for word, key, value in self.keys(node, path, known):
            if word is None:
                self.unknown_key(key, f"{path}.{snake(key.value)}", known)
            else:
                values[word] = self.field(known[word], values.get(word, UNSET), value, f"{path}.{word}")
        for word in [word for word, field in known.items() if field.required and word not in values]:
            example = self.example(known[word].type)
            self.note("missing_key", node, path, word=word, meaning=f"needed in {path}", example=example)
        if len(self.problems) == before and hasattr(kind, "__post_init__"):
            self.prove(kind, values, node, path)
        return values

    def field(self, field: FieldInfo, base: object, node: Node, path: str) -> object:
        """Read a field of a record; if "" means none, it may be left empty."""
        if field.default == "" and is_nothing(node):
            return self.put(base, "", path)
        return self.lay(field.type, base, node, path)

    def prove(self, kind: Kind, values: object, node: Node, path: str) -> None:
        """Note a problem if the record's own checks reject its values taken together."""
        try:
            convert(values, kind)
        except ValidationError as error:
            self.note("impossible", node, path, what=path or "rules", reason=str(error).partition(" - at `$")[0])

    def case(self, kind: Kind, node: Node, path: str) -> Rows | None:
        """A record of a tagged union: its tag says which."""
        cases = {case.__struct_config__.tag: case for case in get_args(kind)}
        tag = get_args(kind)[0].__struct_config__.tag_field
        self.codes |= set(cases)
        if node.kind is not MAP:
            return self.note("not_map", node, path, meaning=_meaning(path), example=f"{{{tag}: {min(cases)}}}")
        rest = tuple(pair for pair in node.value if snake(pair[0].value) != tag)
        named = [value for key, value in node.value if snake(key.value) == tag]
        if not named:
            return self.note("missing_key", node, path, word=tag, meaning=f"needed in {path}", example=min(cases))
        word = self.word(Word(_meaning(f"{path}.{tag}"), tuple(cases)), named[0], f"{path}.{tag}")
        self.used.add(word)
        if word is None:
            return None
        values = self.record(cases[word], UNSET, Node(MAP, rest, node.line, node.column), path)
        return {tag: word, **(values or {})}

    def rows(self, kind: Kind, base: object, node: Node, path: str) -> Rows | None:
        """Read a keyed table. If something is below, only its rows are known."""
        if node.kind is not MAP:
            return self.note("not_map", node, path, meaning=_meaning(path), example="{...}")
        known = _rows(base)
        values = dict(known)
        for word, key, value in self.keys(node, path, None if base is UNSET else known):
            if word is not None:
                values[word] = self.lay(kind, values.get(word, UNSET), value, f"{path}.{word}")
                continue
            sentence, near = self.cure(snake(key.value), known)
            sentence += "" if "." in path else f" What is new goes under `add: {{{path}: ...}}`."
            inner = f"{path}.{snake(key.value)}"
            self.note("unknown_row", key, inner, near, word=shown(key.value), table=path, cure=sentence)
        self.once(kind, values, node, path)
        return values

    def campaign(
        self, rules: Kind, base: Mapping[str, object], node: Node, brought: Callable[[str], int]
    ) -> Rows | None:
        """Read a campaign's rules over all the tables: rulings keep their text, and new rows stand under `add`.

        brought: the first edition that has a table or ruling. Of what the base lacks nothing can be changed, and `null` is what it is.
        """
        if node.kind is not MAP:
            return self.note("not_map", node, "", meaning="what this campaign changes", example=self.example(rules))
        known, values = fields_of(rules), dict(base)
        tables = [name for name, field in known.items() if is_keyed(field.type) and name in base]
        for word, key, value in self.keys(node, "", (*known, "add")):
            if word is None:
                self.unknown_key(key, snake(key.value), (*known, "add"))
            elif word != "add" and word not in base:
                if not is_nothing(value):
                    self.note("not_played", key, word, word=word, edition=brought(word))
            elif word != "add":
                kind = known[word].type
                values[word] = self.lay(kind, values.get(word, UNSET), self.settable(kind, key, value), word)
            elif value.kind is not MAP:
                self.note("not_map", value, "add", meaning="what this campaign adds", example=f"{{{tables[0]}: ...}}")
        for key, rows in additions(node):
            table = snake(key.value)
            if table in tables:
                values[table] = self.add(get_args(known[table].type)[1], _rows(values[table]), rows, table)
            elif table in known and table not in base and is_keyed(known[table].type):
                self.note("not_played", key, f"add.{table}", word=table, edition=brought(table))
            else:
                sentence, near = self.cure(table, tables)
                self.note("nothing_to_add", key, f"add.{table}", near, word=shown(key.value), cure=sentence)
        return values

    def settable(self, kind: Kind, key: Node, node: Node) -> Node:
        """Return a campaign's node for a table, without the keys of a ruling that it may not set."""
        if not is_record(kind) or "text" not in fields_of(kind) or node.kind is not MAP:
            return node
        if len(fields_of(kind)) == 1 and node.value:
            self.note("nothing_to_set", key, snake(key.value), word=snake(key.value))
            return Node(MAP, (), node.line, node.column)
        for inner, _ in node.value:
            if snake(inner.value) == "text":
                self.note("fixed_text", inner, f"{snake(key.value)}.text")
        return Node(MAP, tuple(pair for pair in node.value if snake(pair[0].value) != "text"), node.line, node.column)

    def add(self, kind: Kind, base: Rows, node: Node, table: str) -> Rows | None:
        """Return the keyed table with new rows. A row without a name gets one made of its id."""
        path = f"add.{table}"
        if node.kind is not MAP:
            example = f"{{my_own: {self.example(kind)}}}"
            return self.note("not_map", node, path, meaning=f"what is added to {table}", example=example)
        values = dict(base)
        for key, value in node.value:
            word = self.id(Id(f"a new id in {table}", example="my_own"), key, path)
            if word is not None and word in values:
                self.note("row_exists", key, f"{path}.{word}", word=word, table=table)
            elif word is not None:
                given = {"name": word.replace("_", " ").title()} if "name" in fields_of(kind) else {}
                before = len(self.changed)
                values[word] = self.record(kind, UNSET, value, f"{path}.{word}", given)
                self.changed[before:] = [f"{table}.{word}"]
        self.once(kind, values, node, path)
        return values

    def once(self, kind: Kind, rows: Rows, node: Node, path: str) -> None:
        """Note each row of this text that shares a value with another row in a field that must be unique."""
        own = {snake(key.value) for key, _ in pairs(node)}
        for name in own_fields(kind):
            owner: dict[object, str] = {}
            for row in sorted(rows, key=lambda row: row in own):
                value = _rows(rows[row]).get(name)
                if value is None or owner.setdefault(value, row) == row or row not in own:
                    continue
                self.note(
                    "same_twice", find(node, f"{row}.{name}"), f"{path}.{row}",
                    word=value, field=name, row=owner[value], table=path.removeprefix("add."),
                )  # fmt: skip

    def keys(self, node: Node, path: str, known: Iterable[str] | None) -> Iterator[tuple[str | None, Node, Node]]:
        """(the known word or None, its key, its value), each word once. known None: any word is one."""
        spelt = None if known is None else {snake(word): word for word in known}
        seen: dict[str, int] = {}
        for key, value in node.value:
            word = key.value if spelt is None else spelt.get(snake(key.value))
            if word in seen:
                self.note("duplicate_key", key, f"{path}.{word}", key=word, before=seen[word])
                continue
            if word is not None:
                seen[word] = key.line
            yield word, key, value

    def sequence(self, kind: Kind, node: Node, path: str) -> list[object] | None:
        """Read a list of values of a type, which replaces the one below."""
        if node.kind is not LIST:
            return self.note("not_list", node, path, meaning=_meaning(path), example=f"[{self.example(kind)}]")
        return [self.lay(kind, UNSET, item, f"{path}[{index}]") for index, item in enumerate(node.value)]

    def mapping(self, row: Kind, kind: Kind, base: object, node: Node, path: str) -> dict[object, object] | None:
        """A map whose keys are themselves values of a type."""
        if node.kind is not MAP:
            return self.note("not_map", node, path, meaning=_meaning(path), example="{...}")
        values: dict[object, object] = dict(_rows(base).items())
        for key, value in node.value:
            word = self.leaf(*bare(row), UNSET, key, path)
            values[word] = self.lay(kind, values.get(word, UNSET), value, f"{path}.{word}")
        return values

    def leaf(self, kind: Kind, meta: Meta | None, base: object, node: Node, path: str) -> object:
        """A number, word, text or truth value."""
        meaning, extra = _meaning(path), (meta and meta.extra) or {}
        if kind is Any:
            return plain(node)
        if "of" in extra:
            return self.word(Word(meaning, tuple(self.rows_of(extra["of"])), extra.get("or", ())), node, path)
        if origin(kind) is Literal:
            choices = {str(choice): choice for choice in get_args(kind) if choice != ""}
            word = self.word(Word(meaning, tuple(choices)), node, path)
            return None if word is None else choices[word]
        if kind is bool:
            return self.flag(Flag(meaning), node, path)
        example = str(base) if type(base) in (int, str) and base else self.example(kind, meta)
        if kind is int:
            least, most = _range(meta)
            return self.number(Number(meaning, least, most, int(example)), node, path)
        return self.text(Text(meaning, example, 2000, pattern=(meta and meta.pattern) or ""), node, path)

    def rows_of(self, tables: Iterable[str]) -> Iterator[str]:
        """The names of all the rows of these tables."""
        return (word for table in tables for word in all_of(self.names[table]))

    def example(self, kind: Kind, meta: Meta | None = None) -> str:
        """An example of a type, as it would be typed."""
        kind, note = bare(without_none(kind) or kind)
        kind, meta = (kind, meta or note) if origin(kind) is not Annotated else bare(kind)
        if meta and meta.extra and "of" in meta.extra:
            return next(self.rows_of(meta.extra["of"]), "")
        if meta and meta.examples:
            return str(meta.examples[0])
        if kind is int:
            return str(max(1, (meta and meta.ge) or 0))
        if origin(kind) is Literal:
            return str(next(word for word in get_args(kind) if word))
        if origin(kind) is tuple:
            return f"[{self.example(get_args(kind)[0])}]"
        if is_record(kind):
            return f"{{{next((word for word in fields_of(kind) if word != 'text'), '')}: ...}}"
        return {bool: "true", str: "a text"}.get(kind, "...")


def additions(node: Node) -> list[tuple[Node, Node]]:
    """(table, its new rows) of everything under `add` in a campaign's rules."""
    return [pair for key, value in pairs(node) if snake(key.value) == "add" for pair in pairs(value)]


def pairs(node: Node) -> tuple[tuple[Node, Node], ...]:
    """Return the keys and values of a map; () for anything else."""
    return node.value if node.kind is MAP else ()


def is_nothing(node: Node) -> bool:
    """Return whether the node is empty or null."""
    return node.kind is TEXT and (not node.value.strip() or not node.quoted and node.value in ("null", "~"))


def _rows(base: object) -> Rows:
    """Return `base` if it is a map, else {}."""
    return base if isinstance(base, dict) else {}


def _range(meta: Meta | None) -> tuple[int, int]:
    """The least and the most that a number may be; each number of a table says both."""
    if meta is None or not isinstance(meta.ge, int) or not isinstance(meta.le, int):
        raise TypeError("a number in a table needs a range: Annotated[int, Meta(ge=..., le=...)]")
    return meta.ge, meta.le


def _meaning(path: str) -> str:
    """A path as a noun phrase: `buildings.house.cost` is the cost of buildings.house."""
    head, _, tail = re.sub(r"\[\d+\]", "", path).rpartition(".")
    return f"{tail} of {head}" if head else tail
