// @ts-check
// The look that a pack asks for: colours, icons, the order of zones. Without one, colours follow from names.

import { brightness, colourOf, hue, inkOn } from "./dom.js";

/**
 * @typedef {{ colour?: string, icon?: string }} Mark
 * @typedef {{ accent?: string, background?: string, kinds?: Record<string, Mark & { fields?: string[] }>, by?: { attribute: string, values: Record<string, Mark> }[], resources?: Record<string, Mark>, zones?: Record<string, { order?: number, size?: "small" | "large", hidden?: boolean }>, icons?: Record<string, string> }} Wishes
 * @typedef {import("./board.js").Type} Type
 */

/** A bright background is used as it is where everything else is bright too, a dark one where everything is dark. */
const BRIGHT = 0.7;
const DARK = 0.04;

export class Look {
  /** @param {Wishes | undefined} wishes */
  constructor(wishes) {
    this.wishes = wishes ?? {};
    /** Icons that were read, by name. @type {Map<string, Element | null>} */
    this.icons = new Map();
  }

  /**
   * Sets the colours of the whole page.
   * @param {HTMLElement} page
   */
  dress(page) {
    const { accent, background } = this.wishes;
    page.classList.toggle("accented", Boolean(accent));
    if (accent) {
      page.style.setProperty("--accent", accent);
      page.style.setProperty("--on-accent", inkOn(accent));
    }
    const bright = background ? brightness(background) : 0;
    page.classList.toggle("bright", bright >= BRIGHT);
    page.classList.toggle("dim", Boolean(background) && bright <= DARK);
    if (background) page.style.setProperty("--behind", background);
  }

  /**
   * Colour and icon of a type: by the first attribute that says something, then by its kinds.
   * @param {Type | undefined} type
   * @returns {Mark}
   */
  mark(type) {
    /** @type {Mark} */
    const found = {};
    for (const mark of this.marks(type)) {
      found.colour ??= mark?.colour;
      found.icon ??= mark?.icon;
    }
    return found;
  }

  /** @param {Type | undefined} type */
  marks(type) {
    const { by, kinds } = this.wishes;
    const values = (by ?? []).map(({ attribute, values }) => values[type?.attributes?.find((fact) => fact.id === attribute)?.name ?? ""]);
    return [...values, ...(type?.kinds ?? []).map((kind) => kinds?.[kind])];
  }

  /**
   * The attributes that a type shows, in order; nothing for all of them.
   * @param {Type | undefined} type
   */
  fields(type) {
    for (const kind of type?.kinds ?? []) {
      const fields = this.wishes.kinds?.[kind]?.fields;
      if (fields) return fields;
    }
    return null;
  }

  /**
   * Paints an element in a colour; without one, in the colour of a word.
   * @param {HTMLElement | SVGElement} element
   * @param {string | undefined} colour
   * @param {string} word
   */
  paint(element, colour, word) {
    const used = colour ?? colourOf(hue(word));
    element.style.setProperty("--tint", used);
    element.style.setProperty("--on-tint", inkOn(used));
  }

  /**
   * An icon by its name, as the server has checked it.
   * @param {string | undefined} name
   * @returns {Element | null}
   */
  icon(name) {
    if (!name) return null;
    let icon = this.icons.get(name);
    if (icon === undefined) {
      const text = this.wishes.icons?.[name];
      const read = text ? new DOMParser().parseFromString(text, "image/svg+xml").documentElement : null;
      icon = read?.localName === "svg" ? read : null;
      icon?.setAttribute("aria-hidden", "true");
      icon?.setAttribute("class", "icon");
      this.icons.set(name, icon);
    }
    return icon ? /** @type {Element} */ (document.importNode(icon, true)) : null;
  }

  /**
   * Zones in the order that the pack wants; the others follow.
   * @template {{ id: string }} Z
   * @param {Z[]} zones
   * @returns {Z[]}
   */
  order(zones) {
    const place = (/** @type {Z} */ zone) => this.zone(zone.id).order ?? Infinity;
    return [...zones].sort((one, other) => {
      const [first, second] = [place(one), place(other)];
      return first === second ? 0 : first - second;
    });
  }

  /** @param {string} id */
  zone(id) {
    return this.wishes.zones?.[id] ?? {};
  }
}
