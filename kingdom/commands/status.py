"""kingdom status: who has filed, what waits, the deadline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kingdom import calendar, filings, settings, store, terminal, undone
from kingdom.commands import Said, as_json
from kingdom.filings import GM
from kingdom.plaintext import wrap
from kingdom.settings import Settings

_DIGITS = 12  # of a receipt


def run(args: Any) -> Said:
    """Looks at files alone and loads no game, so that it is quick; but for the requests where the campaign goes by mail."""
    folder = Path(args.campaign)
    found, _ = settings.read(folder)
    numbers = store.numbers(folder / "turns")
    status = _status(folder, found, max(numbers, default=-1))
    status |= _mail(folder, found, status["next"])
    return as_json(status) if args.json else Said(_lines(status))


def _status(folder: Path, found: Settings, last: int) -> dict[str, Any]:
    following = max(1, last + 1)
    place = filings.folder_of(folder, following)
    receipts = {seat: _receipt(place, seat) for seat in (*found.players, GM)}
    return {
        "campaign": found.name,
        "game": found.game,
        "turn": last if last >= 0 else None,
        "next": following,
        "deadline": calendar.deadline(found.calendar, following).isoformat() if found.calendar else None,
        "deadline_said": calendar.said(found.calendar, following) if found.calendar else None,
        "filed": {seat: receipts[seat] for seat in found.players},
        "gm": receipts[GM],
        "bots": {seat: player.bot for seat, player in found.players.items() if player.bot},
        "waits": _waits(folder, found, last, following),
    }


def _mail(folder: Path, found: Settings, following: int) -> dict[str, Any]:
    """How the mail stands, sentences for the GM; the deadline as it was put off by mail. Nothing where no mail ever came."""
    from kingdom.mail.journal import NAME, Journal

    if not (folder / "mail" / NAME).is_file():
        return {"mail": [], "requests": []}
    from kingdom import campaign as campaigns, clock
    from kingdom.mail import overview

    campaign = campaigns.open_campaign(folder)
    journal = Journal(folder / "mail")
    after = overview.since(journal, following - 2)  # the newest turn and the one before it
    lines = overview.said(overview.overview(journal, clock.now(), after))
    return {**_deadline(campaign, journal, following), "mail": lines, "requests": overview.requests(campaign)}


def _deadline(campaign: Any, journal: Any, turn: int) -> dict[str, Any]:
    from kingdom.mail import dates

    due = dates.deadline(campaign, journal, turn)
    if due is None:
        return {}
    return {"deadline": due.at.isoformat(), "deadline_said": dates.said(due.at, campaign, GM)}


def _receipt(place: Path, seat: str) -> str | None:
    """The receipt of what a seat has filed, None where it has not."""
    file = place / f"{seat}{filings.ENDING}"
    return store.digest_of(store.read(file))[:_DIGITS] if file.is_file() else None


def _waits(folder: Path, found: Settings, last: int, following: int) -> list[str]:
    """What is special about the next turn, a sentence each."""
    waits = []
    before = undone.latest(folder, following)
    if before and before.reopened:
        waits.append(f"Turn {following} was taken back and is open for new orders; its dice are new.")
    elif before:
        waits.append(f"Turn {following} was taken back: it keeps its dice and its orders, and takes the GM's orders filed now.")
    if last < 0:
        waits.append("Turn 0, the start, is still to be made: `kingdom turn` makes it.")
    if found.ends.turn and last >= found.ends.turn:
        waits.append(f"Turn {found.ends.turn} was the last (`ends` in campaign.yaml).")
    strangers = [name for name in filings.filed(filings.folder_of(folder, following)) if name not in (*found.players, GM)]
    waits += [f"orders/{store.name_of(following)}/{name}.yaml is nobody's: there is no kingdom `{name}`." for name in strangers]
    return waits


def _filed(status: dict[str, Any], seat: str) -> str:
    """What a seat has filed, in words."""
    receipt, bot = status["filed"][seat], status["bots"].get(seat)
    if receipt:
        return f"filed, receipt {receipt}"
    return f"a bot ({bot}) gives the orders when the turn is run" if bot else "nothing filed"


def _lines(status: dict[str, Any]) -> list[str]:
    turn = "not begun" if status["turn"] is None else f"turn {status['turn']} is kept"
    lines = [f"{status['campaign']} ({status['game']}): {turn}, turn {status['next']} is next."]
    if status["deadline"]:
        lines.append(f"Orders are due on {status['deadline_said']}.")
    rows = [[seat, _filed(status, seat)] for seat in status["filed"]]
    rows.append(["GM", f"filed, receipt {status['gm']}" if status["gm"] else "nothing filed"])
    lines += ["", *terminal.table(["", ""], rows)]
    for title, said in (("Mail:", status["mail"]), ("Open requests:", status["requests"])):
        lines += ["", title, *(line for one in said for line in wrap(one, 4, first="  -").split("\n"))] if said else []
    return lines + [line for wait in status["waits"] for line in ["", *terminal.paragraph(wait)]]
