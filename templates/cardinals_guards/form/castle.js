// The castle followed order by order: how far a musketeer slides, what that does, and what is not allowed, as orders/moves.py
// has it; a test holds it to that. The figures and alternatives of the rules come in as data.
//
// A position is {of, pawns, searched, perimeter, castle, supply, points, orders}, `of` being the data of kingdom/games/
// cardinals_guards/orders; it is never changed. An order is a record of the orders file: {move, dir, exit?, defeat?, recruit?}
// or {lure, cell}.

const Castle = (() => {
  const letter = (word) => word[0].toUpperCase();
  const free = (position, cell) => !position.castle.includes(cell) && !Object.values(position.pawns).includes(cell);
  const freeCorners = (position) => position.of.corners.filter((corner) => free(position, corner));
  const without = (castle, cell) => castle.filter((each) => each !== cell);
  const more = (counts, name, by) => ({ ...counts, [name]: counts[name] + by });

  const start = (data) => ({ of: data, ...data.board });

  /** Whether he is in the castle still. */
  const inside = (position, suit) => Object.hasOwn(position.of.ways, position.pawns[suit]);

  /** {cells, end, at}: the cells that he comes over, and what ends the move: a piece on `at`, the guard at `at`, nothing, the tunnels, a shut hole. */
  function slide(position, suit, side) {
    const from = position.pawns[suit];
    const cells = [];
    for (const cell of position.of.ways[from][side]) {
      if (cell === position.of.hole) return { cells, end: freeCorners(position).length ? "tunnel" : "shut", at: cell };
      if (!free(position, cell)) return { cells, end: "piece", at: cell };
      cells.push(cell);
    }
    const at = `${cells.at(-1) || from}${side}`;
    return { cells, end: Object.hasOwn(position.perimeter, at) ? "guard" : "out", at };
  }

  /** Whether it is a move at all. */
  const leads = (position, way) =>
    way.cells.length > 0 || ["out", "tunnel"].includes(way.end) || (way.end === "guard" && position.of.rules.zero_length);

  /** The corners where he can come out who defeats the castle guard on that cell, "" for none. */
  const openCorners = (position, defeat) =>
    freeCorners(position.of.rules.before_choosing ? { ...position, castle: without(position.castle, defeat) } : position);

  /** The castle guards that he may defeat through the tunnels. */
  const removable = (position, suit) =>
    position.castle.filter((cell) => !position.of.rules.own_suit_removal || position.of.tiles[cell][0] === suit);

  /** Whether the guard that ends the move may be recruited. */
  const recruitable = (position, suit, way) =>
    !position.of.rules.no_recruiting && way.end === "guard" && position.perimeter[way.at] === suit && !position.supply[suit];

  /** The empty tiles of a suit. */
  const lurable = (position, suit) =>
    Object.keys(position.of.tiles).filter((cell) => position.of.tiles[cell][0] === suit && free(position, cell));

  /** {position, to, did}: the position behind the order, where it ends and what it did, [word, thing] each; null where it is not allowed. */
  function after(position, order) {
    const counted = { ...position, orders: position.orders + 1 };
    return order.lure ? lured(counted, letter(order.lure), order.cell) : moved(counted, order);
  }

  function lured(position, suit, cell) {
    if (!position.supply[suit] || !lurable(position, suit).includes(cell)) return null;
    const castle = [...position.castle, cell].sort();
    return { position: { ...position, castle, supply: more(position.supply, suit, -1) }, to: cell, did: [] };
  }

  function moved(position, order) {
    const [suit, side] = [letter(order.move), letter(order.dir)];
    const recruit = ["recruit", "true", "yes"].includes(order.recruit);
    const way = inside(position, suit) ? slide(position, suit, side) : null;
    if (!way || !leads(position, way) || (recruit && !recruitable(position, suit, way))) return null;
    const did = [];
    if (way.end === "tunnel") {
      const to = corner(position, suit, order);
      if (!to) return null;
      const there = come(position, suit, way, to, did);
      return { position: order.defeat ? removed(there, order.defeat, did) : there, to, did };
    }
    if (order.exit || order.defeat) return null;
    if (way.end === "out") return { position: out(come(position, suit, way, "", did), suit, did), to: "", did };
    const to = way.cells.at(-1) || position.pawns[suit];
    const there = come(position, suit, way, to, did);
    return { position: way.end === "guard" ? met(there, way.at, suit, recruit, did) : there, to, did };
  }

  /** The corner where he comes out, "" where the order is not allowed. */
  function corner(position, suit, order) {
    if (order.defeat && !removable(position, suit).includes(order.defeat)) return "";
    const open = openCorners(position, order.defeat);
    if (!order.exit) return open.length === 1 ? open[0] : "";
    return open.includes(order.exit) ? order.exit : "";
  }

  /** He comes over the cells of the way to where he stops; "": he is outside then. */
  function come(position, suit, way, to, did) {
    let now = position;
    for (const cell of [...(position.of.rules.pass_through_counts ? way.cells : []), to]) {
      const tile = `${suit}${now.searched[suit] + 1}`;
      if (!cell || now.of.tiles[cell] !== tile) continue;
      now = { ...now, searched: more(now.searched, suit, 1), points: now.points + now.of.worth.chamber };
      did.push(["searches", tile]);
    }
    return to ? { ...now, pawns: { ...now.pawns, [suit]: to } } : now;
  }

  function met(position, post, suit, recruit, did) {
    const { [post]: guard, ...perimeter } = position.perimeter;
    if (guard === suit && !recruit) return position;
    did.push([guard === suit ? "recruits" : "defeats", position.of.suits[guard]]);
    if (guard === suit) return { ...position, perimeter, supply: more(position.supply, suit, 1) };
    return { ...position, perimeter, points: position.points + position.of.worth.guard };
  }

  function removed(position, cell, did) {
    did.push(["defeats", `${position.of.suits[position.of.tiles[cell][0]]} on ${cell}`]);
    return { ...position, castle: without(position.castle, cell), points: position.points + position.of.worth.guard };
  }

  function out(position, suit, did) {
    const away = position.searched[suit] === position.of.chambers;
    did.push(away ? ["escapes", ""] : ["is killed", ""]);
    const points = position.points + (away ? position.of.worth.escaped : 0);
    return { ...position, points, pawns: { ...position.pawns, [suit]: away ? "escaped" : "killed" } };
  }

  return { start, after, slide, leads, inside, openCorners, removable, recruitable, lurable };
})();
