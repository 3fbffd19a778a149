"""Corrections: what a campaign would be today if an earlier turn had gone right. Its turns are run again in memory; the GM's orders book
the difference. No kept file is altered.

Each turn is run again with today's rules, its own dice, tapes and bots' orders, and the files that now lie in its folder under
orders/. Orders of an earlier correction of these turns are left out, since turns that went right need none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import filings, store, undo
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.commitment import prove_seed
from kingdom.campaign.errors import fault, writing
from kingdom.campaign.filings import Filings
from kingdom.campaign.next_turn import resolved
from kingdom.campaign.replay import Loaded, dice_of, loaded, notices_of, of_campaign
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

# the reason given in each order that books a correction; a later correction recognizes the order by it
REASON = "correction of turn {turn}"
_REASON = re.compile(r"correction of turn (\d{1,9})\Z")
_QUESTIONS = "pending"  # the key of a sheet that holds its questions, each under a key of its own
_NOT_COMPARED = ("turn", "modifiers")  # keys of a sheet; modifiers only explain accounts, which are compared

Lines = Mapping[str, list[str]]  # seat -> lines about it


class Corrected(NamedTuple):
    """How the history from turn `first` on should have gone, compared with the kept turns.

    turns: turn -> seat -> lines removed from or added to its books and notices. today, right: seat ->
    its sheet as it is kept, and as it should be; left: what still differs in these sheets after the orders.
    orders: the GM's orders for the coming turn, `turn`; lent: those that would book as well what a turn or an event only lends.
    """

    first: int
    turn: int
    turns: Mapping[int, Lines]
    today: Mapping[str, Facts]
    right: Mapping[str, Facts]
    orders: list[GmOrder]
    left: Lines
    lent: Sequence[GmOrder] = ()

    @property
    def differs(self) -> bool:
        """Return whether any seat's sheet would be different today, or the GM has a difference to book."""
        return self.today != self.right or bool(self.orders)


def correct(campaign: Campaign, first: int) -> Corrected:
    """Run turn `first` and all later turns again. Writes nothing. Raises Faults."""
    newest = campaigns.newest(campaign)
    if not first:
        raise fault("correct_start", campaign.turns)
    campaigns.kept(campaign, first)  # raises Faults if it is missing
    prove_seed(campaign, campaigns.kept(campaign))
    before = loaded(campaign, first - 1)
    state, rules, kept, turns = before.state, before.rules, before, {}
    for number in range(first, newest + 1):
        kept, today = loaded(campaign, number), campaigns.rules_today(campaign, number)
        record, filed = kept.record, _filings(campaign, kept, today, first)
        result = resolved(campaign.game, state, filed, dice_of(campaign, kept), today, rules, record, record.seats)
        result = result._replace(notices=[*of_campaign(record), *result.notices])
        state, rules = result.after, today
        turns[number] = _changes(campaign, kept, result)
    changed = {number: lines for number, lines in turns.items() if lines}
    return _booked(campaign, first, changed, kept.state, state, campaigns.rules_today(campaign))


def _filings(campaign: Campaign, kept: Loaded, today: Tables, first: int) -> Filings:
    """Return the orders that are now in the turn's folder, and those that bots filed then. If the folder is gone, return the
    orders that the turn was run with."""
    record, folder = kept.record, filings.folder_of(campaign.folder, kept.record.turn)
    used = {Path(name).stem: data for name, data in kept.files.items() if name.startswith("orders/")}
    files = used
    if folder.is_dir():
        by_bots = {seat: data for seat, data in used.items() if seat in record.bots}
        files = {**by_bots, **filings.files_in(folder, campaign.seats)}
    filed = filings.read(files, folder, campaign.game, today.rules, record.seats, record.turn)
    if GM in filed.orders:
        filed.orders[GM] = without_corrections(filed.orders[GM], first)
    return filed._replace(bots=record.bots)


def corrected_by(order: Facts) -> int | None:
    """Return the turn that a GM's order corrects, None if it is no correction."""
    match = _REASON.match(str(order.get("reason", "")))
    return int(match[1]) if match else None


def without_corrections(orders: Facts, first: int) -> Facts:
    """Return the GM's orders without corrections of turn `first` or a later one."""
    return {
        key: [order for order in value if (corrected_by(order) or 0) < first] if key == GM else value
        for key, value in orders.items()
    }


def _changes(campaign: Campaign, kept: Loaded, result: AnyResult) -> Lines:
    """Return, for each seat, the lines that are removed from or added to the turn's books and notices."""
    entries = campaigns.decode_entries(kept.files["ledger.csv"], kept.folder / "ledger.csv")
    changes = {}
    for seat in kept.record.seats:
        old_lines = undo.lines_of(seat, entries, kept.record.notices)
        lines = undo.differing(old_lines, undo.lines_of(seat, result.entries, notices_of(result)))
        if lines:
            changes[seat] = lines
    return changes


