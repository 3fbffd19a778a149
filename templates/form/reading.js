// Orders files read back in, and lines of one's own; what is wrong with them is said in the engine's words.
"use strict";

const Reading = (() => {
  const MOST = 40; // problems that are shown

  function problems(hold, found, skip = 0) {
    const rows = found.slice(0, MOST).map((each) => Dom.make("li", {}, each.line > skip ? Dom.make("span", { class: "label" }, `Line ${each.line - skip}: `) : "", Dom.typed(each.message)));
    hold.replaceChildren(...rows);
  }

  /** Put the orders in a text in place of what was chosen; false where something is wrong with it. */
  function whole(draft, text, hold) {
    const { orders, problems: found } = Reader.read(text, draft.form.language);
    problems(hold, found);
    if (!orders) {
      Tray.tell(`Not read: ${found.length} ${found.length === 1 ? "problem" : "problems"}.`);
      return false;
    }
    draft.load(orders);
    const own = draft.entries.filter((entry) => entry.line).length;
    Tray.tell(`Read: ${draft.entries.length} orders${own ? `, ${own} of them lines of your own that the lists do not hold` : ""}.`);
    return true;
  }

  /** Add what a few lines say to what was chosen. */
  function lines(draft, text, hold) {
    const head = `kingdom: ${draft.form.seat}\nturn: ${draft.form.turn}\n`;
    const { orders, problems: found } = Reader.read(head + text, draft.form.language);
    problems(hold, found, 2);
    if (!orders) return false;
    for (const [key, value] of Object.entries(orders)) {
      if (["kingdom", "turn", "token", "amend"].includes(key)) continue;
      if (draft.sequence && key === draft.sequence.key) draft.addNext(value);
      else if (Array.isArray(value) && value.length) value.forEach((item) => draft.addLine(key, "list", item));
      else if (draft.isMap(key)) Object.entries(value).forEach((row) => draft.addLine(key, "map", row));
      else draft.addLine(key, "one", value);
    }
    Tray.tell(draft.entries.some((entry) => entry.line) ? "Added as lines of your own." : "Added.");
    return true;
  }

  function start(draft) {
    const box = document.getElementById("read-text");
    const hold = document.getElementById("read-problems");
    const read = (text) => {
      box.value = text;
      whole(draft, text, hold);
    };
    document.getElementById("read").addEventListener("click", () => read(box.value));
    const file = document.getElementById("read-file");
    file.addEventListener("change", async () => {
      if (file.files.length) read(await file.files[0].text());
      file.value = "";
    });
    for (const name of ["dragover", "drop"]) {
      document.addEventListener(name, (event) => {
        if (![...event.dataTransfer.types].includes("Files")) return;
        event.preventDefault();
        if (name === "drop" && event.dataTransfer.files.length) event.dataTransfer.files[0].text().then(read);
      });
    }
    for (const [id, text] of [["start-filed", draft.form.filed], ["start-last", draft.form.last]]) {
      const button = document.getElementById(id);
      button.hidden = !text;
      button.addEventListener("click", () => read(text));
    }
    const own = document.getElementById("own-text");
    document.getElementById("own-add").addEventListener("click", () => {
      if (own.value.trim() && lines(draft, own.value, document.getElementById("own-problems"))) own.value = "";
    });
  }

  return { start, whole };
})();
