// The bar of the realm's form: what the orders so far make of the treasury, of Unrest and of the chances of the turn's checks.
// Every figure comes in as data (kingdom/games/realm/offers/figures.py); here they are only added up.

const Bar = (() => {
  const total = (rows) => rows.reduce((sum, each) => sum + each, 0);

  /** {treasury, unrest, chances: {attribute: 0 to 1, null where no check is made}} with so much left of the counters. */
  function figures({ bar, counters }, counted, isOrdered) {
    const left = Object.fromEntries(counters.map(({ id }) => [id, counted[id]]));
    for (const [what, every, attribute] of bar.every) left[attribute] += Math.floor(left[what] / every);
    const dc = bar.dc.base + bar.dc.size * left.size + bar.dc.districts * left.districts;
    /** The row of the tables for a check that meets so much Unrest. */
    const row = (attribute, unrest) => {
      const sum = left[attribute] + bar.checks[attribute] - unrest - dc;
      return Math.min(Math.max(sum - bar.least, 0), bar.succeed.length - 1);
    };
    const successes = (attribute, unrest) => bar.succeed[row(attribute, unrest)];
    const chance = (attribute, unrest) => successes(attribute, unrest) / bar.die;
    const met = Math.max(0, left.unrest + bar.below * Object.keys(bar.checks).filter((name) => left[name] < 0).length);
    const moves = bar.moves.map(([by, ways]) => [Math.max(0, met + by), ways[row("stability", met)]]);
    const loyalty = total(moves.map(([unrest, ways]) => ways * successes("loyalty", unrest))) / (bar.die * total(moves.map(([, ways]) => ways)));
    const rolled = left.size > 0;
    return {
      treasury: left.treasury,
      unrest: left.unrest,
      chances: {
        economy: rolled ? chance("economy", left.unrest) : null,
        stability: rolled ? chance("stability", met) : null,
        loyalty: rolled && isOrdered ? loyalty : null,
      },
    };
  }

  const isLoyalty = (entry) => Draft.keyOf(entry) === "loyalty";

  /** {...figures, unsure} of what is chosen. */
  function now(draft) {
    const unsure = draft.unsure().length + (draft.model.bar.plan && !draft.holds("plan") ? 1 : 0);
    return { ...figures(draft.model, draft.counted.left, draft.entries.some(isLoyalty)), unsure };
  }

  /** What an offer more does to the weakest chance: {text, gain, adds}. left: the counters with it. adds: how much of that attribute. */
  function effect(draft, offer, left) {
    const before = now(draft).chances;
    const after = figures(draft.model, left, before.loyalty !== null || (offer && offer.key === "loyalty")).chances;
    const weakest = Object.keys(before).reduce((one, other) => (before[other] !== null && (before[one] === null || before[other] < before[one]) ? other : one));
    const [was, is] = [before[weakest], after[weakest]];
    if (was === null || is === null) return { text: "", gain: 0, adds: 0 };
    const text = percent(was) === percent(is) ? "" : `${weakest[0].toUpperCase()}${weakest.slice(1)} ${percent(was)} \u2192 ${percent(is)}`;
    return { text, gain: is - was, adds: left[weakest] - draft.counted.left[weakest] };
  }

  /** A chance as the reports say it: rounded, but never to a certainty that it is not. */
  function percent(chance) {
    if (chance === null) return "-";
    if ((chance > 0 && chance < 0.01) || (chance > 0.99 && chance < 1)) return chance < 0.5 ? "under 1\u00a0%" : "over 99\u00a0%";
    const [whole, rest] = [Math.floor(chance * 100), (chance * 100) % 1];
    return `${rest === 0.5 ? whole + (whole % 2) : Math.round(chance * 100)}\u00a0%`; // a half to the even one, as Python does
  }

  function start(draft, hold) {
    const figure = (id, name) => {
      const value = Dom.make("b", {}, "");
      const row = Dom.make("li", { "data-figure": id, "aria-atomic": "true" }, name, " ", value); // heard with its name when it changes
      hold.append(row);
      return [row, value];
    };
    const before = draft.model.counters.find(({ id }) => id === "treasury").left;
    const names = { unrest: "Unrest", economy: "Economy", stability: "Stability", loyalty: "Loyalty" };
    const [money, bp] = figure("treasury", Dom.make("span", { class: "heard" }, "Treasury"));
    const rows = Object.fromEntries(Object.entries(names).map(([id, name]) => [id, figure(id, name)]));
    const unsure = Dom.make("li", { class: "mark", "data-figure": "unsure" });
    hold.append(unsure);
    draft.effect = (offer, left) => effect(draft, offer, left);
    draft.listeners.push(() => {
      const found = now(draft);
      Dom.say(bp, found.treasury === before ? `${before} BP` : `${before} > ${found.treasury} BP`);
      money.classList.toggle("bad", found.treasury < 0);
      Dom.say(rows.unrest[1], String(found.unrest));
      for (const [name, chance] of Object.entries(found.chances)) {
        Dom.say(rows[name][1], percent(chance));
        rows[name][0].classList.toggle("bad", chance !== null && chance < 0.5);
      }
      Dom.say(unsure, found.unsure ? `+ ${found.unsure} when filed` : "");
    });
  }

  return { start, figures: now };
})();
