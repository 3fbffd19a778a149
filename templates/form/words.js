// Words as the engine reads them: what counts as a space, one word in many spellings, the nearest known word, messages.
"use strict";

const Words = (() => {
  const SPACES = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
  const RUN = new RegExp(`[${SPACES}]+`, "u");
  const ENDS = new RegExp(`^[${SPACES}]+|[${SPACES}]+$`, "gu");
  const LONGEST = 60; // letters of a word that a near one is looked for
  const LEAST_STEM = 3; // letters
  const NEAR = 0.6; // how alike two words must be, 0 to 1
  const HEAD = ["kingdom", "turn"]; // the keys that orders begin with
  const OTHER_HEAD = new Map( // and what else may be meant so
    Object.entries({ player: "kingdom", seat: "kingdom", round: "turn", lap: "turn", game: "", campaign: "" }),
  );

  /** The text without the spaces around it. */
  const strip = (text) => text.replace(ENDS, "");

  /** The words of a text. */
  const split = (text) => strip(text).split(RUN).filter((word) => word);

  /** How many letters a text has; what lies outside the first 65,536 counts once. */
  const size = (text) => {
    let count = 0;
    for (const _ of text) count += 1;
    return count;
  };

  /** The first letters of a text. */
  const first = (text, most) => (text.length <= most ? text : Array.from(text).slice(0, most).join(""));

  /** "Very Long", "very-long" and "very_long" are one word; apostrophes count for nothing. */
  function snake(typed) {
    const text = typed.toLowerCase();
    if (/^[a-z_][a-z0-9_]*$/.test(text)) return text;
    return split(text.replace(/['\u2019]/g, "").replace(/[-_]/g, " ")).join("_");
  }

  /** A text in one line, its runs of space made one, its accents composed. */
  const oneLine = (text) => split(text).join(" ").normalize("NFC");

  /** A text as a message may quote it: one line, shortened. */
  function shown(text, most = 40) {
    const line = split(text).join(" ");
    return size(line) <= most ? line : first(line, most - 3) + "...";
  }

  /** A message with its facts filled in. */
  function filled(message, facts) {
    return message.replace(/\{(\w+)(:04X)?\}/g, (_, name, hex) =>
      hex ? facts[name].toString(16).toUpperCase().padStart(4, "0") : String(facts[name])
    );
  }

  /** How many letters two texts share: the longest run that stands in both, and so on to its left and right. */
  function shared(one, other) {
    let [length, from, to] = [0, 0, 0];
    let before = new Map();
    one.forEach((letter, i) => {
      const runs = new Map();
      other.forEach((same, j) => {
        if (same !== letter) return;
        const run = (before.get(j - 1) || 0) + 1;
        runs.set(j, run);
        if (run > length) [length, from, to] = [run, i - run + 1, j - run + 1];
      });
      before = runs;
    });
    if (!length) return 0;
    const left = shared(one.slice(0, from), other.slice(0, to));
    return length + left + shared(one.slice(from + length), other.slice(to + length));
  }

  /** The choice nearest in spelling, "" where none is near; of two as near the one that comes later in the alphabet. */
  function nearest(word, choices) {
    const typed = Array.from(first(word, LONGEST));
    let [best, found] = [0, ""];
    for (const choice of choices) {
      const letters = Array.from(choice);
      const total = letters.length + typed.length;
      const alike = total ? (2 * shared(letters, typed)) / total : 1;
      if (alike >= NEAR && (alike > best || (alike === best && choice > found))) [best, found] = [alike, choice];
    }
    return found;
  }

  /** The one choice that begins as the word does without its ending: `taxation` for `taxes`; "" for none or several. */
  function byStem(word, choices) {
    const letters = Array.from(word);
    for (const cut of [0, 1, 2]) {
      const stem = letters.slice(0, Math.max(letters.length - cut, 0)).join("");
      const alike = letters.length - cut >= LEAST_STEM ? choices.filter((choice) => choice.startsWith(stem)) : [];
      if (alike.length) return alike.length === 1 ? alike[0] : "";
    }
    return "";
  }

  /** What would be right instead of a word: [a sentence with a space before it, the nearest known word or ""]. */
  function cure(word, known) {
    const ofHead = OTHER_HEAD.has(word) && HEAD.every((key) => known.includes(key));
    const near = ofHead ? OTHER_HEAD.get(word) : nearest(word, known) || byStem(word, known);
    if (ofHead && !near) return [" Leave it out.", ""];
    if (near) return [` Did you mean \`${near}\`?`, near];
    return known.length > 0 && known.length <= 16 ? [` Known are: ${known.join(", ")}.`, ""] : ["", ""];
  }

  /** The source of a regular expression of Python's as this browser writes it. */
  const pattern = (source) =>
    source.replace(/\\([dsS])/g, (_, kind) => ({ d: "\\p{Nd}", s: `[${SPACES}]`, S: `[^${SPACES}]` })[kind]);

  /** A text as a regular expression that matches it and nothing else. */
  const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

  return { SPACES, strip, split, size, first, snake, oneLine, shown, filled, nearest, cure, pattern, escaped };
})();
