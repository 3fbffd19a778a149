// The form is put together from what stands in the page as data.

(() => {
  const form = JSON.parse(document.getElementById("form-data").textContent);
  const draft = new Draft(form);
  const at = (id) => document.getElementById(id);
  (draft.model.bar ? Bar.start : Tray.counters)(draft, at("counters")); // the bar is the game's own
  at("drawer").addEventListener("click", () => Tray.show());
  Sections.render(draft, at("sections"));
  for (const [id, name] of draft.model.tabs || []) if (at(id)) at("tabs").append(Dom.button(name, () => Tray.show(id), { id: `tab-${id}` }));
  draft.listeners.push(Dom.roving(at("tabs")));
  Tray.chosen(draft, at("chosen"), at("count"));
  const goHome = Board.start(draft, at("map"));
  OwnLines.start(draft);
  Sending.start(draft);
  Filed.listen(draft);
  Kept.start(draft);
  Advice.start(draft);
  at("no-scripts").remove(); // it says that no script runs
  goHome();
  window.OrderForm = { draft, form }; // for whoever looks at it from a console
})();
