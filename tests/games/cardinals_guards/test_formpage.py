"""The script of this game's form follows the castle as the engine does. What every game's form does, tests/games/test_form_pages.py presses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kingdom.engine.dice import NoDice
from kingdom.engine.turn import resolve
from kingdom.games.cardinals_guards import state
from kingdom.games.cardinals_guards.orders import CASTLE, moves, standing
from kingdom.games.cardinals_guards.orders.moves import Lure, Move
from kingdom.games.cardinals_guards.state import CORNERS, SIDES, SUITS, Board, Deal, dealt, replace
from kingdom.games.cardinals_guards.steps import Now
from kingdom.render.order_form import as_data
from tests.games.cardinals_guards.kit import DEAL, GAME, GOLDEN, RULES, played, rules, score, table_of, walk
from tests.kit.browser import PROGRAM, Browser
from tests.kit.formkit import FACTS, TEXT, Place

pytestmark = pytest.mark.package("chromium", PROGRAM)
PERFECT = [each["order"] for each in GOLDEN["orders"]]
VARIANTS = {
    "all otherwise": rules(
        search={"pass_through_counts": True}, zero_length={"stop": True}, tunnel_removal={"when": "before_choosing"},
        variants={"own_suit_removal": True}, scoring={"chamber": 3, "escaped": 7, "guard": 2},
    ),  # the short run takes these alone: the usual ones are those of all other tests here
    "as they are": RULES,
    "passing, own suits": rules(search={"pass_through_counts": True}, variants={"own_suit_removal": True}),
    "standing, no recruits": rules(zero_length={"stop": True}, variants={"no_recruiting": True}),
    "clearing one's exit": rules(tunnel_removal={"when": "before_choosing"}),
}  # fmt: skip
# The board behind each order, none where it is not allowed.
FOLLOWED = """
([data, orders]) => orders.map((order) => {
  const { of, ...board } = (Castle.after(Castle.start(data), order) || { position: {} }).position;
  return board.pawns ? board : null;
})
"""
# Every order that is offered, each way to fill it in.
OFFERED = """
(data) => {
  const found = [];
  const filled = (offer, values, left) => {
    if (!left.length) return Fields.objection(offer, values) || found.push(Filling.filled(offer.value, values));
    const [field, ...rest] = left;
    if (field.none) filled(offer, values, rest);
    for (const option of field.options) filled(offer, { ...values, [field.name]: option.value }, rest);
  };
  for (const group of Sequence.groups(Castle.start(data))) {
    for (const offer of group.offers) if (!offer.why) filled(offer, {}, offer.fields || []);
  }
  return found;
}
"""
Show = Callable[..., Place]


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Show:
    """Opens the form of Athos before a turn, beside Porthos who has not begun."""

    def opened(board: Board | None = None, filed: str = "", width: int = 1280) -> Place:
        table = table_of(DEAL, athos=board or dealt(DEAL), porthos=dealt(DEAL))
        place = Place("athos", GAME, table, "athos", RULES, {"seats": ("athos", "porthos")})
        place.show(browser, tmp_path, width, FACTS._replace(filed=filed and f"{place.head()}{filed}"))
        return place

    return opened


def data_of(value: object) -> Any:
    """A value as the page has it."""
    return json.loads(as_data(value))


def anything(random: Random) -> tuple[Board, Deal]:
    """Any castle, its pieces anywhere: whether or not a game leads there."""
    tiles = dict(zip(state.CELLS, random.sample(state.TILES, len(state.TILES)), strict=True))
    coins, cells = random.sample(state.COINS, len(state.COINS)), random.sample(state.CELLS, len(state.CELLS))
    posts = dict(zip(state.POSTS, coins, strict=False))
    pawns = {suit: random.choice((*[cells.pop()] * 6, state.ESCAPED, state.KILLED)) for suit in SUITS}
    shut = [corner for corner in CORNERS if corner in cells] if random.random() < 0.3 else []
    board = Board(
        bag="", pawns=pawns, searched={suit: random.choice(state.RANKS) for suit in SUITS},
        perimeter={post: coin for post, coin in posts.items() if random.random() < 0.7},
        castle=tuple(sorted({*shut, *cells[: random.randrange(8)]})),
        supply={suit: random.randrange(3) for suit in SUITS}, orders=random.randrange(50),
    )  # fmt: skip
    return board, Deal(tiles, posts, "".join(coins[len(posts) :]))


def positions(seed: int, count: int, by: Any) -> Iterator[tuple[Board, Deal]]:
    """Boards that have nothing in common, those of games at random, and some of the perfect game."""
    random = Random(seed)
    for number in range(count):
        board, deal = anything(random)
        steps = walk([random.randrange(10_000) for _ in range(random.randrange(60))], deal, by)
        yield (board, deal) if number % 2 else (steps[-1][1] if steps else dealt(deal), deal)
    yield from ((played(PERFECT[:number]), DEAL) for number in (0, 14, 40, len(PERFECT) - 1))


def asked(random: Random, board: Board, allowed: list[Move | Lure]) -> list[Move | Lure]:
    """All that is allowed, every plain move, and orders in which one thing or the other is hardly ever right."""
    orders = [*allowed, *(Move(suit, side) for suit in SUITS for side in SIDES)]
    for _ in range(60):
        exit, defeat = random.choice(("", "", *CORNERS, "b2")), random.choice(("", "", *board.castle, "d4"))
        orders.append(Move(random.choice(SUITS), random.choice([*SIDES]), exit, defeat, random.random() < 0.2))
        orders.append(Lure(random.choice(SUITS), random.choice([*state.CELLS, "c3"])))
    return orders


@pytest.mark.parametrize("count", [7, pytest.param(60, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if number else ()) for number, name in enumerate(VARIANTS)]
)
def test_the_page_follows_the_castle_and_offers_all_that_is_allowed_and_nothing_else(
    browser: Browser, show: Show, name: str, count: int
) -> None:
    show()
    random, by, allowed, tried = Random(3), VARIANTS[name], 0, 0
    for board, deal in positions(1, count, by):
        legal = list(moves.legal(board, deal, by))
        data, orders = data_of(CASTLE.data(Now(table_of(deal, athos=board), "athos", by))), asked(random, board, legal)
        found = browser.page.evaluate(FOLLOWED, [data, [moves.record_of(order) for order in orders]])
        for order, said in zip(orders, found, strict=True):
            may = not moves.forbidden(order, board, deal, by)
            then = data_of(standing(moves.after(order, board, deal, by), by)) if may else None
            assert said == then, (order, board)
            allowed, tried = allowed + may, tried + 1
        offered = [moves.order_of(order) for order in browser.page.evaluate(OFFERED, data)]
        assert sorted(map(str, offered)) == sorted(map(str, legal)), (board, deal)
    assert 500 * count / 60 < allowed < tried - 2000 * count / 60


# --- what is drawn and pressed in this game alone


def carried_out(place: Place, browser: Browser) -> Board:
    """The board behind the orders that the form shows: the engine carries all of them out, and the page knew what comes of it."""
    orders = place.orders(browser.ask(TEXT))
    result = resolve(GAME, place.state, {place.seat: orders}, NoDice(), place.rules)
    assert [notice.facts for notice in result.notices if notice.kind == "refusal"] == []
    board = result.after.seats[place.seat].board
    followed = browser.ask("(({ of, ...board }) => board)(OrderForm.draft.counted.state.position)")
    assert followed == data_of(standing(board, place.rules))
    shown = browser.page.locator("#counters [data-counter=points] b").inner_text()
    assert shown.startswith(f"{score(board, place.rules)} of ")
    return board


def test_the_keyboard_alone_is_enough(browser: Browser, show: Show) -> None:
    """From the top of the page: Tab to a musketeer, an arrow moves him; Enter shows what else he may do; a way through the tunnels; a lure."""
    place = show(played(PERFECT[:8]))  # the moon musketeer is on a5, the next chamber of his behind the tunnels
    keys, said = browser.page.keyboard, browser.page.locator("#said")

    def tab_to(wanted: str) -> None:
        for _ in range(80):
            keys.press("Tab")
            if browser.ask(f"document.activeElement.matches('{wanted}')"):
                return
        raise AssertionError(f"Tab does not lead to {wanted}")

    tab_to("[data-piece=M]")
    keys.press("ArrowRight")
    assert said.inner_text() == "Ordered: 1. move M E: to c5, searches M2."
    keys.press("ArrowDown")
    assert browser.ask("document.activeElement.closest('[data-order]').dataset.order") == "move M S"
    assert said.inner_text() == "South, through the tunnels: choose and order it."
    keys.press("ArrowDown")
    tab_to("[data-order] .add")
    keys.press("Enter")
    assert "to a5" in said.inner_text()
    browser.ask("document.querySelector('[data-piece=A]').focus()")
    keys.press("Enter")
    assert browser.ask("document.activeElement.textContent").startswith("Arms musketeer on d5")
    tab_to('[data-group="lure S"] button')
    keys.press("Space")
    assert list(carried_out(place, browser).trail[-3:]) == ["move M E", "move M S exit a5", "lure S c4"]


def test_a_finger_moves_a_musketeer_and_what_is_not_possible_says_why(browser: Browser, show: Show) -> None:
    place = show(width=360)
    browser.ask("""document.querySelector('[data-order="move M N"]').click()""")
    assert browser.page.locator("#said").inner_text() == "Not possible: north, the arms musketeer is on d2."
    browser.page.locator("[data-piece=C]").tap()
    lit = browser.ask("[...document.querySelectorAll('.lit')].map((each) => each.dataset.cell)")
    assert sorted(lit) == ["a5", "b1", "e5"]
    browser.page.locator("[data-cell=e5]").tap()
    assert carried_out(place, browser).trail == ("move C E",)


def test_a_file_goes_on_from_where_it_was_and_the_board_stands_as_its_orders_leave_it(
    browser: Browser, show: Show
) -> None:
    """It says how many orders were carried out before, so a file that comes twice does no harm. Behind an undo the rest is taken back too."""
    orders = [*PERFECT[6:10], "lure A a2"]
    place = show(played(PERFECT[:6]), f"continue_from: 6\norders: [{', '.join(orders)}]\nfinish: true\n")
    board = carried_out(place, browser)
    assert board == replace(played([*PERFECT[:6], *orders]), finished=True)
    seen = browser.ask("""[...document.querySelectorAll('[data-piece]')].map((pawn) => {
      const [one, other] = [pawn, document.querySelector(`[data-cell="${OrderForm.draft.counted.state.position.pawns[pawn.dataset.piece]}"]`)].map((each) => each.getBoundingClientRect());
      return one.left > other.left && one.right < other.right && one.top > other.top && one.bottom < other.bottom;
    })""")
    assert seen == [True] * len(state.pawns_on(board))
    guards = browser.ask(
        "[...document.querySelectorAll('[data-guard]:not([display])')].map(({ dataset }) => dataset.guard)"
    )
    assert sorted(guards) == sorted([*board.perimeter, *board.castle])
    assert browser.ask("document.querySelectorAll('.tile.done').length") == sum(board.searched.values())
    assert "Castle guards: a2 arms." in (browser.page.locator(".board details").text_content() or "")
    browser.page.locator("#chosen .undo").nth(1).click()
    assert carried_out(place, browser).trail[6:] == (orders[0],)


def test_a_line_of_ones_own_stops_the_board_until_it_goes(browser: Browser, show: Show) -> None:
    """What the engine would refuse may be asked for all the same; what is behind it is read again when it is taken back."""
    place = show(filed="orders: [move C E, move S S, move C S]\n")
    assert browser.ask("OrderForm.draft.entries.map((entry) => Boolean(entry.line))") == [False, True, True]
    assert "only the program can tell" in browser.page.locator(".possible").inner_text()
    assert [refusal.partition(":")[0] for refusal in place.verdict(browser.ask(TEXT))[1]] == ["orders[1]"]
    browser.page.get_by_role("button", name="Undo: orders: {move: s, dir: s}").click()
    assert carried_out(place, browser).trail == ("move C E", "move C S")
    browser.ask("OrderForm.form.keys.orders.most = 2")
    browser.page.get_by_role("button", name="Take back the last order").click()
    browser.page.locator("[data-order^='move ']:not([aria-disabled=true])").first.click()
    assert browser.page.locator(".possible").inner_text() == "No more orders go into one file."


def test_the_last_turn_of_a_castle_is_named() -> None:
    notices = [GAME.forms.page(table_of(), "athos", rules(pace={"turns": turns}))["notice"] for turns in (2, 1)]
    assert notices[0].startswith("Press a musketeer") and notices[1].startswith("This is the last turn for this castle")
