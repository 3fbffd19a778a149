"""Orders in the words of their short forms, those that are one of several kinds: to armies, special edicts, the GM's rulings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def plain(value: Any) -> str:
    """Any value of an order in one line."""
    if isinstance(value, dict):
        return ", ".join(f"{words(str(key))} {plain(each)}".strip() for key, each in value.items())
    if isinstance(value, (list, tuple)):
        return " ".join(plain(each) for each in value)
    return str(value)


def words(name: str) -> str:
    """A snake_case word as a person writes it."""
    return name.replace("_", " ")


def army(order: dict[str, Any]) -> str:
    """An order to an army."""
    return _said(order, _ARMY)


def edict(order: dict[str, Any]) -> str:
    """A special edict."""
    return _EDICTS[order["edict"]](order)


def ruling(order: dict[str, Any]) -> str:
    """A ruling of the GM, with its reason."""
    return f"{_said(order, _RULINGS)}: {order['reason']}"


def _said(order: dict[str, Any], table: Mapping[str, Callable[[dict[str, Any]], str]]) -> str:
    return next(say for word, say in table.items() if word in order)(order)


def _told(order: dict[str, Any]) -> str:
    """What an army is told to do, and how it is to fight."""
    parts = [f"to {' '.join(order['move'])}"] if order.get("move") else []
    parts += [f"then {order['then']}"] if order.get("then") else []
    parts += [f"target {order['target']}"] if order.get("target") else []
    parts += [f"{key} {words(order[key])}" for key in ("strategy", "tactic") if order.get(key)]
    parts += [f"withdraw at {order['withdraw']} %"] if "withdraw" in order else []
    return " ".join([order["army"], ", ".join(parts).replace(", then", " then").replace(", target", " target")]).strip()


def _explore(order: dict[str, Any]) -> str:
    way = f"along {' '.join(order['route'])}" if order.get("route") else f"toward {order.get('toward', 'nowhere')}"
    until = f" until {words(order['until'])}" if order.get("until") else ""
    escort = f" with {order['escort']}" if order.get("escort") else ""
    weeks = f"{order['weeks']} week{'s' if order['weeks'] > 1 else ''}"
    return f"explore from {order['from']} for {weeks} {way}{until}{escort}"


def _event(order: dict[str, Any]) -> str:
    where = order.get("in") or order.get("hex")
    return f"event {words(order['event'])} to {order['to']}{f' in {where}' if where else ''}"


def _rename(order: dict[str, Any]) -> str:
    whose = f" of {order['of']}" if order.get("of") else ""
    return f"rename {order['rename']}{whose} to {order['to']}"


_ARMY: Mapping[str, Callable[[dict[str, Any]], str]] = {
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
_EDICTS: Mapping[str, Callable[[dict[str, Any]], str]] = {
    "aid": lambda order: f"aid {order['attribute']} to {order['to']}",
    "explore": _explore,
    "adventurers": lambda order: f"adventurers {order['bp']} bp to {order['task']}",
    "trade_route": lambda order: f"trade route to {order['to']} at {order['hex']}",
    "share_route": lambda order: f"share route with {order['to']}",
    "close_route": lambda order: f"close route {order['route']}",
}
_RULINGS: Mapping[str, Callable[[dict[str, Any]], str]] = {
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
