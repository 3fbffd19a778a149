"""What the realm's tests build worlds with: small ones, of which a test states only what it is about."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any

import msgspec
import yaml
from msgspec import structs

from kingdom.engine.dice import Dice, Roll, unused
from kingdom.engine.game import Game, Setup
from kingdom.engine.problems import Faults
from kingdom.engine.step import Result
from kingdom.engine.turn import resolve
from kingdom.games.realm.game import GAME
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import World
from kingdom.orders import orders_file as filing
from kingdom.orders import tables
from kingdom.orders.reading import read as read_shape
from kingdom.orders.yaml_text import find, plain, read

HOMES = (("0404", "Oakhold"), ("0701", "Millford"), ("0107", "Stonebridge"))  # a kingdom's first hex and its capital
PLAINS = "ppppppp\n" * 7
QUIET = {
    "events": {"chance": {"normal": 0, "after_quiet_turn": 0}},
    "trade": {"between_neighbours": False},
}  # unless a test asks for it
CHANGED: Mapping[str, Any] = {}  # what a trial changes in the tables, under what a test says of its own (trials.py)


def load_yaml(text: str, file: str = "case") -> Any:
    """Plain data of a case file, in which a label is text. Raises Faults."""
    node, problems = read(text.encode(), file)
    if node is None or problems:
        raise Faults(problems)
    return plain(node)


def merged(base: Any, over: Any) -> Any:
    """Maps merge, everything else replaces; null takes away a key of the base."""
    if isinstance(base, Mapping) and isinstance(over, Mapping):
        kept = {key: value for key, value in base.items() if key not in over or over[key] is not None}
        new = {key: value for key, value in over.items() if key not in base or value is not None}
        return {**kept, **{key: merged(base[key], value) if key in base else value for key, value in new.items()}}
    return deepcopy(over)


def rules_of(overrides: Mapping[str, Any] | None = None) -> Rules:
    """The realm's rules with these overrides, as `rules` in campaign.yaml has them."""
    return _rules(json.dumps(merged(merged(QUIET, CHANGED), overrides or {})))


@cache
def _rules(overrides: str) -> Rules:
    given = json.loads(overrides)
    return tables.load(GAME, read(text_of(given).encode(), "campaign.yaml")[0] if given else None).rules


class _Dumper(yaml.CSafeDumper):
    """A dumper that writes what stands twice twice."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def text_of(data: Any) -> str:
    """YAML of plain data; a label is quoted."""
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True)


class MiddleDice(Dice):
    """Dice that show the middle of their faces where the tape is silent."""

    def __init__(self, turn: int, tape: Mapping[str, Mapping[str, Any]]):
        self.tape = {
            seat: {name: result if isinstance(result, list) else [result] for name, result in rolls.items()}
            for seat, rolls in tape.items()
        }
        super().__init__("", turn, tape=self.tape)

    def result(self, kingdom: str, name: str, count: int, sides: int) -> Roll:
        if count <= len(self.tape.get(kingdom, {}).get(name, ())):
            return super().result(kingdom, name, count, sides)
        return Roll(self.turn, kingdom, name, count, sides, (sides + 1) // 2, "seed")


# --- worlds


def kingdoms_of(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Id -> the plain data of kingdoms/ID.yaml, with what was left out."""
    files = {}
    for index, (seat, stated) in enumerate((given or {"examplia": {}}).items()):
        home, capital = HOMES[index % len(HOMES)]
        kingdom = {"name": seat.capitalize(), "treasury": 50, **deepcopy(stated or {})}
        named = [each["hex"] for each in (kingdom.get("settlements") or {}).values() if "hex" in (each or {})]
        kingdom.setdefault("hexes", dict.fromkeys(named or [home], []))
        kingdom["hexes"] = {label: built or [] for label, built in kingdom["hexes"].items()}
        home = next(iter(kingdom["hexes"]), "")
        settlements = kingdom.get("settlements", {kingdom.get("capital", capital): {}} if home else {})
        common = {"hex": home, "districts": 1}
        kingdom["settlements"] = {name: {**common, **(each or {})} for name, each in settlements.items()}
        if settlements:
            kingdom.setdefault("capital", next(iter(settlements)))
        files[seat] = kingdom
    return files


