// The run: JSON, compressed, once in the page.

let data = null;

const unpack = async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain).json();
};

// Adds to each clause what search and filters ask for.
const prepare = (read) => {
  data = read;
  data.byId = new Map(data.clauses.map((clause) => [clause.id, clause]));
  data.causeById = new Map(data.causes.map((cause) => [cause.id, cause]));
  for (const clause of data.clauses) {
    const labels = [clause.label, ...clause.results.map((result) => result.label)];
    const causes = clause.causes.map((id) => data.causeById.get(id));
    [clause.function] = clause.id.split("/");
    clause.slug = clause.id.slice(clause.function.length + 1);
    clause.asked = {
      verdict: new Set(labels.flatMap((label) => label.split(/\W+/)).filter((word) => Object.hasOwn(data.verdicts, word))),
      strength: new Set([clause.strength]),
      topic: new Set([clause.topic]),
      function: new Set([clause.function]),
      status: new Set(clause.statuses),
      cause: new Set(clause.causes),
      release: new Set(causes.flatMap((cause) => cause.releases)),
      machine: new Set(clause.results.flatMap((result) => result.machines ?? [])),
    };
    clause.text = [
      clause.id, clause.english, clause.source, clause.topic, clause.strength, clause.label,
      data.functions[clause.function].summary, ...clause.statuses,
      ...clause.results.flatMap(textsOfResult),
      ...causes.flatMap((cause) => [
        cause.id, cause.title, cause.text, cause.weight, ...cause.upstream.flat()]),
    ].join("\n").toLowerCase();
  }
};

// Of the steps the last one: the others are only the way to it.
const textsOfResult = ({ failure, ...result }) => [
  result.label, result.check, result.value, result.reason, result.source,
  ...(failure ? [failure.summary, failure.got, failure.detail, failure.place] : []),
  ...(failure ? [failure.stderr, failure.seen] : []),
  ...(failure?.steps.at(-1) ?? []),
];

const grouped = (list, key) => {
  const groups = new Map();
  for (const each of list) {
    const name = key(each);
    if (groups.has(name)) groups.get(name).push(each);
    else groups.set(name, [each]);
  }
  return [...groups];
};
