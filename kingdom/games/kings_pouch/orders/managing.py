"""The management phase: build at most one card, claim characters, occupy territories and attack castles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, TypeAlias, TypedDict, cast, final

from kingdom.engine.refusal import Refusal
from kingdom.engine.step import Orders
from kingdom.games.kings_pouch import steps
from kingdom.games.kings_pouch.orders.counting import NEARER, UNSURE, price_of
from kingdom.games.kings_pouch.orders.placing import PLACE, card_named
from kingdom.games.kings_pouch.orders.resting import TAX, WORDS, collect_tax
from kingdom.games.kings_pouch.report import scores_text, slots_text
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Marked, Now, Table, Turn, on_characters, replace, with_player
from kingdom.games.kings_pouch.steps import booked, costs, paid, passed, price, purse_of, said, scored, tell
from kingdom.games.kings_pouch.steps.land import army_for, castles, connected, discounted, land, owner_of, within_reach
from kingdom.games.kings_pouch.steps.rounds import TURNS, acting, worth_next
from kingdom.games.kit.common_orders import seat as seat_of
from kingdom.orders import kit, yaml_out
from kingdom.orders.schema import Either, ListOf, OneOf, Word
from kingdom.render.plain_text import counted, joined


class Castle(TypedDict):
    """Another player's castle."""

    castle: Annotated[str, seat_of("whose")]


Target: TypeAlias = str | Castle  # a territory, or another player's castle
TARGET = Either("a territory, or another player's castle", (
    Word("a territory", "territories", example="R1"), kit.record(Castle, "another player's castle"),
))  # fmt: skip

Wanted: TypeAlias = Any  # one of the alternatives of a wish: a word, or a Target if it is to be occupied
Check: TypeAlias = Callable[[Table, str, Wanted, Rules], Refusal | None]
TWINS = ("_1", "_2")  # what tells characters of one kind apart
POOR = ("pouch_gold_building", "pouch_gold_character")  # refusals for want of gold, which the tax may bring


def _choices(meaning: str, of: Word | Either) -> ListOf:
    return ListOf(f"{meaning}, the first choice first", of, short=WORDS, least=1)


@final
class Build(TypedDict):
    """A wish to build."""

    build: Annotated[list[str], _choices("the cards", Word("a card", "buildings", example="Market"))]


@final
class Claim(TypedDict):
    """A wish to claim."""

    claim: Annotated[list[str], _choices("the characters", Word("a character", "characters", example="queen"))]


@final
class Occupy(TypedDict):
    """A wish to occupy."""

    occupy: Annotated[list[Target], _choices("the territories", TARGET)]


Wish: TypeAlias = Build | Claim | Occupy
WISH = OneOf("a wish", {
    "build": kit.record(Build, "a building", short=("build {build}",)),
    "claim": kit.record(Claim, "a character", short=("claim {claim}",)),
    "occupy": kit.record(Occupy, "a territory", short=("occupy {occupy}",)),
})  # fmt: skip


