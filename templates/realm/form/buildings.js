// What may be ordered in a settlement: first the buildings that help the weakest chance most for a BP, then all of them, with a filter;
// upgrades and demolitions apart. What can't be had stands as one line with its reason.

(() => {
  const BEST = 8; // buildings that are shown at once

  function render(draft, part, hold) {
    const kinds = { Build: [], Upgrade: [], Demolish: [] };
    for (const offer of part.offers) (kinds[offer.id[0].toUpperCase() + offer.id.slice(1).split(" ")[0]] || kinds.Build).push(offer);
    hold.append(buildings(draft, kinds.Build, barred(draft, part, kinds.Build)));
    for (const name of ["Upgrade", "Demolish"]) if (kinds[name].length) hold.append(Sections.folded(draft, "h4", name, kinds[name]));
    return hold;
  }

  /** [name, why] of what can't be had there: a reason that most settlements share, or its own; a number is the price. */
  function barred({ model }, part, offers) {
    const names = offers.filter(({ work }) => work).map(({ work }) => model.kinds[work.kind].name);
    const rows = Object.entries(part.closed.Buildings ? part.closed : { ...model.closed, ...part.closed }).filter(([name]) => !names.includes(name)).sort();
    return rows.map(([name, why]) => [name, typeof why === "number" ? `costs ${why} BP` : why]);
  }

  /** closed: [name, why] of the kinds that can't be had whatever else is ordered. */
  function buildings(draft, offers, closed) {
    const rows = new Map(sorted(draft, offers).map((offer) => [offer, null]));
    const list = Dom.make("ul", { class: "rows" });
    const filter = Dom.make("input", { type: "search", "aria-label": "Filter the buildings", placeholder: "Filter", autocomplete: "off", oninput: show });
    const more = Dom.button("", () => { isWhole = true; show(); (list.children[BEST]?.querySelector(".offer:enabled") || filter).focus(); }, { class: "more-rows" });
    const stop = Dom.roving(list);
    let isWhole = offers.length + closed.length <= BEST;
    let shown = [];
    filter.hidden = isWhole;
    Dom.say(more, offers.length > BEST ? `${offers.length + closed.length - BEST} more` : `${closed.length} that can't be had now`);
    function show() {
      const wanted = Filling.fold(filter.value.trim());
      const fits = (text) => Filling.fold(text).includes(wanted);
      const all = isWhole || wanted !== "";
      shown = [...rows.keys()].filter((offer) => fits(offer.text)).slice(0, all ? Infinity : BEST);
      for (const offer of shown) if (!rows.get(offer)) rows.set(offer, row(draft, offer));
      const barred = all ? closed.filter(([name]) => fits(name)) : [];
      list.replaceChildren(...shown.map((offer) => rows.get(offer).element), ...barred.map(([name, why]) => Dom.make("li", { class: "row closed" }, `${name}: ${why}`)));
      more.hidden = all;
      refresh();
    }
    function refresh() {
      for (const offer of shown) rows.get(offer).refresh.forEach((each) => each());
      stop();
    }
    draft.listeners.push(refresh);
    show();
    return Dom.make("div", {}, filter, list, more);
  }

  /** A button, or the one line that says why there is none. */
  function row(draft, offer) {
    let button = null;
    const why = Dom.make("p", { class: "closed" });
    const refresh = draft.gathered(() => {
      button = offer.fields ? Sections.filledIn(draft, offer) : Sections.plain(draft, offer);
      draft.listeners.push(() => {
        const against = draft.tried(offer).why;
        const isClosed = Boolean(against) && !draft.of(offer).length;
        why.hidden = !isClosed;
        Dom.say(why, isClosed ? `${offer.text}: ${against}` : "");
      });
    });
    return { element: Dom.make("li", { class: "row" }, button, why), refresh };
  }

  /** What can be had before what can't, and of that first what helps the weakest chance most for a BP. */
  function sorted(draft, offers) {
    const worth = new Map(offers.map((offer) => {
      const found = draft.tried(offer);
      if (found.why) return [offer, [1, 0, 0, 0]];
      const { gain, adds } = draft.effect(offer, found.left);
      const price = Math.max(1, found.cost);
      return [offer, [0, -gain / price, -adds / price, price]];
    }));
    const order = (one, other) => worth.get(one).map((each, index) => each - worth.get(other)[index]).find((by) => by) || 0;
    return [...offers].sort(order);
  }

  Sections.renderers.town = render;
})();
