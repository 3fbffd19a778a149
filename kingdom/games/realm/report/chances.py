"""What the dice may make of the next turn, as a report draws it: treasury and Unrest at its end, and what may go wrong."""

from __future__ import annotations

from typing import Any

from kingdom.games.realm.report.figures import name_of
from kingdom.render.charts import Point, columns

MOST_COLUMNS = 60  # of a chart; where the figures lie further apart, each has a column of its own beside the next


def drawn(forecast: dict[str, Any], seat: str) -> dict[str, Any]:
    """The forecast (forecast.py) with a `title` and a `chart` for each account whose end is not sure."""
    if not forecast:
        return {}
    accounts = [
        {
            **account,
            "title": name_of(account["name"]),
            "chart": _chart(account, f"{seat}-chances-{account['name']}", forecast["turn"]),
        }
        for account in forecast["accounts"]
    ]
    return {**forecast, "accounts": accounts}


def _chart(account: dict[str, Any], name: str, turn: int) -> Any:
    rows = {row["value"]: row["chance"] for row in account["rows"]}
    if len(rows) < 2:
        return ""
    low, high = min(rows), max(rows)
    values = range(low, high + 1) if high - low < MOST_COLUMNS else sorted(rows)
    points = [Point(str(value), rows.get(value, 0)) for value in values]
    return columns(name, f"{name_of(account['name'])} at the end of turn {turn}, and how likely", points, percent=True)
