"""Players' requests to the GM, each with the number by which the GM's order `tell` answers it."""

from __future__ import annotations

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import filings
from kingdom.campaign.campaign import Campaign
from kingdom.engine.named_tuple import NamedTuple
from kingdom.orders import orders_file
from kingdom.orders.orders_file import GM


class Request(NamedTuple):
    """A player's request. number: its place among the open requests of that seat, the oldest first."""

    seat: str
    number: int
    text: str


def all_open(campaign: Campaign) -> list[Request]:
    """Return the requests of kept turns that no turn has answered."""
    asked = campaign.game.requests
    if asked is None or campaigns.newest(campaign) < 0:
        return []
    by_seat = asked(campaigns.state_of(campaign, campaigns.kept(campaign)))
    return [Request(seat, number, text) for seat, texts in by_seat.items() for number, text in enumerate(texts, 1)]


def unanswered(campaign: Campaign) -> list[Request]:
    """Return these without the ones that the GM's filed orders for the next turn answer."""
    requests = all_open(campaign)
    closed = answered(campaign, max(1, campaigns.newest(campaign) + 1)) if requests else frozenset()
    return [request for request in requests if (request.seat, request.number) not in closed]


def filed(campaign: Campaign) -> list[Request]:
    """Return the requests in the orders that players have filed for the next turn."""
    turn = max(1, campaigns.newest(campaign) + 1)
    folder = filings.folder_of(campaign.folder, turn)
    found = {seat: filings.content(folder / f"{seat}{filings.ENDING}") for seat in campaign.seats}
    files = {seat: data for seat, data in found.items() if data and b"requests" in data.lower()}
    if not files:
        return []
    older, rules = all_open(campaign), campaigns.rules_today(campaign).rules
    before = {seat: sum(request.seat == seat for request in older) for seat in files}
    filed = filings.read(files, folder, campaign.game, rules, campaign.seats, turn, lenient=True)
    return [
        Request(seat, before[seat] + number, text)
        for seat, orders in filed.orders.items()
        for number, text in enumerate(orders.get("requests") or (), 1)
    ]


def answered(campaign: Campaign, turn: int) -> frozenset[tuple[str, int]]:
    """Return (seat, number) of each request that the GM's filed orders for a turn answer."""
    file = filings.folder_of(campaign.folder, turn) / f"{GM}{filings.ENDING}"
    data = filings.content(file)
    if data is None:
        return frozenset()
    names = campaigns.names_today(campaign)
    orders = orders_file.read(data, file.name, campaign.game, names, GM, turn).orders or {}
    tells = (told for told in orders.get("tell") or () if isinstance(told, dict))
    return frozenset((told["to"], told["answers"]) for told in tells if told.get("answers"))
