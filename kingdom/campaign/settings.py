"""campaign.yaml: who plays which game, and how the campaign is run. Its shape is declared only here."""

import re
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from math import log2
from pathlib import Path

import msgspec
from msgspec import Struct

from kingdom.campaign import calendar, zones
from kingdom.campaign.calendar import Calendar
from kingdom.campaign.errors import fault, trouble
from kingdom.campaign.store import read as bytes_of
from kingdom.engine import game
from kingdom.engine.problems import MANY, Faults, Problem, cure
from kingdom.engine.step import Facts
from kingdom.orders import editions, reading, yaml_text
from kingdom.orders.schema import Flag, Id, ListOf, MapOf, Number, Raw, Record, Shape, Text, Word, snake
from kingdom.orders.yaml_text import Node

FILE = "campaign.yaml"

_ADDRESS = r"[^\s@<>,;\"]+@[^\s@<>,;\"]+"
_TOKEN = Text("the word that proves a sender", "k7f3q", most=60, pattern=r"[A-Za-z0-9]{4,}")
_ZONE = Text("a time zone", "Europe/Berlin", most=60, pattern=r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*")
_NAME = Text("a person's name", "Ada", most=80)
_ADDRESSES = ListOf(
    "mail addresses", Text("a mail address", "ada@example.org", pattern=_ADDRESS), short="words", most=20
)
_VARIABLE = Text(
    "the environment variable that holds the password", "KINGDOM_IMAP_PASSWORD", pattern=r"[A-Za-z_][A-Za-z0-9_]*"
)


NEWCOMERS = ("closed", "ask", "open")
SUBJECTS = ("figures", "plain")
LETTERS = PRIVATE, TOLD_AT_END = ("private", "told_at_end")
PUBLIC = ("nothing", "letters", "size", "map")  # what the public page shows, each level with the ones before it
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # no two of them look alike
_LETTERS_IN_A_TOKEN = 8  # too many to guess by mail


SAFE = 112  # bits by this measure; 32 random digits of 0 to f always have a few more
_LEAST_DIGITS = 32  # a seed of digits needs at least this many
_LEAST_LETTERS = 8  # different letters that a seed needs, or it counts as no secret
_IN_WORDS = 2  # bits of a letter in a text that somebody thought of


def guesses_of(seed: str) -> float:
    """Return roughly how many guesses it takes to find a seed, as a power of 2. Words are easier to guess than random letters."""
    period = next((at for at in range(1, len(seed) // 2 + 1) if seed.startswith(seed[at:])), len(seed))
    seed = seed[:period]  # a repeated part counts once
    different = len(set(seed))
    if different < _LEAST_LETTERS:
        return 0
    if re.fullmatch(r"[0-9a-fA-F]+", seed):
        return len(seed) * min(4.0 if len(seed) >= _LEAST_DIGITS else 3.5, log2(different) * 1.2)
    if seed.islower() and seed.isalpha() or re.search(r"[ ,_-]", seed):
        return len(seed) * min(_IN_WORDS, log2(different))
    return len(seed) * log2(different)


def new_token() -> str:
    """Return a new random word by which a player proves who sends a mail."""
    import secrets

    return "".join(secrets.choice(_LETTERS) for _ in range(_LETTERS_IN_A_TOKEN))


def _span(meaning: str, example: str = "7d") -> Text:
    return Text(f"{meaning}, in days, hours or minutes", example, pattern=r"[0-9]{1,4} ?[dhm]")


_SERVER: dict[str, Shape] = {
    "host": Text("the server's name", "imap.example.org"),
    "port": Number("the server's port", 1, 65535, 993),
    "tls": Word("how the connection is secured", ("implicit", "starttls", "none")),
    "username": Text("the name to log in with", "orders"),
    "password_env": _VARIABLE,
    "password_command": Text("a command whose first line of output is the password", "pass show orders", most=1000),
    "auth": Word("what one logs in with", ("password", "xoauth2")),
}

SHAPE = Record(
    "a campaign",
    {
        "name": Text("the campaign's name", "The Greenmarch", most=120),
        "game": Word("one of the games of `kingdom games`", "games"),
        "seed": Text("the secret of the dice", "64 random digits of 0 to 9 and a to f", most=1000),
        "public_seed": Flag("whether everybody may know the seed, as in an example", "on"),
        "old_seeds": MapOf(
            "seeds that were changed, by the last turn that was rolled from them", Number("a turn", 0), Text("a seed", "5c0e", most=1000)
        ),
        "edition": Number("the edition of the game's rules", 1, 99, 2),
        "rules": Raw("what this campaign changes in the game's tables", "{control_dc: {base: 10}}"),
        "gm": Record("the GM", {"name": _NAME, "email": _ADDRESSES, "token": _TOKEN}),
        "players": MapOf(
            "the players by kingdom",
            Id("a kingdom's id"),
            Record("a player", {
                "name": _NAME,
                "email": _ADDRESSES,
                "token": _TOKEN,
                "zone": _ZONE,
                "bot": Text("the bot that plays here", "trader", most=40, pattern="[a-z0-9_]+"),
                "joins": Number("the turn in which the GM adds the kingdom, which has no file of a start", 1, 9999, 4),
            }),
        ),
        "calendar": Record("when turns are due", {
            "deadline": Text(
                "the deadline of turn 1, by the wall clock of the zone", "2026-12-04T18:00", pattern=r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d"
            ),
            "zone": _ZONE,
            "every": _span("the time between deadlines"),
            "grace": _span("the time that late orders have", "2h"),
            "remind": ListOf("when players are reminded", _span("a time before the deadline", "48h"), short="words", most=10),
            "extend": MapOf("turns whose deadline, and all later ones, is put off", Number("a turn", 1), _span("the delay", "2d")),
            "early": Flag("whether a turn is run as soon as all orders are final"),
            "review": _span("how long reports wait for the GM", "12h"),
        }, required=("deadline",)),
        "ends": Record("when the campaign ends, and what it counts then", {
            "turn": Number("the last turn", 1),
            "counts": ListOf("what the final standings go by, the weightiest first", Text("an account", "size", most=40, pattern="[a-z_]+", case="lower"), short="words", least=1),
        }),
        "missing_orders": Word("what becomes of a seat that filed nothing", ("standing", "hold", "nothing")),
        "steward_after": Number("the turns of silence after which a bot stands in, 0: never", 0, 999),
        "missing_limit": Text("a share from 0 to 1", "0.5", pattern=r"0|1|0?\.[0-9]{1,6}|1\.0{1,6}"),
        "messages": Flag("whether players may send each other messages", "on"),
        "letters": Word("whether letters by mail are told to all when the campaign ends", LETTERS),
        "absences": Flag("whether all are told who is away and who gave up a seat", "on"),
        "advice": Flag("whether mails, pages and forms advise players what to order", "on"),
        "subject": Word("what the subjects of reports say: the figures of the first lines, or the turn alone", SUBJECTS),
        "newcomers": Word("who may take a free seat by mail to the house", NEWCOMERS),
        "publish": Record("where reports and forms are shown", {
            "folder": Text("a folder that a web server shows", "/srv/www/greenmarch", most=1000),
            "url": Text("the address under which it is shown", "https://example.org/greenmarch", most=1000, pattern=r"https?://[^\s\"'<>]+"),
            "public": Word("what a page for the whole world shows", PUBLIC),
            "delay": Number("how many turns late its map is", 0, 999, 8),
        }, required=("folder",), short=("{folder}",)),
        "alert": Text("a command that is told when mail or the disk fails", "mail -s kingdom gm@example.org", most=1000),
        "mail": Record("the campaign's mailbox", {
            "address": Text("the address that orders are sent to", "orders@example.org", pattern=_ADDRESS),
            "imap": Record("the server that mail is fetched from", {
                **_SERVER,
                "folder": Text("the folder that mail comes into", "INBOX"),
                "processed": Text("the folder for what was taken", "Processed"),
                "refused": Text("the folder for what was refused", "Refused"),
            }, required=("host",)),
            "smtp": Record("the server that mail is sent by", _SERVER, required=("host",)),
            "authenticate": ListOf(
                "what proves a sender", Word("a proof", ("sender", "token", "authentication_results")), short="words", least=1
            ),
            "authserv_id": Text(
                "the name that the receiving server begins its Authentication-Results with; a result such as `spf=pass` is none",
                "mx.example.org", pattern=r"[^\s=;\"()]+",
            ),
            "tags": Flag("whether mail to the address with a tag, orders+anything@example.org, arrives", "on"),
        }, required=("address",)),
    },
    required=("name", "game", "seed", "players"),
)  # fmt: skip


class Gm(Struct, frozen=True):
    """The GM."""

    name: str = "GM"
    email: tuple[str, ...] = ()
    token: str = ""


class Player(Struct, frozen=True):
    """The player of a seat; reports go to the first address. `bot` names the bot that plays instead of a person.

    joins: the turn in which the GM means to add the kingdom; 0 if it plays from the start.
    """

    name: str = ""
    email: tuple[str, ...] = ()
    token: str = ""
    zone: str = ""
    bot: str = ""
    joins: int = 0


class Server(Struct, frozen=True):
    """A mail server."""

    host: str
    port: int | None = None
    tls: str = "implicit"
    username: str = ""
    password_env: str = ""
    password_command: str = ""  # used rather than password_env
    auth: str = "password"
    folder: str = "INBOX"
    processed: str = ""
    refused: str = ""


class Mail(Struct, frozen=True):
    """The campaign's mailbox."""

    address: str
    imap: Server | None = None
    smtp: Server | None = None
    authenticate: tuple[str, ...] = ("sender", "token")
    authserv_id: str = ""
    tags: bool = False  # mail to the address with a tag (name+tag@...) arrives; `kingdom mail check` tries it


class Publish(Struct, frozen=True):
    """A folder that a web server shows, "" for none, and its web address, "" if not given. public, delay: what its public page shows, and
    how many turns late its map is."""

    folder: str = ""
    url: str = ""
    public: str = "nothing"
    delay: int = 8


class Ends(Struct, frozen=True):
    """When the campaign ends. turn: the last turn, 0 for no end. counts: the accounts that decide the final standings, the weightiest
    first; if empty, the game's own."""

    turn: int = 0
    counts: tuple[str, ...] = ()


class Settings(Struct, frozen=True):
    """campaign.yaml as read, without its rules. `players`: seat -> player, in the order of the ids."""

    name: str
    game: str
    seed: str
    players: dict[str, Player]
    gm: Gm = Gm()
    calendar: Calendar | None = None
    ends: Ends = Ends()
    missing_orders: str = "standing"
    steward_after: int = 2
    # of the game's rules; 0 where it is not said, which is the first or what an older campaign began with
    edition: int = 0
    rules_from: int = 0  # the first turn for which `rules` is in force
    missing_limit: float = 0.5
    messages: bool = True
    letters: str = PRIVATE  # what becomes of letters by mail when the campaign ends
    absences: bool = True
    advice: bool = True
    subject: str = "figures"  # what subjects of reports say
    # who may take a free seat by mail to the campaign's house: nobody, whom the GM lets, anybody
    newcomers: str = "closed"
    publish: Publish = Publish()
    alert: str = ""
    mail: Mail | None = None
    public_seed: bool = False
    old_seeds: dict[int, str] = {}  # by the last turn that was rolled from them
    house: str = ""  # the folder of the house whose mailbox is the campaign's

    def seed_of(self, turn: int) -> str:
        """Return the seed of a turn's dice."""
        return next((seed for last, seed in sorted(self.old_seeds.items()) if turn <= last), self.seed)

    def free_seats(self, given_up: Container[str]) -> list[str]:
        """Return the seats without a player or a bot, of those that play from the start. given_up: seats whose players resigned."""
        return [
            seat
            for seat, player in self.players.items()
            if not player.bot and not player.joins and (not player.email or seat in given_up)
        ]

    @property
    def has_weak_seed(self) -> bool:
        """Return whether somebody with a report could find the seed by trying, though it is meant to be secret."""
        return not self.public_seed and guesses_of(self.seed) < SAFE

    @property
    def every_seed(self) -> str:
        """Return the text that reveals the seed at the end; if the seed was changed, each seed with its turns."""
        old = [f"{seed} for the turns up to {last}" for last, seed in sorted(self.old_seeds.items())]
        return f"{', '.join(old)}, {self.seed} afterwards" if old else self.seed


def read(folder: Path, defaults: tuple[tuple[str, object], ...] = ()) -> tuple[Settings, Node | None]:
    """Read a campaign's settings and the YAML node of its `rules` (None if there is none). Raises Faults.

    defaults: (key, value) of what campaign.yaml may leave to others.
    """
    file = folder / FILE
    if not file.is_file():
        raise fault("no_campaign", folder)
    found = read_text(data := bytes_of(file), str(file), defaults)
    reserved = {seat: why for seat in found[0].players if (why := why_reserved(seat))}
    new = {seat: why for seat, why in reserved.items() if not any((folder / "turns").glob(f"*/reports/{seat}.*"))}
    if new:  # one that plays since an older program made its turns goes on
        node, _ = yaml_text.read(data, str(file))
        places = {seat: yaml_text.find(node, f"players.{seat}") for seat in new} if node else {}
        in_order = sorted(places.items(), key=lambda place: place[1].line)
        raise Faults(
            [trouble("seat_word", file, at.line, at.column, word=seat, why=new[seat]) for seat, at in in_order]
        )
    return found


def why_reserved(seat: str) -> str:
    """Say why a word can't be a seat's id though its letters could; "" for any other."""
    if seat in ("all", "none"):
        return "orders and letters mean something else by that word"
    if re.fullmatch(r"con|prn|aux|nul|com[0-9]|lpt[0-9]", seat):
        return "Windows has no files of that name, and its player could save no form"
    return "web servers leave out names that begin with _" if seat.startswith("_") else ""


@lru_cache(maxsize=8)
def read_text(data: bytes, file: str, defaults: tuple[tuple[str, object], ...] = ()) -> tuple[Settings, Node | None]:
    """Read settings and `rules` from a text; `file` is its name in problems. Cached, since a run opens its campaign many times.

    Raises Faults.
    """
    node, problems = yaml_text.read(data, file)
    if node is None:
        raise Faults(problems)
    value, problems = reading.read(SHAPE, node, {"games": game.names()}, file)
    if not problems:
        problems = [one for check in (_times, _bots, _counts, _edition, _public) for one in check(value, node, file)]
    if problems:
        raise Faults(problems)
    rules, value["rules_from"], problems = _rules_from(value.pop("rules", None), file)
    if problems:
        raise Faults(problems)
    value["players"] = dict(sorted((seat, player or {}) for seat, player in value["players"].items()))
    return msgspec.convert({**dict(defaults), **value}, Settings, strict=False), rules


def _rules_from(rules: Node | None, file: str) -> tuple[Node | None, int, list[Problem]]:
    """Return (the node of the rules without `from`, the turn from which they are in force or 0, problems)."""
    if rules is None or rules.kind is not yaml_text.MAP:
        return rules, 0, []
    starts = [value for key, value in rules.value if snake(key.value) == "from"]
    if not starts:
        return rules, 0, []
    turn, problems = reading.read(
        Number("the first turn that they are for", 1, 9999, 9), starts[0], {}, file, "rules.from"
    )
    rest = tuple(pair for pair in rules.value if snake(pair[0].value) != "from")
    return msgspec.structs.replace(rules, value=rest), turn or 0, problems


def _bots(value: Facts, node: Node, file: str) -> list[Problem]:
    """Return a problem for each bot that the game does not have."""
    players = value["players"].items()
    named = {f"players.{seat}.bot": player["bot"] for seat, player in players if (player or {}).get("bot")}
    return _unknown("no_bot", named, game.bots(value["game"]) if named else (), node, file)


def _counts(value: Facts, node: Node, file: str) -> list[Problem]:
    """Return a problem for each account of `ends` that the game does not have."""
    counts = (value.get("ends") or {}).get("counts") or ()
    named = {f"ends.counts[{index}]": word for index, word in enumerate(counts)}
    return _unknown("no_account", named, game.load(value["game"]).scoring.accounts if named else (), node, file)


def _unknown(code: str, named: Mapping[str, str], known: Sequence[str], node: Node, file: str) -> list[Problem]:
    """Return a problem for each word that the game does not know. named: the path of each word in the file -> the word."""
    problems = []
    for path, word in named.items():
        if word not in known:
            at, (sentence, near) = yaml_text.find(node, path), cure(word, known)
            sentence += f" Known are: {', '.join(known)}." if near and code == "no_bot" else ""
            problems.append(trouble(code, file, at.line, at.column, path, near, word=word, cure=sentence))
    return problems


def _edition(value: Facts, node: Node, file: str) -> list[Problem]:
    """Return a problem if the game does not have this edition of its rules."""
    named = value.get("edition") or 1
    newest = editions.newest(game.load(value["game"])) if named > 1 else 1
    if named <= newest:
        return []
    at = yaml_text.find(node, "edition")
    return [trouble("no_edition", file, at.line, at.column, "edition", named=named, newest=newest)]


def _public(value: Facts, node: Node, file: str) -> list[Problem]:
    """Return a problem if the public page is to show a map and the game has no land."""
    if (value.get("publish") or {}).get("public") != "map" or game.load(value["game"]).holders is not None:
        return []
    at = yaml_text.find(node, "publish.public")
    return [trouble("no_public_map", file, at.line, at.column, "publish.public", "size")]


def doubts(settings: Settings) -> list[str]:
    """Return a sentence, with a cure, for each setting of the calendar and each zone that nobody can have meant."""
    named = {player.zone: None for player in settings.players.values()}
    named |= {settings.calendar.zone: None} if settings.calendar else {}
    said = []
    for zone in named:
        if why := zones.doubt(zone):
            write = f"`zone: {meant}`" if (meant := zones.meant(zone)) else "one such as `zone: Europe/Berlin`"
            said.append(f"`zone: {zone}` in campaign.yaml {why}. Write {write}.")
    return [*calendar.doubts(settings.calendar), *said]


def _times(value: Facts, node: Node, file: str) -> list[Problem]:
    """Return a problem for each zone that does not exist, and for a deadline that is not a date and time."""
    dates = value.get("calendar") or {}
    named = {"calendar.zone": dates.get("zone")}
    named |= {f"players.{seat}.zone": (player or {}).get("zone") for seat, player in value["players"].items()}
    wrong = {path: ("bad_zone", zone) for path, zone in named.items() if zone and not zones.is_zone(zone)}
    if dates and not calendar.is_day(dates["deadline"]):
        wrong["calendar.deadline"] = ("bad_day", dates["deadline"])
    problems: list[Problem] = []
    for path, (code, word) in wrong.items():
        at = yaml_text.find(node, path)
        look = code == "bad_zone" and len(problems) <= MANY
        meant = zones.meant(word) if look else ""
        sentence, near = (
            (f" Did you mean `{meant}`?", meant) if meant else cure(word, zones.names()) if look else ("", "")
        )
        problems.append(trouble(code, file, at.line, at.column, path, near, word=word, cure=sentence))
    return sorted(problems, key=lambda problem: (problem.line, problem.column))
