"""What the realm's tests build worlds with: small ones, of which a test states only what it is about."""

from __future__ import annotations

import re
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any, Mapping

import msgspec
import yaml

from kingdom.dice import Dice, Roll
from kingdom.games.realm.rules import Rules
from kingdom.games.realm.state import District, Hex, Kingdom, Settlement, World

DATA = Path(__file__).parents[2] / "kingdom" / "games" / "realm" / "data"
HOMES = (("0404", "Oakhold"), ("0701", "Millford"), ("0107", "Stonebridge"))


class _Loader(yaml.SafeLoader):
    """YAML in which a label stays a label: only whole numbers without a leading zero, true, false and null are read."""

    yaml_implicit_resolvers: dict = {}


_Loader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^-?(0|[1-9][0-9]*)$"), list("-0123456789"))
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(true|false)$"), list("tf"))
_Loader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"^null$"), ["n"])
_Loader.add_implicit_resolver("tag:yaml.org,2002:merge", re.compile(r"^<<$"), ["<"])


def load_yaml(text: str) -> Any:
    """Plain data of a case file or table."""
    return yaml.load(text, _Loader)


def merged(base: Any, over: Any) -> Any:
    """Maps merge, everything else replaces."""
    if isinstance(base, Mapping) and isinstance(over, Mapping):
        return {**base, **{key: merged(base[key], value) if key in base else value for key, value in over.items()}}
    return deepcopy(over)


@lru_cache(maxsize=None)
def _tables() -> dict[str, Any]:
    tables: dict[str, Any] = {}
    for file in sorted(DATA.glob("*.yaml")):
        tables.update(load_yaml(file.read_text(encoding="utf-8")))
    return tables


@lru_cache(maxsize=None)
def _own_rules() -> Rules:
    return msgspec.convert(_tables(), Rules)


def rules_of(overrides: Mapping[str, Any] | None = None) -> Rules:
    """The realm's rules with these overrides, as `rules` in campaign.yaml has them."""
    if not overrides:
        return _own_rules()
    over = dict(overrides)
    added = over.pop("add", {})
    return msgspec.convert(merged(merged(_tables(), added), over), Rules)


