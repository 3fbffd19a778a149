"""The book of wrongs of bots: whose land they know to be taken, what they do about it, and what nobody makes them believe or do."""

from __future__ import annotations

from typing import Any

import pytest

from kingdom.campaign import substitute_orders
from kingdom.engine.game import Letter
from kingdom.games.realm.bots.reading import proposal_of
from kingdom.games.realm.bots.wrongs import PROMISE, Book, book_of, stands_by
from kingdom.games.realm.game import GAME
from kingdom.games.realm.state import Taking, World, replace, with_kingdoms
from kingdom.orders import orders_file
from tests.games.realm.kit import rules_of, run, world_of

RULES = rules_of({"safe_turns": None})
WAR = ["start", "claim_hexes", "surrender", "move_armies", "fight_battles"]
FOOT = {"unit": "fighter", "size": "medium", "hp": 5}
TOWNS = {"examplia": "0404", "borderia": "0408", "cravonia": "0804"}
LAND = {
    "examplia": ["0404", "0403", "0304", "0405"],
    "borderia": ["0408", "0407", "0406", "0307", "0306", "0506"],
    "cravonia": ["0804", "0704", "0604", "0605"],
}
GRID = {"grid": "\n".join("p" * 12 for _ in range(12)) + "\n"}


def world(turn: int = 20, **state: Any) -> World:
    """Examplia in the west touches Borderia in the south; Cravonia in the east is a hex from both. state: of kingdoms, besides."""
    kingdoms = {
        seat: {
            "treasury": 60, "attributes": {"economy": 9, "loyalty": 9, "stability": 9},
            "hexes": dict.fromkeys(land, []), "settlements": {f"Town {seat}": {"hex": TOWNS[seat]}},
        }
        for seat, land in LAND.items()
    }  # fmt: skip
    return replace(world_of(kingdoms, GRID, rules=RULES, state=state), turn=turn)


def taken(by: str, of: str, *labels: str, turn: int = 19) -> dict[str, Taking]:
    return {label: Taking(turn, by, of) for label in labels}


def robbed(world: World, by: str, of: str, *labels: str, turn: int = 19) -> World:
    """The world after these hexes went from one to another by arms, as every kingdom saw."""
    held, lost = world.kingdoms[by].hexes | dict.fromkeys(labels, ()), world.kingdoms[of].hexes
    changed = {by: replace(world.kingdoms[by], hexes=held)}
    changed[of] = replace(world.kingdoms[of], hexes={label: lost[label] for label in lost if label not in labels})
    world = with_kingdoms(world, changed)
    news = taken(by, of, *labels, turn=turn)
    return with_kingdoms(world, {
        seat: replace(kingdom, takings={**kingdom.takings, **news}) for seat, kingdom in world.kingdoms.items()
    })  # fmt: skip


def read(world: World, seat: str, *letters: Letter) -> Book:
    return book_of(GAME.known(world, seat, RULES), seat, RULES, letters)


def ordered(world: World, seat: str, *letters: Letter, bot: str = "steady") -> dict[str, Any]:
    known = GAME.known(world, seat, RULES)
    text = GAME.bots[bot](known, seat, RULES, substitute_orders.chance_of("a key"), letters)
    names = {**GAME.names(RULES), "seats": tuple(world.kingdoms)}
    filing = orders_file.read(text.encode(), "bot.yaml", GAME, names, seat, world.turn + 1)
    assert filing.orders is not None, filing.problems
    return dict(filing.orders)


def mail(world: World, seat: str, *letters: Letter, bot: str = "steady") -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for message in ordered(world, seat, *letters, bot=bot).get("messages", ()):
        found.setdefault(message["to"], []).append(message["text"])
    return found


# --- what is known


def after_battle(label: str, of: str, by: str, **state: Any) -> World:
    """The world in which an army of `by` has ended its last turn but one in that hex, and ends the last one there."""
    army = {**FOOT, "hex": label, "deed": "attack", "target": of}
    more = {by: {"armies": {"Foot": army}}, of: {"occupiers": {label: {by: {"Foot": 1}}}}}
    return run(world(**(more | state)), {}, RULES, steps=WAR).after


