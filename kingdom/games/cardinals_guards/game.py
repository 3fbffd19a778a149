"""Cardinal's Guards, declared: the castles, the orders, the steps of a turn with the reason for each position, the reports."""

from __future__ import annotations

from functools import partial

from kingdom.engine.game import Forms, Setup, late_in
from kingdom.engine.step import Phase
from kingdom.games.cardinals_guards import TITLE, steps
from kingdom.games.cardinals_guards.orders import CASTLE, FINISH, FROM, form_text, offers, over
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import Seat, Table, as_dealt, with_player
from kingdom.games.cardinals_guards.steps import Turn, accounts, pieces
from kingdom.games.kit import rulings
from kingdom.games.kit.new_campaign import Players, seated
from kingdom.games.kit.table_game import TableGame, deciding, form_page, made, orders_of
from kingdom.orders.schema import Number

late = late_in(__name__)
NAMES = (
    "Athos", "Porthos", "Aramis", "Dartagnan", "Treville", "Planchet", "Grimaud", "Mousqueton", "Bazin", "Constance",
    "Buckingham", "Bernajoux", "Jussac", "Cahusac", "Biscarat", "Felton",
)  # fmt: skip
SETTINGS = {
    "dice": "they lay out the castles.",
    "rules": """\
#rules:
#  pace: {turns: 1, deals: 8}          # a league: each turn a new castle. As it stands: one castle, at most 60 turns
#  variants: {own_suit_removal: true, no_recruiting: true}
#  search: {pass_through_counts: true}

# Every seat plays the same castle on a board of its own; one seat is a solitaire.
""",
    "silent": "a castle waits for its player; hold: the turn waits",
    "every": "7d",
    "steward": "steward_after: 0                      # a silent player's castle waits; 2: after two turns of silence a bot plays on",
}
DEALING = (
    steps.gather_pieces,  # the old castle goes before the new one comes
    steps.lay_tiles,  # the musketeers stand on tiles, so tiles come first
    steps.draw_guards,
)


def start(setup: Setup, rules: Rules) -> Table:
    """The table before the first steps."""
    names = seated(setup, 1, len(setup.seats))
    return Table(seats={seat: Seat(name=names[seat]) for seat in sorted(names)})


def grant(table: Table, turn: Turn, ruling: rulings.Ruling) -> Table:
    """Give or take points beside those of the game. Other seats don't learn of them until the end."""
    seat, by = ruling["grant"], ruling["by"]
    table = with_player(table, seat, granted=table.seats[seat].granted + by)
    turn.book(seat, accounts(table, seat, turn.rules), "grant", ruling["reason"])
    turn.tell(seat, "happened", text=f"The GM: {by:+} points: {ruling['reason']}.")
    return table


DECLARED = TableGame(
    file=__file__,
    title=TITLE,
    State=Table, Rules=Rules, Seat=Seat,
    players=Players(usual=2, least=1, most=len(NAMES)),
    names=NAMES,
    settings=SETTINGS,
    start=start,
    opening=(Phase("deal", DEALING[1:]),),
    orders=[CASTLE, FINISH],
    phases=(
        # each seat's orders on its own board, one after the other; the first that is not allowed stops them
        Phase("castle", (deciding(CASTLE, "carry_out_orders"),)),
        Phase("closing", (
            steps.finish_games,  # after the orders: a player may end the game with the orders that end it
            steps.end_deal,  # only now is it known who is done
        )),
        Phase("deal", DEALING),  # last: the report shows the castle that the next orders are for
    ),
    causes=steps.CAUSES,
    codes={"table_nothing_to_void": "guards_void_nothing", "table_ended_already": "guards_ended_already"},
    accounts=accounts,
    grant="total",
    amount="by",
    acts={"grant": grant},
    counts=("total", "all_orders"),
    fewer=("all_orders",),
    unit="points",
    over=lambda table: "every castle is finished" if table.over else "",
    hides=as_dealt,
    heading=late("report", "heading"),
    lines=lambda table, rules: [],  # each seat has a castle of its own, which `also` draws
    sections={"castle": "The castle", "moves": "What you can do", "players": "Deals that are over"},
    first=late("report", "first"),
    figures=late("report", "figures"),
    also=late("report", "also"),
    waits=lambda table, rules: over(table),
    page=late("report", "page"),
    bots={"captain": late("bots", "captain")},
    likely=late("bots", "likely"),
)  # fmt: skip
GAME = made(
    DECLARED,
    orders=orders_of(
        DECLARED.orders, {FROM: Number("how many orders were carried out on this deal before", 0, 9999, 12)}
    ),
    offers=offers,
    forms=Forms(text=form_text, page=partial(form_page, DECLARED)),
    foreseen_to="castle",
    pieces=pieces,
    draw=late("report", "draw"),
    picture=late("report", "picture"),
    rulebook=late("report", "rulebook"),
    solve=late("solver", "solve"),
)