class Manage(kit.Sequence[Table, Rules, Wish]):
    """Wishes, one after the other. A wish lists alternatives, and the first possible alternative is carried out."""

    key, name, phase, stops = "manage", "what to build, claim and occupy", TURNS[0], False
    shape = ListOf("what to build, claim and occupy, one after the other", WISH)
    causes = {
        "construct": "a building under construction",
        "claim": "a marker on a character",
        "occupy": "a territory occupied",
        "driven_out": "markers that another player sent home",
        "castle_attack": "another player's castle attacked",
        "attacked": "a corrupt official from an attack on the castle",
    }
    refusals = {
        "pouch_no_building_now": "After round {last} nothing is built (ruling construct); use the gold for characters, or leave it: it becomes prestige.",
        "pouch_site_taken": "{site} lies face down on your board already (ruling construct); build the next one in the next round.",
        "pouch_not_on_display": "{building} is not on display (ruling construct); name one that you may build: {display}.",
        "pouch_same_name": "You have a {building} already, and no two of a name (ruling construct); build another: {display}.",
        "pouch_gold_building": "{building} costs {cost} gold and you have {gold} (ruling construct); get more gold first, or name what you can pay.",
        "pouch_not_in_game": "{character} is not in this game (ruling claim); name one that nobody claimed: {free}.",
        "pouch_claimed": "{character} is claimed by {owner} (ruling claim); name one that nobody claimed: {free}.",
        "pouch_gold_character": "{character} costs you {cost} gold and you have {gold} (ruling claim); get more gold first, or leave it.",
        "pouch_no_marker": "You have no marker left in hand (ruling occupy); leave it until a council sends markers home.",
        "pouch_no_marker_claim": "You have no marker left in hand (ruling claim); leave it until a council sends markers home.",
        "pouch_not_in_use": "{place} is not in use in this game (table boards); name one that is: {near}.",
        "pouch_yours": "{place} is yours already (ruling occupy); name one beside your land: {near}.",
        "pouch_not_connected": "{place} is not beside land that is connected to your castle (ruling cut_off); what you can reach: {near}.",
        "pouch_castle_as_land": "In {place} stands the castle of {owner} (ruling castle_attack); write `castle: {owner}` to attack it.",
        "pouch_own_castle": "That is your own castle (ruling castle_attack); name another player's.",
        "pouch_attacked_already": "You attacked the castle of {owner} this round already (ruling castle_attack); wait until the next round.",
        "pouch_army": "{place} takes {cost} army and you have {army} (ruling occupy); get more army first, or name what you can reach with it: {near}.",
    }

    def asks(self, now: Now) -> str:
        build = "build at most one card, " if now.state.round <= now.rules.rounds.building else ""
        before = now.state.order[: now.state.order.index(now.seat)]
        late = f"comes after {joined(before)}: a wish for what they took falls away"
        turns = late if before else "is the first of the round"
        firsts = [next(iter(kind), None) for kind in (_cards(now), _characters(now), territories(now))]
        wishes = [first.order for first in firsts if first]
        typed = f", as in `{self.key}: {yaml_out.flow(wishes)}`" if wishes else ""
        return f"Then {build}claim characters and occupy territories{typed}: of each list you do the first that is possible. Your turn {turns}."

    def behind(self, now: Now, orders: Orders) -> Now:
        """Return the moment behind the seat's placements, the tax and these wishes. now: the moment before the run."""
        turn = kit.Trial[Table, Rules](now.rules)
        turn.orders = {now.seat: orders}
        behind = PLACE.behind(now, orders)
        return behind._replace(state=self.play(behind, turn))

    def play(self, now: Now, turn: Turn) -> Table:
        """Carry out the wishes, behind the tax if it is collected in any case."""
        return super().play(now._replace(state=TAX.play(now, turn)), turn)

    def objection(self, now: Now, order: Wish) -> Refusal | None:
        """One of the alternatives must be possible."""
        ((kind, alternatives),) = order.items()
        listed = cast("Sequence[Wanted]", alternatives)
        objections = [possible(now.state, now.seat, kind, wanted, now.rules)[0] for wanted in listed]
        return objections[0] if all(objections) else None

    def carry_out(self, now: Now, order: Wish, turn: Turn) -> Table:
        """Do the first alternative that is possible."""
        return self.tried(now, turn, "", order)[0]

    def tried(self, now: Now, turn: Turn, path: str, order: Wish) -> tuple[Table, bool]:
        """Carry out the first possible alternative. The seat is told why the alternatives before it fell away; if none is possible all are refused."""
        ((kind, alternatives),) = order.items()
        failed: list[tuple[str, Refusal]] = []
        for index, wanted in enumerate(cast("Sequence[Wanted]", alternatives)):
            where = f"{path}.{kind}[{index}]"
            objection, taxed = possible(now.state, now.seat, kind, wanted, now.rules)
            if objection is None:
                for before, refusal in failed:
                    passed(turn, now.seat, before, turn.reason(refusal.code, **refusal.facts))
                turn.tell(now.seat, self.used, order=where)
                table = collect_tax(now.state, turn, now.seat) if taxed else now.state
                return ACTIONS[kind][1](table, turn, now.seat, wanted), True
            failed.append((where, objection))
        for where, objection in failed:
            turn.refuse_with(now.seat, where, objection)
        return now.state, False

    def candidates(self, now: Now) -> Iterator[kit.Candidate]:
        """Each card, character, territory and castle that can be had now."""
        now, trial = PLACE.begun(now, {}), kit.Trial[Table, Rules](now.rules)
        builds = [candidate.id for candidate in _cards(now)]
        for candidate in (*_cards(now), *_characters(now), *territories(now)):
            if self.objection(now, candidate.order) is None:
                effect = steps.changed(now.state, self.carry_out(now, candidate.order, trial), now.seat, now.rules)
                against = tuple(other for other in builds if other != candidate.id) if candidate.id in builds else ()
                yield candidate._replace(costs=costs(effect), effect=effect, against=against)

    def on_page(self, now: Now) -> Iterator[kit.Candidate]:
        """The same candidates, at the prices that hold when the wish comes up, and lists: the first possible alternative of a list is done."""
        now = PLACE.begun(now, {})
        for candidates in (_cards(now), _characters(now), territories(now)):
            if listed := list(candidates):
                yield from (*listed, _list_of(listed, now))

    def say(self, order: Wish) -> str:
        ((kind, alternatives),) = order.items()
        return f"{kind}: {', '.join(_said(kind, word) for word in cast('list[Target]', alternatives))}"


