// The plans that the player is advised to follow: each says its orders, then what changes; a button puts them into the form.

const Advice = (() => {
  function start(draft) {
    const hold = document.getElementById("section-advice");
    const plans = draft.form.advice.filter((plan) => plan.orders);
    hold.hidden = !plans.length;
    hold.append(...plans.map((plan, index) => card(draft, plan, index)));
  }

  /** A plan with its orders, as the form says them, and what it comes to; the first one is open. */
  function card(draft, plan, index) {
    const orders = Counting.inOrder(draft.entriesOf(plan.orders, true)).map(Tray.wordsOf);
    return Dom.make("details", { class: "card", open: !index }, Dom.make("summary", {}, plan.title),
      Dom.make("ul", { class: "orders" }, ...orders.map((order) => Dom.make("li", {}, Dom.typed(order)))),
      ...plan.effects.map((effect) => Dom.make("p", {}, effect)),
      Dom.button("Start with this", () => press(draft, plan), { class: "add" }));
  }

  /** Press the plan's orders, and show them among those that are chosen. */
  function press(draft, plan) {
    Filed.start(draft, plan.orders, "The plan", true);
    Tray.show();
  }

  return { start };
})();
