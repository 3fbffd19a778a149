"""The order form in the real Chromium: it follows the castle as the engine does, offers what is allowed, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kingdom.campaign.campaign import open_campaign
from kingdom.engine.dice import NoDice
from kingdom.engine.turn import resolve
from kingdom.games.cardinals_guards.orders import CASTLE, form_page, legality, moves
from kingdom.games.cardinals_guards.orders.castle import standing
from kingdom.games.cardinals_guards.orders.legality import legal
from kingdom.games.cardinals_guards.orders.moves import Lure, Move
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import (
    CELLS,
    COINS,
    CORNERS,
    ESCAPED,
    KILLED,
    POSTS,
    RANKS,
    SIDES,
    SUITS,
    TILES,
    Board,
    Deal,
    Table,
    dealt,
    pawns_on,
    replace,
)  # fmt: skip
from kingdom.games.cardinals_guards.steps import Now
from kingdom.mail.outgoing.reporting import form_pages
from kingdom.mail.tokens import turn_token
from kingdom.orders import orders_file as reading
from kingdom.render.order_form import as_data
from tests.games.cardinals_guards.kit import DEAL, GAME, GOLDEN, RULES, order_of, played, rules, score, table_of, walk
from tests.kit.browser import PROGRAM, Browser
from tests.kit.formkit import FACTS, Place
from tests.plays import cardinals_guards as league

pytestmark = pytest.mark.package("chromium", PROGRAM)
TEXT = "OrderForm.draft.text()"
PERFECT = [each["order"] for each in GOLDEN["orders"]]
SEATS = ("athos", "porthos")
VARIANTS = {
    "as they are": RULES,
    "passing, own suits": rules(search={"pass_through_counts": True}, variants={"own_suit_removal": True}),
    "standing, no recruits": rules(zero_length={"stop": True}, variants={"no_recruiting": True}),
    "clearing one's exit": rules(tunnel_removal={"when": "before_choosing"}),
    "all otherwise": rules(
        search={"pass_through_counts": True}, zero_length={"stop": True}, tunnel_removal={"when": "before_choosing"},
        variants={"own_suit_removal": True}, scoring={"chamber": 3, "escaped": 7, "guard": 2},
    ),
}  # fmt: skip
some_castles = pytest.mark.parametrize("count", [7, pytest.param(60, marks=pytest.mark.long)])
every_rules = pytest.mark.parametrize("by", VARIANTS.values(), ids=VARIANTS)
# In the short run the rules in which every ruling is another one; the usual ones are those of all other tests here.
some_rules = pytest.mark.parametrize(
    "by",
    [
        pytest.param(by, id=name, marks=() if name == "all otherwise" else pytest.mark.long)
        for name, by in VARIANTS.items()
    ],
)

# The board behind each order, none where it is not allowed; and every order that is offered, each way to fill it in.
FOLLOWED = """
([data, orders]) => orders.map((order) => {
  const { of, ...board } = (Castle.after(Castle.start(data), order) || { position: {} }).position;
  return board.pawns ? board : null;
})
"""
PRESSED = """
([order, start, defeat, exit]) => {
  const way = document.querySelector(`[data-order="${start}"]`);
  const lists = way ? [...way.querySelectorAll('select')] : [];
  if (!lists.length) {
    document.querySelector(`button[data-order="${order}"]`).click();
    return;
  }
  for (const [label, cell] of [['Defeat', defeat], ['Exit', exit]]) {
    if (!cell) continue;
    const list = lists.find((each) => [...each.labels].some((words) => words.textContent.includes(label)));
    list.value = [...list.options].find((option) => option.textContent.startsWith(cell)).value;
    for (const event of ['input', 'change']) list.dispatchEvent(new Event(event, { bubbles: true }));
  }
  [...way.querySelectorAll('button')].find((button) => button.textContent.includes('Order it')).click();
}
"""
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


def place(board: Board | None = None, deal: Deal = DEAL, by: Rules = RULES) -> Place:
    """Athos before a turn, beside Porthos who has not begun."""
    return Place(
        "athos", GAME, table_of(deal, athos=board or dealt(deal), porthos=dealt(deal)), "athos", by, {"seats": SEATS}
    )


def castle_of(board: Board, deal: Deal, by: Rules) -> Any:
    """What the page follows the castle by."""
    return json.loads(as_data(CASTLE.data(Now(table_of(deal, athos=board), "athos", by))))


def standing_of(board: Board, by: Rules) -> Any:
    """A board as the page has it."""
    return json.loads(as_data(standing(board, by)))


def anything(random: Random) -> tuple[Board, Deal]:
    """Any castle, its pieces anywhere: whether or not a game leads there."""
    tiles = dict(zip(CELLS, random.sample(TILES, len(TILES)), strict=True))
    coins = random.sample(COINS, len(COINS))
    cells = random.sample(CELLS, len(CELLS))
    pawns = {suit: random.choice((*[cells.pop()] * 6, ESCAPED, KILLED)) for suit in SUITS}
    shut = [corner for corner in CORNERS if corner in cells] if random.random() < 0.3 else []
    castle = {*shut, *cells[: random.randrange(8)]}
    perimeter = {post: coin for post, coin in zip(POSTS, coins, strict=False) if random.random() < 0.7}
    board = Board(
        "",
        pawns,
        {suit: random.choice(RANKS) for suit in SUITS},
        perimeter,
        tuple(sorted(castle)),
        {suit: random.randrange(3) for suit in SUITS},
    )
    return replace(board, orders=random.randrange(50)), Deal(
        tiles, dict(zip(POSTS, coins, strict=False)), "".join(coins[len(POSTS) :])
    )


def in_a_game(random: Random, by: Rules) -> tuple[Board, Deal]:
    """Where a game at random has come to."""
    _, deal = anything(random)
    steps = walk([random.randrange(10_000) for _ in range(random.randrange(60))], deal, by)
    return (steps[-1][1] if steps else dealt(deal)), deal


def positions(seed: int, count: int, by: Rules) -> Iterator[tuple[Board, Deal]]:
    """Boards that have nothing in common, and those of the perfect game."""
    random = Random(seed)
    for number in range(count):
        yield anything(random) if number % 2 else in_a_game(random, by)
    yield from ((played(PERFECT[:number]), DEAL) for number in (0, 14, 40, len(PERFECT) - 1))


def asked(random: Random, board: Board, deal: Deal, by: Rules) -> list[Move | Lure]:
    """All that is allowed, every plain move, and as many orders in which one thing or the other is hardly ever right."""
    cells = [*CELLS, "c3"]
    found: list[Move | Lure] = [
        *legal(board, deal, by),
        *(Move(suit, side) for suit in SUITS for side in SIDES),
    ]
    for _ in range(60):
        suit, exit, defeat = (
            random.choice(SUITS),
            random.choice(("", "", *CORNERS, "b2")),
            random.choice(("", "", *board.castle, "d4")),
        )
        found += [
            Move(suit, random.choice(list(SIDES)), exit, defeat, random.random() < 0.2),
            Lure(suit, random.choice(cells)),
        ]
    return found


def record(order: Move | Lure) -> dict[str, str]:
    """The order as the page's reader of orders files has it."""
    named = {"lure": order.suit, "cell": order.cell} if isinstance(order, Lure) else {
        "move": order.suit.lower(), "dir": order.side.lower(), "exit": order.exit, "defeat": order.defeat, "recruit": "yes" if order.recruit else "",
    }  # fmt: skip
    return {key: word for key, word in named.items() if word}


