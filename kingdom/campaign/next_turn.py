"""The next turn: gathering its orders, rules and dice, and resolving it. kingdom/campaign/keeping.py writes it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, structs

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import (
    commitment,
    filings,
    manual_dice,
    opening,
    publicity,
    settings,
    store,
    substitute_orders,
    undone_turns,
)
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault, trouble
from kingdom.campaign.filings import Filings
from kingdom.campaign.settings import FILE, Settings
from kingdom.campaign.store import Kept, Record, Replaced
from kingdom.campaign.undone_turns import UndoneTurn
from kingdom.engine.dice import Dice, Roll
from kingdom.engine.game import AnyGame
from kingdom.engine.problems import Faults, Problem
from kingdom.engine.step import AnyResult, AnyState, Notice, Orders
from kingdom.engine.turn import resolve
from kingdom.orders.tables import Tables

NO_MESSAGES = "no_messages"
REFUSALS = {
    NO_MESSAGES: "This campaign carries no messages between players (`messages: off` in campaign.yaml); write to the GM in `requests`.",
}
_KNOWN = (commitment.REPORT, commitment.KEPT)  # what promised dice that a turn may be tried with
NOTHING = "nothing"  # the word of `missing_orders` that gives a seat without orders the game's idle ones


class Draft(Struct, frozen=True):
    """A turn that is resolved but not yet kept.

    start: the files of the start, for turn 0. corrects: the digest of the turn that this one replaces, or "".
    silent: seat -> number of turns in a row that asked it for orders and got none. warnings: problems that the GM should know, though
    they stop nothing. before: the rules of the turn before, None for turn 0. unseen: the seats that got no report of the turn that
    this one replaces, as far as anybody knows. replaced, untold, anew: as in its record; where no mail is known, all seats are untold.
    """

    result: AnyResult
    filings: Filings
    tables: Tables
    attempt: int = 1
    corrects: str = ""
    start: Mapping[str, bytes] = {}
    warnings: Sequence[Problem] = ()
    silent: Mapping[str, int] = {}
    before: Tables | None = None
    unseen: Sequence[str] = ()
    replaced: Sequence[Replaced] = ()
    untold: Sequence[str] = ()
    anew: Sequence[str] = ()

    @property
    def number(self) -> int:
        """Return the turn's number."""
        return self.result.number


class Counting(NamedTuple):
    """The settings that say which orders count, of a turn that no campaign.yaml and no record has: as they stand there."""

    missing_orders: str
    messages: bool


class TapeFile(Struct, frozen=True):
    """A GM's tape as it was filed."""

    file: str
    data: bytes


def drafts(
    campaign: Campaign, given: TapeFile | None = None, lenient: bool = False, is_dry: bool = False
) -> list[Draft]:
    """Resolve the next turn. If there is no turn 0 yet, that is resolved, and turn 1 only if somebody has filed for it.

    lenient: orders with problems count as missing, and their problems become warnings. is_dry: nobody keeps it, so it has other dice
    where no report has promised its own.
    Raises Faults with all problems that prevent it.
    """
    if campaigns.newest(campaign) >= 0:
        before = campaigns.kept(campaign)
        state, number = campaigns.state_of(campaign, before), before.record.turn + 1
        if over := campaigns.over(campaign, number, state):
            raise fault("game_over", campaign.folder, turn=number, reason=over)
        told_by = commitment.REPORT if campaign.keys else commitment.prove(campaign, before)
        prove_seats(campaign, before.record)
        today = campaigns.rules_today(campaign)
        old = campaigns.rules_of(campaign, before)
        filed = _filings(campaign, number, today, lenient)
        campaign = commitment.with_other_dice(campaign, before) if is_dry and told_by not in _KNOWN else campaign
        draft = _draft(campaign, state, old, today, filed, before.record.silent, given)
        return [_with_promise(campaign, before, told_by, draft, is_dry)]
    if campaign.settings.has_weak_seed:
        raise fault("weak_seed", campaign.folder / FILE)
    told_by = commitment.prove(campaign, None)
    campaign = commitment.with_other_dice(campaign, None) if is_dry and told_by != commitment.KEPT else campaign
    today = campaigns.rules_today(campaign)
    then = campaigns.rules_to_come(campaign) if campaign.settings.rules_from == 1 else today
    filed = _filings(campaign, 1, then, lenient)
    if not filed.files:
        first = opening_draft(campaign, today, given)
        _prove_tape(given, first.result.rolls, campaign)
        return [_with_promise(campaign, None, told_by, first, is_dry)]
    first = opening_draft(campaign, today)
    second = _draft(campaign, first.result.after, today, then, filed, {}, given)
    return [_with_promise(campaign, None, told_by, first, is_dry), second]


