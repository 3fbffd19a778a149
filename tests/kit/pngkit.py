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
    if kind == 0:
        return line
    if kind == 2:
        return bytes((value + up) & 255 for value, up in zip(line, above, strict=True))
    row = bytearray(4) + line  # four zeros stand to the left
    over = bytes(4) + above
    for index in range(4, len(row)):
        left, up, corner = row[index - 4], over[index], over[index - 4]
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + up) // 2
        else:
            guess = min((left, up, corner), key=lambda each: abs(left + up - corner - each))
        row[index] = (row[index] + guess) & 255
    return bytes(row[4:])
