"""What the form's bar shows: the figures that the checks of the turn go by, and what each order changes of them.

The page adds up what stands here (templates/realm/form/bar.js). Where orders change each other's effect they share a word in `tangled`,
and what only the step itself works out is `unsure`: the page says of both that they are worked out when filed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from kingdom.engine.ledger import summed
from kingdom.games.kit.memo import remember
from kingdom.games.realm.effects import of_land
from kingdom.games.realm.forecast.courses import upkeep
from kingdom.games.realm.forecast.exact import MAKES
from kingdom.games.realm.forecast.terms import Face, stability_unrest, terms_of
from kingdom.games.realm.offers.form_model import Counter, FormOffer, Ground, Section
from kingdom.games.realm.offers.towns import given
from kingdom.games.realm.orders.building import rich
from kingdom.games.realm.orders.declaration import ABANDON, CLAIM, IMPROVE, SETTLE
from kingdom.games.realm.rules.building_tables import (
    BoostsMine,
    HalvesTaxPenalty,
)
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.rules.types import Modifiers
from kingdom.games.realm.sheet import accounts, counted_as, difference, figures, of_hex, of_settlement, per_hexes
from kingdom.games.realm.state import Building, Kingdom, replace
from kingdom.games.realm.steps.land.improvements import PREPARED, standing_name
from kingdom.games.realm.steps.land.losing import let_go, settlement_in
from kingdom.games.realm.steps.shared import decide
from kingdom.games.realm.steps.towns.construction import Site, Work, carried_out, work_of
from kingdom.games.realm.steps.trade.towers import built_once_claimed
from kingdom.games.realm.steps.war.muster import Muster, disband

Figures = dict[str, int]
Change = tuple[Figures, list[str]]  # what an order adds, and the words by which others may change that
MINES = "mines"
HANG_ON = {BoostsMine: MINES, HalvesTaxPenalty: "taxation"}  # effect of a building -> the word of what it acts on


def counters(ground: Ground) -> list[Counter]:
    """The figures as counters that only the bar shows."""
    now = figures(ground.kingdom, ground.world.hexes, ground.rules)
    bare: dict[str, dict[str, int]] = {"unrest": {"floor": 0}}
    return [
        {"id": name, "name": name.capitalize(), "left": left, "level": True, **bare.get(name, {})}
        for name, left in now.items()
        if name != "size"
    ]


def bar(ground: Ground) -> dict[str, Any]:
    """What the bar goes by beside the counters: the Control DC, the chances of a check, what comes before each."""
    kingdom, rules = ground.kingdom, ground.rules
    terms = terms_of(kingdom, ground.world.hexes, ground.seen.turn + 1, rules)
    dc, die = rules.control_dc, rules.check.die
    faces = [
        [Face(face + above, *decide(face, face + above, 0, rules)) for face in range(1, die + 1)]
        for above in range(-die - 1, die + 2)
    ]
    steps = upkeep()[0]
    assert steps == tuple(MAKES), steps  # the page follows them in this order
    return {
        "dc": {"base": dc.base, "size": dc.per_size, "districts": dc.per_district},
        "every": [[what, row.every, row.attribute] for what, rows in per_hexes(rules).items() for row in rows],
        "below": rules.negative_attribute.unrest,
        "least": -die - 1,
        "succeed": [sum(face.success for face in row) for row in faces],
        "die": die,
        "moves": list(_moves(faces, rules)),
        "checks": {name: terms.checks[name] for name in ATTRIBUTES},
        "plan": bool(kingdom.plan),
    }


def _moves(faces: Sequence[Sequence[Face]], rules: Rules) -> Iterator[list[Any]]:
    """[by how much a Stability check moves Unrest, [in how many ways for each sum]] each."""
    die = rules.stability.far_die
    rows = []
    for row in faces:
        ways: dict[int, int] = {}
        for face in row:
            moved = stability_unrest(face, rules)
            for by in moved:
                ways[by] = ways.get(by, 0) + die // len(moved)
        rows.append(ways)
    for by in sorted({by for ways in rows for by in ways}):
        yield [by, [ways.get(by, 0) for ways in rows]]


# --- what each order changes


def told(sections: Sequence[Section], ground: Ground) -> None:
    """Write into each offer of the form what it adds to the figures."""
    for section in sections:
        for part in section["parts"]:
            for offer in part.get("offers", ()):
                change = CHANGES.get(offer["key"])
                if change:
                    _add(offer, change(offer, ground))


def _add(offer: FormOffer, change: Change) -> None:
    adds, tangled = change
    if adds := {**offer.get("adds", {}), **adds}:
        offer["adds"] = adds
    if tangled:
        offer["tangled"] = tangled


def _land(label: str, built: tuple[str, ...] | None, ground: Ground) -> Figures:
    """What a hex gives with that built there; None: it is not held."""
    if built is None:
        return {}
    own = ground.kingdom
    return _land_held(label, built, label not in own.hexes or label in own.revealed, ground)


@remember(lambda label, built, is_seen, ground: ((ground.world.hexes[label], ground.rules), (label, built, is_seen)))
def _land_held(label: str, built: tuple[str, ...], is_seen: bool, ground: Ground) -> Figures:
    """What a hex of the kingdom gives. Much land is as it was, and some of it is asked about often."""
    kingdom = replace(ground.kingdom, hexes={label: built}, revealed=(label,) if is_seen else ())
    sources = of_hex(label, built, kingdom, ground.world.hexes, ground.rules)
    given: Figures = summed((account, by) for account, by, _ in sources)
    given |= {
        what: int(is_one) for what, is_one in counted_as(label, kingdom, ground.world.hexes, ground.rules).items()
    }
    given.pop("consumption", None)
    return {**given, "size": 1}


def _by_mines(ground: Ground) -> bool:
    """Whether what a hex gives may hang on others: a building boosts the mines that roads join to it."""
    return any(isinstance(effect, BoostsMine) for _, _, effect in of_land(ground.kingdom, ground.rules))


def _then(kingdom: Kingdom, ground: Ground) -> Figures:
    """What becomes of the figures with the kingdom like that."""
    hexes, own = ground.world.hexes, ground.kingdom
    if kingdom.hexes is not own.hexes:
        return difference(figures(kingdom, hexes, ground.rules), figures(own, hexes, ground.rules))
    then, now = (accounts(each, hexes, ground.rules) for each in (kingdom, own))
    return {name: by for name in ATTRIBUTES if (by := then[name] - now[name])}


def _of_land(label: str, old: tuple[str, ...] | None, new: tuple[str, ...] | None, ground: Ground) -> Change:
    """What becomes of the figures when a hex is built on, joined or let go. None: it is not held."""
    if not _by_mines(ground):
        return difference(_land(label, new, ground), _land(label, old, ground)), []
    own, hexes = ground.kingdom, {other: built for other, built in ground.kingdom.hexes.items() if other != label}
    revealed = (*own.revealed, label) if old is None else own.revealed
    kingdom = replace(own, hexes=hexes if new is None else {**hexes, label: new}, revealed=revealed)
    return _then(kingdom, ground), [MINES]


def _claim(offer: FormOffer, ground: Ground) -> Change:
    label = offer["value"]
    if label in ground.kingdom.hexes:  # its free city is asked to join: dice
        return {}, []
    return _of_land(label, None, built_once_claimed(ground.kingdom, label, ground.world, ground.rules), ground)


def _abandon(offer: FormOffer, ground: Ground) -> Change:
    own, label = ground.kingdom, offer["value"]
    town = settlement_in(own, label)
    unrest = ground.rules.abandon.settlement_unrest if town else ground.rules.abandon.unrest
    if town:
        kingdom, _ = let_go(own, ground.world.hexes[label], label)
        words = _hang_on((building.id for building in own.settlements[town].buildings), ground.rules)
        moved, tangled = _then(kingdom, ground), list({*words, *([MINES] if _by_mines(ground) else [])})
    else:
        moved, tangled = _of_land(label, own.hexes[label], None, ground)
    return {**moved, "unrest": unrest}, tangled


def _improve(offer: FormOffer, ground: Ground) -> Change:
    label, name = offer["value"]["hex"], standing_name(offer["value"]["build"])
    kind, own = ground.rules.improvements[name], ground.kingdom
    if offer["id"].startswith("tower"):
        return {}, []
    old = own.hexes[label] if label in own.hexes else built_once_claimed(own, label, ground.world, ground.rules)
    new = tuple(built for built in old if built != kind.upgrade_of) + (name,)
    if _by_mines(ground) and label not in own.hexes:  # what is boosted hangs on the hex
        return _of_land(label, old, new, ground)[0], [MINES]
    moved, tangled = _of_land(label, old, new, ground)
    if _add_to_each_other(ground.rules):
        tangled.append(f"on {label}")  # what is built there may add to each other
    if kind.becomes:
        tangled.append(f"@{label}")
    return moved | ({"unrest": kind.unrest} if kind.unrest else {}), tangled


@remember(lambda rules: ((rules,), ()))
def _add_to_each_other(rules: Rules) -> bool:
    """Whether something that is built in a hex changes what else gives there, beyond the number of rivers."""
    built = [rules.features[each.feature] for each in rules.improvements.values() if each.feature in rules.features]
    return any(row.kingdom != Modifiers() or row.with_road != Modifiers() or row.boosts for row in built)


def _settle(offer: FormOffer, ground: Ground) -> Change:
    label, own = offer["value"]["hex"], ground.kingdom
    offer["unsure"] = bool(
        own.founding or ground.world.hexes[label].building or set(own.hexes.get(label, ())) - {PREPARED}
    )
    return {"districts": 1}, [f"@{label}"]


def _build(offer: FormOffer, ground: Ground) -> Change:
    order, own, rules = offer["value"], ground.kingdom, ground.rules
    settlement = own.settlements[order["in"]]
    if order.get("build") == "district":
        return {"districts": 1}, []
    if "work" in offer and "build" in order:
        kind = order["build"]
        words = _hang_on((kind,), rules)
        if not words:
            return {}, []
        more = replace(settlement, buildings=(*settlement.buildings, Building(kind, "")))
        plain = {name: by for name, by in given(rules.buildings[kind]).items() if name != "unrest"}
        then = _then(replace(own, settlements={**own.settlements, order["in"]: more}), ground)
        return difference(then, plain), words
    site = rich(Site(own, ground.world.hexes, rules, order["in"], settlement))
    work = work_of(site, order)
    assert isinstance(work, Work)  # as it was when it was offered
    kingdom = carried_out(own, work, ground.seen.turn + 1, rules)
    words = _hang_on((order[word] for word in ("upgrade", "demolish", "to", "build") if word in order), rules)
    then = (
        _then(kingdom, ground)
        if words
        else difference(*(_of_town(order["in"], each, rules) for each in (kingdom, own)))
    )
    then |= {"unrest": work.unrest, "treasury": max(0, -work.cost)}
    if "upgrade" in order:
        then = difference(then, given(rules.buildings[order["to"]])) | {"unrest": 0}
    return {name: by for name, by in then.items() if by}, words


def _of_town(name: str, kingdom: Kingdom, rules: Rules) -> Figures:
    """What a settlement adds to the attributes, whose buildings act on nothing else that the figures count."""
    sums = of_settlement(name, kingdom.settlements[name], rules, kingdom.damaged.get(name, ())).sums
    return {attribute: sums.get(attribute, 0) for attribute in ATTRIBUTES}


def _hang_on(kinds: Iterable[str], rules: Rules) -> list[str]:
    """The words of what the effects of these buildings act on."""
    effects = [effect for kind in kinds for effect in rules.buildings[kind].effects]
    return list(dict.fromkeys(word for effect in effects for kind, word in HANG_ON.items() if isinstance(effect, kind)))


def _lead(offer: FormOffer, ground: Ground) -> Change:
    return _then(replace(ground.kingdom, leadership=tuple(offer["value"])), ground), []


def _edict(offer: FormOffer, ground: Ground) -> Change:
    category, word = offer["value"]
    kingdom = replace(ground.kingdom, **{category: word})
    return _then(kingdom, ground), ["taxation"] if category == "taxation" else []


def _answer(offer: FormOffer, ground: Ground) -> Change:
    if offer.get("at"):  # the hex that is lost in place of another
        offer["unsure"] = True
    return {}, []


def _army(offer: FormOffer, ground: Ground) -> Change:
    order = offer["value"]
    sold = disband(ground.kingdom, order, ground.rules) if "disband" in order else None
    return ({"treasury": -sold.cost} if isinstance(sold, Muster) and sold.cost else {}), []


def _unsure(offer: FormOffer, ground: Ground) -> Change:
    offer["unsure"] = True
    return {}, []


CHANGES: Mapping[str, Callable[[FormOffer, Ground], Change]] = {
    "leadership": _lead, CLAIM.key: _claim, ABANDON.key: _abandon, IMPROVE.key: _improve, SETTLE.key: _settle, "build": _build, "edicts": _edict, "answers": _answer,
    "armies": _army, "surrender": _unsure, "plan": _unsure, "reserve": _unsure,
}  # fmt: skip