def test_who_suffers_does_or_sees_a_conquest_knows_it_and_nobody_else() -> None:
    after = after_battle("0406", "borderia", "examplia")
    assert "0406" in after.kingdoms["examplia"].hexes
    news = {"0406": Taking(21, "examplia", "borderia")}
    assert after.kingdoms["examplia"].takings == after.kingdoms["borderia"].takings == news
    assert after.kingdoms["cravonia"].takings == {}
    beside = after_battle("0506", "borderia", "cravonia")
    assert beside.kingdoms["borderia"].takings == {"0506": Taking(21, "cravonia", "borderia")}


def test_what_is_retaken_is_known_to_be_back_and_a_friend_launders_nothing() -> None:
    before = {"0406": {"turn": 15, "by": "borderia", "of": "examplia"}}
    back = after_battle("0406", "borderia", "examplia", cravonia={"takings": before})
    assert back.kingdoms["examplia"].takings["0406"].back == 0  # its own book did not say that it was its own
    own = world(
        examplia={
            "armies": {"Foot": {**FOOT, "hex": "0406", "deed": "attack", "target": "borderia"}},
            "takings": before,
        },
        borderia={"occupiers": {"0406": {"examplia": {"Foot": 1}}}, "takings": before},
    )
    after = run(own, {}, RULES, steps=WAR).after
    assert {after.kingdoms[seat].takings["0406"].back for seat in ("examplia", "borderia")} == {21}
    stolen = {
        "0406": {"turn": 15, "by": "borderia", "of": "cravonia"}
    }  # borderia took it from cravonia, examplia takes it from borderia
    friend = world(
        examplia={
            "armies": {"Foot": {**FOOT, "hex": "0406", "deed": "attack", "target": "borderia"}},
            "takings": stolen,
        },
        borderia={"occupiers": {"0406": {"examplia": {"Foot": 1}}}, "takings": stolen},
        cravonia={"takings": stolen},
    )
    after = run(friend, {}, RULES, steps=WAR).after
    assert {kingdom.takings["0406"].by for kingdom in after.kingdoms.values()} == {"borderia"}


def test_what_was_taken_is_forgotten_after_the_turns_of_the_ruling() -> None:
    for turn, left in ((19, 1), (20, 0)):
        before = world(turn, examplia={"takings": {"0406": {"turn": 8, "by": "borderia", "of": "examplia"}}})
        assert len(run(before, {}, RULES, steps=["start"]).after.kingdoms["examplia"].takings) == left


# --- who stands in the book


def test_three_hexes_put_a_kingdom_into_the_book_and_two_do_not() -> None:
    two = robbed(world(), "borderia", "cravonia", "0604", "0605")
    assert not read(two, "examplia").wrongs
    three = robbed(two, "borderia", "cravonia", "0704")
    assert set(read(three, "examplia").wrongs) == {"borderia"}
    assert set(read(three, "cravonia").wrongs) == {"borderia"} and not read(three, "borderia").wrongs


def test_two_friends_who_take_three_hexes_of_one_stand_there_both() -> None:
    """Borderia takes two of Cravonia's hexes and Examplia one."""
    friends = robbed(robbed(world(), "borderia", "cravonia", "0604", "0605"), "examplia", "cravonia", "0704")
    assert set(read(friends, "cravonia").wrongs) == {"borderia", "examplia"}


def test_it_stays_there_until_all_is_back() -> None:
    three = robbed(world(), "borderia", "examplia", "0403", "0304", "0405", turn=15)
    own = three.kingdoms["examplia"]

    def back(*labels: str) -> World:
        takings = {label: replace(taking, back=20 * (label in labels)) for label, taking in own.takings.items()}
        return with_kingdoms(three, {"examplia": replace(own, takings=takings)})

    assert read(back("0403", "0304"), "examplia").wrongs == {"borderia": {"0405": "examplia"}}
    assert not read(back("0403", "0304", "0405"), "examplia").foes
    given_up = with_kingdoms(three, {"borderia": replace(three.kingdoms["borderia"], hexes={"0408": ()})})
    assert not read(given_up, "examplia").foes  # what nobody holds its victim can claim


def test_what_is_taken_from_who_stands_in_the_book_is_no_wrong() -> None:
    first = robbed(world(), "borderia", "examplia", "0403", "0304", "0405", turn=15)
    answer = robbed(first, "cravonia", "borderia", "0506", "0406", "0407", turn=18)
    assert set(read(answer, "cravonia").wrongs) == set(read(answer, "examplia").wrongs) == {"borderia"}


