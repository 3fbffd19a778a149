"""What orders would do now: refusals, cost, the sheet after them, the odds, and the questions that still need an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from kingdom.campaign import preview
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.preview import Foreseen, Refused
from kingdom.engine.dice import GM
from kingdom.engine.problems import nearest
from kingdom.engine.regex import regex
from kingdom.engine.step import Facts, Orders
from kingdom.mail.outgoing import order_links, order_words, people
from kingdom.mail.records import FILE
from kingdom.orders import orders_file, yaml_out
from kingdom.render import terminal

_TRIES = 5  # orders that are tried with other names
_REMARK = regex(r"\([^()]*\)")  # `Tarnchurch (near the inn)`
_PERCENT = regex(r"\b([a-z]+)_percent ([+-]?\d+)")
_SNAKE = regex(r"(?<=[a-z])_(?=[a-z])")
_WHOLE = regex(r"(?<![\d.])(\d+)\.0(?![\d.])")
_BETWEEN = regex(r"[\W_]+")


# What would become of the orders now, for a template. refusals: orders that would be refused, `order`, `typed` (it is named as its writer
# would type it), `reason`; meant: a link that sends them with the names that were meant; cost: with its unit; purse: of the account that
# orders are paid from `name`, `before`, `after`, nothing where there is none. Two sheets beside each other are numbers, `name`, `before`,
# `after`, `change`, and changes, what else differs, `name`, `text`; others: the same of each kingdom that the GM's orders change, `seat_of`.
# odds: of a check, `name`, `percent`; asked: what still needs an answer, as `asked` has it.
NOTHING_FORESEEN: Facts = {
    "refusals": [], "meant": [], "cost": "", "purse": {}, "numbers": [], "changes": [], "others": [], "odds": [], "asked": [],
}  # fmt: skip


def foreseen(campaign: Campaign, filed: bytes | None, turn: int) -> Foreseen | None:
    """What filed orders would do; None where nothing is filed, or for another turn than the next."""
    if filed is None or turn != order_links.upcoming(campaign):
        return None
    return preview.foresee(campaign, filed, FILE)


def outlook(campaign: Campaign, wanted: Orders, found: Foreseen, brief: bool) -> Facts:
    """What the orders would do now, as far as the seat may know, without any die. brief: without sheet and odds."""
    before, after = found.before or {}, found.after or {}
    if found.seat == GM:
        others = list[Facts]()
        for seat in (seat for seat in before if seat in after):
            pair = _sheets(before[seat], after[seat])
            numbers = [row for row in pair["numbers"] if row["change"]]
            if numbers or pair["changes"]:
                others.append({"seat_of": people.who(campaign, seat), "numbers": numbers, "changes": pair["changes"]})
        rows = refused_rows(campaign, found.refusals, wanted, {})
        return {**NOTHING_FORESEEN, "refusals": rows, "others": others}
    coin = campaign.game.coin
    sheets = {} if brief else _sheets(before, after)
    odds = {} if brief else found.odds
    account = campaign.game.paid_from
    purse = (
        {"name": _words(account), "before": before.get(account), "after": after[account]} if account in after else {}
    )
    names, meant = _meant(campaign, found.seat, found.turn, wanted, found.refusals)
    lines = order_links.short(campaign, meant)
    corrected = order_links.link_to(campaign, found.seat, found.turn, order_links.CORRECTED, lines)
    return {
        **NOTHING_FORESEEN,
        "refusals": refused_rows(campaign, found.refusals, wanted, before, names),
        "meant": [corrected._asdict()] if names else [],
        "cost": f"{found.cost} {coin}" if coin else str(found.cost),
        "purse": purse,
        **sheets,
        "odds": [{"name": _words(name), "percent": terminal.percent(chance)} for name, chance in odds.items()],
        "asked": asked(campaign, found.seat, found.turn, before, wanted, found.refusals),
    }


def _meant(
    campaign: Campaign, seat: str, turn: int, wanted: Orders, refusals: Iterable[Refused]
) -> tuple[Mapping[str, str], Orders]:
    """(the path of an order -> the name that was probably meant in it, all orders with these names). A refusal lists the known names behind
    its last colon. A name counts as meant only if the order, tried with it, is no longer refused for the same reason."""
    names: dict[str, str] = {}
    orders, tries = wanted, 0
    for refused in refusals:
        known = _listed(refused["reason"])
        found = set(order_words.texts_at(refused["order"], orders)) - set(known)
        near = {text: name for text in found if text in refused["reason"] and (name := _near(text, known))}
        if not near or tries == _TRIES:
            continue
        tries += 1
        changed = order_words.with_texts(refused["order"], orders, near)
        if _helps(campaign, seat, turn, changed, refused):
            orders = changed
            names[refused["order"]] = ", ".join(near.values())
    return names, orders


def _listed(reason: str) -> list[str]:
    """The names behind the last colon of a reason; none where there is no colon."""
    _, colon, names = order_words.plainly(reason).rpartition(": ")
    return names.rstrip(".").split(", ") if colon else []


def _near(text: str, known: Sequence[str]) -> str:
    """The known name that is nearest to a text; blanks, capitals and a remark in brackets do not count. "" for none."""
    plain = {_bare(name): name for name in known}
    bare = _bare(_REMARK.sub("", text))
    return plain.get(bare) or plain.get(nearest(bare, plain), "")


def _bare(name: str) -> str:
    return _BETWEEN.sub("", name).lower()


def _helps(campaign: Campaign, seat: str, turn: int, orders: Orders, refused: Refused) -> bool:
    """Whether changed orders can be filed and the refused order is no longer refused for the same reason."""
    text = orders_file.write({"kingdom": seat, "turn": turn, **orders}).encode()
    filing, still = preview.verdict(campaign, preview.start_of(campaign), seat, text, FILE)
    return filing.orders is not None and (refused["order"], refused["code"]) not in {
        (one["order"], one["code"]) for one in still
    }


def refused_rows(
    campaign: Campaign, refusals: Iterable[Refused], wanted: Orders, sheet: Facts, meant: Mapping[str, str] = {}
) -> list[Facts]:
    """The orders that would be refused, each named as its writer would type it, with the reason in plain words.

    meant: the path of an order -> the name that was probably meant in it.
    """
    questions = {f"answers.{one['key']}": one for one in order_words.questions_of(sheet)}
    rows = list[Facts]()
    for one in refusals:
        question = questions.get(one["order"])
        if question:
            reason = order_words.refused_answer(question, wanted.get("answers", {}).get(question["key"]), one["reason"])
            rows.append({"order": f"Your answer to {order_words.title_of(question)}", "typed": False, "reason": reason})
        else:
            name = order_words.named(one["order"], wanted, partial(order_links.short, campaign))
            near = f" Did you mean {meant[one['order']]}?" if one["order"] in meant else ""
            rows.append({"order": name, "typed": True, "reason": order_words.plainly(one["reason"]) + near})
    return rows


def _sheets(before: Facts, after: Facts) -> Facts:
    """Two sheets side by side: all numbers, and the other differences."""
    rows = [row for row in terminal.numbers(before, after) if row[0] != "turn"]
    return {
        "numbers": [
            {"name": _words(name), "before": old, "after": new, "change": change} for name, old, new, change in rows
        ],
        "changes": [{"name": _words(name), "text": _plain(text)} for name, text in terminal.differences(before, after)],
    }


def asked(
    campaign: Campaign,
    seat: str,
    turn: int,
    sheet: Facts,
    wanted: Orders | None = None,
    refused: Iterable[Refused] = (),
) -> list[Facts]:
    """The questions that still need an answer: `question`, `default` (what holds without an answer), and `choices`, each a link.

    wanted: the orders that stand; a refused answer in them does not count. A choice for which they leave no means has no link.
    """
    orders = wanted or {}
    found = list[Facts]()
    for one in unanswered(sheet, orders, refused):
        choices = []
        for words, answer in order_words.answers_to(one):
            lines = ["amend: true", f"answers: {yaml_out.flow({one['key']: answer})}"]
            if order_links.readable(campaign, "\n".join(lines), seat, turn) and _counts(
                campaign, seat, turn, orders, one, answer
            ):
                choices.append(order_links.link_to(campaign, seat, turn, f"Answer {words}", lines)._asdict())
        found.append({"question": one["question"], "default": one["default"].replace("_", " "), "choices": choices})
    return found


def unanswered(sheet: Facts, wanted: Orders, refused: Iterable[Refused]) -> list[Facts]:
    """The questions that the orders leave open. A refused answer does not count."""
    bad = {one["order"] for one in refused}
    answered = {key for key in wanted.get("answers", {}) if f"answers.{key}" not in bad}
    return [one for one in order_words.questions_of(sheet) if one["key"] not in answered]


def _counts(campaign: Campaign, seat: str, turn: int, orders: Orders, question: Facts, answer: object) -> bool:
    """Whether an answer would count beside these orders. An answer that costs too much does not; the default always does."""
    if answer == question["default"] or turn != order_links.upcoming(campaign):
        return True
    start, path = preview.start_of(campaign), f"answers.{question['key']}"
    asks = campaign.game.sheet(start.state, seat, start.rules.rules).get("pending", ())
    if question["key"] not in {one["key"] for one in asks}:
        return True
    answers = {**orders.get("answers", {}), question["key"]: answer}
    text = orders_file.write({"kingdom": seat, "turn": turn, **orders, "answers": answers}).encode()
    _, refused = preview.verdict(campaign, start, seat, text, FILE)
    return path not in {one["order"] for one in refused}


def _words(key: str) -> str:
    """A key as a person reads it: `Control DC`."""
    words = key.replace("_", " ").split()
    words = [word.upper() if len(word.rstrip(":")) == 2 or word == "acr:" else word for word in words]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])


def _plain(text: str) -> str:
    """A difference between sheets as a person reads it: no underscores of keys, `4` for 4.0, a percentage with its sign."""
    text = _PERCENT.sub(lambda found: f"{found[1].capitalize()} {found[2]} %", text)
    return _WHOLE.sub(r"\1", _SNAKE.sub(" ", text))