def _said(kind: str, word: Target) -> str:
    if not isinstance(word, str):
        return f"castle of {word['castle']}"
    return said(word) if kind == "occupy" else said(word).title()


MANAGE = Manage()


management = kit.step("management", "The second phase of a turn.", MANAGE, acting)


def possible(table: Table, seat: str, kind: str, wanted: Wanted, rules: Rules) -> tuple[Refusal | None, bool]:
    """(why it can't be done, whether the tax makes it possible). kind: build, claim or occupy."""
    check, purse = ACTIONS[kind][0], purse_of(table)
    objection = check(table, seat, wanted, rules)
    if objection and objection.code in POOR and purse.may_tax and not table.seats[seat].taxed:
        richer = replace(table, purse=replace(purse, gold=purse.gold + rules.tax.gold))
        if check(richer, seat, wanted, rules) is None:
            return None, True
    return objection, False


# --- what can be wished for


def _cards(now: Now) -> Iterator[kit.Candidate]:
    table, rules, lord = now.state, now.rules, now.state.seats[now.seat]
    own = {rules.buildings[building].name for building in lord.buildings}
    for card in on_show(table) if table.round <= rules.rounds.building and not lord.site else ():
        rule = rules.buildings[card]
        if rule.name not in own:
            yield kit.Candidate(
                f"build {card}", {"build": [card]}, f"Build {rule.name} ({rule.colour})",
                more=f"{rule.cost} gold; {rule.prestige} prestige at the end; {'; '.join(slots_text(rule))}", group="Build",
                uses={"the building of this round": 1}, deed=price_of(table, now.seat, "construct", [rule.cost], rules), checked=True,
            )  # fmt: skip


def _characters(now: Now) -> Iterator[kit.Candidate]:
    table, rules, first = now.state, now.rules, claim_cost(now.state, now.seat, now.rules)
    levels = [first + rules.claim.per_marker * more for more in range(table.seats[now.seat].markers + 1)]
    price = price_of(table, now.seat, "claim", levels, rules, by="claimed")
    for who in unclaimed(table):
        character = rules.characters[who]
        yield kit.Candidate(
            f"claim {who}", {"claim": [who]}, f"Claim the {character.name}",
            more=f"now {worth_next(table, now.seat, who, rules)} prestige; {scores_text(character.by, character.table)}", group="Claim characters",
            uses={f"the {character.name}": 1}, costs={"markers": 1}, deed={**price, "each": [{"adds": {"claimed": 1}}]}, checked=True,
        )  # fmt: skip


