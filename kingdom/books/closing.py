"""The chronicle and the archive of a campaign that is over. Each command that changes the newest turn calls `settle`.

Both are made from kept turns, and from messages that players did not send with orders. Each is put in its place by one rename
and names its newest turn. So the next `kingdom run` finishes what a killed run left undone, and undoing the last turn takes
both away.

The archive is one file for everybody that proves every turn and tells the whole story. It is a campaign itself: unpacked,
`kingdom audit`, `replay`, `show` and `ledger` work on it. It leaves out what is private to the players: mail, addresses and
tokens. `letters: told_at_end` tells letters in the chronicle. The same turns give the same bytes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import opening, packed, seat_record, settings, store, undone_turns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault, writing
from kingdom.campaign.settings import TOLD_AT_END
from kingdom.engine.regex import regex
from kingdom.orders import yaml_out, yaml_text
from kingdom.render import reports
from kingdom.render.progress import Told, silent

if TYPE_CHECKING:
    from kingdom.books.chapters import Beside

CHRONICLE, ARCHIVE = "chronicle", "archive.zip"
_KNOWN_BY = b"kingdom archive "  # before the digest of its newest turn, in the file's comment
_THEN = (1980, 1, 1, 0, 0, 0)  # the time of every file in it: the earliest that the format knows
_READ_BY_ALL = 0o100644 << 16
_UNIX = 3
_ORDERS = regex(r"(turns|undone)/[^/]+/orders/[^/]+\.yaml\Z")  # where a token may have been typed
_TAKEN_OUT = "taken-out"
README = """\
{name}: the archive of a campaign that is over, after turn {turn}.

chronicle/       open chronicle/index.html: the campaign as pages, a set for each kingdom and one for the public
turns/           every turn: orders, rules, dice, ledger, state, reports
rules.md         the rules as they were played last
verify.py        proves with Python alone that this is what was mailed to you: `python3 verify.py MAILS --archive .`

The folder is a campaign that the program reads. `kingdom audit .` proves that the books balance, that every die is the
seed's and that no turn was altered; `kingdom replay .` runs every turn again. The seed is in campaign.yaml.
Addresses and tokens are left out, and letters by mail{letters}.
"""
ALTERED = """\
A token was taken out of these files, so that `kingdom audit` names them as altered:
{names}
"""


def why_over(campaign: Campaign) -> str:
    """Why the campaign is over after its newest turn, "" while it goes on. Raises Faults."""
    if campaigns.newest(campaign) < 0:
        return ""
    turn = campaigns.kept(campaign)
    return campaigns.over(campaign, turn.record.turn + 1, campaigns.state_of(campaign, turn))


def settle(campaign: Campaign, over: str, beside: Callable[[Campaign], Beside], told: Told = silent) -> list[str]:
    """If the campaign is over, make the chronicle and archive of its newest turn unless they are there; give a line for each.

    If it goes on, remove those of an end that was undone. beside: finds the messages that were not sent with orders. Only for
    the holder of the campaign's lock. Raises Faults.
    """
    chronicle, packed = campaign.folder / CHRONICLE, campaign.folder / ARCHIVE
    if not over:
        _take_away(chronicle, packed)
        return []
    from kingdom.books import chronicle as chronicles  # seldom needed

    newest, made = campaigns.kept(campaign).digest, []
    mark = chronicles.mark_of(chronicle) if chronicle.is_dir() else None
    if mark is None or (mark.newest, mark.over) != (newest, True):
        chronicles.write(campaign, chronicle, told, beside(campaign))
        made.append(f"The chronicle is in {chronicle}.")
    packed_up_to = newest_in(packed)
    if packed.exists() and not packed_up_to:
        raise fault("no_archive", packed)
    if packed_up_to != newest:
        told("the archive is packed")
        pack(campaign, chronicle, packed)
        made.append(f"The archive is {packed}.")
    return made


def archive_of(campaign: Campaign, digest: str) -> Path | None:
    """The archive whose newest turn has that digest, None if it has another or is missing."""
    packed = campaign.folder / ARCHIVE
    return packed if newest_in(packed) == digest else None


def _take_away(chronicle: Path, packed: Path) -> None:
    """Remove the chronicle and archive of an end that was undone. A chronicle that the GM made meanwhile stays, and so do other files."""
    with writing(chronicle):
        if packed.is_file() and newest_in(packed):
            packed.unlink()
        if chronicle.is_dir():
            from kingdom.books import chronicle as chronicles

            mark = chronicles.mark_of(chronicle)
            if mark is not None and mark.over:
                gone = chronicle.with_name(f".{CHRONICLE}.partial")
                if gone.exists():
                    store.remove([gone])
                store.move(chronicle, gone)
                store.remove([gone])


# --- the archive


def pack(campaign: Campaign, chronicle: Path, file: Path) -> None:
    """Write the archive of all kept turns, whole or not at all. Raises Faults."""
    newest = campaigns.kept(campaign)
    partial = file.with_name(f".{file.name}.partial")
    with writing(file):
        _pack(partial, _KNOWN_BY + newest.digest.encode(), name_of(campaign), _contents(campaign, chronicle))
        os.replace(partial, file)
        store.sync_folder(file.parent)


def newest_in(file: Path) -> str:
    """The digest of the newest turn in an archive, "" if the file is missing or no archive."""
    import zipfile

    try:
        with zipfile.ZipFile(file) as packed:
            comment = packed.comment
    except (OSError, zipfile.BadZipFile):
        return ""
    return comment.removeprefix(_KNOWN_BY).decode("ascii", "replace") if comment.startswith(_KNOWN_BY) else ""


def name_of(campaign: Campaign) -> str:
    """The campaign's name for a folder or a file: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", campaign.settings.name.lower()).strip("-")[:60] or "campaign"