def world_of(
    kingdoms: Mapping[str, Any] | None = None,
    map: Mapping[str, Any] | None = None,
    rules: Rules | None = None,
    state: Mapping[str, Any] | None = None,
    turn: int = 1,
) -> World:
    """The world before turn `turn`, from the plain data of map.yaml and kingdoms/*.yaml, and `state` over it.

    Raises Faults where the files have not the form that they must have.
    """
    rules = rules or rules_of()
    files = {f"kingdoms/{seat}.yaml": each for seat, each in kingdoms_of(kingdoms).items()}
    world = GAME.opening.start(_setup({"map.yaml": {"grid": PLAINS, **(map or {})}, **files}, rules), rules)
    fields = merged(msgspec.to_builtins(world), {"turn": turn - 1, "kingdoms": dict(state or {})})
    return msgspec.convert(fields, World)


def _setup(files: Mapping[str, Any], rules: Rules) -> Setup:
    names, nodes, values, problems = GAME.names(rules), {}, {}, []
    for file, data in files.items():
        nodes[file], wrong = read(text_of(data).encode(), file)
        problems += wrong
        if wrong:
            continue
        shape = GAME.opening.files["map.yaml" if file == "map.yaml" else "kingdoms/*.yaml"]
        values[file], wrong = read_shape(shape, nodes[file], names, file)
        problems += wrong
    if problems:
        raise Faults(problems)

    def where(file: str, path: str) -> str:
        node = find(nodes[file], path)
        return f"{file}:{node.line}:{node.column}"

    seats = tuple(file.removeprefix("kingdoms/").removesuffix(".yaml") for file in files if file != "map.yaml")
    return Setup(seats, values, where)


# --- turns


def orders_of(given: Mapping[str, Any] | None, world: World, rules: Rules) -> dict[str, Any]:
    """Seat -> orders in the long form, read as a filed order is; the head may be left out. Raises Faults."""
    names = {**GAME.names(rules), "seats": tuple(world.kingdoms)}
    made = {}
    for seat, orders in (given or {}).items():
        head = {"turn": world.turn + 1} if seat == "gm" else {"kingdom": seat, "turn": world.turn + 1}
        text = text_of({**head, **(orders or {})}).encode()
        filed = filing.read(text, f"{seat}.yaml", GAME, names, seat, world.turn + 1)
        if filed.orders is None:
            raise Faults(filed.problems)
        made[seat] = filed.orders
    return made


def game_of(steps: Any = None) -> Game:
    """The realm's game, with these steps alone where some are named."""
    if not steps:
        return GAME
    wanted = [steps] if isinstance(steps, str) else list(steps)
    known = {step.__name__ for phase in GAME.phases for step in phase.steps}
    assert set(wanted) <= known, f"no such step: {sorted(set(wanted) - known)}; there are {sorted(known)}"
    phases = []
    for phase in GAME.phases:
        steps = tuple(step for step in phase.steps if step.__name__ in wanted)
        phases += [phase._replace(steps=steps)] if steps else []
    return structs.replace(GAME, phases=tuple(phases))


def run(
    world: World,
    orders: Mapping[str, Any],
    rules: Rules | None = None,
    dice: Any = None,
    steps: Any = None,
    until: str = "",
) -> Result:
    """The Result of one turn, or of some steps of it. A taped die that nobody rolled is an error."""
    rolls = MiddleDice(world.turn + 1, dice or {})
    result = resolve(game_of(steps), world, orders, rolls, rules or rules_of(), until)
    assert not unused(rolls.tape, result.rolls), f"nobody rolled {unused(rolls.tape, result.rolls)}"
    return result