def territories(now: Now) -> Iterator[kit.Candidate]:
    """The territories and castles of others. If distances lead over own land (ruling distance) only those beside that land."""
    table, rules, lord = now.state, now.rules, now.state.seats[now.seat]
    homes, near = castles(table), land(rules, len(table.seats))
    for place in within_reach(table, now.seat, rules) if rules.distance.via == "own" else near:
        held, name = table.territories.get(place), said(place)
        owner = owner_of(table, place)
        if owner == now.seat or (place in homes and owner in lord.attacked):
            continue
        army = army_for(table, now.seat, place, rules)
        candidate = kit.Candidate(
            f"occupy {name}", {"occupy": [place]}, f"Occupy {name}", at=name, group="Occupy territories", checked=True,
            needs=[[other for other in near[place] if homes.get(other, now.seat) == now.seat]],
            deed=price_of(table, now.seat, "occupy", [army], rules),
        )  # fmt: skip
        if place in homes:
            gain, least = rules.castle_attack.prestige, {"markers": 1} if rules.castle_attack.needs_marker else {}
            yield candidate._replace(
                id=f"occupy castle {owner}", order={"occupy": [{"castle": owner}]}, text=f"Attack the castle of {owner}", least=least,
                more=f"{name}: {army} army; {gain} prestige", adds={"prestige": gain}, uses={f"attack on {owner}": 1},
            )  # fmt: skip
        else:
            gain, whose = (rules.occupy.taken, f"from {owner}") if held else (rules.occupy.empty, "empty")
            # with own land that was cut off
            joins = connected(with_player(table, now.seat, castle=place), now.seat, rules)
            yield candidate._replace(
                more=f"{whose}: {army} army; {gain} prestige", adds={"prestige": gain}, costs={"markers": 1}, uses={name: 1},
                gives=sorted(joins - connected(table, now.seat, rules)),
            )  # fmt: skip


def _list_of(candidates: Sequence[kit.Candidate], now: Now) -> kit.Candidate:
    """A list of alternatives of one kind. The first possible alternative is done."""
    (kind,) = candidates[0].order
    listed = {candidate.id.removeprefix(f"{kind} "): candidate for candidate in candidates}
    pairs = {word: word[:-2] for word in listed if word[-2:] in TWINS}
    twins = {pair: [f"claim {word}" for word in pairs if pairs[word] == pair] for pair in pairs.values()}
    prices = {word: candidate.more.partition(";")[0] for word, candidate in listed.items()}
    texts = {word: f"{candidate.text.partition(' ')[2]}, {prices[word]}" for word, candidate in listed.items()}
    texts |= {word: f"{said(word).capitalize()}, either" for word in twins}
    means = {word: candidate.order[kind][0] for word, candidate in listed.items() if candidate.order[kind] != [word]}
    choices = kit.Pick(
        "First choice, and what else", list(texts), texts=texts, means=means, kind="ranked", least=1, most=5
    )
    unsure = NEARER if kind == "occupy" and now.rules.distance.via == "own" else UNSURE
    return kit.Candidate(
        f"{kind} list", {kind: kit.Gap("choices")}, f"{kind.capitalize()} the first of a list that is possible", {"choices": choices},
        deed={"ranked": {"by": "choices", "id": kind, "of": twins, "unsure": unsure}}, group=candidates[0].group, checked=True,
    )  # fmt: skip


def unclaimed(table: Table) -> list[str]:
    """The characters that nobody claimed."""
    return [who for who in table.characters if who not in table.claimed]


def on_show(table: Table) -> list[str]:
    """The cards on display, each once."""
    return list(dict.fromkeys(table.display))


# --- constructing a building -----------------------------------------------------------------------------------------------


