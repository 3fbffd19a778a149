// The map: a hex that is pressed shows what may be ordered there. Arrow keys go from hex to hex, Enter opens one.

const Board = (() => {
  const FINGER = 44 / 70; // pixels for a unit of the map: a hex is 70 high there, and a finger needs 44
  const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

  function start(draft, picture, panel) {
    const groups = new Map([...picture.querySelectorAll("[data-hex]")].map((each) => [each.getAttribute("data-hex"), each]));
    if (!groups.size) return;
    const { thing, key, done, open: free, home } = draft.model.board;
    const offers = new Map();
    for (const offer of draft.offers) if (offer.at) offers.set(offer.at, [...(offers.get(offer.at) || []), offer]);
    const svg = picture.querySelector("svg");
    if (svg) {
      svg.setAttribute("role", "group");
      svg.setAttribute("aria-label", `Map: arrow keys go from ${thing} to ${thing}, Enter shows what may be ordered there`);
      if (home) svg.style.minWidth = `${FINGER * svg.viewBox.baseVal.width}px`;
    }
    const first = [home, ...offers.keys()].find((each) => groups.has(each)) || groups.keys().next().value;
    for (const [name, group] of groups) {
      group.setAttribute("tabindex", name === first ? "0" : "-1");
      group.setAttribute("role", "button");
      group.classList.add("hex");
    }
    const [[x, y], frame] = [middle(groups.get(first)), picture.getBoundingClientRect()];
    picture.scrollTo(x - frame.x - frame.width / 2, y - frame.y - frame.height / 2);
    const open = (name) => show(draft, panel, name, offers.get(name) || [], () => go(name));
    function go(name) {
      for (const each of groups.values()) each.setAttribute("tabindex", "-1");
      groups.get(name).setAttribute("tabindex", "0");
      groups.get(name).focus();
    }
    const pressed = (event) => event.target.closest("[data-hex]")?.getAttribute("data-hex");
    picture.addEventListener("click", (event) => pressed(event) && open(pressed(event)));
    picture.addEventListener("keydown", (event) => {
      const name = pressed(event);
      if (!name) return;
      if (event.key === "Enter" || event.key === " ") open(name);
      else if (STEPS[event.key]) walk(groups, name, STEPS[event.key], go);
      else return;
      event.preventDefault();
    });
    draft.listeners.push(() => {
      for (const [name, group] of groups) {
        const here = offers.get(name) || [];
        const claimed = here.some((offer) => offer.key === key && draft.of(offer).length);
        const open = here.some((offer) => offer.key === key && draft.possible(offer));
        group.classList.toggle("claimed", claimed);
        group.classList.toggle("claimable", open && !claimed);
        group.setAttribute("aria-label", `${name}, ${draft.model.places[name] || "unknown"}${claimed ? `, ${done}` : open ? `, ${free}` : ""}`);
      }
    });
  }

  /** To the nearest hex on the map in that direction; what lies aside of it is further. */
  function walk(groups, name, [across, down], go) {
    const [x, y] = middle(groups.get(name));
    const found = [...groups.entries()].map(([each, group]) => {
      const [right, under] = [middle(group)[0] - x, middle(group)[1] - y];
      const [along, aside] = across ? [right * across, Math.abs(under)] : [under * down, Math.abs(right)];
      return { each, far: along > 1 && aside < 2 * along ? along ** 2 + 2 * aside ** 2 : Infinity };
    });
    const nearest = found.reduce((one, other) => (other.far < one.far ? other : one));
    if (nearest.far < Infinity) go(nearest.each);
  }

  function middle(group) {
    const box = group.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  /** What may be ordered in a hex. */
  function show(draft, panel, name, offers, back) {
    const kept = draft.listeners.length;
    const list = Dom.make("div", { class: "offers" });
    const forms = [];
    for (const offer of offers) {
      if (offer.fields) forms.push(Sections.filledIn(draft, offer));
      else list.append(Sections.plain(draft, offer));
    }
    const refresh = draft.listeners.splice(kept);
    const picks = draft.pickers.filter(({ offer, field }) => draft.offers.includes(offer) && draft.possible(offer) && field.options.some((option) => option.value === name));
    if (picks.length) {
      forms.push(Dom.make("h4", {}, `Use ${name} in`), Dom.make("div", { class: "offers" }, ...picks.map(({ offer, field, put }) => {
        const button = Dom.button("", () => put(name), { class: "pick" });
        button.append(Dom.typed(offer.text), `: ${field.label.toLowerCase()}`);
        return button;
      })));
    }
    panel.refresh = () => refresh.forEach((each) => each());
    const none = Dom.make("p", { class: "soft" }, "Nothing may be ordered here now.");
    panel.replaceChildren(Dom.make("h3", { tabindex: "-1" }, `${name}, ${draft.model.places[name] || "unknown land"}`), list, ...forms, none,
      Dom.button("Back to the map", () => { panel.hidden = true; back(); }, { class: "back" }));
    panel.hidden = false;
    panel.refresh();
    none.hidden = Boolean(panel.querySelector(".offer:not([hidden]), .filled:not([hidden]), .pick"));
    panel.querySelector("h3").focus({ preventScroll: true });
    panel.scrollIntoView({ block: "nearest" });
  }

  return { start };
})();
