"""A game's templates filled in: the reports of a turn, as text and as HTML, and the page of its rules.

A game's templates stand in templates/GAME/, or beside its game.py in templates/: `report.txt` and `seat.html` are a seat's
report, `report.html` is the page around the latter, `gm.html` the GM's book. Each gets one thing, `view`: the game's `view`,
with `view.campaign` (see `_of_seat`) and `view.past` (see `_past`), for `report.html` also `view.body`. Every text in it is
cleaned before a template sees it, since a filter in each template could be forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kingdom.engine.dice import GM, commitment_of
from kingdom.engine.game import AnyGame, asked
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.names import words
from kingdom.engine.step import AnyResult, Facts
from kingdom.orders import places, rule_changes, tables
from kingdom.orders.tables import Tables
from kingdom.render.plain_text import clean, cleaned, counted, left, right, shortened, signed, width, wrap
from kingdom.render.progress import Told, silent

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

DIGITS = 12  # digits of a printed digest
RULES = "rules.md"
SECOND_TIER = "<!-- everything -->"  # what of a page in two tiers is folded begins there
TAPE = "tape"  # the source of a roll that a GM threw
_NAMES = ("report.txt", "seat.html", "report.html", "gm.html")


class CampaignFacts(NamedTuple):
    """The campaign's facts for the reports of a turn. Most maps have seats as keys.

    end: the facts of kingdom/campaign/the_end.py, empty while the campaign goes on.
    players: every seat of the campaign -> the player's name. gm: the GM's name. deadlines: when the orders of the next turn
    are due, in that player's zone; empty if there is no deadline. keys: of this turn's dice, none for turn 0.
    commitments: to the next turn's dice. receipts: seat that filed -> the first digits of its file's digest; bots: seat -> the
    bot that filed for it. silent: seat -> turns in a row that asked it for orders and got none. previous: the digest of the
    turn before, "" for turn 0. corrects: the digest of the turn that a redo replaces, or "". unseen: the seats that got no
    report of that turn.
    changes: seat -> a sentence for each change by a redo. finished: why the game is over, or "".
    rules_changed: a sentence for each way in which the rules differ from the turn before. rules_announced: (turn, sentences) on what
    will change from a later turn on. history: seat -> a row for each of the last turns, the newest last: account ->
    balance, and "turn". counts: the accounts that decide the final standings, the weightiest first. public_seed: whether
    everybody may know the seed. reseeded: the turns after which the GM changed it. replaced: how often and why the commitments
    to this turn's dice were replaced before it was played, "" if never; untold: the seats that may not have had the new
    commitments by then. anew: readers may have another report of this turn. own_from: seat -> the first turn of the player who
    took it over.
    """

    name: str
    players: Mapping[str, str]
    gm: str = "GM"
    deadlines: Mapping[str, str] = {}
    keys: Mapping[str, str] = {}
    commitments: Mapping[str, str] = {}
    receipts: Mapping[str, str] = {}
    bots: Mapping[str, str] = {}
    previous: str = ""
    attempt: int = 1
    corrects: str = ""
    unseen: Sequence[str] = ()
    changes: Mapping[str, Sequence[str]] = {}
    finished: str = ""
    rules_changed: Sequence[str] = ()
    rules_announced: tuple[int, Sequence[str]] = (0, ())
    silent: Mapping[str, int] = {}
    end: Mapping[str, object] = {}
    history: Mapping[str, Sequence[Mapping[str, int]]] = {}
    counts: Sequence[str] = ()
    public_seed: bool = False
    reseeded: Sequence[int] = ()
    replaced: str = ""
    untold: Sequence[str] = ()
    anew: bool = False
    own_from: Mapping[str, int] = {}


def rendered(
    game: AnyGame,
    result: AnyResult,
    rules: object,
    facts: CampaignFacts,
    folder: Path | None = None,
    told: Told = silent,
    seats: Container[str] | None = None,
) -> Iterator[tuple[str, str]]:
    """Yield the reports as (file name, text): `SEAT.txt` and `SEAT.html` for every seat, and `gm.html`; none for a game without
    templates. They come one at a time, since the texts of many seats would fill the memory.

    folder: the templates' folder, if it is not the game's own. seats: the wanted reports, None for all; `gm` is the GM's book.
    """
    folders = (folder,) if folder else folders_of(game)
    if not folders or not folders[0].is_dir():
        return
    text, seat_html, page, book = templates_of(folders)
    awaited = frozenset(asked(game, result.after, rules))
    for done, seat in enumerate(facts.players):
        if seats is not None and seat not in seats:
            continue
        told(f"reports of turn {result.number}", done, len(facts.players))
        view = view_of(game, result, seat, rules, facts, awaited)
        yield f"{seat}.txt", text.render(view=view)
        body, named = seat_html.render(view=view), dict[str, str]()
        if SECOND_TIER in body:
            body, named = _with_rules(body, rules)
        yield f"{seat}.html", page.render(view={**view, "body": _markup(body), "named_rules": named})
    if seats is None or GM in seats:
        view = {**cleaned(game.view(result, GM, rules)), "campaign": _of_gm(facts)}
        yield "gm.html", book.render(view=view)


def _with_rules(body: str, rules: object) -> tuple[str, dict[str, str]]:
    """Return a page's body with a link in place of each ruling that it names, and the texts of these by their names: what a player can look up
    without a network stands in the page itself."""
    named: dict[str, str] = {}

    def link(found: re.Match[str]) -> str:
        name, at = found[1], found.start()
        text = getattr(getattr(rules, name, None), "text", "")
        if not isinstance(text, str) or not text or body.rfind("<", 0, at) > body.rfind(">", 0, at):  # in a tag
            return found[0]
        named[name] = text
        return f'<a href="#rule-{name}">ruling {words(name)}</a>'

    return re.sub(r"\bruling (\w+)", link, body), dict(sorted(named.items()))


def own_dice(result: AnyResult, seat: str) -> list[str]:
    """Return the sentences about a seat's rolls that a GM threw and no key reproduces: one for each that it may see, and one if
    there are others."""
    thrown = [roll for roll in result.rolls if roll.source == TAPE]
    seen = [f"{roll.name}:{roll.count}:{roll.sides} = {roll.result}" for roll in thrown if seat == roll.kingdom]
    told = [f"By the GM's own dice, not from the key: {', '.join(seen)}."] if seen else []
    hidden = any(roll.kingdom == GM for roll in thrown)
    return [*told, *(["Some rolls that you may not see were the GM's own dice, not the key's."] if hidden else [])]


def view_of(
    game: AnyGame,
    result: AnyResult,
    seat: str,
    rules: object,
    facts: CampaignFacts,
    awaited: Container[str] | None = None,
) -> dict[str, object]:
    """Return the data for the templates of a seat's report. awaited: the seats that the next turn asks for orders, if they are known."""
    since = facts.own_from.get(seat, 0)
    own = game.unsaid(result, seat, since) if game.unsaid and 0 < since <= result.number else result
    view = cleaned(game.view(own, seat, rules))
    own_facts = _of_seat(facts, seat)
    own_facts["seed_said"] += own_dice(result, seat)
    is_asked = seat in (asked(game, result.after, rules) if awaited is None else awaited)
    past = _past(seat, facts, view.get("charted", {}))
    return {**view, "campaign": {**own_facts, "asked": is_asked}, "past": past}


