// Offers of which one is chosen, or none of them: levels, answers.

const Choice = (() => {
  /** One of several, or none of them. */
  function render(draft, part) {
    const name = Dom.id();
    const radios = [];
    const row = (offer, text, more) => {
      const id = Dom.id();
      const radio = Dom.make("input", { type: "radio", name, id, onchange: () => choose(offer), "data-offer": offer ? offer.id : null });
      const effect = Dom.make("span", { class: "effect" });
      const line = Dom.make("div", { class: "tick" }, radio, Dom.make("label", { for: id }, Dom.typed(text), more ? Dom.make("span", { class: "soft" }, ` ${more}`) : "", effect));
      radios.push([offer, radio, line, effect]);
      return line;
    };
    const rows = part.offers.map((offer) => row(offer, offer.text, [draft.price(offer.costs?.[draft.model.coin]), offer.more].filter(Boolean).join(", ")));
    rows.splice(part.none.place || 0, 0, row(null, part.none.text, part.none.more));
    function choose(offer) {
      for (const each of part.offers) for (const entry of draft.of(each)) draft.remove(entry);
      const against = offer ? draft.add(offer) : "";
      Tray.tell(against ? `Not possible now: ${against}.` : `${part.title}: ${offer ? offer.text : part.none.text}.`);
      draft.changed();
    }
    draft.listeners.push(() => {
      const chosen = part.offers.find((offer) => draft.of(offer).length);
      const others = chosen ? Counting.count(draft.model, draft.entries.filter((entry) => !part.offers.includes(entry.offer))) : draft.counted;
      for (const [offer, radio, line, effect] of radios) {
        const found = offer ? Counting.objection(draft.model, others, { offer, values: {} }) : { why: "", left: others.state.left };
        radio.checked = offer === (chosen || null);
        line.hidden = Boolean(offer) && offer !== chosen && Boolean(offer.aside || draft.barred(offer) || found.why);
        Dom.say(effect, radio.checked || found.why || !draft.effect ? "" : draft.effect(offer, found.left).text);
      }
    });
    return Dom.make("fieldset", { class: "card" }, Dom.make("legend", {}, part.title), part.about ? Dom.said("p", { class: "soft" }, part.about) : null, ...rows);
  }

  return { render };
})();
