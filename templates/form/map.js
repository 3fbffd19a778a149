// The map: a hex that is pressed shows what may be ordered there. Arrow keys go from hex to hex, Enter opens one.

const Board = (() => {
  const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

  function start(draft, picture) {
    const groups = new Map([...picture.querySelectorAll("[data-hex]")].map((each) => [each.getAttribute("data-hex"), each]));
    if (!groups.size) return () => {};
    Sheet.start(draft);
    const { thing, key, done, open: free, home } = draft.model.board;
    const offers = new Map();
    for (const offer of draft.offers) if (offer.at) offers.set(offer.at, [...(offers.get(offer.at) || []), offer]);
    const svg = picture.querySelector("svg");
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", `Map: arrow keys go from ${thing} to ${thing}, Enter shows what may be ordered there`);
    const first = [home, ...offers.keys()].find((each) => groups.has(each)) || groups.keys().next().value;
    for (const group of groups.values()) group.setAttribute("role", "button");
    const tabStopsAt = (name) => groups.forEach((group, each) => group.setAttribute("tabindex", each === name ? "0" : "-1"));
    /** Bring a hex into view, above the sheet where that lies over the map. */
    function show(hex) {
      const [sheet, over] = [document.getElementById("hex").getBoundingClientRect(), picture.getBoundingClientRect()];
      if (sheet.left >= over.right) return;
      scrollBy(0, over.top - 52); // below the bar
      const top = picture.getBoundingClientRect().top;
      if (middle(hex)[1] > sheet.top - 40 || middle(hex)[1] < top) center(hex, sheet.top - top);
    }
    /** Scroll the map so that a hex stands in the middle of its uppermost pixels, so many. */
    function center(hex, height) {
      const [[x, y], frame] = [middle(hex), picture.getBoundingClientRect()];
      picture.scrollBy(x - frame.x - frame.width / 2, y - frame.y - height / 2);
    }
    const open = (name) => {
      Sheet.open(draft, (inside) => fill(draft, name, offers.get(name) || [], inside), () => go(name));
      show(groups.get(name));
    };
    function go(name) {
      tabStopsAt(name);
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
        const open = here.some((offer) => offer.key === key && !draft.tried(offer).why);
        group.classList.toggle("claimed", claimed);
        group.classList.toggle("claimable", open && !claimed);
        group.setAttribute("aria-label", `${name}, ${draft.model.places[name] || "unknown"}${claimed ? `, ${done}` : open ? `, ${free}` : ""}`);
      }
    });
    tabStopsAt(first);
    return () => center(groups.get(first), picture.clientHeight); // called when all else stands, as it makes the browser lay the page out
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

  /** What may be ordered in a hex: first of the parts that stand there, then of the hex. */
  function fill(draft, name, offers, inside) {
    inside.append(Dom.make("h3", { tabindex: "-1", id: "hex-title" }, `${name}, ${draft.model.places[name] || "unknown land"}`));
    const parts = draft.model.sections.flatMap((section) => section.parts).filter((part) => part.at === name);
    for (const part of parts) inside.append(Sections.within(draft, part, Dom.make("div", {}, Dom.make("h4", {}, Dom.typed(part.title)))));
    const [barred, none, goes] = [Dom.make("div", {}), Dom.make("p", { class: "soft" }, "Nothing may be ordered here now."), Dom.make("div", { class: "offers" })];
    inside.append(Sections.group(draft, "", offers), barred, goes, none);
    const picks = draft.offers.flatMap((offer) => (offer.fields || []).filter((field) => field.on_map && field.options.some((option) => option.value === name))
      .map((field) => ({ [field.name]: field.kind === "choice" ? name : [name] })) // other kinds of fields hold lists
      .flatMap((here) => [{}, offer.also?.[name] || []].flat().map((more) => pick(draft, offer, { ...offer.also?.[name], ...here }, { ...here, ...more }))));
    goes.append(...picks.map(({ button }) => button)); // what goes there
    draft.listeners.push(Dom.roving(goes), () => {
      const short = offers.filter((offer) => !draft.of(offer).length).map((offer) => [offer.text, draft.tried(offer)]).filter(([, found]) => found.short);
      const busy = picks.filter(({ offer }) => picks.every((other) => other.offer !== offer || other.why)); // that can't go there in any way
      const lines = [...short.map(([text, { why }]) => `${text}: ${why}`), ...busy.map(({ offer, why }) => `${offer.text}: ${why}`)];
      barred.replaceChildren(...[...new Set(lines)].map((line) => Dom.make("p", { class: "closed" }, line)));
      none.hidden = Boolean(inside.querySelector(".offer:not([hidden]), .filled:not([hidden]), .row, .closed"));
    });
  }

  /** A button that orders what is filled in by a press on a hex, or takes it back. told: the fields by which it is that order. */
  function pick(draft, offer, told, given) {
    const chosen = () => draft.of(offer).find(({ values }) => Object.keys(told).every((field) => `${values[field]}` === `${given[field]}`));
    const values = () => Fields.suggested(draft, offer, given);
    const press = () => (chosen() ? Tray.back(draft, chosen()) : Tray.order(draft, offer, values()));
    const [button, words] = [Dom.button("", press, { class: "offer", "data-offer": offer.id }), Dom.make("span", {})];
    const made = { button, offer, why: "" }; // why: why it can't be ordered
    button.append(words, Dom.make("span", { class: "soft more" }, offer.more || ""));
    draft.listeners.push(() => {
      const entry = chosen() || { offer, values: values() };
      made.why = chosen() ? "" : draft.objection(offer, entry.values);
      button.hidden = Boolean(made.why);
      button.setAttribute("aria-pressed", Boolean(chosen()));
      Dom.say(words, `${Tray.wordsOf(entry)} ${button.hidden ? "" : draft.due(chosen() || Counting.objection(draft.model, draft.counted, entry))}`);
    });
    return made;
  }

  return { start };
})();

// The sheet: what belongs to something pressed, from below on a phone, beside the map on a desk. Back and Escape close it.
const Sheet = (() => {
  const at = (id) => document.getElementById(id);
  let [refresh, leave] = [[], () => {}]; // leave: takes the keyboard back to where the sheet was opened

  function start(draft) {
    draft.listeners.push(() => refresh.forEach((each) => each()));
    document.addEventListener("keydown", (event) => event.key === "Escape" && close());
    addEventListener("popstate", close);
    at("hex-close").addEventListener("click", close);
  }

  /** Show what `fill` puts into the sheet. back: called when it is closed. */
  function open(draft, fill, back) {
    const inside = Dom.make("div", {});
    refresh = draft.gathered(() => fill(inside));
    leave = back;
    at("hex-inside").replaceChildren(inside);
    if (at("hex").hidden) history.pushState({ sheet: true }, "");
    at("hex").hidden = false;
    refresh.forEach((each) => each());
    at("hex").scrollTop = 0;
    inside.querySelector("h3").focus({ preventScroll: true });
  }

  /** Close it, and take back the step in the history that it was. */
  function close(event) {
    if (at("hex")?.hidden !== false) return;
    const held = at("hex").contains(document.activeElement);
    at("hex").hidden = true;
    refresh = [];
    if (held) leave();
    if (event?.type !== "popstate" && history.state?.sheet) history.back();
  }

  return { start, open, close };
})();
