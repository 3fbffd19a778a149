"""kingdom check: a preview of orders."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from kingdom.campaign import store
from kingdom.campaign.preview import Foreseen, foresee
from kingdom.cli.commands import DONE, WRONG, OfCampaign, Said, as_json, campaign_of
from kingdom.orders.orders_file import GM
from kingdom.render import terminal

_DECIMALS = 6  # digits of a chance


class Args(OfCampaign, Protocol):
    """The arguments of `kingdom check`."""

    orders: str
    json: bool


def run_check(args: Args) -> Said:
    """Preview orders. The exit code is 1 for problems; with refusals alone it is 0."""
    found = foresee(campaign_of(args), store.read(Path(args.orders)), args.orders)
    code = WRONG if found.problems else DONE
    problems = [str(problem) for problem in found.problems]
    return as_json(_json(found), code, problems) if args.json else Said(_lines(found), problems, code)


def _json(found: Foreseen) -> Mapping[str, object]:
    keys = ("path", "line", "column", "code", "message", "hint")
    return {
        "ok": not found.problems,
        "problems": [{key: getattr(problem, key) for key in keys} for problem in found.problems],
        "refusals": found.refusals,
        "cost": found.cost,
        "before": found.before,
        "after": found.after,
        "odds": {name: round(chance, _DECIMALS) for name, chance in found.odds.items()},
    }


def _lines(found: Foreseen) -> list[str]:
    if found.problems:
        count = len(found.problems)
        return [f"Not filed like this: {count} problem{'s' if count > 1 else ''}."]
    lines = [f"Orders of {found.seat} for turn {found.turn}: no problems."]
    if found.refusals:
        lines += [
            "",
            "Refused:",
            *terminal.refused({"order": each["order"], "reason": each["reason"]} for each in found.refusals),
        ]
    if found.seat == GM:
        for seat, before in (found.before or {}).items():
            after = (found.after or {}).get(seat)
            if after and before != after:
                lines += ["", f"{seat}:", *terminal.beside(before, after)]
        return lines
    lines += ["", f"Cost: {found.cost}", "", *terminal.beside(found.before or {}, found.after or {}), ""]
    odds = ", ".join(f"{name} {chance:.0%}" for name, chance in found.odds.items())
    return [*lines, f"Chances of success: {odds}."] if odds else lines[:-1]
