"""kingdom forecast: what the dice may make of a kingdom's orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from kingdom.books.forecast import FILED, GIVEN, NONE, Forecast, forecast
from kingdom.cli.commands import WRONG, OfCampaign, Said, as_json, campaign_of, seat_of
from kingdom.engine.step import Facts
from kingdom.render import terminal
from kingdom.render.plain_text import wrap
from kingdom.render.progress import Told

_DECIMALS = 6  # of a chance
_BAR = 40  # the longest
_ROWS = 24  # of a table; where there are more values they stand together
_TAKEN = {
    GIVEN: "with the orders of {file}",
    FILED: "with the orders that are filed",
    NONE: "without orders: none are filed",
}
_LOW, _MIDDLE, _HIGH = "5", "50", "95"


class Args(OfCampaign, Protocol):
    """What is typed behind `kingdom forecast`."""

    kingdom: str
    orders: str
    turns: int
    samples: int
    seed: int
    json: bool
    told: Told


def run(args: Args) -> Said:
    """Exit code 1 where the orders have problems."""
    campaign = campaign_of(args)
    seat = seat_of(campaign, args.kingdom)
    if campaign.game.forecast is None:
        return Said(notes=[f"{campaign.folder}: there are no forecasts for {campaign.game.title}."], code=WRONG)
    args.told(f"forecast of {args.turns} turn{'s' if args.turns > 1 else ''}")
    made = forecast(campaign, seat, args.orders, args.turns, args.samples, args.seed)
    if args.json:
        return as_json(_json(made, args.seed))
    return Said(list(_lines(made, _TAKEN[made.orders].format(file=args.orders), args.seed)))


def _json(made: Forecast, seed: int) -> Mapping[str, object]:
    found = {key: value for key, value in made.found.items() if key != "means"}
    return {
        "kingdom": made.seat,
        "orders": made.orders,
        "seed": seed,
        **{key: _rounded(value) for key, value in found.items()},
    }


def _rounded(value: object) -> object:
    """Chances to so many decimals; rows as maps."""
    if isinstance(value, float):
        return round(value, _DECIMALS)
    if isinstance(value, tuple):
        return {"value": value[0], "chance": round(value[1], _DECIMALS)}
    if isinstance(value, Mapping):
        return {key: _rounded(inner) for key, inner in value.items()}
    return [_rounded(inner) for inner in value] if isinstance(value, list) else value


# --- for a person ----------------------------------------------------------------------------------------------------------


def _lines(made: Forecast, taken: str, seed: int) -> Iterator[str]:
    found = made.found
    yield from terminal.paragraph(f"Forecast for {made.seat}, turn {found['turn']}, {taken}.")
    if found["refused"]:
        yield from ["", "Refused:", *terminal.refused(found["refused"])]
    yield from _next(found)
    for note in found["notes"]:
        yield from ["", *terminal.paragraph(note)]
    if found["later"]:
        yield from _later(found, seed)
    yield from ["", "Left out of this:"]
    for text in found["left_out"]:
        yield from wrap(text, 4, terminal.COLUMNS, "  - ").split("\n")


def _next(found: Facts) -> Iterator[str]:
    """The next turn: a table an account, what may befall the kingdom, and its checks."""
    end = found["next"]
    yield from ["", f"The end of turn {found['turn']}, over all {end['ways']} ways in which its dice may fall:"]
    for account, rows in end["accounts"].items():
        before = f", {end['start'][account]} before the dice" if account in end["start"] else ""
        yield from ["", f"{_words(account)}{before}", *_bars(rows)]
    yield ""
    chances = {f"{_words(name)} check succeeds": chance for name, chance in found["checks"].items()}
    chances |= {found["means"][name]: chance for name, chance in end["chances"].items()}
    yield from terminal.table(
        ["", ""], [[terminal.percent(chance), what] for what, chance in chances.items()], numbers=(0,)
    )


def _bars(rows: Sequence[tuple[int, float]]) -> list[str]:
    """A row a value, with a bar as long as its chance."""
    together = -(-len(rows) // _ROWS)
    groups = [rows[at : at + together] for at in range(0, len(rows), together)]
    chances = [sum(chance for _, chance in group) for group in groups]
    cells = []
    for group, chance in zip(groups, chances, strict=True):
        values = f"{group[0][0]}" if len(group) == 1 else f"{group[0][0]} to {group[-1][0]}"
        cells.append([values, terminal.percent(chance), "#" * max(1, round(_BAR * chance / max(chances)))])
    return [f"  {line}" for line in terminal.table(["", "", ""], cells, numbers=(0, 1))]


def _later(found: Facts, seed: int) -> Iterator[str]:
    """Several turns: the middle of each account with what nine of ten samples lie in, and what befell so many by then."""
    later, means = found["later"], found["means"]
    accounts, last = list(later[0]["accounts"]), later[-1]["turn"]
    text = (
        f"Turns {found['turn']} to {last} by {found['samples']} samples (seed {seed}), without orders after the first turn. "
        "In half of them an account is at most the first figure at the end of the turn; in nine of ten it lies between the "
        "others."
    )
    yield from ["", *terminal.paragraph(text), ""]
    rows = [[str(each["turn"]), *(_band(each["accounts"][account]) for account in accounts)] for each in later]
    yield from terminal.table(["turn", *map(_words, accounts)], rows, numbers=(0,))
    yield from ["", "The share of samples that it has befallen by the end of the turn:", ""]
    names = list(later[0]["chances"])
    rows = [[str(each["turn"]), *(terminal.percent(each["chances"][name]) for name in names)] for each in later]
    yield from terminal.table(["turn", *map(_words, names)], rows, numbers=range(1 + len(names)))
    yield ""
    for name in names:
        yield from terminal.listed(f"{_words(name)}:", [f"{means[name]}."])


def _band(band: Mapping[str, int]) -> str:
    return f"{band[_MIDDLE]} ({band[_LOW]} to {band[_HIGH]})"


def _words(name: str) -> str:
    return name.replace("_", " ")
