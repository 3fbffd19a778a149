// Orders that were there before: what is filed, what the last turn had, a file of one's own.

const Filed = (() => {
  const at = (id) => document.getElementById(id);

  /** Press orders, in place of what was chosen. */
  function start(draft, orders, name = "What is filed", proved = false) {
    draft.load(orders, proved);
    const own = draft.entries.filter((entry) => !entry.offer).length;
    Tray.tell(`${name} is pressed: ${Tray.many(draft.entries)}${own ? `, ${own} without a control` : ""}.`);
  }

  /** Press what can be ordered once more. What its own controls no longer have is left out, and told: as a rule it is done. */
  function startAgain(draft, orders) {
    draft.load(orders);
    const done = draft.entries.filter(({ line }) => line && draft.under[line.key].length);
    draft.putIn(draft.entries.filter((entry) => !done.includes(entry)), draft.replaced);
    draft.changed();
    const left = done.length ? ` Left out, as it can't be pressed here now: ${done.map(Tray.wordsOf).join("; ")}.` : "";
    Tray.tell(`What the last turn had is pressed: ${Tray.many(draft.entries)}.${left}`);
  }

  /** Take an orders file, to be sent alone and as it is. */
  async function take(draft, file) {
    if (file.size > draft.form.limit) return Tray.tell(`Not taken: ${file.name} has ${file.size} bytes, and orders at most ${draft.form.limit}.`);
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
      draft.sendAlone({ name: file.name, text });
      return Tray.tell(`${file.name} is sent alone, as it is: nothing that is pressed here goes with it.`);
    } catch {
      return Tray.tell(`Not taken: ${file.name} is no text in UTF-8.`);
    }
  }

  function listen(draft) {
    const input = at("own-file");
    input.addEventListener("change", async () => {
      if (input.files.length) await take(draft, input.files[0]);
      input.value = "";
    });
    for (const name of ["dragover", "drop"]) {
      document.addEventListener(name, (event) => {
        if (![...event.dataTransfer.types].includes("Files")) return;
        event.preventDefault();
        if (name === "drop" && event.dataTransfer.files.length) take(draft, event.dataTransfer.files[0]);
      });
    }
    at("file-back").addEventListener("click", () => {
      draft.sendAlone(null);
      Tray.tell("The file is taken back: what is chosen is sent.");
      at("chosen-title").focus();
    });
    draft.listeners.push(() => {
      at("file-alone").hidden = !draft.file;
      for (const id of ["first", "section-map", "sections", "section-own", "chosen-orders"]) if (at(id)) at(id).classList.toggle("aside", Boolean(draft.file));
      Dom.say(at("file-name"), draft.file ? draft.file.name : "");
      at("bring-back").hidden = !draft.replaced.length;
      Dom.say(at("bring-back"), `Undo: bring back ${Tray.many(draft.replaced)}`);
      at("clear").hidden = !draft.entries.length;
    });
    for (const [id, press, { orders }] of [["start-filed", start, draft.form.filed], ["start-last", startAgain, draft.form.last]]) {
      at(id).hidden = !orders;
      at(id).addEventListener("click", () => press(draft, orders));
    }
    at("bring-back").addEventListener("click", () => {
      draft.bringBack();
      Tray.tell(`Brought back: ${Tray.many(draft.entries)}.`);
      if (at("bring-back").hidden) at("chosen-title").focus();
    });
    const { orders, problems } = draft.form.filed;
    at("filed-problems").append(...problems.map((problem) => Dom.make("li", {}, Dom.said("bdi", {}, problem))));
    return orders ? start(draft, orders) : draft.changed();
  }

  return { start, listen };
})();