def _with_promise(campaign: Campaign, before: Kept | None, told_by: str, draft: Draft, is_dry: bool) -> Draft:
    """Return the turn with the promises for its dice that were replaced; as long as no mail is known, nobody was told of the last one."""
    if is_dry and campaign.keys:
        said = trouble("other_dice", campaign.turns / store.name_of(draft.number), turn=draft.number)
        return structs.replace(draft, warnings=[*draft.warnings, said])
    if campaign.keys:
        return draft
    back = undone_turns.latest(campaign.folder, draft.number)
    if back and not back.reopened:
        return structs.replace(draft, replaced=back.turn.record.replaced, untold=back.turn.record.untold)
    is_untold = told_by not in (commitment.REPORT, commitment.MAIL) and not commitment.is_public(campaign, before)
    return structs.replace(
        draft, replaced=commitment.replaced(campaign, before), untold=campaign.seats if is_untold else ()
    )


def opening_draft(campaign: Campaign, today: Tables, tape_file: TapeFile | None = None) -> Draft:
    """Resolve turn 0. Raises Faults with all problems of the files of the start, and of a calendar or a zone that nobody can have meant."""
    if doubts := settings.doubts(campaign.settings):
        raise Faults([trouble("calendar_doubtful", campaign.folder / settings.FILE, sentence=said) for said in doubts])
    seats = campaign.first_seats if campaign.game.opening.seated else campaign.seats
    files = opening.files_in(campaign.folder, campaign.game, seats)
    given = opening.setup(files, campaign.folder, campaign.game, today.rules, seats)
    before, attempt = undone_turns.latest(campaign.folder, 0), undone_turns.attempt_of(campaign.folder, 0)
    rolled = manual_dice.read(tape_file.data, tape_file.file, campaign.seats) if tape_file else {}
    dice = campaigns.dice_of(campaign, 0, attempt, rolled)
    result = opening.opened(campaign.game, given, today.rules, dice, campaign.seats)
    shown = publicity.news(campaign.game, campaign.settings.publish, publicity.Publicity())
    result = result._replace(notices=[*shown, *result.notices])
    warned = campaign.game.opening.warnings
    warnings = warned(given, today.rules) if warned else []
    return Draft(result, Filings({}, {}), today, attempt, _corrected(before), files, warnings)


def prove_seats(campaign: Campaign, record: Record) -> None:
    """Raise Faults if campaign.yaml no longer names a seat that plays, or names one that no turn has and the game can't let in."""
    missing = [seat for seat in record.seats if seat not in campaign.seats]
    strange = [seat for seat in campaign.seats if seat not in record.seats and not campaign.game.opening.seated]
    if missing or strange:
        file = campaign.folder / "campaign.yaml"
        raise fault("seats_changed", file, missing=", ".join(missing) or "none", strange=", ".join(strange) or "none")


def missing_players(campaign: Campaign) -> Problem | None:
    """Return the problem that campaign.yaml no longer names a seat of the newest turn, whose mail and orders nobody has then. A turn that
    can't be read is told elsewhere."""
    try:
        seats = campaigns.kept(campaign).record.seats if campaigns.newest(campaign) >= 0 else ()
    except Faults:
        return None
    missing = [seat for seat in seats if seat not in campaign.seats]
    facts = {"missing": ", ".join(missing), "strange": "none"}
    return trouble("seats_changed", campaign.folder / FILE, 0, 0, "", "", **facts) if missing else None


def _filings(campaign: Campaign, number: int, today: Tables, lenient: bool) -> Filings:
    """Return the orders that count for the turn. If it was taken back and not reopened, it keeps the players' orders that it had."""
    folder = filings.folder_of(campaign.folder, number)
    before = undone_turns.latest(campaign.folder, number)
    if before is None or before.reopened:
        unread: list[Problem] = []
        files = filings.files_in(folder, campaign.seats, unread if lenient else None)
        filed = filings.read(files, folder, campaign.game, today.rules, campaign.seats, number, lenient)
        return filed._replace(problems=(*unread, *filed.problems))
    return with_gm_orders(campaign, before.turn, folder, today)


def with_gm_orders(campaign: Campaign, turn: Kept, folder: Path, today: Tables) -> Filings:
    """Return the players' orders of a kept turn, and the GM's as now filed in `folder`. Raises Faults."""
    paths = {Path(name).stem: name for name in turn.record.files if name.startswith("orders/")}
    old = {seat: store.file_of(turn, name) for seat, name in paths.items() if seat != filings.GM}
    new = {seat: data for seat, data in filings.files_in(folder, campaign.seats).items() if seat == filings.GM}
    game, rules, seats, number = campaign.game, today.rules, campaign.seats, turn.record.turn
    players = filings.read(old, turn.folder / "orders", game, rules, seats, number)
    rulings = filings.read(new, folder, game, rules, seats, number)
    return Filings({**players.files, **rulings.files}, {**players.orders, **rulings.orders}, bots=turn.record.bots)


