"""Jinja as the reports use it.

To make Python of a template takes ten times as long as to compile that Python, and that five times as long as to load what
it was compiled to; so that is kept in the user's cache folder, as Python keeps its own modules, named for the template and
the Jinja and Python that made it (kingdom/cache.py says what is trusted there).
"""

from __future__ import annotations

import marshal
import sys
from hashlib import sha256
from pathlib import Path
from types import CodeType
from typing import Any, Callable, Mapping

from kingdom import cache, places

_OPTIONS = {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}  # they shape the Python of a template


def _loaded(kept: bytes | None) -> CodeType | None:
    """The code that was kept; None where it is none."""
    try:
        code = marshal.loads(kept) if kept else None
    except (EOFError, ValueError, TypeError):
        return None
    return code if isinstance(code, CodeType) else None


def environment(folder: Path, filters: Mapping[str, Callable[..., Any]]) -> Any:
    """The jinja2.Environment for the templates of a folder, HTML escaped. Its templates raise jinja2.TemplateError.

    They may include those of other folders by their place under templates/: `board/frame.html`.
    """
    import jinja2  # slow to load

    class Environment(jinja2.Environment):
        """Views are plain data: in a template `x.y` is what stands under y in x, never a method of x."""

        def getattr(self, obj: Any, attribute: str) -> Any:
            if type(obj) is not dict:
                return super().getattr(obj, attribute)
            try:
                return obj[attribute]
            except KeyError:
                return self.undefined(obj=obj, name=attribute)

        def compile(self, source: str, name: str, filename: str) -> Any:  # type: ignore[override]  # as loaders call it
            """The code of a template. `filename` is what a traceback calls it."""
            made_of = repr((jinja2.__version__, sys.version, _OPTIONS, name, filename, source))
            kept_as = f"kingdom-template-{sha256(made_of.encode()).hexdigest()[:40]}"
            code = _loaded(cache.get(kept_as))
            if code is None:
                code = super().compile(source, name, filename)
                cache.put(kept_as, marshal.dumps(code))
            return code

    made = Environment(
        loader=jinja2.FileSystemLoader((folder, places.templates())),
        autoescape=jinja2.select_autoescape(("html",), default=False),
        undefined=jinja2.StrictUndefined,
        auto_reload=False,
        **_OPTIONS,
    )
    made.filters.update(filters)
    return made