def build_problem(table: Table, seat: str, wanted: str, rules: Rules) -> Refusal | None:
    """Why the card can't be built."""
    lord = table.seats[seat]
    own = {rules.buildings[building].name for building in lord.buildings}
    cards = [rules.buildings[card] for card in on_show(table) if rules.buildings[card].name not in own]
    display = joined(f"{rule.name} ({rule.colour})" for rule in cards)
    if table.round > rules.rounds.building:
        return Refusal("pouch_no_building_now", {"last": rules.rounds.building})
    if lord.site:
        return Refusal("pouch_site_taken", {"site": rules.buildings[lord.site].name})
    card = card_named(table.display, wanted, rules)
    name = rules.buildings[card or wanted].name if card or wanted in rules.buildings else said(wanted).title()
    if not card:
        return Refusal("pouch_not_on_display", {"building": name, "display": display})
    if name in own:
        return Refusal("pouch_same_name", {"building": name, "display": display})
    cost, gold = price(table, "construct", rules.buildings[card].cost, rules), purse_of(table).gold
    return Refusal("pouch_gold_building", {"building": name, "cost": cost, "gold": gold}) if cost > gold else None


def build(table: Table, turn: Turn, seat: str, wanted: str) -> Table:
    """The card comes face down on the board."""
    card = card_named(table.display, wanted, turn.rules)
    rule, at = turn.rules.buildings[card], table.display.index(card)
    gold = price(table, "construct", rule.cost, turn.rules)
    display = (*table.display[:at], *table.display[at + 1 :])
    table = replace(paid(table, "construct", rule.cost, turn.rules), display=display)
    tell(turn, seat, f"builds: {rule.name}, for {gold} gold.")
    return booked(turn, with_player(table, seat, site=card), seat, "construct", rule.name)


# --- claiming characters ---------------------------------------------------------------------------------------------------


def claim_cost(table: Table, seat: str, rules: Rules) -> int:
    """What the next character costs, before discounts."""
    return rules.claim.gold + rules.claim.per_marker * on_characters(table, seat)


def claim_problem(table: Table, seat: str, wanted: str, rules: Rules) -> Refusal | None:
    """Why the character can't be claimed."""
    free = joined(rules.characters[other].name for other in unclaimed(table))
    who = character_of(table, wanted)
    name = rules.characters[who or wanted].name if who or wanted in rules.characters else said(wanted).title()
    if not who:
        return Refusal("pouch_not_in_game", {"character": name, "free": free})
    if who in table.claimed:
        return Refusal("pouch_claimed", {"character": name, "owner": table.claimed[who].owner, "free": free})
    if not table.seats[seat].markers:
        return Refusal("pouch_no_marker_claim", {})
    cost, gold = price(table, "claim", claim_cost(table, seat, rules), rules), purse_of(table).gold
    return Refusal("pouch_gold_character", {"character": name, "cost": cost, "gold": gold}) if cost > gold else None


def character_of(table: Table, wanted: str) -> str:
    """The character of this game that a word names; `princess` means the first princess that is free."""
    named = [who for who in table.characters if wanted in (who, who.rstrip("_12"))]
    return next((who for who in named if who not in table.claimed), named[0] if named else "")


def claim(table: Table, turn: Turn, seat: str, wanted: str) -> Table:
    """A marker on the character."""
    who, cost = character_of(table, wanted), claim_cost(table, seat, turn.rules)
    name, gold = turn.rules.characters[who].name, price(table, "claim", cost, turn.rules)
    table = replace(paid(table, "claim", cost, turn.rules), claimed={**table.claimed, who: Marked(seat)})
    tell(turn, seat, f"claims the {name}, for {gold} gold.")
    return booked(turn, with_player(table, seat, markers=table.seats[seat].markers - 1), seat, "claim", name)


# --- occupying territories and attacking castles -----------------------------------------------------------------------------


def occupy_problem(table: Table, seat: str, wanted: Target, rules: Rules) -> Refusal | None:
    """Why the territory can't be occupied, or the castle attacked."""
    refused = _occupy_problem(table, seat, wanted, rules)
    if refused is None:
        return None
    code, facts = refused.code, refused.facts
    homes, reach = castles(table), within_reach(table, seat, rules)
    if "army" in facts:
        purse = purse_of(table)
        price = {place: discounted(army_for(table, seat, place, rules), "occupy", purse, rules) for place in reach}
        reach = [place for place in reach if price[place] <= purse.army]
    near = joined(f"castle: {homes[place]}" if place in homes else said(place) for place in reach)
    return Refusal(code, {**facts, "near": near})


