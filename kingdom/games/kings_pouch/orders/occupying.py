"""Occupying territories, and attacking castles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, TypeAlias, TypedDict

from kingdom.engine.refusal import Refusal
from kingdom.games.kings_pouch.orders.counting import price_of
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Marked, Now, Table, Turn, replace, with_player
from kingdom.games.kings_pouch.steps import booked, corrupted, counted, joined, one_corrupt, said, scored, tell
from kingdom.games.kings_pouch.steps.land import army_for, castles, discounted, land, owner_of, within_reach
from kingdom.games.kings_pouch.steps.purse import paid, price, purse_of
from kingdom.games.kit.common_orders import seat as seat_of
from kingdom.orders import kit
from kingdom.orders.schema import Either, Word


class Castle(TypedDict):
    """Another player's castle."""

    castle: Annotated[str, seat_of("whose")]


Target: TypeAlias = str | Castle  # a territory, or another player's castle
TARGET = Either("a territory, or another player's castle", (
    Word("a territory", "territories", example="R1"), kit.record(Castle, "another player's castle"),
))  # fmt: skip


def target_at(table: Table, place: str) -> Target:
    """A territory as an order names it: a castle by its player."""
    owner = castles(table).get(place)
    return {"castle": owner} if owner else place


def territories(now: Now) -> Iterator[kit.Candidate]:
    """The territories and castles of others; under the ruling that distances lead over own land those beside it."""
    table, rules, lord = now.state, now.rules, now.state.seats[now.seat]
    homes, near = castles(table), land(rules, len(table.seats))
    for place in within_reach(table, now.seat, rules) if rules.distance.via == "own" else near:
        held, name = table.territories.get(place), said(place)
        owner = owner_of(table, place)
        if owner == now.seat or (place in homes and owner in lord.attacked):
            continue
        army = army_for(table, now.seat, place, rules)
        candidate = kit.Candidate(
            f"occupy {name}", {"occupy": [place]}, f"Occupy {name}", at=name, group="Occupy territories", checked=True,
            needs=[[other for other in near[place] if homes.get(other, now.seat) == now.seat]],
            deed=price_of(table, now.seat, "occupy", [army], rules),
        )  # fmt: skip
        if place in homes:
            gain, least = rules.castle_attack.prestige, {"markers": 1} if rules.castle_attack.needs_marker else {}
            yield candidate._replace(
                id=f"occupy castle {owner}", order={"occupy": [{"castle": owner}]}, text=f"Attack the castle of {owner}", least=least,
                more=f"{name}: {army} army; {gain} prestige", adds={"prestige": gain}, uses={f"attack on {owner}": 1},
            )  # fmt: skip
        else:
            gain, whose = (rules.occupy.taken, f"from {owner}") if held else (rules.occupy.empty, "empty")
            candidate = candidate._replace(adds={"prestige": gain}, costs={"markers": 1}, gives=[place], uses={name: 1})
            yield candidate._replace(more=f"{whose}: {army} army; {gain} prestige")


def occupy_problem(table: Table, seat: str, wanted: Target, rules: Rules) -> Refusal | None:
    """Why the territory can't be occupied, or the castle attacked."""
    refused = _occupy_problem(table, seat, wanted, rules)
    if refused is None:
        return None
    code, facts = refused.code, refused.facts
    homes, reach = castles(table), within_reach(table, seat, rules)
    if "army" in facts:
        purse = purse_of(table)
        price = {place: discounted(army_for(table, seat, place, rules), "occupy", purse, rules) for place in reach}
        reach = [place for place in reach if price[place] <= purse.army]
    near = joined(f"castle: {homes[place]}" if place in homes else said(place) for place in reach)
    return Refusal(code, {**facts, "near": near})


def _occupy_problem(table: Table, seat: str, wanted: Target, rules: Rules) -> Refusal | None:
    """The same without `near`: what could be occupied instead."""
    lord, homes, place = table.seats[seat], castles(table), target(table, wanted)
    owner = owner_of(table, place)
    if isinstance(wanted, str) and place in homes and owner != seat:
        return Refusal("pouch_castle_as_land", {"place": said(place), "owner": owner})
    if place not in land(rules, len(table.seats)):
        return Refusal("pouch_not_in_use", {"place": said(place)})
    if owner == seat:
        return Refusal("pouch_own_castle", {}) if place in homes else Refusal("pouch_yours", {"place": said(place)})
    if place not in within_reach(table, seat, rules):
        return Refusal("pouch_not_connected", {"place": said(place)})
    if place in homes and owner in lord.attacked:
        return Refusal("pouch_attacked_already", {"owner": owner})
    if not lord.markers and (place not in homes or rules.castle_attack.needs_marker):
        return Refusal("pouch_no_marker", {})
    cost, army = price(table, "occupy", army_for(table, seat, place, rules), rules), purse_of(table).army
    return Refusal("pouch_army", {"place": said(place), "cost": cost, "army": army}) if cost > army else None


def target(table: Table, wanted: Target) -> str:
    """The territory that a wish means: a castle by its player, else a territory."""
    return wanted if isinstance(wanted, str) else table.seats[wanted["castle"]].castle


def occupy(table: Table, turn: Turn, seat: str, wanted: Target) -> Table:
    """A marker on the territory; those of another player go home. Or a castle attacked."""
    place, rule = target(table, wanted), turn.rules.occupy
    cost = army_for(table, seat, place, turn.rules)
    army = f"for {price(table, 'occupy', cost, turn.rules)} army"
    table = paid(table, "occupy", cost, turn.rules)
    owner = castles(table).get(place)
    if owner:
        return _attack(table, turn, seat, owner, army)
    held = table.territories.get(place)
    if held:
        table = with_player(table, held.owner, markers=table.seats[held.owner].markers + held.markers)
    table = replace(table, territories={**table.territories, place: Marked(seat)})
    table = with_player(table, seat, markers=table.seats[seat].markers - 1)
    table = booked(turn, table, seat, "occupy", said(place))
    if held:
        home = f"{counted(held.markers, 'marker')} sent home"
        tell(turn, seat, f"takes {said(place)} from {held.owner}, {army}: {rule.taken} prestige; {home}.")
        table = booked(turn, table, held.owner, "driven_out", f"{said(place)}, by {seat}")
        return scored(turn, table, seat, rule.taken, "occupy", f"{said(place)}, from {held.owner}")
    tell(turn, seat, f"occupies {said(place)}, {army}: {rule.empty} prestige.")
    return scored(turn, table, seat, rule.empty, "occupy", f"{said(place)}, which was empty")


def _attack(table: Table, turn: Turn, seat: str, owner: str, army: str) -> Table:
    by = turn.rules.castle_attack.prestige
    table = with_player(table, seat, attacked=(*table.seats[seat].attacked, owner))
    tell(turn, seat, f"attacks the castle of {owner}, {army}: {by} prestige; {owner} {one_corrupt(table, turn.rules)}.")
    table = booked(turn, table, seat, "castle_attack", f"the castle of {owner}")
    table = scored(turn, table, seat, by, "castle_attack", f"the castle of {owner}")
    return corrupted(turn, table, owner, "rest", "attacked", f"{seat} attacked the castle")