# --- what others write


ACCUSED = "Borderia took 0604 and 0605 and 0704 of ours."


def test_a_victims_word_counts_where_something_speaks_for_it() -> None:
    """Examplia last saw Cravonia in these hexes, and saw Borderia take another one of its."""
    letter = Letter("cravonia", "examplia", ACCUSED, 20)
    seen = {
        label: {"turn": 12, "hex": {"terrain": "plains"}, "holder": "cravonia"} for label in ("0604", "0605", "0704")
    }
    remembers = {"examplia": {"memory": seen}}
    assert not read(world(**remembers), "examplia", letter).wrongs  # nothing but the word
    caught = {"0607": {"turn": 19, "by": "borderia", "of": "cravonia"}}
    both = {"examplia": {"memory": seen, "takings": caught}}
    assert set(read(world(**both), "examplia", letter).wrongs) == {"borderia"}
    others = {label: {**sighting, "holder": "borderia"} for label, sighting in seen.items()}
    assert not read(
        world(examplia={"memory": others, "takings": caught}), "examplia", letter
    ).wrongs  # never were its own


@pytest.mark.parametrize(
    "letter",
    [
        Letter("borderia", "examplia", "Cravonia took 0404 and 0403 and 0304 of ours.", 20),  # of the reader's own land
        Letter("borderia", "examplia", "Cravonia took 0604 and 0605 and 0704 of ours.", 20),  # it always held them
        Letter("borderia", "all", "Cravonia took 0406 and 0306 and 0506 of ours.", 20),  # in sight, and not so
    ],
)
def test_a_false_word_sets_no_bot_against_a_third(letter: Letter) -> None:
    """Though an army of who is accused stands beside."""
    quiet = world(cravonia={"armies": {"Foot": {**FOOT, "hex": "0505"}}})
    assert not read(quiet, "examplia", letter).foes
    assert "doors" not in ordered(quiet, "examplia", letter)


# --- promises


def peace(turn: int, asker: str, other: str, answer: str = "Yes: no army of ours attacks you.") -> tuple[Letter, ...]:
    return Letter(asker, other, "Shall we have peace?", turn), Letter(other, asker, answer, turn + 1)


@pytest.mark.parametrize("asker", ["examplia", "borderia"])
def test_a_peace_holds_eight_turns_for_both(asker: str) -> None:
    letters = peace(11, asker, "borderia" if asker == "examplia" else "examplia")
    assert read(world(11 + PROMISE), "examplia", *letters).promised == {"borderia": 12 + PROMISE}
    assert not read(world(12 + PROMISE), "examplia", *letters).promised
    assert not read(world(15), "examplia", *peace(11, "borderia", "examplia", "Terms: first ...")).promised


def test_who_breaks_it_is_named_to_those_who_know_both_and_nobody_else() -> None:
    letters = peace(15, "borderia", "examplia")
    broken = robbed(world(), "borderia", "examplia", "0405", turn=20)
    assert read(broken, "examplia", *letters).broken == ("borderia",)
    assert not any(
        "gave us its word" in text for texts in mail(broken, "examplia", *letters).values() for text in texts
    )
    near = with_kingdoms(broken, {
        "cravonia": replace(broken.kingdoms["cravonia"], hexes={**broken.kingdoms["cravonia"].hexes, "0505": (), "0504": ()})
    })  # fmt: skip
    told = "Borderia gave us its word not to attack us, and broke it."
    assert told in mail(near, "examplia", *letters)["cravonia"]
    said = Letter("examplia", "cravonia", told, 18)
    assert told not in mail(near, "examplia", *letters, said).get("cravonia", [])  # once
    eighth, ninth = (robbed(world(turn), "borderia", "examplia", "0405", turn=turn) for turn in (24, 25))
    assert read(eighth, "examplia", *letters).broken == ("borderia",)
    assert not read(ninth, "examplia", *letters).broken  # in the ninth turn nobody is bound any more


