// Search and filters: what fits all of them.

const withWords = (text) => {
  const sought = text.toLowerCase().split(/\s+/).filter(Boolean);
  return data.clauses.filter((clause) => sought.every((word) => clause.text.includes(word)));
};

const filtered = (clauses, wanted) =>
  clauses.filter((clause) =>
    FILTERS.every((name) => wanted[name] === "" || clause.asked[name].has(wanted[name])));

// How many clauses each value of a filter would leave, beside the other filters.
const choices = (name, clauses, wanted) => {
  const counts = new Map();
  for (const clause of filtered(clauses, { ...wanted, [name]: "" })) {
    for (const value of clause.asked[name]) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
};
