// Short forms: `house in Oakhold at A1` for {in: Oakhold, build: house, lot: A1}, by the patterns that the shapes declare.
//
// A pattern has slots in braces, in square brackets what may be left out, in round ones a letter that need not be typed.
"use strict";

const ShortForms = (() => {
  const SLOT = /\{(\w+)\}/g;
  const TOKEN = /(\{\w+\}|\s+|[[\]]|\(\w\))/;
  const SPACE = `[${Words.SPACES}]`;
  const WORDS = `[^${Words.SPACES}]+(?:${SPACE}+[^${Words.SPACES}]+){0,3}?`; // a word of a closed list has a few words at most
  const LABEL = "(?!00)\\p{Nd}{2}(?!00)\\p{Nd}{2}";
  const BESIDES = { text: "", inner: 0 };

  const textNode = (value, line, column, inner = 0) => ({ kind: "text", value, line, column, quoted: true, inner });

  /** A piece of a text, at its own column where that can be told. */
  function part(node, start, end) {
    const inner = node.inner ? node.inner + Words.size(node.value.slice(0, start)) : 0;
    return textNode(node.value.slice(start, end), node.line, inner || node.column, inner);
  }

  /** The items of a list that was written as one text: its `words`, what stands between its `commas`, or all as `one`. */
  function pieces(how, node) {
    if (how === "one") return [node];
    const item = how === "words" ? `[^,${Words.SPACES}]+` : `[^,${Words.SPACES}](?:[^,]*[^,${Words.SPACES}])?`;
    const found = [...node.value.matchAll(new RegExp(item, "gu"))];
    return found.map((match) => part(node, match.index, match.index + match[0].length));
  }

  /** The source of a word as anybody may spell it. */
  const spelt = (word) => Words.escaped(word).replace(/_/g, `[_\\-${Words.SPACES}]+`);

  /** A text split behind the longest of these words that it begins with: [the word, the rest or null]. */
  function firstWord(node, words, longest) {
    if (Words.size(node.value) > longest) return [node, null];
    for (const word of [...words].sort((one, other) => other.length - one.length)) {
      const match = new RegExp(`^(${spelt(word)})${SPACE}+(?=[^${Words.SPACES}])`, "iu").exec(node.value);
      if (match) return [part(node, 0, match[1].length), part(node, match[0].length, node.value.length)];
    }
    return [node, null];
  }

  /** [the case's word where texts begin with it, its record, the pattern] of each short form, in the order of trying. */
  function patterns(shape) {
    if (shape.kind === "Record") return (shape.short || []).map((pattern) => ["", shape, pattern]);
    return Object.entries(shape.cases).flatMap(([word, record]) =>
      (record.short || []).map((pattern) => [shape.by ? word : "", record, pattern])
    );
  }

  const slotsIn = (pattern) => [...pattern.matchAll(SLOT)].map((match) => match[1]);

  /** What a slot takes: what is right, or else any one word. */
  function taken(of, strict) {
    if (of.kind === "Word" || of.kind === "Id") return WORDS;
    const right = of.kind === "Label" ? LABEL : of.kind === "Number" ? "[+-]?\\p{Nd}+" : Words.pattern(of.pattern || "");
    if (!right) return "[^]+?";
    return strict ? right : `[^${Words.SPACES}]+`;
  }

  /** The regular expression of a pattern; its words are read without regard to case. */
  function compiled(record, pattern, word, strict) {
    const known = (compiled.known = compiled.known || new WeakMap());
    if (!known.has(record)) known.set(record, new Map());
    const key = `${strict} ${word} ${pattern}`;
    if (!known.get(record).has(key)) known.get(record).set(key, regular(record, pattern, word, strict));
    return known.get(record).get(key);
  }

  function regular(record, pattern, word, strict) {
    const body = pattern.split(TOKEN).map((token, index) => {
      if (index % 2 === 0) return Words.escaped(token);
      if (token[0] === "{") return `(?<${token.slice(1, -1)}>${taken(record.keys[token.slice(1, -1)], strict)})`;
      if (token[0] === "(") return `${token[1]}?`;
      return { "[": "(?:", "]": ")?" }[token] || `${SPACE}+`;
    });
    return new RegExp(`^(?:${word ? `${spelt(word)}${SPACE}+` : ""}${body.join("")})$`, "diu");
  }

  /** Whether a slot's text can be what the slot is for. */
  function fits(reading, shape, text) {
    if (shape.kind === "Either") return shape.shapes.some((of) => fits(reading, of, text));
    if (shape.kind === "ListOf") return Words.split(text).every((word) => fits(reading, shape.of, word));
    if (shape.kind === "Label") return isLabel(text);
    if (shape.kind === "Word") return reading.knows(shape, Words.snake(text));
    return true;
  }

  const isLabel = (text) => /^(?!00)[0-9]{2}(?!00)[0-9]{2}$/.test(text);

  /** [slot, node] of each slot that the text fills, null where it does not fit. */
  function slots(reading, record, pattern, word, node, strict) {
    const bare = Words.strip(node.value);
    const match = compiled(record, pattern, word, strict).exec(bare);
    if (!match) return null;
    const offset = node.value.indexOf(bare);
    const found = slotsIn(pattern).filter((slot) => match.groups[slot] !== undefined);
    const filled = found.map((slot) => [slot, part(node, ...match.indices.groups[slot].map((at) => at + offset))]);
    return strict && !filled.every(([slot, value]) => fits(reading, record.keys[slot], value.value)) ? null : filled;
  }

  /** The record that a text is short for. A pattern whose every slot fits goes before one whose words alone do. */
  function read(reading, shape, node, path) {
    for (const strict of Words.size(node.value) <= reading.language.longest ? [true, false] : []) {
      for (const [word, record, pattern] of patterns(shape)) {
        const filled = slots(reading, record, pattern, word, node, strict);
        if (!filled) continue;
        const named = filled.map(([slot, value]) => [textNode(slot, value.line, value.column), value]);
        const values = reading.keys(record, { ...BESIDES, kind: "map", value: named, line: node.line, column: node.column }, path);
        return shape.kind === "OneOf" && shape.by ? { [shape.by]: word, ...values } : values;
      }
    }
    const code = Words.strip(node.value) ? "short_form" : "empty_text";
    const facts = { word: Words.shown(node.value), meaning: shape.meaning, example: example(reading, shape, node.value) };
    return reading.note(code, node, path, facts);
  }

  /** The shortest of the short forms that begin as what was typed, of all where none does; the long one where there is none. */
  function example(reading, shape, typed) {
    const all = patterns(shape).map(([word, record, pattern]) => {
      const plain = written(pattern.replace(/\[[^\]]*\]/g, ""));
      const filled = plain.replace(SLOT, (_, slot) => reading.named(record.keys[slot].shown).replace(/^["[\]]+|["[\]]+$/g, ""));
      return Words.strip(`${word} ${filled}`);
    });
    const [first] = Words.split(typed.toLowerCase());
    const alike = first ? all.filter((each) => each.toLowerCase().startsWith(first)) : [];
    const from = (alike.length ? alike : all).filter((each) => each);
    return from.reduce((least, each) => (Words.size(each) < Words.size(least) ? each : least), from[0] || reading.named(shape.shown));
  }

  const written = (pattern) => pattern.replace(/\((\w)\)/g, "$1");

  // --- writing them

  /** The text that is short for a record, null where no pattern says all of it, or would be read as something else. */
  function write(language, shape, value) {
    const by = shape.kind === "OneOf" ? shape.by || "" : "";
    for (const [word, record, pattern] of patterns(shape)) {
      if (by && value[by] !== word) continue;
      const slots = Object.entries(value).filter(([key]) => key !== by);
      const filled = fill(pattern, new Map(slots.map(([key, of]) => [key, Array.isArray(of) ? of.join(" ") : String(of)])));
      if (filled === null) continue;
      const text = by ? `${word} ${filled}` : filled;
      const again = new Reader.Reading({ ...language, names: {} }, []);
      const same = Reader.same(read(again, shape, textNode(text, 1, 1), ""), value);
      return same && !again.problems.length ? text : null;
    }
    return null;
  }

  /** The pattern with these slots, all of them used; null where it has no place for one or lacks one. */
  function fill(pattern, slots) {
    let [text, used] = ["", 0];
    for (const piece of written(pattern).split(/(\[[^\]]*\])/)) {
      const names = slotsIn(piece);
      const optional = piece[0] === "[";
      if (!names.length && optional) continue;
      if (names.every((name) => slots.has(name))) {
        text += piece.replace(/^[[\]]+|[[\]]+$/g, "").replace(SLOT, (_, slot) => slots.get(slot));
        used += names.length;
      } else if (!optional) return null;
    }
    return used === slots.size ? text : null;
  }

  return { pieces, firstWord, read, write, isLabel };
})();
