// @ts-check
// What pages are made of. Texts are set as texts, never as HTML, so that nothing that a pack or a player writes is code.

/**
 * Makes an element. `more` sets attributes; a function under a name such as `onclick` listens to the event.
 * @param {string} name the tag, with classes: `div.card.mine`
 * @param {Record<string, unknown> | null} [more]
 * @param {...(Node | string | number | null | undefined | false | (Node | string)[])} children
 * @returns {HTMLElement}
 */
export function make(name, more, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(more ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  add(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {unknown[]} children
 */
function add(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) add(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * A shape inside a picture.
 * @param {string} name
 * @param {Record<string, string | number>} more
 * @param {...Node} children
 */
export function shape(name, more, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(more)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * Puts new contents into an element.
 * @param {Element} element
 * @param {...(Node | string)} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...children);
}

/**
 * A hue for a word: the same word always has the same one.
 * @param {string} word
 */
export function hue(word) {
  let sum = 7;
  for (const letter of word) sum = (sum * 31 + /** @type {number} */ (letter.codePointAt(0))) % 100003;
  // The golden angle keeps hues of similar sums apart.
  return Math.round((sum * 137.508) % 360);
}

/**
 * The colour of black or white letters on a colour: whichever can be read better.
 * @param {string} colour `#rrggbb`
 */
export function inkOn(colour) {
  // Both have the same contrast at this brightness.
  return brightness(colour) > 0.179 ? "#000000" : "#ffffff";
}

/**
 * How bright a colour is to the eye, from 0 to 1.
 * @param {string} colour `#rrggbb`
 */
export function brightness(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * A colour of a hue, dark enough for white letters.
 * @param {number} degrees
 * @returns {string} `#rrggbb`
 */
export function colourOf(degrees) {
  const part = (/** @type {number} */ shift) => {
    const at = (shift + degrees / 30) % 12;
    const value = 0.4 - 0.5 * 0.4 * Math.max(-1, Math.min(at - 3, 9 - at, 1));
    return Math.round(value * 255).toString(16).padStart(2, "0");
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}
