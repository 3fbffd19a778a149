"""A message as a program stored it: compressed, as Dovecot does, or with something before its headers. And what is no message.

What can't be unpacked with the standard library stays where it is and is named: Zstandard before Python 3.14, and LZ4, which
Dovecot writes in a form of its own.
"""

from __future__ import annotations

import re
import zlib
from pathlib import Path

from kingdom.engine.regex import regex

_HEAD = 256 << 10  # bytes in which the headers stand
_MOST = 26 << 20  # bytes of a message that is unpacked; the program reads none that is longer
# what stands before the headers in a saved message: a byte order mark, empty lines, the line that parts the messages of an mbox
_BEFORE = regex(rb"(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n|>*From [^\r\n]*\r?\n)*")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_FIELD = regex(
    rb"^(?:from|to|cc|subject|date|received|return-path|message-id|mime-version|content-type|delivered-to|x-original-to|sender|reply-to)[ \t]*:",
    re.IGNORECASE | re.MULTILINE,
)
_NEXT = regex(rb"\r?\n\r?\nFrom \S+ [^\r\n]{8,80}\r?\n[!-9;-~]{1,60}:")  # the next message of an mbox
_END = regex(rb"\r?\n\r?\n")
_GZIP, _BZIP2, _XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00"
_FOREIGN = {b"\x28\xb5\x2f\xfd": "Zstandard", b"Dovecot-LZ4": "LZ4", b"\x04\x22\x4d\x18": "LZ4"}


class NoMessage(Exception):
    """A file is no message; its argument says why, and what helps."""


def head(file: Path) -> bytes:
    """How a message begins, unpacked: its headers. Raises OSError, NoMessage."""
    with open(file, "rb") as stream:
        data = stream.read(_HEAD + 1)
    return message(data[:_HEAD], whole=len(data) <= _HEAD)


def message(data: bytes, whole: bool = True) -> bytes:
    """The bytes of a message, unpacked. whole: all of the file, not just how it begins. Raises NoMessage."""
    if not data.strip(b"\0 \t\r\n"):
        raise NoMessage("It is empty." if not data.strip() else "It holds zeros alone, as a broken disk leaves them.")
    data = _unpacked(data, whole)
    plain = without_lead(data)
    end = _END.search(plain, 0, _HEAD)
    if not _FIELD.search(plain, 0, end.start() if end else _HEAD):
        raise NoMessage("It does not begin with a mail's headers, such as `From: ...`.")
    if data[: len(data) - len(plain)].strip(b"\xef\xbb\xbf\r\n").startswith(b"From ") and _NEXT.search(plain):
        raise NoMessage("It holds several messages, as an mbox does. Save each in a file of its own that ends in .eml.")
    return data


def _unpacked(data: bytes, whole: bool) -> bytes:
    """The bytes as they were before they were compressed, up to a limit. Raises NoMessage."""
    foreign = next((name for sign, name in _FOREIGN.items() if data.startswith(sign)), "")
    if foreign:
        raise NoMessage(
            f"It is compressed with {foreign}, which is not read here. Unpack it, or have the mail server write gzip."
        )
    if not data.startswith((_GZIP, _BZIP2, _XZ)):
        return data
    import lzma

    made: list[bytes] = []
    room = _MOST
    try:
        while data.startswith((_GZIP, _BZIP2, _XZ)) and room > 0:  # several pieces may follow one another
            piece, data, ended = _piece(data, room)
            made.append(piece)
            room -= len(piece)
            if whole and not ended and room > 0:
                raise EOFError
    except (zlib.error, OSError, ValueError, EOFError, lzma.LZMAError):
        raise NoMessage("Its compressed data is broken or breaks off. Put the file back from a copy.") from None
    return b"".join(made)


def _piece(data: bytes, most: int) -> tuple[bytes, bytes, bool]:
    """(the bytes of the first compressed piece, what follows it, whether it has its end)."""
    if data.startswith(_GZIP):
        inflater = zlib.decompressobj(wbits=31)
        return inflater.decompress(data, most), inflater.unused_data, inflater.eof
    import bz2
    import lzma

    unpacker = bz2.BZ2Decompressor() if data.startswith(_BZIP2) else lzma.LZMADecompressor(memlimit=64 << 20)
    return unpacker.decompress(data, most), unpacker.unused_data, unpacker.eof


def without_lead(data: bytes) -> bytes:
    """The message from its headers on: without what a program that saved it put before them, and in UTF-8."""
    if data.startswith(_UTF_16):
        data = data.decode("utf-16", "replace").encode()
    lead = _BEFORE.match(data)
    return data[lead.end() :] if lead and lead.end() else data
