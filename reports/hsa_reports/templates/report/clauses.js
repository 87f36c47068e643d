// The list of clauses by function. Only what comes into sight is made.

const AT_ONCE = 60;
let inSight = null;

const showClauses = (found, open) => {
  const list = document.getElementById("clause-list");
  const groups = grouped(found, (clause) => clause.function);
  const more = make("button", { type: "button", class: "more" });
  const showMore = () => {
    for (let left = AT_ONCE; groups.length && left > 0; ) {
      const [name, clauses] = groups.shift();
      more.before(shownFunction(name, clauses, open));
      left -= open ? clauses.length : 1;
    }
    more.hidden = groups.length === 0;
    more.textContent = `Show more: ${plural(groups.length, "function")}`;
  };
  list.replaceChildren(more);
  list.showUpTo = (name) => {
    while (groups.some(([each]) => each === name)) showMore();
  };
  list.showRest = () => {
    while (groups.length) showMore();
  };
  showMore();
  more.addEventListener("click", showMore);
  inSight?.disconnect();
  inSight = new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && showMore());
  inSight.observe(more);
};

const shownFunction = (name, clauses, open) => {
  const { summary, offered } = data.functions[name];
  const said = grouped(clauses, (clause) => clause.label)
    .sort(([one], [other]) => placeOf(one) - placeOf(other))
    .map(([label, { length }]) => `${length} ${label}`);
  if (!offered) said.push("not offered by the library");
  const element = folded(
    { class: "function", id: name },
    [make("h3", {}, code(name)), " ", make("span", { class: "soft" }, said.join(", "))],
    () => [
      paragraph("soft", `${summary} `, linkTo(name)),
      make("ul", { class: "clauses" }, clauses.map((clause) => make("li", {}, shownClause(clause)))),
    ],
  );
  if (open) unfold(element);
  return element;
};

const shownClause = (clause) =>
  folded(
    { class: "clause", id: clause.id },
    [
      badge(clause.label), " ", code(clause.slug), " ",
      make("span", { class: "soft" }, clause.contested ? `${clause.strength}, contested` : clause.strength),
      " ", make("span", { class: "says" }, clause.english),
    ],
    () => [
      paragraph("soft", linkTo(clause.id), ` · ${clause.source}`),
      clause.contested ? paragraph("soft", `Contested: ${data.contested}.`) : null,
      clause.causes.map((id) => paragraph("", "Cause: ", toPlace(`cause-${id}`, data.causeById.get(id).title))),
      clause.results.length ? clause.results.map(shownResult) : shownResult({ label: clause.label }),
    ],
  );

const shownResult = (result) => {
  const { failure } = result;
  const about = [result.check, result.value, ...(result.machines ?? [])].filter(Boolean).join(" · ");
  return make("div", { class: "result" },
    make("h4", {}, badge(result.label), ` ${about}`),
    result.reason && result.reason !== failure?.summary ? paragraph("reason", result.reason) : null,
    result.reason || failure ? null : paragraph("soft", meaningOf(result.label)),
    failure ? shownFailure(failure) : null,
    paragraph("soft", result.examples ?? "no examples"),
    result.values ? paragraph("soft", `values tried: ${result.values}`) : null,
    result.missing ? make("ul", { class: "soft" }, result.missing.map((text) => make("li", {}, text))) : null,
    result.source ? paragraph("soft", "judged by ", code(result.source)) : null);
};

const linkTo = (place) => make("a", { href: addressTo(place), "aria-label": `Link to ${place}` }, code(place));
