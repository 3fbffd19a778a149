"""Pictures: SVG drawn as PNG, for mails and for who wants a file that any program shows.

The letters come with the program, so a machine without any fonts draws the same picture; the system's fonts are asked for
the letters that those lack (a Chinese name) alone.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE, _FAMILY, _FILES = "font_source_sans_pro", "Source Sans Pro", ("Regular", "Semibold", "Bold")
_LAST = "\u04ff"  # Latin, Greek and Cyrillic stand before it


def png(svg: str, width: int) -> bytes:
    """The picture as PNG, so many pixels wide. Raises ValueError where it is no SVG."""
    import resvg_py  # slow to load

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, width=width, font_files=_fonts(), skip_system_fonts=not _is_foreign(svg),
            font_family=_FAMILY, sans_serif_family=_FAMILY, serif_family=_FAMILY,
        )
    )  # fmt: skip


def _is_foreign(text: str) -> bool:
    """Whether it has letters that the program's own font lacks."""
    return not text.isascii() and any(letter > _LAST and letter not in "–—‘’“”…•" for letter in text)


def _fonts() -> list[str]:
    """The files of the font, wherever its package lies."""
    from importlib.util import find_spec

    found = find_spec(_PACKAGE)
    if found is None or found.origin is None:
        return []
    return [str(Path(found.origin).parent / "files" / f"{_FAMILY.replace(' ', '')}-{name}.ttf") for name in _FILES]
