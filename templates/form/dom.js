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

  /** A heading, h2 to h4, whose button unfolds what `fill` puts into `inside`: made when it is first opened, kept up to date while it is open. */
  function fold(draft, level, title, fill, given = {}) {
    const inside = make("div", { class: "inside", hidden: true });
    const knob = button("", () => open(inside.hidden), { class: "fold", "aria-expanded": "false", ...given });
    knob.append(typed(title));
    let refresh = null;
    const look = () => inside.hidden || refresh.forEach((each) => each());
    function open(isOpen = true) {
      refresh ??= draft.gathered(() => fill(inside));
      inside.hidden = !isOpen;
      knob.setAttribute("aria-expanded", isOpen);
      look();
    }
    knob.unfold = open;
    draft.listeners.push(look);
    return { element: make("div", { class: "part" }, make(level, {}, knob), inside), open };
  }

  /** Make the buttons of a group one stop for the Tab key: arrow keys go from one to the next. */
  function roving(hold) {
    const all = () => [...hold.querySelectorAll("button, select")].filter((each) => !each.disabled && !each.closest("[hidden]"));
    let held = null; // the one at which the Tab key stops
    const stop = (chosen) => {
      held = chosen;
      for (const each of all()) each.setAttribute("tabindex", each === chosen ? 0 : -1);
    };
    hold.addEventListener("focusin", (event) => all().includes(event.target) && stop(event.target));
    hold.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      const next = step && event.target.localName === "button" && all()[all().indexOf(event.target) + step];
      if (!next) return;
      event.preventDefault();
      next.focus();
    });
    return () => stop(all().includes(held) ? held : all()[0]);
  }

  return { make, said, typed, button, say, id, fold, roving };
})();
