"""Running a kept turn again from its own files, and naming the first entry that comes out differently."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from kingdom import __version__
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import filings, opening, publicity, store, substitute_orders
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault, trouble
from kingdom.campaign.keeping import data_of
from kingdom.campaign.next_turn import resolved
from kingdom.campaign.store import KeptNotice, Record
from kingdom.engine.dice import Dice, Roll
from kingdom.engine.ledger import Entry
from kingdom.engine.problems import Faults, Problem
from kingdom.engine.step import AnyResult, AnyState, Notice, Orders
from kingdom.orders.tables import Tables
from kingdom.render.progress import Told, silent

T = TypeVar("T")
NEEDED = ("rules.yaml", "state.json", "ledger.csv", "dice.csv")


class Loaded(msgspec.Struct, frozen=True):
    """A kept turn with all that is needed to run it again. `problems` has one for each altered file."""

    folder: Path
    record: Record
    files: Mapping[str, bytes]
    rules: Tables
    state: AnyState
    problems: list[Problem]


def replay(campaign: Campaign, turn: int | None = None, told: Told = silent) -> Iterator[tuple[int, Problem | None]]:
    """Yield each kept turn, or only `turn`, with the first entry that differs when it is run again. Raises Faults."""
    last = campaigns.newest(campaign)
    wanted = range(last + 1) if turn is None else [campaigns.kept(campaign, turn).record.turn]
    before = None
    for done, number in enumerate(wanted):
        told(f"turn {number} is run again", done, len(wanted))
        if before is None and number:
            before = loaded(campaign, number - 1)
        now = loaded(campaign, number)
        yield number, difference(campaign, now, again(campaign, now, before))
        before = now


def loaded(campaign: Campaign, turn: int) -> Loaded:
    """Load a kept turn with its files as they are now. Raises Faults if one that is needed is missing or broken."""
    folder = campaign.turns / store.name_of(turn)
    record, files, problems = store.altered(folder)
    if record is None:
        raise Faults(problems)
    for name in NEEDED:
        if name not in files:
            raise fault("missing", folder / name)
    rules = campaigns.decode_rules(campaign.game, files["rules.yaml"], folder / "rules.yaml")
    state = campaigns.decode_state(campaign.game, files["state.json"], folder / "state.json")
    return Loaded(folder, record, files, rules, state, problems)


def again(
    campaign: Campaign,
    turn: Loaded,
    before: Loaded | None,
    changed: Callable[[dict[str, Orders]], dict[str, Orders]] = lambda orders: orders,
) -> AnyResult:
    """Run the turn again from its own orders, rules and dice after the turn before. Raises Faults.

    changed: a function that changes the orders, in the long form, before they are carried out.
    """
    game, rules, seats = campaign.game, turn.rules, turn.record.seats
    if before is None:
        files = {
            name.removeprefix(opening.KEPT): data for name, data in turn.files.items() if name.startswith(opening.KEPT)
        }
        first = opening.first_seats(files, game, seats)
        given = opening.setup(files, turn.folder / opening.KEPT, game, rules.rules, first)
        result = opening.opened(game, given, rules.rules, dice_of(campaign, turn), seats)
        return result._replace(notices=[*publicity.kept_news(turn.record), *result.notices])
    orders = {Path(name).stem: data for name, data in turn.files.items() if name.startswith("orders/")}
    filed = filings.read(orders, turn.folder / "orders", game, rules.rules, seats, turn.record.turn)
    filed = filed._replace(orders=changed(filed.orders))
    result = resolved(game, before.state, filed, dice_of(campaign, turn), rules, before.rules, turn.record, seats)
    return result._replace(notices=[*of_campaign(turn.record), *result.notices])


def of_campaign(record: Record) -> list[Notice]:
    """Return the kept turn's notices that the campaign made, not the game: about stewards and the public page."""
    return [*substitute_orders.news(record.bots, record.silent), *publicity.kept_news(record)]


def dice_of(campaign: Campaign, turn: Loaded) -> Dice:
    """Return the dice of a kept turn: the seed's, and those rolled by hand."""
    tape = campaigns.tape_of(campaigns.decode_rolls(turn.files["dice.csv"], turn.folder / "dice.csv"))
    return Dice(campaign.settings.seed_of(turn.record.turn), turn.record.turn, turn.record.attempt, tape)


def notices_of(result: AnyResult) -> list[KeptNotice]:
    """Return the notices in the form in which they are kept."""
    return msgspec.json.decode(
        msgspec.json.encode([store.kept_notice(notice) for notice in result.notices]), type=list[KeptNotice]
    )


