"""Whole campaigns played by bots, in memory: for testing rules and balance.

Every order goes the whole way: bots and the GM write texts, which are read as a player's are; the books are proved after
every step. Of some campaigns the folder is written as well, audited and replayed.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from kingdom.books.occurrences import Counts, occurred
from kingdom.campaign import audit, filings, keeping, next_turn, opening, replay, substitute_orders
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.filings import Filings
from kingdom.campaign.workers import NOT_DONE, Steps, Task, Team, side_by_side
from kingdom.engine import game as games
from kingdom.engine.dice import Dice, NoDice, key_of
from kingdom.engine.game import AnyBot, AnyGame
from kingdom.engine.problems import Faults
from kingdom.engine.step import AnyState, Orders
from kingdom.engine.turn import resolve
from kingdom.orders import editions, tables, yaml_text
from kingdom.orders import orders_file as orders
from kingdom.orders.orders_file import GM
from kingdom.orders.tables import Tables
from kingdom.orders.yaml_out import dump
from kingdom.orders.yaml_text import Node, plain

KINGDOMS = 6  # of a new map
KEPT_ONE_IN = 50  # the first of that many campaigns is kept in a folder, audited and replayed
MUDDLED, SILENT = 30, 4  # percent of filings that get wrong orders; percent that do not come
WITHOUT_MESSAGES = 10  # one campaign in that many carries none
WITH_OLD_RULES = 20  # one in that many plays by rules of an older release, another by the alternatives of the rulings
SIZES = (None, (14, 12), (18, 12))  # of the maps in turn: on small ones kingdoms meet soon
LATE = "latecomer"  # the seat that is named in the middle of a campaign, for the GM to add
LATE_FROM = 5  # the turn


class Ground(NamedTuple):
    """The basis of simulated campaigns: a new map each, or, with `start`, a campaign's own map, rules and seats.

    start: the files of the start. rules: the node of `rules` in campaign.yaml. edition: of the game's rules. began: what a campaign
    that is older than editions goes on by, as a rules.yaml; "" for any other.
    """

    game: str
    start: Mapping[str, bytes] | None = None
    seats: tuple[str, ...] = ()
    rules: Node | None = None
    edition: int = 0
    began: str = ""


class Plan(NamedTuple):
    """One campaign to be played. size: columns and rows of a new map, None for the game's usual size.

    old: its rules lack all tables that kept turns may lack. flipped: its rulings with a yes or no are the other way round.
    kept: its folder is written too, audited and replayed.
    """

    ground: Ground
    seed: str
    turns: int
    size: tuple[int, int] | None = None
    messages: bool = True
    old: bool = False
    flipped: bool = False
    kept: bool = False


class Played(NamedTuple):
    """A campaign that was played. orders: turn by turn the texts that were filed, by seat and `gm`."""

    plan: Plan
    start: Mapping[str, bytes]
    state: AnyState
    counts: Counts
    orders: list[dict[str, bytes]]
    seats: tuple[str, ...]


def ground_of(folder: Path) -> Ground:
    """Return the ground of a campaign. It holds none of its secrets. Raises Faults."""
    campaign = campaigns.open_campaign(folder)
    files = opening.files_in(campaign.folder, campaign.game, campaign.first_seats)
    edition, own = campaign.settings.edition or 1, campaigns.own_rules(campaign)
    is_older = own.digest != tables.load(campaign.game, edition=edition).digest
    return Ground(
        campaign.game.name,
        files,
        campaign.first_seats,
        campaign.rules.overrides,
        edition,
        tables.dump(own) if is_older else "",
    )


def simulate(ground: Ground, count: int, turns: int, seed: str, team: Team) -> Iterator[Counts]:
    """Yield the counts of each of `count` campaigns, in their order, as they are done; each differs from the others by its number.

    team: who plays them. Raises Faults if audit or replay fails.
    """
    plans = [
        Plan(
            ground,
            f"{seed}/{number}",
            turns,
            size=SIZES[number % len(SIZES)],
            messages=number % WITHOUT_MESSAGES != WITHOUT_MESSAGES - 1,
            old=number % WITH_OLD_RULES == WITH_OLD_RULES - 1,
            flipped=number % WITH_OLD_RULES == 1,
            kept=number % KEPT_ONE_IN == 0 and not ground.began,  # a new folder has no turn that it could go on from
        )
        for number in range(count)
    ]
    yield from (outcome.get() for outcome in side_by_side(map(_given, plans), team))


def _given(plan: Plan) -> Steps[Counts]:
    """Let others play a campaign. What they can't is played here, so that it is told what is wrong."""
    (result,) = yield [Task(play_one, msgspec.msgpack.encode(plan), plan.turns, _wrong)]
    if result == NOT_DONE:
        return one(plan)
    return Counter({(name, word): times for name, word, times in msgspec.msgpack.decode(result)})


