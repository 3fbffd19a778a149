"""Nothing hidden gets into a report: two worlds that differ only in what a seat may not know are played through a whole
turn, and that seat's text, page, map and forecast of its next orders come out the same, byte for byte.

Examplia lies in the middle. Borderia touches it: its name, its size and its border in sight are known. Cravonia lies far
away and was never met. What each of them has, orders, rolls, is refused, writes to others and is told by the GM is hidden,
and so is what lies hidden in hexes that Examplia does not claim, and all land beyond its neighbouring hexes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from hypothesis import assume, given
from hypothesis import strategies as st

from kingdom.engine.dice import Dice, NoDice, Roll
from kingdom.engine.step import Result
from kingdom.engine.turn import resolve
from kingdom.games.realm.game import GAME
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.state import District, FreeCity, Hex, Kingdom, Modifier, Request, Settlement, World, replace
from kingdom.games.realm.steps.towns.lots import lay_out
from kingdom.games.realm.visibility.known import HIDDEN, known
from kingdom.games.realm.visibility.sight import sees
from kingdom.render import reports
from kingdom.render.reports import CampaignFacts
from tests.games.realm.kit import rules_of
from tests.kit.examples import few

RULES = rules_of()
SEAT = "examplia"
LABELS = [f"{column:02d}{row:02d}" for column in range(1, 10) for row in range(1, 10)]
HOME = ("0404", "0405", "0304")
BORDER = "0504"  # Borderia's hex beside Examplia
BEYOND = ("0801", "0802", "0803", "0902", "0903")  # where the rest of Borderia may lie
FAR = ("0708", "0709", "0808", "0809", "0908", "0909")  # where Cravonia lies and claims
LAND = {label: Hex("plains", ("river",) if label in ("0404", "0403") else ()) for label in LABELS}
EXAMPLIA = Kingdom(
    "Examplia", treasury=60, unrest=4, attributes={"economy": 8, "loyalty": 8, "stability": 8}, capital="Oakhold",
    hexes={"0404": (), "0405": ("farm",), "0304": ()}, revealed=HOME, edict_size=3, requests=(Request(5, "May I dig?"),),
    settlements={"Oakhold": Settlement("0404", buildings=lay_out((District(),), ["house", "inn"], RULES)[0])},
)  # fmt: skip
NEAR = sorted({near for label in HOME for near in neighbours(label)} - {*HOME, BORDER})
NAMES = st.sampled_from(["Cravonia", "The Hollow Realm", "Oz"])
LEVELS = {
    category: st.sampled_from(list(getattr(RULES.edicts, category)))
    for category in ("holiday", "promotion", "taxation")
}
ATTRIBUTE = st.sampled_from(["economy", "loyalty", "stability"])


class Hidden(NamedTuple):
    """One state of what Examplia may not know. orders: of the others and of the GM; dice: the seed of all dice but Examplia's."""

    world: World
    orders: Mapping[str, Any]
    dice: str
    facts: CampaignFacts


# --- what Examplia orders, and others write to it: the same in both worlds


@st.composite
def own_orders(draw: Any) -> dict[str, Any]:
    keys = {
        "leadership": st.lists(ATTRIBUTE, min_size=1, max_size=2),
        "abandon": st.just(["0304"]),
        "claim": st.lists(st.sampled_from([*NEAR, BORDER, "0808", "9901"]), min_size=1, max_size=2),
        "improve": st.lists(st.fixed_dictionaries({"hex": st.sampled_from([*HOME, *NEAR[:2]]), "build": st.sampled_from(["farm", "road", "canal"])}), max_size=2),
        "build": st.lists(st.fixed_dictionaries({"in": st.just("Oakhold"), "build": st.sampled_from(["house", "shop", "castle"])}), max_size=2),
        "edicts": st.fixed_dictionaries({}, optional=LEVELS),
        "special": st.lists(st.fixed_dictionaries({"edict": st.just("aid"), "to": st.sampled_from(["borderia", "cravonia"]), "attribute": ATTRIBUTE}), max_size=1),
        "loyalty": st.sampled_from([{"rouse_the_people": "economy"}, {"change_minds_by_breaking_heads": ""}]),
        "messages": st.just([{"to": "borderia", "text": "Good day."}, {"to": "cravonia", "text": "Who are you?"}]),
        "requests": st.just(["May I dig deeper?"]),
    }  # fmt: skip
    return draw(st.fixed_dictionaries({}, optional=keys))


LETTERS = {
    "borderia": st.sampled_from([[], [{"to": SEAT, "text": "Good day to you."}]]),
    "cravonia": st.sampled_from([[], [{"to": "all", "text": "Fear us."}]]),
}
TOLD = st.sampled_from([[], [{"to": "all", "text": "Winter comes."}], [{"to": SEAT, "answers": 1, "text": "Dig."}]])


