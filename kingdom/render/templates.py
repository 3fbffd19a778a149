"""Jinja as the reports use it. It is slow to load, so it is imported only where something is drawn.

Making Python from a template takes ten times as long as compiling that Python, and compiling five times as long as loading the
result. So the result is kept in the user's cache folder, as Python keeps its own modules, under a name made of the template and
the versions of Jinja and Python (kingdom/orders/cache.py explains which files are trusted).
"""

from __future__ import annotations

import marshal
import re
import sys
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from types import CodeType

import jinja2
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from markupsafe import Markup, escape

from kingdom.orders import cache, places

_OPTIONS = {  # these options change the Python made from a template
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
}
_TYPED = re.compile(r"`([^`\n]+)`")
_PRINTED = "environment.printed("  # this call also changes it: it escapes each value put into HTML
_TO_ESCAPE = re.compile("[&<>'\"]").search


def codes(text: str) -> Markup:
    """Return a sentence for a page: words between backticks are marked as text to type."""
    return Markup(_TYPED.sub(r"<code>\1</code>", str(escape(text))))


def plain(text: str) -> str:
    """Return a sentence for a plain text: backticks become quotes."""
    return _TYPED.sub(r'"\1"', text)


def _loaded(kept: bytes | None) -> CodeType | None:
    """The kept code; None if there is none or it can't be read."""
    try:
        code = marshal.loads(kept) if kept else None
    except (EOFError, ValueError, TypeError):
        return None
    return code if isinstance(code, CodeType) else None


class Generator(CodeGenerator):
    """Makes Python that passes each value in HTML through `printed`."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile:
            self.write(_PRINTED)
        else:
            super()._output_child_pre(node, frame, finalize)


class Environment(jinja2.Environment):
    """The environment of templates. Views are plain data: in a template `x.y` is the value under the key y in x, never a method
    of x."""

    code_generator_class = Generator

    @staticmethod
    def printed(value: object) -> str:
        """Return the value escaped. Most texts have nothing to escape and are not made Markup, which is slow."""
        kind = type(value)
        if kind is int:
            return str(value)
        if isinstance(value, str) and (kind is Markup or kind is str and not _TO_ESCAPE(value)):
            return value
        return escape(value)

    def getattr(self, obj: object, attribute: str) -> object:
        """Return the value under that key in `obj`."""
        if type(obj) is not dict:
            return super().getattr(obj, attribute)
        try:
            return obj[attribute]
        except KeyError:
            return self.undefined(obj=obj, name=attribute)

    def compile(self, source: str, name: str, filename: str) -> CodeType:  # type: ignore[override]  # as loaders call it
        """Return the code of a template. `filename` is its name in tracebacks."""
        made_of = repr((jinja2.__version__, sys.version, _OPTIONS, _PRINTED, name, filename, source))
        kept_as = f"{cache.TEMPLATE}{sha256(made_of.encode()).hexdigest()[:40]}"
        code = _loaded(cache.get(kept_as))
        if code is None:
            code = super().compile(source, name, filename)
            cache.put(kept_as, marshal.dumps(code))
        return code


def environment(folder: Path | tuple[Path, ...], filters: Mapping[str, Callable[..., object]]) -> Environment:
    """The environment for the templates of some folders, with HTML escaped; a template is taken from the first folder that has
    it. Its templates raise jinja2.TemplateError.

    Templates may include others by their path under templates/: `board/frame.html`.
    """
    made = Environment(
        loader=jinja2.FileSystemLoader((*((folder,) if isinstance(folder, Path) else folder), places.templates())),
        autoescape=jinja2.select_autoescape(("html",), default=False),
        undefined=jinja2.StrictUndefined,
        auto_reload=False,
        trim_blocks=_OPTIONS["trim_blocks"],
        lstrip_blocks=_OPTIONS["lstrip_blocks"],
        keep_trailing_newline=_OPTIONS["keep_trailing_newline"],
    )
    made.filters.update(filters)
    return made
