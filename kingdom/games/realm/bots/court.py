"""What bots decide at court: answers, leadership, edicts and special edicts, trade, the capital, Unrest, plans, letters."""

from __future__ import annotations

from collections.abc import Callable

from kingdom.engine.offer import together
from kingdom.games.realm.bots.bot_context import LEAST, Draft, Mind
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.offers.land import towers
from kingdom.games.realm.offers.turn_preview import offers_of
from kingdom.games.realm.orders.claim import claimable
from kingdom.games.realm.orders.declaration import DECISIONS
from kingdom.games.realm.orders.words import DIRECTIONS
from kingdom.games.realm.rules.rules import ATTRIBUTES
from kingdom.games.realm.sheet import led, limits
from kingdom.games.realm.steps.shared import most_special_edicts
from kingdom.games.realm.steps.trade.towers import TOWER

RESTLESS = 3  # Unrest at which it turns the taxes down
LETTERS = (
    "Shall we talk of the ford?",
    "Keep your armies at home.",
    "Our market is open to you.",
    "We look for friends.",
)


def answer(mind: Mind) -> None:
    """Most of what was asked is answered, each choice as likely as another, with the highest or the lowest figure."""
    answers: dict[str, dict[str, int] | str] = {}
    for asked in mind.kingdom.pending:
        if not asked.choices or not mind.happens("answers", 85):
            continue
        payable = [word for word in asked.choices if _payable(mind, asked.figures.get(word, ()))]
        word = mind.pick(f"answer-{asked.key}", payable or asked.choices)
        figures = [figure for figure in asked.figures.get(word, ()) if figure <= mind.purse] or asked.figures.get(
            word, ()
        )
        answers[asked.key] = {word: mind.pick("figure", figures)} if figures else word
    if answers:
        mind.orders["answers"] = answers


def _payable(mind: Mind, figures: tuple[int, ...]) -> bool:
    return not figures or min(figures) <= mind.purse


def lead(mind: Mind) -> None:
    """The attributes that stand worst get the bonus, where others than now do."""
    worst = sorted(
        ATTRIBUTES,
        key=lambda name: (mind.margins[name] - 3 * (name in led(mind.kingdom, mind.rules)), name == "loyalty", name),
    )
    if worst[0] not in led(mind.kingdom, mind.rules) or mind.wants("lead"):
        mind.orders["leadership"] = worst[: mind.roll("led", len(worst))]


def set_edicts(mind: Mind) -> None:
    """One category goes a level up or down by what the kingdom needs and can pay; seldom any level of any."""
    levels = mind.rules.edicts
    if mind.sheet["loyalty"] < 0 and mind.kingdom.taxation != next(iter(levels.taxation)):
        mind.orders["edicts"] = {"taxation": next(iter(levels.taxation))}
        return
    category = mind.pick("category", ("holiday", "promotion", "taxation"))
    if mind.happens("whim", 2):
        mind.orders["edicts"] = {category: mind.pick(category, list(getattr(levels, category)))}
    elif mind.wants("edicts"):
        words = list(getattr(levels, category))
        now = words.index(getattr(mind.kingdom, category))
        mind.orders["edicts"] = {category: words[max(0, min(len(words) - 1, now + _turned(mind, category)))]}


def _turned(mind: Mind, category: str) -> int:
    """Whether a category is turned up (1), down (-1) or left (0)."""
    if mind.poor() and category != "taxation":
        return -1
    if category == "taxation":
        return 1 if mind.margins["loyalty"] > 4 and mind.sheet["loyalty"] > 4 and mind.kingdom.unrest < RESTLESS else -1
    needed = mind.margins["loyalty" if category == "holiday" else "stability"] < 0
    return 1 if needed and mind.purse else -1


def calm(mind: Mind) -> None:
    """Against Unrest the people are broken or roused; in a quiet turn they may be roused too."""
    if mind.kingdom.unrest and mind.margins["loyalty"] > -5 and mind.happens("calm", 70):
        mind.orders["loyalty"] = {"change_minds_by_breaking_heads": ""}
    elif mind.happens("rouse", 15) and mind.margins["loyalty"] > 2:
        mind.orders["loyalty"] = {"rouse_the_people": mind.pick("roused", ("", *ATTRIBUTES))}


def plan(mind: Mind) -> None:
    """Now and then the next turns are planned: land, what to make of it, a building; or the old plan is dropped."""
    if not mind.wants("plan") or not mind.steady():
        return
    if mind.kingdom.plan and mind.happens("drop_plan", 20):
        mind.orders["plan"] = []
        return
    labels = mind.some("planned", claimable(mind.kingdom, mind.world, mind.rules), 2)
    items = [f"claim {label}" for label in labels] + [f"farm {label}" for label in labels[:1]]
    items += [f"house in {name}" for name in sorted(mind.kingdom.settlements)[:1]]
    mind.orders["plan"] = items
    mind.orders["reserve"] = mind.temper.saves * mind.sheet["consumption"] + mind.roll("reserve_bp", 10)


