"""campaign.yaml: who plays which game, and how the campaign is run. Its shape is declared only here."""

import re
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from math import log2
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Struct

from kingdom.campaign import calendar, zones
from kingdom.campaign.calendar import ZONE, Calendar
from kingdom.campaign.errors import fault, trouble
from kingdom.campaign.store import read as bytes_of
from kingdom.engine import game
from kingdom.engine.problems import MANY, Faults, Problem, cure
from kingdom.engine.step import Facts
from kingdom.orders import editions, reading, yaml_text
from kingdom.orders.schema import Flag, Id, ListOf, MapOf, Number, Raw, Text, Word, record_of, snake
from kingdom.orders.yaml_text import Node

FILE = "campaign.yaml"

_ADDRESS = r"[^\s@<>,;\"]+@[^\s@<>,;\"]+"
_TOKEN = Text("the word that proves a sender", "k7f3q", most=60, pattern=r"[A-Za-z0-9]{4,}")
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


class Gm(Struct, frozen=True):
    """The GM."""

    name: Annotated[str, _NAME] = "GM"
    email: Annotated[tuple[str, ...], _ADDRESSES] = ()
    token: Annotated[str, _TOKEN] = ""


class Player(Struct, frozen=True):
    """The player of a seat; reports go to the first address. `bot` names the bot that plays instead of a person.

    joins: the turn in which the GM means to add the kingdom; 0 if it plays from the start.
    """

    name: Annotated[str, _NAME] = ""
    email: Annotated[tuple[str, ...], _ADDRESSES] = ()
    token: Annotated[str, _TOKEN] = ""
    zone: Annotated[str, ZONE] = ""
    bot: Annotated[str, Text("the bot that plays here", "trader", most=40, pattern="[a-z0-9_]+")] = ""
    joins: Annotated[int, Number("the turn in which the GM adds the kingdom, which has no file of a start", 1, 9999, 4)] = 0  # fmt: skip


class Server(Struct, frozen=True):
    """A mail server; the last three of one that mail is fetched from."""

    host: Annotated[str, Text("the server's name", "imap.example.org")]
    port: Annotated[int | None, Number("the server's port", 1, 65535, 993)] = None
    tls: Annotated[str, Word("how the connection is secured", ("implicit", "starttls", "none"))] = "implicit"
    username: Annotated[str, Text("the name to log in with", "orders")] = ""
    password_env: Annotated[str, _VARIABLE] = ""
    # used rather than password_env
    password_command: Annotated[str, Text("a command whose first line of output is the password", "pass show orders", most=1000)] = ""  # fmt: skip
    auth: Annotated[str, Word("what one logs in with", ("password", "xoauth2"))] = "password"
    folder: Annotated[str, Text("the folder that mail comes into", "INBOX")] = "INBOX"
    processed: Annotated[str, Text("the folder for what was taken", "Processed")] = ""
    refused: Annotated[str, Text("the folder for what was refused", "Refused")] = ""


_IMAP = record_of(Server, "the server that mail is fetched from")
_SMTP = record_of(Server, "the server that mail is sent by", but=("folder", "processed", "refused"))


class Mail(Struct, frozen=True):
    """The campaign's mailbox."""

    address: Annotated[str, Text("the address that orders are sent to", "orders@example.org", pattern=_ADDRESS)]
    imap: Annotated[Server | None, _IMAP] = None
    smtp: Annotated[Server | None, _SMTP] = None
    authenticate: Annotated[tuple[str, ...], ListOf(
        "what proves a sender", Word("a proof", ("sender", "token", "authentication_results")), short="words", least=1
    )] = ("sender", "token")  # fmt: skip
    authserv_id: Annotated[str, Text(
        "the name that the receiving server begins its Authentication-Results with; a result such as `spf=pass` is none",
        "mx.example.org", pattern=r"[^\s=;\"()]+",
    )] = ""  # fmt: skip
    # `kingdom mail check` tries it
    tags: Annotated[bool, Flag("whether mail to the address with a tag, orders+anything@example.org, arrives", "on")] = False  # fmt: skip


class Publish(Struct, frozen=True):
    """A folder that a web server shows, "" for none, and its web address, "" if not given. public, delay: what its public page shows, and
    how many turns late its map is."""

    folder: Annotated[str, Text("a folder that a web server shows", "/srv/www/greenmarch", most=1000)] = ""
    url: Annotated[str, Text("the address under which it is shown", "https://example.org/greenmarch", most=1000, pattern=r"https?://[^\s\"'<>]+")] = ""  # fmt: skip
    public: Annotated[str, Word("what a page for the whole world shows", PUBLIC)] = "nothing"
    delay: Annotated[int, Number("how many turns late its map is", 0, 999, 8)] = 8


