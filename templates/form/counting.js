// Counting what was chosen: costs, limits, what one order needs of another before it. No figure of the rules stands here.
//
// An entry is {offer, values}, values being what was filled into the offer. An order that no control holds is {line: {key, how, value}}, and
// a line of one's own {own: {key, text}}: what these come to only the engine knows.

const Counting = (() => {
  const list = (of, values) => Object.entries(of || {}).flatMap(([name, rows]) => [values[name]].flat().flatMap((value) => rows[value] || []));

  /** What an entry costs, by its fields: [counter, amount] each. */
  function tabled(offer, values) {
    const found = [];
    for (const table of offer.tables || []) {
      const many = table.by.map((name) => [values[name] ?? ""].flat());
      const keys = many.reduce((rows, options) => rows.flatMap((row) => options.map((option) => [...row, option])), [[]]);
      for (const key of keys) found.push([table.counter, key.reduce((costs, value) => costs?.[value], table.costs) || 0]);
    }
    return found;
  }

  function start(model) {
    const left = Object.fromEntries(model.counters.map((counter) => [counter.id, counter.left]));
    const facts = Object.fromEntries(model.facts.map((fact) => [fact, true]));
    return { left, facts, taken: {}, shared: {}, chosen: {}, towns: {}, cost: 0, spent: {}, position: Sequence.start(model) };
  }

  /** A state that begins as this one; what is written to it leaves this one as it is. */
  const after = ({ left, facts, taken, shared, chosen, towns, position }) => ({
    left: Object.create(left), facts: Object.create(facts), taken: Object.create(taken), shared: Object.create(shared), chosen: Object.create(chosen), towns: Object.create(towns), cost: 0,
    position, spent: {},
  });

  /** Why the entry is not possible after what the state counts, "" where it is; the state then counts it, too. rest: with all that is chosen. */
  function enter(model, state, entry, rest = state) {
    if (!entry.offer || entry.later) return "";
    if (entry.offer.order) return Sequence.enter(state, entry);
    const { offer, values } = entry;
    const takes = [...(offer.takes || []).map((take) => Filling.word(take, values)), ...list(offer.takes_of, values)];
    const needs = [...(offer.needs || []), ...list(offer.needs_of, values)];
    const clash = takes.find((take) => state.taken[take]) || (offer.against || []).find((id) => state.chosen[id]);
    const shares = list(offer.shares_of, values);
    const other = shares.map((share) => state.shared[share]).find((by) => by && by.key !== offer.key);
    if (other || clash) return `not together with what you chose: ${other?.text || state.taken[clash] || clash}`;
    state.hopeless = true;
    const missing = !entry.proved && needs.find((any) => !any.some((fact) => state.facts[fact]));
    if (missing) return `it needs another order first`;
    const small = Object.entries(offer.least || {}).find(([counter, least]) => state.left[counter] < least);
    state.short = Boolean(small);
    if (small) return `${known(model, small[0]).name} must be ${small[1]}`;
    const costs = tabled(offer, values);
    costs.push(...Object.entries(offer.costs || {}));
    for (const { counter, by, costs: sizes } of [offer.sized || []].flat()) costs.push([counter, sizes[levels(state, by)] ?? Infinity]);
    state.hopeless = false;
    const work = offer.work ? Towns.worked(model, state, offer.work, values.place) : null;
    if (work && work.why) return work.why;
    if (work) costs.push([model.coin, work.cost], ...capped(state, work.caps));
    const spent = costs.reduce((sum, [counter, cost]) => ({ ...sum, [counter]: (sum[counter] || 0) + cost }), {});
    const credit = work && spent[model.coin] > Math.max(0, state.left[model.coin]) ? Towns.onCredit(model, state, offer.work) : "";
    if (credit) spent[credit] = 1;
    const owed = (counter) => known(model, counter).debt || (credit && counter === model.coin);
    const short = Object.entries(spent).find(([counter, cost]) => cost > 0 && cost > state.left[counter] && !owed(counter));
    state.short = Boolean(short);
    state.hopeless = Boolean(short) && short[0] !== model.coin; // another place would not help
    if (short) return lacks(model, short, state, rest);
    for (const [counter, cost] of Object.entries(spent)) state.left[counter] -= cost;
    for (const [counter, by] of [offer.adds, work && work.adds].flatMap((adds) => Object.entries(adds || {}))) {
      state.left[counter] = Math.max(known(model, counter).floor ?? -Infinity, state.left[counter] + by);
    }
    for (const fact of offer.ends || []) state.facts[fact] = false;
    for (const fact of offer.gives || []) state.facts[fact] = true;
    for (const take of takes) state.taken[take] = offer.text || take;
    for (const share of shares) state.shared[share] = offer;
    if (work) state.towns[offer.work.town] = work.town;
    if (offer.id) state.chosen[offer.id] = true;
    state.spent = spent;
    const why = Deeds.follow(model, state, offer, values);
    state.cost = state.spent[model.coin] || 0;
    return why;
  }

  /** The limit that a building counts against: the first with room, the last where none has. */
  function capped(state, caps) {
    const cap = caps.find((each) => state.left[each] > 0) || caps[caps.length - 1];
    return cap ? [[cap, 1]] : [];
  }

  const known = (model, id) => (model.byCounter ??= Object.fromEntries(model.counters.map((counter) => [counter.id, counter])))[id] || { name: id };

  const lacks = (model, [counter, amount], one, other = one) => `${known(model, counter).name}: ${amount} needed, ${Math.min(one.left[counter], other.left[counter])} left`;

  /** The levels of one counter, or of several. */
  const levels = (state, by) => [by].flat().map((counter) => state.left[counter]).join("|");

  const rankOf = (entry) => (entry.offer && !entry.later ? entry.offer.rank : Infinity);

  /** The entries in the order in which a turn carries them out. */
  const inOrder = (entries) => entries.map((entry, index) => [rankOf(entry), index, entry])
    .sort((one, other) => one[0] - other[0] || one[1] - other[1]).map((row) => row[2]);

  /** {left, state, faults: [[entry, why]], steps} of all that was chosen; steps: each entry and the state behind it. */
  function count(model, entries) {
    let state = start(model);
    const steps = [{ rank: -1, state }];
    const faults = [];
    for (const entry of inOrder(entries)) {
      const next = after(state);
      const why = enter(model, next, entry);
      if (why) {
        faults.push([entry, why]);
        continue;
      }
      entry.cost = next.cost;
      entry.spent = next.spent;
      state = next;
      steps.push({ rank: rankOf(entry), state, entry });
    }
    const plus = (counter) => Object.entries(counter.plus || {}).reduce((sum, [other, each]) => sum + each * state.left[other], 0);
    const left = Object.fromEntries(model.counters.map((counter) => [counter.id, state.left[counter.id] + plus(counter)]));
    return { left, state, faults, steps };
  }

  /** {why, cost, spent, left} of an entry more; why: why it can't be added to what was counted, "" where it can; short: for want of a counter alone; left: the counters then. */
  function objection(model, counted, entry) {
    const place = counted.steps.findLastIndex((step) => step.rank <= rankOf(entry));
    let state = after(counted.steps[place].state);
    const own = enter(model, state, entry, counted.state);
    if (own) return { why: own, hopeless: state.hopeless, short: state.short };
    const [{ cost, spent, left: behind }, { left }] = [state, counted.state];
    for (const step of counted.steps.slice(place + 1)) {
      state = after(state);
      if (!enter(model, state, step.entry)) continue;
      const dear = state.short && Object.entries(spent).find(([counter, amount]) => behind[counter] >= 0 && amount > left[counter] && !known(model, counter).debt);
      return { why: dear ? lacks(model, dear, { left }) : `not together with ${step.entry.offer.text}`, short: dear };
    }
    return { why: "", cost, spent, left: state.left };
  }

  return { count, objection, inOrder, rankOf, after, enter };
})();
