// Puts the page together, and keeps it and the address the same.

const form = document.getElementById("search");
const NOTHING = Object.fromEntries(["q", ...FILTERS].map((name) => [name, ""]));
let shown = null;
let typed = false;

const show = (wanted) => {
  const spoken = withWords(wanted.q);
  const found = filtered(spoken, wanted);
  for (const name of FILTERS) fillChoices(name, choices(name, spoken, wanted), wanted[name]);
  if (form.elements.q.value !== wanted.q) form.elements.q.value = wanted.q;
  const causes = showCauses(found);
  showClauses(found, isNarrow(wanted));
  document.getElementById("found").textContent =
    `${found.length} of ${plural(data.clauses.length, "clause")}, ${plural(causes, "cause")}`;
  document.getElementById("clear").hidden = !isNarrow(wanted);
  shown = wanted;
};

const fillChoices = (name, counts, chosen) => {
  const select = form.elements[name];
  const title = (value) => (name === "cause" && data.causeById.get(value)?.title) || value;
  const values = select.values.filter((value) => counts.has(value));
  if (chosen && !values.includes(chosen)) values.unshift(chosen);
  select.replaceChildren(make("option", { value: "" }, "all"),
    ...values.map((value) => make("option", { value }, `${title(value)} (${counts.get(value) ?? 0})`)));
  select.value = chosen;
  select.classList.toggle("chosen", chosen !== "");
  select.closest("label").hidden = select.values.length < 2 && !chosen;
};

// The values of each filter in the order in which they are offered.
const orderChoices = () => {
  const orders = { verdict: Object.keys(data.verdicts), cause: [...data.causeById.keys()], status: data.columns.map(([status]) => status) };
  for (const name of FILTERS) {
    const there = new Set(data.clauses.flatMap((clause) => [...clause.asked[name]]));
    form.elements[name].values = (orders[name] ?? [...there].sort()).filter((value) => there.has(value));
  }
};

// What is typed in one go is one entry of the history, and each choice is one.
const onInput = (event) => {
  const wanted = Object.fromEntries(Object.keys(NOTHING).map((name) => [name, form.elements[name].value]));
  const typing = event.target === form.elements.q;
  history[typing && typed ? "replaceState" : "pushState"](null, "", addressOf(wanted));
  show(wanted);
  typed = typing;
};

const follow = () => {
  const { place, wanted } = readAddress();
  typed = false;
  if (!shown || addressOf(wanted) !== addressOf(shown)) show(wanted);
  if (!place && isNarrow(wanted)) form.scrollIntoView();
  if (place && !reveal(place) && isNarrow(wanted)) {
    show(NOTHING);
    history.replaceState(null, "", location.hash.split("?")[0]);
    reveal(place);
  }
};

// A link within the page keeps what is searched for, as far as its place is among what was found.
const onClick = (event) => {
  const link = event.target.closest('a[href^="#"]');
  if (!link || link.hash.includes("?") || !isNarrow(shown)) return;
  event.preventDefault();
  location.hash = link.hash + addressOf(shown).slice(1);
};

const reveal = (place) => {
  const [name] = place.split("/");
  document.getElementById("clause-list").showUpTo(name);
  const around = document.getElementById(name);
  if (around?.matches(".function")) unfold(around);
  const target = document.getElementById(place);
  if (!target) return false;
  for (let each = target.closest("details"); each; each = each.parentElement.closest("details")) unfold(each);
  // What is sought would lie under the search, which stays in sight.
  document.documentElement.style.scrollPaddingTop = `${form.offsetHeight + 8}px`;
  target.scrollIntoView();
  target.querySelector("summary")?.focus({ preventScroll: true });
  return true;
};

// On paper sections and the heaviest causes are open. All that was searched for is printed, and where
// nothing was, what fails in a line each.
const OPEN_ON_PAPER = 5;

const beforePrint = () => {
  const list = document.getElementById("clause-list");
  document.getElementById("failing")?.remove();
  if (isNarrow(shown)) list.showRest();
  else list.before(failingClauses());
  const causes = [...document.querySelectorAll(".cause")].slice(0, OPEN_ON_PAPER);
  for (const each of [...causes, ...document.querySelectorAll("details.fold:not(.wide)")]) unfold(each);
};

const failingClauses = () => {
  const failing = data.clauses.filter((clause) => clause.causes.length > 0);
  const said = `${failing.length} of ${plural(data.clauses.length, "clause")} fail. To print others, search for them first.`;
  const lines = failing.map((clause) => make("li", {}, badge(clause.label), " ", code(clause.id)));
  return make("div", { id: "failing" }, make("p", {}, said), make("ul", { class: "names" }, lines));
};

const start = async () => {
  prepare(await unpack(document.getElementById("data").textContent));
  document.getElementById("plain").remove();
  // A narrow window has no room for all filters.
  document.getElementById("filters").parentElement.open = innerWidth > 760;
  fillLater(document.getElementById("matrix").querySelector("details"), matrixTable);
  orderChoices();
  follow();
  form.addEventListener("input", onInput);
  form.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("click", onClick);
  document.addEventListener("keydown", onKey);
  addEventListener("popstate", follow);
  addEventListener("beforeprint", beforePrint);
  document.documentElement.dataset.state = "ready";
};

start().catch((error) => {
  delete document.documentElement.dataset.state;
  const said = `This browser cannot show more than the table of clauses: ${error.message}.`;
  document.querySelector("main").prepend(make("p", { class: "notice", role: "alert" }, said));
});