def _draft(
    campaign: Campaign,
    state: AnyState,
    old: Tables,
    today: Tables,
    filed: Filings,
    silent: Mapping[str, int],
    given: TapeFile | None,
) -> Draft:
    """Resolve the turn after `state`. silent: seat -> turns in a row, up to the one before, that asked it for orders and got none."""
    number = state.turn + 1
    before = undone_turns.latest(campaign.folder, number)
    rolled = manual_dice.read(given.data, given.file, campaign.seats) if given else {}
    if before and not before.reopened:
        if given:
            raise fault("tape_kept", given.file, turn=number)
        rolled = campaigns.tape_of(campaigns.rolls_of(before.turn))
    attempt = undone_turns.attempt_of(campaign.folder, number)
    dice = campaigns.dice_of(campaign, number, attempt, rolled)
    if before is None or before.reopened:
        filed = substitute_orders.with_bots(campaign, state, attempt, today.rules, filed, silent)
    result = of_campaign(campaign, state, filed, dice, today, old)
    _prove_tape(given, result.rolls, campaign)
    warnings = list(filed.problems)
    if before and not before.reopened:  # it keeps its orders, so other files that lie there now are not used
        folder = filings.folder_of(campaign.folder, number)
        for seat, data in filings.files_in(folder, campaign.seats).items():
            if filed.files.get(seat) != data:
                warnings.append(trouble("left_out", folder / f"{seat}{filings.ENDING}", turn=number))
    silent = substitute_orders.silence(campaign, state, today.rules, silent, filed)
    return Draft(result, filed, today, attempt, _corrected(before), warnings=warnings, before=old, silent=silent)


def _corrected(before: UndoneTurn | None) -> str:
    """Return the digest of the taken-back turn that this one corrects; "" if it was reopened for new orders and dice."""
    return before.turn.digest if before and not before.reopened else ""


def of_campaign(
    campaign: Campaign,
    state: AnyState,
    filed: Filings,
    dice: Dice,
    today: Tables,
    old: Tables,
    again: Record | None = None,
) -> AnyResult:
    """Resolve the turn after `state` by the campaign's settings of today, with the news about stewards and the public page. old: see `resolved`.
    again: the kept turn, if it is only played again and so makes no public page wider."""
    result = resolved(campaign.game, state, filed, dice, today, old, campaign.settings, campaign.seats)
    by_people = [seat for seat in filed.bots if not substitute_orders.bot_of(campaign.settings.players, seat)]
    to = campaign.settings.publish
    is_kept = campaigns.newest(campaign) >= state.turn  # not so of a start that is kept together with turn 1
    before = publicity.told(campaigns.kept(campaign, state.turn).record) if is_kept else publicity.wanted(to)
    shown = publicity.kept_news(again) if again else publicity.news(campaign.game, to, before)
    return result._replace(notices=[*substitute_orders.news(filed.bots, by_people), *shown, *result.notices])


def resolved(
    game: AnyGame,
    state: AnyState,
    filed: Filings,
    dice: Dice,
    today: Tables,
    old: Tables,
    settings: Settings | Record | Counting,
    seats: Sequence[str],
) -> AnyResult:
    """Resolve the turn after `state`. old: the rules of the turn before. settings: `missing_orders` and `messages`.

    seats: all that the campaign names. A new one gets a place in the state, and plays once the game lets it join.
    """
    state = game.opening.seated(state, seats) if game.opening.seated else state
    kept, held_back = (filed.orders, []) if settings.messages else without_messages(filed.orders)
    idle = game.seats(state) if settings.missing_orders == NOTHING else ()
    orders = {**{seat: dict(game.idle) for seat in idle}, **kept}
    changed = old.rules if old.digest != today.digest else None
    try:
        result = resolve(game, state, orders, dice, today.rules, old_rules=changed)
    except Exception as error:
        error.add_note(f"turn {state.turn + 1}")
        raise
    return result._replace(orders=kept, notices=held_back + result.notices)


def without_messages(orders: Mapping[str, Orders]) -> tuple[dict[str, Orders], list[Notice]]:
    """Return the orders without players' messages to each other, and a refusal of each message."""
    kept: dict[str, Orders] = {
        seat: {key: value for key, value in filed.items() if key != "messages"} for seat, filed in orders.items()
    }
    refusals = [
        Notice(
            "refusal",
            "",
            "",
            seat,
            {"order": f"messages[{index}]", "code": NO_MESSAGES, "reason": REFUSALS[NO_MESSAGES]},
        )
        for seat, filed in orders.items()
        if seat != filings.GM
        for index in range(len(filed.get("messages", ())))
    ]
    return kept, refusals


def _prove_tape(given: TapeFile | None, rolls: list[Roll], campaign: Campaign) -> None:
    if given:
        read = manual_dice.read(given.data, given.file, campaign.seats)
        if problems := manual_dice.wrong(read, rolls, given.data, given.file):
            raise Faults(problems)
