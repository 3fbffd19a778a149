// The castle in the order form: what may be ordered as things stand, in words, and the board as it stands.

Sequence.play((() => {
  const ARROWS = { N: "ArrowUp", E: "ArrowRight", S: "ArrowDown", W: "ArrowLeft" };
  const slot = (name) => `\u0001${name}\u0001`;
  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  const tileOf = (position, cell) => `${cell} (${position.of.tiles[cell]})`;

  /** The short form of an order. */
  function text(order) {
    if (order.lure) return `lure ${order.lure[0].toUpperCase()} ${order.cell}`;
    const words = [`move ${order.move[0].toUpperCase()} ${order.dir[0].toUpperCase()}`];
    if (order.exit) words.push(`exit ${order.exit}`);
    if (order.defeat) words.push(`defeat ${order.defeat}`);
    if (["recruit", "true", "yes"].includes(order.recruit)) words.push("recruit");
    return words.join(" ");
  }

  /** {position, told}: the position behind an order and what it does, in words; null where it is not allowed. */
  function after(position, order) {
    const found = Castle.after(position, order);
    return found && { position: found.position, told: order.lure ? `stands on ${found.to}` : told(found) };
  }

  function told({ to, did }) {
    const done = did.map(([word, thing]) => [word, thing].filter(Boolean).join(" "));
    return [to ? `to ${to}` : "out", ...done].join(", ");
  }

  const counts = (position) => ({ points: position.points, orders: position.orders });

  /** The musketeers and the supply, each with what may be ordered of it. */
  function groups(position) {
    const { suits } = position.of;
    const held = Object.keys(suits).filter((suit) => position.supply[suit]);
    return [...Object.keys(suits).map((suit) => musketeer(position, suit)), ...held.map((suit) => supply(position, suit))];
  }

  function musketeer(position, suit) {
    const name = `${capital(position.of.suits[suit])} musketeer`;
    if (!Castle.inside(position, suit)) return { id: suit, name: `${name}: ${position.pawns[suit]}`, about: "", offers: [] };
    const offers = Object.keys(position.of.sides).flatMap((side) => moves(position, suit, side));
    return { id: suit, name: `${name} on ${position.pawns[suit]}`, about: wanted(position, suit), offers };
  }

  function wanted(position, suit) {
    const tile = `${suit}${position.searched[suit] + 1}`;
    const cell = Object.keys(position.of.tiles).find((each) => position.of.tiles[each] === tile);
    return cell ? `Searches ${tile} on ${cell} next.` : "Has searched all his chambers: he escapes where no guard stands.";
  }

  /** What may be ordered of him in that direction; an offer with `why` is none. */
  function moves(position, suit, side) {
    const way = Castle.slide(position, suit, side);
    const [name, value] = [capital(position.of.sides[side]), { move: suit, dir: side }];
    const common = { id: text(value), text: name, arrow: ARROWS[side], value };
    if (!Castle.leads(position, way)) return [{ ...common, why: blocked(position, way) }];
    if (way.end === "tunnel") return [tunnel(position, suit, common)];
    const found = Castle.after(position, value);
    const grave = found.did.some(([word]) => word === "is killed");
    const ends = way.end === "out" ? "" : way.cells.at(-1);
    const own = way.end === "guard" && position.perimeter[way.at] === suit;
    const offers = [{ ...common, more: told(found) + (own ? `, the guard of ${position.of.suits[suit]} stays` : ""), ends, grave }];
    if (!Castle.recruitable(position, suit, way)) return offers;
    const order = { ...value, recruit: "recruit" };
    const { arrow, ...rest } = common;
    return [...offers, { ...rest, id: text(order), text: `${name}, recruit`, more: told(Castle.after(position, order)), value: order, ends }];
  }

  function blocked(position, way) {
    if (way.end === "shut") return "the hole is shut: all corners are taken";
    if (way.end === "guard") return "he stands beside the guard";
    const suit = Object.keys(position.pawns).find((each) => position.pawns[each] === way.at);
    return suit ? `the ${position.of.suits[suit]} musketeer is on ${way.at}` : `a castle guard is on ${way.at}`;
  }

  /** Through the tunnels: the corner, and the castle guard that is defeated. */
  function tunnel(position, suit, common) {
    const open = Castle.openCorners(position, "");
    const guards = Castle.removable(position, suit);
    const cleared = guards.filter((cell) => position.of.corners.includes(cell) && Castle.openCorners(position, cell).includes(cell));
    const options = [...open.map((cell) => ({ value: cell, text: tileOf(position, cell) })),
      ...cleared.map((cell) => ({ value: cell, text: tileOf(position, cell), when: { defeat: [cell] } }))];
    const fields = [{ name: "exit", label: "Exit", kind: "choice", options, value: open.length === 1 ? open[0] : undefined }];
    if (guards.length) {
      fields.unshift({ name: "defeat", label: "Defeat", kind: "choice", none: "nobody", options: guards.map((cell) => ({ value: cell, text: tileOf(position, cell) })) });
    }
    const value = { ...common.value, exit: slot("exit"), ...(guards.length ? { defeat: slot("defeat") } : {}) };
    return { ...common, more: "through the tunnels", fields, value, ends: position.of.hole };
  }

  function supply(position, suit) {
    const [count, name, cells] = [position.supply[suit], position.of.suits[suit], Castle.lurable(position, suit)];
    const offers = cells.map((cell) => ({ id: `lure ${suit} ${cell}`, text: tileOf(position, cell), value: { lure: suit, cell }, ends: cell }));
    const about = cells.length ? `Lure one to an empty tile of ${name}:` : `No tile of ${name} is empty now.`;
    return { id: `lure ${suit}`, name: `Supply: ${count} ${count === 1 ? "guard" : "guards"} of ${name}`, about, offers, small: true };
  }

  /** The board in words, line by line. */
  function words(position) {
    const { of } = position;
    const cells = Object.keys(of.tiles);
    const rows = [...new Set(cells.map((cell) => cell[1]))];
    const tiles = rows.map((row) => `Row ${row}: ${cells.filter((cell) => cell[1] === row).map((cell) => `${cell} ${of.tiles[cell]}`).join(", ")}.`);
    const posts = Object.keys(of.sides).map((side) => {
      const found = Object.keys(position.perimeter).filter((post) => post.endsWith(side)).sort();
      return `Guards ${of.sides[side]}: ${found.map((post) => `${post.slice(0, 2)} ${of.suits[position.perimeter[post]]}`).join(", ") || "none"}.`;
    });
    const castle = position.castle.map((cell) => `${cell} ${of.suits[of.tiles[cell][0]]}`).join(", ");
    return [...tiles, ...posts, `Castle guards: ${castle || "none"}.`];
  }

  /** Put the pieces of the picture where they stand. */
  function show(position, picture) {
    const shown = (element, is) => (is ? element.removeAttribute("display") : element.setAttribute("display", "none"));
    const shifts = new Map([...picture.querySelectorAll("[data-cell]")].map((tile) => [tile.dataset.cell, tile.dataset.shift]));
    for (const pawn of picture.querySelectorAll("[data-piece]")) {
      const shift = shifts.get(position.pawns[pawn.dataset.piece]);
      shown(pawn, shift);
      if (shift) pawn.setAttribute("transform", `translate(${shift})`);
    }
    for (const guard of picture.querySelectorAll("[data-guard]")) {
      const at = guard.dataset.guard;
      shown(guard, Object.hasOwn(position.perimeter, at) || position.castle.includes(at));
    }
    for (const tile of picture.querySelectorAll("[data-cell]")) {
      const of = position.of.tiles[tile.dataset.cell];
      if (!of) continue;
      const [rank, done] = [Number(of[1]), position.searched[of[0]]];
      tile.classList.toggle("done", rank > 0 && rank <= done);
      tile.classList.toggle("next", rank === done + 1);
    }
  }

  return { start: Castle.start, after, text, counts, groups, words, show };
})());