def _booked(
    campaign: Campaign, first: int, turns: Mapping[int, Lines], today: AnyState, right: AnyState, rules: Tables
) -> Corrected:
    """Compare the sheets of both histories, and find the GM's orders that make up the difference."""
    game = campaign.game
    seats = list(dict.fromkeys([*game.seats(today), *game.seats(right)]))
    is_now, should_be = (_sheets(campaign, state, seats, rules) for state in (today, right))
    if today == right:
        return Corrected(first, today.turn + 1, turns, is_now, should_be, [], {})

    def tried(orders: list[GmOrder]) -> tuple[AnyState, list[int]]:
        """Return (the state after these orders of the GM, the numbers of those that are refused)."""
        result = resolve(game, today, {GM: {GM: orders}}, NoDice(), rules.rules, until=GM)
        paths = [notice.facts["order"] for notice in result.notices if notice.kind == "refusal" and notice.seat == GM]
        refused = [number for number in range(len(orders)) if f"{GM}[{number}]" in paths]
        return replace(result.after, turn=today.turn), refused

    nothing: tuple[list[GmOrder], Mapping[str, list[str]]] = [], {}
    orders, due = (
        game.correction(today, right, rules.rules, REASON.format(turn=first), tried) if game.correction else nothing
    )
    booked = _sheets(campaign, tried(orders)[0], seats, rules)
    lent: list[GmOrder] = []
    for seat in seats:
        for account, _, _, change in terminal.numbers(booked[seat], should_be[seat]):
            by = int(change) if re.fullmatch(r"[+-]\d+", change) else 0
            grant: GmOrder = {"grant": seat, "account": account, "by": by, "reason": REASON.format(turn=first)}
            if not by or not _is_order(campaign, {"turn": today.turn + 1, GM: [grant]}):
                continue
            after, refused = tried([*orders, *lent, grant])
            if not refused and _sheets(campaign, after, seats, rules)[seat][account] == should_be[seat][account]:
                lent.append(grant)
    granted = {(order["grant"], order["account"]) for order in lent}
    left = {
        seat: [
            *(line for line in _beside(booked[seat], should_be[seat]) if (seat, line.partition(":")[0]) not in granted),
            *due.get(seat, ()),
        ]
        for seat in seats
    }
    left = {seat: lines for seat, lines in left.items() if lines}
    return Corrected(first, today.turn + 1, turns, is_now, should_be, orders, left, lent)


def _is_order(campaign: Campaign, orders: Orders) -> bool:
    """Return whether these are orders that this game's GM can give: a grant of an account there is."""
    data, names = orders_file.write(orders).encode(), campaigns.names_today(campaign)
    return orders_file.read(data, "", campaign.game, names, GM, None).orders is not None


def _sheets(campaign: Campaign, state: AnyState, seats: list[str], rules: Tables) -> dict[str, Facts]:
    made = {seat: campaign.game.sheet(state, seat, rules.rules) for seat in seats}
    return {
        seat: {key: value for key, value in sheet.items() if key not in _NOT_COMPARED} for seat, sheet in made.items()
    }


def _beside(have: Facts, want: Facts) -> list[str]:
    """Return the lines in which two sheets differ, with numbers and questions."""
    numbers = [f"{key}: {old} -> {new}" for key, old, new, change in terminal.numbers(have, want) if change]
    asked, right = ([question["key"] for question in sheet.get(_QUESTIONS, ())] for sheet in (have, want))
    questions = (
        [f"{_QUESTIONS}: {', '.join(asked) or 'none'} -> {', '.join(right) or 'none'}"] if asked != right else []
    )
    return numbers + questions + [f"{what} {text}" for what, text in terminal.differences(have, want)]


# --- writing the correction into the GM's file, without changing the GM's own text and comments


def with_correction(campaign: Campaign, turn: int, first: int, new: Sequence[Orders]) -> tuple[Path, bytes]:
    """Return (the GM's file for that turn, its new content). It has the orders that correct turn `first` before the GM's own,
    which may build on them; the orders of an earlier correction that this one includes are removed. Raises Faults."""
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
    """Read the GM's orders from a text, without empty lists. Raises Faults."""
    filing = orders_file.read(data, str(file), campaign.game, campaigns.names_today(campaign), GM, turn)
    return {key: value for key, value in filing.proved().items() if value}


def write(file: Path, data: bytes) -> None:
    """Write a file whole or not at all. Raises Faults."""
    with writing(file):
        store.make_folder(file.parent)
        store.put_files(file.parent, {file.name: data})


def _without_lines(text: str, first: int) -> str:
    """Return the text without the lines of an earlier correction of turn `first` or a later one."""
    kept = []
    for line in text.splitlines(keepends=True):
        match = re.fullmatch(r" *- \{.*reason: \"?correction of turn (\d{1,9})\"?\}\s*", line)
        if match is None or int(match[1]) < first:
            kept.append(line)
    return "".join(kept)


def _inserted(text: str, new: Sequence[Orders], file: Path) -> str | None:
    """Return the text with these orders before the GM's own, None if its form leaves no place for them."""
    node, problems = yaml_text.read(text.encode(), str(file))
    if problems or node is None or node.kind != MAP or text.lstrip().startswith("{"):
        return None
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith(("\n", "\r")):
        lines[-1] += "\n"
    gm_list = next(((key, value) for key, value in node.value if key.value == GM), None)
    if gm_list is None:
        return "".join([*lines, f"{GM}:\n", *_items(new, 2)])
    at, indent = _place(*gm_list, lines)
    return None if at is None else "".join([*lines[:at], *_items(new, indent), *lines[at:]])


def _place(key: Node, value: Node, lines: Sequence[str]) -> tuple[int | None, int]:
    """Return (the line before which the orders go, their indent); None as the line for a list in brackets."""
    if value.kind != LIST or not value.value:
        is_open = not value.value and lines[key.line - 1].partition("#")[0].rstrip().endswith(":")
        return (key.line, 2) if is_open else (None, 0)
    line = value.value[0].line - 1
    match = re.match(r"( *)- ", lines[line])
    return (line, len(match[1])) if match else (None, 0)


def _items(orders: Sequence[Orders], indent: int) -> list[str]:
    return [f"{' ' * indent}- {yaml_out.flow(order)}\n" for order in orders]
