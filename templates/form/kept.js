// The draft: what is pressed and not sent yet is kept on this device, and offered when the page is opened again.
"use strict";

const Kept = (() => {
  const MARK = "#draft=";
  const TURNS = 3; // a draft that is so many turns old is forgotten
  const MOST = 5; // drafts of one page: what is pressed now, here and in other windows, and those about which nothing was decided

  const at = (id) => document.getElementById(id);
  const same = (one, other) => JSON.stringify([one.orders, one.own]) === JSON.stringify([other.orders, other.own]);
  const isOf = (one) => (other) => one.page === other.page;
  const isAsOld = (one) => (other) => one.page === other.page && one.at === other.at;

  function start(draft) {
    const { form } = draft;
    const series = `kingdom-draft-${form.draft.series}-`; // pages of all campaigns that a host shows share one storage
    const name = `${series}${form.turn}-${form.draft.attempt}`;
    const page = `${Date.now()}-${Math.random()}`; // this opening of the page: two windows may show it at once
    let copied = null; // what was copied or saved, and may have been sent in another way
    let began = now(); // what the page begins with, which needs no keeping
    let kept = !location.hash.startsWith(MARK); // what is read from there is kept nowhere until something is pressed
    const known = new Set(); // pages with a draft that was seen in the storage
    const decided = []; // drafts that are taken up, forgotten or sent
    let undecided = read(); // drafts that are neither, the newest first

    /** What is chosen. A token is never kept; a file of one's own lies on the device already. */
    function now() {
      const { kingdom, turn, token, ...orders } = draft.orders();
      const own = draft.owns().filter(({ key }) => key !== "token");
      const chosen = { page, at: Date.now(), offers: form.draft.offers, many: draft.entries.length + Object.keys(draft.some).length, orders, own };
      return { ...chosen, copied: copied !== null && same(chosen, copied) };
    }

    /** The drafts of a text as they can be pressed: other pages write into the same storage, and anybody writes an address. */
    function sound(text) {
      const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
      const isDraft = (each) => isMap(each) && isMap(each.orders) && Number.isInteger(each.many) && each.many >= 0 && !Number.isNaN(new Date(each.at).getTime());
      const isOwn = (line) => isMap(line) && typeof line.text === "string";
      return [JSON.parse(text)].flat().filter(isDraft).slice(0, MOST).map((each) => ({
        ...each,
        page: String(each.page),
        orders: Object.fromEntries(Object.entries(each.orders).filter(([key]) => Object.hasOwn(form.keys, key))),
        own: [each.own].flat().filter(isOwn).flatMap(({ text: line }) => OwnLines.parted(line) || []).filter(({ key }) => key !== "token"),
      }));
    }

    /** The drafts in the storage, null where this browser keeps nothing for the page. */
    function stored() {
      let text = null;
      try {
        text = localStorage.getItem(name);
      } catch {
        return null;
      }
      try {
        const found = sound(text || "[]");
        found.forEach((each) => known.add(each.page));
        return found;
      } catch {
        return []; // another page wrote there
      }
    }

    /** The drafts that were kept; those of turns long gone are forgotten. The address is cleared once it is read. */
    function read() {
      const found = [];
      if (location.hash.startsWith(MARK)) {
        try {
          found.push(...sound(decodeURIComponent(location.hash.slice(MARK.length))));
        } catch {
          Tray.tell("The draft in the address can't be read.");
        }
        inAddress([]);
      }
      try {
        for (const key of Object.keys(localStorage)) {
          if (key.startsWith(series) && parseInt(key.slice(series.length), 10) <= form.turn - TURNS) localStorage.removeItem(key);
        }
      } catch {
        // this browser keeps nothing for this page
      }
      found.push(...(stored() || []));
      return found.filter((each, index) => !same(each, began) && found.findIndex((other) => same(each, other)) === index);
    }

    /** Keep drafts in the storage; whether it did. */
    function inStorage(drafts) {
      try {
        if (drafts.length) localStorage.setItem(name, JSON.stringify(drafts));
        else localStorage.removeItem(name);
        return true;
      } catch {
        return false;
      }
    }

    /** Keep drafts in the address, without the letters in them; whether it did, with all that was in them. */
    function inAddress(drafts) {
      const of = (key) => form.keys[form.parts[key] || key];
      const isOpen = (key) => of(key) && !of(key).letters; // a word that is not known may be a misspelt letter
      const open = drafts.map((each) => ({
        ...each,
        orders: Object.fromEntries(Object.entries(each.orders).filter(([key]) => isOpen(key))),
        own: each.own.filter(({ key }) => isOpen(key)),
      }));
      try {
        history.replaceState(null, "", location.pathname + location.search + (drafts.length ? MARK + encodeURIComponent(JSON.stringify(open)) : ""));
        return open.every((each, index) => same(each, drafts[index]));
      } catch {
        return false;
      }
    }

    function keep() {
      const chosen = now();
      const there = stored();
      if (there) { // another window may have changed a draft since it was read here, or decided on it
        undecided = undecided.filter((each) => !known.has(each.page) || there.some(isOf(each))).map((each) => there.find(isOf(each)) || each);
      }
      const others = (there || []).filter((each) => each.page !== page && ![...undecided, ...decided].some(isAsOld(each)));
      const drafts = [...(same(chosen, began) ? [] : [chosen]), ...undecided, ...others].slice(0, MOST);
      const isStored = inStorage(drafts);
      if (isStored) drafts.forEach((each) => known.add(each.page));
      if (isStored && location.hash.startsWith(MARK)) inAddress([]);
      kept = isStored || inAddress(drafts) || !drafts.length;
      ask();
    }

    function ask() {
      const [first] = undecided;
      at("kept").hidden = !first;
      if (!first) return;
      const when = new Date(first.at);
      const hour = when.toLocaleTimeString("en-GB", { timeStyle: "short" });
      const day = when.toDateString() === new Date().toDateString() ? "" : `${when.toLocaleDateString("en-GB", { day: "numeric", month: "long" })}, `;
      const fate = first.copied ? "copied or saved. If you sent the copy, forget the draft." : "not sent.";
      const other = first.offers === form.draft.offers ? "" : " They were made for another state: look at each before you send them.";
      Dom.say(at("kept-words"), `${first.many} ${first.many === 1 ? "order" : "orders"} from ${day}${hour}, ${fate}${other}`);
    }

    /** Put a draft in place of what is chosen; whether it can be read. */
    function press({ orders, own }) {
      try {
        draft.load(orders);
        return !draft.addOwn(own);
      } catch {
        return false;
      }
    }

    /** Say what became of a draft. A button that is gone can't have the keyboard. */
    function tell(text) {
      Tray.tell(text);
      if (at("kept").hidden) at("chosen-title").focus();
    }

    at("kept-take").addEventListener("click", () => {
      const taken = undecided.shift();
      const chosen = now();
      decided.push(taken);
      if (press(taken)) {
        if (!same(chosen, began)) undecided.push({ ...chosen, page: `${chosen.page}-${chosen.at}` });
        keep();
        tell("Taken up where you left off.");
      } else {
        press(chosen);
        tell("This draft can't be read, and is forgotten. What you chose stays.");
      }
    });
    at("kept-forget").addEventListener("click", () => {
      decided.push(undecided.shift());
      keep();
      tell("Forgotten.");
    });
    at("send").addEventListener("click", () => {
      if (at("send").dataset.long || !form.address || draft.file) return; // nothing that is pressed here went out yet
      began = now();
      decided.push(...undecided.splice(0));
      keep();
    });
    for (const [id, event] of [["copy", "click"], ["save", "click"], ["send", "click"], ["orders", "copy"]]) {
      at(id).addEventListener(event, () => {
        if (draft.file) return;
        copied = now();
        keep();
      });
    }
    addEventListener("beforeunload", (event) => {
      const isTyped = [...document.querySelectorAll("textarea:not([readonly])")].some((box) => box.value.trim());
      if (!kept || isTyped) event.preventDefault(); // a letter that is not added yet is kept nowhere
    });
    draft.listeners.push(keep);
    ask();
  }

  return { start };
})();
