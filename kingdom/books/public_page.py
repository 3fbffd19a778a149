"""The page of a campaign that anybody may read: how it stands, what all were told, and by its level sizes and who holds which place.

It holds nothing else: no state of a seat, only names, the accounts that the game calls open, and places as their holders had them `delay`
turns ago. The public set of a chronicle is the same page.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypedDict

from kingdom.books.chapters import EVERYBODY, NOTHING_BESIDE, Beside, Chapter, chapters
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import publicity, the_end
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.publicity import LETTERS, MAP, PAGE, PICTURE, SIZE, Publicity
from kingdom.engine.dice import GM
from kingdom.engine.game import Scoring
from kingdom.engine.step import Facts
from kingdom.orders import places
from kingdom.render import charts, land
from kingdom.render.ascii_pages import as_ascii
from kingdom.render.charts import Drawing, Series
from kingdom.render.plain_text import clean, cleaned, joined, shortened

LARGEST = 60_000  # bytes of the page
NAMED = 12  # lines of the chart, and names on the map; more would cover each other
ROWS = 100  # of the standings
FALL = 2  # a size that falls by so much in a turn is told
_EACH, _LEAST = 160, 400  # bytes around a letter; what must be left for one
NOBODY = "---"  # holds a place that somebody held before
KINDS = ("changed", "letters", "told")  # what stands under a turn, the last to be left out first
_OF_THE_END = ("winner", "counts")
_NAME_ON_MAP, _NAME_AT_LINE = 14, 13  # letters
_LETTER = 0.7  # of the font, as wide as a letter of a name on the map is
SIZE_OF_PICTURE = (1200, 630)  # pixels, as those who show links want it


Step: TypeAlias = tuple[int, dict[str, str]]


class Row(TypedDict):
    """A turn as the page needs it. figures: seat -> its open account, where it is in play. holders: place -> seat. said: whether its words may
    be shown; told, letters, changed: these words."""

    turn: int
    names: Mapping[str, str]
    figures: Mapping[str, Sequence[int]]
    holders: Mapping[str, str]
    said: bool
    told: list[Facts]
    letters: list[Facts]
    changed: list[str]


def row(campaign: Campaign, chapter: Chapter, hide: Callable[[str], str] | None = None) -> Row:
    """Return what the page needs of a turn. hide: for the whole world, what it may read of a text; it is told nothing that the campaign tells its
    players of each other and of this page."""
    game, state, rules = campaign.game, chapter.state, chapter.rules.rules
    in_play = list(game.seats(state))
    of_players = [one["facts"].get("text") for one in chapter.turn.record.notices if hide and not one.get("phase")]
    names = {seat: clean(str(game.sheet(state, seat, rules).get("name") or "")).strip() or seat for seat in in_play}
    balances = {seat: game.accounts(state, seat, rules) for seat in in_play}
    return {
        "turn": chapter.number,
        "names": names,
        "figures": {seat: [of[account] for account in game.scoring.open] for seat, of in balances.items()},
        "holders": dict(game.holders(state)) if game.holders else {},
        "said": publicity.told(chapter.turn.record).shows(LETTERS),
        "told": [
            {"gm": by_gm, "text": (hide or str)(text).splitlines()}
            for by_gm, text in chapter.told.get(EVERYBODY, ())
            if text not in of_players
        ],
        "letters": [
            {"sender": letter.sender, "to": "all", "out": False, "text": (hide or str)(letter.text).splitlines()}
            for letter in chapter.letters
            if letter.to == EVERYBODY
        ],
        "changed": list(chapter.changed),
    }


def view(campaign: Campaign, rows: Sequence[Row], shown: Publicity, end: Facts, due: str = "") -> dict[str, Any]:
    """Return the data of the page. rows: of each turn, from the first on. end: as `the_end.facts` tells it, {} while the campaign goes on.
    due: a sentence about the next deadline."""
    game, number = campaign.game, rows[-1]["turn"]
    names = {seat: name for one in rows for seat, name in one["names"].items()}
    names = dict(sorted(names.items()))
    of_ends = f" of {campaign.settings.ends.turn}" if campaign.settings.ends.turn else ""
    standing = [f"Turn {number}{of_ends} is played." if number else "No turn is played yet."]
    if end:
        standing = [f"The campaign is over after turn {number}.", end["winner"]]
    tables: dict[str, Any] = {"standings": [], "map": {}, "late": 0, "mapped": -1}
    if shown.shows(SIZE) and game.scoring.open:
        tables |= _sizes(rows, names, game.scoring)
        standing += [] if end else [_leads(tables["standings"], tables["counts"][0])]
    if shown.shows(MAP) and game.holders:
        tables |= _land(rows, names, 0 if end else shown.delay)
    held = {seat: figures[0] for seat, figures in rows[-1]["figures"].items() if figures}
    counted = {one["seat"]: one["figures"][0] for one in end.get("standings", ()) if one["figures"] and not one["out"]}
    recounted = bool(tables["standings"]) and end.get("counts", ())[:1] == tables["counts"][:1]
    recounted = recounted and any(held.get(seat, figure) != figure for seat, figure in counted.items())
    taking = f"{joined(names.values()) if len(names) <= NAMED else len(names)} take part."
    short = " ".join(filter(None, standing))
    told = [_turn(before, one, names, tables) for before, one in zip((None, *rows), rows, strict=False)]
    return {
        **cleaned({"campaign": campaign.settings.name, "standing": f"{short} {taking} {due}".strip(), "short": short, "end": end}),
        "last": number,
        "turns": [turn for turn in reversed(told) if any(turn[kind] for kind in KINDS)],
        "cut": False,
        "recounted": recounted,
        **tables,
    }  # fmt: skip


def _sizes(rows: Sequence[Row], names: Mapping[str, str], scoring: Scoring[Any, Any]) -> dict[str, Any]:
    """Return the chart and the standings: `chart`, `chart_title`, `counts`, `standings`, `more`."""
    last, at = rows[-1]["figures"], {seat: index for index, seat in enumerate(names)}
    signs = [1 if account in scoring.fewer else -1 for account in scoring.open]

    def rank(seat: str) -> tuple[bool, list[int], str]:
        return seat not in last, [sign * of for sign, of in zip(signs, last.get(seat, ()), strict=False)], seat

    order = sorted(names, key=rank)
    series = [
        Series(shortened(names[seat], _NAME_AT_LINE), [one["figures"].get(seat, (None,))[0] for one in rows], at[seat])
        for seat in order[:NAMED]
    ]
    counts = [the_end.named(account) for account in scoring.open]
    title = f"{counts[0]} after each turn{f', of the first {NAMED}' if len(order) > NAMED else ''}"
    standings: list[Facts] = []
    for index, seat in enumerate(order[:ROWS]):
        figures, place = last.get(seat, ()), index + 1
        if index and figures == standings[-1]["figures"]:
            place = standings[-1]["place"]
        gone = 1 + max(one["turn"] for one in rows if seat in one["names"])
        out = "" if figures else f"out of play since turn {gone}"
        standings.append(
            {
                "place": place,
                "number": at[seat],
                "hue": charts.hue(at[seat]),
                "name": names[seat],
                "figures": figures,
                "out": out,
            }
        )
    chart = charts.lines("sizes", title, [f"turn {one['turn']}" for one in rows], series)
    more = len(order) - len(standings)
    return {"chart": chart, "chart_title": title, "counts": counts, "standings": standings, "more": more}


def _leads(standings: Sequence[Facts], count: str) -> str:
    """Say who is first, and by how much."""
    figures = [(one["figures"][0], one["name"]) for one in standings if one["figures"]]
    if not figures:
        return ""
    first = [name for figure, name in figures if figure == figures[0][0]]
    what = f"({count.lower()} {figures[0][0]})"
    if len(first) > 1:
        return f"{joined(first) if len(first) <= NAMED else len(first)} are level at the top {what}."
    return f"{first[0]} leads {what}{f', before {figures[1][1]} ({figures[1][0]})' if figures[1:] else ''}."


def _land(rows: Sequence[Row], names: Mapping[str, str], delay: int) -> dict[str, Any]:
    """Return the map: `late`, `mapped`, the last turn that it shows, and `map`, {} while there is none. Its steps are (turn, place -> who holds it
    then, a number in three digits) of the places that changed hands."""
    past = [one for one in rows if one["turn"] <= rows[-1]["turn"] - delay and one["holders"]]
    if not past:
        return {"late": delay}
    at = {seat: f"{index:03}" for index, seat in enumerate(names)}
    steps, before = list[Step](), dict[str, str]()
    for one in past:
        now = {label: at[seat] for label, seat in one["holders"].items()}
        changed = {
            label: now.get(label, NOBODY) for label in sorted({**before, **now}) if before.get(label) != now.get(label)
        }
        steps.append((one["turn"], changed))
        before = now
    left, top, wide, high = land.frame({label for one in past for label in one["holders"]})
    drawn = land.lands(past[-1]["holders"])
    lands = [
        {
            "colour": Drawing(charts.coloured(index, "fill")),
            "name": shortened(name, _NAME_ON_MAP) if len(names) <= NAMED else str(index + 1),
            **drawn.get(seat, land.NONE)._asdict(),
        }
        for index, (seat, name) in enumerate(names.items())
    ]
    font = min(13, max(5, round(wide / 30)))
    reach = [
        (of["x"], len(of["name"]) * font * _LETTER / 2) for of in lands if of["places"]
    ]  # of names, which stand in the middle
    right = max([left + wide, *(math.ceil(x + half) for x, half in reach)])
    left = min([left, *(math.floor(x - half) for x, half in reach)])
    wide = right - left
    box = f"{left} {top} {wide} {high}"
    return {
        "late": delay,
        "mapped": past[-1]["turn"],
        "map": {"box": box, "wide": wide, "font": font, "steps": steps, "lands": lands},
    }


def _turn(before: Row | None, one: Row, names: Mapping[str, str], tables: Facts) -> Facts:
    """Return what stands under a turn: what the figures and the map say, and words that people wrote."""
    events: list[str] = []
    if before and tables["standings"]:
        count = tables["counts"][0].lower()
        was, now = ({seat: figures[0] for seat, figures in of["figures"].items()} for of in (before, one))
        led, leads = ([seat for seat in of if of[seat] == max(of.values())] for of in (was, now))
        events += [f"{names[seat]} is out of play." for seat in was if seat not in now]
        events += [f"{names[seat]} takes the lead ({count} {now[seat]})." for seat in leads if [seat] == leads != led]
        falls = [seat for seat in now if was.get(seat, 0) - now[seat] >= FALL]
        events += [f"{names[seat]} falls from {was[seat]} to {now[seat]} ({count})." for seat in falls]
    if before and one["turn"] <= tables["mapped"]:
        had = before["holders"]
        taken = dict.fromkeys((to, had[label]) for label, to in one["holders"].items() if had.get(label, to) != to)
        events += [f"{names[seat]} takes land from {names[loser]}." for seat, loser in taken]
    writers = {**names, GM: "the GM"}
    told: list[Facts] = [{"gm": False, "text": [event]} for event in events]
    if one["said"]:
        told += one["told"]
    letters = [{**letter, "sender": writers.get(letter["sender"], letter["sender"])} for letter in one["letters"]]
    return cleaned(
        {
            "turn": one["turn"],
            "told": told,
            "letters": letters if one["said"] else [],
            "changed": [{"text": [change]} for change in one["changed"]] if one["said"] else [],
        }
    )


# --- the page of a web space


def page(
    campaign: Campaign,
    newest: int,
    shown: Publicity,
    mark: str,
    due: str = "",
    beside: Beside = NOTHING_BESIDE,
    hide: Callable[[str], str] = str,
) -> dict[str, bytes]:
    """Return the page after the turn `newest`, by its file's name, and its picture where the campaign has an address. The page is at most LARGEST
    bytes long: the oldest steps of the map and the oldest words are left out.

    mark: what the page says of itself for the program. due: a sentence about the next deadline. beside: letters to all that were not
    sent with orders. hide: see `row`. Raises Faults if a turn was altered.
    """
    from kingdom.render.templates import environment  # slow to load

    rows, knew = list[Row](), False
    for chapter in chapters(campaign, newest=newest):
        # who wrote with orders knew of the page from the reports of the turn before
        letters = [*(chapter.letters if knew else ()), *beside.get(chapter.number, ())]
        rows.append(row(campaign, chapter._replace(letters=letters), hide))
        knew = publicity.told(chapter.turn.record).shows(LETTERS)
    turn = campaigns.kept(campaign, newest)
    state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
    why = campaigns.over(campaign, newest + 1, state)
    end = the_end.facts(campaign, newest, state, rules, why)
    url = campaign.settings.publish.url.rstrip("/")
    over = {key: end[key] for key in _OF_THE_END} | {"standings": end["standings"][:ROWS]} if end else {}
    seen = view(campaign, rows, shown, over, due)
    seen |= {
        "world": True,
        "mark": mark,
        "rules": False,
        "url": url,
        "page": PAGE,
        "image": PICTURE,
        "size": SIZE_OF_PICTURE,
    }
    template = environment(places.templates() / "chronicle", {"named": the_end.named}).get_template("public.html")

    def drawn(turns: Sequence[Facts], cut: bool) -> bytes:
        return as_ascii(template.render(view={**seen, "turns": turns, "cut": cut}))

    bare = drawn([], True)
    while len(bare) > LARGEST - _LEAST and seen["map"]:
        seen["map"] = _fewer(seen["map"])
        bare = drawn([], True)
    kept, cut = _fitting(seen["turns"], LARGEST - len(bare))
    return {PAGE: drawn(kept, cut), **({PICTURE: _picture(seen) + mark.encode()} if url else {})}


def _fewer(map: Facts) -> Facts:
    """Return the map with half of its steps, the later ones; after that no map."""
    half = len(map["steps"]) // 2
    first: dict[str, str] = {}
    for _, changes in map["steps"][: half + 1]:
        first |= changes
    return {**map, "steps": [(map["steps"][half][0], first), *map["steps"][half + 1 :]]} if half else {}


def _fitting(turns: Sequence[Facts], room: int) -> tuple[list[Facts], bool]:
    """Return the turns as far as there is room, the newest first, and whether something is left out."""
    kept, cut = list[Facts](), False
    for turn in turns:
        fits: dict[str, Any] = {kind: [] for kind in KINDS}
        for kind in KINDS:
            for item in turn[kind]:
                cost = _EACH + sum(len(as_ascii(charts.escaped(line))) + 30 for line in item["text"])
                if cost > room - _LEAST:
                    cut = True
                else:
                    room -= cost
                    fits[kind].append(item)
        if any(fits.values()):
            room -= _EACH
            kept.append({**fits, "turn": turn["turn"]})
    return kept, cut


def _picture(seen: Facts) -> bytes:
    """Return the picture that programs show beside a link: the name, how it stands, and the map or else the chart."""
    from kingdom.render.pictures import png

    wide, high = SIZE_OF_PICTURE
    map, chart, drawn = seen["map"], seen.get("chart"), ""
    if map:
        left, top, across, down = (int(part) for part in map["box"].split())
        scale = min(640 / across, 430 / down)
        shapes = "".join(
            f'<path {one["colour"]} d="{one["path"]}" stroke="#fff" stroke-width="1"/>'
            for one in map["lands"]
            if one["path"]
        )
        shapes += "".join(
            f'<text x="{one["x"]}" y="{one["y"] + 2}" font-size="{map["font"]}" font-weight="700" text-anchor="middle" stroke="#fff" stroke-width="2" paint-order="stroke">{charts.escaped(one["name"])}</text>'
            for one in map["lands"]
            if one["path"] and len(map["lands"]) <= NAMED
        )
        drawn = f'<g transform="translate({(wide - across * scale) / 2:.1f} 170) scale({scale:.3f}) translate({-left} {-top})">{shapes}</g>'
    elif chart:
        drawn = f'<svg x="250" y="165" width="700" height="455" {str(chart).removeprefix("<svg ")}'
    title, told = (charts.escaped(shortened(str(seen[key]), most)) for key, most in (("campaign", 44), ("short", 100)))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif" fill="#23211d">'
        f'<rect width="{wide}" height="{high}" fill="#fbfaf7"/><rect width="{wide}" height="14" fill="#7a3b12"/>'
        f'<text x="60" y="90" font-size="52" font-weight="700">{title}</text><text x="60" y="140" font-size="25" fill="#6a655b">{told}</text>{drawn}</svg>'
    )
    return png(svg, wide, small=True)
