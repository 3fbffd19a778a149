"""What a seat filed, order by order, in the words of the short forms, and what became of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.names import words
from kingdom.engine.step import Notice, Orders
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.orders.declaration import DECISIONS, ORDERS
from kingdom.games.realm.orders.kind import Order as Kind
from kingdom.games.realm.orders.rulings import GM_ORDERS
from kingdom.games.realm.types import Order

Say: TypeAlias = Callable[[Any], str]  # an order, of whatever kind the schema declares there, in words

Listed: TypeAlias = Callable[
    [str, Any], Iterator[tuple[str, str]]
]  # (key, what stands under it) -> path and words of each


NOTHING = "came to nothing"  # nobody erred: what was to be done was needless by then
NEEDLESS = ("adventurers_gone",)  # codes of refusals that say so


class OrderRow(TypedDict):
    """An order with what became of it: `outcome` is done, changed, refused or NOTHING, `why` says it for all but the first."""

    path: str
    text: str
    outcome: str
    why: str


class Filed(NamedTuple):
    """One order. path: as in refusals, `claim[1]`; text: a line that says it, `claim 0404`."""

    path: str
    text: str


def filed(orders: Orders) -> list[Filed]:
    """Every order of one seat, in the order of the rules' steps."""
    return [Filed(path, text) for key in _IN_ORDER if key in orders for path, text in _SAID[key](key, orders[key])]


def outcomes(orders: Orders, notices: Iterable[Notice]) -> list[OrderRow]:
    """Every order with what became of it.

    A refusal of a whole key (`claim`) stands for each order in it, and so does what the GM voided. Refusals of what is
    not among the orders come last.
    """
    refused: dict[str, str] = {}
    needless: set[str] = set()
    changed: dict[str, list[str]] = {}
    for notice in notices:
        if notice.kind == "refusal":
            refused[notice.facts["order"]] = notice.facts["reason"]
            needless |= {notice.facts["order"]} if notice.facts["code"] in NEEDLESS else set()
        elif notice.kind == "voided":
            refused[notice.facts["order"]] = notice.facts["text"]
        elif notice.kind == "changed":
            changed.setdefault(notice.facts["order"], []).append(notice.facts["text"])
    rows, matched = list[OrderRow](), set[str]()
    for path, text in filed(orders):
        whole = list(_enclosing(path))
        by = next((each for each in whole if each in refused), None)
        if by is not None:
            matched.add(by)
            outcome = NOTHING if by in needless else "refused"
            rows.append({"path": path, "text": text, "outcome": outcome, "why": refused[by]})
        else:
            why = " ".join(each for path in whole for each in changed.get(path, ()))
            rows.append({"path": path, "text": text, "outcome": "changed" if why else "done", "why": why})
    rest = [(path, why) for path, why in refused.items() if path not in matched]
    return rows + [{"path": path, "text": path, "outcome": "refused", "why": why} for path, why in rest]


def summary(filed: bool, rows: list[OrderRow], planned: bool = False) -> str:
    """How many orders were carried out, changed and refused, in a line. planned: a plan was there to be worked off."""
    if not filed:
        return "None came in; the plan was worked off." if planned else "None came in, so nothing new was done."
    if not rows:
        return "None: the filing held no order."
    counts = {
        outcome: sum(row["outcome"] == outcome for row in rows) for outcome in ("done", "changed", NOTHING, "refused")
    }
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)


def _enclosing(path: str) -> Iterator[str]:
    """The path itself, and each path that holds it: `edicts.holiday`, `edicts`."""
    while path:
        yield path
        path = path[: max(path.rfind("."), path.rfind("["), 0)]


def _filed(kind: Kind[Any]) -> Listed:
    return lambda key, orders: ((path, kind.say(order)) for path, order in kind.filed({key: orders}))


def _items(say: Say) -> Listed:
    return lambda key, orders: (
        (f"{key}[{index}]", say(order)) for index, order in enumerate(orders) if order is not None
    )


def _building(order: Order) -> str:
    at = order.get("lot") or order.get("border")
    place = f" in {order['in']}" + (f" at {at}" if at else "")
    if "upgrade" in order:
        return f"upgrade {words(order['upgrade'])} to {words(order['to'])}{place}"
    if "demolish" in order:
        return f"demolish {words(order['demolish'])}{place}"
    water = f", water {' '.join(order['water'])}" if order.get("water") else ""
    return f"build {words(order['build'])}{place}{water}"


def _settlement(order: Order) -> str:
    water = f", water {' '.join(order['water'])}" if order.get("water") else ""
    return f"settle {order['name']} in {order['hex']}{water}"


def _tell(order: Order) -> str:
    answer = f", answer to request {order['answers']}" if order.get("answers") else ""
    return f"tell {order['to']}{answer}: {order['text']}"


def _answers(key: str, answers: Order) -> Iterator[tuple[str, str]]:
    """Under their own keys, by which the report asked."""
    return ((f"{key}.{part}", f"{part}: {words(plain(value))}") for part, value in answers.items())


def _whole(key: str, order: object) -> Iterator[tuple[str, str]]:
    return iter([(key, f"{key}: {plain(order)}")])


# --- the words of the short forms


def plain(value: object) -> str:
    """Any value of an order in one line."""
    if isinstance(value, dict):
        return ", ".join(f"{words(str(key))} {plain(each)}".strip() for key, each in value.items())
    if isinstance(value, (list, tuple)):
        return " ".join(plain(each) for each in value)
    return str(value)


