// Counting what was chosen: costs, limits, what one order needs of another before it. No figure of the rules stands here.
//
// An entry is {offer, values}, values being what was filled into the offer; a line of one's own is {line: {key, how, value}}.
"use strict";

const Counting = (() => {
  const list = (of, values) => Object.entries(of || {}).flatMap(([name, rows]) => [values[name]].flat().flatMap((value) => rows[value] || []));

  /** What an entry costs, by its fields: [counter, amount] each; null where a price is not in the model: it is too dear. */
  function tabled(offer, values) {
    const found = [];
    for (const table of offer.tables || []) {
      const many = table.by.map((name) => [values[name] ?? ""].flat());
      const keys = many.reduce((rows, options) => rows.flatMap((row) => options.map((option) => [...row, option])), [[]]);
      for (const key of keys) {
        const cost = table.costs[key.join("|")];
        if (cost === undefined && table.strict) return null;
        found.push([table.counter, cost || 0]);
      }
    }
    return found;
  }

  function start(model) {
    const left = Object.fromEntries(model.counters.map((counter) => [counter.id, counter.left]));
    return { left, facts: new Set(model.facts), taken: {}, chosen: new Set(), towns: {} };
  }

  /** Why the entry is not possible after what the state counts, "" where it is; the state then counts it, too. */
  function enter(model, state, entry) {
    if (entry.line) return "";
    const { offer, values } = entry;
    const takes = [...(offer.takes || []).map((take) => Filling.word(take, values)), ...list(offer.takes_of, values)];
    const needs = [...(offer.needs || []), ...list(offer.needs_of, values)];
    const clash = takes.find((take) => state.taken[take]) || (offer.against || []).find((id) => state.chosen.has(id));
    if (clash) return `not together with what you chose: ${state.taken[clash] || clash}`;
    const missing = needs.find((any) => !any.some((fact) => state.facts.has(fact)));
    if (missing) return `it needs another order first`;
    const small = Object.entries(offer.least || {}).find(([counter, least]) => state.left[counter] < least);
    if (small) return `${named(model, small[0])} must be ${small[1]}`;
    const costs = tabled(offer, values);
    if (costs === null) return "it is too dear";
    costs.push(...Object.entries(offer.costs || {}));
    if (offer.sized) costs.push([offer.sized.counter, offer.sized.costs[state.left[offer.sized.by]] ?? Infinity]);
    const work = offer.work ? Towns.worked(model, state, offer.work, values.place) : null;
    if (work && work.why) return work.why;
    if (work) costs.push([model.coin, work.cost], ...capped(state, work.caps));
    const spent = costs.reduce((sum, [counter, cost]) => ({ ...sum, [counter]: (sum[counter] || 0) + cost }), {});
    const short = Object.entries(spent).find(([counter, cost]) => cost > 0 && cost > state.left[counter]);
    if (short) return `${named(model, short[0])}: ${short[1]} needed, ${state.left[short[0]]} left`;
    for (const [counter, cost] of Object.entries(spent)) state.left[counter] -= cost;
    for (const [counter, by] of Object.entries(offer.adds || {})) state.left[counter] += by;
    for (const fact of offer.ends || []) state.facts.delete(fact);
    for (const fact of offer.gives || []) state.facts.add(fact);
    for (const take of takes) state.taken[take] = offer.text;
    if (work) state.towns = { ...state.towns, [offer.work.town]: work.town };
    state.chosen.add(offer.id);
    entry.cost = spent[model.coin] || 0;
    return "";
  }

  /** The limit that a building counts against: the first with room, the last where none has. */
  function capped(state, caps) {
    const cap = caps.find((each) => state.left[each] > 0) || caps[caps.length - 1];
    return cap ? [[cap, 1]] : [];
  }

  const named = (model, id) => (model.counters.find((counter) => counter.id === id) || { name: id }).name;

  /** The entries in the order in which a turn carries them out. */
  const inOrder = (entries) => entries
    .map((entry, index) => [entry.line ? Infinity : entry.offer.rank, index, entry])
    .sort((one, other) => one[0] - other[0] || one[1] - other[1]).map((row) => row[2]);

  /** {left, state, faults: [[entry, why]]} of all that was chosen. */
  function count(model, entries) {
    const state = start(model);
    const faults = inOrder(entries).map((entry) => [entry, enter(model, state, entry)]).filter(([, why]) => why);
    return { left: state.left, state, faults };
  }

  /** Why an entry can't be added to those, "" where it can. */
  function objection(model, entries, entry) {
    const { faults } = count(model, [...entries, entry]);
    const own = faults.find(([each]) => each === entry);
    if (own) return own[1];
    const other = faults[0];
    return other ? `not together with ${other[0].offer.text}` : "";
  }

  return { count, objection, inOrder };
})();
