"""kingdom status: on one screen who has filed, with which problems, what is open, what waits, and the deadline."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from kingdom.campaign import calendar, checked, copies, filings, house, modes, store, undone_turns, zones
from kingdom.campaign.campaign import Unopened, typed, warnings
from kingdom.campaign.errors import refused
from kingdom.campaign.filings import GM
from kingdom.campaign.settings import NEWCOMERS, Settings, doubts
from kingdom.cli import campaign_folders
from kingdom.cli.commands import DONE, WRONG, Said, as_json
from kingdom.engine.problems import Faults
from kingdom.engine.step import Facts
from kingdom.render import terminal
from kingdom.render.plain_text import counted, shortened, width

if TYPE_CHECKING:
    from kingdom.mail.journal import Journal
    from kingdom.mail.outgoing.overview import MailStatus

_DIGITS = 12  # digits shown of a receipt
_SOON = 3 * 24  # hours before and after a deadline in which the status says how far off it is
_REQUESTS = 5  # shown at most
DEADLINES = 10  # so many deadlines are checked for changed time zones
_MANY = 60  # from so many seats on, seats with the same status share a line
_ROOM = 20  # the fewest columns for `what is up` in a table of several campaigns


def run_status(args: Namespace) -> Said:
    """Print the status, read only from files; the game is loaded only if something has changed since the last time. Several
    campaigns share one table."""
    if args.several:
        return _of_several(args)
    status, notes = _read(Path(args.campaign))
    return as_json(status, notes=notes) if args.json else Said(_lines(status), notes)


def _read(folder: Path) -> tuple[Facts, list[str]]:
    """Return the status of the campaign in a folder, and what its GM should put right. Raises Faults."""
    config, _ = house.settings_of(folder)
    numbers = store.numbers(folder / "turns")
    last = max(numbers, default=-1)
    status = _status(folder, config, last)
    notes = [str(problem) for problem in (*warnings(Unopened(folder, config)), *store.misnamed(folder / "turns"))]
    if not config.public_seed and (names := modes.open_to_others(folder)):
        notes.append(
            f"Anybody on this machine can read {', '.join(names)} in {folder}, with what is secret there. `chmod -R o-rwx {typed(Unopened(folder, config))}` closes it."
        )
    return status, notes


def _of_several(args: Namespace) -> Said:
    """Return a table with a row for each campaign; one that can't be read stops no other, and makes the exit code 1."""
    found = list[Facts]()
    rows: list[list[str]] = []
    notes = [campaign_folders.not_ones_own(folder) for folder in args.others]
    code = WRONG if args.others else DONE
    for folder, name in campaign_folders.names_of(args.campaigns).items():
        try:
            status, amiss = _read(Path(folder))
        except (Faults, OSError) as error:
            code = WRONG
            notes += map(str, error.problems if isinstance(error, Faults) else [refused(error, Path(folder))])
            rows.append([name, "", "can't be read", "", ""])
            continue
        found.append(status)
        notes += amiss
        rows.append([name, *_row(status)])
    if args.json:
        return as_json(found, code, notes)
    head = ["campaign", "game", "next", "filed", "what is up"]
    room = terminal.COLUMNS - sum(max(map(width, column)) + 2 for column in list(zip(head, *rows, strict=True))[:-1])
    return Said(terminal.table(head, [[*row[:-1], shortened(row[-1], max(room, _ROOM))] for row in rows]), notes, code)


def _row(status: Facts) -> list[str]:
    """Return the campaign's row without its folder: the game, the next turn, how many have filed for it, what is up."""
    if status["over"]:
        return [status["game"], "over", "", ""]
    asked = [seat for seat, stands in status["seats"].items() if seat != GM and stands["asked"] and not stands["out"]]
    people = [seat for seat in asked if seat not in status["bots"]]
    filed = f"{sum(status['filed'][seat] is not None for seat in people)} of {len(people)}"
    up = [*status["waits"], *(f"{server['server']} fails" for server in status["servers"] if not server["works"])]
    if not up:
        up = [f"due on {status['deadline_said']}{_left(status['deadline'])}"] if status["deadline"] else []
    return [status["game"], str(status["next"]), filed, up[0] if up else ""]


