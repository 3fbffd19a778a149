// The orders file: shown, copied, saved, or opened in the mail program.

const Sending = (() => {
  /** The link that opens the mail program; "" where some programs would cut it. */
  function mailto(form, text) {
    const body = text ? `&body=${encodeURIComponent(text.replace(/\n/g, "\r\n"))}` : "";
    const link = `mailto:${encodeURIComponent(form.address).replace(/%40/g, "@")}?subject=${encodeURIComponent(form.subject)}${body}`;
    return link.length < form.longest ? link : "";
  }

  async function copy(text, box) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      box.focus();
      box.select();
      document.execCommand("copy");
    }
    Tray.tell("Copied.");
  }

  function save(form, text) {
    const address = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
    const link = Dom.make("a", { href: address, download: `${form.seat}.yaml` });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
    Tray.tell(`Saved as ${form.seat}.yaml.`);
  }

  function start(draft) {
    const { form } = draft;
    const [box, long, send, empty, copies, saves, clear] = ["orders", "too-long", "send", "empty-mail", "copy", "save", "clear"].map((id) => document.getElementById(id));
    copies.addEventListener("click", () => copy(draft.text(), box));
    saves.addEventListener("click", () => save(form, draft.text()));
    clear.addEventListener("click", () => {
      draft.load({});
      Tray.tell("All taken back.");
    });
    for (const each of [send, empty]) each.hidden = !form.address;
    send.addEventListener("click", (event) => {
      if (!send.dataset.long) return;
      event.preventDefault();
      copy(draft.text(), box);
      long.hidden = false;
      document.getElementById("section-send").scrollIntoView();
      Tray.tell("Too long for a mail link: copied. Open an empty mail and paste it.");
    });
    if (form.address) empty.href = mailto(form, "");
    const tab = () => { if (form.address && !send.dataset.long && (draft.file || draft.entries.length)) location.href = send.href; };
    document.getElementById("tab-send-title")?.addEventListener("click", tab); // the draft stays kept, in case no mail goes out
    draft.listeners.push(() => {
      const text = draft.text();
      box.value = text;
      const link = form.address ? mailto(form, text) : "";
      send.setAttribute("href", link || "#section-send");
      send.dataset.long = link ? "" : "long";
      long.hidden = Boolean(link) || !form.address;
      Dom.say(document.getElementById("wrong"), new TextEncoder().encode(text).length > form.limit ? `Too much for one file: the program reads ${form.limit} bytes.` : "");
    });
  }

  return { start, mailto };
})();