def test_a_yes_after_land_was_taken_binds_nobody_to_leave_it() -> None:
    """Borderia takes a hex in the turn of the proposal, and says yes to it in the next."""
    lost = robbed(
        world(examplia={"armies": {"First": {**FOOT, "hex": "0404"}}}), "borderia", "examplia", "0405", turn=18
    )
    late = peace(18, "examplia", "borderia", "Yes, peace!")
    assert not read(lost, "examplia", *late).promised and not read(lost, "examplia", *late).broken
    assert sent(lost, "examplia", *late) == [("First", "0405", "borderia")]


def test_a_warlord_leaves_in_peace_whom_it_promised_it() -> None:
    army = {"unit": "fighter", "size": "large", "hp": 16, "hex": "0404"}
    ready = world(examplia={"armies": {"Host": army}})
    sent = [order for order in ordered(ready, "examplia", bot="warlord")["armies"] if order.get("target")]
    assert [order["target"] for order in sent] == ["borderia"]
    letters = peace(16, "examplia", "borderia")
    assert not [order for order in ordered(ready, "examplia", *letters, bot="warlord")["armies"] if order.get("target")]


# --- what it says and does


def test_it_shuts_its_doors_asks_for_its_land_once_and_proposes_no_peace() -> None:
    three = robbed(world(24), "borderia", "examplia", "0403", "0304", "0405", turn=24)
    orders = ordered(three, "examplia")
    assert orders["doors"] == {"borderia": "closed"}
    text = "Our land is ours: give up 0304 and 0403 and 0405, which you took from us (`abandon`), and nothing stands between us."
    assert mail(three, "examplia")["borderia"] == [text] and not proposal_of(text)
    assert not mail(three, "examplia", Letter("examplia", "borderia", text, 23))
    back = with_kingdoms(world(24), {"examplia": replace(world().kingdoms["examplia"], doors=("borderia",))})
    assert ordered(back, "examplia")["doors"] == {"borderia": "open"}


def test_what_an_answer_says_is_not_said_again_beside_it_or_later() -> None:
    one = robbed(world(21), "borderia", "examplia", "0403", turn=21)
    asked = Letter("borderia", "examplia", "Shall we have peace?", 21)
    (terms,) = mail(one, "examplia", asked)["borderia"]
    assert terms.startswith("Terms: give up 0403, which")
    assert "borderia" not in mail(replace(one, turn=22), "examplia", asked, Letter("examplia", "borderia", terms, 22))


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Shall we have peace?", "Terms: give up 0403, which"),
        ("What do you want for 0403?", "Terms: give up 0403, which"),
        ("What do you want for 0404?", "No: we keep 0404 at any price."),
        ("Will you sell us 0808?", "No: we do not hold 0808."),
        ("Will you attack us?", "Terms: give up 0403, which"),
        ("May we pass through?", "No: give up 0403, which"),
        ("Will you help us against Cravonia?", "No: we join no war"),
        ("How is the weather?", "Terms: ask us"),
        ("No: you get nothing.", ""),
    ],
)
def test_it_answers_a_plain_question_by_yes_no_or_terms(said: str, answer: str) -> None:
    one = robbed(world(21), "borderia", "examplia", "0403", turn=20)
    demand = Letter("examplia", "borderia", mail(one, "examplia")["borderia"][0], 20)
    texts = mail(one, "examplia", demand, Letter("borderia", "examplia", said, 21)).get("borderia", [])
    assert [text.startswith(answer) for text in texts] == [True] * bool(answer)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Will you attack us?", "No: no army of ours attacks you"),
        ("What do you want for 04.03?", "No: we keep 0403 at any price."),
        ("Name your price for 04-03.", "No: we keep 0403 at any price."),
        ("what would you take for 0403", "No: we keep 0403 at any price."),
        ("Do your armies march against us?", "No: no army of ours attacks you"),
        ("Would you attack Cravonia with me?", "No: no army of ours attacks you"),
        ("Shall we end this war, and have peace?", "Yes: no army of ours attacks you"),
    ],
)
def test_an_answer_fits_the_question_however_it_is_put(said: str, answer: str) -> None:
    (text,) = mail(world(21), "examplia", Letter("borderia", "examplia", said, 21))["borderia"]
    assert text.startswith(answer)