# --- what it may not know


@st.composite
def sheets(draw: Any, label: str, town: str, worst: int) -> dict[str, Any]:
    kinds = draw(st.lists(st.sampled_from(["house", "inn", "shop", "library", "palace", "granary"]), max_size=3))
    buildings, _ = lay_out((District(),), kinds, RULES)
    return {
        "treasury": draw(st.integers(-5, 200)),
        "unrest": draw(st.integers(0, worst)),
        "alignment": draw(st.sampled_from(["", "LG", "CE"])),
        "government": draw(st.sampled_from(["", "republic"])),
        "attributes": {name: draw(st.integers(-5, 25)) for name in ("economy", "loyalty", "stability")},
        "capital": town,
        "settlements": {town: Settlement(label, buildings=buildings)},
        "modifiers": tuple(draw(st.lists(st.just(Modifier("economy", 2, "aid", "aid from Nowhere")), max_size=1))),
        "coming": tuple(draw(st.lists(st.just(Modifier("loyalty", 1, "aid", "aid from Nowhere")), max_size=1))),
        "requests": tuple(draw(st.lists(st.just(Request(4, "May we march?")), max_size=2))),
        **{category: draw(level) for category, level in LEVELS.items()},
    }


@st.composite
def others_orders(draw: Any, town: str, unknown: str, far: bool) -> dict[str, Any]:
    """Borderia keeps its land, which is known by its size; Cravonia may do what it likes where it is."""
    keys: dict[str, Any] = {
        "leadership": st.lists(ATTRIBUTE, min_size=1, max_size=1),
        "build": st.lists(st.fixed_dictionaries({"in": st.just(town), "build": st.sampled_from(["house", "tenement", "castle"])}), max_size=2),
        "edicts": st.fixed_dictionaries({}, optional=LEVELS),
        "loyalty": st.just({"rouse_the_people": ""}),
        "requests": st.just(["May we march on Examplia?"]),
        "capital": st.just("Nowhere"),
        "claim": st.just(["9902"]),
        "special": st.just([{"edict": "aid", "to": unknown, "attribute": "economy"}]),
    }  # fmt: skip
    if far:
        keys |= {
            "claim": st.lists(st.sampled_from(FAR), max_size=2),
            "abandon": st.lists(st.sampled_from(FAR), max_size=1),
        }
    return draw(st.fixed_dictionaries({}, optional=keys))


@st.composite
def hidden_land(draw: Any, claimed: frozenset[str]) -> dict[str, Hex]:
    """What lies hidden near Examplia where it claims nothing, and all land out of its sight."""
    secrets = st.fixed_dictionaries({}, optional={
        "resource": st.just(True), "lair": st.just(True), "ruin": st.just("temple"), "building": st.just("mill"),
        "hazard": st.just("quicksand"), "secret": st.just("a crown"), "monsters": st.integers(1, 6),
    })  # fmt: skip
    land = dict(LAND)
    for label in draw(
        st.lists(st.sampled_from([label for label in [*NEAR, BORDER] if label not in claimed]), unique=True, max_size=5)
    ):
        land[label] = replace(land[label], **draw(secrets))
    seen = {*HOME, *NEAR, BORDER} | {far for label in claimed for far in neighbours(label)}
    city = FreeCity("Oldwick", Settlement("0109"))
    lands = st.builds(Hex, st.sampled_from(["hills", "marsh", "forest"]), free_city=st.sampled_from([None, city]), wild=st.booleans(),
                      left=st.sampled_from([(), ("farm",)]), monsters=st.integers(0, 3))  # fmt: skip
    for label in draw(
        st.lists(
            st.sampled_from([label for label in LABELS if label not in seen and label not in FAR]),
            unique=True,
            max_size=5,
        )
    ):
        land[label] = draw(lands)
    return land


@st.composite
def hidden(draw: Any, own: dict[str, Any], letters: Mapping[str, list], told: list) -> Hidden:
    beyond, far = draw(st.permutations(BEYOND))[:2], draw(st.lists(st.sampled_from(FAR), unique=True, max_size=4))
    at = beyond[0]
    borderia = Kingdom("Borderia", hexes={BORDER: draw(st.sampled_from([(), ("farm",), ("fort",)])), **dict.fromkeys(beyond, ())},
                       revealed=(BORDER, *beyond), edict_size=3, **draw(sheets(at, "Millford", 5)))  # fmt: skip
    cravonia = Kingdom(draw(NAMES), hexes=dict.fromkeys(far, ()), revealed=tuple(far), edict_size=len(far),
                       loses_hex=draw(st.booleans()), anarchy=draw(st.sampled_from([0, 6])), began_empty=not far,
                       **draw(sheets(far[0] if far else "0909", "Stonebridge", 25)))  # fmt: skip
    if not far:
        cravonia = replace(cravonia, settlements={}, capital="")
    claimed = frozenset(own.get("claim", ())) & set(NEAR)
    kingdoms = {"borderia": borderia, "cravonia": cravonia, SEAT: EXAMPLIA}
    return Hidden(World(5, draw(hidden_land(claimed)), kingdoms), *draw(papers(own, letters, told)))


