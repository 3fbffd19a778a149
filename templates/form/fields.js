// The fields of an offer that is filled in.

const Fields = (() => {
  const WILD = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g; // what no orders file may hold
  const SPACE = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+"; // as the engine knows spaces
  const [SPACES, ENDS] = [new RegExp(SPACE, "u"), new RegExp(`^${SPACE}|${SPACE}$`, "gu")];

  /** Whether an option may be chosen beside what the other fields hold. */
  function open(option, values) {
    const among = ([name, words]) => words.includes(values[name]);
    return Object.entries(option.when || {}).every(among) && !Object.entries(option.unless || {}).some(among);
  }

  /** What is wrong with what a field holds, "" for nothing. */
  function wrong(field, values) {
    const value = values[field.name];
    if (Filling.empty(value)) return field.none || field.kind === "many" ? "" : `${field.label} is missing`;
    if (field.kind === "number") {
      const fits = Number.isInteger(value) && value >= field.least && value <= field.most;
      return fits ? "" : `${field.label}: from ${field.least} to ${field.most}`;
    }
    if (field.kind === "text" || field.kind === "lines") {
      if (Array.from(value).length > field.most) return `${field.label}: at most ${field.most} letters`;
      if (field.kind === "text" && /[^\P{C}]|(?! )\p{Z}/u.test(value)) return `${field.label} holds a letter that can't be read`;
      return (field.unlike || []).includes(Filling.fold(value)) ? `${value} is there already` : "";
    }
    const chosen = [value].flat();
    if (chosen.length < (field.least || 0)) return `${field.label}: name ${field.least} at least`;
    if (field.kind === "ranked" && new Set(chosen).size < chosen.length) return `${field.label}: each once`;
    const known = (each) => field.options.some((option) => option.value === each && open(option, values));
    return chosen.every(known) ? "" : `${field.label}: choose one that is listed`;
  }

  /** Why the offer is not filled in, "" where it is. */
  function objection(offer, values) {
    const fault = (offer.fields || []).map((field) => wrong(field, values)).find((why) => why);
    if (fault) return fault;
    const any = offer.any_of;
    return any && any.every((name) => Filling.empty(values[name])) ? "choose what to order" : "";
  }

  /** What is filled in until somebody says otherwise: what is suggested, by a name that is not taken, and the most of it that can be paid; the only choice. */
  function suggested(draft, offer, given = {}) {
    const values = { ...Object.fromEntries(offer.fields.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))), ...given };
    const isShort = () => Counting.objection(draft.model, draft.counted, { offer, values }).short;
    for (const { name, kind, value, none, unlike = [], options = [] } of offer.fields.filter((field) => !(field.name in given))) {
      const can = options.filter((option) => open(option, values)).map((option) => option.value);
      if (kind === "choice" && !none && can.length === 1) [values[name]] = can;
      const taken = [...unlike, ...draft.of(offer).map((entry) => Filling.fold(`${entry.values[name]}`))];
      for (let count = 2; kind === "text" && value && taken.includes(Filling.fold(values[name])); count += 1) values[name] = `${value.replace(/ \d+$/, "")} ${count}`;
      for (let at = can.indexOf(value); at > 0 && isShort(); at -= 1) values[name] = can[at - 1];
      if (can.includes(value) && isShort()) values[name] = value;
    }
    return values;
  }

  const allowed = (offer, values) => {
    const names = [...(offer.fields || []).map((field) => field.name), ...(offer.work ? ["place"] : [])];
    return Object.keys(values).every((name) => names.includes(name)) && !objection(offer, values);
  };

  /** What was typed without what no orders file may hold. */
  const clean = (typed) => (typed.toWellFormed ? typed.toWellFormed() : typed).replace(/\r\n?/g, "\n").replace(WILD, "").normalize("NFC");

  /** A text as the engine keeps it: in one line, or in lines. */
  function tidy(field, typed) {
    const text = clean(typed);
    return field.kind === "text" ? text.split(SPACES).filter(Boolean).join(" ") : text.replace(ENDS, "");
  }

  /** The element of a field, and `read`, what it holds. */
  function control(field, changed) {
    const id = Dom.id();
    if (field.kind === "many") return many(field, changed);
    if (field.kind === "ranked" || field.kind === "row") return ranked(field, changed);
    const input = field.kind === "choice" ? Dom.make("select", { id }) : field.kind === "lines"
      ? Dom.make("textarea", { id, rows: 3 }) : Dom.make("input", { id, type: field.kind === "number" ? "number" : "text", autocomplete: "off",
        min: field.least, max: field.most });
    input.addEventListener(field.kind === "choice" ? "change" : "input", changed);
    const element = Dom.make("div", { class: field.kind === "lines" ? "field long" : "field" }, Dom.make("label", { for: id }, field.label), input);
    const refresh = (others) => {
      if (field.kind !== "choice") return;
      const now = read();
      const rows = [...field.options.entries()].filter(([, option]) => open(option, others));
      const shown = rows.map(([at]) => at).join();
      if (input.dataset.shown === shown) return;
      input.dataset.shown = shown;
      const isOnly = rows.length === 1 && !field.none; // is chosen
      input.replaceChildren(...(isOnly ? [] : [Dom.make("option", { value: "" }, field.none || "choose")]),
        ...rows.map(([at, { value, text }]) => Dom.make("option", { value: at, selected: value === now }, isOnly ? `only ${text}` : text)));
    };
    const read = () => {
      if (field.kind === "choice") return field.options[input.value]?.value;
      if (field.kind === "number") return input.value.trim() === "" ? undefined : Number(input.value);
      return tidy(field, input.value);
    };
    const write = (value) => {
      if (field.kind === "choice") input.value = ([...input.options].find((row) => field.options[row.value]?.value === value) || input.options[0]).value;
      else input.value = value ?? "";
    };
    return { element, read, write, refresh, input };
  }

  /** Boxes to be ticked. */
  function many(field, changed) {
    const boxes = field.options.map((option) => {
      const id = Dom.id();
      const box = Dom.make("input", { type: "checkbox", id, onchange: changed });
      return { option, box, row: Dom.make("span", { class: "tick" }, box, Dom.make("label", { for: id }, option.text)) };
    });
    const element = Dom.make("fieldset", { class: "field" }, Dom.make("legend", {}, field.label), ...boxes.map((each) => each.row));
    const refresh = (others) => {
      for (const { option, box, row } of boxes) {
        row.hidden = !open(option, others);
        if (row.hidden) box.checked = false;
      }
    };
    const read = () => boxes.filter(({ box }) => box.checked).map(({ option }) => option.value);
    const write = (value) => boxes.forEach(({ option, box }) => { box.checked = (value || []).includes(option.value); });
    return { element, read, write, refresh, input: boxes[0] && boxes[0].box };
  }

  /** Choices in a row, each open when the one before it is made: the first choice, the second. */
  function ranked(field, changed) {
    const count = Math.min(field.most || field.options.length, field.kind === "ranked" ? field.options.length : Infinity);
    const lists = Array.from({ length: count }, (_, place) => Dom.make("select", { "aria-label": `${field.label}, ${place + 1}`, onchange: changed }));
    const element = Dom.make("fieldset", { class: "field" }, Dom.make("legend", {}, field.label), ...lists);
    const read = () => {
      const end = lists.findIndex((list) => !list.value);
      return lists.slice(0, end < 0 ? count : end).map((list) => field.options[list.value].value);
    };
    const write = (values) => {
      lists.forEach((list, place) => {
        const at = field.options.findIndex((option) => option.value === (values || [])[place]);
        show(list, place, [at]);
        list.value = at < 0 ? "" : String(at);
      });
      refresh();
    };
    /** The options of one of them that the others do not hold, and those numbers in any case. */
    const show = (list, place, held) => {
      const others = field.kind === "row" ? [] : lists.filter((each) => each !== list).map((each) => each.value);
      const rows = field.options.map((_, at) => at).filter((at) => held.includes(at) || !others.includes(String(at)));
      if (list.dataset.shown === rows.join()) return;
      const now = list.value;
      list.dataset.shown = rows.join();
      const none = place < (field.least || 0) ? "choose" : place ? "nothing more" : field.none || "choose";
      list.replaceChildren(Dom.make("option", { value: "" }, none), ...rows.map((at) => Dom.make("option", { value: at }, field.options[at].text)));
      list.value = rows.includes(Number(now)) ? now : "";
    };
    const refresh = () => {
      const held = read().length;
      lists.forEach((list, place) => {
        list.hidden = place > held;
        if (list.hidden) list.value = "";
        show(list, place, []);
      });
    };
    refresh();
    return { element, read, write, refresh, input: lists[0] };
  }

  return { control, objection, suggested, allowed, open, clean };
})();
