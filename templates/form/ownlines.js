// Lines of one's own: sent as they stand. The program reads them when they arrive; here only the keys that they begin with are seen.

const OwnLines = (() => {
  const KEY = /^(["']?)([A-Za-z][\w '-]*?)\1[ \t]*:(?=\s|$)/;

  /** The key as the engine reads it: "Trade-Route" and "trade route" are `trade_route`. */
  const snake = (word) => word.toLowerCase().replace(/'/g, "").split(/[-_\s]+/).filter(Boolean).join("_");

  /** The lines of a text by the keys that they begin with, {key, text} each; what is indented below one belongs to it. null: one begins with no key. */
  function parted(text) {
    const lines = [];
    for (const line of Fields.clean(text).split("\n").filter((each) => !each.startsWith("#"))) {
      const found = KEY.exec(line);
      if (found) lines.push({ key: snake(found[2]), text: line });
      else if (lines.length && /^([\s\]})-]|$)/.test(line)) lines.at(-1).text += `\n${line}`;
      else if (line.trim()) return null;
    }
    return lines.map(({ key, text: typed }) => ({ key, text: typed.trimEnd() }));
  }

  /** Why the text is not added, "" where it was. */
  function add(draft, text) {
    const lines = parted(text);
    if (!lines) return "A line of your own begins with the word of an order and a colon, such as those in the report.";
    const key = draft.addOwn(lines);
    return key && `${key} is pressed or written already, and a file may hold it only once. Take that back first, or give all of it in your own line.`;
  }

  function start(draft) {
    const [box, problem] = ["own-text", "own-problem"].map((id) => document.getElementById(id));
    document.getElementById("own-add").addEventListener("click", () => {
      if (!box.value.trim()) return;
      const why = add(draft, box.value);
      Dom.say(problem, why);
      Tray.tell(why ? "Not added." : "Added as it stands. The program reads it when your orders arrive.");
      if (!why) box.value = "";
    });
  }

  return { start, parted };
})();
