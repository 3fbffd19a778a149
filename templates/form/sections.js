// The sections of the form: buttons for what may be ordered, levels to choose among, boxes, and what is filled in.

const Sections = (() => {
  /** What an offer costs whatever is filled in, for a person. */
  const cost = (draft, offer) => draft.price((offer.costs || {})[draft.model.coin] || 0);

  /** All sections, each under a heading. */
  function render(draft, hold) {
    for (const section of draft.model.sections) {
      const id = `section-${section.id}`;
      const element = Dom.make("section", { id, "aria-labelledby": `${id}-title` }, Dom.make("h2", { id: `${id}-title`, tabindex: -1 }, section.title),
        section.about ? Dom.said("p", { class: "soft" }, section.about) : null);
      if (section.left) {
        const left = Dom.make("ul", { class: "counters" });
        Tray.counters(draft, left, section.left);
        element.append(left);
      }
      for (const part of section.parts) element.append(partOf(draft, part, section));
      (section.first ? document.getElementById("first") : hold).append(element);
    }
  }

  function partOf(draft, part, section) {
    if (part.kind === "choice") return Choice.render(draft, part);
    if (part.kind === "sequence") return Sequence.render(draft, part);
    if (!part.title || section.parts.length < 2) return within(draft, part, Dom.make("div", { class: "part" }));
    const hold = Dom.make("details", { class: "part" }, Dom.make("summary", {}, Dom.typed(part.title)));
    hold.open = !part.folded && section.id === "land";
    const kept = draft.listeners.length;
    within(draft, part, hold);
    const refresh = draft.listeners.splice(kept);
    let stale = true; // what is folded is only kept up to date when it is opened
    const look = () => {
      stale = !hold.open;
      if (hold.open) refresh.forEach((each) => each());
    };
    draft.listeners.push(look);
    hold.addEventListener("toggle", () => stale && look());
    return hold;
  }

  function within(draft, part, hold) {
    if (part.about) hold.append(Dom.said("p", { class: "soft" }, part.about));
    for (const [name, offers] of groupsOf(part)) hold.append(group(draft, name, offers));
    const none = Dom.make("p", { class: "soft", hidden: true }, "Nothing more of this now.");
    hold.append(none);
    draft.listeners.push(() => {
      none.hidden = Boolean(hold.querySelector(".offer:not([hidden]), .filled:not([hidden])"));
    });
    return hold;
  }

  /** The offers of a part in groups, [name, offers] each. */
  function groupsOf(part) {
    const byPart = (offer) => (part.by === "at" ? offer.at : part.names[offer.id.split(" ")[0]] || part.names.build);
    const named = (offer) => (part.by ? byPart(offer) : offer.group || "");
    const groups = new Map();
    for (const offer of part.offers) groups.set(named(offer), [...(groups.get(named(offer)) || []), offer]);
    return groups;
  }

  function group(draft, name, offers) {
    const simple = Dom.make("div", { class: "offers" });
    const hold = Dom.make("div", { class: "group", role: name ? "group" : null, "aria-label": name || null }, name ? Dom.make("h3", {}, name) : null, simple);
    for (const offer of offers) {
      if (offer.fields) hold.append(filledIn(draft, offer));
      else simple.append(plain(draft, offer));
    }
    draft.listeners.push(() => {
      hold.hidden = !hold.querySelector(".offer:not([hidden]), .filled:not([hidden])");
    });
    return hold;
  }

  /** A button that orders it, or takes it back; what may be ordered more than once has its undo among the chosen orders. */
  function plain(draft, offer) {
    const price = Dom.make("span", { class: "price" });
    const button = Dom.button("", press, { class: "offer", "data-offer": offer.id });
    const more = offer.more || (offer.work && draft.model.kinds[offer.work.kind].does);
    button.append(Dom.typed(offer.text), " ", price, more ? Dom.make("span", { class: "soft more" }, more) : "");
    function press() {
      const chosen = draft.of(offer);
      if (chosen.length && !offer.work) Tray.back(draft, chosen[0]);
      else Tray.tell(draft.add(offer) || `Ordered: ${offer.text}.`);
    }
    draft.listeners.push(() => {
      const chosen = draft.of(offer);
      const again = offer.work && !offer.work.over;
      const possible = (!chosen.length || again) && draft.possible(offer);
      button.hidden = !possible && !chosen.length;
      button.disabled = again && !possible;
      if (again) button.classList.toggle("chosen", chosen.length > 0);
      else button.setAttribute("aria-pressed", chosen.length > 0);
      const known = offer.work || offer.first ? due(draft, offer, possible, chosen) : cost(draft, offer);
      Dom.say(price, `${known}${again && chosen.length ? ` (${chosen.length} ordered)` : ""}`);
    });
    return button;
  }

  /** What an order takes as things stand, or took. */
  function due(draft, offer, possible, chosen) {
    if (!possible) return chosen.map((entry) => draft.due(entry)).join(", ");
    const values = offer.work ? { place: draft.place(offer) } : {};
    return draft.due(Counting.objection(draft.model, draft.counted, { offer, values })) || "free";
  }

  /** An order that is filled in. */
  function filledIn(draft, offer) {
    const hold = Dom.make("div", { class: "filled card", role: "group", "aria-label": offer.text, "data-offer": offer.id },
      Dom.make("p", { class: "what" }, Dom.typed(offer.text), " ", Dom.make("span", { class: "soft" }, [cost(draft, offer), offer.more].filter(Boolean).join(", "))));
    const controls = offer.fields.map((field) => [field, Fields.control(field, refresh)]);
    const why = Dom.make("p", { class: "soft why", role: "status" });
    const add = Dom.button("Order it", press, { class: "add" });
    hold.append(Dom.make("div", { class: "fields" }, ...controls.map(([, control]) => control.element)), add, why);
    const values = () => Object.fromEntries(controls.map(([field, control]) => [field.name, control.read()]).filter(([, value]) => !Filling.empty(value)));
    function objection() {
      return Fields.objection(offer, values()) || draft.objection(offer, values());
    }
    function refresh() {
      for (const [, control] of controls) control.refresh(values());
      const against = objection();
      add.setAttribute("aria-disabled", Boolean(against));
      const due = against || draft.due(Counting.objection(draft.model, draft.counted, { offer, values: values() }));
      Dom.say(why, due && Object.keys(values()).length ? `${against ? against[0].toUpperCase() + against.slice(1) : `Costs ${due}`}.` : "");
    }
    function press() {
      const against = objection() || draft.add(offer, values());
      Tray.tell(against ? `Not ordered: ${against}.` : `Ordered: ${offer.text}.`);
      if (!against) for (const [field, control] of controls) control.write(field.value);
      refresh();
      if (against) Dom.say(why, `${against[0].toUpperCase()}${against.slice(1)}.`);
    }
    draft.listeners.push(() => {
      hold.hidden = !draft.possible(offer);
      refresh();
    });
    for (const [field, control] of controls.filter(([each]) => each.on_map)) {
      const put = (value) => {
        for (let fold = hold.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
        refresh();
        (control.put || control.write)(value);
        refresh();
        control.input.focus();
      };
      draft.pickers.push({ offer, field, put });
    }
    return hold;
  }

  return { render, plain, filledIn, cost };
})();
