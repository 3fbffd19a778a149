// What is filled into an offer: the slots in its value and words, and the way back from an order to what was filled in.

const Filling = (() => {
  const WHOLE = /^\u0001(\w+)\u0001$/; // a slot; its mark stands in no text that anybody typed
  const SLOT = /\u0001(\w+)\u0001/g;
  const empty = (value) => value === undefined || value === "" || value === null || (Array.isArray(value) && !value.length);

  /** The value with what was filled in; what stays empty falls away. undefined: nothing is left. */
  function filled(template, values) {
    if (typeof template === "string") {
      const whole = WHOLE.exec(template);
      if (whole) return empty(values[whole[1]]) ? undefined : values[whole[1]];
      return template.replace(SLOT, (_, name) => values[name]);
    }
    if (Array.isArray(template)) {
      const items = template.map((item) => filled(item, values)).filter((item) => item !== undefined);
      return items.length || !template.length ? items : undefined;
    }
    if (template && typeof template === "object") {
      const entries = Object.entries(template).map(([key, item]) => [key, filled(item, values)]);
      return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
    }
    return template;
  }

  /** A name without regard to small and capital letters. */
  const fold = (name) => name.toUpperCase().toLowerCase();

  /** A word with what was filled in, small and capital letters alike. */
  const word = (template, values) => template.replace(SLOT, (_, name) => fold(String(values[name])));

  /** What was filled into the template to make this value, null where it was not made of it. */
  function unfilled(template, value, values = {}) {
    if (typeof template === "string") {
      const whole = WHOLE.exec(template);
      if (whole) return { ...values, [whole[1]]: value };
      if (!template.includes("\u0001")) return template === value ? values : null;
      const names = [...template.matchAll(SLOT)].map((match) => match[1]);
      const source = template.split(SLOT).map((part, index) => (index % 2 ? "(.+?)" : part)).join("");
      const match = typeof value === "string" && new RegExp(`^${source}$`).exec(value);
      return match ? names.reduce((found, name, index) => ({ ...found, [name]: match[index + 1] }), values) : null;
    }
    if (template === null || typeof template !== "object") return template === value ? values : null;
    if (value === null || typeof value !== "object" || Array.isArray(template) !== Array.isArray(value)) return null;
    if (Object.keys(value).some((key) => !Object.hasOwn(template, key))) return null;
    for (const key in template) { // most orders differ from the first word on
      if (Object.hasOwn(value, key)) values = unfilled(template[key], value[key], values);
      if (values === null || (!Object.hasOwn(value, key) && filled(template[key], {}) !== undefined)) return null;
    }
    return values;
  }

  const optionOf = (offer, name, fits) => ((offer.fields || []).find((field) => field.name === name)?.options || []).find(fits);

  const each = (values, change) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(name, value)]));

  /** What was filled in, with what options mean in orders in place of their own words. */
  const meant = (offer, values) => each(values, (name, value) => {
    const means = (word) => optionOf(offer, name, (option) => option.value === word)?.means ?? word;
    return Array.isArray(value) ? value.map(means) : means(value);
  });

  /** The way back: what was filled in, with the options' own words; and what these options ask for that no order holds, as on whom. */
  function worded(offer, values) {
    const means = (option, value) => option.means !== undefined && JSON.stringify(option.means) === JSON.stringify(value);
    const word = (name, value) => optionOf(offer, name, (option) => means(option, value))?.value;
    const words = each(values, (name, value) => word(name, value) ?? (Array.isArray(value) ? value.map((part) => word(name, part) ?? part) : value));
    const asked = Object.entries(words).flatMap(([name, value]) =>
      Object.entries(optionOf(offer, name, (option) => option.value === value)?.when || {}));
    const must = (name) => (offer.fields || []).some((field) => field.name === name && !field.none);
    return asked.reduce((all, [name, among]) => (name in all || !must(name) ? all : { ...all, [name]: among[0] }), words);
  }

  return { filled, unfilled, meant, worded, word, empty, fold };
})();
