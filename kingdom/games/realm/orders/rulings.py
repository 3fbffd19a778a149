"""What the GM may order: the rulings, their types with the shape of each key, and what the GM tells."""

from typing import Annotated, NotRequired, TypedDict

from kingdom.games.kit.common_orders import GM_FOOT, finish, turn
from kingdom.games.realm.files import KINGDOM, Start
from kingdom.games.realm.orders.words import LONG, a_hex, a_kingdom, a_settlement
from kingdom.games.realm.rules.rules import ATTRIBUTES, SECONDARY
from kingdom.orders import kit
from kingdom.orders.schema import ListOf, Number, OneOf, Record, Text, Word

ACCOUNTS = (
    "treasury",
    "unrest",
    "stores",
    *ATTRIBUTES,
    "consumption",
    *dict.fromkeys(SECONDARY.values()),
)  # that the GM may move

_LASTING = r"[a-z_]{1,40}(-[1-9]\d{0,3})?"  # an event that a report names, or a cause of the ledger: grant
_REASON = Text("the reason, for the books", example="the duke's gift", most=LONG)
_EVENT = Word("the kind of event", "event_kinds", example="bandit_activity")
_ACCOUNT = Word("the account", "accounts", example="treasury")


class GmGrant(TypedDict):
    """A grant or a fine."""

    grant: Annotated[str, a_kingdom("the kingdom")]
    account: Annotated[str, _ACCOUNT]
    by: Annotated[int, Number("by how much", -9999, 9999, 5)]
    reason: Annotated[str, _REASON]


class GmSet(TypedDict):
    """An account set."""

    set: Annotated[str, a_kingdom("the kingdom")]
    account: Annotated[str, _ACCOUNT]
    to: Annotated[int, Number("what it becomes", -9999, 9999, 4)]
    reason: Annotated[str, _REASON]


class GmReveal(TypedDict):
    """A hex revealed."""

    reveal: Annotated[str, a_hex("the hex")]
    to: Annotated[str, a_kingdom("the kingdom that learns it", "all")]
    reason: Annotated[str, _REASON]


class GmVoidVoid(TypedDict):
    """The order that is made void."""

    kingdom: Annotated[str, a_kingdom("the kingdom")]
    order: Annotated[
        str, Text("its path", example="build[0]", most=80, pattern=r"[a-z_]+(?:\[\d{1,3}\])?(?:\.[a-z0-9_-]+)?")
    ]


class GmVoid(TypedDict):
    """An order made void."""

    void: Annotated[GmVoidVoid, kit.record(GmVoidVoid, "the order")]
    reason: Annotated[str, _REASON]


class GmMonsters(TypedDict):
    """Monsters placed or removed."""

    monsters: Annotated[str, a_hex("the hex")]
    acr: Annotated[int, Number("their ACR; 0 takes them away", 0, 99, 3)]
    reason: Annotated[str, _REASON]


GmEvent = TypedDict("GmEvent", {
    "event": Annotated[str, _EVENT],
    "to": Annotated[str, a_kingdom("the kingdom that it strikes")],
    "in": NotRequired[Annotated[str, a_settlement("the settlement that it strikes")]],
    "hex": NotRequired[Annotated[str, a_hex("the hex that it strikes")]],
    "reason": Annotated[str, _REASON],
})  # fmt: skip


class GmEnd(TypedDict):
    """An event ended, or another lasting change."""

    end: Annotated[str, Text("the event, as the sheet names it, or the cause of another lasting change", example="bandit_activity-1", most=50, pattern=_LASTING, case="lower")]  # fmt: skip
    of: Annotated[str, a_kingdom("whose it is")]
    reason: Annotated[str, _REASON]


class GmBan(TypedDict):
    """A kind of event forbidden."""

    ban: Annotated[str, _EVENT]
    reason: Annotated[str, _REASON]


class GmAllow(TypedDict):
    """A kind of event allowed again."""

    allow: Annotated[str, _EVENT]
    reason: Annotated[str, _REASON]


class GmChanceChance(TypedDict):
    """The chances of events, in percent."""

    normal: Annotated[int, Number("percent", 0, 100, 25)]
    after_quiet_turn: Annotated[int, Number("percent after a turn without an event", 0, 100, 75)]


class GmChance(TypedDict):
    """The chance of events."""

    chance: Annotated[GmChanceChance, kit.record(GmChanceChance, "the chance in percent")]
    reason: Annotated[str, _REASON]


class GmGive(TypedDict):
    """A hex given."""

    give: Annotated[str, a_hex("the hex")]
    to: Annotated[str, a_kingdom("the kingdom that gets it")]
    reason: Annotated[str, _REASON]


GmTake = TypedDict("GmTake", {
    "take": Annotated[str, a_hex("the hex")],
    "from": Annotated[str, a_kingdom("the kingdom that loses it")],
    "reason": Annotated[str, _REASON],
})  # fmt: skip


class GmRename(TypedDict):
    """A new name."""

    rename: Annotated[str, Text("the kingdom's id, or its settlement or army", example="examplia", most=60)]
    of: NotRequired[Annotated[str, a_kingdom("whose settlement or army it is")]]
    to: Annotated[str, Text("the new name", example="Greater Examplia", most=60)]
    reason: Annotated[str, _REASON]


class GmRetire(TypedDict):
    """A kingdom that leaves."""

    retire: Annotated[str, a_kingdom("its id")]
    reason: Annotated[str, _REASON]


class GmAdd(TypedDict):
    """A kingdom that joins."""

    add: Annotated[str, a_kingdom("its id")]
    start: Annotated[Start, KINGDOM]
    reason: Annotated[str, _REASON]


class Tell(TypedDict):
    """A text for the reports."""

    to: Annotated[str, a_kingdom("to whom", "all")]
    answers: NotRequired[Annotated[int, Number("which of that kingdom's open requests it answers", 1, 999, 1)]]
    text: Annotated[str, Text("the text", example="Winter comes early.", most=LONG, lines=True)]


RULINGS = {
    "grant": kit.record(GmGrant, "a grant or a fine"),
    "set": kit.record(GmSet, "an account set"),
    "reveal": kit.record(GmReveal, "a hex revealed"),
    "void": kit.record(GmVoid, "an order made void"),
    "monsters": kit.record(GmMonsters, "monsters placed or removed"),
    "event": kit.record(GmEvent, "an event forced", apart=(("in", "hex"),)),
    "end": kit.record(GmEnd, "an event ended"),
    "ban": kit.record(GmBan, "a kind of event forbidden"),
    "allow": kit.record(GmAllow, "a kind of event allowed again"),
    "chance": kit.record(GmChance, "the chance of events"),
    "give": kit.record(GmGive, "a hex given"),
    "take": kit.record(GmTake, "a hex taken"),
    "rename": kit.record(GmRename, "a new name"),
    "retire": kit.record(GmRetire, "a kingdom that leaves"),
    "add": kit.record(GmAdd, "a kingdom that joins"),
    "finish": finish(_REASON),
}  # fmt: skip
GM_ORDERS = Record("the GM's orders of a turn", {
    "kingdom": Word("whose orders these are", ("gm",)),
    "turn": turn(),
    "gm": ListOf("the GM's rulings", OneOf("a ruling", RULINGS)),
    "tell": ListOf("what the GM tells", kit.record(Tell, "a text for the reports"), pairs=("to", "text")),
    **GM_FOOT,
}, required=("turn",), adds=("tell",))  # fmt: skip
