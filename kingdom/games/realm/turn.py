"""The table of contents of a turn: its phases and steps, in the order of the rules, each position with its reason.

PLAY is what a turn is run by; forecasts, odds and offers play on it, so that they need not know the whole game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from kingdom.engine.step import Phase, Play
from kingdom.games.kit.declared import merged
from kingdom.games.kit.memo import remember
from kingdom.games.realm.orders import (
    court,
    customs,
    edicts,
    improve,
    leaving,
    recruiting,
    settle,
    special,
    special_edict,
    surrender,
)
from kingdom.games.realm.orders.declaration import DECISIONS
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts, same_land
from kingdom.games.realm.state import World, owners
from kingdom.games.realm.steps import event, gm, gm_kingdoms, income, upkeep, workplan
from kingdom.games.realm.steps.events import events, gm_events, scene
from kingdom.games.realm.steps.exploring import adventurers, expeditions, hazards, monsters
from kingdom.games.realm.steps.land import claims, free_cities, ground, improvements, losing
from kingdom.games.realm.steps.towns import construction, lots, settlements
from kingdom.games.realm.steps.trade import caravans, routes, towers
from kingdom.games.realm.steps.war import (
    army_upkeep,
    battle_aftermath,
    conquest,
    movement,
    warfare,
)
from kingdom.orders import kit

# where the words of the ledger's causes and the sentences of refusals stand, besides the orders that are told once
MODULES = (
    gm, gm_events, gm_kingdoms, monsters, event, scene, ground, events, free_cities, losing, improvements,
    settlements, construction, lots, hazards, routes, special_edict, towers, workplan,
    movement, conquest, battle_aftermath, income, upkeep, army_upkeep,
)  # fmt: skip


PHASES = (
    Phase(
        "gm",
        (
            gm.gm_orders,  # before everything else: what the GM rules counts for the whole turn
        ),
    ),
    Phase(
        "event",
        (
            event.start,  # what was due from last turn comes before anything new: expiries, answers, the hex named to be lost
            caravans.route_answers,  # with the other answers: a caravan that is let in trades in this turn's Income phase
            battle_aftermath.ransoms,  # likewise: who is bought free may lead an army in this turn
            losing.grow_secondary_territories,  # after the start: what was cut off last turn counts more, or is lost
            event.wilderness,  # after the start, so that a hex just lost lies wild from the turn in which it is lost
            events.events,  # the Event phase proper: the events that stand act on the land as it is by now
        ),
    ),
    Phase(
        "edict",
        (
            court.leadership_bonus,  # step 1: first, so that checks and caps of this phase go by the size at its start
            leaving.abandon_hexes,  # step 2: before claiming, so that what one lets go another may take
            claims.claim_hexes,  # step 2: before building, so that a hex may be improved in the turn that claims it
            losing.count_secondary_territories,  # at the end of step 2, where land was joined or cut off
            improve.terrain_improvements,  # step 3: before settlements, which need the ground that it prepares
            settle.found_settlements,  # step 4: before the buildings, so that a new settlement can be built in
            settlements.bring_into_service,  # step 4: before building, so that new ones cost what they cost beside what now serves
            settlements.build,  # step 4: after the terrain, so that prepared ground and roads are there
            recruiting.create_army_units,  # step 6: after founding, with which armies share a limit, and before the edicts
            edicts.edict_levels,  # step 7: the levels before all else of the step, so that they count in its checks
            leaving.capital_move,  # step 7: a check of the kingdom alone, with the levels just set
            customs.doors,  # step 7: before the special edicts, which go by whose trade is let in
            special.special_edicts,  # step 7: aid goes by sizes, borders and Palaces as everything else left them
            workplan.work_off_plans,  # after all explicit orders, which come first for limits and treasury
            surrender.surrender,  # before the armies move: to who has besieged it, and stands there still
            movement.move_armies,  # after the orders at home; all at once, so that nobody's order comes too late
            warfare.fight_battles,  # where the moves brought armies together
            expeditions.expeditions,  # after the armies, of which one may be the escort
            adventurers.hired_adventurers,  # after the expeditions, which may need a monster's hex to be as it was
            hazards.clear_hazards,  # after the adventurers, who fight the monsters of the hex before they see to its hazard
            caravans.caravans,  # last: over land as armies and monsters hold it by now
        ),
    ),
    Phase(
        "income",
        (
            income.trade,  # before the Economy checks, with sizes and borders as the Edict phase left them
            income.taxes,  # step 1, the only one: after building, so that Unrest and modifiers of this turn count
        ),
    ),
    Phase(
        "upkeep",
        (
            upkeep.modify_unrest,  # step 1: before the Stability check, which then goes by this Unrest
            upkeep.stability_check,  # step 2: its success may pay a BP, which must come before Consumption
            upkeep.loyalty_check,  # step 2: after Stability and with the Unrest that it left
            upkeep.pay_consumption,  # step 3: after the checks, which may still pay; it alone may take the treasury below 0
            army_upkeep.keep_armies,  # after Consumption, by which armies are paid or not
            events.monsters_at_large,  # who fought them has fought; before the end, which asks for what is lost next
            upkeep.end_of_turn,  # what a turn of anarchy ends with, destruction, and what the next orders must answer
            losing.count_secondary_territories,  # again, for what the turn cut off or joined after step 2
            upkeep.remember,  # what is seen at the end is what the report shows
            events.roll_events,  # the close of the turn: what comes next strikes the land as it stands now
        ),
    ),
)

# what turn 0 ends with: the first report shows what is seen, and announces the events of turn 1
OPENING = (Phase("upkeep", (upkeep.remember, events.roll_events)),)


# --- what a turn is run by --------------------------------------------------------------------------------------------


FORESEEN_TO = "edict"  # the phase at whose end `kingdom check` shows the sheet


def _seats(world: World) -> list[str]:
    """The seats in play; a destroyed kingdom's is no longer."""
    return [seat for seat, kingdom in world.kingdoms.items() if not kingdom.destroyed]


def _accounts(world: World, seat: str, rules: Rules) -> Mapping[str, int]:
    return accounts(world.kingdoms[seat], world.hexes, rules)


def _unmoved(before: World, after: World, seat: str) -> bool:
    kingdom = after.kingdoms[seat]
    return kingdom is before.kingdoms.get(seat) and same_land(kingdom, before.hexes, after.hexes)


def pieces(world: World, rules: Rules) -> dict[str, int]:
    """The hexes of each terrain; how many are held twice, and how many held that are not on the map: none, always."""
    return {**_terrain(world), **_wrongly_held(world)}


@remember(lambda world: ((world.hexes,), ()), size=4)  # few steps change a hex
def _terrain(world: World) -> Counter[str]:
    return Counter(hex.terrain for hex in world.hexes.values())


@remember(lambda world: ((world.hexes, *(each.hexes for each in world.kingdoms.values())), ()), size=4)
def _wrongly_held(world: World) -> dict[str, int]:
    held = owners(world).keys()
    twice = sum(len(kingdom.hexes) for kingdom in world.kingdoms.values()) - len(held)
    return {
        "hexes held twice": twice,
        "hexes held off the map": 0 if held <= world.hexes.keys() else len(held - world.hexes.keys()),
    }


PLAY = Play[World, Rules](
    PHASES, kit.refusals(DECISIONS, merged(MODULES, "REFUSALS")), _seats, _accounts, pieces, _unmoved
)