def behind(order: Move | Lure, board: Board, deal: Deal, by: Rules) -> dict[str, Any] | None:
    """The board behind an order as the page has it, by the engine; None where it is not allowed."""
    if legality.forbidden(order, board, deal, by):
        return None
    return standing_of(legality.after(order, board, deal, by), by)


# --- the page and the engine


@some_castles
@some_rules
def test_the_page_follows_the_castle_as_the_engine_does(
    browser: Browser, tmp_path: Path, by: Rules, count: int
) -> None:
    """The same board behind every order, and none where the engine allows none."""
    place().show(browser, tmp_path)
    random, allowed, tried = Random(3), 0, 0
    for board, deal in positions(1, count, by):
        asked_for = asked(random, board, deal, by)
        found = browser.page.evaluate(FOLLOWED, [castle_of(board, deal, by), [record(order) for order in asked_for]])
        for order, said in zip(asked_for, found, strict=True):
            wanted = behind(order, board, deal, by)
            assert said == wanted, (order, board, deal)
            allowed, tried = allowed + (wanted is not None), tried + 1
    assert 500 * count / 60 < allowed < tried - 2000 * count / 60


@some_castles
@some_rules
def test_all_that_is_allowed_is_offered_and_nothing_else(
    browser: Browser, tmp_path: Path, by: Rules, count: int
) -> None:
    place().show(browser, tmp_path)
    for board, deal in positions(2, count, by):
        offered = [moves.order_of(each) for each in browser.page.evaluate(OFFERED, castle_of(board, deal, by))]
        assert sorted(map(str, offered)) == sorted(map(str, legal(board, deal, by))), (board, deal)


