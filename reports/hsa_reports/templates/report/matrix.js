// Functions by status: each cell leads to its clauses.

const matrixTable = () => {
  const head = make("tr", {}, make("th", { scope: "col" }, "Function"),
    data.columns.map(([status, short]) => make("th", { scope: "col", title: status }, short)));
  const rows = grouped(data.clauses, (clause) => clause.function).map(([name, clauses]) =>
    make("tr", {}, make("th", { scope: "row" }, toPlace(name, breakable(name))),
      data.columns.map(([status]) => cell(name, status, clauses.filter((each) => each.statuses.includes(status))))));
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Function by status" },
    make("table", { class: "matrix" }, make("thead", {}, head), make("tbody", {}, rows)));
};

const cell = (name, status, clauses) => {
  if (!clauses.length) return make("td");
  // Of an expected failure the real verdict, too, without the signal.
  const [worst, alike] = grouped(clauses, (clause) => clause.label.split(/\W+/, 2).join(" ").trim())
    .sort(([one], [other]) => placeOf(one) - placeOf(other))[0];
  const [tone] = data.verdicts[worst.split(" ")[0]];
  const share = clauses.length > 1 ? ` ${alike.length}/${clauses.length}` : "";
  return make("td", {}, make("a", { class: tone, href: addressOf({ function: name, status }) },
    worst.replaceAll("_", " "), make("small", {}, share)));
};
