// The texts in YAML as libyaml reads them: plain, quoted, and in blocks. The letters they are read from, with their places.
"use strict";

const YamlTexts = (() => {
  const ESCAPES = {
    "0": "\0", a: "\x07", b: "\b", t: "\t", "\t": "\t", n: "\n", v: "\v", f: "\f", r: "\r", e: "\x1b", " ": " ",
    '"': '"', "/": "/", "\\": "\\", N: "\x85", _: "\xa0", L: "\u2028", P: "\u2029",
  };
  const DIGITS = { x: 2, u: 4, U: 8 };
  const NO_GAP = { text: "", folded: false };
  const BREAKS = "\r\n\x85\u2028\u2029";

  /** Reading stops here. mark: where; opened: where that began which went wrong, or null. */
  class Fault extends Error {
    constructor(what, mark, context = "", opened = null) {
      super(what);
      Object.assign(this, { what, mark, context, opened: opened || mark });
    }
  }

  /** The letters of a text, one after the other; a mark is {index, line, column}, each from 0. */
  class Letters {
    constructor(text) {
      this.letters = Array.from(text);
      Object.assign(this, { index: 0, line: 0, column: 0 });
    }

    at(ahead = 0) {
      return this.letters[this.index + ahead];
    }

    mark() {
      return { index: this.index, line: this.line, column: this.column };
    }

    space(ahead = 0) {
      return this.at(ahead) === " " || this.at(ahead) === "\t";
    }

    lineEnd(ahead = 0) {
      const letter = this.at(ahead);
      return letter === undefined || BREAKS.includes(letter);
    }

    blank(ahead = 0) {
      return this.space(ahead) || this.lineEnd(ahead);
    }

    skip(count = 1) {
      this.index += count;
      this.column += count;
    }

    next() {
      const letter = this.at();
      this.skip();
      return letter;
    }

    /** Go to the next line; gives the break as it counts in a text. */
    lineBreak() {
      const letter = this.at();
      this.index += letter === "\r" && this.at(1) === "\n" ? 2 : 1;
      this.line += 1;
      this.column = 0;
      return letter === "\u2028" || letter === "\u2029" ? letter : "\n";
    }

    documentMark() {
      const letter = this.column === 0 ? this.at() : "";
      return (letter === "-" || letter === ".") && this.at(1) === letter && this.at(2) === letter && this.blank(3);
    }
  }

  /** Reads the texts among the tokens; what a key is and how far a line is indented, its heir knows. */
  class Texts extends Letters {
    plain() {
      this.saveKey();
      this.keyAllowed = false;
      const start = this.mark();
      const context = "while scanning a plain scalar";
      const inside = () => {
        if (this.at() === "\t" && this.column < this.indent + 1)
          throw new Fault("found a tab character that violates indentation", this.mark(), context, start);
      };
      let [text, end, gap] = ["", start, NO_GAP];
      for (;;) {
        if (this.documentMark() || this.at() === "#") break;
        while (!this.blank()) {
          if (this.flow && this.at() === ":" && ",?[]{}".includes(this.at(1) || " "))
            throw new Fault("found unexpected ':'", this.mark(), context, start);
          if ((this.at() === ":" && this.blank(1)) || (this.flow && ",[]{}".includes(this.at()))) break;
          text += gap.text + this.next();
          [gap, end] = [NO_GAP, this.mark()];
        }
        if (this.at() === undefined || !this.blank()) break;
        gap = this.gap(false, inside);
        if (!this.flow && this.column < this.indent + 1) break;
      }
      if (gap.folded) this.keyAllowed = true;
      this.tokens.push({ kind: "text", start, end, value: text, style: "" });
    }

    quoted(quote) {
      this.saveKey();
      this.keyAllowed = false;
      const start = this.mark();
      const context = "while scanning a quoted scalar";
      this.skip();
      let text = "";
      for (;;) {
        if (this.documentMark()) throw new Fault("found unexpected document indicator", this.mark(), context, start);
        if (this.at() === undefined) throw new Fault("found unexpected end of stream", this.mark(), context, start);
        let folded = false;
        while (!this.blank() && !folded) {
          if (quote === "'" && this.at() === "'" && this.at(1) === "'") {
            text += "'";
            this.skip(2);
          } else if (this.at() === quote) break;
          else if (quote === '"' && this.at() === "\\" && this.lineEnd(1) && this.at(1) !== undefined) {
            this.skip();
            this.lineBreak();
            folded = true;
          } else if (quote === '"' && this.at() === "\\") text += this.escape(start);
          else text += this.next();
        }
        if (!folded && this.at() === quote) break;
        text += this.gap(folded).text;
      }
      this.skip();
      this.push("text", start, { value: text, style: quote });
    }

    /** What stands between two words of a text, and what it counts as: a line break is a space, further ones stay.
     *
     * folded: a line break has been passed already. inside: what must hold of a space behind one.
     */
    gap(folded, inside = () => {}) {
      let [spaces, leading, breaks] = ["", "", ""];
      while (this.at() !== undefined && this.blank()) {
        if (this.space()) {
          if (folded) inside();
          spaces += this.next();
        } else if (folded) breaks += this.lineBreak();
        else [leading, folded] = [this.lineBreak(), true];
      }
      return { text: !folded ? spaces : leading === "\n" ? breaks || " " : leading + breaks, folded };
    }

    escape(start) {
      const context = "while parsing a quoted scalar";
      const kind = this.at(1);
      if (kind in ESCAPES) {
        this.skip(2);
        return ESCAPES[kind];
      }
      if (!(kind in DIGITS)) throw new Fault("found unknown escape character", this.mark(), context, start);
      this.skip(2);
      const digits = this.letters.slice(this.index, this.index + DIGITS[kind]).join("");
      if (!/^[0-9A-Fa-f]+$/.test(digits) || digits.length < DIGITS[kind])
        throw new Fault("did not find expected hexdecimal number", this.mark(), context, start);
      let code = parseInt(digits, 16);
      const low = this.letters.slice(this.index + 4, this.index + 10).join("");
      if (kind === "u" && code >= 0xd800 && code <= 0xdbff && /^\\ud[c-f][0-9a-f]{2}$/i.test(low)) {
        // as JSON writes one letter
        code = 0x10000 + ((code & 0x3ff) << 10) + (parseInt(low.slice(2), 16) & 0x3ff);
        this.skip(6);
      }
      if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff)
        throw new Fault("found invalid Unicode character escape code", this.mark(), context, start);
      this.skip(DIGITS[kind]);
      return String.fromCodePoint(code);
    }

    block(style) {
      this.dropKey(this.flow);
      this.keyAllowed = true;
      const start = this.mark();
      const context = "while scanning a block scalar";
      this.skip();
      const [keep, indent] = this.blockHead(start, context);
      let [text, leading, lastBlank] = ["", "", false];
      const found = this.blockBreaks(indent, start, context);
      let [level, breaks, end] = [found.indent, found.breaks, found.end];
      while (this.column === level && this.at() !== undefined) {
        const blank = this.space();
        if (style === ">" && leading.startsWith("\n") && !lastBlank && !blank) text += breaks ? "" : " ";
        else text += leading;
        text += breaks;
        lastBlank = blank;
        while (!this.lineEnd()) text += this.next();
        leading = this.at() === undefined ? "" : this.lineBreak();
        ({ indent: level, breaks, end } = this.blockBreaks(level, start, context));
      }
      if (keep !== "-") text += leading;
      if (keep === "+") text += breaks;
      this.tokens.push({ kind: "text", start, end, value: text, style });
    }

    /** [what becomes of the last line breaks, how far the text is indented (0: as its first line)]. */
    blockHead(start, context) {
      let [keep, step] = ["", 0];
      for (let part = 0; part < 2; part += 1) {
        if (!keep && "+-".includes(this.at() || " ")) keep = this.next();
        else if (!step && /[0-9]/.test(this.at() || " ")) {
          if (this.at() === "0")
            throw new Fault("found an indentation indicator equal to 0", this.mark(), context, start);
          step = Number(this.next());
        }
      }
      while (this.space()) this.skip();
      if (this.at() === "#") while (!this.lineEnd()) this.skip();
      if (!this.lineEnd()) throw new Fault("did not find expected comment or line break", this.mark(), context, start);
      if (this.at() !== undefined) this.lineBreak();
      return [keep, step && (this.indent >= 0 ? this.indent + step : step)];
    }

    blockBreaks(indent, start, context) {
      let [breaks, most, end] = ["", 0, this.mark()];
      for (;;) {
        while ((!indent || this.column < indent) && this.at() === " ") this.skip();
        most = Math.max(most, this.column);
        if ((!indent || this.column < indent) && this.at() === "\t")
          throw new Fault("found a tab character where an indentation space is expected", this.mark(), context, start);
        if (this.at() === undefined || !this.lineEnd()) break;
        breaks += this.lineBreak();
        end = this.mark();
      }
      return { indent: indent || Math.max(most, this.indent + 1, 1), breaks, end };
    }
  }

  return { Texts, Fault };
})();
