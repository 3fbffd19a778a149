"use strict";
// Each table's rows lie beside it as columns: numbers, or words that stand once with the word's place in every row.
const ROWS = 100; // of a page of a table
for (const section of document.querySelectorAll("section.rows")) {
  const columns = JSON.parse(section.querySelector("script.data").textContent);
  const heads = [...section.querySelectorAll("thead th")];
  const names = heads.map(head => head.textContent);
  const body = section.querySelector("tbody");
  const tools = section.querySelector(".tools");
  const count = columns.length ? (columns[0].rows || columns[0]).length : 0;
  const wanted = new Map(); // column -> whether a row's value will do
  let rows = Array.from({ length: count }, (_, row) => row);
  let start = 0, sorted = -1, down = false;

  const value = (column, row) => columns[column].words ? columns[column].words[columns[column].rows[row]] : columns[column][row];
  const places = columns.map(column => {
    if (!column.words) return null;
    const order = column.words.map((_, word) => word).sort((a, b) => column.words[a].localeCompare(column.words[b]));
    const place = [];
    order.forEach((word, at) => { place[word] = at; });
    return place;
  });
  const key = (column, row) => places[column] ? places[column][columns[column].rows[row]] : columns[column][row] === "" ? -Infinity : columns[column][row];

  const make = (tag, text, settings) => Object.assign(document.createElement(tag), text === undefined ? {} : { textContent: text }, settings);
  const filters = make("div", undefined, { className: "filters" });
  const status = make("p", "", { className: "pages" });
  status.setAttribute("role", "status");
  const pages = make("div", undefined, { className: "pages" });
  const back = make("button", "Rows before", { className: "step", type: "button" });
  const on = make("button", "Rows after", { className: "step", type: "button" });
  pages.append(back, on);
  tools.append(filters, status, pages);

  const labelled = (text, field) => {
    field.id = `${section.id}-${text.replace(" ", "-")}`;
    const pair = make("div", undefined, { className: "filter" });
    pair.append(make("label", text, { htmlFor: field.id }), field);
    filters.append(pair);
    return field;
  };
  const choose = (column, test) => {
    if (test) wanted.set(column, test); else wanted.delete(column);
    filter();
  };
  names.forEach((name, column) => {
    const words = columns[column].words;
    if (name === "turn") {
      const from = labelled("from turn", make("input", undefined, { type: "number", min: 0 }));
      const to = labelled("to turn", make("input", undefined, { type: "number", min: 0 }));
      const both = () => {
        const low = from.value === "" ? -Infinity : +from.value, high = to.value === "" ? Infinity : +to.value;
        choose(column, from.value + to.value && (row => columns[column][row] >= low && columns[column][row] <= high));
      };
      from.addEventListener("input", both);
      to.addEventListener("input", both);
    } else if (words && name === "detail") {
      const field = labelled("detail holds", make("input", undefined, { type: "search" }));
      field.addEventListener("input", () => {
        const typed = field.value.toLowerCase();
        const found = words.map(word => word.toLowerCase().includes(typed));
        choose(column, typed && (row => found[columns[column].rows[row]]));
      });
    } else if (words && words.length > 1) {
      const field = labelled(name, make("select"));
      field.append(make("option", "all", { value: "" }));
      words.map((word, at) => [word, at]).sort((a, b) => a[0].localeCompare(b[0])).forEach(([word, at]) => field.append(make("option", word, { value: at })));
      field.addEventListener("change", () => choose(column, field.value !== "" && (row => columns[column].rows[row] === +field.value)));
    }
  });

  heads.forEach((head, column) => {
    const button = make("button", names[column], { type: "button" });
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      down = sorted === column ? !down : !columns[column].words;
      sorted = column;
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      filter();
    });
  });

  function filter() {
    const tests = [...wanted.values()];
    rows = [];
    for (let row = 0; row < count; row++) if (tests.every(test => test(row))) rows.push(row);
    if (sorted >= 0) rows.sort((a, b) => (key(sorted, a) - key(sorted, b)) * (down ? -1 : 1) || a - b);
    start = 0;
    show();
  }

  // Points of different accounts are never added together.
  function sum() {
    const account = names.indexOf("account"), delta = names.indexOf("delta");
    if (account < 0 || delta < 0 || !rows.length || rows.some(row => key(account, row) !== key(account, rows[0]))) return "";
    return `; delta of all ${value(account, rows[0])}: ${rows.reduce((total, row) => total + columns[delta][row], 0)}`;
  }

  function show() {
    const end = Math.min(start + ROWS, rows.length);
    body.replaceChildren(...rows.slice(start, end).map(row => {
      const line = make("tr");
      names.forEach((name, column) => {
        const cell = make("td", undefined, { className: columns[column].words ? name === "detail" ? "text" : "" : "n" });
        cell.append(make("bdi", value(column, row)));
        line.append(cell);
      });
      return line;
    }));
    const those = rows.length === count ? "" : ` that fit, out of ${count}`;
    status.textContent = rows.length ? `Rows ${start + 1} to ${end} of ${rows.length}${those}${sum()}` : `No row fits, out of ${count}`;
    back.disabled = start === 0;
    on.disabled = end === rows.length;
    pages.hidden = rows.length <= ROWS;
  }

  back.addEventListener("click", () => { start = Math.max(0, start - ROWS); show(); });
  on.addEventListener("click", () => { start += ROWS; show(); });
  show();
}
