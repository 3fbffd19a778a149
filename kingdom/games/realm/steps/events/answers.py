"""What may be answered to an event with the next orders, and what a valid answer does. Ruling: event_answers."""

from __future__ import annotations

from kingdom.games.realm.report.event_words import demanded, titled
from kingdom.games.realm.rules import event_tables as tables
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Event, Kingdom, Pending, replace
from kingdom.games.realm.steps.events.scene import Scene
from kingdom.games.realm.steps.shared import affordable, in_anarchy, settled

REFUSALS = {
    "event_answer_unaffordable": "{answer} costs {cost} BP and the treasury holds {treasury} (ruling affordable); {default} is "
    "taken instead. Keep {cost} BP for it.",
}
NOTHING, ADVENTURERS, CHECK, ATTEND, DECLINE, TEAR_DOWN = (
    "none",
    "adventurers",
    "check",
    "attend",
    "decline",
    "tear_down",
)


def questions(kingdom: Kingdom, rules: Rules) -> list[Pending]:
    """What the kingdom is asked about the events that stand."""
    found = [question(key, event, rules) for key, event in kingdom.events.items() if event.kind in rules.event_kinds]
    return [each for each in found if each]


def question(key: str, event: Event, rules: Rules) -> Pending | None:
    """What is asked about one event, None where there is nothing to choose."""
    kind = rules.event_kinds[event.kind]
    if event.done:
        return None
    if any(isinstance(each, tables.PicksHost) for each in kind.set_up):
        text = f"{titled(event, rules)}: attend the feast for {event.facts['cost']} BP?"
        return Pending(key, text, (DECLINE, ATTEND), DECLINE)
    choices = [NOTHING]
    if event.facts.get("demand") == "tear_down" and not event.settlement:
        choices.append(TEAR_DOWN)
    if kind.on_request:
        choices.append(CHECK)
    figures: dict[str, tuple[int, ...]] = {}
    if rules.event_answers and kind.adventurers and "hired" not in event.facts and _has_checks(kind):
        choices.append(ADVENTURERS)
        figures[ADVENTURERS] = tuple(sorted(map(int, rules.event_answers.bonus_by_bp)))
    if len(choices) == 1:
        return None
    return Pending(key, f"{titled(event, rules)}: {_asked(event, choices, rules)}?", tuple(choices), NOTHING, figures)


def _has_checks(kind: tables.EventKind) -> bool:
    threatens = (tables.ThreatenLots, tables.ThreatenHexes)
    return bool(kind.checks) or any(isinstance(each, threatens) for each in kind.always.do)


def _asked(event: Event, choices: list[str], rules: Rules) -> str:
    parts = []
    if "demand" in event.facts:
        parts.append(f"they demand that you {demanded(event).replace(':', '')}")
    if CHECK in choices:
        parts.append("quiet them by a check")
    if ADVENTURERS in choices:
        bonus = in_force(rules.event_answers).bonus_by_bp
        parts.append(f"hire adventurers ({', '.join(f'{by:+} for {bp} BP' for bp, by in bonus.items())})")
    return ", or ".join(parts) or "do it"


def answered(scene: Scene) -> tuple[str, int]:
    """(word, figure) of the valid answer to the event; its question's default where it was not asked or not answered."""
    answer = settled(scene.turn, scene.seat, scene.key, NOTHING)
    if isinstance(answer, dict):
        return next(iter(answer.items()))
    return answer, 0


def paid(scene: Scene) -> Scene:
    """The scene with what the answer costs paid; where it can't be, the answer is refused and counts for nothing."""
    word, figure = answered(scene)
    cost = {ADVENTURERS: figure, ATTEND: int(scene.event.facts.get("cost", 0))}.get(word, 0)
    if word == TEAR_DOWN:
        cost = scene.turn.rules.free_buildings.demolition_cost
    if not cost or in_anarchy(scene.kingdom, scene.turn):
        return scene
    if not affordable(scene.kingdom, cost):
        default = DECLINE if word == ATTEND else NOTHING
        facts = {"answer": word, "cost": cost, "treasury": scene.kingdom.treasury, "default": default}
        scene.turn.refuse(scene.seat, f"answers.{scene.key}", "event_answer_unaffordable", **facts)
        _take_back(scene, default)
        return scene
    if word != ADVENTURERS:
        return scene
    kingdom = replace(scene.kingdom, treasury=scene.kingdom.treasury - cost)
    return scene.booked(kingdom, f"{scene.title}: adventurers hired (ruling event_answers)").fact(hired=cost)


def _take_back(scene: Scene, default: str) -> None:
    """From here on the orders hold the default answer."""
    orders = scene.turn.orders.get(scene.seat, {})
    answers = {**orders.get("answers", {}), scene.key: default}
    scene.turn.orders = {**scene.turn.orders, scene.seat: {**orders, "answers": answers}}


def hired_bonus(scene: Scene) -> int:
    """What adventurers who were hired this turn add to each check of the event."""
    word, figure = answered(scene)
    ruling = scene.turn.rules.event_answers
    return (
        ruling.bonus_by_bp.get(str(figure), 0)
        if ruling and word == ADVENTURERS and scene.event.facts.get("hired")
        else 0
    )
