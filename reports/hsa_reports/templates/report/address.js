// What is asked for stands in the address behind "#": a place, and behind "?" search and filters.
// "#hsa_init/success" is a clause, "#?q=sigsegv&topic=core/queues" a list of clauses.

const FILTERS = ["verdict", "strength", "topic", "function", "status", "cause", "release", "machine"];

const readAddress = () => {
  const [place, ...query] = location.hash.slice(1).split("?");
  const asked = new URLSearchParams(query.join("?"));
  const wanted = { q: asked.get("q") ?? "" };
  for (const name of FILTERS) wanted[name] = asked.get(name) ?? "";
  return { place: decoded(place), wanted };
};

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const addressOf = (wanted) => {
  const asked = new URLSearchParams();
  for (const name of ["q", ...FILTERS]) if (wanted[name]) asked.set(name, wanted[name]);
  const query = asked.toString().replaceAll("%2F", "/");
  return query ? `#?${query}` : "#";
};

const isNarrow = (wanted) => Object.values(wanted).some((value) => value !== "");