def _wrong(result: bytes) -> str:
    """Why these can't be the counts of a campaign, "" if they may be."""
    try:
        msgspec.msgpack.decode(result, type=list[tuple[str, str, int]])
    except msgspec.MsgspecError as error:
        return str(error)
    return ""


def play_one(data: bytes) -> bytes:
    """Play the campaign of a plan; the result has its counts."""
    plan = msgspec.msgpack.decode(data, type=Plan)
    rules = plan.ground.rules
    ground = plan.ground._replace(rules=None if rules is None else yaml_text.node_of(rules))
    counts = one(plan._replace(ground=ground))
    return msgspec.msgpack.encode([(*key, times) for key, times in counts.items()])


def one(plan: Plan) -> Counts:
    """The counts of one campaign. An exception that stops it names the campaign."""
    try:
        played = play(plan)
        if plan.kept:
            prove(played)
    except Exception as error:
        error.add_note(f"campaign of seed {plan.seed}")
        raise
    return played.counts


# --- playing -------------------------------------------------------------------------------------------------------------


def play(plan: Plan) -> Played:
    """Play one campaign from its start to its last turn, or to its end if that comes first."""
    game, today, start, seats = _ground(plan)
    given = opening.setup(start, Path(plan.seed), game, today.rules, seats)
    state = opening.opened(game, given, today.rules, Dice(plan.seed, 0)).after
    counts: Counts = Counter()
    texts: list[dict[str, bytes]] = []
    for _ in range(plan.turns):
        if game.finished(state):
            break
        named = seats_in(game, seats, state.turn + 1)
        filed = _filed(game, plan, today, game.opening.seated(state, named) if game.opening.seated else state, named)
        settings = next_turn.Counting("standing", plan.messages)
        dice = Dice(plan.seed, state.turn + 1)
        result = next_turn.resolved(game, state, filed, dice, today, today, settings, named)
        counts.update(occurred(game, result, filed.orders, today.rules))
        counts.update(_foreseen(game, state, filed.orders, today.rules))
        texts.append(filed.files)
        state = result.after
    return Played(plan, start, state, counts, texts, seats)


def _ground(plan: Plan) -> tuple[AnyGame, Tables, dict[str, bytes], tuple[str, ...]]:
    """(game, rules, the files of the start, seats) of a campaign's own ground or of a new map."""
    game, ground = games.load(plan.ground.game), plan.ground
    if ground.start is not None:
        began = tables.kept(game, ground.began) if ground.began else None
        today = tables.load(game, ground.rules, edition=ground.edition, began=began)
        return game, today, dict(ground.start), ground.seats
    made = _new_map(game, plan.seed, plan.size)
    files = {name: text.encode() for name, text in made.items() if name != "campaign.yaml"}
    return (
        game,
        _varied(plan, tables.load(game)),
        files,
        tuple(sorted(Path(name).stem for name in files if name.startswith("kingdoms/"))),
    )


def _new_map(game: AnyGame, seed: str, size: tuple[int, int] | None) -> Mapping[str, str]:
    """The files of a new campaign on a map of that size. If the kingdoms find no room on it, the map has the usual size; if the
    game is for fewer, it has its usual number of seats."""
    options = {"name": "Simulated", "seed": seed, "tokens": (), "bots": 0}
    for seats, room in ((KINGDOMS, size), (KINGDOMS, None)):
        try:
            return game.opening.new(seats, {**options, "size": room})
        except ValueError:
            continue
    return game.opening.new(None, {**options, "size": None})


def _varied(plan: Plan, today: Tables) -> Tables:
    """The tables as the campaign plays them."""
    changed = {}
    if plan.flipped:
        for name in today.rules.__struct_fields__:
            ruling = getattr(today.rules, name)
            if isinstance(ruling, msgspec.Struct):  # each yes becomes no, and each no yes
                values = {key: getattr(ruling, key) for key in ruling.__struct_fields__}
                flipped = {key: not value for key, value in values.items() if isinstance(value, bool)}
                changed[name] = msgspec.structs.replace(ruling, **flipped)
    elif plan.old:
        for field in msgspec.structs.fields(today.rules):  # off, as in turns that are older than the table
            if field.default is not msgspec.NODEFAULT:
                changed[field.name] = field.default
            if field.default_factory is not msgspec.NODEFAULT:
                changed[field.name] = field.default_factory()
    return today._replace(rules=msgspec.structs.replace(today.rules, **changed)) if changed else today


def seats_in(game: AnyGame, seats: tuple[str, ...], turn: int) -> tuple[str, ...]:
    """The seats that the campaign names in that turn: one more from some turn on, where the game lets a seat join."""
    return tuple(sorted((*seats, LATE))) if game.opening.seated and turn >= LATE_FROM and LATE not in seats else seats


