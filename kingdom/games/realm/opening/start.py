"""The start of a campaign: map.yaml and kingdoms/ID.yaml -> the world after turn 0, or all that is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping

from kingdom.engine.game import Setup
from kingdom.engine.problems import Faults, Problem, cure
from kingdom.games.realm.opening.start_files import Findings, hexes_of, settlement_of, with_armies
from kingdom.games.realm.order_types import GmAddStart, GmAddStartEdicts, GmAddStartSettlements
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Hex, Kingdom, World, owners

PREPARED = "prepared"
_PLAIN = Kingdom("")  # what a kingdom has where its file does not say


def start(setup: Setup, rules: Rules) -> World:
    """The world as it stands after turn 0: kingdoms in the order of their ids, hexes in that of their labels.

    Each kingdom has seen what is hidden in its own hexes. Raises Faults with all that is wrong with the files.
    """
    world, found = _read(setup, rules)
    if found.problems:
        raise Faults(sorted(found.problems))
    return world


def warnings(setup: Setup, rules: Rules) -> list[Problem]:
    """The starting buildings that stand where they could not be built, each with its place in the files. Ruling: lots."""
    return sorted(_read(setup, rules)[1].warnings)


def _read(setup: Setup, rules: Rules) -> tuple[World, Findings]:
    found = Findings(setup.where)
    hexes = hexes_of(setup.files["map.yaml"], found, rules)
    seats = sorted(setup.seats)
    files: dict[str, GmAddStart] = {seat: setup.files[file_of(seat)] for seat in seats}
    kingdoms = {seat: _kingdom(seat, files[seat], hexes, found, rules) for seat in seats}
    _check_holders(files, found)
    _check_names(files, hexes, found)
    return World(0, hexes, kingdoms), found


def joining(seat: str, given: GmAddStart, world: World, rules: Rules) -> tuple[Kingdom, list[str]]:
    """A kingdom that joins a world that goes on, made of what its file would hold, and what is wrong with it, in sentences."""
    found = Findings(lambda file, path: f"{path}:0:0")
    kingdom = _kingdom(seat, given, world.hexes, found, rules)
    sentences = [each.message for each in sorted(found.problems)]
    held = owners(world)
    sentences += [f"{label} is held by {held[label]}." for label in kingdom.hexes if held.get(label, seat) != seat]
    return kingdom, sentences


def file_of(seat: str) -> str:
    """The file of a seat's kingdom."""
    return f"kingdoms/{seat}.yaml"


def _kingdom(seat: str, given: GmAddStart, hexes: Mapping[str, Hex], found: Findings, rules: Rules) -> Kingdom:
    file = file_of(seat)
    held = {label: tuple(names) for label, names in sorted(given["hexes"].items())}
    stated = given.get("settlements", {})
    settlements = {
        name: settlement_of(name, each["hex"], each, file, f"settlements.{name}", found, rules)
        for name, each in stated.items()
    }
    _check_hexes(file, held, hexes, found, rules)
    _check_settlements(file, stated, held, hexes, found, rules)
    _check_capital(file, given, found)
    alignments = {word.lower(): word for word in rules.alignments}
    levels: GmAddStartEdicts = given.get("edicts", {})
    unrest = given.get("unrest", 0)
    kingdom = Kingdom(
        name=given["name"],
        treasury=given.get("treasury", 0),
        unrest=unrest,
        alignment=alignments[given["alignment"]] if "alignment" in given else "",
        government=given.get("government", ""),
        attributes={name: by for name, by in given.get("attributes", {}).items() if isinstance(by, int) and by},
        capital=given.get("capital", ""),
        leadership=tuple(dict.fromkeys(given.get("leadership", ()))),
        holiday=levels.get("holiday", _PLAIN.holiday),
        promotion=levels.get("promotion", _PLAIN.promotion),
        taxation=levels.get("taxation", _PLAIN.taxation),
        hexes=held,
        settlements=settlements,
        revealed=tuple(held),
        anarchy=int(unrest >= rules.anarchy.unrest),  # at the limit, so the next turn, 1, is one of anarchy
        edict_size=len(held),
        founding=not settlements,
    )
    return with_armies(kingdom, given.get("armies", ()), file, hexes, found, rules)


# --- hexes and improvements


def _check_hexes(
    file: str, held: Mapping[str, tuple[str, ...]], hexes: Mapping[str, Hex], found: Findings, rules: Rules
) -> None:
    for label, built in held.items():
        if hexes and label not in hexes:  # of a map that could not be read nobody is told that each hex is not on it
            found.note("start_hex_unknown", file, f"hexes.{label}", hex=label)
        _check_improvements(file, label, built, found, rules)


