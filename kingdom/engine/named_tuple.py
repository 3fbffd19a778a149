"""NamedTuple: typing's for the type checker, and at run time one that takes half as long to declare.

Typing's evaluates each field's type, which nothing needs. Every start of the program declares about fifty.
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
            made.__class_getitem__ = classmethod(GenericAlias)  # for a class that is also Generic
            for key, value in declared.items():
                setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Declaring):
        """The base of a class that declares the fields of a tuple."""
