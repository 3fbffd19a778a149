"""TypedDict for the type checker alone: typing's own takes a tenth of the start of a turn to declare the rows of its reports.

Use it where nothing asks for the keys at run time. What msgspec decodes needs typing's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypedDict as TypedDict
else:

    class TypedDict:
        """A class that is quick to declare; calling it makes a plain dict, as calling typing's does."""

        def __init_subclass__(cls, total: bool = True) -> None:
            """Accept the keyword that typing.TypedDict accepts after the bases."""

        def __new__(cls, *parts: object, **keys: object) -> dict[str, object]:
            """Return the keys as a plain dict."""
            return dict(*parts, **keys)