def _past(seat: str, facts: CampaignFacts, charted: Mapping[str, str]) -> Facts:
    """Return the last turns of a seat: `turns`, and for each account of `charted` (account -> its name) a row of `values`. It is empty if
    there is only one turn."""
    rows = facts.history.get(seat, ())
    if len(rows) < 2:
        return {"turns": [], "rows": []}
    turns = [row["turn"] for row in rows]
    return {
        "turns": turns,
        "rows": [
            {"key": account, "name": name, "values": [row.get(account, 0) for row in rows]}
            for account, name in charted.items()
        ],
    }


ANEW = "You may have another report of this turn that went out before this one. This one counts. Your GM can say why there are two."
UNTOLD = (
    "No mail of this campaign is known to have brought you the new ones before the turn was played. If you did not have them by then, nothing shows "
    "that the GM did not choose among several sets of dice."
)


def _seed_said(facts: CampaignFacts, seat: str) -> list[str]:
    """Return the sentences of a seat's report about a seed that is public or was changed, and about other dice than were promised first."""
    public = (
        ["The seed of this campaign is public: anybody can work out its dice beforehand."] if facts.public_seed else []
    )
    replaced = [" ".join([facts.replaced, *([UNTOLD] if seat in facts.untold else [])])] if facts.replaced else []
    return [*public, *replaced] + [
        f"The GM changed the seed after turn {last}: the dice since turn {last + 1} come from another, and the commitments to turn {last + 1} "
        f"that the report of turn {last} gave were replaced."
        for last in facts.reseeded
    ]


