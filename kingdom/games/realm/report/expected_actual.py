"""Was it the dice or me? What a turn's orders had to be expected to bring, against what came, by cause. Of treasury and Unrest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kingdom.engine.ledger import Entry
from kingdom.engine.names import words
from kingdom.engine.step import Facts
from kingdom.games.realm.report.story import CheckRow
from kingdom.render.plain_text import signed

MOST = 4  # causes of an account
CONSUMPTION = "consumption"  # the account, and the cause by which it is paid
# causes that a die decides -> the attribute of its check
ROLLED = {
    "taxes": "economy", "works": "economy", "stability": "stability",
    "change_minds_by_breaking_heads": "loyalty", "rouse_the_people": "loyalty",
}  # fmt: skip


def reckoned(expected: Facts, entries: Sequence[Entry], checks: Sequence[CheckRow]) -> list[Facts]:
    """The accounts that came out otherwise than was to be expected, with a text for each cause. expected: forecast/expected.py; entries: the seat's of the turn."""
    rows: list[Facts] = []
    for account in ("treasury", "unrest") if expected else ():
        foreseen: Mapping[str, float] = expected[account]
        came: dict[str, int] = {}
        details: dict[str, str] = {}
        for entry in entries:
            if entry.account == account:
                came[entry.cause] = came.get(entry.cause, 0) + entry.delta
                details.setdefault(entry.cause, entry.detail)
        if CONSUMPTION in details:
            details[CONSUMPTION] += "".join(_unordered(entries))
        causes = [*dict.fromkeys((*foreseen, *came))]
        off = {cause: came.get(cause, 0) - round(foreseen.get(cause, 0)) for cause in causes}
        told = sorted(filter(off.get, causes), key=lambda cause: -abs(off[cause]))
        said = [
            f"{words(cause)}: expected {signed(round(foreseen.get(cause, 0)))}, came {signed(came.get(cause, 0))}: "
            f"{_why(cause, foreseen, came, details, checks, account, expected.get('checks', {}))}"
            for cause in told[:MOST]
        ]
        if said:
            total = round(sum(foreseen.values()))
            rows.append({"name": words(account), "expected": total, "came": sum(came.values()), "causes": said})
    return rows


def _unordered(entries: Sequence[Entry]) -> Iterator[str]:
    """What moved Consumption beside orders, such as an event of the turn."""
    for entry in entries:
        if entry.account == CONSUMPTION and entry.phase != "edict":
            yield f", {entry.delta:+d} of it by {entry.detail}"


def _why(
    cause: str,
    foreseen: Mapping[str, float],
    came: Mapping[str, int],
    details: Mapping[str, str],
    checks: Sequence[CheckRow],
    account: str,
    chances: Mapping[str, float],
) -> str:
    success = foreseen.get("works", 0) / (chances.get("economy") or 1)  # what the works known beforehand bring then
    if cause == "works" and came.get(cause, 0) > max(0, round(success)):
        return "they brought more than was known when you ordered"
    attribute = ROLLED.get(cause, "")
    check = next((check for check in checks if attribute and check["name"].lower() == attribute), None)
    if check is not None and (cause != "works" or not check["success"] or came.get(cause, 0) >= foreseen.get(cause, 0)):
        low = check["success"] and account == "treasury" and came.get(cause, 0) < foreseen.get(cause, 0)
        return f"the die, {'a low success' if low else 'a success' if check['success'] else 'a failure'}"
    if cause not in came:
        return "it came to nothing"
    return details[cause] if cause in foreseen else f"left out beforehand, {details[cause]}"
