// The text of an orders file -> orders in the long form, or all that is wrong with it, in the engine's words.
//
//   Reader.read(text, language) -> {orders, problems, kingdom, turn, token}
//
// `language` is what kingdom/orders/form_language.py makes: shapes, closed lists, messages, and whose orders for which turn are read.
// `orders` is null where there are problems; a problem is {path, line, column, code, message, hint}, lines and columns from 1.
"use strict";

const Reader = (() => {
  const NOTHING = ["", "~", "null"];
  const FLAGS = { true: true, yes: true, on: true, false: false, no: false, off: false };
  const UNPRINTABLE = /[^\P{C}]|(?! )\p{Z}/u;
  const LEAST_DIGITS = 3; // in what may be a misspelt label
  const SEAT = "{seat}"; // stands in examples for a seat
  const FITS_NOT = "not_"; // how the codes of what is of another kind begin

  /** Plain data that is the same, whatever the order of keys. */
  function same(one, other) {
    if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return one === other;
    const keys = Object.keys(one);
    return Array.isArray(one) === Array.isArray(other) && keys.length === Object.keys(other).length
      && keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]));
  }

  /** The label that was probably meant: `0708` by `708`, `07-08`, `O708`; "" for none. */
  function nearLabel(text) {
    const plain = Words.first(text, 10).replace(/[-.,/ ]/g, "").toUpperCase().replace(/O/g, "0").replace(/[IL]/g, "1").padStart(4, "0");
    return (text.match(/\p{Nd}/gu) || []).length >= LEAST_DIGITS && ShortForms.isLabel(plain) ? plain : "";
  }

  /** Whether nothing stands there, or null. */
  const absent = (node) => node.kind === "text" && !node.quoted && NOTHING.includes(node.value);

  /** One reading of a text: the language, and the problems found so far. A reader gives undefined where there is no value. */
  class Reading {
    constructor(language, problems) {
      Object.assign(this, { language, problems });
    }

    read(shape, node, path) {
      return this[shape.kind](shape, node, path);
    }

    note(code, node, path, facts = {}, hint = "") {
      this.problems.push(Yaml.problem(this.language, code, node.line, node.column, path, hint, facts));
    }

    /** Note that the node is not what the shape asks for, with an example of what is. */
    unfit(code, shape, node, path, facts = {}) {
      const key = code === "missing_key" && !path ? facts.word : path;
      const example = key === "kingdom" && this.language.seat ? this.language.seat : this.named(shape.shown);
      return this.note(code, node, path, { meaning: shape.meaning, example, ...facts });
    }

    /** An example, in which a seat is called by the name of another one of this campaign. */
    named(example) {
      return example.replaceAll(SEAT, this.language.other);
    }

    unknownKey(key, path, known) {
      const [cure, near] = this.cure(Words.snake(key.value), known);
      this.note("unknown_key", key, path, { word: Words.shown(key.value), cure }, near);
    }

    cure(word, known) {
      return this.problems.length <= this.language.many ? Words.cure(word, known) : ["", ""];
    }

    /** The closed list of a word, null where any will do. */
    list(shape) {
      return typeof shape.of === "string" ? this.language.names[shape.of] ?? null : shape.of;
    }

    knows(shape, word) {
      const list = this.list(shape);
      return list === null || list.includes(word) || (shape.also || []).includes(word);
    }

    /** What was typed, or undefined and a problem where that is nothing or no text. */
    typed(shape, node, path) {
      if (node.kind !== "text") return this.unfit("not_text", shape, node, path);
      return Words.strip(node.value) || this.unfit("empty_text", shape, node, path);
    }

    // --- one reader for each kind of shape

    Text(shape, node, path) {
      let text = this.typed(shape, node, path);
      if (text === undefined) return undefined;
      if (!shape.lines) {
        if (text.includes("\n")) return this.note("one_line", node, path, { meaning: shape.meaning });
        text = Words.oneLine(text);
        const odd = UNPRINTABLE.exec(text);
        if (odd) return this.note("control_character", node, path, { number: odd[0].codePointAt(0) });
      }
      const size = Words.size(text);
      if (size > shape.most) return this.note("too_long", node, path, { meaning: shape.meaning, size, most: shape.most });
      if (shape.case) text = shape.case === "upper" ? text.toUpperCase() : text.toLowerCase();
      const wrong = shape.pattern && !new RegExp(`^(?:${Words.pattern(shape.pattern)})$`, "u").test(text);
      return wrong ? this.unfit("malformed", shape, node, path, { word: Words.shown(text) }) : text;
    }

    Number(shape, node, path) {
      const text = this.typed(shape, node, path);
      if (text === undefined) return undefined;
      const match = /^([+-]?)0*([0-9]+)$/.exec(text);
      if (!match) return this.unfit("not_number", shape, node, path, { word: Words.shown(text) });
      const value = Number(match[1] + match[2]) || 0;
      const [least, most] = [shape.least ?? 0, shape.most];
      if (match[2].length <= this.language.digits && least <= value && value <= most) return value;
      return this.note("out_of_range", node, path, { meaning: shape.meaning, word: Words.shown(text, 20), least, most });
    }

    Flag(shape, node, path) {
      const text = this.typed(shape, node, path);
      if (text === undefined) return undefined;
      const value = Object.hasOwn(FLAGS, text.toLowerCase()) ? FLAGS[text.toLowerCase()] : undefined;
      if (value === undefined) this.note("not_flag", node, path, { word: Words.shown(text), meaning: shape.meaning });
      return value;
    }

    Word(shape, node, path) {
      const text = this.typed(shape, node, path);
      if (text === undefined) return undefined;
      const word = Words.snake(text);
      if (this.knows(shape, word)) return word;
      const [cure, near] = this.cure(word, [...this.list(shape), ...(shape.also || [])]);
      return this.note("unknown_word", node, path, { word: Words.shown(text), meaning: shape.meaning, cure }, near);
    }

    Label(shape, node, path) {
      const text = this.typed(shape, node, path);
      if (text === undefined || ShortForms.isLabel(text)) return text;
      const near = nearLabel(text);
      const how = ` A label has four digits, column and row from 01, such as \`${shape.example}\`.`;
      const cure = near ? ` Did you mean \`${near}\`?` : how;
      return this.note("not_label", node, path, { word: Words.shown(text), meaning: shape.meaning, cure }, near);
    }

    Id(shape, node, path) {
      const text = this.typed(shape, node, path);
      if (text === undefined) return undefined;
      const word = Words.snake(text);
      if (word !== "gm" && /^[a-z0-9_]{1,40}$/.test(word)) return word;
      return this.unfit("malformed", shape, node, path, { word: Words.shown(text) });
    }

    ListOf(shape, node, path) {
      if (node.kind === "map" && (shape.pairs || []).length) return this.pairs(shape, node, path);
      let items = node.value;
      if (node.kind === "text" && shape.short) items = ShortForms.pieces(shape.short, node);
      else if (node.kind !== "list") return this.unfit("not_list", shape, node, path);
      const [size, least, most, meaning] = [items.length, shape.least ?? 0, shape.most, shape.meaning];
      if (size > most) return this.note("too_many", node, path, { size, most, meaning });
      if (size < least) return this.note("too_few", node, path, { size, least, meaning });
      return items.map((item, index) => this.read(shape.of, item, `${path}[${index}]`));
    }

    /** A list written as a map: each key and its value are an item. */
    pairs(shape, node, path) {
      return node.value.map(([key, value], index) => {
        const word = (text, at) => ({ kind: "text", value: text, line: at.line, column: at.column, quoted: false, inner: 0 });
        const named = [[word(shape.pairs[0], key), key], [word(shape.pairs[1], value), value]];
        return this.keys(shape.of, { kind: "map", value: named, line: key.line, column: key.column }, `${path}[${index}]`);
      });
    }

    Record(shape, node, path) {
      if (node.kind === "text" && (shape.short || []).length) return ShortForms.read(this, shape, node, path);
      return node.kind === "map" ? this.keys(shape, node, path) : this.unfit("not_map", shape, node, path);
    }

    /** The map's values by key, in declared order; the key `besides` has been read already. */
    keys(shape, node, path, besides = "") {
      const [values, seen, shorts] = [{}, new Map(), []];
      const [required, parts] = [shape.required || [], shape.short_keys || {}];
      for (const [key, value] of node.value) {
        const word = Words.snake(key.value);
        const inner = path ? `${path}.${word}` : word;
        if (seen.has(word)) this.note("duplicate_key", key, inner, { key: word, before: seen.get(word).line });
        seen.set(word, key);
        if (Object.hasOwn(shape.keys, word)) {
          if (required.includes(word) || !absent(value)) values[word] = this.read(shape.keys[word], value, inner);
        } else if (Object.hasOwn(parts, word)) {
          if (!absent(value)) shorts.push([word, key, value]);
        } else if (word !== besides) this.unknownKey(key, inner, [...Object.keys(shape.keys), ...Object.keys(parts)]);
      }
      for (const word of required) if (!seen.has(word)) this.unfit("missing_key", shape.keys[word], node, path, { word });
      for (const group of shape.apart || []) {
        const named = [...seen.keys()].filter((word) => group.includes(word));
        if (named.length > 1) this.note("not_together", seen.get(named[1]), path, { word: named[1], other: named[0] });
      }
      for (const [word, key, value] of shorts) {
        const whole = parts[word];
        values[whole] = this.withPart(shape.keys[whole], whole, values[whole], word, key, value);
      }
      return ordered(shape.keys, values);
    }

    /** What a key that is short for a part of another, `taxation` for `edicts.taxation`, makes of that one's value. */
    withPart(of, whole, before, word, key, value) {
      if (of.kind === "ListOf") {
        const one = of.of.cases[word];
        const [most, shown] = [this.language.most, `[${one.shown}]`];
        const list = { kind: "ListOf", meaning: of.meaning, of: one, short: "commas", most, shown };
        const items = this.ListOf(list, value, word) || [];
        return [...(before || []), ...items.filter((item) => item).map((item) => ({ [of.of.by]: word, ...item }))];
      }
      const parts = { ...before };
      if (Object.hasOwn(parts, word)) this.note("not_together", key, word, { word, other: `${whole}.${word}` });
      parts[word] = this.read(of.keys[word], value, word);
      return ordered(of.keys, parts);
    }

    OneOf(shape, node, path) {
      if (node.kind === "text") return ShortForms.read(this, shape, node, path);
      if (node.kind !== "map") return this.unfit("not_map", shape, node, path);
      return shape.by ? this.caseByWord(shape, node, path) : this.caseByKey(shape, node, path);
    }

    caseByWord(shape, node, path) {
      const words = Object.keys(shape.cases);
      const word = { kind: "Word", meaning: shape.meaning, of: words, shown: words[0] };
      const found = node.value.find(([key]) => Words.snake(key.value) === shape.by);
      if (!found) return this.unfit("missing_key", word, node, path, { word: shape.by });
      const name = this.Word(word, found[1], `${path}.${shape.by}`);
      return name && { [shape.by]: name, ...this.keys(shape.cases[name], node, path, shape.by) };
    }

    caseByKey(shape, node, path) {
      const known = new Set(Object.values(shape.cases).flatMap((record) => Object.keys(record.keys)));
      const named = node.value.map(([key]) => [Words.snake(key.value), key]);
      const cases = named.filter(([word]) => Object.hasOwn(shape.cases, word));
      if (cases.length === 1) return this.keys(shape.cases[cases[0][0]], node, path);
      if (cases.length) return this.note("not_together", cases[1][1], path, { word: cases[1][0], other: cases[0][0] });
      const strange = named.filter(([word]) => !known.has(word));
      for (const [word, key] of strange) this.unknownKey(key, `${path}.${word}`, [...known].sort());
      return strange.length ? undefined : this.note("which", node, path, { keys: Object.keys(shape.cases).join(", ") });
    }

    MapOf(shape, node, path) {
      if (node.kind !== "map") return this.unfit("not_map", shape, node, path);
      const [size, most, fixed] = [node.value.length, shape.most, shape.fixed || {}];
      if (size > most) return this.note("too_many", node, path, { size, most, meaning: shape.meaning });
      const values = Object.create(null); // its keys are the writer's own words
      for (const [key, value] of node.value) {
        const inner = path ? `${path}.${key.value}` : key.value;
        const word = Words.snake(key.value);
        const name = Object.hasOwn(fixed, word) ? word : this.read(shape.key, key, inner);
        if (name !== undefined && Object.hasOwn(values, name)) {
          const before = node.value.find(([other]) => Words.snake(other.value) === word)[0].line;
          this.note("duplicate_key", key, inner, { key: name, before });
        }
        values[name] = this.read(Object.hasOwn(fixed, word) ? fixed[word] : shape.of, value, inner);
      }
      return values;
    }

    Choice(shape, node, path) {
      let [word, rest] = [node, null];
      if (node.kind === "map" && node.value.length === 1) [word, rest] = node.value[0];
      else if (node.kind === "text") [word, rest] = ShortForms.firstWord(node, Object.keys(shape.cases), this.language.longest);
      const words = Object.keys(shape.cases);
      const name = this.Word({ kind: "Word", meaning: shape.meaning, of: words, shown: words[0] }, word, path);
      if (name === undefined) return undefined;
      const of = shape.cases[name];
      if (rest === null || (rest.kind === "text" && NOTHING.includes(rest.value))) return { [name]: "" };
      if (!of) return this.note("short_form", rest, path, { word: name, meaning: shape.meaning, example: name });
      return { [name]: this.read(of, rest, `${path}.${name}`) };
    }

    /** A text that is the short form of a record; the value is that text in its plainest words. */
    Short(shape, node, path) {
      if (this.typed(shape, node, path) === undefined) return undefined;
      const value = ShortForms.read(this, shape.of, node, path);
      return value && ShortForms.write(this.language, shape.of, value);
    }

    /** The first that fits; where none does, what comes nearest to it says what is wrong. */
    Either(shape, node, path) {
      let nearest = null;
      for (const of of shape.shapes) {
        const attempt = new Reading(this.language, []);
        const value = attempt.read(of, node, path);
        if (!attempt.problems.length) return value;
        const alien = attempt.problems.every((each) => each.code.startsWith(FITS_NOT)) ? 1 : 0;
        const rank = [alien, attempt.problems.length];
        if (!nearest || rank[0] < nearest.rank[0] || (rank[0] === nearest.rank[0] && rank[1] < nearest.rank[1]))
          nearest = { rank, problems: attempt.problems };
      }
      this.problems.push(...nearest.problems);
      return undefined;
    }
  }

  /** The values in the order of the keys. */
  const ordered = (keys, values) =>
    Object.fromEntries(Object.keys(keys).filter((word) => Object.hasOwn(values, word)).map((word) => [word, values[word]]));

  /** What is wrong with whose orders these are, and for which turn. */
  function head(orders, node, language) {
    const found = [];
    const at = (name) => (node.value.find(([key]) => key.value === name) || [null, node])[1];
    const say = (code, key, hint, facts) => found.push(Yaml.problem(language, code, at(key).line, at(key).column, key, hint, facts));
    const { kingdom, turn } = orders;
    const { seat, turn: next } = language;
    if (kingdom !== undefined && seat !== null && kingdom !== seat) say("another_kingdom", "kingdom", seat, { word: kingdom, seat });
    if (turn !== undefined && next !== null && turn !== next) say("wrong_turn", "turn", String(next), { word: turn, turn: next });
    return found;
  }

  const byPlace = (one, other) => one.line - other.line || one.column - other.column;

  /** The problems in the order of the text, as many as anybody would read, and how many more there are. */
  function firstOf(problems, language) {
    const found = [...problems].sort(byPlace);
    if (found.length <= language.many) return found;
    const last = found[language.many - 1];
    const more = Yaml.problem(language, "more_problems", last.line, last.column, "", "", { count: found.length - language.many });
    return [...found.slice(0, language.many), more];
  }

  function read(text, language) {
    const { node, problems } = Yaml.parse(text, language);
    if (!node) return { orders: null, problems: firstOf(problems, language), kingdom: "", turn: null, token: "" };
    const reading = new Reading(language, []);
    const { token, ...orders } = reading.read(language.orders, node, "") || {};
    const places = new Set(problems.map((each) => `${each.line}:${each.column}`));
    const found = reading.problems.sort(byPlace).filter((each) => !places.has(`${each.line}:${each.column}`));
    const all = firstOf([...problems, ...found, ...head(orders, node, language)], language);
    const { kingdom = "", turn = null } = orders;
    return { orders: all.length ? null : orders, problems: all, kingdom: kingdom || "", turn, token: token || "" };
  }

  return { read, Reading, same };
})();
