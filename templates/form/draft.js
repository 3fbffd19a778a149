// The orders as far as they are chosen: what is added and taken back, what may still be added, and the orders file of it.

class Draft {
  constructor(form) {
    this.form = form;
    this.model = form.model;
    this.entries = [];
    this.file = null; // {name, text} of an orders file that is sent alone
    this.replaced = []; // the entries in whose place others came at once, none where there were none
    this.listeners = [];
    this.offers = Draft.unpacked(this.model);
    this.unshare();
    for (const offer of this.offers) offer.more ??= offer.work ? this.model.kinds[offer.work.kind].does : this.model.does?.[offer.key]?.[offer.value?.build];
    this.under = Object.fromEntries(Object.keys(form.keys).map((key) => [key, []])); // key -> its offers
    for (const offer of this.offers) this.under[offer.key].push(offer);
    this.sequence = Sequence.of(this.model); // orders that are offered one after the other, undefined where there are none
    this.counted = Counting.count(this.model, []);
  }

  /** The offers: each order with what its rows fill into its holes (kingdom/render/packing.py). They stand in the parts then. */
  static unpacked({ sections, orders, cells, mark }) {
    const same = (of) => Object.assign(() => of, { isSame: true });
    /** What fills the holes of a value from a row. A value without holes is the same for all rows, and is not copied. */
    function filler(of) {
      if (of === null || typeof of !== "object") return typeof of === "string" && of.includes(mark) ? (row) => of.split(mark).join(row[0]()) : same(of);
      const hole = of[mark];
      if (mark in of && !Array.isArray(hole)) return (row) => row[hole]?.(row); // undefined, of -1: it lacks the key
      const inner = Object.entries(hole || of).map(([key, each]) => ({ key, fill: filler(each) }));
      if (hole) return (row) => inner.map(({ fill }) => fill(row)).join(" ");
      const holes = inner.filter(({ fill }) => !fill.isSame);
      return !holes.length ? same(of) : (row) => {
        const filled = Array.isArray(of) ? [...of] : { ...of };
        for (const { key, fill } of holes) if ((filled[key] = fill(row)) === undefined) delete filled[key];
        return filled;
      };
    }
    const fillers = cells.map((cell) => cell.map(filler));
    const told = (column, last) => column.split(",").map((number) => fillers[(last = number || last)]); // the cell of each row
    const rows = ([first, ...others]) => first.map((cell, at) => cell.concat(...others.map((column) => column[at] || column.at(-1))));
    const offers = orders.map(({ offer, columns }) => rows(columns.map((column) => told(column))).map(filler(offer)));
    const parts = sections.flatMap((section) => section.parts.filter((part) => part.offers));
    for (const part of parts) part.offers = part.offers.flatMap(([number, count]) => offers[number].splice(0, count));
    for (const part of parts) if (part.kind === "choice") for (const offer of part.offers) offer.about = part.title;
    return parts.flatMap((part) => part.offers);
  }

  /** Put options, the values of their conditions, deeds and places where the data has their numbers or lists (kingdom/render/order_form.py). */
  unshare() {
    this.model.places = Object.fromEntries(Object.entries(this.model.places).flatMap(([words, names]) => names.map((name) => [name, words])));
    const options = this.model.options.map((of) => [of].flat()).map(([value, text, means]) => ({ value, text: text || String(value), means }));
    const rows = this.model.rows.map((row) => row.map((number) => options[number].value));
    const lists = this.model.lists.map(([names, ...list]) => list.map((entry) => {
      const [number, ...conditions] = [entry].flat();
      const [when, unless] = conditions.map((among) =>
        Object.fromEntries(among.flatMap((row, index) => (row < 0 ? [] : [[names[index], rows[row]]]))));
      return { ...options[number], when, unless };
    }));
    for (const { deed } of this.offers) if (deed) for (const values of Object.keys(deed.of)) deed.of[values] = this.model.deeds[deed.of[values]] ?? deed.of[values];
    for (const { fields = [] } of this.offers) for (const field of fields) if (typeof field.options === "number") field.options = lists[field.options];
  }

