"""A kingdom made from its file kingdoms/ID.yaml, at the start or when the GM lets it join. Mistakes that the schema
can't see are reported with their place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from kingdom.engine.problems import Problem, cure, problem
from kingdom.games.realm.armies import full_hp, without_room
from kingdom.games.realm.files import Town
from kingdom.games.realm.rules.building_tables import UnrestOncePerSettlement
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Army, Building, District, Hex, Kingdom, Settlement, World, owners, replace
from kingdom.games.realm.steps.land.improvements import PREPARED, shares_with_settlement
from kingdom.games.realm.steps.towns.grid import border_at
from kingdom.games.realm.steps.towns.lots import NoRoom, lay_out

if TYPE_CHECKING:
    from kingdom.games.realm.files import Start, StartArmy, StartEdicts, StartTown

# --- what is wrong ----------------------------------------------------------------------------------------------------


MESSAGES: dict[str, str] = {
    # map.yaml
    "map_grid_text": "The grid must be a text, one letter a hex, a row a line. Write `grid: |` and the rows below it, indented.",
    "map_letter": "`{letter}` is no letter of a terrain (hex {hex}). The letters are {letters}, and a dot for no hex.",
    "map_empty_row": "Row {row} of the grid is empty. Write a dot for each place without a hex, or take the line out.",
    "map_too_many": "The grid has {size} {what}; a map has at most {most}.",
    "map_no_terrain": "{hex} has no terrain, and the grid has no letter for it. Write `terrain: plains`, or whatever it is.",
    "map_hidden_feature": "`{name}` is hidden until the rules reveal it, so it is no feature that is seen. Write `{name}: true` instead.",
    "map_empty": "The map has no hex. Write `hexes`, `grid` or both.",
    "map_city_on_water": "The free city {name} stands on water ({hex}). Put it into a hex of land.",
    # kingdoms/ID.yaml
    "start_hex_unknown": "{hex} is not on the map. Name a hex of map.yaml, or put this one there.",
    "start_hex_held": "{hex} is held by {other} as well ({where}). A hex has one holder: take it out of one of the two.",
    "start_improvement_twice": "`{name}` stands twice in {hex}. Name it once.",
    "start_improvements": (
        "`{one}` and `{other}` can't share {hex} (ruling improvements_sharing). Keep one; "
        "what shares a hex with anything is {sharing}."
    ),
    "start_upgraded": "`{one}` in {hex} is what `{other}` was made of. Keep `{other}` alone.",
    "start_improvement_in_settlement": (
        "`{one}` can't share {hex} with the settlement {name} (ruling improvements_sharing). Take it out; "
        "what shares a hex with anything is {sharing}."
    ),
    "start_prepared": "{hex} is prepared for a settlement, so `{one}` can't stand there (ruling prepare). Keep one.",
    "start_settlement_not_held": "{name} stands in {hex}, which this kingdom does not hold. Put {hex} under `hexes`, or move {name}.",
    "start_settlement_on_water": "{name} stands on water ({hex}). Put it into a hex of land.",
    "start_settlements_in_hex": "{name} and {other} stand in one hex, {hex}. A hex holds one settlement: move one of them.",
    "start_city_in_hex": "{name} stands in {hex}, where the free city {other} is (map.yaml). A hex holds one settlement: move one.",
    "start_name_twice": "There are two settlements called {name}; the other is {where}. Name one of them otherwise.",
    "start_capital": "The capital {name} is none of the settlements.{cure}",
    "start_no_capital": "Settlements stand here and none is the capital. Write `capital: {name}`.",
    "start_no_district": "{name} has no district {number}: it has {count}. Name a border of a district that it has.",
    "start_army_twice": "There are two armies called {name}; the other is {where}. Name one of them otherwise.",
    "start_army_nowhere": "{name} stands nowhere: no hex is named, and there is no capital. Write `hex`, where it stands.",
    "start_army_resource": "{name} has {resource} twice, and has no use for the second. Name it once.",
    "start_army_reserve": (
        "{name} is in reserve, and {hex} has no room for one more army that is {size} (ruling reserves). Take `reserve` out, "
        "or let it stand in a settlement of this kingdom with room."
    ),
    "start_no_room": "{name}: {sentence}",
    "start_not_legal": "{name}: {sentence} It stands there all the same, since it was there at the start.",
}


class Findings:
    """Collect the mistakes and doubts in the files as they are found. `where` is that of a Setup
    (kingdom/engine/game.py)."""

    def __init__(self, where: Callable[[str, str], str]):
        self.where = where
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []

    def note(self, code: str, file: str, path: str, hint: str = "", **facts: object) -> None:
        """A problem at a path inside a file."""
        self.problems.append(self._problem(code, file, path, hint, **facts))

    def warn(self, file: str, path: str, **facts: object) -> None:
        """A building that stands where it could not be built."""
        self.warnings.append(self._problem("start_not_legal", file, path, "", **facts))

    def at(self, code: str, file: str, line: int, column: int, path: str, **facts: object) -> None:
        """A problem at a line and column, in the file in which `path` stands."""
        name = self.where(file, path).rsplit(":", 2)[0]
        self.problems.append(problem(code, name, line, column, path, "", MESSAGES, **facts))

    def _problem(self, code: str, file: str, path: str, hint: str, **facts: object) -> Problem:
        name, line, column = self.where(file, path).rsplit(":", 2)
        return problem(code, name, int(line), int(column), path, hint, MESSAGES, **facts)


# --- a kingdom -------------------------------------------------------------------------------------------------------


_PLAIN = Kingdom("")  # the defaults of a kingdom's file


def joining(seat: str, given: Start, world: World, rules: Rules) -> tuple[Kingdom, list[str]]:
    """(a kingdom that joins a running world, made from the contents of its file; the mistakes found, in sentences)."""
    found = Findings(lambda file, path: f"{path}:0:0")
    kingdom = kingdom_of(seat, given, world.hexes, found, rules)
    sentences = [each.message for each in sorted(found.problems)]
    held = owners(world)
    sentences += [f"{label} is held by {held[label]}." for label in kingdom.hexes if held.get(label, seat) != seat]
    return kingdom, sentences


def file_of(seat: str) -> str:
    """The file of a seat's kingdom."""
    return f"kingdoms/{seat}.yaml"


