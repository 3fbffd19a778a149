// The draft: what is pressed and not sent yet is kept on this device, and offered when the page is opened again.

const Kept = (() => {
  const MARK = "#draft=";
  const TURNS = 3; // a draft that is so many turns old is forgotten
  const MOST = 5; // drafts of one page: what is pressed now, here and in other windows, and those about which nothing was decided

  const at = (id) => document.getElementById(id);
  const same = (one, other) => JSON.stringify([one.orders, one.own]) === JSON.stringify([other.orders, other.own]);
  const isOf = (one) => (other) => one.page === other.page;
  /** What a function gives, the other where it fails. */
  function tried(get, other) {
    try {
      return get();
    } catch {
      return other;
    }
  }

  function start(draft) {
    const { form } = draft;
    const series = `kingdom-draft-${form.draft.series}-`; // all pages of a host share one storage
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
      return { page, at: Date.now(), offers: form.draft.offers, many: draft.entries.length, letters: 0, orders, own, copied: copied !== null && same({ orders, own }, copied) };
    }

    /** The drafts of a text as they can be pressed, null where it can't be read: other pages write into the same storage, and anybody an address. */
    function sound(text) {
      const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
      const isDraft = (each) => isMap(each) && isMap(each.orders) && Number.isInteger(each.many) && each.many >= 0 && !Number.isNaN(new Date(each.at).getTime());
      const drafts = tried(() => [JSON.parse(text())].flat(), null);
      return drafts && drafts.filter(isDraft).slice(0, MOST).map((each) => ({
        ...each,
        page: String(each.page),
        letters: Number(each.letters) || 0,
        orders: Object.fromEntries(Object.entries(each.orders).filter(([key]) => Object.hasOwn(form.keys, key))),
        own: [each.own].flat().filter((line) => isMap(line) && typeof line.text === "string").flatMap(({ text: line }) => OwnLines.parted(line) || []).filter(({ key }) => key !== "token"),
      }));
    }

    /** The drafts in the storage, null where this browser keeps nothing for the page. */
    function stored() {
      const found = sound(() => localStorage.getItem(name) || "[]");
      for (const each of found || []) known.add(each.page);
      return found;
    }

    /** The drafts that were kept; those of turns long gone are forgotten. The address is cleared once it is read. */
    function read() {
      const found = [];
      if (location.hash.startsWith(MARK)) {
        const given = sound(() => decodeURIComponent(location.hash.slice(MARK.length)));
        if (given) found.push(...given);
        else Tray.tell("The draft in the address can't be read.");
        inAddress([]);
      }
      const isOld = (key) => key.startsWith(series) && parseInt(key.slice(series.length), 10) <= form.turn - TURNS;
      tried(() => Object.keys(localStorage).filter(isOld).forEach((key) => localStorage.removeItem(key)));
      found.push(...(stored() || []));
      return found.filter((each, index) => (each.letters || !same(each, began)) && found.findIndex((other) => same(each, other)) === index);
    }

    /** Keep drafts in the storage; whether it did. */
    function inStorage(drafts) {
      const write = drafts.length ? () => localStorage.setItem(name, JSON.stringify(drafts)) : () => localStorage.removeItem(name);
      return tried(() => write() === undefined, false);
    }

    /** Keep drafts in the address, without the letters in them; whether it did, with all that was in them. */
    function inAddress(drafts) {
      const of = (key) => form.keys[form.parts[key] || key];
      const isOpen = (key) => of(key) && !of(key).letters; // a word that is not known may be a misspelt letter
      const letters = ({ orders, own }) => [...own, ...Object.keys(orders).flatMap((key) => [orders[key]].flat().map(() => ({ key })))].filter(({ key }) => !isOpen(key)).length;
      const open = drafts.map((each) => ({
        ...each,
        many: each.many - letters(each),
        letters: each.letters + letters(each),
        orders: Object.fromEntries(Object.entries(each.orders).filter(([key]) => isOpen(key))),
        own: each.own.filter(({ key }) => isOpen(key)),
      }));
      return tried(() => {
        history.replaceState(history.state, "", location.pathname + location.search + (drafts.length ? MARK + encodeURIComponent(JSON.stringify(open)) : ""));
        return open.every((each, index) => same(each, drafts[index]));
      }, false);
    }

    function keep() {
      const chosen = now();
      const there = stored();
      if (there) { // another window may have changed a draft since it was read here, or decided on it
        undecided = undecided.filter((each) => !known.has(each.page) || there.some(isOf(each))).map((each) => there.find(isOf(each)) || each);
      }
      const others = (there || []).filter((each) => each.page !== page && ![...undecided, ...decided].some(({ page: of, at: when }) => of === each.page && when === each.at));
      const drafts = [...(same(chosen, began) ? [] : [chosen]), ...undecided, ...others].slice(0, MOST);
      const isStored = inStorage(drafts);
      if (isStored) drafts.forEach((each) => known.add(each.page));
      if (isStored && location.hash.startsWith(MARK)) inAddress([]);
      kept = isStored || inAddress(drafts) || !drafts.length;
      ask();
    }

    function ask() {
      const [first] = undecided;
      if (!first && at("kept").contains(document.activeElement)) at("chosen-title").focus(); // a button that is gone can't have the keyboard
      at("kept").hidden = !first;
      if (!first) return;
      const when = new Date(first.at);
      const hour = when.toLocaleTimeString("en-GB", { timeStyle: "short" });
      const day = when.toDateString() === new Date().toDateString() ? "" : `${when.toLocaleDateString("en-GB", { day: "numeric", month: "long" })}, `;
      const fate = first.copied ? "copied or saved. If you sent the copy, forget the draft." : "not sent.";
      const other = first.offers === form.draft.offers ? "" : " They were made for another state: look at each before you send them.";
      const lost = first.letters ? ` Your messages (${first.letters}) were not kept.` : "";
      Dom.say(at("kept-words"), `${first.many} ${first.many === 1 ? "order" : "orders"} from ${day}${hour}, ${fate}${lost}${other}`);
    }

    /** Put a draft in place of what is chosen; whether it can be read. */
    const press = ({ orders, own }) => tried(() => {
      draft.load(orders);
      return !draft.addOwn(own);
    }, false);

    at("kept-take").addEventListener("click", () => {
      const [taken, chosen] = [undecided.shift(), now()];
      decided.push(taken);
      const isPressed = press(taken);
      if (!isPressed) draft.bringBack([]); // and nothing of the draft after that
      else if (!same(chosen, began)) undecided.push({ ...chosen, page: `${chosen.page}-${chosen.at}` });
      keep();
      Tray.tell(isPressed ? "Taken up where you left off." : "This draft can't be read, and is forgotten. What you chose stays.");
    });
    at("kept-forget").addEventListener("click", () => {
      decided.push(undecided.shift());
      keep();
      Tray.tell("Forgotten.");
    });
    at("send").addEventListener("click", () => {
      if (at("send").dataset.long || !form.address || draft.file) return; // nothing that is pressed here went out yet
      began = now();
      decided.push(...undecided.splice(0));
      keep();
    });
    for (const [id, event] of [["copy", "click"], ["save", "click"], ["send", "click"], ["tab-send-title", "click"], ["orders", "copy"]]) {
      at(id)?.addEventListener(event, () => {
        if (!draft.file) copied = now();
        keep();
      });
    }
    addEventListener("beforeunload", (event) => {
      const isTyped = [...document.querySelectorAll("textarea:not([readonly])")].some((box) => box.value.trim());
      if (!kept || isTyped) event.preventDefault(); // a letter that is not added yet is kept nowhere
    });
    addEventListener("popstate", keep); // the address is another then, and may be what keeps the draft
    draft.listeners.push(keep);
    history.scrollRestoration = "manual"; // a page read again opens at what it asks
    ask();
  }

  return { start };
})();
