"use strict";
// The entries lie beside their table as columns: numbers, or words that stand once with the word's place in every row.
const ROWS = 100; // that are shown at once
const data = document.getElementById("data");
const section = document.getElementById("entries");
const body = section.querySelector("tbody");
const heads = [...section.querySelectorAll("thead th")];
const columns = JSON.parse(data.textContent);
const names = columns.map(column => column.name);
const column = Object.fromEntries(columns.map(each => [each.name, each]));
const worded = each => !["turn", "delta", "balance"].includes(each.name);
const said = (each, word) => each.said.length ? each.said[word] : each.name === "detail" ? each.words[word] : each.words[word].replaceAll("_", " ");
const wanted = new Map(); // what is filtered -> whether a row will do
let rows = [], start = 0, sorted = -1, down = false, older = data.dataset.older;

const make = (tag, text, settings) => Object.assign(document.createElement(tag), text === undefined ? {} : { textContent: text }, settings);
const filters = make("div", undefined, { className: "filters" });
const status = make("p", "", { className: "pages" });
status.setAttribute("role", "status");
const pages = make("div", undefined, { className: "pages" });
const back = make("button", "Entries before", { className: "step", type: "button" });
const on = make("button", "Entries after", { className: "step", type: "button" });
const all = make("button", "Show all entries", { className: "step", type: "button" });
const more = make("button", "Bring in the older entries", { className: "step", type: "button" });
pages.append(back, on, all, more);
section.querySelector(".tools").append(filters, status, pages);

// --- filters

const fields = {};
function labelled(text, field) {
  field.id = `entries-${text.replace(" ", "-")}`;
  const pair = make("div", undefined, { className: "filter" });
  pair.append(make("label", text, { htmlFor: field.id }), field);
  filters.append(pair);
  fields[text] = field;
  return field;
}
for (const name of ["kingdom", "account", "cause"]) labelled(name, make("select")).addEventListener("change", filter);
for (const name of ["from turn", "to turn"]) labelled(name, make("input", undefined, { type: "number", min: 0 })).addEventListener("input", filter);
labelled("detail holds", make("input", undefined, { type: "search" })).addEventListener("input", filter);

function offer() { // the words that may be chosen
  for (const name of ["kingdom", "account", "cause"]) {
    const each = column[name], field = fields[name], chosen = field.value;
    const options = each.words.map((word, at) => make("option", said(each, at), { value: word }));
    options.sort((one, other) => one.textContent.localeCompare(other.textContent));
    field.replaceChildren(make("option", "all", { value: "" }), ...options);
    field.value = chosen;
  }
}

function filter() {
  const tests = [];
  for (const name of ["kingdom", "account", "cause"]) {
    const each = column[name], word = fields[name].value;
    if (word !== "") tests.push((at => row => each.rows[row] === at)(each.words.indexOf(word)));
  }
  const low = fields["from turn"].value, high = fields["to turn"].value, turns = column.turn.rows;
  if (low !== "") tests.push(row => turns[row] >= +low);
  if (high !== "") tests.push(row => turns[row] <= +high);
  const typed = fields["detail holds"].value.toLowerCase();
  if (typed) {
    const fits = column.detail.words.map(word => word.toLowerCase().includes(typed));
    tests.push(row => fits[column.detail.rows[row]]);
  }
  rows = [];
  for (let row = 0; row < turns.length; row++) if (tests.every(test => test(row))) rows.push(row);
  if (sorted >= 0) {
    const each = columns[sorted];
    const order = worded(each) ? each.words.map((_, at) => at).sort((one, other) => said(each, one).localeCompare(said(each, other))) : [];
    const place = [];
    order.forEach((word, at) => { place[word] = at; });
    const key = row => worded(each) ? place[each.rows[row]] : each.rows[row];
    rows.sort((one, other) => (key(one) - key(other)) * (down ? -1 : 1) || one - other);
  }
  all.hidden = !tests.length;
  start = 0;
  show();
}

heads.forEach((head, at) => {
  const button = make("button", head.textContent, { type: "button" });
  head.replaceChildren(button);
  button.addEventListener("click", () => {
    down = sorted === at ? !down : !worded(columns[at]);
    sorted = at;
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    filter();
  });
});

// --- rows

