// The plans that the player is advised to follow: a button puts one into the form.
"use strict";

const Advice = (() => {
  function start(draft) {
    const hold = document.getElementById("section-advice");
    const plans = draft.form.advice.filter((plan) => plan.orders);
    hold.hidden = !plans.length;
    hold.append(...plans.map((plan, index) => card(draft, plan, index)));
  }

  /** A plan with what it comes to; the first one is open. */
  const card = (draft, plan, index) => Dom.make("details", { class: "card", open: !index }, Dom.make("summary", {}, plan.title),
    ...plan.effects.map((effect) => Dom.make("p", {}, effect)),
    Dom.button("Start with this", () => Filed.start(draft, plan.orders, "The plan"), { class: "add" }));

  return { start };
})();