class MiddleDice(Dice):
    """Dice that show the middle of their faces where the tape is silent."""

    def __init__(self, turn: int, tape: Mapping[str, Mapping[str, Any]]):
        by_hand = {
            seat: {name: result if isinstance(result, list) else [result] for name, result in rolls.items()}
            for seat, rolls in tape.items()
        }
        super().__init__("", turn, tape=by_hand)
        self.tape = by_hand

    def result(self, kingdom: str, name: str, count: int, sides: int) -> Roll:
        by_hand = self.tape.get(kingdom, {}).get(name, ())
        if count <= len(by_hand):
            return super().result(kingdom, name, count, sides)
        return Roll(self.turn, kingdom, name, count, sides, (sides + 1) // 2, "seed")


def map_of(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The plain data of map.yaml: 7 by 7 plains under what is given, unless that has a grid."""
    given = given or {}
    if "grid" in given:
        return dict(given)
    hexes: dict[str, Any] = {f"{column:02d}{row:02d}": {"terrain": "plains"} for row in range(1, 8) for column in range(1, 8)}
    for label, hex in given.get("hexes", {}).items():
        hexes[label] = {**hexes.get(label, {"terrain": "plains"}), **hex}
    return {**given, "hexes": hexes}


def kingdoms_of(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Id -> the plain data of kingdoms/ID.yaml, with what a case leaves out."""
    files = {}
    for index, (seat, kingdom) in enumerate((given or {"examplia": {}}).items()):
        kingdom = deepcopy(kingdom or {})
        home, capital = HOMES[index % len(HOMES)]
        named = [settlement["hex"] for settlement in (kingdom.get("settlements") or {}).values() if "hex" in (settlement or {})]
        kingdom.setdefault("hexes", dict.fromkeys(named or [home], []))
        home = next(iter(kingdom["hexes"]), home)
        if kingdom["hexes"]:
            kingdom.setdefault("settlements", {kingdom.get("capital", capital): {}})
        kingdom.setdefault("settlements", {})
        kingdom["settlements"] = {name: {"hex": home, **(each or {})} for name, each in kingdom["settlements"].items()}
        if kingdom["settlements"]:
            kingdom.setdefault("capital", next(iter(kingdom["settlements"])))
        kingdom.setdefault("treasury", 50)
        kingdom.setdefault("name", seat.capitalize())
        files[seat] = kingdom
    return files


def world_of(
    kingdoms: Mapping[str, Any] | None = None,
    map: Mapping[str, Any] | None = None,
    rules: Rules | None = None,
    state: Mapping[str, Any] | None = None,
    turn: int = 1,
) -> World:
    """The world before turn `turn`, from the plain data of map.yaml and kingdoms/*.yaml and from `state`, field by field."""
    rules = rules or rules_of()
    world = _start(map_of(map), kingdoms_of(kingdoms), rules)
    plain = msgspec.to_builtins(world)
    plain = merged({**plain, "turn": turn - 1}, {"kingdoms": dict(state or {})})
    return msgspec.convert(plain, World)


def _start(map: dict[str, Any], kingdoms: dict[str, Any], rules: Rules) -> World:
    from kingdom.games.realm.lots import lay_out

    hexes = {label: msgspec.convert({**hex}, Hex) for label, hex in map["hexes"].items()}
    made = {}
    for seat, kingdom in sorted(kingdoms.items()):
        settlements = {}
        for name, each in kingdom.pop("settlements").items():
            districts = (District(tuple(each.get("water", ()))),) * each.get("districts", 1)
            buildings, _ = lay_out(districts, each.get("buildings", []), rules)
            settlements[name] = Settlement(each["hex"], districts, buildings)
        levels = kingdom.pop("edicts", {})
        kingdom.setdefault("revealed", sorted(kingdom["hexes"]))
        made[seat] = msgspec.structs.replace(
            msgspec.convert({**kingdom, **levels}, Kingdom), settlements=settlements, edict_size=len(kingdom["hexes"])
        )
    return World(0, hexes, made)


def game_of(steps: Any = None, until: str = "") -> Any:
    """The realm's game, with these steps alone where some are named."""
    from kingdom.game import load

    try:
        game = load("realm")
    except (AttributeError, KeyError):  # until the table of contents of a turn is written
        return _game_so_far(steps)
    if not steps:
        return game
    wanted = [steps] if isinstance(steps, str) else list(steps)
    known = {step.__name__ for phase in game.phases for step in phase.steps}
    assert set(wanted) <= known, f"no such step: {sorted(set(wanted) - known)}; there are {sorted(known)}"
    phases = (phase._replace(steps=tuple(step for step in phase.steps if step.__name__ in wanted)) for phase in game.phases)
    return game._replace(phases=tuple(phase for phase in phases if phase.steps))


def _game_so_far(steps: Any) -> Any:
    import importlib
    from types import SimpleNamespace

    from kingdom.game import Phase
    from kingdom.games.realm.sheet import accounts

    found: dict[str, Any] = {}
    refusals: dict[str, str] = {}
    for name in ("event", "edicts", "claims", "improvements", "lots", "construction", "settlements", "special", "income", "upkeep", "territory", "losing"):
        try:
            module = importlib.import_module(f"kingdom.games.realm.{name}")
        except ImportError:
            continue
        refusals.update(getattr(module, "REFUSALS", {}))
        found.update({key: value for key, value in vars(module).items() if callable(value)})
    wanted = [steps] if isinstance(steps, str) else list(steps)
    return SimpleNamespace(
        phases=(Phase("edict", tuple(found[name] for name in wanted)),),
        refusals=refusals,
        accounts=lambda world, seat, rules: accounts(world.kingdoms[seat], world.hexes, rules),
        seats=lambda world: list(world.kingdoms),
    )


def run(world: World, orders: Mapping[str, Any], rules: Rules | None = None, dice: Any = None, steps: Any = None, until: str = "") -> Any:
    """The Result of one turn, or of some steps of it. A taped die that nobody rolled is an error."""
    from kingdom.dice import unused
    from kingdom.turn import resolve

    dice = MiddleDice(world.turn + 1, dice or {})
    result = resolve(game_of(steps), world, orders, dice, rules or rules_of(), until)
    assert not unused(dice.tape, result.rolls), f"nobody rolled {unused(dice.tape, result.rolls)}"
    return result


def orders_of(given: Mapping[str, Any] | None, world: World, rules: Rules) -> dict[str, Any]:
    """Seat -> orders in the long form, read as a filed order is."""
    return {seat: dict(orders or {}) for seat, orders in (given or {}).items()}
