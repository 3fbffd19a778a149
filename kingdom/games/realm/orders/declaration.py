"""What a player and the GM may order, declared once: the reader, the nearest words, the short forms, schema and form derive
from this. Keys and forms are those of docs/contract.md, sections 5 and 5a; `names` gives the closed lists from the rules.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from kingdom.games.kit.common_orders import FOOT, FOOT_ADDS, GM_FOOT, finish, turn
from kingdom.games.realm.files import KINGDOM
from kingdom.games.realm.orders.abandon import ABANDON
from kingdom.games.realm.orders.capital import CAPITAL
from kingdom.games.realm.orders.claim import CLAIM
from kingdom.games.realm.orders.doors import DOORS
from kingdom.games.realm.orders.edicts import EDICTS
from kingdom.games.realm.orders.kind import Order
from kingdom.games.realm.orders.smuggle import SMUGGLE
from kingdom.games.realm.orders.surrender import SURRENDER
from kingdom.games.realm.orders.words import (
    ARMIES,
    ARMY_DEEDS,
    BORDERS,
    DIRECTIONS,
    HEXES,
    QUESTIONS,
    ROUTES,
    SETTLEMENTS,
)
from kingdom.games.realm.rules.rules import ATTRIBUTES, SECONDARY, Rules
from kingdom.orders import kit
from kingdom.orders.schema import (
    Choice,
    Either,
    Id,
    Label,
    ListOf,
    MapOf,
    Number,
    OneOf,
    Record,
    Shape,
    Short,
    Text,
    Word,
)

ACCOUNTS = (
    "treasury",
    "unrest",
    "stores",
    *ATTRIBUTES,
    "consumption",
    *dict.fromkeys(SECONDARY.values()),
)  # that the GM may move

_LONG = 4000  # characters of a text to other people
_KIND_N = r"[a-z_]{1,40}-[1-9]\d{0,3}"  # what a report names: trade_route-2
_LASTING = r"[a-z_]{1,40}(-[1-9]\d{0,3})?"  # the same, or a cause of the ledger: grant


class _Any(tuple[str, ...]):
    """The list of a table that kept rules do not have: any word is read, and its order refused when its step comes."""

    def __contains__(self, word: object) -> bool:
        return True


_ANY = _Any()


def names(rules: Rules) -> Mapping[str, Collection[str]]:
    """The closed lists that orders and the files of a start name. The seats in play are added by whoever reads."""
    return {
        "buildings": rules.buildings,
        "improvements": [word for word, improvement in rules.improvements.items() if improvement.order],
        "standing_improvements": rules.improvements,
        "terrain": [word for word, terrain in rules.terrain.items() if not terrain.unseen],
        "features": rules.features,
        "holiday": rules.edicts.holiday,
        "promotion": rules.edicts.promotion,
        "taxation": rules.edicts.taxation,
        "alignments": [word.lower() for word in rules.alignments],  # words are read without regard to case
        "governments": rules.governments,
        "units": rules.units or _ANY,
        "army_sizes": rules.army_sizes or _ANY,
        "resources": rules.army_resources or _ANY,
        "tactics": rules.tactics or _ANY,
        "strategies": rules.strategies or _ANY,
        "event_kinds": rules.event_kinds or _ANY,
        "accounts": ACCOUNTS,
    }


def _settlement(meaning: str) -> Text:
    return Text(meaning, example="Oakhold", most=60, offered=SETTLEMENTS)


def _army(meaning: str) -> Text:
    return Text(meaning, example="First Foot", most=60, offered=ARMIES)


def _hex(meaning: str) -> Label:
    return Label(meaning, offered=HEXES)


def _attribute(meaning: str) -> Word:
    return Word(meaning, ATTRIBUTES)


def _kingdom(meaning: str, *also: str) -> Word:
    return Word(meaning, "seats", also, example="borderia")


_LOT = Text("the top left lot", example="A1", most=6, pattern=r"(?:[1-9]\d?-)?[A-Z][1-9]\d?", case="upper")
_BORDER = Text(
    "the border of a district", example="north", most=9, pattern=rf"(?:[1-9]\d?-)?(?:{'|'.join(BORDERS)})", case="lower"
)
_PLACE = (("lot", "border"),)
_WATER = ListOf("its borders that are water", Word("a border", BORDERS), short="words", most=len(BORDERS))
_ROUTE = ListOf("the way, hex by hex", _hex("a hex on the way"), short="words", most=100)
_TRADE = Text(
    "a trade route, named as on its founder's sheet",
    example="trade_route-2",
    most=50,
    pattern=_KIND_N,
    case="lower",
    offered=ROUTES,
)
_IMPROVEMENT: dict[str, Shape] = {
    "hex": _hex("the hex"),
    "build": Word("the improvement", "improvements", ("prepare",), example="farm"),
}
_SETTLE: dict[str, Shape] = {
    "hex": _hex("its hex"),
    "name": Text("its name", example="Newford", most=60),
    "water": _WATER,
}

_BUILD = {
    "upgrade": Record("an upgrade", {
        "in": _settlement("the settlement"),
        "upgrade": Word("the building that stands", "buildings", example="tenement"),
        "to": Word("what it becomes", "buildings", example="house"),
        "lot": _LOT,
        "border": _BORDER,
    }, required=("in", "upgrade", "to"), short=("upgrade {upgrade} to {to} in {in}[ at {lot}][ at {border}]",), apart=_PLACE),
    "demolish": Record("a demolition", {
        "in": _settlement("the settlement"),
        "demolish": Word("the building that stands", "buildings", example="inn"),
        "lot": _LOT,
        "border": _BORDER,
    }, required=("in", "demolish"), short=("demolish {demolish} in {in}[ at {lot}][ at {border}]",), apart=_PLACE),
    "build": Record("a building", {
        "in": _settlement("the settlement"),
        "build": Word("the building, or district", "buildings", ("district",), example="house"),
        "lot": _LOT,
        "border": _BORDER,
        "water": _WATER,
    }, required=("in", "build"), short=("[build ]{build} in {in}[ at {lot}][ at {border}][ water {water}]",),
        apart=_PLACE),
}  # fmt: skip

PLANNED = OneOf("a thing to do", {
    "claim": Record("a claim", {"claim": _hex("the hex")}, required=("claim",), short=("claim {claim}",)),
    "settle": Record("a settlement", {"hex": _hex("its hex"), "settle": Text("its name", example="Oakhold", most=60)},
                     required=("hex", "settle"), short=("settle {settle} {hex}",)),
    "improve": Record("an improvement", {"hex": _hex("the hex"), "improve": _IMPROVEMENT["build"]},
                      required=("hex", "improve"), short=("[improve ]{improve} {hex}",)),
    **_BUILD,
})  # fmt: skip

_ARMIES = {
    "recruit": Record("a new army", {
        "recruit": Text("its name", example="First Foot", most=60),
        "size": Word("its size", "army_sizes", example="medium"),
        "unit": Word("what it is made of", "units", example="warrior"),
        "from": _settlement("where it is recruited"),
        "with": ListOf("its resources", Word("a resource", "resources", example="improved_weapons"), short="words", most=20),
    }, required=("recruit", "size", "unit", "from"), short=("recruit {recruit} as {size} {unit} from {from}[ with {with}]",)),
    "expand": Record("an army made larger", {
        "expand": _army("its name"),
        "to": Word("its new size", "army_sizes", example="large"),
    }, required=("expand", "to"), short=("expand {expand} to {to}",)),
    "equip": Record("an army equipped", {
        "equip": _army("its name"),
        "with": Word("the resource", "resources", example="improved_weapons"),
        "count": Number("how many, of siege engines", 1, 99, 1),
    }, required=("equip", "with"), short=("equip {equip} with [{count} ]{with}",)),
    "repair": Record("an army brought back to its full strength", {"repair": _army("its name")},
                     required=("repair",), short=("repair {repair}",)),
    "disband": Record("an army sent home", {
        "disband": _army("its name"),
        "to": _army("an army that gets its resources"),
    }, required=("disband",), short=("disband {disband}[ to {to}]",)),
    "reserve": Record("an army put in reserve", {"reserve": _army("its name")},
                      required=("reserve",), short=("reserve {reserve}",)),
    "army": Record("an order to an army", {
        "army": _army("its name"),
        "move": _ROUTE,
        "then": Word("what it does there", ARMY_DEEDS),
        "target": Word("whom it attacks", "seats", ("monsters",), example="borderia"),
        "strategy": Word("how it fights", "strategies", example="cautious"),
        "tactic": Word("the tactic that it uses", "tactics", example="defensive_wall"),
        "withdraw": Number("the percent of its hit points at which it leaves a battle, 0 for never", 0, 99, 50),
    }, required=("army",), short=("{army} to {move}[ then {then}][ target {target}]", "{army} then {then}[ target {target}]")),
}  # fmt: skip

_SPECIAL = {
    "aid": Record("aid to a kingdom", {
        "to": _kingdom("the kingdom that gets it"),
        "attribute": _attribute("the attribute that it is for"),
    }, required=("to", "attribute"), short=("{attribute} to {to}",)),
    "explore": Record("an expedition", {
        "from": _settlement("where it starts"),
        "weeks": Number("its weeks", 1, 52, 2),
        "route": _ROUTE,
        "toward": Either("a direction or a hex", (Word("a direction or a hex", DIRECTIONS), _hex("a direction or a hex"))),
        "until": ListOf("the terrains that it turns back at", Word("a terrain", "terrain", example="water"), short="words", most=20),
        "escort": Either("its escort", (Number("BP for adventurers", 2, 999, 6), _army("an army"))),
    }, required=("from", "weeks"), short=(
        "from {from} for {weeks} week(s) along {route}[ with {escort}]",
        "from {from} for {weeks} week(s) toward {toward}[ until {until}][ with {escort}]",
    ), apart=(("route", "toward"),)),
    "adventurers": Record("adventurers against a monster", {
        "bp": Number("BP for them", 1, 999, 6),
        "task": _hex("the monster's hex"),
    }, required=("bp", "task"), short=("{bp} bp to {task}", "{bp} to {task}")),
    "trade_route": Record("a new trade route", {
        "to": _kingdom("the kingdom to trade with"),
        "hex": _hex("the hex where it ends"),
    }, required=("to", "hex"), short=("to {to} at {hex}",)),
    "share_route": Record("a route to share", {"to": _kingdom("the kingdom")}, required=("to",), short=("with {to}",)),
    "close_route": Record("a route to close", {"route": _TRADE}, required=("route",), short=("{route}",)),
}  # fmt: skip

_ANSWER = Either("an answer", (
    MapOf("an answer with its figure", Id("an answer", example="adventurers"),
          Either("its figure", (Number("its figure", 0, 9999, 4), Text("its figure", most=60))), most=5),
    Id("an answer", example="accept"),
))  # fmt: skip

# the orders that have a file of their own, in the order of a turn
DECISIONS: Final[tuple[Order[Any], ...]] = (ABANDON, CLAIM, EDICTS, SMUGGLE, DOORS, CAPITAL, SURRENDER)


def in_step(step: str) -> list[Order[Any]]:
    """Return those that this step carries out, in its order."""
    return [kind for kind in DECISIONS if kind.step == step]


ORDERS = Record("the orders of a turn", {
    "kingdom": _kingdom("whose orders these are"),
    "turn": turn(),
    "leadership": ListOf("what the ruler's bonus goes to", _attribute("an attribute"), short="words", most=20),
    **kit.keys((ABANDON, CLAIM)),
    "improve": ListOf("the improvements", Record(
        "an improvement", _IMPROVEMENT, required=("hex", "build"), short=("{build} {hex}",)), short="commas"),
    "settle": ListOf("the settlements to found", Record(
        "a settlement", _SETTLE, required=("hex", "name"), short=("{name} {hex}[ water {water}]",)), short="commas"),
    "build": ListOf("what to build in settlements", OneOf("a building, an upgrade or a demolition", _BUILD), short="commas"),
    "armies": ListOf("the orders to armies", OneOf("an order to an army", _ARMIES), short="commas"),
    **kit.keys((EDICTS,)),
    "special": ListOf("the special edicts", OneOf("a special edict", _SPECIAL, by="edict"), short="commas"),
    **kit.keys((DOORS, SMUGGLE, CAPITAL, SURRENDER)),
    "loyalty": Choice("what to do about Unrest", {
        "rouse_the_people": _attribute("the attribute that gains"),
        "change_minds_by_breaking_heads": None,
    }),
    "answers": MapOf("answers to what the last report asked",
                     Text("what it asked", example="bandit_activity-1", most=50, pattern=_KIND_N, case="lower", offered=QUESTIONS), _ANSWER,
                     fixed={"lose_hex": _hex("the hex to lose")}),
    "plan": ListOf("what to do when nothing else is left to do", Short("a thing to do", PLANNED), short="commas"),
    "reserve": Number("BP that the plan leaves", 0, 9999, 10),
    "messages": ListOf("messages", Record("a message", {
        "to": _kingdom("to whom", "all"),
        "text": Text("the message", example="Well met.", most=_LONG, lines=True),
    }, required=("to", "text")), pairs=("to", "text"), most=100),
    "requests": ListOf("what the GM is asked to rule on", Text("a request", example="I court the duke's heir.", most=_LONG, lines=True),
                       short="one", most=100),
    **FOOT,
}, required=("kingdom", "turn"), adds=("loyalty", "answers", "messages", "requests", *FOOT_ADDS), once=(
    "improve", "settle", "build", "special", "plan", "reserve",
    *(kind.key for kind in DECISIONS if kind.once),
    *(f"armies.{case}" for case in _ARMIES if case != "army"),
), short_keys={
    "holiday": "edicts", "promotion": "edicts", "taxation": "edicts", **dict.fromkeys(_SPECIAL, "special"),
})  # fmt: skip

_REASON = Text("the reason, for the books", example="the duke's gift", most=_LONG)
_EVENT = Word("the kind of event", "event_kinds", example="bandit_activity")
_ACCOUNT = Word("the account", "accounts", example="treasury")

_RULINGS = {
    "grant": Record("a grant or a fine", {
        "grant": _kingdom("the kingdom"),
        "account": _ACCOUNT,
        "by": Number("by how much", -9999, 9999, 5),
        "reason": _REASON,
    }, required=("grant", "account", "by", "reason")),
    "set": Record("an account set", {
        "set": _kingdom("the kingdom"),
        "account": _ACCOUNT,
        "to": Number("what it becomes", -9999, 9999, 4),
        "reason": _REASON,
    }, required=("set", "account", "to", "reason")),
    "reveal": Record("a hex revealed", {
        "reveal": _hex("the hex"),
        "to": _kingdom("the kingdom that learns it", "all"),
        "reason": _REASON,
    }, required=("reveal", "to", "reason")),
    "void": Record("an order made void", {
        "void": Record("the order", {
            "kingdom": _kingdom("the kingdom"),
            "order": Text("its path", example="claim[0]", most=80, pattern=r"[a-z_]+(?:\[\d{1,3}\])?(?:\.[a-z0-9_-]+)?"),
        }, required=("kingdom", "order")),
        "reason": _REASON,
    }, required=("void", "reason")),
    "monsters": Record("monsters placed or removed", {
        "monsters": _hex("the hex"),
        "acr": Number("their ACR; 0 takes them away", 0, 99, 3),
        "reason": _REASON,
    }, required=("monsters", "acr", "reason")),
    "event": Record("an event forced", {
        "event": _EVENT,
        "to": _kingdom("the kingdom that it strikes"),
        "in": _settlement("the settlement that it strikes"),
        "hex": _hex("the hex that it strikes"),
        "reason": _REASON,
    }, required=("event", "to", "reason"), apart=(("in", "hex"),)),
    "end": Record("an event ended", {
        "end": Text("the event, as the sheet names it, or the cause of another lasting change", example="bandit_activity-1", most=50, pattern=_LASTING, case="lower"),
        "of": _kingdom("whose it is"),
        "reason": _REASON,
    }, required=("end", "of", "reason")),
    "ban": Record("a kind of event forbidden", {"ban": _EVENT, "reason": _REASON}, required=("ban", "reason")),
    "allow": Record("a kind of event allowed again", {"allow": _EVENT, "reason": _REASON}, required=("allow", "reason")),
    "chance": Record("the chance of events", {
        "chance": Record("the chance in percent", {
            "normal": Number("percent", 0, 100, 25),
            "after_quiet_turn": Number("percent after a turn without an event", 0, 100, 75),
        }, required=("normal", "after_quiet_turn")),
        "reason": _REASON,
    }, required=("chance", "reason")),
    "give": Record("a hex given", {
        "give": _hex("the hex"),
        "to": _kingdom("the kingdom that gets it"),
        "reason": _REASON,
    }, required=("give", "to", "reason")),
    "take": Record("a hex taken", {
        "take": _hex("the hex"),
        "from": _kingdom("the kingdom that loses it"),
        "reason": _REASON,
    }, required=("take", "from", "reason")),
    "rename": Record("a new name", {
        "rename": Text("the kingdom's id, or its settlement or army", example="examplia", most=60),
        "of": _kingdom("whose settlement or army it is"),
        "to": Text("the new name", example="Greater Examplia", most=60),
        "reason": _REASON,
    }, required=("rename", "to", "reason")),
    "retire": Record("a kingdom that leaves", {
        "retire": _kingdom("its id"),
        "reason": _REASON,
    }, required=("retire", "reason")),
    "add": Record("a kingdom that joins", {
        "add": _kingdom("its id"),
        "start": KINGDOM,
        "reason": _REASON,
    }, required=("add", "start", "reason")),
    "finish": finish(_REASON),
}  # fmt: skip

GM_ORDERS = Record("the GM's orders of a turn", {
    "kingdom": Word("whose orders these are", ("gm",)),
    "turn": turn(),
    "gm": ListOf("the GM's rulings", OneOf("a ruling", _RULINGS)),
    "tell": ListOf("what the GM tells", Record("a text for the reports", {
        "to": _kingdom("to whom", "all"),
        "answers": Number("which of that kingdom's open requests it answers", 1, 999, 1),
        "text": Text("the text", example="Winter comes early.", most=_LONG, lines=True),
    }, required=("to", "text")), pairs=("to", "text")),
    **GM_FOOT,
}, required=("turn",), adds=("tell",))  # fmt: skip
