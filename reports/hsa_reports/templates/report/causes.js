// Causes, the weightiest first.

const showCauses = (found) => {
  const counts = new Map();
  for (const clause of found) for (const id of clause.causes) counts.set(id, (counts.get(id) ?? 0) + 1);
  const causes = data.causes.filter((cause) => counts.has(cause.id));
  const shown = causes.map((cause) => make("li", {}, shownCause(cause, counts.get(cause.id))));
  document.getElementById("cause-list").replaceChildren(...shown);
  document.getElementById("no-cause").hidden = causes.length > 0;
  return causes.length;
};

const shownCause = (cause, n) =>
  folded(
    { class: "cause", id: `cause-${cause.id}` },
    [
      make("span", { class: `verdict ${cause.tone}`, title: meaningOf(cause.label) }, cause.label), " ",
      make("h3", {}, cause.title),
      make("span", { class: "says" }, aboutCause(cause, n)),
    ],
    () => [
      paragraph("", cause.text === exampleOf(cause)?.summary ? null : cause.text),
      make("dl", { class: "facts" },
        fact("Id", linkTo(`cause-${cause.id}`)),
        cause.releases.length ? fact("Releases that have it", cause.releases.join(", ")) : null,
        cause.page ? fact("Read on", code(cause.page)) : null,
        cause.defect ? fact("Whose defect it is", cause.defect) : null,
        cause.upstream.map(([text, address]) => fact("Upstream", outside(address, text)))),
      cause.example ? [make("h4", {}, "The shortest program that shows it"), shownFailure(exampleOf(cause))] : null,
      make("h4", {}, plural(cause.clauses.length, "clause"), " · ",
        make("a", { href: addressOf({ cause: cause.id }) }, "list them")),
      make("ul", { class: "names" }, cause.clauses.map((id) =>
        make("li", {}, badge(data.byId.get(id).label), " ", toPlace(id, code(id))))),
    ],
  );

const exampleOf = ({ example }) => example && data.byId.get(example[0]).results[example[1]].failure;

const aboutCause = (cause, n) => {
  const all = n < cause.clauses.length ? ` of ${cause.clauses.length}` : "";
  const functions = cause.functions.slice(0, 3).join(", ") + (cause.functions.length > 3 ? ", …" : "");
  const expected = cause.expected ? "expected" : "not expected";
  return `${n}${all} ${n === 1 && !all ? "clause" : "clauses"}, ${expected} · ${cause.weight} · ${functions}`;
};

const fact = (label, ...children) => make("div", {}, make("dt", {}, label), make("dd", {}, ...children));

const outside = (address, text) =>
  /^https:\/\//.test(address) ? make("a", { href: address }, text) : text;
