"""The order kit with a small game at a market: what is made of orders that are told once, kind by kind."""

import re
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Annotated, Any, TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from kingdom.engine.dice import NoDice
from kingdom.engine.ledger import Books
from kingdom.engine.offer import Offer, fillings, fits, together
from kingdom.engine.refusal import Refusal
from kingdom.engine.step import Notice, Orders, Play, Turn
from kingdom.orders import kit
from kingdom.orders.kit import Candidate, Gap, Pick, Table
from kingdom.orders.kit.order import Now
from kingdom.orders.kit.random_play import draw
from kingdom.orders.schema import ListOf, MapOf, Number, Word


class Market(Struct, frozen=True):
    """Coins in hand, goods bought, places visited."""

    coins: int = 5
    goods: tuple[str, ...] = ()
    turn: int = 0


class Bid(TypedDict):
    """Coins for a good."""

    good: Annotated[str, Word("the good", ("silk", "salt"))]
    coins: Annotated[int, Number("the coins", 1, 9)]


REFUSALS = {"no_coins": "{coins} coins are not there.", "sold": "The {good} is sold."}
PRICE = {"silk": 3, "salt": 1}


class _Buying(kit.Order[Market, None, Bid]):
    key, name, refusals = "buy", "purchases", REFUSALS
    shape = ListOf("what to buy", kit.record(Bid, "a purchase", short=("{good} for {coins}",)), short="commas")

    def asks(self, now: Now[Market, None]) -> str:
        return f"Buy for at most {now.state.coins} coins."

    def candidates(self, now: Now[Market, None]) -> Iterator[Candidate]:
        picks = {"good": Pick("Good", ["silk", "salt"]), "coins": Pick("Coins", [1, 3, 9])}
        yield Candidate(
            "buy",
            {"good": Gap("good"), "coins": Gap("coins")},
            "Buy",
            picks,
            "Buy {good} for {coins}",
            uses={"{good}": 1},
        )

    def objection(self, now: Now[Market, None], order: Bid) -> kit.Objection:
        if order["coins"] > now.state.coins:
            return Refusal("no_coins", {"coins": order["coins"]})
        if order["good"] in now.state.goods:
            return Refusal("sold", {"good": order["good"]})
        return None if order["coins"] >= PRICE[order["good"]] else "It was too dear."

    def carry_out(self, now: Now[Market, None], order: Bid, turn: Turn[Market, None]) -> Market:
        return replace(now.state, coins=now.state.coins - order["coins"], goods=(*now.state.goods, order["good"]))

    def say(self, order: Bid) -> str:
        return f"{order['good']} for {order['coins']}"


class First(_Buying, kit.FirstOf[Market, None, Bid]):
    pass


class Each(_Buying, kit.Each[Market, None, Bid]):
    pass


class Sequence(_Buying, kit.Sequence[Market, None, Bid]):
    pass


class Plan(kit.Plan[Market, None, list[Bid]]):
    key, name, refusals = "plans", "plans", REFUSALS
    shape = ListOf("plans", ListOf("purchases", kit.record(Bid, "a purchase")))

    def parts(self, now: Now[Market, None], order: list[Bid]) -> Iterator[kit.Part[Market, None]]:
        yield from (kit.Part(f"[{number}]", First(), bid) for number, bid in enumerate(order))

    def say(self, order: list[Bid]) -> str:
        return ", then ".join(map(First().say, order))


SALT, SILK, DEAR, POOR = (
    {"good": good, "coins": coins} for good, coins in (("salt", 1), ("silk", 3), ("silk", 9), ("silk", 1))
)


def played(kind: kit.Order[Market, None, Any], orders: Orders) -> tuple[Market, list[tuple[str, str]], list[Notice]]:
    """The market behind these orders of ann's; (path, what became of it); her notices."""
    game = Play((), REFUSALS, lambda market: ["ann"], lambda market, seat, rules: {})
    turn = Turn(game, 1, None, {"ann": orders}, NoDice(), Books(1, {"ann": {}}))
    step = kit.step("trade", "Everybody trades.", kind, lambda turn, phase: ["ann"])
    after = step(Market(), turn)
    assert (step.__name__, step.__doc__) == ("trade", "Everybody trades.")
    return after, [(notice.facts["order"], notice.kind) for notice in turn.notices], turn.notices


