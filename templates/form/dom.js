// Making elements. Every text goes in as text, so nothing that anybody typed is ever read as markup.

const Dom = (() => {
  /** An element with attributes, listeners (a function under `onclick`) and children, texts or elements. */
  function make(tag, given = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(given)) {
      if (typeof value === "function") element.addEventListener(name.slice(2), value);
      else if (typeof value === "boolean") element.toggleAttribute(name, value);
      else if (value !== null && value !== undefined) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
    return element;
  }

  /** What people typed, isolated from the direction in which the words around it are written. */
  const typed = (text) => make("bdi", {}, text);

  /** A sentence of the game's: what is to be typed stands between backticks in it, and in its own type on the page. */
  const said = (tag, given, text) => make(tag, given, ...text.split(/`([^`\n]+)`/).map((part, index) => (index % 2 ? make("code", {}, part) : part)));

  const button = (text, press, given = {}) => make("button", { type: "button", onclick: press, ...given }, text);

  /** Change a text only where it is other, so that a screen reader says what changed and no more. */
  const say = (element, text) => {
    if (element.textContent !== text) element.textContent = text;
  };

  let ids = 0;
  const id = () => `part-${(ids += 1)}`;

  return { make, said, typed, button, say, id };
})();
