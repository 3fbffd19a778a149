"""What is other in one set of tables than in another, a line each, for people to read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kingdom.orders.tables import Tables

_LONGEST = 60  # characters of a value that is shown whole


def changes(old: Tables, new: Tables) -> list[str]:
    """`control_dc.base: 10 -> 12`, for each figure that changed, came or went, in the order of the tables.

    What a ruling's text says is left out: it says what its figures do.
    """
    return [] if old.digest == new.digest else list(_between(old.data, new.data, ""))


def _between(old: dict[str, Any], new: dict[str, Any], path: str) -> Iterator[str]:
    for key in dict.fromkeys([*old, *new]):
        where = f"{path}.{key}" if path else key
        was, now = old.get(key), new.get(key)
        if was == now or key == "text":
            continue
        if isinstance(was, dict) and isinstance(now, dict):
            yield from _between(was, now, where)
        elif was is None:
            yield f"{where}: new" + (f", {_shown(now)}" if path else "")
        elif now is None:
            yield f"{where}: gone"
        else:
            yield f"{where}: {_shown(was)} -> {_shown(now)}"


def _shown(value: Any) -> str:
    from kingdom.orders.yaml_out import flow

    text = flow(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