@pytest.mark.parametrize(
    ("kind", "bought", "became"),
    [
        (First(), ("salt",), ["passed", "refusal", "used"]),
        (Each(), ("salt", "silk"), ["passed", "refusal", "used", "refusal", "used"]),
        (Sequence(), (), ["passed"]),
    ],
    ids=["first", "each", "sequence"],
)
def test_each_kind_carries_its_list_out_in_its_way(kind: Any, bought: tuple[str, ...], became: list[str]) -> None:
    """Too dear; not enough coins; possible; sold by then; possible. One that the GM made void is left out, but counted."""
    after, told, notices = played(kind, {"buy": [POOR, DEAR, None, SALT, SALT, SILK]})
    assert after.goods == bought and [what for _, what in told] == became
    assert [path for path, _ in told] == ["buy[0]", "buy[1]", "buy[3]", "buy[4]", "buy[5]"][: len(told)]
    rows = kit.outcomes([kind], {"buy": [POOR, DEAR, None, SALT, SALT, SILK]}, notices)["rows"]
    assert [row["text"] for row in rows] == ["silk for 1", "silk for 9", "salt for 1", "salt for 1", "silk for 3"]
    assert rows[0]["outcome"] == "unused" and rows[0]["why"] == "It was too dear."
    assert [row["outcome"] for row in rows].count("done") == len(bought)


def test_a_sequence_that_does_not_stop_goes_on_behind_what_is_refused() -> None:
    class GoesOn(Sequence):
        stops = False

    assert played(GoesOn(), {"buy": [DEAR, SALT, SALT, SILK]})[0].goods == ("salt", "silk")


def test_of_a_plan_all_is_carried_out_or_nothing() -> None:
    """The first plan fails in its second part, which finds the state behind the first; nothing of it is left."""
    orders = {"plans": [[SALT, SALT], [SALT, SILK], [SILK]]}
    after, told, notices = played(Plan(), orders)
    assert after == Market(1, ("salt", "silk")) and told == [("plans[0][1]", "refusal"), ("plans[1]", "used")]
    rows = kit.outcomes([Plan()], orders, notices)["rows"]
    assert [row["outcome"] for row in rows] == ["refused", "done", "unused"] and rows[0]["why"] == "The salt is sold."
    partly = [*notices, Notice("refusal", "", "", "ann", {"order": "plans[1][1]", "reason": "It broke."})]
    row = kit.outcomes([Plan()], orders, partly)["rows"][1]
    assert (row["outcome"], row["why"]) == ("changed", "It broke.")


def offered(kind: Any, market: Market, orders: Orders | None = None) -> list[Offer]:
    return kit.offers(kind, Now(market, "ann", None), orders)


def test_a_candidate_with_picks_is_one_offer_whose_picks_are_checked_together() -> None:
    """9 coins are there for nobody; a coin for silk is too little: said as data, and filled in by no way."""
    (offer,) = offered(First(), Market())
    assert {name: list(pick.values) for name, pick in offer.picks.items()} == {
        "good": ["silk", "salt"],
        "coins": [1, 3],
    }
    assert offer.picks["good"].unless == {"silk": {"coins": [1]}} and offer.picks["coins"].unless == {
        1: {"good": ["silk"]}
    }
    ways = list(fillings(offer))
    assert [(way.id, way.order, way.text, way.uses) for way in ways] == [
        ("buy silk 3", SILK, "Buy silk for 3", {"silk": 1}),
        ("buy salt 1", SALT, "Buy salt for 1", {"salt": 1}),
        ("buy salt 3", {"good": "salt", "coins": 3}, "Buy salt for 3", {"salt": 1}),
    ]
    assert offered(First(), Market(coins=0)) == []


def test_what_a_sequence_offers_stands_behind_what_was_filed() -> None:
    (offer,) = offered(Sequence(), Market(), {"buy": [SILK]})
    assert list(offer.picks["good"].values) == ["salt"] and len(list(fillings(offer))) == 1
    assert offered(Sequence(), Market(), {"buy": [DEAR]}) == [], "nothing behind what can't be carried out is"


def test_the_page_has_one_control_for_a_candidate_and_the_same_limits_as_data() -> None:
    now = Now(Market(), "ann", None)
    page = kit.page([(First(), now)], ["ann", "bob"], "ann", {"coins": 5}, facts=["open"])
    section, letters = page["sections"]
    (button,) = section["parts"][0]["offers"]
    assert button["value"] == {"good": "\x01good\x01", "coins": "\x01coins\x01"} and button["takes"] == ["\x01good\x01"]
    good, coins = button["fields"]
    assert good["options"] == [
        {"value": "silk", "text": "silk", "unless": {"coins": [1]}},
        {"value": "salt", "text": "salt"},
    ]
    assert [option["value"] for option in coins["options"]] == [1, 3]
    assert (
        section["title"] == "Purchases"
        and section["about"] == "Buy for at most 5 coins."
        and letters["id"] == "letters"
    )
    assert page["facts"] == ["open"] and page["counters"] == [], "no price names the coins"


