"""kingdom audit, replay, verify, dice: proofs that turns are as they were resolved and dice as they were promised."""

from __future__ import annotations

import re
from argparse import Namespace
from pathlib import Path

from kingdom.cli.commands import DONE, WRONG, Said, campaign_of
from kingdom.render.plain_text import counted

_ROLL = re.compile(r"([a-z0-9_-]+):([1-9][0-9]{0,3}):([1-9][0-9]{0,3})")


def run_audit(args: Namespace) -> Said:
    """Audit the campaign, or one in an archive. The exit code is 1 if something is wrong."""
    from kingdom.campaign.audit import audit

    if (file := Path(args.campaign)).is_file():
        from kingdom.campaign.campaign import open_campaign
        from kingdom.campaign.unpacking import unpacked

        with unpacked(file) as folder:
            audited = audit(open_campaign(folder), told=args.told)
            named = [
                str(problem).replace(f"{folder}/", f"{file}/").replace(str(folder), str(file))
                for problem in audited.problems
            ]
    else:
        audited = audit(campaign_of(args), told=args.told)
        named = [str(problem) for problem in audited.problems]
    looked = f"{audited.turns} turns, {audited.files} files, {audited.entries} entries, {audited.rolls} dice"
    if audited.problems:
        return Said([f"Looked at {looked}. Not all of it holds."], named, WRONG)
    thrown = f" but for {counted(audited.own_dice, 'roll')} of the GM's own dice" if audited.own_dice else ""
    holds = f"The books balance, the dice are the seed's{thrown}, and each turn follows from its orders."
    unknown = "Not known here: whether these are the turns that were mailed; compare with `kingdom verify`."
    return Said([f"Looked at {looked}.", holds, unknown])


def run_replay(args: Namespace) -> Said:
    """Run kept turns again. The exit code is 1 if one comes out differently."""
    from kingdom.campaign import replay

    lines, notes = [], []
    for number, problem in replay.replay(campaign_of(args), args.turn, args.told):
        lines.append(f"Turn {number}: {'it comes out otherwise' if problem else 'the same state, dice and ledger'}.")
        notes += [str(problem)] if problem else []
    return Said(lines, notes, WRONG if notes else DONE)


def run_verify(args: Namespace) -> Said:
    """Prove the claims in a player's mails. The exit code is 1 if something in them is wrong, or if they hold nothing to
    prove."""
    from kingdom.books import verify

    found = verify.run(args.files, args.archive, args.json)
    return Said(found.lines, found.errors, found.code)


def roll(text: str) -> tuple[str, int, int]:
    """Read NAME:COUNT:SIDES. Raises ValueError."""
    match = _ROLL.fullmatch(text)
    if not match:
        raise ValueError(text)
    return match[1], int(match[2]), int(match[3])


def run_dice(args: Namespace) -> Said:
    """Print the rolls of a key. The exit code is 1 if the key does not match the promised commitment."""
    from kingdom.engine.dice import commitment_of, throw

    key = args.key.lower()
    lines = [f"{name}:{count}:{sides} = {throw(key, name, count, sides)}" for name, count, sides in args.rolls]
    if args.commitment is None:
        return Said(lines)
    promised, commitment = args.commitment.lower(), commitment_of(key)
    if commitment == promised:
        return Said([*lines, "The key is the one that was promised."])
    return Said(lines, [f"The key is not the one that was promised: its commitment is {commitment}."], WRONG)
