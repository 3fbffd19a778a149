// What was chosen: each order with its place and its undo; the treasury and the limits that are left.

const Tray = (() => {
  /** Say something once, for eyes and ears. */
  function tell(text) {
    document.getElementById("said").replaceChildren(Dom.make("span", {}, text));
  }

  /** Add an order, and say so. Gives why it is not possible, "" where it is. */
  function order(draft, offer, values) {
    const why = draft.add(offer, values);
    tell(why ? `Not ordered: ${why}.` : `Ordered: ${wordsOf(draft.entries.at(-1))}.`);
    return why;
  }

  const many = (orders) => `${orders.length} ${orders.length === 1 ? "order" : "orders"}`;

  /** Take an order back, and say which others went with it. */
  function back(draft, entry) {
    const gone = draft.remove(entry);
    const others = gone.length > 3 ? [`${gone.length} orders behind it`] : gone.map(wordsOf);
    tell(`Taken back: ${[wordsOf(entry), ...others].join("; ")}.`);
  }

  const wordsOf = (entry) => (entry.own ? entry.own.text : entry.line ? `${entry.line.key}: ${Writer.flow(entry.line.how === "map" ? { [entry.line.value[0]]: entry.line.value[1] } : entry.line.value)}`
    : [where(entry.offer), entry.offer.about ? `${entry.offer.about}:` : "", entry.offer.text, said(entry)].filter(Boolean).join(" "));

  const where = (offer) => (offer.work ? `${offer.work.town}:` : offer.value && offer.value.in ? `${offer.value.in}:` : "");

  function said(entry) {
    const { offer, values } = entry;
    const words = (offer.fields || []).filter((field) => !Filling.empty(values[field.name])).map((field) => {
      const named = [values[field.name]].flat().map((value) => (field.options || []).find((option) => option.value === value)?.text ?? String(value));
      return `${field.label.toLowerCase()} ${named.join(", ")}`;
    });
    return words.length ? `(${words.join("; ")})` : "";
  }

  /** Go to a heading, with eyes and keyboard: that of what was chosen where none is named. */
  function show(id = "chosen-title") {
    const title = document.getElementById(id);
    Sheet.close();
    const folds = title.unfold ? [...document.querySelectorAll("#sections h2 .fold")] : [];
    for (const fold of folds.slice(folds.indexOf(title))) fold.unfold(); // those behind it too: a flick leads on
    title.scrollIntoView();
    title.focus({ preventScroll: true });
  }

  /** What is left of the counters that are shown, of some of them where their ids are given. */
  function counters(draft, hold, ids) {
    const isShown = (counter) => (ids ? ids.includes(counter.id) : !counter.level && !counter.id.startsWith("first_"));
    const rows = draft.model.counters.filter(isShown).map((counter) => {
      const value = Dom.make("b", {}, "");
      const row = Dom.make("li", { "data-counter": counter.id, "aria-atomic": "true" }, Dom.make("span", { class: "name" }, counter.name), " ", value);
      return [counter, row, value];
    });
    hold.append(...rows.map(([, row]) => row));
    draft.listeners.push(() => {
      for (const [counter, row, value] of rows) {
        const left = draft.counted.left[counter.id];
        Dom.say(value, `${left}${counter.unit ? ` ${counter.unit}` : ""}`);
        row.classList.toggle("gone", left <= 0);
        row.hidden = counter.left <= 0 && left <= 0 && !counter.unit && !counter.word;
      }
    });
  }

  /** The chosen orders, with an undo for each. */
  function chosen(draft, hold, count) {
    const stop = Dom.roving(hold);
    draft.listeners.push(() => {
      const entries = Counting.inOrder(draft.entries);
      Dom.say(count, draft.file ? "a file" : many(entries));
      const held = document.activeElement && hold.contains(document.activeElement) ? [...hold.querySelectorAll("button")].indexOf(document.activeElement) : -1;
      hold.replaceChildren(...entries.map((entry) => row(draft, entry)));
      if (!entries.length) hold.append(Dom.make("li", { class: "soft" }, "Nothing yet."));
      stop();
      if (held >= 0) (hold.querySelectorAll("button")[held] || hold.querySelector("li:last-child .undo") || document.getElementById("chosen-title")).focus();
    });
  }

  function row(draft, entry) {
    const undo = Dom.button("Undo", () => back(draft, entry), { "aria-label": `Undo: ${wordsOf(entry)}`, class: "undo" });
    const text = Dom.make("span", { class: "words" }, Dom.typed(wordsOf(entry)),
      entry.offer ? "" : Dom.make("span", { class: "mark" }, entry.own ? " your own line: the program reads it when it arrives" : " no control holds it: it is decided when the turn is run"));
    if (entry.offer && draft.unsure().includes(entry)) text.append(" ", Dom.make("span", { class: "mark" }, `worked out when filed${entry.later ? ": this turn if it still can be, else later" : ""}`));
    if (entry.offer && entry.offer.told) text.append(": ", Dom.make("span", { class: "soft" }, entry.offer.told));
    if (entry.offer && !entry.later) text.append(" ", Dom.make("span", { class: "soft" }, draft.due(entry)));
    const isPlaced = entry.offer?.work && !entry.offer.work.over && !entry.later;
    return Dom.make("li", {}, text, isPlaced ? places(draft, entry) : "", draft.model.later ? Later.knob(draft, entry) : "", undo);
  }

  /** Where a building is to stand: every place that is left for it. */
  function places(draft, entry) {
    const others = Counting.count(draft.model, draft.entries.filter((each) => each !== entry));
    const free = Towns.places(draft.model, entry.offer.work, others.state.towns[entry.offer.work.town] || Towns.fresh())
      .filter((place) => !Counting.objection(draft.model, others, { offer: entry.offer, values: { place } }).why);
    const list = free.includes(entry.values.place) ? free : [entry.values.place, ...free];
    const select = Dom.make("select", { "aria-label": `Place of ${entry.offer.text}`, onchange: move },
      ...list.map((place) => Dom.make("option", { value: place, selected: place === entry.values.place }, place)));
    function move() {
      const was = entry.values;
      entry.values = { ...was, place: select.value };
      if (Counting.count(draft.model, draft.entries).faults.length) {
        entry.values = was;
        tell(`${select.value} does not go together with the other orders.`);
      }
      draft.changed();
    }
    return select;
  }

  return { tell, order, show, many, back, counters, chosen, wordsOf };
})();
