// Elements. Whatever a run says becomes a text node or the value of an attribute, never markup.

const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...present(children));
  return element;
};

const present = (children) =>
  [children].flat(Infinity).filter((child) => child !== null && child !== undefined);

const code = (text, attributes = {}) => make("code", attributes, text);

const paragraph = (name, ...children) => make("p", { class: name }, ...children);

// A long name may break after an underscore.
const breakable = (name) => name.split(/(_)/).flatMap((part) => (part === "_" ? [part, make("wbr")] : [part]));

const meaningOf = (label) => data.verdicts[label.split(" ")[0]]?.[1] ?? "";

// An expected failure has the colour of an expected one, whatever it really is.
const badge = (label) => {
  const [tone] = data.verdicts[label.split(" ")[0]] ?? ["none"];
  return make("span", { class: `verdict ${tone}`, title: meaningOf(label) }, label);
};

// The place of a label among the verdicts, by what a failure really is, expected or not.
const placeOf = (label) => {
  const words = label.split(/\W+/).filter((word) => Object.hasOwn(data.verdicts, word));
  return Object.keys(data.verdicts).indexOf(words.at(-1));
};

const addressTo = (place) => `#${encodeURIComponent(place).replaceAll("%2F", "/")}`;

const toPlace = (place, ...children) => make("a", { href: addressTo(place) }, ...children);

const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

// A part that can be folded; what is inside is made when it is first opened.
const folded = (attributes, summary, fill) => {
  const element = make("details", attributes, make("summary", {}, ...summary));
  fillLater(element, fill);
  return element;
};

const fillLater = (element, fill) => {
  element.fill = () => {
    element.fill = () => {};
    element.append(...present([fill()]));
  };
  element.addEventListener("toggle", () => element.open && element.fill());
};

const unfold = (element) => {
  element.fill?.();
  element.open = true;
};
