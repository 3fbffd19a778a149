"""The first lines of a report, behind its numbers: what a player must see before anything else, at most ten of them.

Each line tells, and leads to, a part of the report that says all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kingdom.render.plain_text import clean, shortened

LONG = 96  # columns; a longer text is cut behind a word, it stands whole further down
LIKELY = 0.25  # a chance that a player must know of
SHOWN = 2  # refusals, questions and events that are told one by one; the rest is counted

PARTS = {  # of a report, in their order, by what the view has where they are there -> (anchor, name)
    "told": ("told", "The GM says"), "asked": ("asked", "Answers"), "next": ("next", "You may"), "numbers": ("sheet", "Sheet"),
    "turn": ("happened", "What happened"), "events": ("events", "Events"), "battles": ("battles", "Battles"), "orders": ("orders", "Orders"),
    "plan": ("plan", "Plan"), "phases": ("turn", "Ledger"), "sources": ("sources", "Sources"), "land": ("land", "Land"),
    "sights": ("sights", "Sights"), "settlements": ("settlements", "Settlements"), "armies": ("armies", "Armies"),
    "expeditions": ("expeditions", "Expeditions"), "routes": ("routes", "Trade"), "map": ("map", "Map"), "charted": ("past", "Last turns"),
    "letters": ("news", "News"), "odds": ("odds", "Odds"), "form": ("form", "Order form"),
}  # fmt: skip
OF_A_TURN = ("orders", "phases")  # which the start has not

Line = dict[str, str]  # name, text, mark ("bad", "mark" or "") and to, the part of the report that it leads to


def first_lines(view: dict[str, Any]) -> list[Line]:
    """The lines. view: what the report holds besides (view.py)."""
    lines = _state(view)
    lines += [_line("Checks", _checks(view["checks"]), "happened")] if view["checks"] else []
    if view["turn"]:
        lines.append(_line("Orders", view["orders"]["said"], "orders"))
    lines += _refused(view["orders"]["rows"])
    lines += _asked(view["asked"])
    lines += _looming(view)
    lines += _some(
        "Event",
        [row["title"] for row in view["events"] if row["title"] and row["group"] == "announced"],
        "events",
        "mark",
    )
    lines += _some("Afield", view["afield"], "happened")[:1]
    lines += _letters(view)
    return lines


def contents(view: dict[str, Any]) -> list[dict[str, str]]:
    """The parts that the report has, in their order: the anchor (`to`) and the name of each."""
    there = {**view, "letters": view["aid"] or view["messages"] or view["public"] or view["news"], "land": True}
    rows = [part for key, part in PARTS.items() if there[key] and (view["turn"] or key not in OF_A_TURN)]
    return [{"to": anchor, "name": name} for anchor, name in rows]


def _line(name: str, text: str, to: str, mark: str = "") -> Line:
    return {"name": name, "text": _cut(text, LONG), "mark": mark, "to": to}


def _cut(text: str, columns: int) -> str:
    """The text, cut behind a word where it is wider."""
    whole = clean(text)
    cut = shortened(whole, columns)
    kept, space, _ = cut.rpartition(" ")
    return cut if cut == whole or not space else f"{kept.rstrip(' ;,:')} …"


def _some(name: str, texts: Sequence[str], to: str, mark: str = "") -> list[Line]:
    """Two of the texts, each a line; where there are more, the second says how many."""
    if len(texts) <= SHOWN:
        return [_line(name, text, to, mark) for text in texts]
    return [_line(name, texts[0], to, mark), _line("", f"and {len(texts) - 1} more, see below", to, mark)]


def _state(view: dict[str, Any]) -> list[Line]:
    """What ends or voids all else."""
    kingdom, turn = view["kingdom"], view["next_turn"]
    said = {
        "absent": "Not in play yet",
        "destroyed": "Destroyed",
        "anarchy": f"Anarchy: turn {turn} is lost, orders are void",
        "landless": f"No land: claim a hex and found a settlement in turn {turn}, or all is lost",
    }
    return [_line("State", said[word], "sheet", "bad") for word in said if kingdom[word]][:1]


def _checks(checks: Iterable[dict[str, Any]]) -> str:
    home_first = sorted(
        checks, key=lambda check: " " in check["name"]
    )  # those of Income and Upkeep have names of one word
    return ", ".join(f"{check['name']} {'passed' if check['success'] else 'failed'}" for check in home_first)


def _refused(rows: Iterable[dict[str, Any]]) -> list[Line]:
    return _some(
        "Refused", [f"{row['text']}: {row['why']}" for row in rows if row["outcome"] == "refused"], "orders", "bad"
    )


def _asked(asked: Sequence[dict[str, Any]]) -> list[Line]:
    return _some(
        "Answer",
        [f"{_cut(each['question'], LONG * 2 // 3)} If you do not: {each['default']}." for each in asked],
        "asked",
        "mark",
    )


def _looming(view: dict[str, Any]) -> list[Line]:
    """The worst of what the next turn's dice are likely to bring."""
    chances = view["forecast"].get("chances", ()) if view["odds"] else ()
    likely = sorted((row for row in chances if row["chance"] >= LIKELY), key=lambda row: -row["chance"])
    return [
        _line(
            "Looming",
            f"{row['means'][:1].upper()}{row['means'][1:]}: {row['percent']}, if you order nothing",
            "odds",
            "bad",
        )
        for row in likely[:1]
    ]


def _letters(view: dict[str, Any]) -> list[Line]:
    """How much there is to read of what others wrote."""
    told, letters = len(view["told"]), sum(not each["out"] for each in (*view["messages"], *view["public"]))
    said = [
        f"{count} {word}" + "s" * (count > 1)
        for count, word in ((told, "word from the GM"), (letters, "letter"))
        if count
    ]
    said = [text.replace("word from the GMs", "words from the GM") for text in said]
    return [_line("To read", ", ".join(said), "told" if told else "news")] if said else []