def _pack(file: Path, comment: bytes, folder: str, contents: Iterable[tuple[str, bytes]]) -> None:
    import zipfile

    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.comment = comment
        for name, data in contents:
            entry = zipfile.ZipInfo(f"{folder}/{name}", _THEN)
            entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, _READ_BY_ALL, _UNIX
            packed.writestr(entry, data)
    with open(file, "rb") as written:
        os.fsync(written.fileno())


def _contents(campaign: Campaign, chronicle: Path) -> Iterator[tuple[str, bytes]]:
    """(path, bytes) of every file, in a fixed order."""
    from kingdom.books import verify  # once in a campaign

    newest = campaigns.kept(campaign)
    rules = reports.rules_page(
        campaign.game, campaigns.rules_of(campaign, newest), campaign.settings.name, campaigns.own_rules(campaign)
    )
    tokens = seat_record.tokens_in(campaign)
    altered = []
    yield "campaign.yaml", _campaign_yaml(campaign)
    for name, data in _start(campaign):
        yield name, data
    if rules:
        yield "rules.md", rules.encode()
    yield verify.FILE, verify.source()
    for folder in ("turns", undone_turns.FOLDER):
        for name, data in _of_turns(campaign.folder, folder):
            without = tokens.sub(_TAKEN_OUT.encode(), data) if _ORDERS.match(name) else data
            altered += [name] if without != data else []
            yield name, without
    for name in _names_in(chronicle.parent, chronicle.name):
        yield "chronicle" + name.removeprefix(chronicle.name), store.read(chronicle.parent / name)
    tells = campaign.settings.letters == TOLD_AT_END
    letters = ", but for those of which all knew that they would be told" if tells else ""
    told = README.format(name=campaign.settings.name, turn=newest.record.turn, letters=letters)
    yield "README.txt", (told + (ALTERED.format(names="\n".join(altered)) if altered else "")).encode()


def _of_turns(above: Path, folder: str) -> Iterator[tuple[str, bytes]]:
    """(path, bytes) of every file of the turns in a folder; those of a packed turn as they were before."""
    names = _names_in(above, folder)
    archives = {name for name in names if name.endswith(f"/{packed.ARCHIVE}")}
    for name in names:
        beside = "/".join([*name.split("/")[:2], packed.ARCHIVE])
        if name in archives:
            inside = packed.files(store.read(above / name), above / name)
            yield from ((f"{name.removesuffix(packed.ARCHIVE)}{inner}", inside[inner]) for inner in sorted(inside))
        elif beside not in archives:
            yield name, store.read(above / name)


def _names_in(above: Path, folder: str) -> list[str]:
    """Every file in a folder, by its path below `above`, except what a killed run left."""
    names = []
    for place, folders, files in os.walk(above / folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        names += [Path(place, name).relative_to(above).as_posix() for name in files if not name.startswith(".")]
    return sorted(names)


def _start(campaign: Campaign) -> Iterator[tuple[str, bytes]]:
    """The files that the campaign was started from, as turn 0 kept them."""
    first = campaigns.kept(campaign, 0)
    for name in sorted(first.record.files):
        if name.startswith(opening.KEPT):
            yield name.removeprefix(opening.KEPT), store.file_of(first, name)


def _campaign_yaml(campaign: Campaign) -> bytes:
    """The campaign's settings without its mail, addresses and tokens."""
    now = campaign.settings
    rules: dict[str, object] = yaml_text.plain(campaign.rules.overrides) if campaign.rules.overrides is not None else {}
    if now.rules_from:
        rules = {"from": now.rules_from, **rules}
    players = {
        seat: {key: value for key in ("name", "bot", "joins") if (value := getattr(player, key))}
        for seat, player in now.players.items()
    }
    ends = {
        key: list(value) if isinstance(value, tuple) else value
        for key in ("turn", "counts")
        if (value := getattr(now.ends, key))
    }
    kept = {
        "name": now.name, "game": now.game, "seed": now.seed, "gm": {"name": now.gm.name}, "players": players,
        "missing_orders": now.missing_orders, "steward_after": now.steward_after, "messages": now.messages,
        **({"public_seed": True} if now.public_seed else {}), **({"old_seeds": {str(turn): seed for turn, seed in now.old_seeds.items()}} if now.old_seeds else {}),
        **({"edition": now.edition} if now.edition else {}), **({"rules": rules} if rules else {}), **({"ends": ends} if ends else {}),
    }  # fmt: skip
    data = yaml_out.dump(kept).encode()
    settings.read_text(data, settings.FILE)  # or this program could not open what it writes
    return data
