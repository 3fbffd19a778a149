"""Event phase: the start of the turn with its answers, and what becomes of lost hexes."""

from __future__ import annotations

from kingdom.engine.dice import GM
from kingdom.games.realm.orders.answers import ANSWERS
from kingdom.games.realm.orders.kind import Now
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Hex, Kingdom, Modifier, World, replace, with_kingdoms
from kingdom.games.realm.steps.exploring.monsters import hidden_from
from kingdom.games.realm.steps.land.losing import Loss, hexes_to_lose, lose_hexes, marked_anew
from kingdom.games.realm.steps.shared import book, each, in_anarchy, word_settled
from kingdom.games.realm.steps.towns.construction import aged
from kingdom.games.realm.types import Turn

CAUSES = {
    "hex_loss": "a hex lost to Unrest",
}
REFUSALS = {
    "void_in_anarchy": "This is a turn of anarchy: orders are void, but for messages (ruling anarchy). File again for turn {next}.",
    "void_destroyed": "{kingdom} is destroyed (ruling no_hexes): it gives no orders but messages.",
    "void_absent": "{kingdom} has not joined the game yet (GM orders): it gives no orders but messages. The GM lets it in with `add`.",
}
DELIVERED = ("kingdom", "turn", "final", "messages")  # these keys still count when a turn's orders are void


def start(world: World, turn: Turn) -> World:
    """The start of the turn: modifiers for one turn end, the next ones begin; a hex due for loss since last turn is
    lost.

    Answers are read here. Rulings: attribute, hex_loss, anarchy, no_hexes.
    """
    _refuse_void_orders(world, turn)
    for seat, kingdom in world.kingdoms.items():
        if not kingdom.destroyed:
            ANSWERS.play(Now(world, seat, turn.rules, turn.foreseeing), turn)
    world = each(world, turn, _begin)
    losses = [
        loss
        for seat, kingdom in world.kingdoms.items()
        if not kingdom.destroyed
        for loss in _due(seat, kingdom, word_settled(turn, seat, "lose_hex", ""), turn.rules)
    ]
    world = lose_hexes(world, turn, losses)
    for loss in losses:
        turn.tell(loss.seat, "news", hex=loss.label, text=f"Lost: {loss.detail}.")
    return each(world, turn, _asked_no_more)


def _refuse_void_orders(world: World, turn: Turn) -> None:
    for seat, kingdom in world.kingdoms.items():
        void = in_anarchy(kingdom, turn)
        if void and not kingdom.destroyed:
            turn.tell(
                seat, "news", text="This is a turn of anarchy: no orders, and no check succeeds (ruling anarchy)."
            )
        for key in turn.orders.get(seat, {}) if void or kingdom.destroyed else ():
            if key not in DELIVERED:
                code = "void_absent" if kingdom.absent else "void_destroyed" if kingdom.destroyed else "void_in_anarchy"
                turn.refuse(seat, key, code, kingdom=kingdom.name, next=turn.number + 1)