  /** An amount of the coin, for a person; "" for none. */
  price(amount) {
    const coin = this.model.counters.find((counter) => counter.id === this.model.coin);
    return amount && coin ? `${amount}${coin.unit ? ` ${coin.unit}` : ""}` : "";
  }

  /** What an order takes: of the coin, else of the counters whose amounts have a word, "2 gold". */
  due({ cost, spent }) {
    const counters = this.model.counters.filter((counter) => counter.word && spent[counter.id] > 0);
    return this.price(cost) || counters.map((counter) => `${spent[counter.id]} ${counter.word}`).join(", ");
  }

  /** Tell everybody who shows something of it. */
  changed() {
    this.counted = Counting.count(this.model, this.entries);
    for (const listener of this.listeners) listener();
  }

  /** What `fill` lets listen, to be called by whoever shows what it made. */
  gathered(fill) {
    const kept = this.listeners.length;
    fill();
    return this.listeners.splice(kept);
  }

  objection(offer, values = {}) {
    return Fields.objection(offer, values) || this.barred(offer) || Counting.objection(this.model, this.counted, { offer, values }).why;
  }

  /** {why, cost, spent, left} of an offer now, why: why it can't be chosen; a building stands at the first `place` that is left. Of fields only what hangs on none counts. */
  tried(offer) {
    const why = this.barred(offer);
    if (why) return { why };
    if (offer.fields) offer = { ...offer, tables: [], takes: [], takes_of: {}, needs_of: {}, deed: null };
    if (!offer.work) return Counting.objection(this.model, this.counted, { offer, values: {} });
    let found = null;
    for (const place of Towns.places(this.model, offer.work, this.counted.state.towns[offer.work.town] || Towns.fresh())) {
      const next = Counting.objection(this.model, this.counted, { offer, values: { place } });
      found = !found || !next.why ? next : found;
      if (!next.why) return { ...next, place };
      if (next.hopeless) break;
    }
    return found || { why: "no place is left for it" };
  }

  /** Why no more can stand under the key of an offer in one file, "" where it can: a key stands there once, and a list has an end. */
  barred({ key, how, value }) {
    const line = this.entries.find(({ own }) => own && (own.key === key || (this.form.parts[own.key] === key && how === "map" && own.key === value[0])));
    if (line) return `your own line stands in its place: ${line.own.text}`;
    const { most = Infinity } = this.form.keys[key] || {};
    const there = this.entries.filter((entry) => Draft.keyOf(entry) === key).length;
    return how === "list" && there >= most ? `one file holds at most ${most} of these` : "";
  }

  static keyOf(entry) {
    return entry.later || (entry.own || entry.line || entry.offer).key;
  }

  of(offer) {
    return this.entries.filter((entry) => entry.offer === offer);
  }

  add(offer, values = {}) {
    const entry = { offer, values: offer.work && !values.place ? { ...values, place: this.tried(offer).place } : values };
    const why = this.objection(offer, entry.values);
    if (why) return why;
    this.entries.push(entry);
    this.changed();
    return "";
  }

  /** Add lines of one's own, {key, text} each: they are sent as they stand. Gives the key that a file can't hold twice, "" where all were added. */
  addOwn(lines) {
    const taken = lines.find(({ key }, index) => this.holds(key) || lines.slice(0, index).some((line) => line.key === key));
    if (taken) return taken.key;
    this.entries.push(...lines.map((own) => ({ own, values: {} })));
    this.changed();
    return "";
  }

  /** Whether the key stands in the orders already, or as a part of another. */
  holds(key) {
    const orders = this.orders();
    const whole = orders[this.form.parts[key]];
    return Object.hasOwn(orders, key) || this.owns().some((own) => own.key === key)
      || (Boolean(whole) && !Array.isArray(whole) && Object.hasOwn(whole, key));
  }

