"""A chronicle: the campaign as a folder of linked pages, a set for each seat's eyes and one for the public.

Each set is complete: no link leads out of it, so its folder can be handed over alone. A seat's set holds what its reports hold
and what is worked out from what the seat knows (the game's `sheet`, `accounts` and `picture` for that seat). The public set
holds the public page (public_page.py). Both tell the end once the campaign is over.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec

from kingdom.books import ledgers, public_page, review_page
from kingdom.books.chapters import EVERYBODY, NOTHING_BESIDE, Beside, Chapter, chapters
from kingdom.books.review import Wanted
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import modes, output, publicity, seat_record, store, the_end
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault, writing
from kingdom.campaign.exchange import exchange
from kingdom.campaign.publicity import Publicity
from kingdom.campaign.store import BROKEN, Kept
from kingdom.engine.dice import GM
from kingdom.engine.game import Letter
from kingdom.engine.problems import Faults
from kingdom.engine.step import Facts
from kingdom.orders import places
from kingdom.render import charts, reports
from kingdom.render.ascii_pages import as_ascii, script_as_ascii
from kingdom.render.plain_text import clean, cleaned
from kingdom.render.progress import Told, silent

if TYPE_CHECKING:
    from jinja2 import Environment

PUBLIC = "public"
REVIEW, OLDER = "review.html", "review-older.js"  # beside the sets, for the GM; for all once the campaign is over
CHRONICLE = "chronicle"  # in a campaign that is over
MARK = "chronicle.json"
FORMAT = 1


def folder_of(seat: str) -> str:
    """The name of a seat's set. (A kingdom may have the name of the public set.)"""
    return f"{seat}-kingdom" if seat == PUBLIC else seat


View: TypeAlias = Mapping[str, object]  # what a template gets


class Mark(msgspec.Struct, frozen=True):
    """A chronicle's identity: its campaign (by the digest of its start), its newest turn (by digest), whether the campaign is over."""

    format: int
    start: str
    newest: str
    over: bool


class _Telling(NamedTuple):
    """The data that all pages of a chronicle share. name_of: seat -> the name of its kingdom after the newest turn."""

    campaign: Campaign
    names: Mapping[str, str]
    pages: Environment
    last: int
    end: Facts


def write(campaign: Campaign, folder: Path, told: Told = silent, beside: Beside = NOTHING_BESIDE) -> None:
    """Write the chronicle of all kept turns into a folder, whole or not at all; an older one of the same campaign is replaced.

    beside: messages that were not sent with orders. Raises Faults, also if the folder holds anything else.
    """
    newest = campaigns.kept(campaign)
    start = campaigns.kept(campaign, 0).digest
    prove_free(folder, start)
    folder = folder.resolve()
    partial = folder.with_name(f".{folder.name}.partial")
    telling = _telling(campaign, newest)
    with writing(folder), modes.private(folder.parent):
        if partial.exists():  # what a killed run left
            store.remove([partial])
        try:
            os.makedirs(partial)
            _write_sets(partial, telling, told, beside)
            mark = Mark(FORMAT, start, newest.digest, bool(telling.end))
            # for the GM, with a link to every set
            index = telling.pages.get_template("index.html").render(view=_view(telling))
            store.put_files(partial, {"index.html": as_ascii(index), **_review(campaign), MARK: store.pretty(mark)})
        except OSError:  # the disk is full, say: it gets its room back
            store.remove([partial])
            raise
        if not folder.exists():
            store.move(partial, folder)
        elif exchange(partial, folder):
            store.remove([partial])
        else:
            store.remove([folder])
            store.move(partial, folder)


def _review(campaign: Campaign) -> dict[str, bytes]:
    """Return the files of the page of the review, which tells of every kingdom and so stands in no set."""
    ledger = ledgers.opened(ledgers.files(campaign.folder))
    page = review_page.page(campaign, ledger, review_page.Asked(Wanted(), older=OLDER))
    return {REVIEW: as_ascii(page.text), **({OLDER: script_as_ascii(page.older).encode()} if page.older else {})}