def _status(folder: Path, config: Settings, last: int) -> Facts:
    """The output of `--json`, as docs/contract.md describes it. last: the newest turn, -1 for none."""
    following = max(1, last + 1)
    place = filings.folder_of(folder, following)
    filed = {seat: place / f"{seat}{filings.ENDING}" for seat in (*config.players, GM)}
    found = {seat: filings.content(file) for seat, file in filed.items()}
    files = {seat: data for seat, data in found.items() if data is not None}
    receipts = {seat: store.digest_of(data)[:_DIGITS] for seat, data in files.items()}
    verdict = checked.checked(folder, config.game, last, files)
    mail = _mail(folder, config, following)
    return {
        "campaign": config.name,
        "game": config.game,
        "turn": last if last >= 0 else None,
        "next": following,
        **_deadline(folder, config, following),
        "filed": {seat: receipts.get(seat) for seat in config.players},
        "gm": receipts.get(GM),
        "bots": {seat: player.bot for seat, player in config.players.items() if player.bot},
        "waits": _waits(folder, config, last, following, verdict),
        "mail": mail.lines if mail else [],
        "requests": [
            f"{seat}, request {n}: {' '.join(text.split())}"
            for seat, texts in verdict["requests"].items()
            for n, text in texts.items()
        ],
        "moved": _moved(folder, config, following),
        "seats": {
            seat: _seat(seat, config, verdict, following, mail.times.get((seat, receipt), "") if mail else "")
            for seat in (*config.players, GM)
            for receipt in [receipts.get(seat, "")]
        },
        "over": verdict["over"],
        "absences": mail.absences if mail else {},
        "failing": mail.failing if mail else [],
        "servers": mail.servers if mail else [],
    }


def _seat(seat: str, config: Settings, verdict: checked.Checked, following: int, at: str) -> Facts:
    """Return a seat's row: its verdict, with `at`, None if no orders came by mail. at: when its orders came by mail, in the
    campaign's zone; "" if none came by mail."""
    stands = verdict["seats"].get(seat) or checked.UNCHECKED
    joins = config.players[seat].joins if seat in config.players else 0
    out = f"joins in turn {joins}" if joins >= following and (stands["out"] or not verdict["seats"]) else stands["out"]
    if not at:
        return {**stands, "out": out, "at": None}
    from datetime import datetime

    zone = zones.zone(config.calendar.zone if config.calendar else "UTC")
    return {**stands, "out": out, "at": datetime.fromisoformat(at).astimezone(zone).isoformat(timespec="minutes")}


def _mail(folder: Path, config: Settings, following: int) -> MailStatus | None:
    """Return how the mail stands; None if no mail ever came or went."""
    from kingdom.mail.journal import NAME

    if not (folder / "mail" / NAME).is_file():
        return None
    from kingdom.campaign import clock
    from kingdom.mail.outgoing import overview

    return overview.status_of(folder, config, following, clock.now())


def _deadline(folder: Path, config: Settings, turn: int) -> Facts:
    """When orders are due, as ISO 8601 and in words; None without a calendar."""
    if config.calendar is None or _is_forming(folder, config, turn):
        return {"deadline": None, "deadline_said": None}
    at = calendar.deadline(config.calendar, turn, _put_off(folder))
    return {"deadline": at.isoformat(), "deadline_said": calendar.said_at(at, config.calendar.zone)}


def _is_forming(folder: Path, config: Settings, turn: int) -> bool:
    """Return whether the campaign waits for players, so that no deadline counts."""
    if turn > 1 or not config.house or config.newcomers == NEWCOMERS[0]:
        return False
    from kingdom.mail.journal import journal_of

    return journal_of(Unopened(folder, config)).forming


def _asked_for(folder: Path, config: Settings) -> list[str]:
    """Return a sentence for each seat that somebody asked for and the GM has not granted or refused yet."""
    if not config.house or config.newcomers == NEWCOMERS[0]:
        return []
    from kingdom.campaign import clock
    from kingdom.mail import vacancies
    from kingdom.mail.journal import NAME

    mail = Path(config.house) / "mail"
    if not (mail / NAME).is_file():
        return []
    status = (mail / NAME).stat()
    now, zone = clock.now(), config.calendar.zone if config.calendar else "UTC"
    return [
        f"{one.name or 'Somebody'} asks for the seat {one.seat}. Until {calendar.said_at(one.until, zone)} it is kept for the GM's yes or no, "
        "a reply to the mail that asked."
        for one in vacancies.requests(
            _journal_in(mail, (status.st_mtime_ns, status.st_size)), folder.resolve().name, now
        )
    ]


@lru_cache(maxsize=1)  # each campaign of a house asks for it
def _journal_in(mail: Path, stamp: tuple[int, int]) -> Journal:
    """Return the journal in a house's `mail`. stamp: of the file as it is now."""
    from kingdom.mail.journal import Journal

    return Journal(mail)


def _put_off(folder: Path) -> list[tuple[int, str]]:
    return calendar.put_off_in(folder / "mail" / "journal.jsonl")


