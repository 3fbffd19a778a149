"""What the tables of every board game are made of: a ruling, and the figures in it."""

# Without `from __future__ import annotations`: types that are texts cost time in every program that reads tables.

from typing import Annotated

from msgspec import Meta, Struct

Count = Annotated[int, Meta(ge=0, le=99)]
Natural = Annotated[int, Meta(ge=1, le=99)]


class Ruling(Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling: its text says what the program does; a campaign may change its figures."""

    text: str
