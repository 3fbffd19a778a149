// The sections of the form: buttons for what may be ordered, levels to choose among, boxes, and what is filled in.

const Sections = (() => {
  const renderers = {}; // kind of part -> how a game's own script shows it

  /** All sections, each under a heading. */
  function render(draft, hold) {
    for (const section of draft.model.sections) {
      const id = `section-${section.id}`;
      const fill = (inside) => {
        inside.append(section.about ? Dom.said("p", { class: "soft" }, section.about) : "");
        if (section.left) {
          const left = Dom.make("ul", { class: "counters" });
          Tray.counters(draft, left, section.left);
          inside.append(left);
        }
        for (const part of section.parts) inside.append(partOf(draft, part, section));
      };
      const { element, open } = Dom.fold(draft, "h2", section.title, fill, { id: `${id}-title` });
      (section.first ? document.getElementById("first") : hold).append(Dom.make("section", { id, "aria-labelledby": `${id}-title` }, element));
      if (!section.folded) open();
    }
  }

  function partOf(draft, part, section) {
    if (part.kind === "choice") return Choice.render(draft, part);
    if (part.kind === "sequence") return Sequence.render(draft, part);
    if (!part.title || section.parts.length < 2) return within(draft, part, Dom.make("div", { class: "part" }));
    const { element, open } = Dom.fold(draft, "h3", part.title, (inside) => within(draft, part, inside));
    if (part === section.parts.find(({ title }) => title)) open();
    return element;
  }

  /** What a part holds, in `hold`. */
  function within(draft, part, hold) {
    hold.append(part.about ? Dom.said("p", { class: "soft" }, part.about) : "");
    if (renderers[part.kind]) return renderers[part.kind](draft, part, hold);
    const groups = new Map();
    for (const offer of part.offers) {
      const name = offer[part.by || "group"] || "";
      groups.set(name, [...(groups.get(name) || []), offer]);
    }
    for (const [name, offers] of groups) hold.append(part.by ? folded(draft, "h4", `${name}, ${draft.model.places[name]}`, offers) : group(draft, name === part.title ? "" : name, offers));
    const none = Dom.make("p", { class: "soft", hidden: true }, "Nothing more of this now.");
    hold.append(none);
    draft.listeners.push(() => { none.hidden = Boolean(hold.querySelector(".offer:not([hidden]), .filled:not([hidden]), .part:not([hidden])")); });
    return hold;
  }

  /** Offers under a heading that unfolds them, where one of them is possible or chosen. */
  function folded(draft, level, name, offers) {
    const { element } = Dom.fold(draft, level, name, (inside) => inside.append(group(draft, "", offers)));
    draft.listeners.push(() => { element.hidden = !offers.some((offer) => draft.of(offer).length || !draft.tried(offer).why); });
    return element;
  }

  function group(draft, name, offers) {
    const simple = Dom.make("div", { class: "offers" });
    const hold = Dom.make("div", { class: "group", role: name ? "group" : null, "aria-label": name || null }, name ? Dom.make("h4", {}, name) : null);
    for (const offer of offers) {
      if (!offer.fields) simple.append(plain(draft, offer));
      hold.append(offer.fields ? filledIn(draft, offer) : simple);
    }
    const stop = Dom.roving(simple);
    draft.listeners.push(() => {
      hold.hidden = !hold.querySelector(".offer:not([hidden]), .filled:not([hidden])");
      stop();
    });
    return hold;
  }

  /** A button that orders it, or takes it back; what may be ordered more than once has its undo among the chosen orders. */
  function plain(draft, offer) {
    const [price, effect] = ["price", "effect"].map((name) => Dom.make("span", { class: name }));
    const button = Dom.button("", press, { class: "offer", "data-offer": offer.id });
    button.append(Dom.typed(offer.text), " ", price, offer.more ? Dom.make("span", { class: "soft more" }, offer.more) : "", effect);
    function press() {
      const chosen = draft.of(offer);
      if (chosen.length && !offer.work) Tray.back(draft, chosen[0]);
      else Tray.order(draft, offer);
    }
    draft.listeners.push(() => {
      const chosen = draft.of(offer);
      const again = offer.work && !offer.work.over;
      const found = !chosen.length || again ? draft.tried(offer) : { why: "it is chosen" };
      button.hidden = Boolean(found.why) && !chosen.length;
      button.disabled = again && Boolean(found.why);
      if (again) button.classList.toggle("chosen", chosen.length > 0);
      else button.setAttribute("aria-pressed", chosen.length > 0);
      const due = found.why ? chosen.map((entry) => draft.due(entry)).join(", ") : draft.due(found) || "free";
      Dom.say(price, `${offer.work || offer.first ? due : draft.price(offer.costs?.[draft.model.coin])}${again && chosen.length ? ` (${chosen.length} ordered)` : ""}`);
      Dom.say(effect, found.why || !draft.effect ? "" : draft.effect(offer, found.left).text);
    });
    return button;
  }

  /** An order that is filled in. */
  function filledIn(draft, offer) {
    const hold = Dom.make("div", { class: "filled card", role: "group", "aria-label": offer.text, "data-offer": offer.id },
      Dom.make("p", { class: "what" }, Dom.typed(offer.text), " ", Dom.make("span", { class: "soft" }, [draft.price(offer.costs?.[draft.model.coin]), offer.more].filter(Boolean).join(", "))));
    let isTouched = false; // what nobody touched holds what is suggested
    const controls = offer.fields.map((field) => [field, Fields.control(field, () => refresh(true))]);
    const why = Dom.make("p", { class: "soft why", role: "status" });
    const add = Dom.button("Order it", press, { class: "add" });
    hold.append(Dom.make("div", { class: "fields" }, ...controls.map(([, control]) => control.element)), add, why);
    const values = () => Object.fromEntries(controls.map(([field, control]) => [field.name, control.read()]).filter(([, value]) => !Filling.empty(value)));
    function refresh(isByHand = false) {
      isTouched ||= isByHand;
      const suggested = isTouched ? null : Fields.suggested(draft, offer);
      for (const [field, control] of controls) {
        control.refresh(suggested || values());
        if (suggested) control.write(suggested[field.name]);
      }
      const against = draft.objection(offer, values());
      add.setAttribute("aria-disabled", Boolean(against));
      const due = against || draft.due(Counting.objection(draft.model, draft.counted, { offer, values: values() }));
      Dom.say(why, due && Object.keys(values()).length ? `${against ? against[0].toUpperCase() + against.slice(1) : `Costs ${due}`}.` : "");
    }
    function press() {
      if (!Tray.order(draft, offer, values())) isTouched = false;
      refresh();
    }
    draft.listeners.push(() => {
      hold.hidden = Boolean(draft.tried(offer).why);
      refresh();
    });
    return hold;
  }

  return { render, within, folded, plain, filledIn, group, renderers };
})();
