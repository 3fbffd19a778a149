"""What the dice of a kingdom's Income and Upkeep meet: its numbers, from its sheet, as the Edict phase leaves them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from kingdom.games.realm.effects import stores_room
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import accounts, control_dc, raw_consumption, tax_bp
from kingdom.games.realm.state import Hex, Kingdom
from kingdom.games.realm.steps.checks import by_events
from kingdom.games.shared.memo import Memo


class Terms(NamedTuple):
    """The numbers that hold through Income and Upkeep; in BP where they are of the treasury.

    dc: the Control DC. values: attribute -> its balance, without Unrest; checks: attribute -> what events add to its checks
    alone. works: what a successful Economy check pays beside taxes. surplus: what farms save beyond 0; room: of granaries.
    anarchy: the turn is one of anarchy. in_play: the kingdom is not destroyed.
    """

    size: int
    dc: int
    values: Mapping[str, int]
    checks: Mapping[str, int]
    works: int
    consumption: int
    surplus: int
    room: int
    anarchy: bool
    in_play: bool

    @property
    def checked(self) -> bool:
        """Whether the checks of Income and Upkeep are made. Rulings: no_hexes, anarchy."""
        return bool(self.size) and self.in_play and not self.anarchy


_terms: Memo[Terms] = Memo(size=10)  # odds and forecast of a report go by the same


def terms_of(kingdom: Kingdom, hexes: dict[str, Hex], turn: int, rules: Rules) -> Terms:
    """The terms of that turn, from the kingdom and the map as its Edict phase left them; remembered for a while."""
    key = (id(kingdom), id(hexes), turn, id(rules))
    known = _terms.get(key)
    return (
        known if known is not None else _terms.put(key, (kingdom, hexes, rules), _terms_of(kingdom, hexes, turn, rules))
    )


def _terms_of(kingdom: Kingdom, hexes: dict[str, Hex], turn: int, rules: Rules) -> Terms:
    numbers = accounts(kingdom, hexes, rules)
    room = stores_room(kingdom, rules)
    return Terms(
        size=len(kingdom.hexes),
        dc=control_dc(kingdom, rules),
        values={name: numbers[name] for name in ATTRIBUTES},
        checks={name: sum(by_events(kingdom, name).values()) for name in ATTRIBUTES},
        works=sum(bp for _, bp in tax_bp(kingdom, hexes, rules)),
        consumption=numbers["consumption"],
        surplus=max(0, -raw_consumption(kingdom, hexes, rules)) if room else 0,
        room=room,
        anarchy=kingdom.anarchy == turn,
        in_play=not kingdom.destroyed,
    )