def test_what_a_choice_needs_gives_and_takes_goes_to_the_page() -> None:
    class Claim(First):
        def candidates(self, now: Now[Market, None]) -> Iterator[Candidate]:
            yield Candidate(
                "claim 0405", SALT, "Claim 0405", at="0405", uses={"claim 0405": 1}, costs={"coins": 2}, adds={"size": 1}, least={"size": 1},
                needs=[["held 0404", "landless"]], gives=["held 0405"], ends=["landless"], against=["claim 0406"],
            )  # fmt: skip

    page = kit.page([(Claim(), Now(Market(), "ann", None))], ["ann"], "ann", {"coins": 5, "size": 3, "unrest": 0})
    (button,) = page["sections"][0]["parts"][0]["offers"]
    assert button["value"] == SALT and button["takes"] == ["claim 0405"] and button["at"] == "0405"
    assert (button["needs"], button["gives"], button["ends"]) == (
        [["held 0404", "landless"]],
        ["held 0405"],
        ["landless"],
    )
    assert (button["costs"], button["adds"], button["least"], button["against"]) == (
        {"coins": 2},
        {"size": 1},
        {"size": 1},
        ["claim 0406"],
    )
    assert [counter["id"] for counter in page["counters"]] == ["coins", "size"]
    (offer,) = offered(Claim(), Market())
    assert offer.short == "salt for 1" and offer.excludes == ("claim 0406",)


def test_what_only_another_choice_makes_possible_is_on_the_page_and_no_offer() -> None:
    class Later(First):
        def candidates(self, now: Now[Market, None]) -> Iterator[Candidate]:
            yield Candidate("dear", DEAR, "Buy dearly", needs=[["rich"]])
            yield Candidate("dear too", DEAR, "Buy dearly")

    page = kit.page([(Later(), Now(Market(), "ann", None))], ["ann"], "ann")
    assert [button["id"] for button in page["sections"][0]["parts"][0]["offers"]] == ["dear"]
    assert offered(Later(), Market()) == []


class Stall(kit.Each[Market, None, str]):
    """Stalls that are rented for a day: the first two, and a third beside the second."""

    key, name, shape = "rent", "stalls", ListOf("stalls", Word("a stall", ("one", "two", "three")))
    rained_off = False

    def stall(self, name: str) -> Candidate:
        return Candidate(name, name, f"Rent stall {name}", costs={"coins": 2}, limits={"stalls": 1}, uses={name: 1})

    def candidates(self, now: Now[Market, None]) -> list[Candidate]:
        return [self.stall("one"), self.stall("two")]

    def on_page(self, now: Now[Market, None]) -> list[Candidate]:
        return [*self.candidates(now), self.stall("three")._replace(needs=[["two"]])]

    def objection(self, now: Now[Market, None], order: str) -> kit.Objection:
        return Refusal("apart", {}) if order == "three" else None

    def carry_out(self, now: Now[Market, None], order: str, turn: Turn[Market, None]) -> Market:
        return replace(now.state, goods=(*now.state.goods, order))

    def ordered(self, now: Now[Market, None], turn: Turn[Market, None]) -> list[tuple[str, str]]:
        return [] if self.rained_off else super().ordered(now, turn)

    def shows(self, now: Now[Market, None]) -> int:
        return now.state.coins // 2

    def asks(self, now: Now[Market, None]) -> str:
        return "Rent a stall."

    def say(self, order: str) -> str:
        return f"stall {order}"


def test_what_is_filed_already_is_offered_no_more() -> None:
    now = Now(Market(), "ann", None)
    assert [offer.order for offer in kit.offers(Stall(), now)] == ["one", "two"]
    assert [offer.order for offer in kit.offers(Stall(), now, {"rent": ["one"]})] == ["two"]


def test_what_an_order_uses_up_of_a_limit_is_a_use_of_the_offer_and_a_cost_on_the_page() -> None:
    now = Now(Market(), "ann", None)
    first = kit.offers(Stall(), now)[0]
    assert (first.costs, first.uses) == ({"coins": 2}, {"one": 1, "stalls": 1})
    section = kit.page([(Stall(), now)], ["ann"], "ann", {"stalls": 2, "coins": 5})["sections"][0]
    buttons = section["parts"][0]["offers"]
    assert [button["costs"] for button in buttons] == [{"coins": 2, "stalls": 1}] * 3
    assert [button["id"] for button in buttons] == ["one", "two", "three"], (
        "the page has what another choice makes possible"
    )


def test_a_page_names_a_counter_that_nobody_declared() -> None:
    now = Now(Market(), "ann", None)
    with pytest.raises(ValueError, match="'three' counts stalls, which is not among the counters of its page"):
        kit.page([(Stall(), now)], ["ann"], "ann", {"coins": 5, "stall": 2})

    class Loaned(Stall):
        def on_page(self, now: Now[Market, None]) -> list[Candidate]:
            inner = {"first": [{"costs": {"coins": 1}}, {"each": [{"adds": {"debts": 1}}]}]}
            sized = {"sized": [{"counter": "coins", "by": ["mood"], "costs": {"0": 1}}]}
            filled = {"deed": {"by": ["name"], "of": {"": {"least": {"luck": 1}}}, "other": sized}}
            return [Candidate("one", "one", "Rent", deed={**inner, **filled}, checked=True)]

    with pytest.raises(ValueError, match="'one' counts debts, luck, mood, which"):
        kit.page([(Loaned(), now)], ["ann"], "ann", {"coins": 5})