@st.composite
def papers(
    draw: Any, own: dict[str, Any], letters: Mapping[str, list], told: list
) -> tuple[dict[str, Any], str, CampaignFacts]:
    """Who filed what, the dice of the others, and what the campaign's own files say of them."""
    orders: dict[str, Any] = {SEAT: own}
    for seat, town, unknown in (("borderia", "Millford", "cravonia"), ("cravonia", "Stonebridge", SEAT)):
        filed = draw(others_orders(town, unknown, seat == "cravonia"))
        to_each_other = draw(
            st.lists(st.just({"to": "cravonia" if seat == "borderia" else "borderia", "text": "A plot."}), max_size=1)
        )
        orders[seat] = {**filed, "messages": [*letters[seat], *to_each_other]}
    rulings = draw(st.lists(st.sampled_from([
        {"grant": "borderia", "account": "treasury", "by": 9, "reason": "a secret gift"},
        {"reveal": "0303", "to": "cravonia", "reason": "spies"},
        {"void": {"kingdom": "borderia", "order": "edicts"}, "reason": "a whim"},
        {"grant": "nobody", "account": "unrest", "by": 1, "reason": "a slip"},
    ]), max_size=2))  # fmt: skip
    secrets = draw(
        st.lists(
            st.sampled_from([{"to": "borderia", "text": "Beware."}, {"to": "cravonia", "text": "Now."}]), max_size=2
        )
    )
    orders["gm"] = {"gm": rulings, "tell": [*secrets, *told]}
    other = draw(st.sampled_from("abc"))
    facts = CampaignFacts(
        "The Ford Lands", {"borderia": f"Ben {other}", "cravonia": f"Cem {other}", SEAT: "Ada"}, deadlines={"borderia": other, SEAT: "tomorrow"},
        keys={"borderia": other, "gm": other, SEAT: "key"}, commitments={"borderia": other, "gm": "the GM's, told to all", SEAT: "mine"},
        receipts={"borderia": other, "gm": other, SEAT: "mine"}, changes={"borderia": [other]}, previous="f00d" * 16,
    )  # fmt: skip
    return orders, draw(st.sampled_from(["one", "two", "three"])), facts


@st.composite
def pairs(draw: Any) -> tuple[Hidden, Hidden]:
    own, told = draw(own_orders()), draw(TOLD)
    letters = {seat: draw(each) for seat, each in LETTERS.items()}
    return draw(hidden(own, letters, told)), draw(hidden(own, letters, told))


# --- playing them


class OwnDice(Dice):
    """Examplia's dice of one seed, and those of whom it fights; all others' of another."""

    def __init__(self, turn: int, others: str):
        super().__init__("examplia's", turn)
        self._others = Dice(others, turn)

    def result(self, kingdom: str, name: str, count: int, sides: int) -> Roll:
        return (
            super().result(kingdom, name, count, sides)
            if kingdom == SEAT or "battle" in name
            else self._others.result(kingdom, name, count, sides)
        )


WANTED = {  # what it asks `kingdom check` about, besides a special edict
    "claim": [*NEAR, "0808"], "improve": [{"hex": label, "build": "farm"} for label in NEAR], "doors": {"borderia": "closed"},
    "smuggle": ["borderia", "cravonia"], "plan": ["claim 0808", "farm 0304", "house in Oakhold"],
    "armies": [
        {"army": "First Foot", "move": ["0403", "0402", "0401"], "then": "raid"},
        {"army": "Scouts", "move": [BORDER], "then": "attack", "target": "borderia"},
        {"army": "Guard", "move": ["0808"], "then": "attack", "target": "cravonia"},
        {"recruit": "Second Foot", "size": "medium", "unit": "warrior", "from": "Oakhold"},
    ],
}  # fmt: skip
SPECIALS = [
    {"edict": "aid", "to": "cravonia", "attribute": "economy"},
    {"edict": "explore", "from": "Oakhold", "weeks": 2, "route": ["0403", "0402", "0401"]},
    {"edict": "explore", "from": "Oakhold", "weeks": 2, "toward": "0808", "escort": 4},
    {"edict": "adventurers", "bp": 4, "task": "0303"}, {"edict": "adventurers", "bp": 4, "task": "0401"},
    {"edict": "trade_route", "to": "cravonia", "hex": "0707"}, {"edict": "trade_route", "to": "borderia", "hex": "0505"},
    {"edict": "share_route", "to": "borderia"}, {"edict": "share_route", "to": "cravonia"}, {"edict": "close_route", "route": "trade_route-1"},
]  # fmt: skip