def difference(campaign: Campaign, turn: Loaded, result: AnyResult) -> Problem | None:
    """Return the first entry of dice, ledger or state in which the kept turn differs from the result.

    A newer program may word an entry better, and its state may have more fields, which hold their defaults for an older turn.
    """
    made, kept, same = data_of(result), dict(turn.files), by_this_program(turn)
    if not same:
        kept["state.json"] = store.pretty(turn.state)
    for name, what in (("dice.csv", _die), ("ledger.csv", _entry), ("state.json", _value)):
        if made[name] != kept[name]:
            file = turn.folder / name
            if first := what(kept[name], made[name], file, same):
                line, kind, here, again = first
                facts = {
                    "turn": turn.record.turn,
                    "what": kind,
                    "here": here,
                    "again": again,
                    "why": why(campaign, turn),
                }
                return trouble("differs", file, line, 1 if line else 0, "", "", **facts)
    return None


def by_this_program(turn: Loaded) -> bool:
    """Return whether this version of the program kept the turn."""
    return turn.record.program == __version__


def why(campaign: Campaign, turn: Loaded) -> str:
    """Say why a turn may come out differently: edited rules, other edited files, or another version of the program."""
    edited = [Path(problem.file).relative_to(turn.folder).as_posix() for problem in turn.problems]
    if "rules.yaml" in edited or (by_this_program(turn) and turn.rules.digest != turn.record.rules):
        return "Its rules were edited: rules.yaml is not the one that it was resolved by."
    if edited:
        return f"Its files were edited: {', '.join(edited)}."
    if not by_this_program(turn):
        return f"Its files are as they were kept, by program {turn.record.program}; this is {__version__}: the code has changed."
    return "Its files are as they were kept: the code has changed, or the seed in campaign.yaml, or the turn before."


Found = tuple[int, str, str, str]  # (line, name of the value, as kept, as it comes out)


def _die(kept: bytes, made: bytes, file: Path, wording: bool) -> Found | None:
    def say(roll: Roll) -> str:
        return f"{roll.kingdom}'s {roll.name} number {roll.count} (d{roll.sides}): {roll.result}"

    return _first(campaigns.decode_rolls(kept, file), campaigns.decode_rolls(made, file), "die", say)


def _entry(kept: bytes, made: bytes, file: Path, wording: bool) -> Found | None:
    def say(entry: Entry) -> str:
        return f"{entry.kingdom}'s {entry.account} {entry.delta:+} to {entry.balance} by {entry.cause} ({entry.detail})"

    old, new = campaigns.decode_entries(kept, file), campaigns.decode_entries(made, file)
    if not wording:
        old, new = ([entry._replace(detail="", step="") for entry in entries] for entries in (old, new))
    return _first(old, new, "entry", say)


def _first(kept: Sequence[T], made: Sequence[T], kind: str, say: Callable[[T], str]) -> Found | None:
    for index in range(max(len(kept), len(made))):
        old, new = kept[index] if index < len(kept) else None, made[index] if index < len(made) else None
        if old != new:
            return index + 2, kind, say(old) if old else "nothing", say(new) if new else "nothing"
    return None


def _value(kept: bytes, made: bytes, file: Path, wording: bool) -> Found | None:
    try:
        old = msgspec.json.decode(kept)
    except store.BROKEN:  # the fault is in a key that the state does not have, so decoding passed over it
        return 0, "state", "a text that can't be read", "one that can"
    other = _other(old, msgspec.json.decode(made), "")
    return (0, f"state ({other[0]})", other[1], other[2]) if other else None


def _other(kept: object, made: object, path: str) -> tuple[str, str, str] | None:
    """Return the first value that differs, as (path, as kept, as made)."""
    if isinstance(kept, dict) and isinstance(made, dict):
        for key in dict.fromkeys([*kept, *made]):
            if other := _other(kept.get(key), made.get(key), f"{path}.{key}" if path else key):
                return other
        return None
    if isinstance(kept, list) and isinstance(made, list) and len(kept) == len(made):
        for i, pair in enumerate(zip(kept, made, strict=True)):
            if other := _other(*pair, f"{path}[{i}]"):
                return other
        return None
    if kept == made:
        return None
    return path, _json(kept), _json(made)


def _json(value: object) -> str:
    return "nothing" if value is None else msgspec.json.encode(value).decode()
