"""The table of commands with their arguments, and the groups in which help lists them."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from kingdom.cli import arguments as typed
from kingdom.engine.named_tuple import NamedTuple


class Argument(NamedTuple):
    """An argument of a command, for argparse: its names and its settings."""

    names: tuple[str, ...]
    settings: dict[str, Any]  # the keywords of `add_argument`, of many types


class Command(Struct, frozen=True):
    """A command: its module in kingdom/cli/commands, what it does, and its arguments."""

    module: str
    help: str
    arguments: list[Argument]


def _argument(*names: str, **settings: Any) -> Argument:
    return Argument(names, settings)


def _flag(name: str, help_: str) -> Argument:
    return _argument(name, action="store_true", help=help_)


CAMPAIGN = _argument(
    "campaign",
    metavar="[CAMPAIGN]",
    help="the campaign's folder (default: the one that you are in, or that KINGDOM_CAMPAIGN names)",
)  # argparse always gets a campaign: kingdom/cli/reading.py adds one if none was typed
CAMPAIGNS = _argument(
    "campaigns",
    nargs="*",
    metavar="CAMPAIGN",
    help="folders of campaigns, or a folder that holds some (default: the one that you are in, or that KINGDOM_CAMPAIGN names)",
)  # for commands that do the same for each of several campaigns
BY_WORKERS = (
    _argument(
        "--workers",
        type=typed.workers,
        metavar="N",
        help="how many processes share the work, where it pays; 1: none beside this one (default: as many as there are processors)",
    ),
    _argument(
        "--scheduler",
        default="",
        metavar="ADDRESS",
        help="let the workers of a Dask scheduler share the work, such as tls://HOST:8786; `kingdom help hosting` says when it pays",
    ),
    _flag("--trust-network", "with --scheduler: nobody else is in that network, so it may be used without TLS"),
)  # for commands of which other processes may do a part
FORCE = _flag("--force", "replace a file that this command did not write; a campaign's own files never")
_SEAT = "the short name of a seat in campaign.yaml"
_JSON = _flag("--json", "print JSON for other programs")
SHELLS = ("bash", "zsh", "fish")
COMMANDS: dict[str, Command] = {
    "new": Command("games", "make a new campaign that can be run as it is", [
        _argument("folder", metavar="DIR", help="the folder to make"),
        _argument("--game", default="realm", metavar="G", help="a game that `kingdom games` lists (default: realm)"),
        _argument("--kingdoms", type=typed.count, metavar="N", help="how many kingdoms"),
        _argument("--size", type=typed.size, metavar="CxR", help="the map's columns and rows"),
        _argument("--bots", type=typed.count, default=0, metavar="N", help="how many of the kingdoms are played by bots"),
        _argument("--start", metavar="KIND", help="how easily kingdoms begin: gentle, plain (the default) or harsh"),
        _argument("--edition", type=typed.count, metavar="N", help="of the game's rules (default: the newest)"),
        _argument("--example", metavar="NAME", help="a copy of an example to look at and to play with, such as greenmarch"),
    ]),
    "turn": Command("turn", "resolve the next turn", [
        CAMPAIGN,
        _argument("--dice", metavar="TAPE", help="a file with rolls made by hand"),
        _argument("--turns", type=typed.count, default=1, metavar="N", help="run N turns one after the other, or up to the campaign's end"),
        _flag("--dry-run", "resolve it and keep nothing"),
        _flag("--yes", "do not ask, even if the deadline has not passed"),
        _JSON,
    ]),
    "run": Command("mail", "do the weekly job: take mail in, answer it, resolve what is due, send", [
        CAMPAIGNS,
        _flag("--dry-run", "say what it would do, and do nothing"),
        _argument("--anew", type=typed.turn, metavar="N", help="go on with turn N though reports of another turn N went out: it was lost, or came back from a backup"),
        *BY_WORKERS,
    ]),
    "rehearse": Command("rehearse", "show every mail that `run` would send at some moment; nobody is mailed, and nothing changes", [
        CAMPAIGN,
        _argument("--at", type=typed.moment, metavar="TIME", help="such as 2026-12-04T18:00, by the calendar's clock; without it, just after the next deadline"),
        _flag("--run-it", "as if the GM had replied `run it`: the turn is played, whoever has filed nothing by then"),
        _argument("--to", default="", metavar="FILE", help="the page to write (default: rehearsal.html)"),
        FORCE,
    ]),
    "service": Command("service", "print what makes cron or systemd do the weekly job every five minutes, with the paths of this machine", [
        CAMPAIGN, _flag("--systemd", "commands that make a timer of your user, in place of the line for cron"),
    ]),
    "release": Command("mail", "send the reports that wait for the GM's review", [CAMPAIGN]),
    "invite": Command("mail", "give a seat to a player, or hand it on", [
        CAMPAIGN,
        _argument("kingdom", metavar="KINGDOM", help=_SEAT),
        _argument("email", metavar="EMAIL", help="the player's address"),
        _argument("--name", default="", metavar="NAME", help="the player's name"),
    ]),
    "mail fetch": Command("mail", "take mail in and answer it", [
        CAMPAIGN,
        _argument("--from", dest="from_", metavar="FOLDER", help="from a Maildir, or from a folder of .eml files"),
        _JSON,
    ]),
    "mail send": Command("mail", "send what waits", [
        CAMPAIGNS,
        _flag("--dropped", "also send again mails that failed for a reason that lies with the campaign or the mail, not with the reader"),
        _flag("--yes", "do not ask before that"),
    ]),
    "mail check": Command("mail", "try the mail servers step by step, with two test mails to the campaign itself", [CAMPAIGN]),
    "mail log": Command("mail", "show each message and what became of it", [
        CAMPAIGN, _argument("kingdom", nargs="?", default="", metavar="KINGDOM", help=f"only mail of this kingdom: {_SEAT}"),
    ]),
    "mail accept": Command("mail", "file a refused message by hand", [
        CAMPAIGN,
        _argument("message", metavar="MESSAGE", help="the message's first digits in `mail log`, or a file"),
        _argument("--for", dest="for_", required=True, metavar="K", help=f"the kingdom whose orders these are: {_SEAT}"),
    ]),
    "check": Command("check", "say what would become of orders", [
        _argument("orders", metavar="ORDERS", help="a file of orders, a player's or the GM's"),
        _argument("--campaign", metavar="CAMPAIGN", help="the campaign's folder (default: the one that the file lies in, that you are in, or that KINGDOM_CAMPAIGN names)"),
        _JSON,
    ]),
    "show": Command("show", "show the sheet of a kingdom, or of all", [
        CAMPAIGN,
        _argument("kingdom", nargs="?", metavar="KINGDOM", help=f"{_SEAT}; without it, all of them"),
        _argument("--turn", type=typed.turn, metavar="N", help="as it was after turn N"),
        _JSON,
    ]),
    "map": Command("show", "draw the map", [
        CAMPAIGN,
        _argument("--seat", metavar="K", help=f"draw only what this kingdom knows: {_SEAT}"),
        _argument("--to", metavar="FILE", help="write it to a file: .txt, .svg or .png"),
        FORCE,
    ]),
    "status": Command("status", "show who has filed, what waits, and the deadline", [CAMPAIGNS, _JSON]),
    "review": Command("review", "show how the kingdoms stand and what changed most, or set several campaigns side by side", [
        CAMPAIGNS,
        _argument("--turn", type=typed.turns, metavar="N[-M]", help="what changed in turn N, or in turns N to M (default: the newest)"),
        _argument("--html", metavar="FILE", help="write the page to open in front of the group, of all turns or of those of --turn"),
        FORCE,
    ]),
    "ledger": Command("ledger", "list, sum up and compare the changes of all turns", [
        CAMPAIGN,
        _argument("--kingdom", default="", metavar="K", help=f"entries of one kingdom: {_SEAT}"),
        _argument("--account", default="", metavar="A", help="entries of one account, such as treasury"),
        _argument("--phase", default="", metavar="P", help="entries of one phase, such as upkeep"),
        _argument("--cause", default="", metavar="C", help="entries with one cause, such as taxes"),
        _argument("--turn", type=typed.turns, metavar="N[-M]", help="entries of turn N, or of turns N to M"),
        _argument("--ruling", type=typed.ruling, default="", metavar="NAME", help="entries that one ruling decided"),
        _argument("--order", metavar="ORDER", help="what an order did, named by its path or words of it: the turn run again without it"),
        _argument("--by", type=typed.columns, metavar="COLUMN,...", help="sums for each value of these columns; of two, one goes down and one across"),
        _argument("--balances", action="store_true", help="each kingdom's accounts after the turn, or after each of several"),
        _argument("--compare", type=typed.two, metavar="K1,K2", help="two kingdoms side by side: by cause, by what --by says, or their balances"),
        _argument("--against", type=typed.turns, metavar="N[-M]", help="the turns of --turn side by side with these: sums by cause or by what --by says, or balances"),
        _argument("--every", type=typed.ahead, metavar="N", help="sums or balances in columns of N turns, with totals and averages"),
        _argument("--trend", action="store_true", help="with --every: the change from column to column"),
        _argument("--html", metavar="FILE", help="write a page with tables and charts"),
        _argument("--csv", metavar="FILE", help="write the rows to a file, - for standard output"),
        _flag("--excel", "with --csv: begin the file with the mark by which Excel knows UTF-8"),
        FORCE,
        _argument("--last", type=typed.count, default=100, metavar="N", help="print the last N rows; 0 for all (default: 100)"),
    ]),
    "explain": Command("books", "say in sentences why a number is what it is", [
        CAMPAIGN,
        _argument("kingdom", metavar="KINGDOM", help=_SEAT),
        _argument("account", metavar="ACCOUNT", help="the number, such as treasury or economy"),
        _argument("--turn", type=typed.turn, metavar="N", help="as it was after turn N"),
        _flag("--back", "tell every turn from the first one on"),
        _JSON,
    ]),
    "export": Command("books", "write the books of all turns for other programs", [
        CAMPAIGNS,
        _argument("--to", type=typed.export, required=True, metavar="FILE", help="the file; its ending says which format: .sqlite, .csv, .xlsx, .parquet, .journal, .beancount; of several campaigns each folder's name stands before it, such as books-mine.sqlite"),
        _flag("--orders", "a database also gets what each order did: every turn is run again without each of its orders"),
        FORCE,
    ]),
    "audit": Command("proof", "prove from the files alone that the books balance and the dice are the seed's", [CAMPAIGNS]),
    "replay": Command("proof", "run kept turns again and name the first entry that differs", [
        CAMPAIGN, _argument("--turn", type=typed.turn, metavar="N", help="run only turn N"),
    ]),
    "undo": Command("undo", "take the newest turn back", [
        CAMPAIGN, _flag("--reopen", "open it for new orders, with new dice"),
    ]),
    "redo": Command("undo", "resolve the newest turn again with today's rules and the GM's orders, and show what that changes", [
        CAMPAIGN, _flag("--yes", "put it in the turn's place"),
    ]),
    "here": Command("here", "say that a campaign is in this folder, and that every other one with it is a copy", [CAMPAIGN]),
    "pack": Command("pack", "pack old turns, which then take less room and are read as before", [
        CAMPAIGN, _argument("--older-than", type=typed.newest, required=True, metavar="N", help="how many of the newest turns stay as they are, such as 20"),
    ]),
    "reseed": Command("seed", "change a seed that leaked, from the next turn on, and tell everybody", [CAMPAIGN]),
    "schema": Command("games", "print the JSON Schema of an orders file, for editors and forms", [
        _argument("--campaign", metavar="CAMPAIGN", help="offer the names of this campaign as choices"),
        _argument("--seat", metavar="K", help=f"for this player's orders, with only the names they know: {_SEAT}, or gm for the GM's orders"),
        _argument("--game", default="realm", metavar="G", help="a game that `kingdom games` lists (default: realm)"),
        _argument("--to", metavar="FILE", help="write it to a file, such as orders.schema.json beside the orders"),
        FORCE,
    ]),
    "correct": Command("undo", "run an earlier turn and all later ones again on a copy, and show the GM's orders that book the difference", [
        CAMPAIGN,
        _argument("--turn", type=typed.turn, required=True, metavar="N", help="the turn that was wrong"),
        _flag("--yes", "file these orders for the coming turn"),
    ]),
    "dice": Command("proof", "print the rolls of a revealed key", [
        _argument("key", type=typed.hex, metavar="KEY", help="a key, as a report prints it"),
        _argument("rolls", nargs="*", default=[], type=typed.roll, metavar="NAME:COUNT:SIDES", help="a roll, such as economy:1:20"),
        _argument("--commitment", type=typed.hex, metavar="C", help="the commitment that was given for the key"),
    ]),
    "verify": Command("proof", "prove dice, orders and history from the mails that a player kept", [
        _argument("files", nargs="+", metavar="FILE", help="mails (.eml, an mbox, a Maildir, a folder of them) or records (record.json)"),
        _argument("--archive", metavar="ZIP|FOLDER", help="say whether this archive, campaign or chronicle is the history that was mailed"),
        _JSON,
    ]),
    "rules": Command("games", "print the rules as a campaign plays them", [
        CAMPAIGN,
        _argument("--to", metavar="FILE", help="write them to a file, as Markdown"),
        FORCE,
    ]),
    "forecast": Command("forecast", "say what the dice may make of a kingdom's orders: exactly for the next turn, by samples for later ones", [
        CAMPAIGN,
        _argument("kingdom", metavar="KINGDOM", help=_SEAT),
        _argument("--orders", default="", metavar="FILE", help="its orders for the next turn (default: the filed ones, if any)"),
        _argument("--turns", type=typed.ahead, default=10, metavar="N", help="how many turns ahead, 1 for only the next (default: 10)"),
        _argument("--samples", type=typed.samples, default=10_000, metavar="N", help="how many samples of them (default: 10000)"),
        _argument("--seed", type=typed.count, default=1, metavar="N", help="a number to draw the samples by; the same number draws the same samples (default: 1)"),
        _JSON,
    ]),
    "advise": Command("advise", "advise a kingdom: the best plans for its next turn, each with its price and its odds", [
        CAMPAIGN,
        _argument("kingdom", metavar="KINGDOM", help=_SEAT),
        _JSON,
    ]),
    "form": Command("show", "write the order form of a kingdom, or of all: HTML that needs no server", [
        CAMPAIGN,
        _argument("kingdom", nargs="?", metavar="KINGDOM", help=f"{_SEAT}; without it, a file for each, in a folder"),
        _argument("--to", metavar="FILE", help="the file (default: KINGDOM.html), or the folder for all (default: forms)"),
        FORCE,
    ]),
    "simulate": Command("forecast", "let bots play whole campaigns, and count what occurred, and say what never did", [
        _argument("campaign", nargs="?", metavar="CAMPAIGN", help="use the map, kingdoms and rules of this campaign; without it, each gets a new map"),
        _argument("--game", default="realm", metavar="G", help="a game that `kingdom games` lists (default: realm)"),
        _argument("--turns", type=typed.count, default=30, metavar="N", help="turns of each campaign"),
        _argument("--games", type=typed.count, default=10, metavar="N", help="how many campaigns"),
        _argument("--seed", metavar="S", help="the same seed gives the same campaigns"),
        *BY_WORKERS,
    ]),
    "chronicle": Command("books", "write the campaign as linked pages, a set for each player and one for the public", [
        CAMPAIGN, _argument("folder", metavar="DIR", help="the folder to write; a chronicle of the same campaign there is replaced"),
    ]),
    "solve": Command("forecast", "look for the best play, and say what no play can exceed", [
        CAMPAIGN,
        _argument("--seat", metavar="K", help=f"go on from where this player stands: {_SEAT}; without it, from the start"),
        _argument("--effort", type=typed.count, default=0, metavar="N", help="about how many positions to look at (default: the usual number)"),
        _JSON,
    ]),
    "games": Command("games", "list the games that this program can run", []),
    "help": Command("help", "explain a command, or show a page of the docs or the rules of a game", [
        _argument("topic", nargs="*", metavar="TOPIC", help="a command, a page or a game; without it, all commands are listed"),
    ]),
    "completion": Command("completion", "print what makes a shell complete commands; its first lines say where to put it", [
        _argument("shell", choices=SHELLS, metavar="SHELL", help=f"{', '.join(SHELLS[:-1])} or {SHELLS[-1]}"),
    ]),
}  # fmt: skip

GROUPS = {  # the groups of help, each command in one of them
    "Play": ("new", "run", "turn", "invite", "check", "form", "forecast", "advise", "simulate", "solve", "games"),
    "Look": ("status", "show", "map", "review", "ledger", "explain", "rules", "help", "completion"),
    "Mail": ("mail fetch", "mail send", "mail check", "mail log", "mail accept", "release", "rehearse", "service"),
    "Repair": ("undo", "redo", "correct", "audit", "replay", "reseed", "here", "pack"),
    "Share": ("export", "chronicle", "schema", "verify", "dice"),
}
