"""What bots decide at court: answers, leadership, the levels of the edicts, the capital, Unrest by hand, plans, letters."""

from __future__ import annotations

from typing import Any

from kingdom.games.realm.bots.mind import Mind
from kingdom.games.realm.offers.home_offers import capital
from kingdom.games.realm.rules.rules import ATTRIBUTES
from kingdom.games.realm.sheet import led
from kingdom.games.realm.steps.land.reach import claimable

RESTLESS = 3  # Unrest at which it turns the taxes down
LETTERS = (
    "Shall we talk of the ford?",
    "Keep your armies at home.",
    "Our market is open to you.",
    "We look for friends.",
)


def answer(mind: Mind) -> None:
    """Most of what was asked is answered, each choice as likely as another, with the highest or the lowest figure."""
    answers: dict[str, Any] = {}
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


def move_capital(mind: Mind) -> None:
    """Seldom, to another settlement."""
    others = [offer.order for offer in capital(mind.course())]
    if others and mind.wants("capital"):
        mind.orders["capital"] = mind.pick("capital_where", others)


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
