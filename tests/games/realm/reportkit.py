"""What tests of the realm's reports share: a turn in which nearly everything happens, and its reports, section by section."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from kingdom.engine.step import Result
from kingdom.games.realm.game import GAME
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import World
from kingdom.render import reports
from kingdom.render.reports import CampaignFacts
from tests.games.realm.kit import orders_of, rules_of, run, world_of

MAP = {
    "grid": "ppphhff\npphhffp\nppffppp\npphpppp\nsspppff\nsspphhf\npppphhp\n",
    "hexes": {
        "0303": {"terrain": "plains", "features": ["river"]},
        "0304": {"terrain": "plains", "features": ["river", "landmark"]},
        "0404": {"terrain": "plains", "hazard": "a sinkhole by the old mill"},
        "0203": {"terrain": "forest", "lair": True, "monsters": {"acr": 3}},
        "0305": {"terrain": "marsh", "free_city": {"name": "Oldwick", "districts": 1, "buildings": ["house", "inn"]}},
    },
}
EXAMPLIA = {
    "name": "Examplia", "alignment": "lg", "government": "autocracy",
    "attributes": {"economy": 6, "loyalty": 5, "stability": 6}, "treasury": 60, "unrest": 9, "capital": "Oakhold",
    "hexes": {"0303": ["road"], "0304": ["farm", "road"], "0302": [], "0404": [], "0204": []},
    "settlements": {
        "Oakhold": {"hex": "0303", "buildings": ["house", "house", "inn", "city_wall"], "water": ["south"]},
        "Newford": {"hex": "0204", "buildings": ["house"]},
    },
}  # fmt: skip
BORDERIA = {
    "name": "Borderia", "attributes": {"economy": 14, "loyalty": 12, "stability": 14}, "treasury": 60, "capital": "Millford",
    "hexes": dict.fromkeys(["0504", "0503", "0603", "0604", "0605", "0703"], []),
    "settlements": {"Millford": {"hex": "0504", "buildings": ["house", "inn", "shrine"]}},
}  # fmt: skip
CRAVONIA = {
    "name": "Cravonia", "attributes": {"economy": 4, "loyalty": 4, "stability": 4}, "treasury": 20, "capital": "Stonebridge",
    "hexes": {"0707": []}, "settlements": {"Stonebridge": {"hex": "0707", "buildings": ["house"]}},
}  # fmt: skip
KINGDOMS = {"examplia": EXAMPLIA, "borderia": BORDERIA, "cravonia": CRAVONIA}
ORDERS = {
    "examplia": {
        "leadership": ["stability"],
        "claim": "0403 0203",
        "improve": "farm 0302, mine 0304",
        "build": "brewery in Oakhold, castle in Newford",
        "edicts": {"holiday": "long", "taxation": "light", "promotion": "token"},
        "loyalty": "rouse_the_people economy",
        "messages": [{"to": "borderia", "text": "Shall we talk of the ford?\nBy the old mill."}, {"to": "all", "text": "Well met."}],
        "requests": ["I court the duke's heir."],
    },
    "borderia": {"claim": "0403", "aid": "stability to examplia", "messages": [{"to": "examplia", "text": "We send what we can."}]},
    "gm": {
        "gm": [
            {"grant": "examplia", "account": "treasury", "by": 5, "reason": "the duke's gift"},
            {"reveal": "0203", "to": "examplia", "reason": "your scouts came back"},
        ],
        "tell": [{"to": "all", "text": "Winter comes early."}, {"to": "borderia", "text": "Beware of Examplia."}],
    },
}  # fmt: skip
DICE = {
    "examplia": {"contest-0403": 20, "economy": 17, "stability": 2, "stability_failure": 4, "loyalty": 6},
    "borderia": {"contest-0403": 15, "aid-examplia": 12},
}
FACTS = CampaignFacts(
    name="The Ford Lands",
    players={"borderia": "Ben", "cravonia": "Cem", "examplia": "Ada"},
    deadlines={"examplia": "Friday 11 December 2026, 18:00 (Europe/Berlin)"},
    keys={"examplia": "e" * 64, "borderia": "b" * 64, "gm": "9" * 64},
    commitments={"examplia": "c" * 64, "borderia": "d" * 64, "gm": "a" * 64},
    receipts={"examplia": "0123456789ab", "borderia": "ba9876543210"},
    previous="f00d" * 16,
)


@cache
def the_turn() -> Result:
    """Turn 1 of the three kingdoms."""
    world = world_of(KINGDOMS, MAP)
    return of_the_seed(run(world, orders_of(ORDERS, world, rules_of()), dice=DICE))


def turn_of(world: World, orders: Mapping[str, Any] = {}, dice: Any = None, rules: Rules | None = None) -> Result:
    """The turn after `world`, of orders as a player types them."""
    return of_the_seed(run(world, orders_of(orders, world, rules or rules_of()), rules, dice))


def of_the_seed(result: Result) -> Result:
    """The same as if the seed had given the dice that a test chose: of a GM's own dice a report says so."""
    return result._replace(rolls=[roll._replace(source="seed") for roll in result.rolls])


def files_of(result: Result, facts: CampaignFacts = FACTS, rules: Rules | None = None) -> dict[str, str]:
    """The reports by file name."""
    players = {seat: facts.players.get(seat, seat) for seat in result.after.kingdoms}
    return dict(reports.rendered(GAME, result, rules or rules_of(), facts._replace(players=players)))


@cache
def the_files() -> dict[str, str]:
    return files_of(the_turn())


def sections(text: str) -> dict[str, str]:
    """Heading -> what stands under it, of a text report; its first tier, and what stands before the first heading, is under ""."""
    parts = re.split(r"\n(?:\n|=== .*\n)--- (.+?) -*\n", text)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def section(result: Result, name: str, seat: str = "examplia") -> str:
    """One section of a seat's text report."""
    return sections(files_of(result)[f"{seat}.txt"])[name]


def words(html: str) -> str:
    """The text of a page in one line, its marks and entities taken away."""
    import html as entities

    body = re.sub(r"(?s)<style>.*?</style>", " ", html)
    return " ".join(entities.unescape(re.sub(r"<[^>]*>", " ", body)).split())
