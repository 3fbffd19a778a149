"""A NamedTuple that is quick to declare is what typing's is."""

from __future__ import annotations

import pickle
import typing
from typing import Generic, TypeVar

import msgspec
import pytest

from kingdom.engine import named_tuple


class Ours(named_tuple.NamedTuple):
    """A row."""

    seat: str
    count: int = 0
    more: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The seat, with a capital."""
        return self.seat.capitalize()


class Theirs(typing.NamedTuple):
    """A row."""

    seat: str
    count: int = 0
    more: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The seat, with a capital."""
        return self.seat.capitalize()


S = TypeVar("S")


class Generous(named_tuple.NamedTuple, Generic[S]):
    """A row of something."""

    what: S
    count: int = 1


def test_one_may_be_generic() -> None:
    assert Generous("hex") == ("hex", 1) and Generous[str]("hex") == Generous("hex")
    assert Generous[int].__origin__ is Generous and isinstance(Generous(3), Generous)  # type: ignore[attr-defined]


def test_it_is_what_typing_makes() -> None:
    ours, theirs = Ours("ann", more=("x",)), Theirs("ann", more=("x",))
    assert ours == theirs == ("ann", 0, ("x",)) and hash(ours) == hash(theirs) and ours.name == "Ann"
    assert ours._replace(count=2) == ("ann", 2, ("x",)) and ours._asdict() == theirs._asdict()
    assert (Ours._fields, Ours._field_defaults) == (Theirs._fields, Theirs._field_defaults)
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert (Ours.__doc__, Ours.__module__, Ours.__qualname__, Ours.__mro__[1:]) == (
        Theirs.__doc__,
        Theirs.__module__,
        "Ours",
        Theirs.__mro__[1:],
    )
    assert pickle.loads(pickle.dumps(ours)) == ours
    assert msgspec.json.decode(b'["bob", 3, ["y"]]', type=Ours) == Ours("bob", 3, ("y",))
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'["bob", "many"]', type=Ours)
    with pytest.raises(TypeError):
        Ours()  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        ours.seat = "bob"  # type: ignore[misc]