def test_what_hangs_on_how_things_stand_goes_to_the_page_as_it_is() -> None:
    class Loaned(Stall):
        def on_page(self, now: Now[Market, None]) -> list[Candidate]:
            wares = Pick("Wares", ["a", "b"], none="none", kind="ranked", least=1, most=2, on_map=True)
            return [
                Candidate("one", Gap("wares"), "Rent", {"wares": wares}, group="Stalls", whole=True, checked=True),
                Candidate("two", "two", "Rent all", deed={"again": ["one"], "while": "open"}, checked=True),
            ]

    counters = {"coins": 5, "worth": kit.Counter(0, "All told", plus={"coins": 2}), "luck": kit.Counter(3, hidden=True)}
    page = kit.page([(Loaned(), Now(Market(), "ann", None))], ["ann"], "ann", counters)
    one, two = page["sections"][0]["parts"][0]["offers"]
    assert (one["how"], one["group"], two["how"], two["again"], two["while"]) == (
        "one",
        "Stalls",
        "list",
        ["one"],
        "open",
    )
    assert one["fields"] == [
        {"name": "wares", "label": "Wares", "kind": "ranked", "least": 1, "most": 2, "none": "none", "on_map": True,
         "options": [{"value": "a", "text": "a"}, {"value": "b", "text": "b"}]}
    ]  # fmt: skip
    assert page["deeds"] == {} and page["counters"] == []
    counted = kit.page([(Priced(), Now(Market(), "ann", None))], ["ann"], "ann", counters)["counters"]
    assert counted == [
        {"id": "worth", "name": "All told", "left": 0, "plus": {"coins": 2}},
        {"id": "luck", "name": "Luck", "left": 3, "level": True},
    ]


class Priced(kit.FirstOf[Market, None, str]):
    """What goes by two counters."""

    key, name, shape = "rent", "the rent", ListOf("r", Word("a stall", ("one",)))

    def asks(self, now: Now[Market, None]) -> str:
        return "Rent."

    def candidates(self, now: Now[Market, None]) -> list[Candidate]:
        return [Candidate("one", "one", "Rent", adds={"worth": 1}, least={"luck": 1}, checked=True)]


@pytest.mark.parametrize(("coins", "shown"), [(5, ["one", "two"]), (3, ["one"]), (1, None)])
def test_an_order_says_how_many_examples_a_text_form_shows(coins: int, shown: list[str] | None) -> None:
    now = Now(Market(coins), "ann", None)
    assert kit.example(Stall(), now) == shown
    assert [line for line in kit.text_form([(Stall(), now)]) if "rent" in line] == (
        [f"#rent: [{', '.join(shown)}]"] if shown else []
    )


def test_orders_may_not_count_in_a_turn() -> None:
    stall = Stall()
    assert played(stall, {"rent": ["one", "two"]})[0].goods == ("one", "two")
    stall.rained_off = True
    assert played(stall, {"rent": ["one", "two"]})[0].goods == ()


def test_an_option_may_mean_another_thing_than_it_says() -> None:
    class Wrapped(First):
        def candidates(self, now: Now[Market, None]) -> Iterator[Candidate]:
            bids = Pick("Bid", ["a", "b"], texts={"a": "Salt"}, means={"a": "salt", "b": "silk"})
            yield Candidate("buy", {"good": Gap("good"), "coins": 3}, "Buy", {"good": bids})

    (offer,) = offered(Wrapped(), Market())
    assert [way.order["good"] for way in fillings(offer)] == ["salt", "silk"]
    page = kit.page([(Wrapped(), Now(Market(), "ann", None))], ["ann"], "ann")
    assert page["sections"][0]["parts"][0]["offers"][0]["fields"][0]["options"] == [
        {"value": "a", "text": "Salt", "means": "salt"}, {"value": "b", "text": "b", "means": "silk"},
    ]  # fmt: skip


def test_braces_that_name_no_pick_stay_as_they_are() -> None:
    """Names of towns and people stand in texts, and they may hold anything."""
    offer = Offer("buy", "buy", "list", {"good": Gap("good")}, "", "Buy {good} of {0} {nobody} {", uses={"{nobody}": 1}, picks={"good": Pick("Good", ["{x}"])})  # fmt: skip
    (way,) = fillings(offer)
    assert way.text == "Buy {x} of {0} {nobody} {" and way.uses == {"{nobody}": 1} and way.order == {"good": "{x}"}


