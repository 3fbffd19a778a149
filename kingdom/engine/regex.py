"""Regular expressions that are compiled when they are first used: a run of the program needs few of those that its modules declare,
and compiling all of them takes longer than reading a campaign.

Use it for expressions at the top of a module that not every run needs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, AnyStr

if TYPE_CHECKING:

    def regex(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
        """Return what `re.compile` returns."""
        return re.compile(text, flags)

else:

    class regex:
        """Stands for a compiled expression; at the first use of a method it compiles the expression and takes over its
        methods."""

        def __init__(self, text: str | bytes, flags: int = 0) -> None:
            self._made_of = text, flags

        def __getattr__(self, name: str) -> object:
            if name.startswith("_"):
                raise AttributeError(name)
            compiled = re.compile(*self._made_of)
            self.__dict__.update({name: getattr(compiled, name) for name in dir(compiled) if name[0] != "_"})
            return getattr(compiled, name)