def prove_free(folder: Path, start: str) -> None:
    """Raise Faults unless a chronicle of the campaign with that start may be written into the folder."""
    output.prove_outside_layout(folder, CHRONICLE)
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    mark = mark_of(folder)
    if mark is None or mark.start != start:
        raise fault("no_chronicle", folder)


def mark_of(folder: Path) -> Mark | None:
    """Return the mark of the chronicle in a folder; None if there is none."""
    try:
        return msgspec.json.decode(store.read(folder / MARK), type=Mark)
    except (Faults, *BROKEN):
        return None


# --- the sets


def _telling(campaign: Campaign, newest: Kept) -> _Telling:
    from kingdom.render.templates import environment  # slow to load

    state, rules = campaigns.state_of(campaign, newest), campaigns.rules_of(campaign, newest).rules
    why = campaigns.over(campaign, newest.record.turn + 1, state)
    pages = environment(places.templates() / "chronicle", {"named": the_end.named})
    end = the_end.facts(campaign, newest.record.turn, state, rules, why)
    names = {}
    for seat in newest.record.seats:
        name = campaign.game.sheet(state, seat, rules).get("name")
        names[seat] = clean(str(name or "")).strip() or seat  # a name may have no visible letter
    return _Telling(campaign, names, pages, newest.record.turn, end)


def _write_sets(folder: Path, telling: _Telling, told: Told, beside: Beside) -> None:
    """Write each turn's pages as the turn is read, then the pages around them."""
    rows: dict[str, list[Facts]] = {seat: [] for seat in telling.names}
    public = list[public_page.Row]()
    rules = b""
    for chapter in chapters(telling.campaign, beside):
        told(f"turn {chapter.number} of the chronicle", chapter.number, telling.last + 1)
        public.append(
            {**public_page.row(telling.campaign, chapter), "said": True}
        )  # whoever reads a chronicle knows all of it
        for seat in chapter.turn.record.seats:
            row = _row(chapter, seat, telling)
            files = _turn_of(chapter, seat, row, bool(rows[seat]), telling)
            store.write(folder / folder_of(seat) / store.name_of(chapter.number), files)
            rows[seat].append(row)
        if chapter.number == telling.last:
            ours = telling.campaign
            page = reports.rules_page(ours.game, chapter.rules, ours.settings.name, campaigns.own_rules(ours))
            rules = page.encode()
    around = {"rules.md": rules} if rules else {}
    if telling.end and telling.end["picture"]:  # nothing on the map is hidden any more
        around["map.svg"] = telling.end["picture"].encode()
    for seat, seat_rows in rows.items():
        accounts = list(dict.fromkeys(account for row in seat_rows for account in row["accounts"]))
        view = _view(
            telling, seat=seat, rows=seat_rows, accounts=accounts, charts=_charts(seat, seat_rows), rules=bool(rules)
        )
        page = telling.pages.get_template("seat.html").render(view=view)
        store.put_files(folder / folder_of(seat), {"index.html": as_ascii(page), **around})
    seen = {**_view(telling), **public_page.view(telling.campaign, public, _publicity(telling), telling.end)}
    page = telling.pages.get_template("public.html").render(view={**seen, "world": False, "rules": bool(rules)})
    store.write(folder / PUBLIC, {"index.html": as_ascii(page), **around})


def _publicity(telling: _Telling) -> Publicity:
    """What the public set shows: at least what all were told, and everything once nothing is secret any more."""
    if telling.end:
        return Publicity(publicity.MAP)
    ours = publicity.shown(telling.campaign, campaigns.kept(telling.campaign).record)
    return ours if ours.shows(publicity.LETTERS) else Publicity(publicity.LETTERS)


def _view(telling: _Telling, **more: object) -> View:
    """Return the data of every page: the campaign, the kingdoms by name, and the end once it is over."""
    end = {**telling.end, "picture": bool(telling.end["picture"])} if telling.end else {}
    folders = {seat: folder_of(seat) for seat in telling.names}
    shared: dict[str, object] = {
        "campaign": telling.campaign.settings.name,
        "names": dict(telling.names),
        "folders": folders,
        "last": telling.last,
        "end": end,
    }
    return {**cleaned(shared), **more}


