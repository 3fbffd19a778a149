"""What a campaign would be today had an earlier turn gone right: its turns run again on a copy, and the GM's orders that book
the difference. Nothing that is kept is altered; the copy is in memory.

A turn is run again with today's rules, its own dice, tapes and bots' orders, and the files that lie in its folder under
orders/ now. The orders of an earlier correction of these turns are left out: run again, the turns need none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import filings, stand_ins, store, undo
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault, writing
from kingdom.campaign.filings import Filings
from kingdom.campaign.next_turn import resolved
from kingdom.campaign.promise import prove_seed
from kingdom.campaign.replay import Loaded, dice_of, loaded, notices_of
from kingdom.engine.dice import NoDice
from kingdom.engine.game import GmOrder
from kingdom.engine.problems import Faults
from kingdom.engine.step import AnyResult, AnyState, Facts, Orders
from kingdom.engine.turn import resolve
from kingdom.orders import orders_file, yaml_out, yaml_text
from kingdom.orders.orders_file import GM
from kingdom.orders.tables import Tables
from kingdom.orders.yaml_text import LIST, MAP, Node
from kingdom.render import terminal

REASON = "correction of turn {turn}"  # of each order that books a correction: by it another one knows it
_REASON = re.compile(r"correction of turn (\d{1,9})\Z")
_QUESTIONS = "pending"  # the key of a sheet under which they stand, each with a key of its own
_NOT_COMPARED = ("turn", "modifiers")  # of sheets: modifiers say what accounts come from, and those are compared

Lines = Mapping[str, list[str]]  # seat -> what is said of it, a line each


class Corrected(NamedTuple):
    """The history from turn `first` on, as it would be today.

    turns: turn -> what each seat's books and notices no longer say, and say now, where that differs. today, right: seat ->
    its sheet as it is kept, and as it would be; left: the same sheets where the orders leave them apart.
    orders: the GM's, for the coming turn, `turn`.
    """

    first: int
    turn: int
    turns: Mapping[int, Lines]
    today: Mapping[str, Facts]
    right: Mapping[str, Facts]
    orders: list[GmOrder]
    left: Lines

    @property
    def differs(self) -> bool:
        """Whether anybody would have, or know, anything else today."""
        return self.today != self.right or bool(self.orders)


def correct(campaign: Campaign, first: int) -> Corrected:
    """Run turn `first` and all later ones again. Writes nothing. Raises Faults."""
    newest = campaigns.newest(campaign)
    if not first:
        raise fault("correct_start", campaign.turns)
    campaigns.kept(campaign, first)  # that it is there
    prove_seed(campaign, campaigns.kept(campaign))
    before = loaded(campaign, first - 1)
    state, rules, kept, turns = before.state, before.rules, before, {}
    for number in range(first, newest + 1):
        kept, today = loaded(campaign, number), campaigns.rules_today(campaign, number)
        result = _again(campaign, kept, state, rules, today, first)
        state, rules = result.after, today
        turns[number] = _changes(campaign, kept, result)
    found = {number: lines for number, lines in turns.items() if lines}
    return _booked(campaign, first, found, kept.state, state, campaigns.rules_today(campaign))


def _again(campaign: Campaign, kept: Loaded, state: AnyState, old: Tables, today: Tables, first: int) -> AnyResult:
    """A kept turn after another state, with today's rules and orders. old: the rules of the turn before."""
    record = kept.record
    found = _filings(campaign, kept, today, first)
    result = resolved(campaign.game, state, found, dice_of(campaign, kept), today, old, record, record.seats)
    return result._replace(notices=stand_ins.news(record.bots, record.silent) + result.notices)


def _filings(campaign: Campaign, kept: Loaded, today: Tables, first: int) -> Filings:
    """The orders that lie there for the turn now, and what bots filed then; where the folder is gone, those that it had."""
    record, folder = kept.record, filings.folder_of(campaign.folder, kept.record.turn)
    used = {Path(name).stem: data for name, data in kept.files.items() if name.startswith("orders/")}
    files = used
    if folder.is_dir():
        there = filings.files_in(folder, campaign.seats)
        files = {**{seat: data for seat, data in used.items() if seat in record.bots}, **there}
    found = filings.read(files, folder, campaign.game, today.rules, record.seats, record.turn)
    if GM in found.orders:
        found.orders[GM] = without_corrections(found.orders[GM], first)
    return found._replace(bots=record.bots)


