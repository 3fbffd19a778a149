// YAML text -> tokens, as libyaml scans it: the engine reads orders with that, so this stops at the same places.
"use strict";

const YamlScan = (() => {
  const FAR = 1024; // letters that a key in one line may have before its colon
  const TAG = /[\w;/?:@&=+$.!~*'()-]/;
  const NO_PLAIN = "-?:,[]{}#&*!|>'\"%@`\t"; // what no plain text begins with
  const { Texts, Fault } = YamlTexts;

  /** Tokens {kind, start, end, value...} one by one. */
  class Scanner extends Texts {
    constructor(text) {
      super(text);
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
      if (key && key.required)
        throw new Fault("could not find expected ':'", this.mark(), "while scanning a simple key", key.mark);
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
      this.mayBeKey(); // what had to be a key in a line above, and was none, is told before what stands here
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
      const plain = !NO_PLAIN.includes(letter) || (letter === "-" && !this.space(1));
      if (plain || (!this.flow && "?:".includes(letter))) return this.plain();
      throw new Fault("found character that cannot start any token", this.mark(), "while scanning for the next token");
    }

    token(kind, start = this.mark(), more = {}) {
      return { kind, start, end: this.mark(), ...more };
    }

    push(kind, start, more) {
      this.tokens.push(this.token(kind, start, more));
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
      const listed = verbatim ? ",[]" : "";
      while (TAG.test(this.at() || " ") || this.percent() || listed.includes(this.at() || " ")) this.skip();
      if (verbatim && this.at() === ">") this.skip();
      if (!this.blank() && !(this.flow && this.at() === ","))
        throw new Fault("did not find expected whitespace or line break", this.mark(), "while scanning a tag", start);
      this.push("tag", start);
    }

    /** Whether a letter of a tag stands here as its number: %20. */
    percent() {
      return /^%[0-9A-Fa-f]{2}/.test(this.letters.slice(this.index, this.index + 3).join(""));
    }
  }

  return { Scanner };
})();
