"""What bots decide at court: answers, leadership, edicts and special edicts, trade, the capital, Unrest, plans, letters."""

from __future__ import annotations

from itertools import islice

from kingdom.engine.offer import Offer
from kingdom.games.realm.bots.mind import LEAST, Mind
from kingdom.games.realm.effects import EDICTS
from kingdom.games.realm.offers import candidates, home_offers
from kingdom.games.realm.offers.away_offers import doors, smuggle, special
from kingdom.games.realm.rules.rules import ATTRIBUTES
from kingdom.games.realm.sheet import led

LEVELS = 9  # more than an edict has
RESTLESS = 3  # Unrest at which it turns the taxes down
LETTERS = (
    "Shall we talk of the ford?",
    "Keep your armies at home.",
    "Our market is open to you.",
    "We look for friends.",
)


def answer(mind: Mind) -> None:
    """Most of what was asked is answered, each choice as likely as another, with any of its figures."""
    for asked in mind.kingdom.pending:
        every = list(candidates.answers(asked))
        if not every or not mind.happens("answers", 85):
            continue
        words = dict.fromkeys(answer.word for answer in every)
        for word in mind.some(f"answer-{asked.key}", list(words), len(words)):
            of_word = mind.some("figure", [answer for answer in every if answer.word == word], len(every))
            offer = next(home_offers.answers_to(asked, of_word, mind.course()), None)
            if offer and mind.affords([offer]):
                mind.order(offer)
                break


def lead(mind: Mind) -> None:
    """The attributes that stand worst get the bonus, where others than now do."""
    now = led(mind.kingdom, mind.rules)
    worst = sorted(ATTRIBUTES, key=lambda name: (mind.margins[name] - 3 * (name in now), name == "loyalty", name))
    if worst[0] not in now or mind.wants("lead"):
        for _ in range(mind.roll("led", len(worst))):
            for offer in islice(home_offers.leadership(mind.course(), worst), 1):
                mind.order(offer)


def set_edicts(mind: Mind) -> None:
    """One category goes a level up or down by what the kingdom needs and can pay; seldom any level of any."""
    lowest = turned(mind, "taxation", -LEVELS) if mind.sheet["loyalty"] < 0 else None
    if lowest and lowest.order[1] != mind.kingdom.taxation:
        mind.order(lowest)
        return
    category = mind.pick("category", EDICTS)
    if mind.happens("whim", 2):
        mind.order(mind.pick(category, list(home_offers.edicts(mind.course(), (category,)))))
    elif mind.wants("edicts"):
        mind.order(turned(mind, category, _wanted(mind, category)))


def turned(mind: Mind, category: str, by: int) -> Offer:
    """An edict turned that many levels up or down, as far as it goes."""
    offers = list(home_offers.edicts(mind.course(), (category,)))
    now = [offer.order[1] for offer in offers].index(getattr(mind.kingdom, category))
    return offers[max(0, min(len(offers) - 1, now + by))]


def _wanted(mind: Mind, category: str) -> int:
    """Whether a category is turned up (1) or down (-1)."""
    if mind.poor() and category != "taxation":
        return -1
    if category == "taxation":
        return 1 if mind.margins["loyalty"] > 4 and mind.sheet["loyalty"] > 4 and mind.kingdom.unrest < RESTLESS else -1
    needed = mind.margins["loyalty" if category == "holiday" else "stability"] < 0
    return 1 if needed and mind.purse else -1


def move_capital(mind: Mind) -> None:
    """Seldom, to another settlement."""
    if mind.wants("capital"):
        mind.order_one("capital_where", home_offers.capital(mind.course()))


def calm(mind: Mind) -> None:
    """Against Unrest the people are broken or roused; in a quiet turn they may be roused too."""
    if mind.kingdom.unrest and mind.margins["loyalty"] > -5 and mind.happens("calm", 70):
        deed = "change_minds_by_breaking_heads"
    elif mind.happens("rouse", 15) and mind.margins["loyalty"] > 2:
        deed = "rouse_the_people"
    else:
        return
    offers = [offer for offer in home_offers.loyalty(mind.course()) if deed in offer.order]
    mind.order_one("roused", offers)