def _check_improvements(file: str, label: str, built: tuple[str, ...], found: Findings, rules: Rules) -> None:
    """Ruling: improvements_sharing. What was upgraded does not stand beside what it became."""
    path, table = f"hexes.{label}", rules.improvements
    for index, name in enumerate(built):
        earlier = built[:index]
        if name in earlier:
            found.note("start_improvement_twice", file, f"{path}[{index}]", name=name, hex=label)
            continue
        for other in earlier:
            old, new = (name, other) if table[other].upgrade_of == name else (other, name)
            if table[new].upgrade_of == old:
                found.note("start_upgraded", file, f"{path}[{index}]", one=old, other=new, hex=label)
            elif not table[name].shares_hex and not table[other].shares_hex:
                facts = {"one": other, "other": name, "hex": label, "sharing": _sharing(rules)}
                found.note("start_improvements", file, f"{path}[{index}]", **facts)
            elif PREPARED in (name, other) and _bars_preparing(other if name == PREPARED else name, rules):
                one = other if name == PREPARED else name
                found.note("start_prepared", file, f"{path}[{index}]", one=one, hex=label)


def _bars_preparing(name: str, rules: Rules) -> bool:
    """Whether an improvement keeps its hex from being prepared: all that neither shares nor becomes part of a settlement."""
    return not rules.improvements[name].shares_hex and not rules.improvements[name].becomes


def _sharing(rules: Rules) -> str:
    return ", ".join(name for name, each in rules.improvements.items() if each.shares_hex and each.occupies)


def _check_holders(files: Mapping[str, GmAddStart], found: Findings) -> None:
    """No hex has two holders; the second kingdom's file is told, and where the first one says it."""
    holder: dict[str, str] = {}
    for seat, given in files.items():
        for label in given["hexes"]:
            if label in holder:
                where = found.where(file_of(holder[label]), f"hexes.{label}")
                found.note(
                    "start_hex_held", file_of(seat), f"hexes.{label}", hex=label, other=holder[label], where=where
                )
            else:
                holder[label] = seat


# --- settlements


def _check_settlements(
    file: str,
    stated: Mapping[str, GmAddStartSettlements],
    held: Mapping[str, tuple[str, ...]],
    hexes: Mapping[str, Hex],
    found: Findings,
    rules: Rules,
) -> None:
    there: dict[str, str] = {}
    for name, each in stated.items():
        label, path = each["hex"], f"settlements.{name}.hex"
        if label in there:
            found.note("start_settlements_in_hex", file, path, name=name, other=there[label], hex=label)
        there[label] = name
        if label not in held:
            code = "start_settlement_not_held" if label in hexes or not hexes else "start_hex_unknown"
            found.note(code, file, path, name=name, hex=label)
            continue
        for index, one in enumerate(held[label]):
            if not rules.improvements[one].shares_hex or one == PREPARED:
                facts = {"one": one, "hex": label, "name": name, "sharing": _sharing(rules)}
                found.note("start_improvement_in_settlement", file, f"hexes.{label}[{index}]", **facts)
        if label in hexes:
            _check_ground(file, path, name, label, hexes[label], found, rules)


def _check_ground(file: str, path: str, name: str, label: str, hex: Hex, found: Findings, rules: Rules) -> None:
    if rules.terrain[hex.terrain].water:
        found.note("start_settlement_on_water", file, path, name=name, hex=label)
    if hex.free_city:
        found.note("start_city_in_hex", file, path, name=name, hex=label, other=hex.free_city.name)


def _check_capital(file: str, given: GmAddStart, found: Findings) -> None:
    settlements = given.get("settlements", {})
    name = given.get("capital", "")
    if name and name not in settlements:
        sentence, near = cure(name, settlements)
        found.note("start_capital", file, "capital", near, name=name, cure=sentence or " There is none: take it out.")
    elif settlements and not name:
        found.note("start_no_capital", file, "settlements", name=next(iter(settlements)))


def _check_names(files: Mapping[str, GmAddStart], hexes: Mapping[str, Hex], found: Findings) -> None:
    """A kingdom's settlements differ in name, and a free city, which may join any, from all of them.

    Settlements of two kingdoms may have one name: players found theirs without knowing of each other.
    """
    cities: dict[str, tuple[str, str]] = {}
    for label, hex in hexes.items():
        if hex.free_city:
            _check_name(hex.free_city.name, "map.yaml", f"hexes.{label}.free_city.name", cities, found)
    for seat, given in files.items():
        taken = dict(cities)
        for name in given.get("settlements", {}):
            _check_name(name, file_of(seat), f"settlements.{name}", taken, found)


def _check_name(name: str, file: str, path: str, taken: dict[str, tuple[str, str]], found: Findings) -> None:
    """Names that differ in capitals alone are one name."""
    if name.casefold() in taken:
        found.note("start_name_twice", file, path, name=name, where=found.where(*taken[name.casefold()]))
    else:
        taken[name.casefold()] = (file, path)