def _moved(folder: Path, config: Settings, turn: int) -> list[Facts]:
    """Return the delays that move a turn's deadline beyond the calendar's, each with its first `turn`, its span `by`, and `who`
    gave it."""
    if config.calendar is None:
        return []
    delays = [(first, span, "campaign.yaml") for first, span in config.calendar.extend.items()]
    full = calendar.put_off_in(folder / "mail" / "journal.jsonl", calendar.FULL)
    mailed = calendar.not_taken_back(_put_off(folder))
    delays += [(first, span, "full" if (first, span) in full else "mail") for first, span in mailed]
    return [{"turn": first, "by": span, "who": who} for first, span, who in delays if turn >= first]


def _waits(folder: Path, config: Settings, last: int, following: int, verdict: checked.Checked) -> list[str]:
    """Return a sentence for each thing that is special about the next turn."""
    problem = copies.standing(folder).problem
    waits = [problem.message] if problem else []
    before = undone_turns.latest(folder, following)
    if before and before.reopened:
        waits.append(f"Turn {following} was taken back and is open for new orders; its dice are new.")
    elif before:
        waits.append(
            f"Turn {following} was taken back: it keeps its dice and its orders, and takes the GM's orders filed now."
        )
    if _is_forming(folder, config, following):
        by_hand = f"it has no calendar, so its GM starts it with `kingdom turn {typed(Unopened(folder, config))}`"
        waits.append(
            f"It waits for players: {by_hand if config.calendar is None else 'it starts when every seat has one'}."
        )
    waits += _asked_for(folder, config)
    if last < 0:
        waits.append("Turn 0, the start, is still to be made: `kingdom turn` makes it.")
    if verdict["over"]:
        waits.append(f"There is no turn {following}: {verdict['over']}.")
    elif config.ends.turn and last >= config.ends.turn:
        waits.append(f"Turn {config.ends.turn} was the last (`ends` in campaign.yaml).")
    else:
        waits += _waiting(folder, config, last, following)
    strangers = [
        name for name in filings.filed(filings.folder_of(folder, following)) if name not in (*config.players, GM)
    ]
    waits += [
        f"orders/{store.name_of(following)}/{name}.yaml is nobody's: there is no kingdom `{name}`."
        for name in strangers
    ]
    waits += [
        f"orders/{store.name_of(following)}/{name} is nobody's orders, and is left alone."
        for name in filings.strays(filings.folder_of(folder, following), config.players)
    ]
    waits += filings.unreadable(filings.folder_of(folder, following), config.players)
    waits += filings.misplaced(folder, following, config.players)
    waits += doubts(config) + _zones(folder, config, following)
    return waits + ([verdict["amiss"]] if verdict["amiss"] else [])


def _zones(folder: Path, config: Settings, following: int) -> list[str]:
    """Say that the system's time zones are older than those in use, if one of the next ten deadlines would differ by them."""
    dates = config.calendar
    if dates is None or following < 1:
        return []
    put_off = _put_off(folder)
    deadlines = [calendar.deadline(dates, turn, put_off) for turn in range(following, following + DEADLINES)]
    moved = zones.differing(dates.zone, deadlines)
    if not moved:
        return []
    counted, other = zones.used(), next(one for one in zones.databases() if one.folder == zones.SYSTEM)
    assert counted  # else there would be nothing to compare
    first = following + deadlines.index(moved[0])
    return [
        f"This system's time zones ({other.version or 'without a version'}) are older than those of {counted.what} ({counted.version}), "
        f"which count here. By the system's clock the deadline of turn {first} would be another moment: "
        f"it is {calendar.said_at(moved[0], 'UTC')}. Update the system's tzdata."
    ]


def _waiting(folder: Path, config: Settings, last: int, following: int) -> list[str]:
    """Say that the next turn waits or is due, and why, if `kingdom run` plays the turns. Only this function opens the campaign,
    which loads the game."""
    from kingdom.campaign import clock
    from kingdom.mail.journal import NAME, Journal

    now, is_run = clock.now(), (folder / "mail" / NAME).is_file()
    if not is_run or config.calendar is None or last < 0 or _is_forming(folder, config, following):
        return []
    if calendar.deadline(config.calendar, following, _put_off(folder)) > now:
        return []
    from kingdom.campaign import campaign as campaigns
    from kingdom.mail import turn_facts

    try:
        sentence = turn_facts.standing(campaigns.open_campaign(folder), Journal(folder / "mail", now), now)
    except Faults:  # `amiss` of the verdict reports the fault
        return []
    return [sentence] if sentence else []


# --- in words ------------------------------------------------------------------------------------------------------------


