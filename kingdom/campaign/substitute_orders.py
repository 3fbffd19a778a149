"""Orders for a seat that nobody filed for: from the bot that holds it, or from a steward if its player fell silent.

A bot writes its orders as a text, like a player, from what its seat may know. The text is kept with the turn like any
filed orders, so running a turn again asks no bot.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from pathlib import Path

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import filings, store
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.filings import Filings
from kingdom.campaign.settings import Player
from kingdom.campaign.store import Kept
from kingdom.engine import game as games
from kingdom.engine.dice import key_of, throw
from kingdom.engine.game import AnyBot, AnyGame, Letter
from kingdom.engine.step import AnyState, Notice, Orders

ALL = "all"  # the seat of a notice that everybody may read
READ_BACK = 12  # turns whose letters a bot reads


def bot_of(players: Mapping[str, Player], seat: str) -> str:
    """Return the bot that holds the seat, "" if a person holds it or nobody."""
    return players[seat].bot if seat in players else ""


def stewards(campaign: Campaign, silent: Mapping[str, int]) -> dict[str, str]:
    """Return seat -> steward for each player who was silent for `steward_after` turns. The game's first bot is the steward.

    silent: seat -> turns in a row, up to the turn before, that asked it for orders and got none.
    """
    after, steward = campaign.settings.steward_after, next(iter(campaign.game.bots), "")
    if not after or not steward:
        return {}
    return {
        seat: steward
        for seat, turns in silent.items()
        if turns >= after and seat in campaign.seats and not bot_of(campaign.settings.players, seat)
    }


def silence(
    campaign: Campaign, state: AnyState, rules: object, before: Mapping[str, int], filed: Filings
) -> dict[str, int]:
    """Return seat -> turns in a row that asked it for orders and got none, the one after `state` included.

    A turn that does not ask a seat leaves its number as it is, unless orders come all the same. Seats that bots hold are never
    silent, nor are seats not yet in play. before: the same up to the turn before.
    """
    game, players = campaign.game, campaign.settings.players
    asked = frozenset(games.asked(game, state, rules))
    by_people = filed.files.keys() - filed.bots.keys()
    live = [seat for seat in game.seats(state) if seat in campaign.seats]
    silent = [seat for seat in live if seat not in by_people and not bot_of(players, seat)]
    counts = {seat: before.get(seat, 0) + (seat in asked) for seat in silent}
    return {seat: count for seat, count in counts.items() if count}


def with_bots(
    campaign: Campaign, state: AnyState, attempt: int, rules: object, filed: Filings, silent: Mapping[str, int]
) -> Filings:
    """Return the orders filed for the turn after `state`, with those of bots for the seats in play that nobody filed for.

    attempt: that of the turn. silent: see `stewards`, who act if the turn asks the seat for orders. Raises Faults if a bot writes
    invalid orders.
    """
    players, asked = campaign.settings.players, games.asked(campaign.game, state, rules)
    standing = {seat: bot for seat, bot in stewards(campaign, silent).items() if seat in asked}
    standing |= {seat: player.bot for seat, player in players.items() if player.bot}
    bots = {seat: standing[seat] for seat in campaign.game.seats(state) if seat in standing and seat not in filed.files}
    if not bots:
        return filed
    letters = letters_of(campaign, state.turn, rules)
    number = state.turn + 1
    keys = {seat: campaigns.key_of(campaign, number, drawn_by(seat), attempt) for seat in bots}
    files = {
        seat: written_by(campaign.game, campaign.game.bots[bot], state, seat, rules, keys[seat], letters)
        for seat, bot in bots.items()
    }
    read = filings.read(files, filings.folder_of(campaign.folder, number), campaign.game, rules, campaign.seats, number)
    return filed._replace(files={**filed.files, **read.files}, orders={**filed.orders, **read.orders}, bots=bots)


def text_of(
    game: AnyGame,
    bot: AnyBot,
    state: AnyState,
    seat: str,
    rules: object,
    seed: str,
    attempt: int = 1,
    letters: Iterable[Letter] | None = None,
) -> bytes:
    """Return the orders that a bot files for the turn after `state`. Its random draws come from the seed, apart from the dice.

    letters: all that players wrote in the last turns, of which it gets those that it wrote or was written; None where they may not, or
    where bots read none.
    """
    key = key_of(seed, state.turn + 1, drawn_by(seat), attempt)
    return written_by(game, bot, state, seat, rules, key, letters)


def drawn_by(seat: str) -> str:
    """Return the name to which the draws of a seat's bot are keyed."""
    return f"bot:{seat}"


