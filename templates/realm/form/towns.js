// Places in settlements: whether one is left for a building beside those that were chosen before it, and what it costs there.
//
// The model says which places are right now, who may serve whom, who may not be near whom, and the prices of the first,
// the second... of a kind. Here it is only seen to that what was chosen this turn does not stand in its way.

const Towns = (() => {
  const meets = (one, other) => one.some((item) => other.includes(item));

  /** What was chosen in a settlement so far. */
  const fresh = () => ({ built: [], reserved: [], places: [], count: {}, halves: {}, used: {}, alone: false, upgrades: 0 });

  /** The lots under a place and those beside it, named as in its district. */
  function covered(model, place, shape) {
    if (!shape) return { lots: [], beside: [] };
    const [, district, lot] = /^(\d+-)?(.*)$/.exec(place);
    const { names, over, beside: around } = model.shapes;
    const lots = over[shape].map((far) => names[names.indexOf(lot) + far]);
    const beside = lots.flatMap((each) => around[each].split(" ")).filter((each) => each && !lots.includes(each));
    const named = (each) => (district || "") + each;
    return { lots: lots.map(named), beside: beside.map(named) };
  }

  /** Place -> shape, of the places that an offer had when the page was made. */
  const shaped = (work) => (work.shaped ??= Object.fromEntries(work.places.flatMap(([shape, lots]) => lots.split(" ").map((lot) => [lot, shape]))));

  /** The places of an offer, those too that only a wall chosen this turn makes. */
  function places(model, work, town) {
    const walls = (model.kinds[work.kind].walls || []);
    const made = town.built.filter((each) => walls.includes(each.kind)).map((each) => each.place);
    return [...Object.keys(shaped(work)), ...made.filter((each) => !Object.hasOwn(shaped(work), each))];
  }

  /** What a building comes to at that place: {cost, cap, town} or {why}. state: what was chosen before it. */
  function worked(model, state, work, place) {
    const ground = model.towns[work.town];
    const town = state.towns[work.town] || fresh();
    const kind = model.kinds[work.kind];
    const { lots, beside } = covered(model, place, shaped(work)[place] || "");
    const near = [...lots, ...beside];
    const neighbours = town.built.filter((each) => meets(each.lots, near));
    const fresher = lots.filter((lot) => !(work.over || []).includes(lot));
    const row = (work.prices[place] || work.prices[""])[town.count[work.kind] || 0];
    if (!places(model, work, town).includes(place)) return { why: `${kind.name} can't stand at ${place}` };
    if (!row) return { why: `more ${kind.name} than the lists offer in one turn` };
    if (Object.hasOwn(ground.left, work.kind) && (town.count[work.kind] || 0) >= ground.left[work.kind]) return { why: `no more ${kind.name} here` };
    if (town.places.includes(`${work.kind} ${place}`) || town.built.some((each) => meets(each.lots, fresher))) return { why: `${place} is taken` };
    if (neighbours.some((each) => clash(model, work.kind, each.kind))) return { why: `${kind.name} may not be beside what you chose there` };
    if (town.alone || (work.alone && (town.upgrades || town.built.some((each) => model.kinds[each.kind].count)))) return { why: "not beside another upgrade there" };
    if ((kind.gate && town.walled) || (kind.walled && town.watered)) return { why: "where water meets a wall, order it by a line of your own" };
    const serving = servers(model, ground, town, kind, near, neighbours);
    if (!work.over && kind.count && serving.length < kind.count) return { why: `${kind.name} must stand beside ${kind.count} of these that serve nothing else: ${named(model, kind.of)}` };
    const half = (ground.half[work.kind] || 0) + (town.halves[work.kind] || 0) - (town.used[work.kind] || 0) > 0 && row[1] < row[0];
    const inWall = town.built.some((each) => (kind.walls || []).includes(each.kind) && each.place === place);
    const after = built(town, work, kind, place, lots, work.over ? [] : serving.slice(0, kind.count || 0), half);
    const before = town.count[work.kind] || 0;
    const calm = before < (ground.spared[work.kind] || 0) || (kind.once && before);
    const adds = calm ? { ...kind.adds, unrest: 0 } : kind.adds;
    return { cost: half ? row[1] : row[0], caps: inWall ? [] : work.caps, town: after, adds };
  }

  /** The names of kinds, for a person; the page holds those alone that can be had. */
  const named = ({ kinds }, ids) => ids.map((id) => kinds[id]?.name || `${id[0].toUpperCase()}${id.slice(1).replaceAll("_", " ")}`).join(", ");

  /** What a building counts as. */
  const names = ({ kinds }, kind) => kinds[kind].names || [kind];

  const avoids = (model, one, other) => meets(model.kinds[one].avoids || [], names(model, other));

  const clash = (model, one, other) => avoids(model, one, other) || avoids(model, other, one);

  /** Who could serve the building and serves nobody: those that stand, and those of this turn where nobody waits for them. */
  function servers(model, ground, town, kind, near, neighbours) {
    const able = (each) => meets(names(model, each.kind), kind.of || []);
    const standing = ground.standing.map((each, index) => ({ ...each, id: index })).filter((each) => able(each) && meets(each.lots, near));
    const mine = ground.open ? [] : neighbours.filter((each) => able(each) && !each.upgraded).map((each) => ({ ...each, id: `${each.kind} ${each.place}` }));
    return [...standing, ...mine].map((each) => each.id).filter((id) => !town.reserved.includes(id));
  }

  function built(town, work, kind, place, lots, serving, half) {
    const more = (counts, names) => names.reduce((found, name) => ({ ...found, [name]: (found[name] || 0) + 1 }), counts);
    return {
      built: [...town.built, { kind: work.kind, place, lots, upgraded: Boolean(work.over) }],
      reserved: [...town.reserved, ...serving],
      places: [...town.places, `${work.kind} ${place}`],
      count: more(town.count, [work.kind]),
      halves: more(town.halves, kind.halves || []),
      used: half ? more(town.used, [work.kind]) : town.used,
      alone: town.alone || Boolean(work.alone),
      upgrades: town.upgrades + (work.over ? 1 : 0),
      walled: town.walled || Boolean(kind.walled),
      watered: town.watered || Boolean(kind.gate),
    };
  }

  /** The counter of what is had on credit, if the building may be had for more than is left of the coin; else "". */
  function onCredit(model, state, { town, kind, credit }) {
    if (!credit || state.left[model.coin] <= credit.above) return "";
    const before = (state.towns[town] || fresh()).count[kind] || 0;
    const may = !(credit.first && before) && Object.entries(credit.least).every(([counter, least]) => state.left[counter] >= least);
    return may ? Object.keys(credit.least)[0] : "";
  }

  return { worked, places, fresh, onCredit };
})();