def _lines(status: Facts) -> list[str]:
    waits = [line for wait in status["waits"] for line in ["", *terminal.paragraph(wait)]]
    if status["over"]:  # no more orders are filed
        head = f"{status['campaign']} ({status['game']}): over, turn {status['turn']} is kept."
        return [head, *_listed("Mail:", status["mail"]), *waits]
    turn = "not begun" if status["turn"] is None else f"turn {status['turn']} is kept"
    lines = [f"{status['campaign']} ({status['game']}): {turn}, turn {status['next']} is next."]
    if status["deadline"]:
        lines.append(f"Orders are due on {status['deadline_said']}{_left(status['deadline'])}.")
    lines += _said_moved(status["moved"])
    size = max(map(width, status["seats"]))
    lines.append("")
    alike: dict[str, list[str]] = {}  # with very many seats: a sentence -> the seats that share it
    for seat, stands in status["seats"].items():
        name = "GM" if seat == GM else seat
        absent, said, more = status["absences"].get(seat), _said_filed(status, seat, stands), _first_of_each(stands)
        if len(status["seats"]) > _MANY and not absent and not more and not status["filed"].get(seat) and seat != GM:
            alike.setdefault(said, []).append(seat)
            continue
        lines.append(f"{name:{size}}  {said}{f'; {absent}' if absent else ''}")
        lines += [" " * (size + 4) + shortened(text, terminal.COLUMNS - size - 4) for text in more]
    for said, seats in alike.items():
        lines += ["", *terminal.listed(f"{counted(len(seats), 'seat')}, {said}:", seats)]
    lines += _listed("Mail:", status["mail"]) + _listed("Open requests:", status["requests"][:_REQUESTS])
    rest = len(status["requests"]) - _REQUESTS
    lines += [f"  ... and {rest} more, in the GM's book."] if rest > 0 else []
    return lines + waits


def _listed(title: str, sentences: list[str]) -> list[str]:
    """Return sentences under a title; [] if there are none."""
    lines = [line for sentence in sentences for line in terminal.item(sentence)]
    return ["", title, *lines] if lines else []


def _said_filed(status: Facts, seat: str, stands: Facts) -> str:
    """Say in words what a seat has filed."""
    receipt, bot = status["gm"] if seat == GM else status["filed"][seat], status["bots"].get(seat)
    if stands["out"] and not receipt:
        return str(stands["out"])
    if not receipt and not stands["asked"]:
        return "not asked in this turn"
    if not receipt:
        return f"a bot ({bot}) gives the orders when the turn is run" if bot else "nothing filed"
    more = [
        stands["out"],
        "final" if stands["final"] else "",
        _many(stands["problems"], "problem"),
        _many(stands["refusals"], "refusal"),
    ]
    came = f" by mail on {stands['at'][:16].replace('T', ' ')}" if stands["at"] else ""
    return ", ".join([f"filed{came}, receipt {receipt}", *filter(None, more)])


def _many(things: Sequence[object], word: str) -> str:
    return f"{len(things)} {word}{'s' if len(things) > 1 else ''}" if things else ""


def _first_of_each(stands: Facts) -> list[str]:
    """Return lines with the seat's first problem, its first coming refusal, and each open question."""
    lines = [f"problem {text}" for text in stands["problems"][:1]]
    lines += [f"refused {refusal['order']}: {refusal['reason']}" for refusal in stands["refusals"][:1]]
    for question in stands["questions"]:
        if not question["answered"]:
            default = question["default"].replace("_", " ") or "nothing"
            lines.append(f"{question['question'].partition(':')[0]}: not answered yet ({default}, if it stays so)")
    return lines


def _said_moved(moved: list[Facts]) -> list[str]:
    """Say by how much the deadline was moved, and by whom."""
    by = {"campaign.yaml": "`extend` in campaign.yaml", "mail": "the GM by mail", "full": "it waited for players"}
    delays = [f"{delay['by']} from turn {delay['turn']} on ({by[delay['who']]})" for delay in moved]
    return terminal.paragraph(f"That is later by {', '.join(delays)}.", 2) if delays else []


def _left(deadline: str) -> str:
    """Say how far off a near deadline is; "" for any other."""
    from datetime import datetime

    from kingdom.campaign import clock

    hours = (datetime.fromisoformat(deadline) - clock.now()).total_seconds() / 3600
    if abs(hours) > _SOON:
        return ""
    minutes = round(abs(hours) * 60)
    spoken = f"{abs(hours):.0f} hours" if minutes >= 90 else f"{minutes} minute{'' if minutes == 1 else 's'}"
    return f": in {spoken}" if hours >= 0 else f": {spoken} ago"
