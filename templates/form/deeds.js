// What orders do that hangs on how things stand when they are carried out: the model holds it as deeds.
//
// A deed holds costs, adds, sized, least, needs, gives, ends and takes as an offer does, and is possible where these are. Besides it
// may hold lists of deeds, done in this order: `all`, which must be possible too; `first`, of which the first that is possible is
// done, and one must be; `again`, of which the first that is possible is done as long as there is one; `each`, done as far as they are
// possible. `while`: the fact without which `again` ends. A word in place of a deed means the offer with that id, nothing filled in.
// An offer may hold the same lists, and two that hang on its fields: `deed` {by, of, other}, the deed of what these fields hold together,
// or `other`; `ranked` {by, id, of, unsure}, of what the field holds the first that is possible: a value stands for the offer with that id
// and the value behind it, or for the offers in `of`. Where the fact `unsure` holds there may be more of a counter than is counted: then
// what is only too dear can't be passed over, as it may turn out to be possible.

const Deeds = (() => {
  /** Do a deed. Why it is not possible, "" where it is; the state then counts it. */
  function attempt(model, state, named) {
    const deed = typeof named === "string" ? offer(model, named) : named;
    const next = Counting.after(state);
    const why = Counting.enter(model, next, { offer: deed, values: {} });
    state.short = Boolean(why) && next.short;
    if (why) return why;
    for (const what of ["left", "facts", "taken"]) Object.assign(state[what], next[what]);
    for (const [counter, amount] of Object.entries(next.spent)) state.spent[counter] = (state.spent[counter] || 0) + amount;
    return "";
  }

  function offer(model, id) {
    model.byId ??= Object.fromEntries(model.sections.flatMap(({ parts }) => parts.flatMap(({ offers }) => offers || [])).map((each) => [each.id, each]));
    return model.byId[id];
  }

  /** Do what follows from a deed or an offer. Why that is not possible, "" where it is; the state then counts it. */
  function follow(model, state, deed, values) {
    for (const each of [...(deed.all || []), ...filledIn(deed, values)]) {
      const why = attempt(model, state, each);
      if (why) return why;
    }
    const why = deed.first ? first(model, state, deed.first) : "";
    if (why) return why;
    while ((!deed.while || state.facts[deed.while]) && (deed.again || []).some((each) => !attempt(model, state, each)));
    for (const each of deed.each || []) attempt(model, state, each);
    return deed.ranked ? ranked(model, state, deed.ranked, values) : "";
  }

  function filledIn({ deed }, values) {
    if (!deed) return [];
    return [deed.of[deed.by.map((name) => values[name] ?? "").join("|")] ?? deed.other ?? { needs: [[]] }];
  }

  /** The first that is possible; why the last one is not where none is. */
  function first(model, state, deeds) {
    let why = "";
    for (const each of deeds) {
      why = attempt(model, state, each);
      if (!why) break;
    }
    return why;
  }

  /** The first that is possible of what the field holds; why the first is not where none is. */
  function ranked(model, state, { by, id, of, unsure }, values) {
    let against = "";
    for (const word of values[by] || []) {
      const why = first(model, state, of[word] || [`${id} ${word}`]);
      if (!why) return "";
      against = against || why;
      if (state.short && state.facts[unsure]) return `${why}, and what is drawn may change that`;
    }
    return against;
  }

  return { attempt, follow };
})();
