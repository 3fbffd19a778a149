"""TypedDict only for the type checker: with typing's own, declaring the rows of reports takes a tenth of the start of a turn.

Use it if nothing asks for the keys at run time. Types that msgspec decodes need typing's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypedDict as TypedDict
else:

    class TypedDict:
        """A class that is quick to declare; calling it makes a plain dict, as with typing's."""

        def __init_subclass__(cls, total: bool = True) -> None:
            """Accept the keyword that typing.TypedDict accepts after the bases."""

        def __new__(cls, *parts: object, **keys: object) -> dict[str, object]:
            """Return the keys as a plain dict."""
            return dict(*parts, **keys)