def test_random_play_draws_each_pick_of_what_fits_the_others() -> None:
    (offer,) = offered(First(), Market())
    faces = dict.fromkeys(("good", "coins"), 0)

    def chance(name: str, sides: int) -> int:
        faces[name] += 1
        return (faces[name] - 1) % sides + 1

    drawn = [draw(offer, chance) for _ in range(4)]
    assert [way.order for way in drawn if way] == [
        SILK,
        {"good": "salt", "coins": 3},
        SILK,
        {"good": "salt", "coins": 3},
    ]


def test_random_play_goes_on_behind_what_it_drew_in_a_sequence_and_gives_one_of_alternatives() -> None:
    now = Now(Market(), "ann", None)
    orders = kit.at_random([(Sequence(), now)], lambda name, sides: 1)
    assert orders == {"buy": [SILK, SALT]}, "with two coins left a coin buys salt, and then nothing is for sale"
    assert kit.at_random([(First(), now)], lambda name, sides: 1) == {"buy": [SILK]}
    assert kit.at_random([(First(), now)], lambda name, sides: sides) == {}, "three times in four it gives none"


def test_a_sequence_that_is_closed_is_refused_whole_and_its_page_is_followed_by_a_script() -> None:
    class Followed(Sequence):
        def closed(self, now: Now[Market, None], orders: Orders) -> tuple[str, Refusal] | None:
            return ("turn", Refusal("sold", {"good": "market"})) if orders.get("turn") == 9 else None

        def stopped(self, now: Now[Market, None], turn: Turn[Market, None], path: str, order: Bid, behind: int) -> None:
            turn.tell(now.seat, "stopped", order=path, behind=behind)

        def data(self, now: Now[Market, None]) -> Any:
            return {"coins": now.state.coins}

    after, told, _ = played(Followed(), {"turn": 9, "buy": [SALT]})
    assert after == Market() and told == [("turn", "refusal")]
    assert offered(Followed(), Market(), {"turn": 9}) == []
    after, told, notices = played(Followed(), {"buy": [SALT, SALT, SILK, SILK]})
    assert after.goods == ("salt",) and told[-2:] == [("buy[1]", "refusal"), ("buy[1]", "stopped")]
    assert notices[-1].facts["behind"] == 2
    page = kit.page([(Followed(), Now(Market(), "ann", None))], ["ann"], "ann")
    assert page["sections"][0]["parts"] == [
        {"title": "", "offers": [], "kind": "sequence", "key": "buy", "data": {"coins": 5}}
    ]


def test_what_a_game_has_checked_itself_is_not_asked_again() -> None:
    class Checked(First):
        def candidates(self, now: Now[Market, None]) -> Iterator[Candidate]:
            coins = Pick("Coins", [1, 3], unless={1: {"good": ["silk"]}})
            order = {"good": Gap("good"), "coins": Gap("coins")}
            yield Candidate("buy", order, "Buy", {"good": Pick("Good", ["silk", "salt"]), "coins": coins}, checked=True)

        def objection(self, now: Now[Market, None], order: Bid) -> kit.Objection:
            raise AssertionError("asked again")

    (offer,) = offered(Checked(), Market())
    assert [way.order for way in fillings(offer)] == [SILK, SALT, {"good": "salt", "coins": 3}]


def test_the_text_form_shows_an_example_that_is_allowed() -> None:
    lines = kit.text_form([(First(), Now(Market(), "ann", None))])
    assert lines[:2] == ["# Buy for at most 5 coins.", "#buy: silk for 3"], (
        "a coin, the first value, is too little for silk"
    )


def test_the_same_code_may_be_said_in_one_way_alone() -> None:
    other = First()
    other.refusals = {"sold": "Sold."}
    assert kit.refusals([First(), Each()], {"more": "More."}) == {"more": "More.", **REFUSALS}
    with pytest.raises(AssertionError, match="declared twice: sold"):
        kit.refusals([First(), other])


def test_a_key_without_a_shape_is_an_error_when_the_game_is_loaded() -> None:
    class Bare(TypedDict):
        good: str

    with pytest.raises(TypeError, match=re.escape("Bare: good has no shape")):
        kit.record(Bare, "a purchase")


def test_a_short_form_that_names_no_key_is_an_error_when_the_game_is_loaded() -> None:
    class Lot(TypedDict):
        pieces: Annotated[int, Number("how many")]
        good: Annotated[str, Word("the good", ("silk",))]

    with pytest.raises(
        TypeError, match=re.escape("Lot: the short form '{piece} {good}' names 'piece', and the keys are pieces, good")
    ):
        kit.record(Lot, "a lot", short=("{pieces} of {good}", "{piece} {good}"))


def test_the_word_that_tells_cases_apart_is_no_key_of_the_record() -> None:
    class Case(TypedDict):
        do: Annotated[str, None]
        good: Annotated[str, Word("the good", ("silk",))]

    shape = kit.record(Case, "a case")
    assert list(shape.keys) == ["good"] and shape.required == ("good",)


