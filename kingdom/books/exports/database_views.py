"""The views of an exported database: what people ask of the books, each with a sentence that says what it holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class View(NamedTuple):
    """A view. meaning: what it holds, for people; query: its SELECT."""

    meaning: str
    query: str


VIEWS: Mapping[str, View] = {
    "balances_now": View(
        "Every account after the newest turn.",
        "SELECT kingdom, account, balance FROM balances WHERE turn = (SELECT max(turn) FROM turns)",
    ),
    "balances_by_turn": View(
        "Every account after every turn, with its change since the turn before; of a kingdom's first turn since 0.",
        """SELECT turn, kingdom, account, balance,
          balance - ifnull(lag(balance) OVER (PARTITION BY kingdom, account ORDER BY turn), 0) AS change
        FROM balances""",
    ),
    "sums": View(
        "The sum of the changes of each account by turn, phase and cause.",
        """SELECT turn, kingdom, account, phase, cause, count(*) AS entries, sum(delta) AS delta
        FROM entries GROUP BY turn, kingdom, account, phase, cause""",
    ),
    "income_by_cause": View(
        "What each cause gave to and took from the account that orders are paid from, by turn; `delta` is both together.",
        """SELECT turn, kingdom, cause, meaning, sum(max(delta, 0)) AS income, sum(min(delta, 0)) AS spent, sum(delta) AS delta
        FROM entries JOIN causes USING (cause) WHERE account = (SELECT paid_from FROM campaign) GROUP BY turn, kingdom, cause""",
    ),
    "players_brought": View(
        "What all orders of a player together changed in each account of each kingdom in their turn, held against that turn without"
        " them. Empty unless the export was made with --orders.",
        """SELECT turn, player, kingdom, account, sum(delta - without) AS brought
        FROM order_effects WHERE order_path = '' GROUP BY turn, player, kingdom, account""",
    ),
    "orders_brought": View(
        "What each order changed in each account of each kingdom in its turn, held against that turn without this order alone. If one"
        " order takes the place of another that is left out, it brought nothing. Empty unless the export was made with --orders.",
        """SELECT turn, player, order_path, order_text, kingdom, account, sum(delta - without) AS brought
        FROM order_effects WHERE order_path <> '' GROUP BY turn, player, order_path, order_text, kingdom, account""",
    ),
    "event_costs": View(
        "What each event did to each account, by turn; `delta` is what it gave or took. An event is a cause that the news of some turn"
        " names as one.",
        """SELECT turn, kingdom, cause AS event, meaning, account, sum(delta) AS delta
        FROM entries JOIN causes USING (cause) WHERE cause IN (
          SELECT rtrim(rtrim(json_extract(facts, '$.event'), '0123456789'), '-') FROM notices
        ) GROUP BY turn, kingdom, cause, account""",
    ),
    "dice_by_kingdom": View(
        "The mean of each kind of die of each kingdom, and that of fair dice.",
        """SELECT kingdom, sides, count(*) AS rolls, avg(result) AS mean, (sides + 1) / 2.0 AS expected
        FROM dice GROUP BY kingdom, sides""",
    ),
    "dice_luck": View(
        "How high each kingdom rolled, from 0 (always the lowest face) to 100 (always the highest). Fair dice come to about 50."
        " Dice of different sides are comparable in it. Not every roll is better high.",
        """SELECT kingdom, count(*) AS rolls, round(100 * avg((result - 1.0) / (sides - 1)), 1) AS luck,
          sum(result = sides) AS highest, sum(result = 1) AS lowest
        FROM dice WHERE sides > 1 GROUP BY kingdom""",
    ),
    "refusals": View(
        "Every refused order: which, and why.",
        "SELECT turn, kingdom, order_path, code, text FROM notices WHERE kind = 'refusal'",
    ),
}
