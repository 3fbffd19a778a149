"""Texts that PGP signed or encrypted in their lines. Nothing is proved here: what was signed is read as if it were not."""

from __future__ import annotations

import re

_BEGIN = re.compile(r"^-----BEGIN PGP SIGNED MESSAGE-----[ \t]*$", re.MULTILINE)
_HEADERS = re.compile(r"(?:\n(?:Hash|Charset|NotDashEscaped):[^\n]*)*\n[ \t]*\n", re.IGNORECASE)
_END = re.compile(r"^-----BEGIN PGP SIGNATURE-----[ \t]*$", re.MULTILINE)
_OVER = re.compile(r"^-----END PGP SIGNATURE-----[ \t]*$", re.MULTILINE)
_ENCRYPTED = re.compile(r"^-----BEGIN PGP MESSAGE-----[ \t]*$", re.MULTILINE)


def is_encrypted(text: str) -> bool:
    """Whether the text, or a piece of it, is a PGP message."""
    return _ENCRYPTED.search(text) is not None


def without_armour(text: str) -> str:
    """The text with the frame of a signature taken off, and the dashes that were put before its lines."""
    begin = _BEGIN.search(text)
    headers = _HEADERS.match(text, begin.end()) if begin else None
    end = _END.search(text, headers.end()) if headers else None
    if begin is None or headers is None or end is None:
        return text
    signed = re.sub(r"^- (?=-|From )", "", text[headers.end() : end.start()], flags=re.MULTILINE)
    over = _OVER.search(text, end.end())
    return text[: begin.start()] + signed + (text[over.end() :] if over else "")