  /** The entries whose effect nobody knows before they are filed: lines, offers that say so, and those that change each other's. */
  unsure() {
    const words = this.entries.flatMap(({ offer }) => (offer && offer.tangled) || []);
    const isShared = (word) => words.indexOf(word) !== words.lastIndexOf(word);
    return this.entries.filter(({ offer, proved, later }) => !offer || proved || later || offer.unsure || (offer.tangled || []).some(isShared));
  }

  owns() {
    return this.entries.flatMap((entry) => entry.own || []);
  }

  /** Put an order behind the others of the sequence. Gives its entry, null where it is not allowed there. */
  follow(order) {
    if (!this.takeNext(order)) return null;
    this.changed();
    return this.followed().at(-1);
  }

  followed() {
    return this.entries.filter((entry) => entry.offer && entry.offer.order);
  }

  /** Whether an entry is a line of one's own among the orders of the sequence: what comes behind it can't be told. */
  isOwn(entry) {
    return Boolean(this.sequence && !entry.offer && Draft.keyOf(entry) === this.sequence.key);
  }

  followable() {
    const { most } = this.form.keys[this.sequence.key];
    return this.followed().length < most && !this.entries.some((entry) => this.isOwn(entry));
  }

  /** Take an order back, and with it those that hang on it. The others that went are given. */
  remove(entry) {
    if (entry.offer && entry.offer.order) return this.removeFrom(entry);
    const own = this.isOwn(entry);
    this.entries = this.entries.filter((each) => each !== entry);
    if (own) this.retake();
    const gone = [];
    for (;;) {
      const { faults } = Counting.count(this.model, this.entries);
      if (!faults.length) break;
      gone.push(faults[0][0]);
      this.entries = this.entries.filter((each) => each !== faults[0][0]);
    }
    this.changed();
    return gone;
  }

  /** Take back an order of the sequence and all behind it, which were chosen for how things stood then. */
  removeFrom(entry) {
    const behind = [...this.followed(), ...this.entries.filter((each) => this.isOwn(each))];
    const gone = behind.slice(behind.indexOf(entry) + 1);
    this.entries = this.entries.filter((each) => each !== entry && !gone.includes(each));
    this.changed();
    return gone;
  }

  /** Where a line of one's own has gone those behind it may be orders of the sequence. */
  retake() {
    const lines = this.entries.filter((each) => each.line && this.isOwn(each));
    this.entries = this.entries.filter((each) => !lines.includes(each));
    this.counted = Counting.count(this.model, this.entries);
    for (const { line } of lines) this.takeOne(line.key, line.how, line.value);
  }

  bringBack(replaced = this.entries) {
    this.putIn(this.replaced, replaced);
    this.changed();
  }

  /** Put entries in place of all that was chosen, which is kept, so that it can be brought back. */
  putIn(entries, replaced = this.entries) {
    this.file = null;
    this.replaced = replaced;
    this.entries = entries;
    this.counted = Counting.count(this.model, entries);
  }

  /** The orders in the long form, keys in the order in which they are declared, without the lines of one's own. */
  orders() {
    const found = { ...this.model.always };
    for (const entry of Counting.inOrder(this.entries.filter(({ own }) => !own))) {
      const { key, how } = entry.later ? { key: entry.later, how: "list" } : entry.line || entry.offer;
      const value = entry.later ? Later.lineOf(this, entry) : entry.line ? entry.line.value : Filling.filled(entry.offer.value, Filling.meant(entry.offer, entry.values));
      if (how === "one") found[key] = value;
      else if (how === "map") found[key] = { ...found[key], [value[0]]: value[1] };
      else if (entry.offer && entry.offer.empties) found[key] = found[key] || [];
      else found[key] = [...(found[key] || []), value];
    }
    const keys = Object.keys(this.form.keys).filter((key) => Object.hasOwn(found, key));
    const head = Object.entries({ kingdom: this.form.seat, turn: this.form.turn, token: this.form.token });
    return Object.fromEntries([...head.filter(([, value]) => value !== ""), ...keys.map((key) => [key, found[key]])]);
  }

