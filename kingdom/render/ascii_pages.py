"""Pages in ASCII: they read the same whatever encoding a web server names for them, which counts more than what the page says."""

from __future__ import annotations

import re

from kingdom.engine.regex import regex

_SCRIPT = regex(r"(<script\b.*?</script>)", re.DOTALL)
_NOT_ASCII = regex("[^\x00-\x7f]")


def as_ascii(page: str) -> bytes:
    """Return a page of HTML in ASCII. Its styles are ASCII, and so are its scripts but for their texts."""
    if page.isascii():
        return page.encode()
    pieces = _SCRIPT.split(page)
    pieces[1::2] = map(script_as_ascii, pieces[1::2])
    return "".join(pieces).encode("ascii", "xmlcharrefreplace")


def script_as_ascii(script: str) -> str:
    """Return a script with the letters of its texts escaped."""
    return _NOT_ASCII.sub(_escaped, script)


def _escaped(letter: re.Match[str]) -> str:
    """A letter, as two halves where one will not do."""
    data = letter[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{data[at : at + 2].hex()}" for at in range(0, len(data), 2))
