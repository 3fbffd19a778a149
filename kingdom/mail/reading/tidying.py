"""A text as phones, word processors and mail programs make it -> the same with the plain signs that were meant. Pure."""

from __future__ import annotations

import re
import textwrap

from kingdom.mail.reading import quotes

_BREAKS = re.compile("[\u2028\u2029\x0b\x0c\x85]|\r\n?")
_TIDY = str.maketrans({
    **dict.fromkeys("\u00a0\u2007\u202f\u2002\u2003\u2009\u3000", " "),
    **dict.fromkeys("\u200b\u2060\ufeff\u00ad\u200e\u200f", ""), "：": ": ", **dict.fromkeys("，、", ", "),
    **{chr(ord("０") + digit): str(digit) for digit in range(10)},
})  # fmt: skip
# joiners that nobody sees, but for those between letters of other scripts
_JOINERS = re.compile("(?<![^\x00-\x7f])[\u200c\u200d]+|[\u200c\u200d]+(?![^\x00-\x7f])")
_TABS = re.compile(r"^[ \t]*[-*]?[ \t]+", re.MULTILINE)  # before the first word of a line
# orders below a heading, `orders:` or `my orders:`
_HEADED = re.compile(r"((?:^|\n)[ ]{0,3})(?i:(?:my )?orders):[ ]*((?:\n(?:[ ]{1,12}\S.*|[ ]*(?=\n)))+)")
_BULLET = re.compile(r"^([ \t]*)[•‣◦⁃∙·▪▸►●○■–—*\uf0b7][ \t]+(?=\S)", re.MULTILINE)


def with_breaks(text: str) -> str:
    """The text with every kind of line end as the plain one."""
    return _BREAKS.sub("\n", text)


def with_plain_signs(text: str) -> str:
    """The text with plain line ends and blanks, and without what nobody sees."""
    return _JOINERS.sub("", with_breaks(text).translate(_TIDY))


def tidied(text: str) -> str:
    """The text with plain quotes, blanks and list marks instead of those that word processors and phones put in, and without the
    blanks that a program put before all lines or before the first line."""
    text = _BULLET.sub(r"\1- ", with_plain_signs(text))
    text = _TABS.sub(lambda found: found[0].replace("\t", "  "), text)
    return outdented(quotes.straightened(text).strip("\n"))


def without_heading(text: str) -> str:
    """The text without the heading `orders:` or `my orders:`; the orders below it begin at the left margin."""
    return _HEADED.sub(lambda found: found[1] + textwrap.dedent(found[2]), text)


def outdented(text: str) -> str:
    """The text without the blanks that stand before all its lines, or before the first alone, and at the ends of lines."""
    text = "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
    if not text.startswith(" "):
        return text
    first, gap, rest = textwrap.dedent(text).partition("\n")
    return f"{first.lstrip(' ')}{gap}{rest}"
