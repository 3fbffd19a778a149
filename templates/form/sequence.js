// Orders that are carried out one after the other: each is offered as things stand behind those that were chosen before it.
//
// How things stand only the game's own script can tell. It gives Sequence.play
//   start(data)              -> the position before the first order; what a position is, it alone knows, and it changes none
//   after(position, order)   -> {position, told}: behind the order and what it does, in words; null where it is not allowed
//   text(order)              -> the order in short form, which stands in the file
//   counts(position)         -> counter -> amount
//   groups(position)         -> [{id, name, about, offers, small?}], an offer being {id, text, value} and `more`, what it does;
//                               `fields`, filled in where `value` has slots; `arrow`, the key that orders it on the piece of
//                               that group; `ends`, the cell where it ends; `grave`, to be thought over; `why`, it is not possible
//   words(position)          -> the board, line by line
//   show(position, picture)  -> nothing: the picture's pieces ([data-piece], a group's id) and cells ([data-cell]) as they stand

const Sequence = (() => {
  let game = null;
  const play = (given) => { game = given; };
  const groups = (position) => game.groups(position);
  const NARROW = "(max-width: 62rem)"; // here one group alone is open

  const parts = (model) => model.sections.flatMap((section) => section.parts);

  /** The part of the model that is a sequence, undefined where there is none. */
  const of = (model) => parts(model).find((part) => part.kind === "sequence");

  /** The position before any order, null in a game that has none. */
  function start(model) {
    const part = of(model);
    if (!part) return null;
    part.first = part.first || game.start(part.data);
    return part.first;
  }

  /** Why the order of an entry is not possible in this state, "" where it is; the state is then the one behind it. */
  function enter(state, entry) {
    if (entry.from !== state.position) {
      entry.from = state.position;
      entry.found = game.after(state.position, entry.offer.order);
    }
    if (!entry.found) return "it is not possible any more";
    state.position = entry.found.position;
    Object.assign(state.left, game.counts(state.position));
    return "";
  }

  /** An order as an entry behind those before it, null where it is not allowed there. */
  function entryOf(draft, order, number) {
    const { key } = draft.sequence;
    const found = game.after(draft.counted.state.position, order);
    if (!found) return null;
    const value = game.text(order);
    return { offer: { id: value, rank: 0, key, how: "list", value, text: `${number}. ${value}`, told: found.told, order }, values: {} };
  }

  // --- the section

  function render(draft, part) {
    const [map, list] = [document.getElementById("map"), Dom.make("div", { class: "possible" })];
    const lines = Dom.make("div", {});
    const back = Dom.button("Take back the last order", () => Tray.back(draft, draft.followed().at(-1)), { class: "last" });
    map.closest("section").hidden = true; // the board stands beside what may be ordered
    map.setAttribute("aria-label", "The board. On a piece: arrow keys order a move, Enter shows what may be ordered");
    map.querySelector("svg").setAttribute("role", "presentation");
    const view = { draft, map, list, held: "", groups: [], shut: new Set(), first: true };
    pressed(view);
    draft.listeners.push(() => {
      const { position } = draft.counted.state;
      back.hidden = !draft.followed().length;
      lines.replaceChildren(...game.words(position).map((line) => Dom.make("p", {}, line)));
      game.show(position, map);
      shown(view, position);
    });
    const words = Dom.make("details", {}, Dom.make("summary", {}, "The board in words"), lines);
    return Dom.make("div", { class: "sequence" }, Dom.make("div", { class: "board" }, map, back, words), list);
  }

  /** What may be ordered now; the focus stays where it was. */
  function shown(view, position) {
    const { draft, list } = view;
    view.groups = draft.followable() ? groups(position) : [];
    if (view.first && window.matchMedia(NARROW).matches) view.groups.slice(1).forEach((group) => view.shut.add(group.id));
    view.first = false;
    const focused = list.contains(document.activeElement) ? document.activeElement : null;
    const at = focused && [focused.closest("[data-order]")?.dataset.order, focused.closest("[data-group]").dataset.group];
    list.replaceChildren(...view.groups.map((group) => groupOf(view, group)));
    if (!view.groups.length) list.append(Dom.make("p", { class: "mark" }, stopped(draft)));
    if (at) (list.querySelector(`[data-order="${at[0]}"] button, button[data-order="${at[0]}"]`) || list.querySelector(`[data-group="${at[1]}"] summary`) || list.querySelector("summary"))?.focus();
    for (const piece of view.map.querySelectorAll("[data-piece]")) {
      const group = view.groups.find((each) => each.id === piece.dataset.piece);
      piece.setAttribute("aria-label", group ? group.name : piece.dataset.piece);
    }
    light(view);
  }

  const stopped = (draft) => draft.entries.some((entry) => draft.isOwn(entry))
    ? "Behind a line of your own only the program can tell how things stand. Take it back to go on here."
    : "No more orders go into one file.";

  function groupOf(view, group) {
    const hold = Dom.make("details", { class: "card group", "data-group": group.id }, Dom.make("summary", {}, group.name),
      group.about ? Dom.said("p", { class: "soft" }, group.about) : null);
    hold.open = !view.shut.has(group.id);
    hold.addEventListener("toggle", () => (hold.open ? view.shut.delete(group.id) : view.shut.add(group.id)));
    for (const name of ["focusin", "click"]) hold.addEventListener(name, () => grasp(view, group.id));
    const simple = Dom.make("div", { class: group.small ? "offers small" : "offers" });
    hold.append(simple);
    for (const offer of group.offers) (offer.fields ? hold : simple).append(offer.fields ? filledIn(view, offer) : plain(view, offer));
    return hold;
  }

  function plain(view, offer) {
    const button = Dom.button("", () => order(view, offer, offer.value), { class: offer.grave ? "offer grave" : "offer", "data-order": offer.id });
    if (offer.why) button.setAttribute("aria-disabled", "true");
    const said = offer.why || offer.more;
    button.append(offer.text, said ? Dom.make("span", { class: "soft more" }, said) : "");
    return button;
  }

  function filledIn(view, offer) {
    const hold = Dom.make("div", { class: "filled", role: "group", "aria-label": `${offer.text}, ${offer.more}`, "data-order": offer.id },
      Dom.make("p", { class: "what" }, offer.text, ": ", Dom.make("span", { class: "soft" }, offer.more)));
    const controls = offer.fields.map((field) => [field, Fields.control(field, refresh)]);
    const values = () => Object.fromEntries(controls.map(([field, control]) => [field.name, control.read()]).filter(([, value]) => !Filling.empty(value)));
    const add = Dom.button("Order it", press, { class: "add" });
    function refresh() {
      for (const [, control] of controls) control.refresh(values());
      add.setAttribute("aria-disabled", Boolean(Fields.objection(offer, values())));
    }
    function press() {
      const against = Fields.objection(offer, values());
      if (against) Tray.tell(`Not ordered: ${against}.`);
      else order(view, offer, Filling.filled(offer.value, values()));
    }
    hold.append(Dom.make("div", { class: "fields" }, ...controls.map(([, control]) => control.element), add));
    refresh();
    for (const [field, control] of controls) if (field.value !== undefined) control.write(field.value);
    refresh();
    return hold;
  }

  function order(view, offer, value) {
    if (offer.why) return Tray.tell(`Not possible: ${offer.text.toLowerCase()}, ${offer.why}.`);
    const entry = view.draft.follow(value);
    return Tray.tell(entry ? `Ordered: ${entry.offer.text}: ${entry.offer.told}.` : "Not possible now.");
  }

  // --- the board

  /** A press on a piece shows what may be ordered of it, one on a cell that is lit orders it; arrow keys move the piece. */
  function pressed(view) {
    for (const piece of view.map.querySelectorAll("[data-piece]")) {
      piece.setAttribute("tabindex", "0");
      piece.setAttribute("role", "button");
    }
    view.map.addEventListener("click", (event) => {
      const piece = event.target.closest("[data-piece]");
      const cell = event.target.closest("[data-cell]");
      if (piece) open(view, piece.dataset.piece, false);
      else if (cell && cell.classList.contains("lit")) chosen(view, (offer) => offer.ends === cell.dataset.cell);
    });
    view.map.addEventListener("keydown", (event) => {
      const piece = event.target.closest("[data-piece]");
      if (!piece) return;
      if (event.key.startsWith("Arrow")) {
        grasp(view, piece.dataset.piece);
        chosen(view, (offer) => offer.arrow === event.key);
      } else if (event.key === "Enter" || event.key === " ") open(view, piece.dataset.piece, true);
      else return;
      event.preventDefault();
    });
  }

  /** Order the first of the held group's offers that is meant, or go to where it is filled in. */
  function chosen(view, meant) {
    const group = view.groups.find((each) => each.id === view.held);
    const offer = group && group.offers.find(meant);
    if (!offer) return;
    if (!offer.fields) order(view, offer, offer.value);
    else {
      open(view, group.id, false);
      view.list.querySelector(`[data-order="${offer.id}"] select`).focus();
      Tray.tell(`${offer.text}, ${offer.more}: choose and order it.`);
    }
  }

  /** Unfold a group and show where its orders end; where there is little room the others are folded. */
  function open(view, id, focus) {
    for (const hold of view.list.querySelectorAll("[data-group]")) {
      if (hold.dataset.group === id) hold.open = true;
      else if (window.matchMedia(NARROW).matches) hold.open = false;
    }
    grasp(view, id);
    if (focus) view.list.querySelector(`[data-group="${id}"] summary`)?.focus();
  }

  function grasp(view, id) {
    view.held = id;
    light(view);
  }

  function light(view) {
    const group = view.groups.find((each) => each.id === view.held);
    const ends = new Set(group ? group.offers.filter((offer) => !offer.why).map((offer) => offer.ends) : []);
    for (const cell of view.map.querySelectorAll("[data-cell]")) cell.classList.toggle("lit", ends.has(cell.dataset.cell));
    for (const piece of view.map.querySelectorAll("[data-piece]")) piece.classList.toggle("held", piece.dataset.piece === view.held);
  }

  return { play, of, start, enter, entryOf, groups, render };
})();
