"""NamedTuple for the type checker; when the program runs, one that takes half as long to declare as typing's.

Typing's looks at each field's type, for which nothing asks. Every start declares some fifty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple
    from types import GenericAlias

    class _Declaring(type):
        """Makes a tuple with names of the fields, defaults and methods that a class declares."""

        def __new__(cls, name: str, bases: tuple[type, ...], declared: dict[str, Any]) -> type:
            """Return the class."""
            if not bases:
                return type.__new__(cls, name, bases, declared)
            fields = declared.get("__annotations__", {})
            defaults = [declared.pop(field) for field in fields if field in declared]
            made = namedtuple(name, fields, defaults=defaults, module=declared.pop("__module__"))
            made.__class_getitem__ = classmethod(GenericAlias)  # of one that is also Generic
            for key, value in declared.items():
                setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Declaring):
        """What a class names as its base that declares fields."""
