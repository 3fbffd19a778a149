"""Pages in ASCII: they read the same even if a web server names a wrong encoding, which browsers believe before the page's
own."""

from __future__ import annotations

import re

from kingdom.engine.regex import regex

_SCRIPT = regex(r"(<script\b.*?</script>)", re.DOTALL)
_NOT_ASCII = regex("[^\x00-\x7f]")


def as_ascii(page: str) -> bytes:
    """Return a page of HTML in ASCII. Its styles must be ASCII already, and its scripts too, except for their texts."""
    if page.isascii():
        return page.encode()
    pieces = _SCRIPT.split(page)
    pieces[1::2] = map(script_as_ascii, pieces[1::2])
    return "".join(pieces).encode("ascii", "xmlcharrefreplace")


def script_as_ascii(script: str) -> str:
    """Return a script with the letters of its texts escaped."""
    return _NOT_ASCII.sub(_escaped, script)


def _escaped(letter: re.Match[str]) -> str:
    """The escape of a letter, in two halves if one is too short."""
    data = letter[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{data[at : at + 2].hex()}" for at in range(0, len(data), 2))
