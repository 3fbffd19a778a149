"""The problems of a campaign's folder, other than those of texts that people write. All their sentences stand here."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from kingdom.engine.problems import Faults, Problem, problem

MESSAGES: dict[str, str] = {
    # the folder
    "no_campaign": "There is no campaign here: a campaign is a folder with a campaign.yaml. Name one, type this inside one, "
    "or name one in the variable KINGDOM_CAMPAIGN. `kingdom new` makes one.",
    "not_readable": "This can't be read: {reason}.",
    "not_written": "This can't be written: {reason}.",
    "never_written": "This can't be written: {reason}. That does not pass by itself: {cure}.",
    "folder_in_use": "There is something here already. `kingdom new` makes a new folder; name another.",
    "layout": "The campaign or the house in {folder} keeps its own files there, so nothing else is written, with --force neither. "
    "Name another file.",
    "not_own": "There is a file here already, and it is no earlier output of this command. Name another file, or add --force to replace it.",
    "published_inside": "`publish` names this folder, which {why}, so a web server would show its seed and tokens: nothing is published. "
    "Name a folder apart from every campaign.",
    "no_chronicle": "There is something here that is no chronicle of this campaign. Name a new folder, or an empty one.",
    "no_archive": "This is no archive of a campaign, and would be written over by one. Move it away, then type `kingdom run`.",
    "no_example": "There is no example `{word}`.{cure}",
    "no_game": "There is no game `{word}`.{cure}",
    "bad_zone": "There is no time zone `{word}`. Name one such as Europe/Berlin.{cure}",
    "no_bot": "There is no bot `{word}` in this game.{cure}",
    "bad_day": "There is no such day or time as `{word}`. Write it like 2026-12-04T18:00.",
    "calendar_doubtful": "{sentence}",
    "no_file": "This file is missing, and a campaign cannot start without it.",
    "no_kingdom_file": "This file is missing: `players` in campaign.yaml names {seat}. Write it, or take {seat} out.",
    "kingdom_without_player": "`players` in campaign.yaml does not name {seat}. Name the player there, or move this file away.{cure}",
    "start_changed": "{what} was {was} when turn 0 was made and is {now} now, which changes nothing any more. {cure}",
    "start_gone": "This file is not there any more, which changes nothing: turn 0 was made from it.",
    "start_new": "This file came after turn 0 and changes nothing: a kingdom has to be there at the start.",
    # copies (kingdom/campaign/copies.py)
    "copies": "This campaign is also in {other}, and one of the two is a copy. Neither takes mail in, sends or publishes until you say which "
    "one is the campaign: `kingdom here {this}` for this one, `kingdom here {that}` for the other.",
    "copy_of": "This is a copy of the campaign in {other}, so it takes no mail in, sends and publishes nothing. "
    "`kingdom here {this}` makes this one the campaign instead.",
    "copy_left": "This is a copy, so it takes no mail in, sends and publishes nothing. The campaign was in {other} and is not there any more: "
    "`kingdom here {this}` makes this one the campaign.",
    "copy_unseen": "This campaign ran last in {other}, where this user can't look, and may go on there, so this folder takes no mail in, sends and "
    "publishes nothing. If the campaign is here now, stop it there, then type `kingdom here {this}`.",
    "copy_elsewhere": "This campaign ran last on the machine {host}, in {other}, and may go on there, so this folder takes no mail in, sends and "
    "publishes nothing. If the campaign is here now, stop it there, then type `kingdom here {this}`.",
    # what a turn is resolved from
    "orders_name": "This is not the name of an orders file here: KINGDOM.yaml or gm.yaml is.{cure}",
    "game_over": "There is no turn {turn}: {reason}.",
    "seat_word": "`{word}` can't be a seat's id: {why}. Name it otherwise, here and in kingdoms/.",
    "seats_changed": "`players` no longer names the kingdoms that play. Missing: {missing}. Never there: {strange}. "
    "A kingdom without a player stays, with an empty entry.",
    "turn_closed": "Turn {turn} was taken back and keeps the players' orders that it had. To have others count, type `kingdom undo {folder} --reopen` first.",
    "seed_changed": "`seed` is not the one by which the report of turn {turn} promised the dice of turn {following}. Put the old one back. "
    "A seed that leaked is changed by `kingdom reseed`, which tells everybody.",
    "weak_seed": "`seed` is too easy to guess: whoever finds it foresees every roll. Write at least 32 random digits of 0 to 9 and a to f, as `kingdom new` does. "
    "If everybody may know it, as in an example, write `public_seed: true` beside it.",
    "weak_seed_played": "`seed` is too easy to guess: whoever finds it foresees every roll. `kingdom reseed {folder}` changes it from the next turn on, and "
    "everybody is told. If everybody may know it, as in an example, write `public_seed: true` beside it.",
    "reseed_start": "No turn has been kept yet, so nothing was promised: write another `seed` into this file.",
    "reseed_closed": "Turn {turn} was taken back and keeps its dice. Run it again first, or open it with `kingdom undo {folder} --reopen`.",
    "reseed_by_hand": "The seed can't be changed here without touching more of the file. Write `seed` and what it is in one line, `old_seeds` too if it is "
    "there, and type the same again.",
    "reseed_taken_back": "Turn 0 was taken back, and its dice were promised by this seed. Make it again first: `kingdom turn {folder}`.",
    "seed_told": "The end that was taken back told `seed` to everybody, so all can work out the dice of turn {turn}. "
    "`kingdom reseed {folder}` draws another and tells everybody that it did.",
    "promise_broken": "The dice of turn {turn} were promised anew after the last report, and `seed` is not the one by which that was done. Put that one back, "
    "or draw another with `kingdom reseed {folder}`, which tells everybody that it did.",
    "unpromised": "No report promised the dice that `seed` and `old_seeds` give turn {turn}, and no mail that is known did, so they may have been chosen. "
    "Draw another seed with `kingdom reseed {folder}`, which tells everybody that it did; then the turn can be played.",
    "not_told": "Turn {turn} is not played yet: {why} {cure}",
    "promised_otherwise": "The last mail about the dice of turn {turn} that went out, mail/sent/{mail}.eml, promised others than the seed and the turns that were taken back give now. "
    "Put back what was changed since, or draw another seed with `kingdom reseed {folder}`, which tells everybody that it did.",
    "another_turn": "Reports of another turn {turn} than this one went out: {known}. Put that one back from a copy, or, if it is lost, go on with this "
    "one by `kingdom run --anew {turn} {folder}`: then its reports say first that readers may have another.",
    "no_other_turn": "No other turn {turn} than the one here is known to have been mailed, so nothing is to be played anew.",
    "broken_promise": "This is not what was promised for a turn's dice ({reason}). Put the file back from a copy.",
    "other_dice": "Turn {turn} will have other dice: no report has promised those yet, so these were drawn for the trial alone.",
    "tape_kept": "Turn {turn} was taken back without --reopen, so it keeps its dice and takes no tape.",
    "left_out": "This is not used: turn {turn} was taken back without --reopen, so it keeps the players' orders that it had.",
    "tape_unused": "Nobody rolled {kingdom}'s {name} number {count}. Take it out of the tape, or correct its name.",
    "tape_outside": "{result} is not on a die with {sides} sides ({kingdom}'s {name} number {count}). Write 1 to {sides}.",
    # kept turns
    "no_turn": "There is no kept turn {turn}; the newest is {newest}.",
    "no_turns": "No turn has been kept yet. `kingdom turn` makes turn 0.",
    "no_seat": "There is no kingdom `{word}` in this campaign.{cure}",
    "not_in_play": "{seat} is not in play, so there is nothing to forecast.",
    "no_entries": "No entry can have the {what} `{word}`.{cure}",
    "no_public_page": "The public page can't be written here: another file has its name. Move that file, or name another folder in `publish`.",
    "no_public_map": "This game has no land that a public page could map. Write `public: size`.",
    "no_edition": "This game's rules have no edition {named}; the newest is {newest}. Write `edition: {newest}`.",
    "no_account": "There is no number `{word}` on a sheet of this game.{cure}",
    "no_pyarrow": "Parquet is written by pyarrow, which is not installed beside this program. Export to another ending, or install it: `pip install pyarrow`, `pipx inject kingdom pyarrow`; in a checkout `scripts/test` brings it.",
    "no_such_order": "No order is `{word}` in these turns. Name it by its path, as `check` and reports do, or by words that stand in it.",
    "gaps": "Turns {first} to {last} are missing between kept ones. Put their folders back from a copy.",
    "no_plain_file": "This is no plain file, but a link, a pipe or a folder. Put the file back from a copy.",
    "stray": "This is no folder of a turn: such a folder is called like {example}, and is no link. Rename it, or move it out of {folder}.",
    "no_folder": "This is no folder that can be looked into ({reason}). Put it back from a copy.",
    "no_sense": "What stands in it can't be looked at ({reason}). Put the file back from a copy.",
    "gap": "Turn {turn} is missing between kept ones. Put its folder back from a copy.",
    "newer_format": "Turn {turn} was kept in format {format}; this program knows formats up to {known}. Use a newer program.",
    "broken_record": "This is not a turn's record ({reason}). Put the file back from a copy.",
    "broken_archive": "This is no archive of a turn ({reason}). Put the file back from a copy.",
    "broken_state": "This is not a state of the game ({reason}). Put the file back from a copy.",
    "columns": "The first line is not `{columns}`. Put the file back from a copy.",
    "row": "This line is not a row of {columns}. Put the file back from a copy.",
    "digest": "The file is not as it was kept: its digest is not the one in turn.json. Put it back from a copy.",
    "line_ends": "The line ends of these files were changed after they were kept, as git does where core.autocrlf is on, so no digest holds. "
    "Nothing is lost: clone the repository anew with `git clone -c core.autocrlf=false`. The line `* -text` in the campaign's .gitattributes keeps git from it.",
    "no_zip": "This is no archive of a campaign that can be unpacked: {reason}.",
    "own_digest": "The file is not as it was kept: its digest is not the one in its own `digest` line. Put it back from a copy.",
    "chain": "The turn before is not the one that this turn was made from: {file_before} has another digest than `previous` says.",
    "missing": "The file is missing, and turn.json names it. Put it back from a copy.",
    "stranger": "The file is not one that turn.json names. Take it out of the turn's folder.",
    "nothing_to_undo": "No turn has been kept, so there is none to take back.",
    "nothing_to_redo": "Turn 0 has no orders to resolve again. Take it back with `kingdom undo` and make it anew with `kingdom turn`.",
    "correct_start": "Turn 0 is the start and is not run again. Book what it should have been with GM orders.",
    "correction_filed": "A correction of turn {turn} is filed here and takes in what came after it. Run `kingdom correct --turn {turn}` again, "
    "or take its lines out and correct turn {first} then.",
    "merge_by_hand": "The orders can't be put in here without writing the GM's own anew. Put them in by hand: without --yes they are shown.",
    # mail
    "journal_line": "This is not a line of the journal. Put the file back from a copy; a half line at its end does no harm.",
    "no_message": "`{word}` is not one message of `kingdom mail log` ({count} begin like that), and no file either.",
    "no_mail": "This is no message, so it stays where it is. {why}",
    "bad_address": "`{word}` is no mail address that orders can come from. Write it like ada@example.org.",
    "seat_line": "The entry of {seat} can't be changed here without touching more of the file. Under `players`, write `{entry}` instead, "
    "then run the same command again.",
    # audit and replay
    "balance": "The books do not add up: {reason}.",
    "sum": "The books and the state differ after turn {turn}: {account} of {kingdom} is {state} in the state, {books} by the ledger.",
    "die": "{kingdom}'s {name} number {count} (d{sides}) is {result}; the seed gives {rolled}.",
    "count": "{kingdom}'s {name} number {count} stands where number {expected} should.",
    "differs": "Run again, turn {turn} gives another {what}: {here} is kept, {again} comes out. {why}",
    "entry_misplaced": "Entry {seq} of turn {found} stands here, in the ledger of turn {turn}, out of its order.",
    "misplaced_turn": "This is the record of turn {turn}. Put the right file back from a copy.",
    "attempt": "This is attempt {attempt} of the turn, and by what was taken back it should be {expected}.",
    "corrects": "By what was taken back this turn was made instead of {expected}, and it says {found}.",
    "undone_chain": "No turn {turn} that is kept or was taken back is the one that this turn was made from: none has the digest that `previous` says.",
    "mailed_gone": "Turn {turn} is missing, and its reports were mailed ({digest}). Put its folder back from a copy.",
    "mailed_other": "This is not the turn {turn} whose reports were mailed: they were of one with the digest {digest}. Put it back from a copy.",
    "breaks_off": "Run again from these files, turn {turn} breaks off ({reason}).",
    "notices": "Run again, turn {turn} gives other notices than are kept here.",
}


LASTS = "never_written"  # the code if the disk refuses to write until a person does something about it
DISK = ("not_written", LASTS)  # the codes if the disk refused to write; a command adds how far it came
# what the system says of a call that a file system does not have: FAT and exFAT, some network and cloud mounts lack links, rights, locks
LACKING = frozenset(
    (errno.EPERM, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL, errno.EXDEV, errno.ENOLCK)
)
_ANOTHER_DISK = "move the folder to a disk of this machine that can do it"
_RIGHTS = "give this program's user the folder and all that lies in it, or " + _ANOTHER_DISK
_IN_THE_WAY = "something else lies in its place"
_CURES = {
    **dict.fromkeys(LACKING, _ANOTHER_DISK),
    **dict.fromkeys((errno.EPERM, errno.EACCES), _RIGHTS),
    **dict.fromkeys((errno.EISDIR, errno.ENOTDIR, errno.ELOOP), _IN_THE_WAY),
    errno.EROFS: "mount the disk so that it can be written",
}
_NOT_WRITTEN = MESSAGES["not_written"].partition("{")[0]  # stands before the system's reason


def trouble(
    code: str, file: object, line: int = 0, column: int = 0, path: str = "", hint: str = "", **facts: object
) -> Problem:
    """Return the problem `code` with the facts filled into its sentence."""
    return problem(code, str(file), line, column, path, hint, MESSAGES, **facts)


def fault(code: str, file: object, line: int = 0, column: int = 0, **facts: object) -> Faults:
    """Return Faults with that one problem, to be raised."""
    return Faults([trouble(code, file, line, column, "", "", **facts)])


@contextmanager
def writing(file: object) -> Iterator[None]:
    """Raise an OSError inside as Faults, in words. `file`: the place, if the system names none."""
    try:
        yield
    except OSError as error:
        raise not_written(error, error.filename or file) from None


def not_written(error: OSError, file: object) -> Faults:
    """Return the Faults of an OSError in writing a file: with what helps, if it does not pass by itself."""
    cure = _CURES.get(error.errno or 0, "")
    return fault(LASTS if cure else DISK[0], file, reason=error.strerror or error, cure=cure)


def reason_of(error: Exception) -> str:
    """Return why something failed, to stand inside a sentence: the file with the system's reason, or the problem of a file."""
    if isinstance(error, Faults):
        return "; ".join(
            f"{problem.file}: {problem.message.removeprefix(_NOT_WRITTEN).rstrip('.')}" for problem in error.problems
        )
    if isinstance(error, OSError):
        said = refused(error, "").message.rstrip(".")
        return f"{error.filename}: {said}" if error.filename else said
    return f"a fault of the program: {type(error).__name__}: {' '.join(str(error).split())[:300]}"


def refused(error: OSError, folder: object) -> Problem:
    """Return the problem for an OSError in reading or writing. folder: the place, if the system names none."""
    (problem,) = not_written(error, error.filename or folder).problems
    return problem._replace(message=problem.message.removeprefix(_NOT_WRITTEN))


def lasts(error: BaseException) -> bool:
    """Return whether what failed goes on failing until a person does something about it."""
    if isinstance(error, Faults):
        return any(problem.code in (LASTS, "published_inside", "no_public_page") for problem in error.problems)
    return isinstance(error, OSError) and error.errno in _CURES