# --- filled in


def carried_out(where: Place, browser: Browser) -> Board:
    """The board behind the orders file that the form shows: the engine reads it and carries all of it out, and the page knew what comes of it."""
    filing = reading.read(browser.ask(TEXT).encode(), "form.yaml", GAME, where.names, where.seat, where.state.turn + 1)
    assert filing.orders is not None, filing.problems
    result = resolve(GAME, where.state, {where.seat: filing.orders}, NoDice(), where.rules)
    assert [notice.facts for notice in result.notices if notice.kind == "refusal"] == []
    board = result.after.seats[where.seat].board
    assert browser.ask("(({ of, ...board }) => board)(OrderForm.draft.counted.state.position)") == standing_of(
        board, where.rules
    )
    assert (
        browser.page.locator("#counters [data-counter=points] b")
        .inner_text()
        .startswith(f"{score(board, where.rules)} of ")
    )
    return board


def press(browser: Browser, order: str) -> None:
    """Give an order, in short form, by its button or by what is filled in, in one call of the browser."""
    words = order.split()
    cells = [words[words.index(word) + 1] if word in words else "" for word in ("defeat", "exit")]
    browser.page.evaluate(PRESSED, [order, " ".join(words[:3]), *cells])


@pytest.mark.long
def test_a_perfect_game_is_pressed_from_its_first_order_to_its_last(browser: Browser, tmp_path: Path) -> None:
    where = place()
    where.show(browser, tmp_path)
    for order in PERFECT:
        press(browser, order)
    board = carried_out(where, browser)
    assert list(board.trail) == [moves.short(order_of(text)) for text in PERFECT] and score(board) == 52
    assert "52 of 52" in browser.page.locator("#counters").inner_text()
    assert browser.page.locator("summary", has_text="Crown musketeer: escaped").count() == 1


def test_the_keyboard_alone_is_enough(browser: Browser, tmp_path: Path) -> None:
    """From the top of the page: Tab to a musketeer, an arrow moves him; Enter shows what else he may do; a way through the tunnels; a lure."""
    where = place(played(PERFECT[:8]))  # the moon musketeer is on a5, the next chamber of his behind the tunnels
    where.show(browser, tmp_path)
    keys = browser.page.keyboard

    def tab_to(wanted: str) -> None:
        for _ in range(80):
            keys.press("Tab")
            if browser.ask(f"document.activeElement.matches('{wanted}')"):
                return
        raise AssertionError(f"Tab does not lead to {wanted}")

    tab_to("[data-piece=M]")
    keys.press("ArrowRight")
    assert browser.page.locator("#said").inner_text() == "Ordered: 1. move M E: to c5, searches M2."
    keys.press("ArrowDown")
    assert browser.ask("document.activeElement.closest('[data-order]').dataset.order") == "move M S"
    assert browser.page.locator("#said").inner_text() == "South, through the tunnels: choose and order it."
    keys.press("ArrowDown")
    tab_to("[data-order] .add")
    keys.press("Enter")
    assert "to a5" in browser.page.locator("#said").inner_text()
    browser.ask("document.querySelector('[data-piece=A]').focus()")
    keys.press("Enter")
    assert browser.ask("document.activeElement.textContent").startswith("Arms musketeer on d5")
    tab_to('[data-group="lure S"] button')
    keys.press("Space")
    assert list(carried_out(where, browser).trail[-3:]) == ["move M E", "move M S exit a5", "lure S c4"]


