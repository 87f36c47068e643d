// "/" leads to the search, arrows from it through what was found and back, Escape to it.

const onKey = (event) => {
  const search = form.elements.q;
  const at = event.target;
  const found = at.closest("#causes, #functions");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/" && !at.matches("input, select")) search.focus();
  else if (event.key === "Escape" && found) search.focus();
  else if (event.key === "Enter" && at === search) move(at, 1);
  else if (event.key === "ArrowDown" && (at === search || at.matches("summary"))) move(at, 1);
  else if (event.key === "ArrowUp" && found && at.matches("summary")) move(at, -1);
  else return;
  event.preventDefault();
};

const move = (from, step) => {
  const all = [...document.querySelectorAll("#causes summary, #functions summary")];
  const open = all.filter((each) => each.offsetParent !== null);
  (open[open.indexOf(from) + step] ?? form.elements.q).focus();
};