// Points of different accounts are never added together.
function sum() {
  const accounts = column.account.rows;
  if (!rows.length || rows.some(row => accounts[row] !== accounts[rows[0]])) return "";
  const total = rows.reduce((before, row) => before + column.delta.rows[row], 0);
  return `; together ${total > 0 ? "+" : ""}${total} ${said(column.account, accounts[rows[0]])}`;
}

function show() {
  const end = Math.min(start + ROWS, rows.length), count = column.turn.rows.length;
  body.replaceChildren(...rows.slice(start, end).map(row => {
    const line = make("tr");
    columns.forEach((each, at) => {
      const cell = make("td", undefined, { className: each.head });
      const number = each.rows[row];
      cell.append(make("bdi", worded(each) ? said(each, number) : each.name === "delta" && number > 0 ? `+${number}` : number));
      line.append(cell);
    });
    return line;
  }));
  const those = rows.length === count ? "" : ` that fit, out of ${count}`;
  status.textContent = rows.length ? `Entries ${start + 1} to ${end} of ${rows.length}${those}${sum()}` : `No entry fits, out of ${count}`;
  back.disabled = start === 0;
  on.disabled = end === rows.length;
  back.hidden = on.hidden = rows.length <= ROWS;
  more.hidden = !older;
}
back.addEventListener("click", () => { start = Math.max(0, start - ROWS); show(); });
on.addEventListener("click", () => { start += ROWS; show(); });
all.addEventListener("click", () => leave({}));

// --- older entries, in the file beside the page

function olderEntries(added) { // called by that file
  added.forEach((from, at) => {
    const to = columns[at];
    const moved = worded(to) ? from.words.map((word, place) => {
      const known = to.words.indexOf(word);
      if (known >= 0) return known;
      if (to.said.length || from.said.length) to.said[to.words.length] = from.said.length ? from.said[place] : word;
      return to.words.push(word) - 1;
    }) : [];
    for (const value of from.rows) to.rows.push(worded(to) ? moved[value] : value);
  });
  older = "";
  document.getElementById("older").hidden = true;
  offer();
  filter();
}
function bring() {
  const script = make("script", undefined, { src: older });
  script.addEventListener("error", () => { document.getElementById("older").append(make("strong", " That file is not there, so these are the newest entries alone.")); });
  document.head.append(script);
  older = "";
}
more.addEventListener("click", () => { bring(); show(); });

// --- what is pressed leaves its entries

function leave(chosen) {
  if (chosen.turns && older && +chosen.turns.split("-")[0] <= column.turn.rows.at(-1)) bring();
  const [from, to] = (chosen.turns || "").split("-");
  const values = { kingdom: chosen.kingdom, account: chosen.account, cause: chosen.cause, "from turn": from, "to turn": to || from, "detail holds": "" };
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name];
    if (value && field.options && ![...field.options].some(option => option.value === value)) field.append(make("option", value, { value })); // it is on its way
    field.value = value || "";
  }
  filter();
}

// The figure after each turn, read from the line itself.
function course(path) {
  const found = new Map();
  for (const part of path.getAttribute("d").split("M").slice(1)) {
    const [turn, value, , ...steps] = part.match(/-?\d+/g).map(Number);
    let x = turn, y = value;
    found.set(x, -y);
    for (let at = 0; at < steps.length; at += 2) found.set(x += steps[at], -(y += steps[at + 1]));
  }
  return found;
}
function pointed(plot, event) { // the turn that the pointer is at
  const box = plot.getBoundingClientRect(), [first, last] = data.dataset.turns.split("-").map(Number);
  const turn = Math.round(first + (last - first) * Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
  const values = course(document.getElementById(plot.querySelector("use:last-child").getAttribute("href").slice(1)));
  return values.has(turn) ? { turn, value: values.get(turn) } : null;
}
document.addEventListener("pointermove", event => {
  const plot = event.target.closest?.(".plot");
  const there = plot && pointed(plot, event);
  if (plot) plot.querySelector(".at").textContent = there ? `turn ${there.turn}: ${there.value}` : "";
});
document.addEventListener("click", event => {
  const link = event.target.closest('a[href="#entries"]');
  if (!link || link.closest("nav")) return;
  const there = link.matches(".plot") && event.detail ? pointed(link, event) : null; // a key presses no point
  const of = name => link.closest(`[data-${name}]`)?.dataset[name];
  leave({ kingdom: of("kingdom"), account: of("account"), cause: of("cause"), turns: there ? `${there.turn}` : of("turns") || (link.matches(".plot") ? "" : data.dataset.span) });
});
offer();
filter();
