"""What orders leave of danger: what may befall the kingdom within the next turns for all that they do, or because of them.

It loads neither a planner nor a report's pages: who files orders by mail is told it in the answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.engine.step import Facts, Orders
from kingdom.games.realm.forecast.threats import TURNS, threats
from kingdom.games.realm.forecast.turn_preview import preview
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import World, owners
from kingdom.games.realm.steps.war.conquest import last_safe_turn
from kingdom.games.realm.steps.war.movement import ATTACK, HOSTILE
from kingdom.games.realm.visibility.sight import whereabouts


def threatened(known: World, seat: str, rules: Rules, orders: Orders, above: float) -> Facts:
    """Return the dangers of the next `turns` whose chance is above that with these orders, in the long form, for the turn after `known`, which
    is what the seat knows. How likely each was without them is worked out only if there is one. warned: what else the orders bring about."""
    likely = {name: chance for name, chance in threats(known, seat, rules, orders).chances.items() if chance > above}
    before = threats(known, seat, rules, {}).chances if likely else {}
    dangers = [{"what": name, "before": before[name], "after": chance} for name, chance in likely.items()]
    return {"dangers": dangers, "turns": TURNS, "warned": list(ends_safe_turns(known, seat, rules, orders))}


def ends_safe_turns(known: World, seat: str, rules: Rules, orders: Orders) -> Iterator[str]:
    """Yield a sentence for each army by which the kingdom would lose the safe turns that it has left. Ruling: safe_turns."""
    if last_safe_turn(known.kingdoms[seat], rules) <= known.turn or not known.kingdoms[seat].armies:
        return
    now = preview(known, seat, rules).course(orders)
    kingdom, held = now.end.kingdoms[seat], owners(known)
    last, within = last_safe_turn(kingdom, rules), in_force(rules.safe_turns).within
    for name, army in sorted(kingdom.armies.items()):
        there = {other for other, _, _ in whereabouts(known).armies.get(army.hex, ())} | {held.get(army.hex, seat)}
        foes = there & {army.target or held.get(army.hex, seat)} - {seat}
        if army.deed in HOSTILE and not army.routed and (foes or army.deed != ATTACK):
            sure = "ends" if army.deed == ATTACK else "ends, where it finds anything of others,"
            safe = f"nobody takes or besieges land within {within} hexes of where you started"
            safe = safe if within else "no siege of your capital begins"
            yield f"{name} is to {army.deed} at {army.hex}: that {sure} your safe turns (ruling safe_turns). Else {safe} before turn {last + 1}."