def corrected_by(order: Facts) -> int | None:
    """Of which turn a GM's order books a correction, None for any other."""
    match = _REASON.match(str(order.get("reason", "")))
    return int(match[1]) if match else None


def without_corrections(orders: Facts, first: int) -> Facts:
    """The GM's orders without those that book a correction of that turn or a later one."""
    return {
        key: [order for order in value if (corrected_by(order) or 0) < first] if key == GM else value
        for key, value in orders.items()
    }


def _changes(campaign: Campaign, kept: Loaded, result: AnyResult) -> Lines:
    """What the turn's books and notices no longer say to each seat, and what they say now."""
    entries = campaigns.decode_entries(kept.files["ledger.csv"], kept.folder / "ledger.csv")
    found = {}
    for seat in kept.record.seats:
        went = undo.lines_of(seat, entries, kept.record.notices)
        came = undo.lines_of(seat, result.entries, notices_of(result))
        said = [f"no longer: {line}" for line in undo.missing(went, came)]
        said += [f"now: {line}" for line in undo.missing(came, went)]
        if said:
            found[seat] = said
    return found


def _booked(
    campaign: Campaign, first: int, turns: Mapping[int, Lines], today: AnyState, right: AnyState, rules: Tables
) -> Corrected:
    """The sheets of both histories, and what the GM's orders make of the one that is kept."""
    game = campaign.game
    seats = list(dict.fromkeys([*game.seats(today), *game.seats(right)]))
    is_now, should_be = (_sheets(campaign, state, seats, rules) for state in (today, right))
    if today == right:
        return Corrected(first, today.turn + 1, turns, is_now, should_be, [], {})

    def tried(orders: list[GmOrder]) -> tuple[AnyState, list[int]]:
        return _after(campaign, today, orders, rules)

    nothing: tuple[list[GmOrder], Mapping[str, list[str]]] = [], {}
    orders, due = (
        game.correction(today, right, rules.rules, REASON.format(turn=first), tried) if game.correction else nothing
    )
    booked = _sheets(campaign, tried(orders)[0], seats, rules)
    left = {seat: [*_beside(booked[seat], should_be[seat]), *due.get(seat, ())] for seat in seats}
    return Corrected(
        first, today.turn + 1, turns, is_now, should_be, orders, {seat: lines for seat, lines in left.items() if lines}
    )


def _sheets(campaign: Campaign, state: AnyState, seats: list[str], rules: Tables) -> dict[str, Facts]:
    made = {seat: campaign.game.sheet(state, seat, rules.rules) for seat in seats}
    return {
        seat: {key: value for key, value in sheet.items() if key not in _NOT_COMPARED} for seat, sheet in made.items()
    }


def _after(campaign: Campaign, state: AnyState, orders: list[GmOrder], rules: Tables) -> tuple[AnyState, list[int]]:
    """(the state when these orders of the GM are done, the numbers of those that are refused)."""
    result = resolve(campaign.game, state, {GM: {GM: orders}}, NoDice(), rules.rules, until=GM)
    paths = [notice.facts["order"] for notice in result.notices if notice.kind == "refusal" and notice.seat == GM]
    return replace(result.after, turn=state.turn), [
        number for number in range(len(orders)) if f"{GM}[{number}]" in paths
    ]


def _beside(have: Facts, want: Facts) -> list[str]:
    """What differs in two sheets, numbers and questions too."""
    numbers = [f"{key}: {old} -> {new}" for key, old, new, change in terminal.numbers(have, want) if change]
    asked, right = ([each["key"] for each in sheet.get(_QUESTIONS, ())] for sheet in (have, want))
    questions = (
        [f"{_QUESTIONS}: {', '.join(asked) or 'none'} -> {', '.join(right) or 'none'}"] if asked != right else []
    )
    return numbers + questions + [f"{what} {text}" for what, text in terminal.differences(have, want)]


# --- the correction in the GM's file: what the GM wrote there stays as it is, remarks and all


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
    filing = orders_file.read(data, str(file), campaign.game, campaigns.names_today(campaign), GM, turn)
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
