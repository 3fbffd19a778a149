"""Putting orders into the GM's file of the coming turn: what the GM wrote there stays as it is, remarks and all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import filings, store
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.corrections import corrected_by, without_corrections
from kingdom.campaign.errors import fault, writing
from kingdom.engine.problems import Faults
from kingdom.engine.step import Orders
from kingdom.orders import orders_file as orders
from kingdom.orders import yaml_out, yaml_text
from kingdom.orders.orders_file import GM
from kingdom.orders.yaml_text import LIST, MAP, Node


def with_correction(campaign: Campaign, turn: int, first: int, new: Sequence[Orders]) -> tuple[Path, bytes]:
    """(the GM's file for that turn, what is to stand in it): the orders of a correction of turn `first` before the GM's own,
    which may build on them; those of an earlier correction that this one takes in are gone. Raises Faults."""
    file = filings.folder_of(campaign.folder, turn) / f"{GM}{filings.ENDING}"
    data = store.read(file) if file.is_file() else f"turn: {turn}\n".encode()
    filed = _read(campaign, file, data, turn)
    older = [number for order in filed.get(GM, ()) if (number := corrected_by(order)) is not None and number < first]
    if older:
        raise fault("correction_filed", file, turn=older[0], first=first)
    kept = without_corrections(filed, first)
    text = _inserted(_without_lines(data.decode("utf-8-sig"), first), new, file)
    wanted = {**kept, GM: [*new, *kept.get(GM, ())]}
    try:
        same = text is not None and _read(campaign, file, text.encode(), turn) == {
            key: wanted[key] for key in wanted if wanted[key]
        }
    except Faults:
        same = False
    if text is None or not same:
        raise fault("merge_by_hand", file)
    return file, text.encode()


def _read(campaign: Campaign, file: Path, data: bytes, turn: int) -> Orders:
    """The GM's orders in a text, without empty lists. Raises Faults."""
    filing = orders.read(data, str(file), campaign.game, campaigns.names_today(campaign), GM, turn)
    if filing.orders is None:
        raise Faults(filing.problems)
    return {key: value for key, value in filing.orders.items() if value}


def write(file: Path, data: bytes) -> None:
    """Write the file, whole or not at all. Raises Faults."""
    with writing(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        partial = file.with_name(f".{file.name}.partial")
        store.write_file(partial, data)
        store.move(partial, file)


def _without_lines(text: str, first: int) -> str:
    """The text without the lines that an earlier correction of that turn or a later one put there."""
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not ((turn := _turn_of(line)) is not None and turn >= first))


def _turn_of(line: str) -> int | None:
    match = re.fullmatch(r" *- \{.*reason: \"?correction of turn (\d{1,9})\"?\}\s*", line)
    return int(match[1]) if match else None


def _inserted(text: str, new: Sequence[Orders], file: Path) -> str | None:
    """The text with these orders before the GM's own, None where there is no place for lines of ours."""
    node, problems = yaml_text.read(text.encode(), str(file))
    if problems or node is None or node.kind != MAP or text.lstrip().startswith("{"):
        return None
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith(("\n", "\r")):
        lines[-1] += "\n"
    found = next(((key, value) for key, value in node.value if key.value == GM), None)
    if found is None:
        return "".join([*lines, f"{GM}:\n", *_items(new, 2)])
    at, indent = _place(*found, lines)
    return None if at is None else "".join([*lines[:at], *_items(new, indent), *lines[at:]])


def _place(key: Node, value: Node, lines: Sequence[str]) -> tuple[int | None, int]:
    """(the number of the line before which the orders go, how far they are indented); None for a list between brackets."""
    if value.kind != LIST or not value.value:
        return (
            (key.line, 2)
            if not value.value and lines[key.line - 1].partition("#")[0].rstrip().endswith(":")
            else (None, 0)
        )
    line = value.value[0].line - 1
    match = re.match(r"( *)- ", lines[line])
    return (line, len(match[1])) if match else (None, 0)


def _items(orders: Sequence[Orders], indent: int) -> list[str]:
    return [f"{' ' * indent}- {yaml_out.flow(order)}\n" for order in orders]
