"""What in a letter may be an order that slipped into it. Pure.

Sent on, it would tell a rival, and its writer would think that it is filed. So a letter is asked about on a mere suspicion.
"""

from __future__ import annotations

import re
from collections.abc import Container

from kingdom.mail.incoming import line_marks, repairs, suggestions
from kingdom.mail.incoming.repairs import Reads
from kingdom.mail.incoming.reply import key_of

_LONGEST = 400  # characters of a line that is looked at
_MOST = 200  # lines, likewise
_BRACKETS = re.compile(r"(?:- ?)?(?:[\w -]{1,40}: ?)?[{\[]\s*[\"'{]?\w")  # nobody writes so to people
_HEAD = ("kingdom", "turn", "token")  # a letter may begin with them: `Turn 4 will be hard`


def orders_in(text: str, keys: Container[str], reads: Reads) -> str:
    """The lines of a text that may be meant as orders, right or wrong, as they would be written; "" for none."""
    lines = (line_marks.bare(line.strip(), keys) for line in text.split("\n")[:_MOST])
    return "\n".join(order for line in lines if 0 < len(line) <= _LONGEST and (order := _order(line, keys, reads)))


def _order(line: str, keys: Container[str], reads: Reads) -> str:
    """What the line may order: it is built like orders, or begins with a key, also a misspelt one."""
    key, argument, colon = repairs.parts(line, keys)
    if _BRACKETS.match(line) or colon:
        return line
    if not key:
        word = key_of(line)
        first, _, rest = line.partition(":" if word else " ")
        key, argument, colon = repairs.near_key(word or first.lower(), keys), rest.strip(), bool(word)
    if not key or key in _HEAD:
        return ""
    if colon:
        return f"{key}: {argument}"
    return repairs.fixed(key, argument, reads, False) or "\n".join(suggestions.in_prose(line, keys, reads))
