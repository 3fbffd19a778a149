"""What may be ordered in every game alike: the head and the foot of an orders file, messages, and the GM's rulings."""

from __future__ import annotations

from kingdom.orders.kit.kinds import listed as listed
from kingdom.orders.kit.pages import ALL as ALL
from kingdom.orders.schema import Flag, ListOf, Number, OneOf, Record, Shape, Text, Word

HEAD = ("kingdom", "turn")
LONG = 10_000  # most characters of a text to other people
MOST = 999  # the most that the GM may grant at once

FOOT: dict[str, Shape] = {
    "amend": Flag("whether this is added to what is filed"),
    "final": Flag("whether you are done"),
    "token": Text("the word that proves who you are", example="k7f3q", most=100),
}
FOOT_ADDS = ("final",)  # of these the keys that add to what is filed


def seat(meaning: str, *also: str, example: str = "bob") -> Word:
    """One of the campaign's seats, or one of the words that may stand for several."""
    return Word(meaning, "seats", also=also, example=example)


def turn(example: int = 3) -> Number:
    """The number of the turn that an orders file is for."""
    return Number("the turn that they are for", 0, 9999, example)


def messages(example: str) -> ListOf:
    """What a player writes to another seat or to all."""
    return texts("messages", "a message", example)


def texts(meaning: str, one: str, example: str) -> ListOf:
    """Texts to another seat or to all; one: what each is."""
    text = Text("the text", example=example, most=LONG, lines=True)
    return ListOf(
        meaning, Record(one, {"to": seat("to whom", ALL), "text": text}, required=("to", "text")), pairs=("to", "text")
    )


def gm_shape(account: str, by: str, void: str) -> Record:
    """The GM's orders: to grant what the game counts, to make an order void, to end the campaign, to tell.

    account: what is granted; by: the key of how much. void: a path, as an example.
    """
    rulings = {
        "grant": Record(f"{account} given or taken", {
            "grant": seat("to whom"),
            by: Number("how many, negative to take them", -MOST, MOST, 1),
            "reason": REASON,
        }, required=("grant", by, "reason")),
        "void": Record("an order that does not count", {
            "void": Record("the order", {
                "kingdom": seat("whose order"),
                "order": Text("its path", example=void, most=100),
            }, required=("kingdom", "order")),
            "reason": REASON,
        }, required=("void", "reason")),
        "finish": finish(REASON),
    }  # fmt: skip
    return Record("the GM's orders of a turn", {
        "kingdom": Word("whose orders these are", ("gm",)),
        "turn": turn(),
        "gm": ListOf("the GM's rulings", OneOf("a ruling", rulings)),
        "tell": texts("what the GM tells", "a text for the reports", "The next deadline is after the holidays."),
        **GM_FOOT,
    }, required=("turn",), adds=("tell",))  # fmt: skip


REASON = Text("the reason", example="ruling of turn 2 corrected", most=LONG, lines=True)
GM_FOOT: dict[str, Shape] = {
    "amend": Flag("whether this is added to what is filed"),
    "token": Text("the word that proves who you are", example="g5s1r", most=100),
}


def finish(reason: Text) -> Record:
    """The GM's order that ends the campaign with its turn."""
    return Record("the end of the campaign", {
        "finish": Word("what comes to its end", ("campaign",)),
        "reason": reason,
    }, required=("finish", "reason"))  # fmt: skip
