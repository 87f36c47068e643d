"use strict";
(() => {
  const form = document.getElementById("filter");
  const functions = [...document.querySelectorAll(".function")];

  const filter = () => {
    const words = form.elements.text.value.toLowerCase().split(/\s+/);
    let shown = 0;
    let all = 0;
    for (const each of functions) {
      let left = 0;
      for (const clause of each.querySelectorAll(".clauses > li")) {
        const text = (clause.id + " " + clause.textContent).toLowerCase();
        const fits = ["verdict", "strength"].every((name) => {
          const wanted = form.elements[name].value;
          return wanted === "" || wanted === clause.dataset[name];
        });
        clause.hidden = !(fits && words.every((word) => text.includes(word)));
        left += clause.hidden ? 0 : 1;
        all += 1;
      }
      each.hidden = left === 0;
      shown += left;
    }
    form.elements.shown.value = `${shown} of ${all} clauses`;
  };

  // A link must lead to its clause even where a filter hid it or its function is folded.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const around = target && target.closest(".function");
    if (!around) return;
    if (target.hidden || around.hidden) {
      form.reset();
      filter();
    }
    around.open = true;
    target.scrollIntoView();
  };

  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", reveal);
  filter();
  reveal();
})();
