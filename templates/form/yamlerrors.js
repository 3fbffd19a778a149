// What a fault of the scanner or parser means to the person who wrote the text.
"use strict";

const YamlErrors = (() => {
  const CLOSE = { "[": "]", "{": "}" };
  const indented = (line) => line.length - line.replace(new RegExp(`^[${Words.SPACES}]+`, "u"), "").length;

  /** [code, line, column, facts] of the first explanation that fits; lines and columns from 0. */
  function meaning(fault, text) {
    const lines = text.split(/\r\n|[\r\n\x85\u2028\u2029]/).map((line) => Array.from(line));
    const of = (line) => lines[line] || [];
    const rest = (mark) => of(mark.line).slice(mark.column).join("");
    const { what, context, mark, opened } = fault;
    const here = of(mark.line)[mark.column] || "";
    const before = of(mark.line).slice(0, mark.column).join("");
    const starts = !Words.strip(before);
    const at = (code, facts = {}) => [code, mark.line, mark.column, facts];
    const from = (code, facts = {}) => [code, opened.line, opened.column, facts];
    const misplaced = () => (rest(mark).startsWith("- ") ? "stray_dash" : "indent"); // at the begin of a line
    const colon = (place) => {
      const code = /^[\p{L}\p{N}_-]+:[^\t-\r\x1c-\x20\x85\xa0]/u.test(rest(place)) ? "colon_space" : "colon_missing";
      return [code, place.line, place.column, { text: Words.shown(rest(place)) }];
    };

    if (what.includes("',' or")) {
      const close = CLOSE[rest(opened)[0]] || "]";
      if (mark.line === opened.line) return at("comma_missing", { close });
      return from("bracket_open", { bracket: rest(opened).slice(0, 1), close });
    }
    if (what.includes("expected key")) {
      if (here === ":") return at("key_missing");
      const quote = Words.strip(before).slice(-1);
      if (["'", '"'].includes(quote) && !starts) return at("after_quote", { quote, double: quote === "'" ? "''" : '\\"' });
      return at(misplaced());
    }
    if (what.includes("mapping values")) return secondColon();
    if (what.includes("expected ':'")) return colon(opened);
    if (what.includes("tab character") || here === "\t") return at("tab");
    if (what.includes("cannot start any token")) return at("odd_character", { text: here });
    if (what.includes("sequence entries") || what.includes("'-' indicator")) return at(starts ? misplaced() : "dash");
    if (what.includes("document start")) return at("documents");
    if (context.includes("quoted scalar")) {
      if (/end of stream|document indicator/.test(what)) return from("quote_open", { quote: rest(opened).slice(0, 1) });
      return at("escape");
    }
    for (const code of ["alias", "anchor", "tag", "directive"]) if (context.includes(code)) return from(code);
    if (/incompatible|directive/.test(what)) return at("directive");
    if (context.includes("block scalar")) return from("block_text", { text: rest(opened).slice(0, 1) });
    if (what.includes("node content")) return here ? at("misplaced", { text: here }) : lastOpen();
    return at("syntax", { detail: what });

    function secondColon() {
      const line = of(mark.line).join("");
      if (before.includes(": ")) return at("colon_twice");
      let above = mark.line - 1;
      while (above >= 0 && !Words.strip(of(above).join(""))) above -= 1;
      if (above < 0) return at("syntax", { detail: "a key is too long" });
      const [here, there] = [indented(line), indented(of(above).join(""))];
      return here > there ? ["indent", mark.line, here, {}] : colon({ line: above, column: there });
    }

    /** The last bracket that the text opens before the fault. */
    function lastOpen() {
      for (let line = Math.min(mark.line, lines.length - 1); line >= 0; line -= 1) {
        const column = Math.max(of(line).lastIndexOf("["), of(line).lastIndexOf("{"));
        const bracket = of(line)[column];
        if (column >= 0) return ["bracket_open", line, column, { bracket, close: CLOSE[bracket] }];
      }
      return at("bracket_open", { bracket: "", close: "]" });
    }
  }

  return { meaning };
})();