def _begin(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    """The kingdom with unused limits; modifiers that held for one turn end, and those due this turn begin."""
    if turn.rules.final_size:
        kingdom = replace(kingdom, sizes=(*kingdom.sizes, len(kingdom.hexes))[-turn.rules.final_size.turns :])
    began_empty = not kingdom.hexes or (kingdom.anew and not kingdom.settlements)
    aging = {name: aged(each, turn.rules) for name, each in kingdom.settlements.items() if each.bought or each.razed}
    if any(kingdom.settlements[name] is not each for name, each in aging.items()):
        kingdom = replace(kingdom, settlements={**kingdom.settlements, **aging})
    if kingdom.lost or kingdom.takings:
        since = turn.number - (turn.rules.conquest.own_turns if turn.rules.conquest else 0)
        lost = {label: number for label, number in kingdom.lost.items() if number >= since}
        takings = {label: taking for label, taking in kingdom.takings.items() if taking.turn >= since}
        kingdom = replace(kingdom, lost=lost, takings=takings)
    if kingdom.used or kingdom.began_empty != began_empty:
        kingdom = replace(kingdom, used={}, began_empty=began_empty)
    for modifier in [
        modifier for modifier in kingdom.modifiers if not modifier.lasting and modifier.ends <= turn.number
    ]:
        rest = tuple(other for other in kingdom.modifiers if other is not modifier)
        kingdom = _with_modifiers(seat, kingdom, rest, modifier, "ends", world, turn)
    for modifier in kingdom.coming:
        kingdom = _with_modifiers(seat, kingdom, (*kingdom.modifiers, modifier), modifier, "begins", world, turn)
    return replace(kingdom, coming=()) if kingdom.coming else kingdom


def _with_modifiers(
    seat: str, kingdom: Kingdom, modifiers: tuple[Modifier, ...], moved: Modifier, how: str, world: World, turn: Turn
) -> Kingdom:
    kingdom = replace(kingdom, modifiers=modifiers)
    return book(turn, seat, kingdom, world.hexes, moved.cause, f"{moved.text} {how}")


def _due(seat: str, kingdom: Kingdom, named: str, rules: Rules) -> list[Loss]:
    """The hexes that the kingdom loses for last turn's Unrest: first the hex it named, the others by the ruling."""
    if not kingdom.loses_hex:
        return []
    count = min(rules.hex_loss.hexes, len(kingdom.hexes))
    by_ruling = [label for label in hexes_to_lose(kingdom, count + 1) if label != named]
    lost = [named, *by_ruling][:count] if named else by_ruling[:count]
    how = {label: "as named" if label == named else "none was named" for label in lost}
    return [Loss(seat, label, "hex_loss", f"{label}, to Unrest, {how[label]} (ruling hex_loss)") for label in lost]


def _asked_no_more(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    if kingdom.pending or kingdom.loses_hex:
        kingdom = replace(kingdom, pending=(), loses_hex=False)
    return marked_anew(kingdom, turn.rules)


def wilderness(world: World, turn: Turn) -> World:
    """In hexes that kingdoms lost, improvements may decay and monsters may move in. Ruling: wilderness.

    Rolls, keyed to the GM: `decay-LABEL-IMPROVEMENT`, `monsters-LABEL` and again for their ACR. When monsters move into a hex,
    kingdoms that had seen the hex no longer know what it hides: it counts as unrevealed to them.
    """
    grown = {label: _grown_wild(label, hex, turn) for label, hex in world.hexes.items() if hex.wild}
    changed = {label: hex for label, hex in grown.items() if hex is not world.hexes[label]}
    if not changed:
        return world
    moved_in = {label for label, hex in changed.items() if hex.monsters > world.hexes[label].monsters}
    hidden = {
        seat: hidden_from(kingdom, moved_in, world, turn.rules) for seat, kingdom in world.kingdoms.items() if moved_in
    }
    return with_kingdoms(replace(world, hexes={**world.hexes, **changed}), hidden)


def _grown_wild(label: str, hex: Hex, turn: Turn) -> Hex:
    ruling = turn.rules.wilderness
    if gone := [name for name in hex.left if _happens(turn, f"decay-{label}-{name}", ruling.decay)]:
        turn.tell(GM, "news", hex=label, text=f"{', '.join(gone)} in {label} decayed (ruling wilderness).")
        hex = replace(hex, left=tuple(name for name in hex.left if name not in gone))
    if not hex.monsters and _happens(turn, f"monsters-{label}", ruling.monsters):
        acr = turn.roll(GM, f"monsters-{label}", ruling.monster_die)
        turn.tell(GM, "news", hex=label, text=f"Monsters of ACR {acr} moved into {label} (ruling wilderness).")
        hex = replace(hex, monsters=acr)
    return hex


def _happens(turn: Turn, name: str, percent: int) -> bool:
    """Whether something with that chance happens; a chance of 0 is not rolled."""
    roll = turn.roll(GM, name, 100) if percent else None
    return roll is not None and roll <= percent
