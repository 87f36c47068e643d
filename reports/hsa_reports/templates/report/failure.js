// The shortest example of a failure.

const shownFailure = (failure) => [
  paragraph("said", failure.summary),
  failure.steps.length ? make("h5", {}, "Shortest call sequence") : null,
  shownSteps(failure.steps),
  make("dl", { class: "compare" },
    make("div", {}, make("dt", {}, "Got"), make("dd", {}, code(failure.got, { class: "got" }))),
    make("div", {}, make("dt", {}, "Allowed"), make("dd", {}, allowed(failure)))),
  failure.readings ? make("h5", {}, "Texts that differ") : null,
  failure.readings ? make("ul", {}, failure.readings.map(shownReading)) : null,
  failure.detail && !failure.got.includes(failure.detail) ? paragraph("detail", failure.detail) : null,
  failure.place ? paragraph("detail", "The process ended in ", code(failure.place)) : null,
  ...printed("Seen when it hung", failure.seen),
  ...printed("Last lines the library printed", failure.stderr),
  ...command("Run it again", failure.reproduce),
  ...command("Make a program of it (--python for Python)", failure.program),
  failure.ran ? paragraph("reason", failure.ran) : null,
];

// Of a long sequence the steps in the middle, which are much the same, are folded.
const FIRST_STEPS = 10;
const LAST_STEPS = 20;

const shownSteps = (steps) => {
  const rest = steps.length - LAST_STEPS;
  if (rest <= 2 * FIRST_STEPS) return listedSteps(steps, 0, steps.length);
  return [
    listedSteps(steps, 0, FIRST_STEPS),
    folded({ class: "middle" }, [`${rest - FIRST_STEPS} more steps`], () => listedSteps(steps, FIRST_STEPS, rest)),
    listedSteps(steps, rest, steps.length),
  ];
};

const listedSteps = (steps, from, to) =>
  make("ol", { class: "steps", start: from + 1 }, steps.slice(from, to).map(shownStep));

const shownStep = ([process, call, result]) =>
  make("li", {}, make("span", { class: "process" }, process), " ", code(call), " → ", code(result));

const shownReading = ([clause, text, answer]) =>
  make("li", {}, code(answer), ` by ${text}: `, clauseName(clause));

const allowed = (failure) =>
  failure.allowed.length
    ? failure.allowed.map(([status, clauses]) =>
        paragraph("", code(status), clauses.flatMap((id) => [" ", clauseName(id)])))
    : paragraph("", "nothing else was written down");

// A clause that the run has is a link to it.
const clauseName = (id) => (data.byId.has(id) ? toPlace(id, code(id)) : code(id));

const printed = (title, text) => (text ? [make("h5", {}, title), make("pre", { tabindex: 0 }, text)] : []);

const command = (title, text) => {
  if (!text) return [];
  const button = make("button", { type: "button" }, "Copy");
  const line = make("div", { class: "command" }, code(text), button);
  button.addEventListener("click", () => copy(line, button));
  return [make("h5", {}, title), line];
};

const copy = (line, button) => {
  getSelection().selectAllChildren(line.querySelector("code"));
  const copied = document.execCommand("copy");
  button.textContent = copied ? "Copied" : "Selected: press Ctrl+C";
  if (copied) getSelection().removeAllRanges();
};