class Ends(Struct, frozen=True):
    """When the campaign ends. turn: the last turn, 0 for no end. counts: the accounts that decide the final standings, the weightiest
    first; if empty, the game's own."""

    turn: Annotated[int, Number("the last turn", 1)] = 0
    counts: Annotated[tuple[str, ...], ListOf(
        "what the final standings go by, the weightiest first", Text("an account", "size", most=40, pattern="[a-z_]+", case="lower"), short="words", least=1
    )] = ()  # fmt: skip


class Settings(Struct, frozen=True):
    """campaign.yaml as read, without its rules. `players`: seat -> player, in the order of the ids."""

    name: Annotated[str, Text("the campaign's name", "The Greenmarch", most=120)]
    game: Annotated[str, Word("one of the games of `kingdom games`", "games")]
    seed: Annotated[str, Text("the secret of the dice", "64 random digits of 0 to 9 and a to f", most=1000)]
    players: Annotated[dict[str, Player], MapOf("the players by kingdom", Id("a kingdom's id"), record_of(Player, "a player"))]  # fmt: skip
    gm: Annotated[Gm, record_of(Gm, "the GM")] = Gm()
    calendar: Annotated[Calendar | None, record_of(Calendar, "when turns are due")] = None
    ends: Annotated[Ends, record_of(Ends, "when the campaign ends, and what it counts then")] = Ends()
    missing_orders: Annotated[str, Word("what becomes of a seat that filed nothing", ("standing", "hold", "nothing"))] = "standing"  # fmt: skip
    steward_after: Annotated[int, Number("the turns of silence after which a bot stands in, 0: never", 0, 999)] = 2
    # 0 where it is not said, which is the first or what an older campaign began with
    edition: Annotated[int, Number("the edition of the game's rules", 1, 99, 2)] = 0
    rules_from: int = 0  # the first turn for which `rules` is in force
    missing_limit: Annotated[float, Text("a share from 0 to 1", "0.5", pattern=r"0|1|0?\.[0-9]{1,6}|1\.0{1,6}")] = 0.5
    messages: Annotated[bool, Flag("whether players may send each other messages", "on")] = True
    letters: Annotated[str, Word("whether letters by mail are told to all when the campaign ends", LETTERS)] = PRIVATE
    absences: Annotated[bool, Flag("whether all are told who is away and who gave up a seat", "on")] = True
    advice: Annotated[bool, Flag("whether mails, pages and forms advise players what to order", "on")] = True
    subject: Annotated[str, Word("what the subjects of reports say: the figures of the first lines, or the turn alone", SUBJECTS)] = "figures"  # fmt: skip
    # nobody, whom the GM lets, anybody
    newcomers: Annotated[str, Word("who may take a free seat by mail to the house", NEWCOMERS)] = "closed"
    publish: Annotated[Publish, record_of(Publish, "where reports and forms are shown", ("folder",), ("{folder}",))] = Publish()  # fmt: skip
    alert: Annotated[str, Text("a command that is told when mail or the disk fails", "mail -s kingdom gm@example.org", most=1000)] = ""  # fmt: skip
    mail: Annotated[Mail | None, record_of(Mail, "the campaign's mailbox")] = None
    public_seed: Annotated[bool, Flag("whether everybody may know the seed, as in an example", "on")] = False
    old_seeds: Annotated[dict[int, str], MapOf(
        "seeds that were changed, by the last turn that was rolled from them", Number("a turn", 0), Text("a seed", "5c0e", most=1000)
    )] = {}  # fmt: skip
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
    def people(self) -> list[Gm | Player]:
        """The GM and the players."""
        return [self.gm, *self.players.values()]

    @property
    def has_weak_seed(self) -> bool:
        """Return whether somebody with a report could find the seed by trying, though it is meant to be secret."""
        return not self.public_seed and guesses_of(self.seed) < SAFE

    @property
    def every_seed(self) -> str:
        """Return the text that reveals the seed at the end; if the seed was changed, each seed with its turns."""
        old = [f"{seed} for the turns up to {last}" for last, seed in sorted(self.old_seeds.items())]
        return f"{', '.join(old)}, {self.seed} afterwards" if old else self.seed


_RULES = Raw("what this campaign changes in the game's tables", "{control_dc: {base: 10}}")
SHAPE = record_of(Settings, "a campaign", rules=_RULES)


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
    value, node = reading.checked(SHAPE, data, file, {"games": game.names()})
    if problems := [one for check in (_times, _bots, _counts, _edition, _public) for one in check(value, node, file)]:
        raise Faults(problems)
    rules, value["rules_from"], problems = _rules_from(value.pop("rules", None), file)
    if problems:
        raise Faults(problems)
    value["players"] = dict(sorted((seat, player or {}) for seat, player in value["players"].items()))
    value = {**dict(defaults), **value}
    if "missing_limit" in value:
        value["missing_limit"] = float(value["missing_limit"])  # msgspec reads no `.5`
    return msgspec.convert(value, Settings, strict=False), rules


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