def army(order: Order) -> str:
    """An order to an army."""
    return _said(order, _ARMY)


def edict(order: Order) -> str:
    """A special edict."""
    return _EDICTS[order["edict"]](order)


def ruling(order: Order) -> str:
    """A ruling of the GM, with its reason."""
    return f"{_said(order, _RULINGS)}: {order['reason']}"


def _said(order: Order, table: Mapping[str, Say]) -> str:
    return next(say for word, say in table.items() if word in order)(order)


def _told(order: Order) -> str:
    """What an army is told to do, and how it is to fight."""
    parts = [f"to {' '.join(order['move'])}"] if order.get("move") else []
    parts += [f"then {order['then']}"] if order.get("then") else []
    parts += [f"target {order['target']}"] if order.get("target") else []
    parts += [f"{key} {words(order[key])}" for key in ("strategy", "tactic") if order.get(key)]
    parts += [f"withdraw at {order['withdraw']} %"] if "withdraw" in order else []
    return " ".join([order["army"], ", ".join(parts).replace(", then", " then").replace(", target", " target")]).strip()


def _explore(order: Order) -> str:
    way = f"along {' '.join(order['route'])}" if order.get("route") else f"toward {order.get('toward', 'nowhere')}"
    until = f" until {' or '.join(map(words, order['until']))}" if order.get("until") else ""
    escort = f" with {order['escort']}" if order.get("escort") else ""
    weeks = f"{order['weeks']} week{'s' if order['weeks'] > 1 else ''}"
    return f"explore from {order['from']} for {weeks} {way}{until}{escort}"


def _event(order: Order) -> str:
    where = order.get("in") or order.get("hex")
    return f"event {words(order['event'])} to {order['to']}{f' in {where}' if where else ''}"


def _rename(order: Order) -> str:
    whose = f" of {order['of']}" if order.get("of") else ""
    return f"rename {order['rename']}{whose} to {order['to']}"


_ARMY: Mapping[str, Say] = {
    "recruit": lambda order: (
        f"recruit {order['recruit']} as {order['size']} {words(order['unit'])} from {order['from']}"
        + (f" with {' '.join(map(words, order['with']))}" if order.get("with") else "")
    ),
    "expand": lambda order: f"expand {order['expand']} to {order['to']}",
    "equip": lambda order: " ".join(
        ["equip", order["equip"], "with", *([str(order["count"])] if "count" in order else []), words(order["with"])]
    ),
    "repair": lambda order: f"repair {order['repair']}",
    "disband": lambda order: f"disband {order['disband']}" + (f" to {order['to']}" if order.get("to") else ""),
    "reserve": lambda order: f"reserve {order['reserve']}",
    "army": _told,
}
_EDICTS: Mapping[str, Say] = {
    "aid": lambda order: f"aid {order['attribute']} to {order['to']}",
    "explore": _explore,
    "adventurers": lambda order: f"adventurers {order['bp']} bp to {order['task']}",
    "trade_route": lambda order: f"trade route to {order['to']} at {order['hex']}",
    "share_route": lambda order: f"share route with {order['to']}",
    "close_route": lambda order: f"close route {order['route']}",
}
_RULINGS: Mapping[str, Say] = {
    "grant": lambda order: f"grant {order['grant']} {order['account']} {order['by']:+d}",
    "set": lambda order: f"set {order['account']} of {order['set']} to {order['to']}",
    "reveal": lambda order: f"reveal {order['reveal']} to {order['to']}",
    "void": lambda order: f"void {order['void']['order']} of {order['void']['kingdom']}",
    "monsters": lambda order: (
        f"monsters in {order['monsters']}, " + (f"ACR {order['acr']}" if order["acr"] else "gone")
    ),
    "event": _event,
    "end": lambda order: f"end {order['end']} of {order['of']}",
    "ban": lambda order: f"ban {words(order['ban'])}",
    "allow": lambda order: f"allow {words(order['allow'])}",
    "chance": lambda order: (
        f"chance of events {order['chance']['normal']} %, {order['chance']['after_quiet_turn']} % after a quiet turn"
    ),
    "give": lambda order: f"give {order['give']} to {order['to']}",
    "take": lambda order: f"take {order['take']} from {order['from']}",
    "rename": _rename,
    "retire": lambda order: f"retire {order['retire']}",
    "add": lambda order: f"add {order['add']}",
    "finish": lambda order: f"finish {order['finish']}",
}
_SAID: dict[str, Listed] = {
    "answers": _answers,
    "leadership": lambda key, order: iter([(key, f"{key}: {', '.join(words(name) for name in order)}")]),
    "improve": _items(lambda order: f"{words(order['build'])} in {order['hex']}"),
    "settle": _items(_settlement),
    "build": _items(_building),
    "armies": _items(army),
    "special": _items(edict),
    "loyalty": _whole,
    "plan": lambda key, items: iter([(key, f"plan: {', '.join(filter(None, items)) or 'none any more'}")]),
    "reserve": _whole,
    "messages": _items(lambda order: f"message to {order['to']}"),
    "requests": _items(lambda text: f"request to the GM: {text}"),
    "gm": _items(ruling),  # the GM's own
    "tell": _items(_tell),
    **{kind.key: _filed(kind) for kind in DECISIONS},
}
_IN_ORDER = [key for key in dict.fromkeys(("answers", *ORDERS.keys, *GM_ORDERS.keys)) if key in _SAID]