@pytest.mark.parametrize(
    "said",
    ["We declare war. No peace with you!", "I don\u2019t want peace.", "We reject your peace.", "This ends our truce."],
)
def test_who_refuses_peace_or_ends_it_has_proposed_none(said: str) -> None:
    """Else a yes to it would bind the bot, and call its enemy one who breaks their word."""
    assert proposal_of(said) == ""
    letter = Letter("borderia", "examplia", said, 21)
    texts = mail(world(21), "examplia", letter).get("borderia", [])
    assert not [text for text in texts if text.startswith(("Yes", "Terms", "No"))]


def test_it_promises_nothing_to_whose_armies_attack_it() -> None:
    army = {**FOOT, "hex": "0405", "deed": "attack", "target": "examplia"}
    warned = world(borderia={"armies": {"Foot": army}}, examplia={"occupiers": {"0405": {"borderia": {"Foot": 1}}}})
    asks = Letter("borderia", "examplia", "Shall we have peace?", 20)
    assert mail(warned, "examplia", asks)["borderia"] == ["Terms: your armies attack us at 0405. Send them home first."]


def sent(world: World, seat: str, *letters: Letter) -> list[tuple[str, str, str]]:
    """(army, where it ends, whom it attacks) of a bot's armies."""
    armies = world.kingdoms[seat].armies
    return [
        (order["army"], *(order.get("move") or [armies[order["army"]].hex])[-1:], order.get("target", ""))
        for order in ordered(world, seat, *letters)["armies"]
        if "army" in order
    ]


def test_it_proposes_peace_to_nobody_whose_army_stands_near() -> None:
    for hexes, proposed in (("0405", False), ("1212", True)):
        quiet = world(24, borderia={"armies": {"Foot": {**FOOT, "hex": hexes}}})
        texts = mail(quiet, "examplia").get("borderia", [])
        assert any(proposal_of(text) == "peace" for text in texts) is proposed


def test_guards_go_together_to_where_a_warning_names_a_hex_and_are_raised() -> None:
    foe = {**FOOT, "hex": "0405", "deed": "attack", "target": "examplia"}
    guards = {"First": {**FOOT, "hex": "0404"}, "Second": {**FOOT, "hex": "0404"}}
    warned = world(
        borderia={"armies": {"Foot": foe}},
        examplia={"occupiers": {"0405": {"borderia": {"Foot": 1}}}, "armies": guards},
    )
    assert sent(warned, "examplia") == [("First", "0405", "borderia"), ("Second", "0405", "borderia")]
    alone = with_kingdoms(warned, {"examplia": replace(warned.kingdoms["examplia"], armies={})})
    assert [order["unit"] for order in ordered(alone, "examplia")["armies"] if "recruit" in order]
    passes = world(borderia={"armies": {"Foot": {**foe, "deed": "garrison"}}}, examplia={"armies": guards})
    assert {where for _, where, _ in sent(passes, "examplia")} == {"0405"}  # it is watched
    assert not [order for order in sent(passes, "examplia") if order[2]]  # who only passes is let be


def test_what_was_taken_is_retaken() -> None:
    lost = robbed(world(examplia={"armies": {"First": {**FOOT, "hex": "0404"}}}), "borderia", "examplia", "0405")
    assert sent(lost, "examplia") == [("First", "0405", "borderia")]


def test_at_most_two_join_a_war_and_only_those_near() -> None:
    armed = world(cravonia={"armies": {"Foot": {**FOOT, "hex": "0604"}}})
    three = robbed(armed, "borderia", "examplia", "0403", "0304", "0405")
    joins = stands_by("examplia", "borderia")
    assert joins in mail(three, "cravonia")["examplia"]
    for other in ("daria", "emeria"):
        assert joins in mail(three, "cravonia", Letter(other, "cravonia", joins, 20))["examplia"]
    two = [Letter(other, "cravonia", joins, 20) for other in ("daria", "emeria")]
    assert joins not in mail(three, "cravonia", *two).get("examplia", [])
    own = Letter("cravonia", "examplia", joins, 20)
    assert read(three, "cravonia", own).joined == {"examplia": "borderia"}
    assert not read(three, "cravonia", own, *(letter._replace(turn=19) for letter in two)).joined
    far = with_kingdoms(three, {"cravonia": replace(three.kingdoms["cravonia"], hexes={"1004": ()})})
    assert not read(far, "cravonia").near
