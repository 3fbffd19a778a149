// Orders in the long form -> the text of an orders file, as kingdom/orders/yaml_out.py writes it.

const Writer = (() => {
  const WIDTH = 100; // columns; a longer list has an item a line
  const PLAIN = /^[A-Za-z](?:[A-Za-z0-9_ .'-]*[A-Za-z0-9_.'])?$/;
  const OTHERWISE_READ = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf"];
  const ODD = /[\x7f-\xa0\xad\u0600-\u0605\u061c\u180e]|[\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]/g;

  /** A text, in quotes where any YAML reader might take it for something else. */
  function scalar(text) {
    if (PLAIN.test(text) && !OTHERWISE_READ.includes(text.toLowerCase())) return text;
    return JSON.stringify(text).replace(ODD, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
  }

  /** A value in one line. */
  function flow(value) {
    if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
    if (value === null) return "null";
    if (typeof value === "object") return `{${Object.entries(value).map(([key, item]) => `${scalar(key)}: ${flow(item)}`).join(", ")}}`;
    return typeof value === "string" ? scalar(value) : String(value);
  }

  function below(key, value) {
    const line = flow(value);
    const long = Array.isArray(value) && value.length && (typeof value[0] === "object" || key.length + line.length + 2 > WIDTH);
    return long ? `\n${value.map((item) => `  - ${flow(item)}`).join("\n")}` : ` ${line}`;
  }

  /** The text of a map: a line for each key, or an indented line for each item of a list of maps. */
  const dump = (orders) => Object.entries(orders).map(([key, value]) => `${scalar(key)}:${below(key, value)}\n`).join("");

  return { dump, scalar, flow };
})();