def write(mind: Mind) -> None:
    """A letter to a neighbour or to all. A bot asks nothing of the GM, who has players to answer."""
    if mind.wants("write"):
        to = mind.pick("reader", [*mind.others(), "all"])
        mind.give("messages", {"to": to, "text": mind.pick("letter", LETTERS)})
    if mind.happens("final", 20):
        mind.orders["final"] = True


# --- beyond the borders -----------------------------------------------------------------------------------------------


WEEKS = 3  # of an expedition at most
RICH = 12  # BP to spend, without which it thinks of nothing abroad
PARTY = 6  # half of the BP that it pays adventurers at most


def issue(mind: Mind) -> None:
    """As many special edicts as it may have, of those that it thinks of and has money for; closing a route is none."""
    if not mind.others() or mind.purse < RICH and not mind.happens("rash_edict", 5):
        return
    wanted = [habit for habit in _EDICTS if mind.wants(habit)]
    left = most_special_edicts(mind.kingdom, mind.rules)[0]
    for habit in mind.some("edicts_order", wanted, len(wanted)):
        order = _EDICTS[habit](mind)
        if order and (left or habit == "close_route"):
            left -= habit != "close_route"
            mind.give("special", {"edict": habit, **order})


def watch(mind: Mind) -> None:
    """A watchtower on an open route of its own, in a hex that nobody holds, where it may build and pay one more improvement."""
    cost = mind.rules.trade_route.tower_cost if mind.rules.trade_route else 0
    if not mind.kingdom.routes or len(mind.given("improve")) >= limits(mind.kingdom, mind.rules).terrain:
        return
    if mind.kingdom.treasury < cost + LEAST or not mind.wants("watch"):
        return
    offered = {offer.order["hex"] for offer in towers(mind.course())}
    fit = [label for route in mind.kingdom.routes.values() for label in route.path if label in offered]
    for label in mind.some("watched", fit, 1):
        mind.give("improve", {"hex": label, "build": TOWER})
        mind.pays(cost)


def decide(mind: Mind) -> None:
    """One of the orders of each kind that has a file of its own and says how often."""
    now = mind.course()
    for kind in DECISIONS:
        if mind.happens(kind.key, kind.often.get(mind.temper.name, 0)):
            offers = {offer.id: offer for offer in offers_of(kind)(now)}
            chosen = [offers[mind.pick(f"{kind.key} what", list(offers))]] if offers else []
            mind.orders = together(chosen, mind.orders)


def _aid(mind: Mind) -> Draft:
    return {"to": mind.pick("aided", mind.others()), "attribute": mind.pick("aided_with", ATTRIBUTES)}


def _explore(mind: Mind) -> Draft | None:
    if not mind.kingdom.settlements:
        return None
    start = mind.pick("leaves", sorted(mind.kingdom.settlements))
    order: Draft = {"from": start, "weeks": mind.roll("weeks", WEEKS)}
    how = mind.pick("way", ("route", "direction", "label"))
    home = mind.kingdom.settlements[start].hex
    if how == "route":
        # a way of some hexes away from home, each beside the one before
        path = [home]
        for _ in range(4):
            onward = [label for label in neighbours(path[-1]) if label in mind.world.hexes and label not in path]
            if not onward:
                break
            path.append(mind.pick("onward", onward))
        order["route"] = path[1:]
    elif how == "direction":
        order["toward"] = mind.pick("direction", DIRECTIONS)
        if mind.happens("until", 40):
            order["until"] = [mind.pick("until_what", ("water", "mountains", "forest"))]
    else:
        order["toward"] = mind.pick("goal_label", sorted(mind.world.hexes))
    if mind.happens("escort", 40):
        armies = sorted(name for name, army in mind.kingdom.armies.items() if army.hex == home)
        order["escort"] = (
            mind.pick("escort_army", armies)
            if armies and mind.happens("escort_by", 60)
            else 2 * mind.roll("escort_bp", PARTY)
        )
    return order


def _adventurers(mind: Mind) -> Draft | None:
    hexes = mind.world.hexes.items()
    tasks = sorted(label for label, hex in hexes if hex.monsters or (mind.rules.hazards and hex.hazard))
    return {"bp": 2 * mind.roll("hired", PARTY), "task": mind.pick("task", tasks)} if tasks else None


def _trade_route(mind: Mind) -> Draft | None:
    """To a hex beside the land of another kingdom that it sees."""
    ends = [
        (seat, near)
        for label, seat in sorted(mind.foreign().items())
        for near in neighbours(label)
        if near in mind.world.hexes and near not in mind.foreign()
    ]
    if not ends:
        return None
    seat, label = mind.pick("route_end", ends)
    return {"to": seat, "hex": label}


def _share_route(mind: Mind) -> Draft:
    return {"to": mind.pick("shared", mind.others())}


def _close_route(mind: Mind) -> Draft | None:
    return {"route": mind.pick("closed", sorted(mind.kingdom.routes))} if mind.kingdom.routes else None


_EDICTS: dict[str, Callable[[Mind], Draft | None]] = {
    "aid": _aid,
    "explore": _explore,
    "adventurers": _adventurers,
    "trade_route": _trade_route,
    "share_route": _share_route,
    "close_route": _close_route,
}
