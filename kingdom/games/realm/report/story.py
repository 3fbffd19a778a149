"""The turn as it went, for one seat: phase by phase and step by step what was rolled, told and booked; and the same in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from kingdom.engine.dice import GM, Roll
from kingdom.engine.ledger import Entry
from kingdom.engine.names import words
from kingdom.engine.step import Facts, Notice
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.effects import EDICTS
from kingdom.games.realm.forecast.words import name_of
from kingdom.games.realm.report.order_outcomes import NEEDLESS
from kingdom.games.realm.report.parts import Part

TOLD_ELSEWHERE = ("refusal", "check", "tell", "ruling", "voided")  # notices with a place of their own in a report

CHECKS = {  # the checks whose rolls have names that say too little
    "battle_loyalty": "Loyalty after the battle in",
    "expedition_loyalty": "Loyalty of",
    "rest": "Loyalty, rest in",
}

DECIDED_BY_CHECKS = ("income", "upkeep")  # phases in whose steps a check is the cause of all that is booked


class CheckRow(TypedDict):
    """A check term by term. `sum` says it: "13 (d20) + 14 Economy - 2 Unrest = 25"; did: what it did; needed: the face of the die, None
    where none was thrown."""

    name: str
    die: int | None
    needed: int
    sum: str
    dc: int
    success: bool
    did: str
    said: str


class Change(TypedDict):
    """What a move did to an account."""

    account: str
    delta: int
    balance: int


class Move(TypedDict):
    """What one cause booked."""

    cause: str
    detail: str
    what: str
    changes: list[Change]


class StepRow(TypedDict):
    """What a step came to: its checks and texts in the order in which they came, and what it booked."""

    name: str
    lines: list[CheckRow | str]
    moves: list[Move]


class PhaseRow(TypedDict):
    """A phase. entries: how many changes its steps booked; sum: what they came to, account by account."""

    name: str
    steps: list[StepRow]
    entries: int
    sum: str


Rows: TypeAlias = dict[tuple[str, str], StepRow]  # (phase, step) -> what it came to


def story(part: Part, names: Mapping[str, str], steps: Iterable[tuple[str, str]]) -> list[PhaseRow]:
    """The phases in which something was rolled, refused, told or booked.

    names: of the kingdoms that the seat knows. steps: (phase, step) in the order of the turn. A move is one cause: the changes of
    accounts that it made.
    """
    rows: Rows = {}
    thrown = {roll.name: roll for roll in reversed(part.rolls)}  # the first roll of a name, the check's own
    for notice in part.notices:
        _tell(rows, notice, names, thrown)
    for entry in part.entries:
        _add_move(_row(rows, entry.phase, entry.step)["moves"], entry)
    for (phase, _), step in rows.items():
        # news that a move of the same step says in the same words, with what it did, are left out
        moved = {f"{move['detail']}." for move in step["moves"]}
        step["lines"] = [line for line in step["lines"] if not (isinstance(line, str) and line in moved)]
        for made in checks_of(step) if phase in DECIDED_BY_CHECKS else ():
            made["did"] = made["did"] or sums(step["moves"]) or ("" if texts_of(step) else "nothing changes")
    order = {place: index for index, place in enumerate(steps)}
    phases: dict[str, list[StepRow]] = {}
    for place in sorted(rows, key=lambda place: order.get(place, -1)):
        phases.setdefault(place[0], []).append(rows[place])
    found: list[PhaseRow] = []
    for phase, made_in in phases.items():
        name = "GM's rulings" if phase == GM else f"{heading(phase)} phase"
        moves = [move for step in made_in for move in step["moves"]]
        count = sum(len(move["changes"]) for move in moves)
        found.append({"name": name, "steps": made_in, "entries": count, "sum": sums(moves)})
    return found


def checks_of(step: StepRow) -> list[CheckRow]:
    """The checks of a step."""
    return [line for line in step["lines"] if not isinstance(line, str)]


def texts_of(step: StepRow) -> list[str]:
    """What a step told beside its checks."""
    return [line for line in step["lines"] if isinstance(line, str)]


def _row(rows: Rows, phase: str, step: str) -> StepRow:
    return rows.setdefault((phase, step), {"name": heading(step), "lines": [], "moves": []})


def _tell(rows: Rows, notice: Notice, names: Mapping[str, str], thrown: Mapping[str, Roll]) -> None:
    """Put what a notice says where its step stands. thrown: the first roll of each name."""
    facts = notice.facts
    if notice.kind == "check":
        _row(rows, notice.phase, notice.step)["lines"].append(check(facts, thrown.get(facts["name"]), names))
    elif notice.kind == "refusal" and notice.phase and facts["code"] not in NEEDLESS:
        _row(
            rows, notice.phase, notice.step
        )  # its reason stands with the order; without a phase it never came to the turn
    elif notice.kind not in TOLD_ELSEWHERE and facts.get("text"):
        row = _row(rows, notice.phase, notice.step)
        row["lines"].append(facts["text"])
        if notice.kind == "aid" and "to" in facts:  # told behind its check
            given = f"{facts['bonus']:+d} to {facts['attribute']} there"
            checks_of(row)[-1]["did"] = given if facts["bonus"] else "nothing changes"
        if notice.kind == "trade":  # likewise
            checks_of(row)[-1]["did"] = facts["did"]


def _add_move(moves: list[Move], entry: Entry) -> None:
    last = moves[-1] if moves else None
    if last is None or last["cause"] != entry.cause or last["detail"] != entry.detail:
        said = any(map(str.isalpha, entry.detail))  # a bare label says nothing without its cause
        what = entry.detail if said else f"{words(entry.cause)} {entry.detail}"
        what = words(what) if entry.cause in EDICTS else what
        moves.append({"cause": entry.cause, "detail": entry.detail, "what": what, "changes": []})
    account = name_of(entry.account)
    moves[-1]["changes"].append({"account": account, "delta": entry.delta, "balance": entry.balance})


def sums(moves: list[Move]) -> str:
    """What the moves of a step came to together, account by account."""
    sums: dict[str, int] = {}
    for move in moves:
        for change in move["changes"]:
            sums[change["account"]] = sums.get(change["account"], 0) + change["delta"]
    return ", ".join(f"{account} {by:+d}" for account, by in sums.items() if by)


def check(facts: Facts, roll: Roll | None, names: Mapping[str, str]) -> CheckRow:
    """A check term by term; the terms sum to the total. What moved it stands under `by_...`.

    roll: None where nothing was rolled and the total is the ruling's. names: seat -> the kingdom's name.
    """
    terms = [(facts["value"], name_of(facts["attribute"]))]
    by = [(int(str(value)), words(key)) for key, value in facts.items() if key.startswith("by_") and value]
    terms += by + [(facts["bonus"] - sum(value for value, _ in by), "bonus"), (-facts["unrest"], "Unrest")]
    added = "".join(f" {'-' if points < 0 else '+'} {abs(points)} {what}" for points, what in terms if points)
    rolled, by_face = facts["die"] is not None, facts["success"] != (facts["total"] >= facts["dc"])
    by_hand = ", by the GM's own dice" if roll and roll.source == "tape" else ""
    die = f"d{roll.sides}{by_hand}" if roll else ""
    thrown = f"{facts['die']} ({die}){added} = {facts['total']}"
    said = f"{'success' if facts['success'] else 'failed'} by {abs(facts['margin'])}"
    return {
        "name": check_name(facts["name"], names),
        "die": facts["die"],
        "needed": facts["dc"] - facts["total"] + (facts["die"] or 0),
        "sum": thrown if rolled else f"{facts['total']}, not rolled (ruling anarchy)",
        "dc": facts["dc"],
        "success": facts["success"],
        "did": "",
        "said": f"{said}, a natural {facts['die']} (ruling check)" if rolled and by_face else said,
    }


def heading(name: str) -> str:
    """The name of a step or phase as a heading."""
    return words(name).capitalize().replace("Gm ", "GM ")


def check_name(name: str, names: Mapping[str, str]) -> str:
    """The name of a check's roll as a person reads it: `aid-borderia` as "Aid to Borderia", `free_city-0305` as "Free city 0305"."""
    what, _, about = name.partition("-")
    if what in CHECKS:
        return f"{CHECKS[what]} {about}"
    joined = "" if about not in names else "with" if what == "trade" else "to"
    return " ".join(filter(None, (words(what).capitalize(), joined, names.get(about, about))))


# --- what happened, in words


def happened(phases: Iterable[PhaseRow]) -> list[Facts]:
    """The phases of the story in which something was rolled or told, in lines; what they booked stands in the ledger.

    good: whether a line was good or bad for the kingdom, None where that can't be said.
    """
    rows: list[Facts] = []
    for phase in phases:
        lines = [_said(line) for step in phase["steps"] for line in step["lines"]]
        rows += [{"name": phase["name"], "lines": lines}] if lines else []
    return rows


def _said(line: CheckRow | str) -> Facts:
    if isinstance(line, str):
        return {"text": line, "good": None}
    did = f": {line['did']}" if line["did"] else ""
    said = f"{line['name']} check: {line['sum']}, DC {line['dc']}: {line['said']}{did}"
    return {"text": said, "good": line["success"]}
