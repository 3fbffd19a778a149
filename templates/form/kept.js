// The draft: what is pressed and not sent yet is kept on this device, and offered when the page is opened again.
"use strict";

const Kept = (() => {
  const MARK = "#draft=";
  const TURNS = 3; // a draft that is so many turns old is forgotten
  const MOST = 3; // drafts of one page: what is pressed now, and those about which nothing was decided

  const at = (id) => document.getElementById(id);
  const same = (one, other) => JSON.stringify([one.orders, one.own]) === JSON.stringify([other.orders, other.own]);

  function start(draft) {
    const { form } = draft;
    const series = `kingdom-draft-${form.draft.series}-`; // pages of all campaigns that a host shows share one storage
    const name = `${series}${form.turn}-${form.draft.attempt}`;
    let began = now(); // what the page begins with, which needs no keeping
    let kept = !location.hash.startsWith(MARK); // what is read from there is kept nowhere until something is pressed
    const undecided = read(); // drafts that are neither taken up nor forgotten, the newest first

    /** What is chosen. A token is never kept; a file of one's own lies on the device already. */
    function now() {
      const { kingdom, turn, token, ...orders } = draft.orders();
      const own = draft.owns().filter(({ key }) => key !== "token");
      return { at: Date.now(), offers: form.draft.offers, many: draft.entries.length + Object.keys(draft.some).length, orders, own };
    }

    /** The drafts that were kept; those of turns long gone are forgotten. The address is cleared once it is read. */
    function read() {
      const found = [];
      if (location.hash.startsWith(MARK)) {
        try {
          found.push(...JSON.parse(decodeURIComponent(location.hash.slice(MARK.length))));
        } catch {
          Tray.tell("The draft in the address can't be read.");
        }
        inAddress([]);
      }
      try {
        for (const key of Object.keys(localStorage)) {
          if (key.startsWith(series) && parseInt(key.slice(series.length), 10) <= form.turn - TURNS) localStorage.removeItem(key);
        }
        found.push(...JSON.parse(localStorage.getItem(name) || "[]"));
      } catch {
        // this browser keeps nothing for this page
      }
      return found.filter((each) => !same(each, began));
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
      const isOpen = (key) => !(form.keys[key] || {}).letters;
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
      const drafts = [...(same(chosen, began) ? [] : [chosen]), ...undecided].slice(0, MOST);
      kept = inStorage(drafts) || inAddress(drafts);
      ask();
    }

    function ask() {
      const [first] = undecided;
      at("kept").hidden = !first;
      if (!first) return;
      const when = new Date(first.at);
      const hour = when.toLocaleTimeString("en-GB", { timeStyle: "short" });
      const day = when.toDateString() === new Date().toDateString() ? "" : `${when.toLocaleDateString("en-GB", { day: "numeric", month: "long" })}, `;
      const other = first.offers === form.draft.offers ? "" : " They were made for another state: look at each before you send them.";
      Dom.say(at("kept-words"), `${first.many} ${first.many === 1 ? "order" : "orders"} from ${day}${hour}, not sent.${other}`);
    }

    at("kept-take").addEventListener("click", () => {
      const { orders, own } = undecided.shift();
      const chosen = now();
      if (!same(chosen, began)) undecided.push(chosen);
      draft.load(orders);
      draft.addOwn(own);
      Tray.tell("Taken up where you left off.");
    });
    at("kept-forget").addEventListener("click", () => {
      undecided.shift();
      Tray.tell("Forgotten.");
      keep();
    });
    at("send").addEventListener("click", () => {
      if (at("send").dataset.long || !form.address) return; // nothing went out yet
      began = now();
      undecided.length = 0;
      keep();
    });
    addEventListener("beforeunload", (event) => {
      if (!kept) event.preventDefault();
    });
    draft.listeners.push(keep);
    ask();
  }

  return { start };
})();