def _filed(game: AnyGame, plan: Plan, today: Tables, state: AnyState, seats: tuple[str, ...]) -> Filings:
    """Return the orders of all kinds of bots and of the GM for the turn after `state`; some are wrong on purpose, some missing."""
    number, rules = state.turn + 1, today.rules
    names = {**game.names(rules), "seats": seats}
    chance = substitute_orders.chance_of(key_of(plan.seed, number, "simulation"))
    live, files, found = set(game.seats(state)), {}, {}
    for index, seat in enumerate(seats):
        wrong = game.simulation and chance("muddled", 100) <= MUDDLED
        if chance("silent", 100) <= SILENT or not (seat in live or wrong):
            continue
        text = dump({"kingdom": seat, "turn": number}).encode()
        if seat in live and game.bots:
            text = substitute_orders.text_of(game, _fuzzer(game, index), state, seat, rules, plan.seed)
        filing = _read(text, game, names, seat, number)
        if wrong and game.simulation:
            muddled = game.simulation.muddled(game.known(state, seat, rules), seat, rules, chance).encode()
            newer = _read(muddled, game, names, seat, number)
            text = orders.write(orders.amend(filing, newer, game)).encode()
            filing = {**_read(text, game, names, seat, number), "amend": True}
        files[seat], found[seat] = text, filing
    if game.simulation:
        files[GM] = game.simulation.gm(state, rules, chance).encode()
        found[GM] = _read(files[GM], game, names, GM, number)
    return Filings(files, found)


def _fuzzer(game: AnyGame, index: int) -> AnyBot:
    """Return who plays the seat with that number: the fuzzers in turn, or the bots but the first, which stands in for players."""
    fuzzers = game.simulation.fuzzers if game.simulation else {}
    kinds = list((fuzzers or game.bots).values())
    kinds = kinds if fuzzers else kinds[1:] or kinds
    return kinds[index % len(kinds)]


def _foreseen(game: AnyGame, state: AnyState, filed: Mapping[str, Orders], rules: object) -> Iterator[tuple[str, str]]:
    """The refusals that `check` would foresee of one seat's orders, another each turn."""
    if seats := [seat for seat in filed if seat in game.seats(state)]:
        seat = seats[state.turn % len(seats)]
        result = resolve(
            game, game.known(state, seat, rules), {seat: filed[seat]}, NoDice(), rules, until=game.foreseen_to
        )
        yield from (("refusal", notice.facts["code"]) for notice in result.notices if notice.kind == "refusal")


def _read(text: bytes, game: AnyGame, names: Mapping[str, Container[str]], seat: str, turn: int) -> Orders:
    """The orders in a text. Raises Faults: then whoever wrote the text is at fault."""
    return orders.read(text, f"{seat}{filings.ENDING}", game, names, seat, turn).proved()


# --- proving -------------------------------------------------------------------------------------------------------------


def prove(played: Played) -> None:
    """Play the campaign again in a folder, as a GM would, from the texts that were filed; then audit and replay it.

    Raises Faults with all problems.
    """
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        _write(folder, played.start)
        for number, texts in enumerate([{}, *played.orders]):
            game = games.load(played.plan.ground.game)
            _settings(folder, played, seats_in(game, played.seats, number))
            _write(
                folder,
                {f"{filings.folder_of(Path(), number)}/{seat}{filings.ENDING}": text for seat, text in texts.items()},
            )
            campaign = campaigns.open_campaign(folder)
            keeping.keep(campaign, next_turn.drafts(campaign)[-1:])
        state = campaigns.state_of(campaign, campaigns.kept(campaign))
        assert state == played.state, f"in a folder campaign {played.plan.seed} came out otherwise"
        problems = [*audit.audit(campaign).problems, *(problem for _, problem in replay.replay(campaign) if problem)]
        if problems:
            raise Faults(problems)


def _settings(folder: Path, played: Played, seats: Iterable[str]) -> None:
    """The campaign.yaml of the folder; its rules are the ground's, including those to come, from the first turn on."""
    plan = played.plan
    settings: dict[str, object] = {"name": "Simulated", "game": plan.ground.game, "seed": plan.seed}
    settings |= {
        "public_seed": True,
        "steward_after": 0,
        "messages": plan.messages,
        "players": dict.fromkeys(seats, {}),
    }
    if plan.ground.start is not None:
        rules = plan.ground.rules
        settings |= {"edition": plan.ground.edition, **({"rules": plain(rules)} if rules else {})}
    else:
        settings |= {"edition": editions.newest(games.load(plan.ground.game))}
    _write(folder, {"campaign.yaml": dump(settings).encode()})


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