def _occupy_problem(table: Table, seat: str, wanted: Target, rules: Rules) -> Refusal | None:
    """The same refusal without the fact `near`, the places that could be occupied instead."""
    lord, homes, place = table.seats[seat], castles(table), target(table, wanted)
    owner = owner_of(table, place)
    if isinstance(wanted, str) and place in homes and owner != seat:
        return Refusal("pouch_castle_as_land", {"place": said(place), "owner": owner})
    if place not in land(rules, len(table.seats)):
        return Refusal("pouch_not_in_use", {"place": said(place)})
    if owner == seat:
        return Refusal("pouch_own_castle", {}) if place in homes else Refusal("pouch_yours", {"place": said(place)})
    if place not in within_reach(table, seat, rules):
        return Refusal("pouch_not_connected", {"place": said(place)})
    if place in homes and owner in lord.attacked:
        return Refusal("pouch_attacked_already", {"owner": owner})
    if not lord.markers and (place not in homes or rules.castle_attack.needs_marker):
        return Refusal("pouch_no_marker", {})
    cost, army = price(table, "occupy", army_for(table, seat, place, rules), rules), purse_of(table).army
    return Refusal("pouch_army", {"place": said(place), "cost": cost, "army": army}) if cost > army else None


def target(table: Table, wanted: Target) -> str:
    """The territory that a wish means: a castle by its player, else a territory."""
    return wanted if isinstance(wanted, str) else table.seats[wanted["castle"]].castle


def occupy(table: Table, turn: Turn, seat: str, wanted: Target) -> Table:
    """Put a marker on the territory and send another player's markers home; or attack the castle there."""
    place, rule = target(table, wanted), turn.rules.occupy
    cost = army_for(table, seat, place, turn.rules)
    army = f"for {price(table, 'occupy', cost, turn.rules)} army"
    table = paid(table, "occupy", cost, turn.rules)
    if owner := castles(table).get(place):
        return _attack(table, turn, seat, owner, army)
    held = table.territories.get(place)
    if held:
        table = with_player(table, held.owner, markers=table.seats[held.owner].markers + held.markers)
    table = replace(table, territories={**table.territories, place: Marked(seat)})
    table = with_player(table, seat, markers=table.seats[seat].markers - 1)
    table = booked(turn, table, seat, "occupy", said(place))
    if held:
        home = f"{counted(held.markers, 'marker')} sent home"
        tell(turn, seat, f"takes {said(place)} from {held.owner}, {army}: {rule.taken} prestige; {home}.")
        table = booked(turn, table, held.owner, "driven_out", f"{said(place)}, by {seat}")
        return scored(turn, table, seat, rule.taken, "occupy", f"{said(place)}, from {held.owner}")
    tell(turn, seat, f"occupies {said(place)}, {army}: {rule.empty} prestige.")
    return scored(turn, table, seat, rule.empty, "occupy", f"{said(place)}, which was empty")


def _attack(table: Table, turn: Turn, seat: str, owner: str, army: str) -> Table:
    by = turn.rules.castle_attack.prestige
    table = with_player(table, seat, attacked=(*table.seats[seat].attacked, owner))
    tell(
        turn,
        seat,
        f"attacks the castle of {owner}, {army}: {by} prestige; {owner} {steps.one_corrupt(table, turn.rules)}.",
    )
    table = booked(turn, table, seat, "castle_attack", f"the castle of {owner}")
    table = scored(turn, table, seat, by, "castle_attack", f"the castle of {owner}")
    return steps.corrupted(turn, table, owner, "rest", "attacked", f"{seat} attacked the castle")


# kind of wish -> (why it can't be done, doing it)
ACTIONS: Mapping[str, tuple[Check, Callable[[Table, Turn, str, Wanted], Table]]] = {
    "build": (build_problem, build),
    "claim": (claim_problem, claim),
    "occupy": (occupy_problem, occupy),
}
