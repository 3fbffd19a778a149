"""The page of a campaign that anybody may read: how it stands, what all were told, and by its level sizes and who holds which place.

It holds nothing else: no state of a seat, only names, the accounts that the game calls open, and places as their holders had them `delay`
turns ago. The public set of a chronicle is the same page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import msgspec

from kingdom.books.chapters import EVERYBODY, NOTHING_BESIDE, Beside, Chapter, chapters
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import publicity, the_end
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.publicity import LETTERS, MAP, SIZE, Publicity
from kingdom.engine.dice import GM
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
_NONE = "zz"  # a place that nobody holds any more
_NAME_ON_MAP, _NAME_AT_LINE = 14, 15  # letters
PICTURE = (1200, 630)  # pixels, as those who show links want it


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


def row(campaign: Campaign, chapter: Chapter) -> Row:
    """Return what the page needs of a turn."""
    game, state, rules = campaign.game, chapter.state, chapter.rules.rules
    in_play = list(game.seats(state))
    of_itself = [notice["facts"].get("text") for notice in publicity.kept(chapter.turn.record)]
    names = {seat: clean(str(game.sheet(state, seat, rules).get("name") or "")).strip() or seat for seat in in_play}
    balances = {seat: game.accounts(state, seat, rules) for seat in in_play}
    return {
        "turn": chapter.number,
        "names": names,
        "figures": {seat: [of[account] for account in game.scoring.open] for seat, of in balances.items()},
        "holders": dict(game.holders(state)) if game.holders else {},
        "said": publicity.told(chapter.turn.record).shows(LETTERS),
        "told": [
            {"gm": by_gm, "text": text.splitlines()}
            for by_gm, text in chapter.told.get(EVERYBODY, ())
            if text not in of_itself
        ],
        "letters": [
            {"sender": letter.sender, "to": "all", "out": False, "text": letter.text.splitlines()}
            for letter in chapter.letters
            if letter.to == EVERYBODY
        ],
        "changed": list(chapter.changed),
    }


def view(campaign: Campaign, rows: Sequence[Row], shown: Publicity, end: Facts, due: str = "") -> dict[str, Any]:
    """Return the data of the page. rows: of each turn, from the first on. end: as `the_end.facts` tells it, {} while the campaign goes on.
    due: a sentence about the next deadline."""
    names: dict[str, str] = {}
    for one in rows:
        names |= one["names"]
    names = dict(sorted(names.items()))
    last, counts = rows[-1], [the_end.named(account) for account in campaign.game.scoring.open]
    of_ends = f" of {campaign.settings.ends.turn}" if campaign.settings.ends.turn and not end else ""
    standing = [f"Turn {last['turn']}{of_ends} {'was the last' if end else 'is played'}."]
    if end:
        standing += [f"{end['why'][:1].upper()}{end['why'][1:].rstrip('.')}.", end["winner"]]
    tables: dict[str, Any] = {"standings": [], "map": {}, "late": 0, "mapped": -1}
    if shown.shows(SIZE) and counts:
        tables |= _sizes(rows, names, counts)
        standing += [] if end else [_leads(last, names, counts[0])]
    if shown.shows(MAP) and campaign.game.holders:
        tables |= _land(rows, names, 0 if end else shown.delay)
    told = [_turn(rows, index, names, shown, counts, tables) for index in range(len(rows))]
    called = [*names.values()]
    taking = [f"{joined(called)} take part." if len(called) <= NAMED else f"{len(called)} take part."]
    return {
        **cleaned({"campaign": campaign.settings.name, "standing": " ".join(filter(None, [*standing, *taking, due])), "short": " ".join(filter(None, standing)), "over": bool(end), "end": end}),
        "last": last["turn"],
        "turns": [turn for turn in reversed(told) if turn["told"] or turn["letters"] or turn["changed"]],
        "cut": False,
        **tables,
    }  # fmt: skip


def _leads(last: Row, names: Mapping[str, str], count: str) -> str:
    """Say who is first, and by how much."""
    figures = sorted(((of[0], seat) for seat, of in last["figures"].items()), key=lambda one: (-one[0], one[1]))
    if not figures:
        return ""
    first = [names[seat] for figure, seat in figures if figure == figures[0][0]]
    if len(first) > 1:
        return f"{joined(first) if len(first) <= NAMED else len(first)} are level at the top ({count.lower()} {figures[0][0]})."
    second = f", before {names[figures[1][1]]} ({figures[1][0]})" if len(figures) > 1 else ""
    return f"{first[0]} leads ({count.lower()} {figures[0][0]}){second}."


def _sizes(rows: Sequence[Row], names: Mapping[str, str], counts: Sequence[str]) -> dict[str, Any]:
    """Return the chart and the standings: `chart`, `counts`, `standings`, `more`."""
    last, at = rows[-1], {seat: index for index, seat in enumerate(names)}
    order = sorted(
        names, key=lambda seat: (seat not in last["figures"], [-one for one in last["figures"].get(seat, ())], seat)
    )
    series = [
        Series(
            shortened(names[seat], _NAME_AT_LINE),
            [of[0] if (of := one["figures"].get(seat)) else None for one in rows],
            at[seat],
        )
        for seat in order[:NAMED]
    ]
    title = f"{counts[0]} after each turn{f', of the first {NAMED}' if len(order) > NAMED else ''}"
    chart = charts.lines("sizes", title, [f"turn {one['turn']}" for one in rows], series)
    standings: list[Facts] = []
    for seat in order[:ROWS]:
        figures = last["figures"].get(seat)
        level = bool(standings) and figures is not None and standings[-1]["figures"] == figures
        place = standings[-1]["place"] if level else len(standings) + 1
        gone = max((one["turn"] for one in rows if seat in one["names"]), default=0) + 1
        out = "" if figures else f"out of play since turn {gone}"
        standings.append({"place": place if figures else "", "number": at[seat], "hue": charts.hue(at[seat]), "name": names[seat], "figures": figures or [], "out": out})  # fmt: skip
    return {
        "chart": chart,
        "chart_title": title,
        "counts": counts,
        "standings": standings,
        "more": len(order) - len(standings),
    }


def _land(rows: Sequence[Row], names: Mapping[str, str], delay: int) -> dict[str, Any]:
    """Return the map: `late`, `mapped`, the last turn that it shows, and `map`, {} while there is none."""
    past = [one for one in rows if one["turn"] <= rows[-1]["turn"] - delay and one["holders"]]
    found: dict[str, Any] = {"late": delay, "mapped": past[-1]["turn"] if past else -1, "map": {}}
    if not past:
        return found
    at = {seat: index for index, seat in enumerate(names)}
    steps: list[tuple[int, str]] = []
    before: Mapping[str, str] = {}
    for one in past:
        now = one["holders"]
        changed = [label for label in sorted({**before, **now}) if before.get(label) != now.get(label)]
        steps.append(
            (one["turn"], "".join(f"{label}{_digits(at[now[label]]) if label in now else _NONE}" for label in changed))
        )
        before = now
    left, top, wide, high = land.frame({label for one in past for label in one["holders"]})
    drawn = land.lands(before)
    found["map"] = {
        "box": f"{left} {top} {wide} {high}",
        "wide": wide,
        "font": max(5, round(wide / 30)),
        "steps": steps,
        "lands": [
            {
                "number": at[seat],
                "colour": Drawing(charts.coloured(at[seat], "fill")),
                "name": shortened(name, _NAME_ON_MAP) if len(names) <= NAMED else str(at[seat] + 1),
                **(drawn[seat]._asdict() if seat in drawn else {"path": "", "x": 0, "y": 0, "places": 0}),
            }
            for seat, name in names.items()
        ],
    }
    return found


def _digits(number: int) -> str:
    """A number in two digits to the base of 36."""
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    return digits[number // 36] + digits[number % 36]


def _turn(
    rows: Sequence[Row],
    index: int,
    names: Mapping[str, str],
    shown: Publicity,
    counts: Sequence[str],
    tables: Facts,
) -> Facts:
    """Return what stands under a turn: words that people wrote, and what the figures and the map say."""
    one, events = rows[index], []
    before = rows[index - 1] if index else None
    if before and tables["standings"]:
        events += _of_figures(before, one, names, counts[0])
    if before and one["turn"] <= tables["mapped"]:
        events += _of_land(before, one, names)
    writers = {**names, GM: "the GM"}
    letters = [{**letter, "sender": writers.get(letter["sender"], letter["sender"])} for letter in one["letters"]]
    said = one["said"]
    return cleaned(
        {
            "turn": one["turn"],
            "told": [*({"gm": False, "text": [event]} for event in events), *(one["told"] if said else [])],
            "letters": letters if said else [],
            "changed": one["changed"] if said else [],
        }
    )


def _of_figures(before: Row, now: Row, names: Mapping[str, str], count: str) -> list[str]:
    """Tell who takes the lead, who falls and who is out."""
    was, figures = ({seat: of[0] for seat, of in one["figures"].items()} for one in (before, now))
    told = [f"{names[seat]} is out of play." for seat in was if seat not in figures]
    first, led = ([seat for seat, figure in of.items() if figure == max(of.values())] for of in (figures, was))
    if len(first) == 1 and first != led:
        told.append(f"{names[first[0]]} takes the lead ({count.lower()} {figures[first[0]]}).")
    falls = {seat: (was[seat], figure) for seat, figure in figures.items() if was.get(seat, figure) - figure >= FALL}
    return told + [f"{names[seat]} falls from {old} to {new} ({count.lower()})." for seat, (old, new) in falls.items()]


def _of_land(before: Row, now: Row, names: Mapping[str, str]) -> list[str]:
    """Tell who took places from whom."""
    taken = dict.fromkeys(
        (seat, loser) for label, seat in now["holders"].items() if (loser := before["holders"].get(label, seat)) != seat
    )
    return [f"{names[seat]} takes land from {names[loser]}." for seat, loser in taken]


# --- the page of a web space


class Page(msgspec.Struct, frozen=True):
    """The page and its picture for links, b"" where it has none."""

    html: bytes
    picture: bytes


def page(
    campaign: Campaign, newest: int, shown: Publicity, mark: str, due: str = "", beside: Beside = NOTHING_BESIDE
) -> Page:
    """Return the page after the turn `newest`, at most LARGEST bytes long: the oldest steps of the map and the oldest words are left out.

    mark: what the page says of itself for the program. due: a sentence about the next deadline. beside: letters to all that were not
    sent with orders. Raises Faults if a turn was altered.
    """
    from kingdom.render.templates import environment  # slow to load

    rows = [row(campaign, chapter) for chapter in chapters(campaign, beside) if chapter.number <= newest]
    turn = campaigns.kept(campaign, newest)
    state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
    why = campaigns.over(campaign, newest + 1, state)
    end = the_end.facts(campaign, newest, state, rules, why) if why else {}
    url = campaign.settings.publish.url.rstrip("/")
    seen = view(campaign, rows, shown, {key: end[key] for key in end if key in _OF_THE_END}, due)
    seen |= {
        "world": True,
        "mark": mark,
        "rules": False,
        "url": url,
        "page": publicity.PAGE,
        "image": publicity.PICTURE,
        "size": PICTURE,
    }
    template = environment(places.templates() / "chronicle", {"named": the_end.named}).get_template("public.html")

    def drawn(turns: Sequence[object], cut: bool) -> bytes:
        return as_ascii(template.render(view={**seen, "turns": turns, "cut": cut}))

    turns, bare = seen["turns"], drawn([], True)
    while len(bare) > LARGEST - _LEAST and seen["map"]:
        seen["map"] = _fewer(seen["map"])
        bare = drawn([], True)
    kept, cut = _fitting(turns, LARGEST - len(bare))
    return Page(drawn(kept, cut), _picture(seen) if url else b"")


_OF_THE_END = ("why", "turn", "winner", "counts", "standings")


def _fewer(map: Facts) -> Facts:
    """Return the map with half of its steps, the later ones; after that no map."""
    steps: list[tuple[int, str]] = map["steps"]
    if len(steps) == 1:
        return {}
    half = len(steps) // 2
    first: dict[str, str] = {}
    for _, text in steps[: half + 1]:
        first |= {text[at : at + 4]: text[at + 4 : at + 6] for at in range(0, len(text), 6)}
    held = "".join(label + holder for label, holder in sorted(first.items()) if holder != _NONE)
    return {**map, "steps": [(steps[half][0], held), *steps[half + 1 :]]}


def _fitting(turns: Sequence[Facts], room: int) -> tuple[list[Facts], bool]:
    """Return the turns as far as there is room, the newest first, and whether something is left out."""
    kept: list[Facts] = []
    cut = False
    for turn in turns:
        fits: dict[str, Any] = {"turn": turn["turn"], "told": [], "letters": [], "changed": []}
        for kind in ("changed", "told", "letters"):
            for item in turn[kind]:
                lines = [item] if kind == "changed" else item["text"]
                cost = _EACH + sum(len(as_ascii(charts.escaped(line))) + 30 for line in lines)
                if cost > room - _LEAST:
                    cut = True
                    continue
                room -= cost
                fits[kind].append(item)
        if any(fits[kind] for kind in ("changed", "told", "letters")):
            room -= _EACH
            kept.append(fits)
    return kept, cut


def _picture(seen: Facts) -> bytes:
    """Return the picture that programs show beside a link: the name, how it stands, and the map or else the chart."""
    from kingdom.render.pictures import png

    wide, high = PICTURE
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
            f'<text x="{one["x"]}" y="{one["y"] + 2}" font-size="{map["font"]}" font-weight="700" text-anchor="middle" fill="#fff">{charts.escaped(one["name"])}</text>'
            for one in map["lands"]
            if one["path"]
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
