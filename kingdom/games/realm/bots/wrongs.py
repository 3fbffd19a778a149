"""A bot's book of wrongs: which kingdoms took others' land by arms, and which promised peace.

It is worked out anew every turn, from the conquests that the seat saw (its kingdom's `takings`), from victims' letters, and
from the seat's letters with others in the last turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from kingdom.engine.game import Letter
from kingdom.engine.names import words
from kingdom.games.realm.bots.reading import labels_in, names, proposal_of, says_taken, says_yes
from kingdom.games.realm.hexmap import distance, neighbours
from kingdom.games.realm.orders.kind import named
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Taking, World, owners
from kingdom.games.realm.visibility.sight import sees

WRONG = 3  # a kingdom is in the book if it took so many hexes in the last turns that are not back
NEAR = 4  # a bot joins a victim's war only within so many hexes of its own land
HELPERS = 2  # the most helpers of a victim against a kingdom that took its land
PROMISE = 8  # turns that an agreed peace holds


class Book(Struct, frozen=True):
    """A bot's grievances and promises.

    mine: lost own hex that is not back -> the seat that took it. wrongs: seat that took too much -> hex not back -> the hex's
    victim. promised: seat that was promised peace -> the last turn of the peace. broken: seats that broke their promise. near:
    victim -> the seat that took its land, against which the bot may join the war. joined: the entries of `near` whose war the
    bot has joined.
    """

    mine: Mapping[str, str] = {}
    wrongs: Mapping[str, Mapping[str, str]] = {}
    promised: Mapping[str, int] = {}
    broken: tuple[str, ...] = ()
    near: Mapping[str, str] = {}
    joined: Mapping[str, str] = {}

    @property
    def foes(self) -> set[str]:
        """The seats that took too much from anybody, or anything from the bot itself, and still hold it."""
        return {*self.wrongs, *self.mine.values()}


def book_of(known: World, seat: str, rules: Rules, letters: Sequence[Letter]) -> Book:
    """Return the book as it stands before the turn after `known`. letters: those of the last turns, including the seat's
    own."""
    kingdom, held, seen = known.kingdoms[seat], owners(known), sees(known, seat, rules)
    takings = {**dict(_testified(known, seat, seen, letters)), **kingdom.takings}

    def stands(label: str, taking: Taking) -> bool:
        """Whether the wrong still stands. It ends if, as far as the seat sees, the victim or nobody holds the hex."""
        return not taking.back and (label not in seen or held.get(label) not in (None, taking.of))

    standing = {label: taking for label, taking in takings.items() if stands(label, taking)}
    guilty = _guilty(takings)
    wrongs = {
        by: {label: taking.of for label, taking in standing.items() if taking.by == by}
        for by in sorted({taking.by for taking in standing.values()} & guilty - {seat})
    }
    mine = {label: taking.by for label, taking in standing.items() if taking.of == seat}
    promised = dict(_promises(seat, known.turn, letters))
    hostile = [
        (by, known.turn) for seats in (kingdom.occupiers, kingdom.besiegers) for each in seats.values() for by in each
    ]
    hostile += [(taking.by, taking.turn) for taking in kingdom.takings.values() if taking.of == seat]
    broken = tuple(
        dict.fromkeys(by for by, turn in hostile if by in promised and promised[by][0] < turn <= promised[by][1])
    )
    unbound = {*broken, *wrongs, *mine.values()}  # only giving the hexes back brings peace with these
    bound = {other: last for other, (_, last) in promised.items() if other not in unbound and last > known.turn}
    near = {
        victim: by
        for by, taken in wrongs.items()
        if by not in bound
        for label, victim in taken.items()
        if victim != seat and any(distance(label, own) <= NEAR for own in kingdom.hexes)
    }
    joined = {victim: by for victim, by in near.items() if seat in helpers(victim, by, letters)[:HELPERS]}
    return Book(mine, wrongs, bound, broken, near, joined)


def knows_both(known: World, one: str, other: str) -> list[str]:
    """Return the seats that surely know both kingdoms: in the known world their land touches the land of both."""
    held = owners(known)
    touch = {(held[label], held[near]) for label in held for near in neighbours(label) if near in held}
    return [seat for seat in known.kingdoms if {(seat, one), (seat, other)} <= touch and seat not in (one, other)]


def stands_by(victim: str, by: str) -> str:
    """Return the sentence with which a kingdom joins a war. It uses ids, so it is the same whatever names the writer knows."""
    return f"We stand by {words(victim).title()} against {words(by).title()} until its land is back."


def _guilty(takings: Mapping[str, Taking]) -> set[str]:
    """Return the seats that at some time had WRONG hexes that were not back, or shared in taking so many from one victim. Hexes
    taken from a seat that was already guilty do not count."""
    found: set[str] = set()
    for turn in sorted({taking.turn for taking in takings.values()}):
        then = [
            taking for taking in takings.values()
            if taking.turn <= turn and not 0 < taking.back <= turn and taking.of not in found
        ]  # fmt: skip
        by, of = [taking.by for taking in then], [taking.of for taking in then]
        found |= {taking.by for taking in then if by.count(taking.by) >= WRONG or of.count(taking.of) >= WRONG}
    return found


def _testified(known: World, seat: str, seen: set[str], letters: Iterable[Letter]) -> Iterator[tuple[str, Taking]]:
    """Yield (hex, taking) for victims' letters about their own hexes. A letter counts only for a hex out of sight that the seat
    last saw in the victim's hands, and only if the seat saw the accused take land from the victim, or sees the accused's army
    beside the hex."""
    kingdom = known.kingdoms[seat]
    for letter in letters if kingdom.memory else ():
        victim, others = letter.sender, known.kingdoms.keys() - {seat, letter.sender}
        accused = [other for other in others if names(letter.text, other, named(other, known))]
        if victim == seat or len(accused) != 1 or not says_taken(letter.text):
            continue
        robbed = any((taking.by, taking.of) == (accused[0], victim) for taking in kingdom.takings.values())
        near = [army.hex for army in known.kingdoms[accused[0]].armies.values()]
        for label in labels_in(letter.text):
            theirs = label not in seen and label in kingdom.memory and kingdom.memory[label].holder == victim
            if theirs and (robbed or any(distance(label, there) <= 1 for there in near)):
                yield label, Taking(letter.turn, accused[0], victim)


def _promises(seat: str, turn: int, letters: Iterable[Letter]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield (the other seat, (the turn of the yes, the last turn of the peace)) for each proposal of peace answered with
    yes."""
    asked: dict[tuple[str, str], int] = {}
    for letter in sorted(letters, key=lambda letter: letter.turn):
        other = letter.to if letter.sender == seat else letter.sender
        if 1 <= letter.turn - asked.get((letter.to, letter.sender), letter.turn) <= 2 and says_yes(letter.text):
            if letter.turn + PROMISE >= turn:  # a peace that ends this turn may still have been broken in it
                yield other, (letter.turn, letter.turn + PROMISE)
        elif proposal_of(letter.text) == "peace":
            asked[letter.sender, letter.to] = letter.turn


def helpers(victim: str, by: str, letters: Iterable[Letter]) -> list[str]:
    """Return the seats that said that they join that war, the earliest first."""
    said = stands_by(victim, by)
    first = sorted((letter.turn, letter.sender) for letter in letters if letter.text == said)
    return list(dict.fromkeys(sender for _, sender in first if sender not in (victim, by)))
