"""Reproducible dice: each roll is a function of the seed, the turn, the seat, the roll's name and its count.

The scheme is section 7 of docs/contract.md; a player can verify it with `kingdom dice`.
"""

import hashlib
import hmac
from collections.abc import Mapping, Sequence

from kingdom.engine.named_tuple import NamedTuple

GM = "gm"  # rolls that no seat may see are keyed to this name
_RANGE = 1 << 64


class Roll(NamedTuple):
    """One result of one die, as it stands in dice.csv."""

    turn: int
    kingdom: str
    name: str
    count: int  # type: ignore[assignment]  # hides a tuple's own `count`, which nothing uses; the field is the column of dice.csv
    sides: int
    result: int
    source: str  # "seed" or "tape"


def key_of(seed: str, turn: int, kingdom: str, attempt: int = 1) -> str:
    """Return the key of a seat's rolls in a turn, 64 lowercase hex digits. `attempt` is 2 or more for a turn that was reopened."""
    when = str(turn) if attempt == 1 else f"{turn}.{attempt}"
    return hmac.new(seed.encode(), f"{when}:{kingdom}".encode(), hashlib.sha256).hexdigest()


def commitment_of(key: str) -> str:
    """Return the commitment to a key, which players get before the turn: the SHA-256 of the key's hex text."""
    return hashlib.sha256(key.encode()).hexdigest()


def throw(key: str, name: str, count: int, sides: int) -> int:
    """Return the result, 1 to `sides`, of the roll `name` number `count` (from 1) under `key`."""
    limit = _RANGE - _RANGE % sides
    secret = key.encode()
    attempt = 0
    while True:
        digest = hmac.digest(secret, f"{name}:{count}:{attempt}".encode(), "sha256")
        x = int.from_bytes(digest[:8], "big")
        if x < limit:
            return 1 + x % sides
        attempt += 1


class Dice:
    """The dice of one turn: the seed gives them, unless a tape (a GM's rolls by hand) has the roll.

    `tape` maps a seat to its rolls: a name to the results in the order in which they are thrown. `keys` maps a seat to its key
    if the seed is not known; then only these seats have dice.
    """

    def __init__(
        self,
        seed: str,
        turn: int,
        attempt: int = 1,
        tape: Mapping[str, Mapping[str, Sequence[int]]] | None = None,
        keys: Mapping[str, str] | None = None,
    ):
        self.turn = turn
        self._seed = seed
        self._attempt = attempt
        self._tape = tape or {}
        self._keys = dict(keys or {})
        self._is_given = keys is not None

    def result(self, kingdom: str, name: str, count: int, sides: int) -> Roll:
        """Return the roll: the tape's if it has one for this name and count, else the seed's. Raises KeyError if there is
        neither seed nor key for the seat."""
        by_hand = self._tape.get(kingdom, {}).get(name, ())
        if count <= len(by_hand):
            return Roll(self.turn, kingdom, name, count, sides, by_hand[count - 1], "tape")
        key = self._keys.get(kingdom)
        if key is None:
            if self._is_given:
                raise KeyError(kingdom)
            key = self._keys[kingdom] = key_of(self._seed, self.turn, kingdom, self._attempt)
        return Roll(self.turn, kingdom, name, count, sides, throw(key, name, count, sides), "seed")


class NoDice:
    """Dice for a forecast, which throws none. A step that would roll gets None and leaves the outcome open."""

    turn = 0

    def result(self, kingdom: str, name: str, count: int, sides: int) -> None:
        """Return None: nobody can foresee what depends on this roll."""
        return


def unused(tape: Mapping[str, Mapping[str, Sequence[int]]], rolls: Sequence[Roll]) -> list[tuple[str, str, int]]:
    """Return the entries of a tape that no roll used, as (seat, name, count)."""
    taken = {(roll.kingdom, roll.name, roll.count) for roll in rolls if roll.source == "tape"}
    return [
        (kingdom, name, count)
        for kingdom, names in tape.items()
        for name, results in names.items()
        for count in range(1, len(results) + 1)
        if (kingdom, name, count) not in taken
    ]


def outside(rolls: Sequence[Roll]) -> list[Roll]:
    """Return the rolls with a result that is not on their die: a slip in a tape."""
    return [roll for roll in rolls if not 1 <= roll.result <= roll.sides]