def _of_seat(facts: CampaignFacts, seat: str) -> dict[str, Any]:
    """Return the campaign's facts for a seat's report, `view.campaign`: only its own, and the GM's commitment."""
    return {
        "name": clean(facts.name),
        "player": clean(facts.players.get(seat, facts.gm)),
        "gm": clean(facts.gm),
        "deadline": facts.deadlines.get(seat, ""),
        "key": facts.keys.get(seat, ""),
        "promised": commitment_of(facts.keys[seat]) if seat in facts.keys else "",
        "commitment": facts.commitments.get(seat, ""),
        "gm_commitment": facts.commitments.get(GM, ""),
        "receipt": facts.receipts.get(seat, ""),
        "bot": facts.bots.get(seat, ""),
        "previous": facts.previous[:DIGITS],
        "attempt": facts.attempt,
        "corrects": facts.corrects[:DIGITS],
        "anew": ANEW if facts.anew else "",
        "unseen": seat in facts.unseen,
        "changes": cleaned(list(facts.changes.get(seat, ()))),
        "finished": facts.finished,
        "end": {**cleaned({**facts.end, "picture": ""}), "picture": _markup(str(facts.end["picture"]))}
        if facts.end
        else {},
        "rules_changed": cleaned(rule_changes.cut(facts.rules_changed)),
        "counts": list(facts.counts),
        "seed_said": _seed_said(facts, seat),
        "rules_announced": {
            "turn": facts.rules_announced[0],
            "changes": cleaned(rule_changes.cut(facts.rules_announced[1])),
        },
    }


def _of_gm(facts: CampaignFacts) -> Facts:
    """Return the campaign's facts for the GM's book: everything, seat by seat."""
    seats = [{"seat": seat, **_of_seat(facts, seat), "silent": facts.silent.get(seat, 0)} for seat in facts.players]
    return {
        "seat": GM,
        **_of_seat(facts, GM),
        "rules_changed": cleaned(list(facts.rules_changed)),
        "rules_announced": {"turn": facts.rules_announced[0], "changes": cleaned(list(facts.rules_announced[1]))},
        "seats": seats,
        "players": {row["seat"]: row["player"] for row in seats},
    }


def folders_of(game: AnyGame) -> tuple[Path, ...]:
    """The folders of a game's templates; a template is taken from the first folder that has it. () for a game without
    templates."""
    folders = [game.data.parent / "templates", places.templates() / game.name]
    if game.templates:
        folders.append(places.templates() / game.templates)
    return tuple(folder for folder in folders if folder.is_dir())


@cache
def templates_of(folders: tuple[Path, ...]) -> tuple[Template, ...]:
    """The compiled templates of a game, in the order of _NAMES."""
    from kingdom.render.templates import codes, environment, plain  # loads Jinja, slow to load

    known = (codes, plain, counted, left, right, wrap, signed, shortened, width)
    filters: dict[str, Callable[..., object]] = {function.__name__: function for function in known}
    made = environment(folders, filters)
    return tuple(made.get_template(name) for name in _NAMES)


def _markup(html: str) -> Markup:
    """HTML made by a template, for another template to show as it is."""
    from markupsafe import Markup

    return Markup(html)


# --- the rules


def rules_page(game: AnyGame, rules: Tables, campaign: str = "", own: Tables | None = None, page: str = RULES) -> str:
    """The rules as players read them, in Markdown; "" for a game that has no such page.

    campaign: the name of the campaign that plays by them. own: the rules without the campaign's changes, to mark differences;
    None: the game's own. page: the template in the game's folder.
    """
    folders = folders_of(game)
    if game.rulebook is None or not any((folder / page).is_file() for folder in folders):
        return ""
    from kingdom.render.templates import environment  # slow to load

    own = own or tables.load(game)
    edition = tables.edition_of(game, own)
    ways = tables.ways_back(game, rules.data) if edition > 1 else ()
    back = [{"name": name, "line": line} for name, line in ways]
    view = {**game.rulebook(rules.data, own.data), "back": back, "rules_edition": edition, "editions": game.editions}
    title = f"The rules of {clean(campaign)}" if campaign else f"The rules of {game.title}"
    made = environment(folders, {"signed": signed}).get_template(page)
    return _plain(made.render(view={**view, "title": title, "campaign": clean(campaign)}))


def _plain(text: str) -> str:
    """Return the text without spaces at the ends of lines and without two empty lines in a row."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.strip() or (lines and lines[-1]):
            lines.append(line.rstrip())
    return "\n".join(lines).rstrip("\n") + "\n"