@pytest.mark.long
def test_a_finger_moves_a_musketeer_on_the_board(browser: Browser, tmp_path: Path) -> None:
    where = place()
    where.show(browser, tmp_path, 360)
    browser.page.locator("[data-piece=C]").tap()
    assert sorted(browser.ask("[...document.querySelectorAll('.lit')].map((each) => each.dataset.cell)")) == [
        "a5",
        "b1",
        "e5",
    ]
    browser.page.locator("[data-cell=e5]").tap()
    assert carried_out(where, browser).trail == ("move C E",)


# --- as one goes


def test_what_is_not_possible_says_why(browser: Browser, tmp_path: Path) -> None:
    place().show(browser, tmp_path)
    browser.page.locator('[data-order="move M N"]').click(force=True)
    assert browser.page.locator("#said").inner_text() == "Not possible: north, the arms musketeer is on d2."
    assert browser.ask("OrderForm.draft.entries.length") == 0


@pytest.mark.long
def test_an_undo_takes_back_what_was_chosen_behind_it(browser: Browser, tmp_path: Path) -> None:
    where = place()
    where.show(browser, tmp_path)
    for order in PERFECT[:6]:
        press(browser, order)
    browser.page.get_by_role("button", name="Undo: 3. move A W").click()
    assert carried_out(where, browser).trail == tuple(PERFECT[:2])
    assert (
        browser.page.locator("#said").inner_text() == "Taken back: 3. move A W; 4. move A E; 5. move A N; 6. move M N."
    )
    browser.page.get_by_role("button", name="Take back the last order").click()
    assert carried_out(where, browser).trail == ("move C E",)


def test_a_file_goes_on_from_where_it_was(browser: Browser, tmp_path: Path) -> None:
    """It says how many orders were carried out before, so a file that comes twice does no harm."""
    where = place(played(PERFECT[:10]))
    filed = f"kingdom: athos\nturn: 1\ncontinue_from: 10\norders: [{', '.join(PERFECT[10:14])}]\nfinish: true\n"
    where.show(browser, tmp_path, facts=FACTS._replace(filed=filed))
    assert "continue_from: 10\n" in browser.ask(TEXT)
    board = carried_out(where, browser)
    assert list(board.trail) == list(played(PERFECT[:14]).trail) and board.orders == 14
    assert "finish: true" in browser.ask(TEXT) and browser.page.locator("#chosen .mark").count() == 0


def test_a_line_of_ones_own_stops_the_board_until_it_goes(browser: Browser, tmp_path: Path) -> None:
    """What the engine would refuse may be asked for all the same; what is behind it is read again when it is taken back."""
    where = place()
    filed = "kingdom: athos\nturn: 1\norders: [move C E, move S S, move C S]\n"
    where.show(browser, tmp_path, facts=FACTS._replace(filed=filed))
    assert browser.ask("OrderForm.draft.entries.map((entry) => Boolean(entry.line))") == [False, True, True]
    assert "only the program can tell" in browser.page.locator(".possible").inner_text()
    _, refusals, _ = where.verdict(browser.ask(TEXT))
    assert [each.partition(":")[0] for each in refusals] == ["orders[1]"]
    browser.page.get_by_role("button", name="Undo: orders: {move: s, dir: s}").click()
    assert carried_out(where, browser).trail == ("move C E", "move C S")
    browser.page.click("#clear")
    browser.page.fill("#own-text", "orders: [move C E, move C S]")
    browser.page.click("#own-add")
    assert "only the program can tell" in browser.page.locator(".possible").inner_text()
    assert [each["move"] for each in where.orders(browser.ask(TEXT))["orders"]] == ["c", "c"]


