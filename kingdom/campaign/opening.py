"""Turn 0: the start of a campaign, made from the files that its game names, such as `map.yaml` and `kingdoms/ID.yaml`.

Turn 0 keeps the files under start/. Later edits of them change nothing; `edits` reports them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from kingdom.campaign import store
from kingdom.campaign.errors import trouble
from kingdom.engine.dice import Dice, NoDice
from kingdom.engine.game import AnyGame, Setup
from kingdom.engine.ledger import Books
from kingdom.engine.problems import Faults, Problem, cure
from kingdom.engine.step import AnyResult, Result, Turn
from kingdom.engine.turn import run
from kingdom.orders import reading, yaml_text
from kingdom.orders.orders_file import record_of
from kingdom.orders.yaml_text import LIST, MAP, Node

KEPT = "start/"  # the folder of turn 0 that holds the files of the start
PHASE, STEP, CAUSE = "gm", "opening", "opening"


def files_in(folder: Path, game: AnyGame, seats: Iterable[str]) -> dict[str, bytes]:
    """Return the files of the start by their names in the campaign. Raises Faults if one is missing or belongs to no seat."""
    problems, files = [], {}
    for pattern in game.opening.files:
        place, star, _ = pattern.partition("*")
        names = [pattern.replace("*", seat) for seat in seats] if star else [pattern]
        for name in names:
            if (folder / name).is_file():
                files[name] = store.read(folder / name)
            elif star:
                problems.append(trouble("no_kingdom_file", folder / name, seat=Path(name).stem))
            else:
                problems.append(trouble("no_file", folder / name))
        for file in sorted((folder / place).glob("[!.]*.yaml")) if star else ():
            if f"{place}{file.name}" not in names:  # campaign.yaml does not name that kingdom
                sentence, near = cure(file.stem, [Path(name).stem for name in names])
                problems.append(trouble("kingdom_without_player", file, hint=near, seat=file.stem, cure=sentence))
    if problems:
        raise Faults(problems)
    return files


def first_seats(files: Iterable[str], game: AnyGame, seats: Iterable[str]) -> list[str]:
    """Return the seats that have files of the start; the others join later."""
    names = set(files)
    return [seat for seat in seats if all(pattern.replace("*", seat) in names for pattern in game.opening.files)]


def setup(files: Mapping[str, bytes], folder: Path, game: AnyGame, rules: object, seats: Iterable[str]) -> Setup:
    """Read the files by their shapes. Problems name `folder` as theirs. Raises Faults."""
    names = {**game.names(rules), "seats": tuple(seats)}
    nodes, contents, problems = {}, {}, []
    for name, data in files.items():
        node, wrong = yaml_text.read(data, str(folder / name), None)
        if node is not None:
            nodes[name] = node
            declared = game.opening.files.get(name) or game.opening.files[f"{name.rpartition('/')[0]}/*.yaml"]
            contents[name], wrong = reading.read(record_of(declared, game), node, names, str(folder / name))
        problems += wrong
    if problems:
        raise Faults(problems)

    def where(name: str, path: str) -> str:
        node = yaml_text.find(nodes[name], path)
        return f"{folder / name}:{node.line}:{node.column}"

    return Setup(tuple(seats), contents, where)


def opened(game: AnyGame, given: Setup, rules: object, dice: Dice | NoDice, seats: Iterable[str] = ()) -> AnyResult:
    """Resolve turn 0: every account opens with the value from the files, then the game's own steps of turn 0 run.

    seats: all that the campaign names; those that join later get a place. As nothing came before, `before` is the same state as
    `after`. Raises Faults.
    """
    state = game.opening.start(given, rules)
    state = game.opening.seated(state, seats) if game.opening.seated else state
    books = Books(0, {})
    for seat in game.seats(state):
        books.enter(PHASE, STEP, seat, game.accounts(state, seat, rules), CAUSE, f"opening of {seat}")
    turn = Turn(game, 0, rules, {}, dice, books)
    state = run(turn, game.opening.phases, state)
    return Result(0, state, state, {}, books.entries, turn.rolls, turn.notices)


# --- later edits of those files


def edits(folder: Path, game: AnyGame, record: store.Record) -> list[Problem]:
    """Return a problem for each edit of the files of the start since turn 0. Edits change nothing, so the GM is told which order of the
    GM would do it, if one can. record: turn 0's."""
    kept = {name.removeprefix(KEPT): digest for name, digest in record.files.items() if name.startswith(KEPT)}
    edits: list[Problem] = []
    for name, digest in kept.items():
        file = folder / name
        if not file.is_file():
            edits.append(trouble("start_gone", file))
            continue
        data = store.read(file)
        if store.digest_of(data) != digest:
            edits += _changes(name, file, data, store.read(folder / "turns" / store.name_of(0) / KEPT / name), game)
    for pattern in game.opening.files:
        added = sorted(folder.glob(pattern)) if "*" in pattern else ()  # files of kingdoms
        edits += [trouble("start_new", file) for file in added if file.relative_to(folder).as_posix() not in kept]
    return edits


def _changes(name: str, file: Path, data: bytes, old: bytes, game: AnyGame) -> list[Problem]:
    node, problems = yaml_text.read(data, str(file), None)
    if node is None:
        return problems
    before, after = dict(_leaves(yaml_text.read(old, str(file), None)[0])), dict(_leaves(node))
    changes = []
    for path in dict.fromkeys([*after, *before]):
        was, now = before.get(path, ""), after.get(path, "")
        if was != now:
            order = game.opening.edit(name, path, was, now) if game.opening.edit else ""
            cure = "No GM order does; `kingdom undo` takes turns back to a new start."
            cure = f"This GM order would: {order}" if order else cure
            at = yaml_text.find(node, path)
            facts = {"what": path or "the text", "was": was or "nothing", "now": now or "nothing", "cure": cure}
            changes.append(trouble("start_changed", file, at.line, at.column, path, **facts))
    return changes


def _leaves(node: Node | None, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield (path, text) for every text in the node."""
    if node is None:
        return
    if node.kind is MAP:
        for key, value in node.value:
            yield from _leaves(value, f"{path}.{key.value}" if path else key.value)
    elif node.kind is LIST:
        for index, item in enumerate(node.value):
            yield from _leaves(item, f"{path}[{index}]")
    else:
        yield path, node.value