def kingdom_of(seat: str, given: Start, hexes: Mapping[str, Hex], found: Findings, rules: Rules) -> Kingdom:
    """The kingdom that its file describes. Mistakes go to `found`."""
    file = file_of(seat)
    held = {label: tuple(names) for label, names in sorted(given["hexes"].items())}
    stated = given.get("settlements", {})
    settlements = {
        name: settlement_of(name, each["hex"], each, file, f"settlements.{name}", found, rules)
        for name, each in stated.items()
    }
    _check_hexes(file, held, hexes, found, rules)
    _check_settlements(file, stated, held, hexes, found, rules)
    capital = given.get("capital", "")
    if capital and capital not in stated:
        sentence, near = cure(capital, stated)
        facts = {"name": capital, "cure": sentence or " There is none: take it out."}
        found.note("start_capital", file, "capital", near, **facts)
    elif stated and not capital:
        found.note("start_no_capital", file, "settlements", name=next(iter(stated)))
    alignments = {word.lower(): word for word in rules.alignments}
    levels: StartEdicts = given.get("edicts", {})
    unrest = given.get("unrest", 0)
    kingdom = Kingdom(
        name=given["name"],
        treasury=given.get("treasury", 0),
        unrest=unrest,
        alignment=alignments[given["alignment"]] if "alignment" in given else "",
        government=given.get("government", ""),
        attributes={name: by for name, by in given.get("attributes", {}).items() if isinstance(by, int) and by},
        capital=capital,
        leadership=tuple(dict.fromkeys(given.get("leadership", ()))),
        holiday=levels.get("holiday", _PLAIN.holiday),
        promotion=levels.get("promotion", _PLAIN.promotion),
        taxation=levels.get("taxation", _PLAIN.taxation),
        hexes=held,
        settlements=settlements,
        revealed=tuple(held),
        anarchy=int(unrest >= rules.anarchy.unrest),  # Unrest at the limit makes turn 1 an anarchy turn
        edict_size=len(held),
        founding=not settlements,
        started=_start(capital, settlements, held) if rules.safe_turns and rules.safe_turns.within else "",
    )
    return _with_armies(kingdom, given.get("armies", ()), file, hexes, found, rules)


def _start(capital: str, settlements: Mapping[str, Settlement], held: Mapping[str, tuple[str, ...]]) -> str:
    """The hex in which a kingdom starts: its capital's, or the first that it has; "" for none."""
    return settlements[capital].hex if capital in settlements else next(iter(held), "")


# --- hexes and improvements ---------------------------------------------------------------------------------------------


def _check_hexes(
    file: str, held: Mapping[str, tuple[str, ...]], hexes: Mapping[str, Hex], found: Findings, rules: Rules
) -> None:
    for label, built in held.items():
        if hexes and label not in hexes:  # without a readable map every hex would be reported
            found.note("start_hex_unknown", file, f"hexes.{label}", hex=label)
        # an upgrade does not stand beside the improvement that it was made from (ruling improvements_sharing)
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
                elif PREPARED in (name, other) and not shares_with_settlement(
                    table[one := other if name == PREPARED else name]
                ):
                    found.note("start_prepared", file, f"{path}[{index}]", one=one, hex=label)