def test_a_pick_of_which_nothing_need_be_picked_falls_away_and_may_hang_on_another() -> None:
    """The extra of a bid: silk alone may be wrapped, and wrapped silk needs a ribbon."""
    picks = {
        "good": Pick("Good", ["silk", "salt"]),
        "wrap": Pick("Wrapping", ["paper"], none="none", unless={"paper": {"good": ["salt"]}}),
        "ribbons": Pick("Ribbons", ["red", "blue"], none="none", kind="many", when={value: {"wrap": ["paper"]} for value in ("red", "blue")}),
    }  # fmt: skip
    order = {"good": Gap("good"), "with": {"wrap": Gap("wrap")}, "ribbons": Gap("ribbons"), "list": [Gap("wrap")]}
    offer = Offer("buy", "buy", "list", order, "", "Buy", picks=picks)
    assert [way.id for way in fillings(offer)] == [
        "buy silk paper red", "buy silk paper blue", "buy silk paper -", "buy silk - -", "buy salt - -",
    ]  # fmt: skip
    ways = [way.order for way in fillings(offer)]
    assert ways[0] == {"good": "silk", "with": {"wrap": "paper"}, "ribbons": ["red"], "list": ["paper"]}
    assert ways[-1] == {"good": "salt", "with": {}} and len(ways) == 5


class Wrapping(TypedDict, total=False):
    """What a bid may have besides."""

    good: Annotated[str, Word("the good", ("silk", "salt"))]
    wrap: Annotated[str, Word("the paper", ("red", "blue"))]
    size: Annotated[int, Number("the size", 1, 9)]


class Picky(kit.One[Market, None, Wrapping]):
    key, name, shape = "wrap", "wrapping", kit.record(Wrapping, "a wrapping")
    forbidden: tuple[dict[str, Any], ...] = ()

    def asks(self, now: Now[Market, None]) -> str:
        return "Wrap it."

    def candidates(self, now: Now[Market, None]) -> Iterator[Candidate]:
        picks = {
            "good": Pick("Good", ["silk", "salt"]),
            "wrap": Pick("Paper", ["red", "blue"], none="none"),
            "size": Pick("Size", [1, 2]),
        }
        order = {name: Gap(name) for name in picks}
        yield Candidate("wrap", order, "Wrap", picks, "Wrap {good} at {size}", uses={"paper {wrap}": 1})

    def objection(self, now: Now[Market, None], order: Wrapping) -> kit.Objection:
        return (
            Refusal("sold") if any(ways.items() <= {"wrap": None, **order}.items() for ways in self.forbidden) else None
        )

    def carry_out(self, now: Now[Market, None], order: Wrapping, turn: Turn[Market, None]) -> Market:
        return now.state


@pytest.mark.parametrize(
    ("forbidden", "controls"),
    [
        ([], 1),
        ([{"good": "salt"}], 1),
        ([{"good": "salt", "wrap": "red"}, {"wrap": "blue", "size": 2}], 1),
        ([{"good": "salt", "wrap": None}], 1),  # salt must be wrapped
        ([{"wrap": None}], 1),
        ([{"good": "salt", "wrap": "red", "size": 2}], 2),  # only three together
        ([{"good": "salt", "wrap": "red", "size": 2}, {"good": "silk", "wrap": None, "size": 1}], 2),
        ([{"good": "silk"}, {"good": "salt"}], 0),
    ],
)
def test_picks_are_filled_in_by_just_the_ways_that_are_not_forbidden(
    forbidden: list[dict[str, Any]], controls: int
) -> None:
    """Whatever the objection forbids, by ones, by twos or by threes; each way is offered once, and the page rules out the same."""
    kind = Picky()
    kind.forbidden = tuple(forbidden)
    offers = offered(kind, Market())
    orders = [{"wrap": None, **way.order} for offer in offers for way in fillings(offer)]
    every = [
        {"good": good, "wrap": wrap, "size": size}
        for good in ("silk", "salt")
        for wrap in ("red", "blue", None)
        for size in (1, 2)
    ]
    left = [way for way in every if not any(ways.items() <= way.items() for ways in forbidden)]
    assert sorted(orders, key=in_words) == sorted(left, key=in_words) and len(offers) == controls
    page = kit.page([(kind, Now(Market(), "ann", None))], ["ann"], "ann")
    buttons = [button for section in page["sections"][:-1] for part in section["parts"] for button in part["offers"]]
    pressed = [way for button in buttons for way in every if possible_on_page(button, way)]
    assert sorted(pressed, key=in_words) == sorted(left, key=in_words)


