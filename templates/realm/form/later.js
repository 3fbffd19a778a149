// Orders that are marked "later": they stand in the plan, which is worked off after the turn's orders. `model.later` says how a plan names
// each order; what can't be named so is typed as a line of one's own.

const Later = (() => {
  /** How the plan names what was chosen, "" where it can't. */
  function lineOf(draft, { offer, values }) {
    const { lines, names } = draft.model.later;
    const isFixed = (word) => typeof offer.value[word] === "string" && !offer.value[word].includes("\u0001");
    const isSaidBy = ({ words, free }) => typeof offer.value === "string"
      || (words.every((word) => word in offer.value) && !Object.keys(offer.value).some((word) => isFixed(word) && !words.includes(word) && !free.includes(word)));
    const found = offer && lines.find((line) => line.key === offer.key && isSaidBy(line));
    if (!found) return "";
    const value = Filling.filled(offer.value, Filling.meant(offer, values));
    const order = typeof value === "string" ? { [found.words[0]]: value } : value;
    const isSaid = found.words.every((word) => typeof order[word] === "string" && new RegExp(names, "i").test(order[word]));
    return isSaid ? Filling.filled(found.line, order) : "";
  }

  /** The entry that a line of the plan gives, null where no offer does. */
  function entryOf(draft, line) {
    for (const { key, words, line: template } of draft.model.later.lines) {
      const said = new RegExp(`^${template.replace(/\u0001\w+\u0001/g, "(.+)")}$`).exec(line);
      if (!said) continue;
      const order = Object.fromEntries(words.map((word, index) => [word, said[index + 1]]));
      for (const offer of draft.offers.filter((each) => each.key === key)) {
        const value = typeof offer.value === "string" ? order[words[0]] : order;
        const [entry] = draft.entryOf(offer, value, false).concat(draft.entryOf(offer, value, true));
        if (entry && lineOf(draft, entry) === line) return { ...entry, later: draft.model.later.key };
      }
    }
    return null;
  }

  /** Mark an order "later", or order it now again. What hangs on it goes with it; a plan that stands stays before it. Gives what there is to say. */
  function mark(draft, entry) {
    if (entry.later) {
      const { offer, values } = entry;
      const why = draft.barred(offer) || Counting.objection(draft.model, draft.counted, { offer, values }).why;
      if (why) return `Not now: ${why}.`;
      delete entry.later;
      draft.changed();
      return `Ordered now: ${Tray.wordsOf(entry)}.`;
    }
    const { key: plan, stands } = draft.model.later;
    if (draft.owns().some(({ key }) => key === plan)) return "Your own line holds the plan: write it there, or take that line back first.";
    draft.entries = draft.entries.filter((each) => each !== entry);
    if (!draft.holds(plan)) for (const line of stands) draft.takeOne(plan, "list", line);
    const moved = [entry];
    draft.entries.push(entry);
    entry.later = plan;
    for (let faults; (faults = Counting.count(draft.model, draft.entries).faults).length;) {
      const [other] = faults[0];
      if (lineOf(draft, other)) moved.push(Object.assign(other, { later: plan }));
      else draft.entries = draft.entries.filter((each) => each !== other);
    }
    draft.entries = [...draft.entries.filter((each) => !moved.includes(each)), ...moved]; // behind what the plan holds
    draft.changed();
    return `Later: ${moved.map(Tray.wordsOf).join("; ")}. This turn still, if what is left allows it.`;
  }

  /** The button that marks it, "" where no plan can name the order. */
  function knob(draft, entry) {
    const given = { "aria-pressed": entry.later ? "true" : "false", "aria-label": `Later: ${Tray.wordsOf(entry)}`, class: "later" };
    return lineOf(draft, entry) && Dom.button("Later", () => Tray.tell(mark(draft, entry)), given);
  }

  return { lineOf, entryOf, knob };
})();
