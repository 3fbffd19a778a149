"""kingdom forecast, simulate, solve: the odds of coming turns, whole campaigns played by bots, and the best play."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from kingdom.books.forecast import FILED, GIVEN, NONE, Forecast, forecast
from kingdom.cli.commands import WRONG, Said, as_json, campaign_of, prove_game, seat_of, team_of
from kingdom.engine.step import Facts
from kingdom.render import terminal
from kingdom.render.plain_text import wrap
from kingdom.render.progress import Told

if TYPE_CHECKING:
    from kingdom.books import occurrences, simulation
    from kingdom.campaign.workers import Team

_DECIMALS = 6  # digits of a chance
_BAR = 40  # columns of the longest bar
_ROWS = 24  # most rows of a table; more values are grouped
_TAKEN = {
    GIVEN: "with the orders of {file}",
    FILED: "with the orders that are filed",
    NONE: "without orders: none are filed",
}
_LOW, _MIDDLE, _HIGH = "5", "50", "95"
_EVERY = 10  # campaigns between two lines of progress
_SEED = "kingdom solve"  # the seed of the search's own draws, apart from the campaign's dice


def run_forecast(args: Namespace) -> Said:
    """Print the odds of the next turns. The exit code is 1 if the orders have problems."""
    campaign = campaign_of(args)
    seat = seat_of(campaign, args.kingdom)
    if campaign.game.forecast is None:
        return Said(notes=[f"{campaign.folder}: there are no forecasts for {campaign.game.title}."], code=WRONG)
    args.told(f"forecast of {args.turns} turn{'s' if args.turns > 1 else ''}")
    made = forecast(campaign, seat, args.orders, args.turns, args.samples, args.seed)
    if args.json:
        facts = {key: _rounded(value) for key, value in made.found.items() if key != "means"}
        return as_json({"kingdom": made.seat, "orders": made.orders, "seed": args.seed, **facts})
    return Said(list(_forecast_lines(made, _TAKEN[made.orders].format(file=args.orders), args.seed)))


def _rounded(value: object) -> object:
    """Return the value with its chances rounded and its rows as maps."""
    if isinstance(value, float):
        return round(value, _DECIMALS)
    if isinstance(value, tuple):
        return {"value": value[0], "chance": round(value[1], _DECIMALS)}
    if isinstance(value, Mapping):
        return {key: _rounded(inner) for key, inner in value.items()}
    return [_rounded(inner) for inner in value] if isinstance(value, list) else value


def _forecast_lines(made: Forecast, taken: str, seed: int) -> Iterator[str]:
    facts = made.found
    yield from terminal.paragraph(f"Forecast for {made.seat}, turn {facts['turn']}, {taken}.")
    if facts["refused"]:
        yield from ["", "Refused:", *terminal.refused(facts["refused"])]
    yield from _next(facts)
    for note in facts["notes"]:
        yield from ["", *terminal.paragraph(note)]
    if facts["later"]:
        yield from _later(facts, seed)
    yield from ["", "Left out of this:"]
    for text in facts["left_out"]:
        yield from wrap(text, 4, terminal.COLUMNS, "  - ").split("\n")


def _next(facts: Facts) -> Iterator[str]:
    """Yield the lines on the next turn: a table for each account, what may happen to the kingdom, and its checks."""
    end = facts["next"]
    yield from ["", f"The end of turn {facts['turn']}, over all {end['ways']} ways in which its dice may fall:"]
    for account, rows in end["accounts"].items():
        before = f", {end['start'][account]} before the dice" if account in end["start"] else ""
        yield from ["", f"{_words(account)}{before}", *_bars(rows)]
    yield ""
    chances = {f"{_words(name)} check succeeds": chance for name, chance in facts["checks"].items()}
    chances |= {facts["means"][name]: chance for name, chance in end["chances"].items()}
    yield from terminal.table(
        ["", ""], [[terminal.percent(chance), what] for what, chance in chances.items()], numbers=(0,)
    )


def _bars(rows: Sequence[tuple[int, float]]) -> list[str]:
    """Return a row for each value, with a bar as long as its chance."""
    together = -(-len(rows) // _ROWS)
    groups = [rows[at : at + together] for at in range(0, len(rows), together)]
    chances = [sum(chance for _, chance in group) for group in groups]
    cells = []
    for group, chance in zip(groups, chances, strict=True):
        values = f"{group[0][0]}" if len(group) == 1 else f"{group[0][0]} to {group[-1][0]}"
        cells.append([values, terminal.percent(chance), "#" * max(1, round(_BAR * chance / max(chances)))])
    return [f"  {line}" for line in terminal.table(["", "", ""], cells, numbers=(0, 1))]


def _later(facts: Facts, seed: int) -> Iterator[str]:
    """Yield the lines on several turns: each account's median with the range of nine in ten samples, and the share of samples
    in which each danger came."""
    later, means = facts["later"], facts["means"]
    accounts, last = list(later[0]["accounts"]), later[-1]["turn"]
    text = (
        f"Turns {facts['turn']} to {last} by {facts['samples']} samples (seed {seed}), without orders after the first turn. "
        "In half of them an account is at most the first figure at the end of the turn; in nine of ten it lies between the "
        "others."
    )
    yield from ["", *terminal.paragraph(text), ""]
    rows = []
    for turn in later:
        bands = [turn["accounts"][account] for account in accounts]
        rows.append([str(turn["turn"]), *(f"{band[_MIDDLE]} ({band[_LOW]} to {band[_HIGH]})" for band in bands)])
    yield from terminal.table(["turn", *map(_words, accounts)], rows, numbers=(0,))
    yield from ["", "The share of samples that it has befallen by the end of the turn:", ""]
    names = list(later[0]["chances"])
    rows = [[str(turn["turn"]), *(terminal.percent(turn["chances"][name]) for name in names)] for turn in later]
    yield from terminal.table(["turn", *map(_words, names)], rows, numbers=range(1 + len(names)))
    yield ""
    for name in names:
        yield from terminal.listed(f"{_words(name)}:", [f"{means[name]}."])


def _words(name: str) -> str:
    return name.replace("_", " ")


def run_simulate(args: Namespace) -> Said:
    """Count which words of each vocabulary occurred, and name those that never did. Lines appear as campaigns end; nothing is kept."""
    import secrets

    from kingdom.books import simulation
    from kingdom.campaign import campaign as campaigns
    from kingdom.engine import game as games
    from kingdom.orders import tables

    prove_game(args.game, Path("."))
    if args.campaign:
        campaign = campaigns.open_campaign(Path(args.campaign))
        ground, rules = simulation.ground_of(campaign.folder), campaigns.rules_to_come(campaign).rules
    else:
        ground, rules = simulation.Ground(args.game), tables.load(games.load(args.game)).rules
    stack, notes = ExitStack(), list[str]()
    team = stack.enter_context(team_of(args))
    plan = simulation.Plan(ground, args.seed or secrets.token_hex(8), args.turns)
    return Said(_by(stack, team, notes, _occurred(plan, args.games, rules, args.told, team)), notes)


def _by(stack: ExitStack, team: Team, notes: list[str], lines: Iterator[str]) -> Iterator[str]:
    """Yield the lines that the other processes produce; let the processes go afterwards, and note their messages."""
    with stack:
        yield from lines
        notes += team.news()


def _occurred(plan: simulation.Plan, count: int, rules: object, told: Told, team: Team) -> Iterator[str]:
    from kingdom.books import occurrences, simulation
    from kingdom.engine import game as games

    ground, turns, seed = plan.ground, plan.turns, plan.seed
    yield f"{count} campaign{'s' if count > 1 else ''} of {turns} turns, seed {seed}."
    counts: occurrences.Counts = Counter()
    told("campaigns are played", 0, count)
    for number, occurred in enumerate(simulation.simulate(ground, count, turns, seed, team), 1):
        counts.update(occurred)
        told("campaigns are played", number, count)
        if number % _EVERY == 0 and number < count:
            yield f"{number} are done."
    words = occurrences.vocabularies(games.load(ground.game), rules)
    missing = occurrences.never(counts, words)
    for name, known in words.items():
        if rows := [[word, str(counts[name, word])] for word in known if counts[name, word]]:
            yield from ["", *terminal.table([name, "times"], rows, numbers=(1,))]
    yield ""
    yield "All campaigns came to their end, and every book balanced after every step."
    for name, left in missing.items():
        yield from terminal.listed(f"never occurred: {name}:", left)
    if not missing:
        yield "Every word of these lists occurred."


def run_solve(args: Namespace) -> Said:
    """Search for the best play. The same effort always finds the same."""
    from kingdom.campaign.preview import start_of
    from kingdom.campaign.substitute_orders import chance_of
    from kingdom.engine.dice import key_of

    campaign = campaign_of(args)
    seat = seat_of(campaign, args.seat) if args.seat else None
    if campaign.game.solve is None:
        return Said(notes=[f"{campaign.folder}: nothing can be solved in {campaign.game.title}."], code=WRONG)
    start = start_of(campaign)
    args.told("looking for the best play")
    chance = chance_of(key_of(_SEED, start.state.turn, seat or "all"))
    solution = campaign.game.solve(start.state, seat, start.rules.rules, args.effort, chance)
    if args.json:
        return as_json({"kingdom": seat, "turn": start.state.turn, **solution})
    return Said(list(_best(solution, seat)))


def _best(solution: Facts, seat: str | None) -> Iterator[str]:
    where = f"From where {seat} stands" if seat else "From the start"
    if solution["proved"]:
        best = f"{where}: a score of {solution['score']}, and no play can have more."
    else:
        best = f"{where}: a score of {solution['score']} is the best that was found. "
        best += f"None can have more than {solution['bound']}; whether that can be had is not known."
    yield from terminal.paragraph(f"{best} {solution['looked_at']} positions were looked at.")
    if solution["orders"]:
        yield from ["", f"The {len(solution['orders'])} orders:", *(f"  - {order}" for order in solution["orders"])]
