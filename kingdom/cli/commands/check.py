"""kingdom check: a preview of orders."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from kingdom.campaign import store
from kingdom.campaign.preview import Foreseen, foresee
from kingdom.cli.commands import DONE, WRONG, Said, as_json, campaign_of
from kingdom.orders.orders_file import GM
from kingdom.render import terminal

_DECIMALS = 6  # of a chance, in the JSON


def run_check(args: Namespace) -> Said:
    """Preview orders. The exit code is 1 for problems, but 0 if there are only refusals."""
    campaign = campaign_of(args)
    foreseen = foresee(campaign, store.read(Path(args.orders)), args.orders)
    code = WRONG if foreseen.problems else DONE
    problems = [str(problem) for problem in foreseen.problems]
    if not args.json:
        return Said(_lines(foreseen, paid=bool(campaign.game.paid_from)), problems, code)
    keys = ("path", "line", "column", "code", "message", "hint")
    data = {
        "ok": not foreseen.problems,
        "problems": [{key: getattr(problem, key) for key in keys} for problem in foreseen.problems],
        "refusals": foreseen.refusals,
        "cost": foreseen.cost,
        "before": foreseen.before,
        "after": foreseen.after,
        "odds": {name: round(chance, _DECIMALS) for name, chance in foreseen.odds.items()},
    }
    return as_json(data, code, problems)


def _lines(foreseen: Foreseen, paid: bool) -> list[str]:
    if foreseen.problems:
        count = len(foreseen.problems)
        return [f"Not filed like this: {count} problem{'s' if count > 1 else ''}."]
    lines = [f"Orders of {foreseen.seat} for turn {foreseen.turn}: no problems."]
    if foreseen.refusals:
        refused = [{"order": refusal["order"], "reason": refusal["reason"]} for refusal in foreseen.refusals]
        lines += ["", "Refused:", *terminal.refused(refused)]
    if foreseen.seat == GM:
        for seat, before in (foreseen.before or {}).items():
            after = (foreseen.after or {}).get(seat)
            if after and before != after:
                lines += ["", f"{seat}:", *terminal.beside(before, after)]
        return lines
    lines += ["", f"Cost: {foreseen.cost}"] if paid else []
    lines += ["", *terminal.beside(foreseen.before or {}, foreseen.after or {}), ""]
    odds = ", ".join(f"{name} {chance:.0%}" for name, chance in foreseen.odds.items())
    return [*lines, f"Chances of success: {odds}."] if odds else lines[:-1]
