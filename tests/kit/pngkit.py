"""Reads a PNG back, as far as tests need it: its size and its pixels."""

from __future__ import annotations

import struct
import zlib

Pixel = tuple[int, int, int, int]


def pixels(png: bytes) -> list[list[Pixel]]:
    """The rows of pixels, red, green, blue and opacity each, of a PNG of eight bits with opacity."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = [], 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        chunks.append((png[at + 4 : at + 8], png[at + 8 : at + 8 + length]))
        at += 12 + length
    width, height, depth, kind = struct.unpack(">IIBB", chunks[0][1][:10])
    assert (depth, kind) == (8, 6)
    raw = zlib.decompress(b"".join(data for name, data in chunks if name == b"IDAT"))
    rows, above = [], bytes(width * 4)
    for number in range(height):
        line = raw[number * (width * 4 + 1) : (number + 1) * (width * 4 + 1)]
        above = _unfiltered(line[0], line[1:], above)
        rows.append([tuple(above[index : index + 4]) for index in range(0, width * 4, 4)])
    return rows  # type: ignore[return-value]


def _unfiltered(kind: int, line: bytes, above: bytes) -> bytes:
    """A row of bytes as it was before PNG told each by its neighbours."""
    row = bytearray(line)
    for index, value in enumerate(row):
        left, corner = (row[index - 4], above[index - 4]) if index >= 4 else (0, 0)
        up = above[index]
        guess = left + up - corner
        nearest = min((left, up, corner), key=lambda each: abs(guess - each))
        row[index] = (value + (0, left, up, (left + up) // 2, nearest)[kind]) & 255
    return bytes(row)