def test_a_game_that_lists_the_allowed_ways_itself_has_its_controls_made_of_them() -> None:
    """Only the value that can't be said by twos stands apart."""
    allowed = [
        {"good": good, "wrap": wrap, "size": size}
        for good in ("silk", "salt", "wool") for wrap in ("red", "blue") for size in (1, 2)
        if (good, wrap, size) != ("salt", "red", 2)
    ]  # fmt: skip
    picks = {
        "good": Pick("Good", ["silk", "salt", "wool"]),
        "wrap": Pick("Paper", ["red", "blue"]),
        "size": Pick("Size", [1, 2]),
    }
    whole = Candidate(
        "wrap", {name: Gap(name) for name in picks}, "Wrap", picks, "Wrap {good}", uses={"{good}": 1}, checked=True
    )
    made = list(kit.controls(whole, allowed))
    assert [(control.id, control.text, list(control.picks)) for control in made] == [
        ("wrap", "Wrap", ["good", "wrap", "size"]), ("wrap salt", "Wrap, salt", ["wrap", "size"]),
    ]  # fmt: skip
    assert made[0].picks["good"].values == ["silk", "wool"] and not made[0].picks["good"].unless
    assert made[1].order["good"] == "salt" and made[1].uses == {"salt": 1} and made[1].said == "Wrap salt"
    assert made[1].picks["wrap"].unless == {"red": {"size": [2]}}
    assert list(kit.controls(whole, [])) == []


@given(st.randoms(use_true_random=False))
def test_what_may_follow_what_in_a_plan_is_said_to_the_page_by_alternatives(random: Random) -> None:
    """An ability, if any, then two actions: whatever is allowed behind what, the picks take just that."""
    uses, firsts, seconds = [None, "ride", "seal", "bless"], ["move", "lay", "take"], ["lay", "take", "drop", "rest"]
    behind = {
        (use, first): [second for second in seconds if random.random() < 0.6]
        for use in uses
        for first in firsts
        if use is None or random.random() < 0.7
    }
    by_use = {use: [first for other, first in behind if other == use] for use in uses}
    first_rows, second_rows = kit.behind_one("use", by_use), kit.behind_two(("use", "first"), behind)
    picks = {
        "use": Pick("Ability", uses[1:], none="none"),
        "first": Pick("First", list(first_rows), rows=first_rows),
        "second": Pick("Then", list(second_rows), rows=second_rows),
    }
    candidate = Candidate("plan", {name: Gap(name) for name in picks}, "Plan", picks, checked=True)
    button: Any = kit.button(Picky(), 0, candidate)
    for use, first, second in product(uses, firsts, seconds):
        way = {"use": use, "first": first, "second": second}
        allowed = second in behind.get((use, first), ())
        assert (
            allowed
            == (first in first_rows and second in second_rows and fits(way, picks))
            == possible_on_page(button, way)
        )


def in_words(way: dict[str, Any]) -> str:
    return str(sorted(way.items()))


def possible_on_page(button: Any, way: dict[str, Any]) -> bool:
    """Whether the page's fields, as templates/form/fields.js reads them, can be filled in this way."""
    if any(way[key] != value for key, value in button["value"].items() if not str(value).startswith("\x01")):
        return False
    return all(field_open(field, way) for field in button.get("fields", ()))


def field_open(field: Any, way: dict[str, Any]) -> bool:
    value = way[field["name"]]
    if value is None:
        return "none" in field
    return any(option["value"] == value and option_open(option, way) for option in field["options"])


def option_open(option: Any, way: dict[str, Any]) -> bool:
    among = [way[other] in values for other, values in option.get("when", {}).items()]
    return all(among) and not any(way[other] in values for other, values in option.get("unless", {}).items())


def test_a_field_may_be_a_number_or_a_text_of_which_the_values_are_examples() -> None:
    class Named(Picky):
        def candidates(self, now: Now[Market, None]) -> Iterator[Candidate]:
            picks = {
                "size": Pick("Size", [3], kind="number", least=1, most=9),
                "good": Pick("Name", ["silk"], kind="text", most=40),
            }
            yield Candidate("name", {"size": Gap("size"), "good": Gap("good")}, "Name it", picks)

    page = kit.page([(Named(), Now(Market(), "ann", None))], ["ann"], "ann")
    assert page["sections"][0]["parts"][0]["offers"][0]["fields"] == [
        {"name": "size", "label": "Size", "kind": "number", "least": 1, "most": 9}, {"name": "good", "label": "Name", "kind": "text", "most": 40},
    ]  # fmt: skip
    assert kit.text_form([(Named(), Now(Market(), "ann", None))])[1] == "#wrap: {size: 3, good: silk}"


@pytest.mark.parametrize(
    ("order", "ordered"),
    [(0, True), (False, True), ("", True), ({}, False), ([], False), (None, False), ({"size": 0}, True)],
)
def test_nought_and_no_are_orders_and_an_empty_map_is_none(order: Any, ordered: bool) -> None:
    assert Picky().filed({"wrap": order}) == ([("wrap", order)] if ordered else [])
    assert Picky().filed({}) == []


