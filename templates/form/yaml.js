// YAML text -> nodes, each with its line and column, or problems: what the engine accepts, no more and no less.
//
//   Yaml.parse(text, language) -> {node, problems}
//
// A node is {kind: "text" | "list" | "map", value, line, column, quoted, inner}; a map's value is a list of [key, value].
// Everything plain is text as typed. No anchors, aliases, tags, keys twice, second documents. A line that ends with a comma
// goes on in the next.
"use strict";

const Yaml = (() => {
  const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/;
  const BREAK = /\r\n|[\r\n\x85\u2028\u2029]/g;
  const TAB = new RegExp(`(?<=^|\\n)( *)\\t[ \\t]*[^${Words.SPACES}]`, "g");
  const SPACE = `[${Words.SPACES}]`;
  const KEY = new RegExp(`^(?:(${SPACE}*(?:- +)*)[\\p{L}\\p{N}_'"][^:#]*:(?:${SPACE}|$)|${SPACE}*(?:[-#]|---|\\.{3}|$))`, "u");
  const ITEM = new RegExp(`^${SPACE}*- `, "u");
  const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g; // half a letter

  /** Stops the reading: there are more problems than anybody reads, or brackets without end. */
  class Stop extends Error {}

  /** What is wrong with a text, and where: {path, line, column, code, message, hint}. */
  function problem(language, code, line, column, path, hint, facts) {
    return { path, line, column, code, message: Words.filled(language.messages[code], facts), hint };
  }

  /** The root node as far as the text makes sense, null where it does not, and what is wrong. */
  function parse(typed, language) {
    const size = new TextEncoder().encode(typed).length;
    const note = (code, line, column, facts = {}) => problem(language, code, line, column, "", "", facts);
    if (size > language.limit) return { node: null, problems: [note("too_big", 1, 1, { size, most: language.limit })] };
    const text = typed.replace(/^\ufeff/, "").replace(LONE, "\ufffd");
    const zeros = text.split("\0").length - 1; // as in UTF-16
    if (zeros * 3 > [...text].length) return { node: null, problems: [note("encoding", 1, 1, { looks: " but looks like UTF-16" })] };
    const odd = characters(text, note, language.many);
    if (odd.length) return { node: null, problems: odd };
    const [whole, shifts] = rejoined(text);
    return new Builder(whole, shifts, note, language).run();
  }

  /** Characters that no such text may hold: controls, those that turn the direction of writing, tabs as indentation. */
  function characters(text, note, many) {
    const found = [...text.matchAll(new RegExp(CONTROL, "g"))].slice(0, many);
    const number = (match) => ({ number: match[0].codePointAt(0) });
    const controls = found.map((match) => note("control_character", ...place(text, match.index), number(match)));
    const tabs = [...text.matchAll(TAB)].slice(0, many);
    return [...controls, ...tabs.map((match) => note("tab", ...place(text, match.index + match[1].length)))];
  }

  /** [line, column] of a character, from 1. */
  function place(text, index) {
    const lines = text.slice(0, index).split(BREAK);
    return [lines.length, Words.size(lines[lines.length - 1]) + 1];
  }

  /** The text with each line that follows a broken one indented until it goes on, and by how many columns each was moved. */
  function rejoined(text) {
    const shifts = new Map();
    if (!/,\n|,\r|, \n/.test(text)) return [text, shifts];
    const lines = text.split("\n");
    let [inside, broken] = [0, false];
    lines.forEach((line, number) => {
      const key = KEY.exec(line);
      const indent = line.length - line.replace(/^ +/, "").length;
      if (broken && !key && indent <= inside) {
        shifts.set(number + 1, inside + 1 - indent);
        lines[number] = " ".repeat(inside + 1 - indent) + line;
      }
      if (key && key[1] !== undefined) inside = key[1].length;
      else if (key && ITEM.test(line)) inside = indent + 2;
      broken = Words.strip(line).endsWith(",");
    });
    return [lines.join("\n"), shifts];
  }

  /** Makes nodes of tokens. */
  class Builder {
    constructor(text, shifts, note, language) {
      Object.assign(this, { text, shifts, language, problems: [], depth: 0 });
      this.scanner = new YamlScan.Scanner(text);
      this.noted = note;
    }

    run() {
      try {
        const root = this.document();
        const blank = !root || (root.kind === "text" && !root.value && !root.quoted && !this.problems.length);
        return blank ? { node: null, problems: [this.noted("empty", 1, 1)] } : { node: root, problems: this.problems };
      } catch (error) {
        if (error instanceof YamlTexts.Fault) this.problems.push(this.explained(error));
        else if (!(error instanceof Stop)) throw error;
        return { node: null, problems: this.problems };
      }
    }

    explained(fault) {
      const [code, line, column, facts] = YamlErrors.meaning(fault, this.text);
      return this.noted(code, line + 1, column + 1 - (this.shifts.get(line + 1) || 0), facts);
    }

    note(code, line, column, facts = {}, shift = this.shifts.get(line) || 0) {
      this.problems.push(this.noted(code, line, column - shift, facts));
      if (this.problems.length > this.language.many) throw new Stop();
    }

    // --- tokens

    is(...kinds) {
      return kinds.includes(this.scanner.peek().kind);
    }

    take(kind) {
      return this.is(kind) ? this.scanner.take() : null;
    }

    fail(what, context, opened) {
      throw new YamlTexts.Fault(what, this.scanner.peek().start, context, opened);
    }

    // --- one document, and what stands in it

    document() {
      this.take("start");
      let root = null;
      for (let count = 0; !this.is("end"); count += 1) {
        const [explicit, start] = this.head(count);
        if (count) {
          this.note("documents", start.line + 1, start.column + 1);
          throw new Stop();
        }
        const empty = explicit && this.is("directive", "document", "document end", "end");
        root = empty ? this.nothing(start) : this.node(true, false);
        while (this.take("document end"));
      }
      return root;
    }

    /** [whether a document begins with its mark, where it begins]. */
    head(count) {
      const start = this.scanner.peek().start;
      if (!count && !this.is("directive", "document")) return [false, start];
      let versions = 0;
      for (let token; (token = this.take("directive")); ) {
        if (!token.version) continue;
        if (versions++) throw new YamlTexts.Fault("found duplicate %YAML directive", token.start);
        if (!["1.1", "1.2"].includes(token.version))
          throw new YamlTexts.Fault("found incompatible YAML document", token.start);
      }
      if (!this.is("document")) this.fail("did not find expected <document start>");
      this.scanner.take();
      return [true, start];
    }

    nothing(mark) {
      const [line, column] = [mark.line + 1, mark.column + 1];
      return { kind: "text", value: "", line, column: column - (this.shifts.get(line) || 0), quoted: false, inner: column };
    }

    /** block: lists and maps may be written by indentation; sequence: also a list that is indented as its key is. */
    node(block, sequence) {
      const start = this.scanner.peek().start;
      const [line, column] = [start.line + 1, start.column + 1];
      if (this.take("alias")) {
        this.note("alias", line, column);
        return this.nothing(start);
      }
      const marked = this.marks();
      const forbid = () => marked.forEach((code) => this.note(code, line, column));
      const token = this.scanner.peek();
      if (sequence && token.kind === "entry") return forbid(), this.collection("list", start, () => this.items(true));
      if (token.kind === "text") return forbid(), this.scalar(this.scanner.take(), start);
      const flow = token.kind === "[" || token.kind === "{";
      if (flow || (block && (token.kind === "list" || token.kind === "map"))) {
        forbid();
        const kind = token.kind === "[" || token.kind === "list" ? "list" : "map";
        return this.collection(kind, start, () => this.inside(token));
      }
      if (marked.length) return forbid(), this.nothing(start);
      return this.fail("did not find expected node content", `while parsing a ${block ? "block" : "flow"} node`, start);
    }

    /** An anchor and a tag, in either order. */
    marks() {
      const found = [];
      for (const code of ["anchor", "tag", "anchor"]) if (!found.includes(code) && this.take(code)) found.push(code);
      return ["anchor", "tag"].filter((code) => found.includes(code));
    }

    scalar(token, start) {
      const [line, column] = [start.line + 1, start.column + 1];
      const quoted = token.style !== "";
      let inner = column;
      if (quoted || token.value.includes(" ")) {
        const odd = token.style === '"' && CONTROL.exec(token.value);
        if (odd) this.note("control_character", line, column, { number: odd[0].codePointAt(0) });
        const quotes = token.style === "'" || token.style === '"' ? 1 : 0;
        const end = token.end;
        const whole = end.line + 1 === line && end.column + 1 - column === Words.size(token.value) + 2 * quotes;
        inner = whole ? column + quotes : 0;
      }
      const shift = this.shifts.get(line) || 0;
      return { kind: "text", value: token.value, line, column: column - shift, quoted, inner: inner && inner - shift };
    }

    collection(kind, start, read) {
      const [line, column] = [start.line + 1, start.column + 1];
      if (this.depth >= this.language.depth) {
        this.note("too_deep", line, column, { most: this.language.depth });
        throw new Stop();
      }
      this.depth += 1;
      const value = read();
      this.depth -= 1;
      return { kind, value, line, column: column - (this.shifts.get(line) || 0), quoted: false, inner: 0 };
    }

    inside(token) {
      this.scanner.take();
      const reader = { list: "blockList", map: "blockMap", "[": "flowList", "{": "flowMap" }[token.kind];
      return this[reader](token.start);
    }

    /** What follows a mark, or nothing where one of these tokens comes. */
    behind(token, sequence, ...ends) {
      return this.is(...ends) ? this.nothing(token.end) : this.node(true, sequence);
    }

    /** The same between brackets. */
    within(...ends) {
      return this.is(...ends) ? this.nothing(this.scanner.peek().start) : this.node(false, false);
    }

    items(bare) {
      const found = [];
      const ends = bare ? ["entry", "key", "value", "block end"] : ["entry", "block end"];
      for (let token; (token = this.take("entry")); ) found.push(this.behind(token, false, ...ends));
      return found;
    }

    blockList(opened) {
      const found = this.items(false);
      if (!this.take("block end")) this.fail("did not find expected '-' indicator", "while parsing a block collection", opened);
      return found;
    }

    blockMap(opened) {
      const map = new Pairs(this);
      while (this.is("key")) {
        const token = this.take("key");
        const ends = ["key", "value", "block end"];
        map.key(this.behind(token, true, ...ends));
        const colon = this.take("value");
        map.value(colon ? this.behind(colon, true, ...ends) : this.nothing(this.scanner.peek().start));
      }
      if (!this.take("block end")) this.fail("did not find expected key", "while parsing a block mapping", opened);
      return map.pairs;
    }

    separated(found, close, context, opened) {
      if (found && !this.take(",")) this.fail(`did not find expected ',' or '${close}'`, `while parsing a flow ${context}`, opened);
    }

    flowList(opened) {
      const found = [];
      while (!this.is("]")) {
        this.separated(found.length, "]", "sequence", opened);
        const key = this.take("key");
        if (key) found.push(this.collection("map", key.start, () => this.single()));
        else if (!this.is("]")) found.push(this.node(false, false));
      }
      this.scanner.take();
      return found;
    }

    /** A map of one key inside a list: [a: b]. */
    single() {
      const map = new Pairs(this);
      const lacking = this.is("value", ",", "]") && this.scanner.take(); // libyaml passes over what stands in the key's place
      map.key(lacking ? this.nothing(lacking.end) : this.node(false, false));
      map.value(this.take("value") ? this.within(",", "]") : this.nothing(this.scanner.peek().start));
      return map.pairs;
    }

    flowMap(opened) {
      const map = new Pairs(this);
      while (!this.is("}")) {
        this.separated(map.pairs.length, "}", "mapping", opened);
        const key = this.take("key");
        if (!key && this.is("}")) break;
        map.key(key ? this.within("value", ",", "}") : this.node(false, false));
        map.value(key && this.take("value") ? this.within(",", "}") : this.nothing(this.scanner.peek().start));
      }
      this.scanner.take();
      return map.pairs;
    }
  }

  /** The keys and values of a map that is being read; a key is a text, and stands once. */
  class Pairs {
    constructor(builder) {
      Object.assign(this, { builder, pairs: [], keys: new Map(), last: null });
    }

    key(node) {
      this.last = node;
      if (node.kind !== "text" || !node.value) {
        this.builder.note("key_not_text", node.line, node.column, {}, 0);
        this.last = { kind: "text", value: "", line: node.line, column: node.column, quoted: false, inner: 0 };
      } else if (this.keys.has(node.value)) {
        const facts = { key: Words.shown(node.value), before: this.keys.get(node.value).line };
        this.builder.note("duplicate_key", node.line, node.column, facts, 0);
      } else this.keys.set(node.value, node);
    }

    value(node) {
      this.pairs.push([this.last, node]);
    }
  }

  return { parse, problem };
})();