def plan(mind: Mind) -> None:
    """Now and then the next turns are planned: land, what to make of it, a building; or the old plan is dropped."""
    if not mind.wants("plan") or not mind.steady():
        return
    if mind.kingdom.plan and mind.happens("drop_plan", 20):
        mind.orders["plan"] = []
        return
    labels = mind.some("planned", [claim.label for claim in candidates.claims(mind.kingdom, mind.world, mind.rules)], 2)
    items = [f"claim {label}" for label in labels] + [f"farm {label}" for label in labels[:1]]
    items += [f"house in {name}" for name in sorted(mind.kingdom.settlements)[:1]]
    mind.orders["plan"] = items
    mind.orders["reserve"] = mind.temper.saves * mind.sheet["consumption"] + mind.roll("reserve_bp", 10)


def write(mind: Mind) -> None:
    """A letter to a neighbour or to all. A bot asks nothing of the GM, who has players to answer."""
    if mind.wants("write"):
        to = mind.pick("reader", [*mind.others(), "all"])
        mind.orders["messages"] = [{"to": to, "text": mind.pick("letter", LETTERS)}]
    if mind.happens("final", 20):
        mind.orders["final"] = True


# --- beyond the borders -----------------------------------------------------------------------------------------------


WEEKS = 3  # of an expedition at most
RICH = 12  # BP to spend, without which it thinks of nothing abroad
OPEN = "open"  # what is ordered of doors that are closed
ISSUED = ("aid", "explore", "adventurers", "trade_route", "share_route", "close_route")


def issue(mind: Mind) -> None:
    """As many special edicts as it may have, of those that it thinks of and has money for; closing a route is none."""
    if mind.purse < RICH and not mind.happens("rash_edict", 5):
        return
    wanted = [kind for kind in ISSUED if mind.wants(kind)]
    for kind in mind.some("edicts_order", wanted, len(wanted)):
        for offer in mind.some(kind, mind.affords(special(mind.course(), kind)), 1):
            mind.order(_journey(mind, offer) if kind == "explore" else offer)


def _journey(mind: Mind, offer: Offer) -> Offer:
    """An expedition of some weeks, at times toward a hex that it knows, or only as far as some ground."""
    per_week = offer.costs.get("treasury", 0)
    weeks = mind.roll("weeks", min(WEEKS, mind.purse // per_week) if per_week else WEEKS)
    order = {**offer.order, "weeks": weeks}
    if mind.happens("goal", 35):
        home = mind.kingdom.settlements[order["from"]].hex
        order["toward"] = mind.pick("goal_label", sorted(mind.world.hexes.keys() - {home}))
    elif mind.happens("until", 40):
        order["until"] = mind.pick("until_what", ("water", "mountains", "forest"))
    return offer._replace(order=order, costs={"treasury": weeks * per_week})


def watch(mind: Mind) -> None:
    """A watchtower on an open route of its own, in a hex that nobody holds, where it may build and pay one more improvement."""
    if not mind.kingdom.routes or not mind.wants("watch"):
        return
    offers = home_offers.towers(mind.course())
    fit = [offer for offer in offers if mind.kingdom.treasury >= offer.costs.get("treasury", 0) + LEAST]
    mind.order_one("watched", fit)


def trade(mind: Mind) -> None:
    """Doors closed or opened, goods smuggled over the border."""
    if mind.wants("doors"):
        offers = [
            offer
            for offer in doors(mind.course())
            if (offer.order[1] == OPEN) is (offer.order[0] in mind.kingdom.doors)
        ]
        mind.order_one("door", offers)
    if mind.wants("smuggle"):
        mind.order_one("smuggled", smuggle(mind.course()))