def played(state: Hidden) -> Result:
    return resolve(GAME, state.world, state.orders, OwnDice(state.world.turn + 1, state.dice), RULES)


def told_to_examplia(state: Hidden) -> dict[str, Any]:
    """Everything that Examplia is shown of the turn and after it."""
    result = played(state)
    files = dict(reports.rendered(GAME, result, RULES, state.facts))
    form = known(result.after, SEAT, RULES)
    foreseen = resolve(GAME, form, {SEAT: WANTED}, NoDice(), RULES, until=GAME.foreseen_to)
    specials = [
        resolve(GAME, form, {SEAT: {"special": [special]}}, NoDice(), RULES, until=GAME.foreseen_to)
        for special in SPECIALS
    ]
    return {
        "text": files[f"{SEAT}.txt"],
        "page": files[f"{SEAT}.html"],
        "map": GAME.draw(result.after, SEAT, RULES),
        "picture": GAME.picture(result.after, SEAT, RULES),
        "check": [
            (each.notices, [entry for entry in each.entries if entry.kingdom == SEAT]) for each in (foreseen, *specials)
        ],
        "odds": GAME.odds(replace(foreseen.after, turn=result.number), SEAT, RULES),
        "sheet": GAME.sheet(result.after, SEAT, RULES),
    }


@few
@given(pairs())
def test_what_is_hidden_from_a_seat_changes_nothing_that_it_is_told(pair: tuple[Hidden, Hidden]) -> None:
    one, other = pair
    assume(one != other)
    first, second = told_to_examplia(one), told_to_examplia(other)
    for what in first:
        assert first[what] == second[what], what


# --- the test above can fail: what is not hidden does show


def one_state(**changes: Any) -> Hidden:
    """A fixed world, and what a test changes of Borderia."""
    borderia = replace(Kingdom("Borderia", hexes={BORDER: ()}, revealed=(BORDER,), edict_size=1), **changes)
    facts = CampaignFacts("The Ford Lands", {"borderia": "Ben", SEAT: "Ada"})
    return Hidden(World(5, LAND, {"borderia": borderia, SEAT: EXAMPLIA}), {}, "one", facts)


def test_what_a_seat_may_know_does_show() -> None:
    same = told_to_examplia(one_state())
    for changed in (
        {"name": "Bordonia"},
        {"hexes": {BORDER: (), "0801": ()}},
        {"hexes": {BORDER: (), "0503": ()}},
        {"hexes": {}},
    ):
        other = told_to_examplia(one_state(**changed))
        assert other["text"] != same["text"] and other["page"] != same["page"] and other["map"] != same["map"], changed


def test_a_claim_reveals_what_the_hex_hides_and_nothing_else_does() -> None:
    secret = Hex("plains", secret="a crown")
    for label, orders, found in (
        ("0305", {"claim": ["0305"]}, True),
        ("0305", {"claim": ["0403"]}, False),
        ("0305", {}, False),
    ):
        state = one_state()
        state = state._replace(world=replace(state.world, hexes={**LAND, label: secret}), orders={SEAT: orders})
        assert ("a crown" in told_to_examplia(state)["text"]) == found


def test_to_write_to_a_stranger_tells_nothing_of_him_but_a_letter_of_his_does() -> None:
    stranger = Kingdom("The Hollow Realm", hexes={"0808": (), "0809": ()})
    state = one_state()
    world = replace(state.world, kingdoms={**state.world.kingdoms, "cravonia": stranger})
    facts = state.facts._replace(players={**state.facts.players, "cravonia": "Cem"})
    for writer, reader, named in ((SEAT, "cravonia", False), ("cravonia", SEAT, True), ("cravonia", "all", False)):
        letter = {writer: {"messages": [{"to": reader, "text": "Good day."}]}}
        text = told_to_examplia(state._replace(world=world, orders=letter, facts=facts))["text"]
        assert "Good day." in text and ("The Hollow Realm (cravonia), size 2" in text) == named


def test_the_gms_book_does_differ() -> None:
    def book(state: Hidden) -> str:
        return dict(reports.rendered(GAME, played(state), RULES, state.facts))["gm.html"]

    assert book(one_state()) != book(one_state(treasury=99))


def test_the_hexes_of_these_worlds_are_what_the_tests_say_they_are() -> None:
    world = one_state().world
    assert sees(world, SEAT, RULES) == {*HOME, *NEAR, BORDER}
    assert not {*FAR, *BEYOND} & {far for label in NEAR for far in neighbours(label)}, "no claim leads there"
    assert set(HIDDEN) == {"resource", "lair", "ruin", "building", "hazard", "secret", "monsters", "wounds"}