@pytest.mark.long
def test_no_file_holds_more_orders_than_are_read(browser: Browser, tmp_path: Path) -> None:
    place().show(browser, tmp_path)
    browser.ask("OrderForm.form.keys.orders.most = 2")
    for order in PERFECT[:2]:
        press(browser, order)
    assert browser.page.locator(".possible").inner_text() == "No more orders go into one file."
    browser.page.get_by_role("button", name="Take back the last order").click()
    assert browser.page.locator(".possible [data-group]").count() > 4


@pytest.mark.long
def test_the_board_stands_as_the_orders_leave_it(browser: Browser, tmp_path: Path) -> None:
    """Drawn and in words: pieces where they are, chambers searched, guards gone."""
    where = place()
    where.show(browser, tmp_path)
    for order in (*PERFECT[:10], "lure A a2"):
        press(browser, order)
    board = carried_out(where, browser)
    seen = browser.ask("""[...document.querySelectorAll('[data-piece]')].map((pawn) => {
      const [one, other] = [pawn, document.querySelector(`[data-cell="${OrderForm.draft.counted.state.position.pawns[pawn.dataset.piece]}"]`)].map((each) => each.getBoundingClientRect());
      return one.left > other.left && one.right < other.right && one.top > other.top && one.bottom < other.bottom;
    })""")
    assert seen == [True] * len(pawns_on(board))
    guards = browser.ask(
        "[...document.querySelectorAll('[data-guard]:not([display])')].map((each) => each.dataset.guard)"
    )
    assert sorted(guards) == sorted([*board.perimeter, *board.castle])
    done = browser.ask("[...document.querySelectorAll('.tile.done')].map((each) => each.dataset.cell)")
    assert sorted(DEAL.tiles[cell] for cell in done) == ["A1", "A2", "C1", "M1", "M2", "M3"]
    words = browser.page.locator(".board details").text_content() or ""
    assert "Castle guards: a2 arms." in words and "Row 5: a5 C5, b5 C0" in words


# --- the page itself


def test_it_tells_nothing_hidden(tmp_path: Path) -> None:
    """Not what another made of the castle, not the seed, no token but one's own."""
    where = place(played(PERFECT[:20]))
    assert where.html() == where._replace(state=league.otherwise(where.state, "athos")).html()
    [folder] = league.campaigns(tmp_path)
    text = (
        (folder / "campaign.yaml")
        .read_text(encoding="utf-8")
        .replace("athos: {}, porthos: {}", "athos: {token: a1b2c}, porthos: {token: z9w2r}")
    )
    (folder / "campaign.yaml").write_text(text + "mail: {address: orders@example.org}\n", encoding="utf-8")
    campaign = open_campaign(folder)
    made = form_pages(campaign)
    tokens = {seat: turn_token(campaign, seat, 1) for seat in ("athos", "porthos")}
    for seat, other in (("athos", "porthos"), ("porthos", "athos")):
        assert tokens[seat] in made[seat] and tokens[other] not in made[seat] and league.SEED not in made[seat]
        assert "a1b2c" not in made[seat] and "z9w2r" not in made[seat], "a form holds the token of its turn alone"


def test_who_can_order_nothing_is_told_so() -> None:
    done = replace(played(PERFECT[:9]), finished=True)
    waiting = form_page(table_of(DEAL, athos=done, porthos=dealt(DEAL)), "athos", RULES)
    assert waiting["notice"] == "Your game on this castle is over; wait for the others."
    assert [section["id"] for section in waiting["sections"]] == ["letters"] and "always" not in waiting


def test_the_last_turn_of_a_castle_is_named() -> None:
    table: Table = table_of()
    assert form_page(table, "athos", rules(pace={"turns": 2}))["notice"] == ""
    assert form_page(table, "athos", rules(pace={"turns": 1}))["notice"].startswith(
        "This is the last turn for this castle"
    )
