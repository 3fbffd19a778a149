"""Reads a PNG back, as far as tests need it: its size and its pixels."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

Pixel = tuple[int, int, int]


def pixels(png: bytes) -> list[list[Pixel]]:
    """The rows of pixels, red, green and blue each, of a PNG."""
    image = Image.open(BytesIO(png), formats=["PNG"])
    flat = image.convert("RGB").tobytes()
    row = image.width * 3
    return [
        [(flat[at], flat[at + 1], flat[at + 2]) for at in range(start, start + row, 3)]
        for start in range(0, len(flat), row)
    ]