def written_by(
    game: AnyGame, bot: AnyBot, state: AnyState, seat: str, rules: object, key: str, letters: Iterable[Letter] | None
) -> bytes:
    """Return the orders that a bot writes. key: of its draws; the rest as in `text_of`."""
    mine = None if letters is None else [letter for letter in letters if seat in letter[:2] or letter.to == ALL]
    more = () if mine is None else (mine,)
    return bot(game.known(state, seat, rules), seat, rules, chance_of(key), *more).encode()


def letters_of(campaign: Campaign, turn: int, rules: object) -> list[Letter] | None:
    """Return what players wrote to each other in the last turns up to a kept one, the oldest first; None if the campaign lets them not.
    What the GM voided is left out."""
    if not campaign.game.bots_write or not campaign.settings.messages:
        return None
    return [
        letter
        for number in range(max(1, turn - READ_BACK + 1), turn + 1)
        for letter in written_in(campaign, campaigns.kept(campaign, number), rules)
    ]


def written_in(campaign: Campaign, kept: Kept, rules: object) -> list[Letter]:
    """Return the letters of a kept turn that the GM did not make void. They are remembered: each is asked for in many turns."""
    if kept.digest not in _letters:
        turn = kept.record.turn
        names = [name for name in kept.record.files if name.startswith("orders/") and not name.endswith("/gm.yaml")]
        files = {Path(name).stem: store.file_of(kept, name) for name in names}
        read = filings.read(files, kept.folder / "orders", campaign.game, rules, campaign.seats, turn, lenient=True)
        voided = {(each["seat"], each["facts"]["order"]) for each in kept.record.notices if each["kind"] == "voided"}
        while len(_letters) >= 2 * READ_BACK:
            del _letters[next(iter(_letters))]
        _letters[kept.digest] = written(read.orders, voided, turn)
    return _letters[kept.digest]


_letters: dict[str, list[Letter]] = {}  # digest of a kept turn's record -> its letters


def written(orders: Mapping[str, Orders], voided: Container[tuple[str, str]] = (), turn: int = 0) -> list[Letter]:
    """Return the letters that stand in orders of that turn. voided: (seat, place) of those that do not count."""
    return [
        Letter(seat, message["to"], message["text"], turn)
        for seat, filed in orders.items()
        for index, message in enumerate(filed.get("messages", ()))
        if (seat, "messages") not in voided and (seat, f"messages[{index}]") not in voided
    ]


def chance_of(key: str) -> Callable[[str, int], int]:
    """Return chance(name, sides), which gives the next roll of that name under the key, 1 to `sides`."""
    counts: dict[str, int] = {}

    def chance(name: str, sides: int) -> int:
        counts[name] = counts.get(name, 0) + 1
        return throw(key, name, counts[name], sides)

    return chance


def news(bots: Iterable[str], silent: Container[str]) -> list[Notice]:
    """Return the notices to everybody about seats of players for which a steward gave orders in this turn.

    bots: the seats that bots filed for. silent: the silent seats, none of which a bot holds.
    """
    return [
        Notice("news", "", "", ALL, {"text": f"The player of {seat} is silent: a bot gave its orders, as steward."})
        for seat in bots
        if seat in silent
    ]
