"""What can be wrong with the files of a start beyond their shape, and where it stands."""

from __future__ import annotations

from collections.abc import Callable

from kingdom.engine.problems import Problem, problem

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
    """What is wrong with the files, and what is doubtful, as it is found. `where` is that of a Setup (kingdom/engine/game.py)."""

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