def _sharing(rules: Rules) -> str:
    return ", ".join(name for name, each in rules.improvements.items() if each.shares_hex and each.occupies)


# --- settlements -----------------------------------------------------------------------------------------------------


def _check_settlements(
    file: str,
    stated: Mapping[str, StartTown],
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
            hex = hexes[label]
            if rules.terrain[hex.terrain].water:
                found.note("start_settlement_on_water", file, path, name=name, hex=label)
            if hex.free_city:
                found.note("start_city_in_hex", file, path, name=name, hex=label, other=hex.free_city.name)


def settlement_of(
    name: str, label: str, given: Town, file: str, path: str, found: Findings, rules: Rules
) -> Settlement:
    """A settlement as a file has it, laid out. Each building that can't stand legally is a warning."""
    water: list[list[str]] = [[] for _ in range(given.get("districts", 1))]
    for index, text in enumerate(given.get("water", ())):
        number, border = border_at(text) or (0, text)
        if number >= len(water):
            found.note(
                "start_no_district", file, f"{path}.water[{index}]", name=name, number=number + 1, count=len(water)
            )
        elif border not in water[number]:
            water[number].append(border)
    districts = tuple(District(tuple(borders)) for borders in water)
    buildings: tuple[Building, ...] = ()
    try:
        buildings, warnings = lay_out(districts, given.get("buildings", ()), rules)
        for sentence in warnings:
            found.warn(file, f"{path}.buildings", name=name, sentence=sentence)
    except NoRoom as reason:
        found.note("start_no_room", file, f"{path}.buildings", name=name, sentence=str(reason))
    once = tuple(  # the one-off Unrest of starting buildings has been counted
        kind
        for kind in dict.fromkeys(building.id for building in buildings)
        if rules.buildings[kind].has(UnrestOncePerSettlement)
    )
    return Settlement(label, districts, buildings, once=once)


# --- armies -----------------------------------------------------------------------------------------------------------


def _with_armies(
    kingdom: Kingdom,
    given: Sequence[StartArmy],
    file: str,
    hexes: Mapping[str, Hex],
    found: Findings,
    rules: Rules,
) -> Kingdom:
    """The kingdom with the armies of its file, unhurt and at rest where they stand. Mistakes go to `found`."""
    capital = kingdom.settlements.get(kingdom.capital)
    places: dict[str, int] = {}
    armies: dict[str, Army] = {}
    for index, each in enumerate(given):
        name, path = each["name"], f"armies[{index}]"
        for other, earlier in places.items():
            if other.casefold() == name.casefold():  # capitals make no difference between names
                where = found.where(file, f"armies[{earlier}]")
                found.note("start_army_twice", file, f"{path}.name", name=name, where=where)
        label = each.get("hex") or (capital.hex if capital else "")
        if not label:
            found.note("start_army_nowhere", file, path, name=name)
        elif hexes and label not in hexes:  # without a readable map every hex would be reported
            found.note("start_hex_unknown", file, f"{path}.hex", hex=label)
        armies[name], places[name] = _army(each, label, file, path, found, rules), index
    kingdom = replace(kingdom, armies=armies)
    for name in without_room(kingdom, rules) if armies else ():
        facts = {"name": name, "size": armies[name].size, "hex": armies[name].hex}
        found.note("start_army_reserve", file, f"armies[{places[name]}]", **facts)
    return kingdom


def _army(given: StartArmy, label: str, file: str, path: str, found: Findings, rules: Rules) -> Army:
    army = Army(given["unit"], given["size"], label, 0, reserve=given.get("reserve", False))
    # only a resource that is the same for every size may be named more than once
    counts: dict[str, int] = {}
    for index, resource in enumerate(given.get("resources", ())):
        row = rules.army_resources[resource]
        if resource in counts and not row.one_size:
            found.note("start_army_resource", file, f"{path}.resources[{index}]", name=given["name"], resource=row.name)
        else:
            counts[resource] = counts.get(resource, 0) + 1
    # the named tactics, without those that every army or this unit knows anyway
    own = rules.units[given["unit"]].tactics
    known = tuple(
        word for word in dict.fromkeys(given.get("tactics", ())) if not rules.tactics[word].default and word not in own
    )
    return replace(army, resources=counts, tactics=known, hp=full_hp(army, rules))