def test_entries_of_a_map_are_orders_by_themselves() -> None:
    class Doors(kit.Entries[Market, None, str]):
        key, name = "doors", "doors"
        shape = MapOf("doors", Word("whose", ("bob", "cara")), Word("how", ("open", "closed")))

        def asks(self, now: Now[Market, None]) -> str:
            return "Close doors."

        def candidates(self, now: Now[Market, None]) -> Iterator[Candidate]:
            for other in ("bob", "cara"):
                yield Candidate(
                    f"door {other}",
                    (other, Gap("how")),
                    f"The door to {other}",
                    {"how": Pick("How", ["open", "closed"])},
                )

        def objection(self, now: Now[Market, None], order: tuple[str, str]) -> kit.Objection:
            return Refusal("sold", {"good": order[0]}) if order == ("bob", "open") else None

        def carry_out(self, now: Now[Market, None], order: tuple[str, str], turn: Turn[Market, None]) -> Market:
            return replace(now.state, goods=(*now.state.goods, " ".join(order)))

        def say(self, order: tuple[str, str]) -> str:
            return f"the door to {order[0]}: {order[1]}"

    filed = {"doors": {"bob": "open", "cara": "closed"}}
    after, told, notices = played(Doors(), filed)
    assert after.goods == ("cara closed",) and told == [("doors.bob", "refusal"), ("doors.cara", "used")]
    assert [row["text"] for row in kit.outcomes([Doors()], filed, notices)["rows"]] == [
        "the door to bob: open",
        "the door to cara: closed",
    ]
    ways = [way for offer in offered(Doors(), Market()) for way in fillings(offer)]
    assert [way.order for way in ways] == [("bob", "closed"), ("cara", "open"), ("cara", "closed")]
    assert together(ways[:2]) == {"doors": {"bob": "closed", "cara": "open"}}
    now = Now(Market(), "ann", None)
    button = kit.page([(Doors(), now)], ["ann"], "ann")["sections"][0]["parts"][0]["offers"][0]
    assert button["value"] == ["bob", "\x01how\x01"] and button["how"] == "map"
    assert kit.text_form([(Doors(), now)])[1] == "#doors: {bob: closed}"
    assert kit.at_random([(Doors(), now)], lambda name, sides: 1) == {"doors": {"bob": "closed"}}


def test_what_an_order_costs_and_changes_may_hang_on_what_is_picked() -> None:
    """Silk weighs more than salt, and a coin more is asked for silk of three; the page has the same as tables, but for the effect."""

    class Priced(First):
        def candidates(self, now: Now[Market, None]) -> Iterator[Candidate]:
            yield Candidate(
                "buy", {"good": Gap("good"), "coins": Gap("coins")}, "Buy", checked=True, costs={"coins": 1}, limits={"carts": 1},
                picks={
                    "good": Pick("Good", ["silk", "salt"], needs={"silk": [["the ship is in"]]}),
                    "coins": Pick("Coins", [1, 3]),
                    "sign": Pick("Sign", ["Ann's"], kind="text", most=9, unlike=["Bob's"]),
                },
                tables=[
                    Table("costs", "coins", ("good", "coins"), {("silk", 3): 1}),
                    Table("uses", "carts", ("good",), {("silk",): 1}),
                    Table("effect", "weight", ("coins",), {(1,): 2, (3,): 6}),
                ],
            )  # fmt: skip

    (offer,) = offered(Priced(), Market())
    ways = {(way.order["good"], way.order["coins"]): (way.costs, way.uses, way.effect) for way in fillings(offer)}
    assert ways == {
        ("silk", 1): ({"coins": 1}, {"carts": 2}, {"weight": 2}),
        ("silk", 3): ({"coins": 2}, {"carts": 2}, {"weight": 6}),
        ("salt", 1): ({"coins": 1}, {"carts": 1}, {"weight": 2}),
        ("salt", 3): ({"coins": 1}, {"carts": 1}, {"weight": 6}),
    }
    assert offer.costs == {"coins": 1} and all(way.tables == () for way in fillings(offer))
    page = kit.page([(Priced(), Now(Market(), "ann", None))], ["ann"], "ann", {"coins": 5, "carts": 2})
    (button,) = page["sections"][0]["parts"][0]["offers"]
    assert button["tables"] == [
        {"counter": "coins", "by": ["good", "coins"], "costs": {"silk": {"3": 1}}},
        {"counter": "carts", "by": ["good"], "costs": {"silk": 1}},
    ]
    assert button["needs_of"] == {"good": {"silk": [["the ship is in"]]}}
    assert button["fields"][2]["unlike"] == ["bob's"]
    with pytest.raises(ValueError, match="'buy' counts carts"):
        kit.page([(Priced(), Now(Market(), "ann", None))], ["ann"], "ann", {"coins": 5})


def test_an_offer_may_be_asked_of_some_candidates_alone() -> None:
    now = Now(Market(), "ann", None)
    assert [offer.id for offer in kit.offers(Stall(), now, {}, [Stall().stall("two"), Stall().stall("three")])] == [
        "two"
    ]
