// YAML text -> tokens, as libyaml scans it: the engine reads orders with that, so this stops at the same places.
"use strict";

const YamlScan = (() => {
  const FAR = 1024; // letters that a key in one line may have before its colon
  const ESCAPES = {
    "0": "\0", a: "\x07", b: "\b", t: "\t", "\t": "\t", n: "\n", v: "\v", f: "\f", r: "\r", e: "\x1b", " ": " ",
    '"': '"', "/": "/", "\\": "\\", N: "\x85", _: "\xa0", L: "\u2028", P: "\u2029",
  };
  const DIGITS = { x: 2, u: 4, U: 8 };
  const BREAKS = "\r\n\x85\u2028\u2029";

  /** Reading stops here. mark: where; opened: where that began which went wrong, or null. */
  class Fault extends Error {
    constructor(what, mark, context = "", opened = null) {
      super(what);
      Object.assign(this, { what, mark, context, opened: opened || mark });
    }
  }

  /** Tokens {kind, start, end, value...} one by one; a mark is {index, line, column}, each from 0. */
  class Scanner {
    constructor(text) {
      this.letters = Array.from(text);
      Object.assign(this, { index: 0, line: 0, column: 0 });
      Object.assign(this, { tokens: [], taken: 0, done: false, flow: 0, indent: -1, indents: [] });
      this.keyAllowed = true; // whether a key may begin here
      this.keys = [null]; // per flow level: {required, number, mark} of what may turn out to be a key
      this.tokens.push(this.token("start"));
    }

    // --- the tokens, as many as are needed

    peek() {
      while ((this.mayBeKey() || !this.tokens.length) && !this.done) this.more();
      return this.tokens[0];
    }

    take() {
      const token = this.peek();
      this.tokens.shift();
      this.taken += 1;
      return token;
    }

    /** Whether the next token may turn out to be a key, which its colon decides. */
    mayBeKey() {
      const valid = this.keys.filter((_, level) => this.validKey(level));
      return valid.some((key) => key.number === this.taken);
    }

    /** Whether what was noted on this level may still be a key: its colon must stand in its line. */
    validKey(level) {
      const key = this.keys[level];
      if (!key) return false;
      if (key.mark.line < this.line || key.mark.index + FAR < this.index) {
        this.dropKey(level);
        return false;
      }
      return true;
    }

    dropKey(level) {
      const key = this.keys[level];
      if (key && key.required) throw new Fault("could not find expected ':'", this.mark(), "while scanning a simple key", key.mark);
      this.keys[level] = null;
    }

    saveKey() {
      if (!this.keyAllowed) return;
      this.dropKey(this.flow);
      const required = !this.flow && this.indent === this.column;
      this.keys[this.flow] = { required, number: this.taken + this.tokens.length, mark: this.mark() };
    }

    more() {
      this.skipSpace();
      this.unroll(this.column);
      const letter = this.at();
      if (letter === undefined) return this.end();
      if (this.column === 0 && letter === "%") return this.directive();
      if (this.documentMark()) return this.boundary(letter === "-" ? "document" : "document end");
      if (letter === "[" || letter === "{") return this.open(letter);
      if (letter === "]" || letter === "}") return this.close(letter);
      if (letter === ",") return this.separator();
      if (letter === "-" && this.blank(1)) return this.entry();
      if (letter === "?" && (this.flow || this.blank(1))) return this.explicitKey();
      if (letter === ":" && (this.flow || this.blank(1))) return this.value();
      if (letter === "*" || letter === "&") return this.anchor(letter === "*" ? "alias" : "anchor");
      if (letter === "!") return this.tag();
      if (!this.flow && (letter === "|" || letter === ">")) return this.block(letter);
      if (letter === "'" || letter === '"') return this.quoted(letter);
      if (!"-?:,[]{}#&*!|>'\"%@`\t".includes(letter) || (letter === "-" && !this.space(1)) || (!this.flow && "?:".includes(letter)))
        return this.plain();
      throw new Fault("found character that cannot start any token", this.mark(), "while scanning for the next token");
    }

    // --- letters

    at(ahead = 0) {
      return this.letters[this.index + ahead];
    }

    mark() {
      return { index: this.index, line: this.line, column: this.column };
    }

    token(kind, start = this.mark(), more = {}) {
      return { kind, start, end: this.mark(), ...more };
    }

    push(kind, start, more) {
      this.tokens.push(this.token(kind, start, more));
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
      const three = this.column === 0 && ["-", "."].includes(this.at()) && this.at(1) === this.at() && this.at(2) === this.at();
      return three && this.blank(3);
    }

    skipSpace() {
      for (;;) {
        while (this.at() === " " || (this.at() === "\t" && (this.flow || !this.keyAllowed))) this.skip();
        if (this.at() === "#") while (!this.lineEnd()) this.skip();
        if (this.at() === undefined || !this.lineEnd()) return;
        this.lineBreak();
        if (!this.flow) this.keyAllowed = true;
      }
    }

    // --- indentation

    unroll(column) {
      if (this.flow) return;
      while (this.indent > column) {
        this.push("block end");
        this.indent = this.indents.pop();
      }
    }

    /** A list or map begins where its first item or key is indented further; at: the place of its token. */
    roll(column, kind, mark, at = this.tokens.length) {
      if (this.flow || this.indent >= column) return;
      this.indents.push(this.indent);
      this.indent = column;
      this.tokens.splice(at, 0, { kind, start: mark, end: mark });
    }

    // --- one kind of token each

    end() {
      if (this.column !== 0) Object.assign(this, { column: 0, line: this.line + 1 });
      this.unroll(-1);
      this.dropKey(this.flow);
      this.keyAllowed = false;
      this.push("end");
      this.done = true;
    }

    boundary(kind) {
      this.unroll(-1);
      this.dropKey(this.flow);
      this.keyAllowed = false;
      const start = this.mark();
      this.skip(3);
      this.push(kind, start);
    }

    directive() {
      this.unroll(-1);
      this.dropKey(this.flow);
      this.keyAllowed = false;
      const start = this.mark();
      let text = this.next();
      while (/[A-Za-z0-9_-]/.test(this.at() || " ")) text += this.next();
      const named = this.mark();
      while (!this.lineEnd()) text += this.next();
      const version = /^%YAML[ \t]+(\d+\.\d+)[ \t]*(?:#|$)/.exec(text);
      if (!version && !/^%TAG[ \t]+!\S*[ \t]+\S+[ \t]*(?:#|$)/.test(text))
        throw new Fault("found unknown directive name", named, "while scanning a directive", start);
      this.push("directive", start, { version: version ? version[1] : "" });
      if (this.at() !== undefined) this.lineBreak();
    }

    open(letter) {
      this.saveKey();
      this.keys.push(null);
      this.flow += 1;
      this.keyAllowed = true;
      this.mono(letter);
    }

    close(letter) {
      this.dropKey(this.flow);
      if (this.flow) {
        this.keys.pop();
        this.flow -= 1;
      }
      this.keyAllowed = false;
      this.mono(letter);
    }

    separator() {
      this.dropKey(this.flow);
      this.keyAllowed = true;
      this.mono(",");
    }

    mono(kind) {
      const start = this.mark();
      this.skip();
      this.push(kind, start);
    }

    entry() {
      if (!this.flow) {
        if (!this.keyAllowed) throw new Fault("block sequence entries are not allowed in this context", this.mark());
        this.roll(this.column, "list", this.mark());
      }
      this.dropKey(this.flow);
      this.keyAllowed = true;
      this.mono("entry");
    }

    explicitKey() {
      if (!this.flow) {
        if (!this.keyAllowed) throw new Fault("mapping keys are not allowed in this context", this.mark());
        this.roll(this.column, "map", this.mark());
      }
      this.dropKey(this.flow);
      this.keyAllowed = !this.flow;
      this.mono("key");
    }

    value() {
      const key = this.validKey(this.flow) ? this.keys[this.flow] : null;
      if (key) {
        const at = key.number - this.taken;
        this.tokens.splice(at, 0, { kind: "key", start: key.mark, end: key.mark });
        this.roll(key.mark.column, "map", key.mark, at);
        this.keys[this.flow] = null;
        this.keyAllowed = false;
      } else {
        if (!this.flow) {
          if (!this.keyAllowed) throw new Fault("mapping values are not allowed in this context", this.mark());
          this.roll(this.column, "map", this.mark());
        }
        this.keyAllowed = !this.flow;
      }
      this.mono("value");
    }

    anchor(kind) {
      this.saveKey();
      this.keyAllowed = false;
      const start = this.mark();
      this.skip();
      let name = "";
      while (/[A-Za-z0-9_-]/.test(this.at() || " ")) name += this.next();
      if (!name || !(this.blank() || "?:,]}%@`".includes(this.at())))
        throw new Fault("did not find expected alphabetic or numeric character", this.mark(), `while scanning an ${kind}`, start);
      this.push(kind, start);
    }

    tag() {
      this.saveKey();
      this.keyAllowed = false;
      const start = this.mark();
      const verbatim = this.at(1) === "<";
      if (verbatim) this.skip(2);
      while (/[\w;/?:@&=+$.!~*'()-]/.test(this.at() || " ") || this.percent() || (verbatim && ",[]".includes(this.at() || " "))) this.skip();
      if (verbatim && this.at() === ">") this.skip();
      if (!this.blank() && !(this.flow && this.at() === ","))
        throw new Fault("did not find expected whitespace or line break", this.mark(), "while scanning a tag", start);
      this.push("tag", start);
    }

    /** Whether a letter of a tag stands here as its number: %20. */
    percent() {
      return /^%[0-9A-Fa-f]{2}/.test(this.letters.slice(this.index, this.index + 3).join(""));
    }

    plain() {
      this.saveKey();
      this.keyAllowed = false;
      const start = this.mark();
      let [end, text, spaces, leading, breaks, folded] = [start, "", "", "", "", false];
      for (;;) {
        if (this.documentMark() || this.at() === "#") break;
        while (!this.blank()) {
          if (this.flow && this.at() === ":" && ",?[]{}".includes(this.at(1) || " "))
            throw new Fault("found unexpected ':'", this.mark(), "while scanning a plain scalar", start);
          if ((this.at() === ":" && this.blank(1)) || (this.flow && ",[]{}".includes(this.at()))) break;
          text += folded ? joined(leading, breaks) : spaces;
          [spaces, leading, breaks, folded] = ["", "", "", false];
          text += this.next();
          end = this.mark();
        }
        if (this.at() === undefined || !this.blank()) break;
        while (this.at() !== undefined && this.blank()) {
          if (this.space()) {
            if (folded && this.column < this.indent + 1 && this.at() === "\t")
              throw new Fault("found a tab character that violates indentation", this.mark(), "while scanning a plain scalar", start);
            if (folded) this.skip();
            else spaces += this.next();
          } else if (folded) breaks += this.lineBreak();
          else [spaces, leading, folded] = ["", this.lineBreak(), true];
        }
        if (!this.flow && this.column < this.indent + 1) break;
      }
      if (folded) this.keyAllowed = true;
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
        let [spaces, leading, breaks, folded] = ["", "", "", false];
        while (!this.blank()) {
          if (quote === "'" && this.at() === "'" && this.at(1) === "'") {
            text += "'";
            this.skip(2);
          } else if (this.at() === quote) break;
          else if (quote === '"' && this.at() === "\\" && this.lineEnd(1) && this.at(1) !== undefined) {
            this.skip();
            this.lineBreak();
            folded = true;
            break;
          } else if (quote === '"' && this.at() === "\\") text += this.escape(start);
          else text += this.next();
        }
        if (this.at() === quote) break;
        while (this.at() !== undefined && this.blank()) {
          if (this.space()) {
            if (folded) this.skip();
            else spaces += this.next();
          } else if (folded) breaks += this.lineBreak();
          else [spaces, leading, folded] = ["", this.lineBreak(), true];
        }
        text += folded ? joined(leading, breaks) : spaces;
      }
      this.skip();
      this.push("text", start, { value: text, style: quote });
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
      const code = parseInt(digits, 16);
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
          if (this.at() === "0") throw new Fault("found an indentation indicator equal to 0", this.mark(), context, start);
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

  /** A line break inside a text is a space; further ones stay. */
  const joined = (leading, breaks) => (leading === "\n" ? breaks || " " : leading + breaks);

  return { Scanner, Fault };
})();