  text() {
    return this.file ? this.file.text : [Writer.dump(this.orders()), ...this.owns().map((own) => `${own.text}\n`)].join("");
  }

  /** Send a file alone, null: what is chosen again. */
  sendAlone(file) {
    this.file = file;
    this.changed();
  }

  /** Put orders in the long form in place of what was chosen; what no control holds stands as a line of one's own. proved: the engine carries out all of them. */
  load(orders, proved = false) {
    this.putIn([]);
    this.entries = this.entriesOf(orders, proved);
    this.changed();
  }

  /** The entries of orders that stand alone. */
  entriesOf(orders, proved) {
    const { entries, counted } = this;
    Object.assign(this, { entries: [], counted: Counting.count(this.model, []), proved });
    try {
      const ranked = Object.entries(orders).map(([key, value]) => [Math.min(...(this.under[key] || []).map((offer) => offer.rank)), key, value]);
      for (const [, key, value] of ranked.sort(([one], [other]) => one - other || 0)) this.take(key, value);
      return this.entries;
    } finally {
      Object.assign(this, { entries, counted });
    }
  }

  take(key, value) {
    if (["kingdom", "turn", "token", "amend"].includes(key) || (this.model.always || {})[key] === value) return;
    if ("most" in this.form.keys[key] && !Array.isArray(value)) throw new TypeError(`${key} is a list`);
    const offer = this.under[key].find((each) => each.empties);
    if (Array.isArray(value) && !value.length) this.entries.push({ ...(offer ? { offer } : { line: { key, how: "one", value } }), values: {} });
    else if (this.under[key].some(({ how }) => how === "one")) this.takeOne(key, "one", value);
    else if (Array.isArray(value)) for (const item of value) this.takeOne(key, "list", item);
    else if (value !== null && typeof value === "object" && this.form.keys[key].map) for (const row of Object.entries(value)) this.takeOne(key, "map", row);
    else this.takeOne(key, "one", value);
  }

  /** The rank that the orders of a list whose order is kept have come to: none that comes behind them may come to stand before one. */
  reached(key) {
    const before = (this.model.ordered || []).includes(key) ? this.entries.filter((entry) => Draft.keyOf(entry) === key) : [];
    return Math.max(-1, ...before.map(Counting.rankOf));
  }

  takeOne(key, how, value, least = this.reached(key)) {
    const later = key === this.model.later?.key ? Later.entryOf(this, value) : null;
    if (later) return void this.entries.push(later);
    if (this.sequence && key === this.sequence.key && this.takeNext(value)) return;
    const offers = this.under[key].filter((offer) => offer.how === how && !offer.empties && offer.rank >= least);
    const entries = offers.flatMap((offer) => this.entryOf(offer, value));
    const fits = (entry) => !Counting.objection(this.model, this.counted, entry).why;
    const entry = entries.find(fits) || (this.proved && entries.map((each) => ({ ...each, proved: true })).find(fits));
    this.entries.push(entry || { line: { key, how, value }, values: {} });
    if (entry) this.counted = Counting.count(this.model, this.entries);
  }

  /** [the entry of an order that an offer gives], [] where it gives another. What is proved may leave open which building is meant. */
  entryOf(offer, value, proved = this.proved) {
    let values = Filling.unfilled(offer.value, value) || (proved && Filling.unfilled(offer.value, { ...offer.value, ...value }));
    if (values) values = Filling.worded(offer, values);
    if (values && offer.work && values.place === undefined && offer.work.word) values = { ...values, place: this.tried(offer).place };
    if (values && offer.work && !offer.work.word) values = { place: offer.work.places[0][1] };
    return values && Fields.allowed(offer, values) ? [{ offer, values }] : [];
  }

  /** Take an order of the sequence where it is allowed behind the others; whether it is. */
  takeNext(order) {
    const entry = this.followable() ? Sequence.entryOf(this, order, this.followed().length + 1) : null;
    if (!entry) return false;
    this.entries.push(entry);
    this.counted = Counting.count(this.model, this.entries);
    return true;
  }
}