def _row(chapter: Chapter, seat: str, telling: _Telling) -> Facts:
    """A seat's numbers after the turn, none while it is not in play, and its messages."""
    game = telling.campaign.game
    plays = seat in game.seats(chapter.state)
    balances = game.accounts(chapter.state, seat, chapter.rules.rules) if plays else {}
    return {
        "turn": chapter.number,
        "accounts": dict(balances),
        "letters": [
            _letter(letter, seat, telling)
            for letter in chapter.letters
            if seat in (letter.sender, letter.to) or letter.to == EVERYBODY
        ],
    }


def _letter(written: Letter, seat: str, telling: _Telling) -> Facts:
    """A message as the pages show it to a reader, line by line. `out`: the reader wrote it."""
    names = {**telling.names, GM: "the GM", EVERYBODY: "all"}
    sender, to = names.get(written.sender, written.sender), names.get(written.to, written.to)
    letter = {"sender": sender, "to": to, "out": written.sender == seat, "text": written.text.splitlines()}
    return cleaned(letter)


def _turn_of(chapter: Chapter, seat: str, row: Facts, earlier: bool, telling: _Telling) -> dict[str, bytes]:
    """The files of a seat's turn: its page, the report as it was kept, and the map as the seat knew it.

    earlier: whether the set has a turn before.
    """
    game, rules = telling.campaign.game, chapter.rules.rules
    kept = {ending: f"reports/{seat}.{ending}" for ending in ("html", "txt")}
    files = {
        f"report.{ending}": store.file_of(chapter.turn, name)
        for ending, name in kept.items()
        if name in chapter.turn.record.files
    }
    picture = game.picture(chapter.state, seat, rules) if game.picture else ""
    view: dict[str, object] = {
        "turn": chapter.number,
        "earlier": earlier,
        "seat": seat,
        "reports": list(files),
        "picture": bool(picture),
        "drawn": [] if picture else cleaned(game.draw(chapter.state, seat, rules).rstrip("\n").split("\n")),
        "told": _told(chapter, seat),
        "refused": cleaned([{"order": order, "reason": reason} for order, reason in chapter.refused.get(seat, ())]),
        "entries": cleaned([entry._asdict() for entry in chapter.entries.get(seat, ())]),
        "row": row,
    }
    page = telling.pages.get_template("turn.html").render(view=_view(telling, **view))
    record = f"reports/{seat}{seat_record.ENDING}"
    if record in chapter.turn.record.files:
        files[seat_record.ATTACHED] = store.file_of(chapter.turn, record)
    return {"index.html": as_ascii(page), **files, **({"map.svg": picture.encode()} if picture else {})}


def _told(chapter: Chapter, reader: str) -> list[Facts]:
    """Return the reader's news, line by line, with the public news first. `gm`: it is from the GM."""
    rows = [*chapter.told.get(EVERYBODY, ()), *(chapter.told.get(reader, ()) if reader != EVERYBODY else ())]
    told: list[Facts] = [{"gm": by_gm, "text": text.splitlines()} for by_gm, text in rows]
    return cleaned(told)


def _charts(seat: str, rows: Sequence[Facts]) -> list[Facts]:
    """A chart of each number over the turns in which the seat was in play, and its name."""
    in_play = [row for row in rows if row["accounts"]]
    if len(in_play) < 2:
        return []
    labels = [str(row["turn"]) for row in in_play]
    drawn = list[Facts]()
    for account in in_play[-1]["accounts"]:
        points = [
            charts.Point(label, row["accounts"].get(account, 0)) for label, row in zip(labels, in_play, strict=True)
        ]
        name = the_end.named(account)
        drawn.append({"name": name, "drawn": charts.line(f"{seat}-{account}", name, points)})
    return drawn
