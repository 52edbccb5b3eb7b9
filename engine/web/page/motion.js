// @ts-check
// What moves on the page: pieces go from where they were to where they are, and the page goes to what can be chosen.

/**
 * Scrolls to the first thing that can be chosen, if none of them is in sight.
 * @param {HTMLElement} page
 */
export function bringIntoSight(page) {
  const things = [...page.querySelectorAll(".table .open[data-about]")];
  const ask = page.querySelector(".ask")?.getBoundingClientRect();
  // On a phone the question covers the lower part of the table.
  const covered = ask && ask.left < 10 && ask.bottom > innerHeight - 10 ? ask.top : innerHeight;
  const isSeen = things.some((thing) => {
    const { top, bottom } = thing.getBoundingClientRect();
    return top >= 0 && bottom <= covered;
  });
  if (!isSeen) things[0]?.scrollIntoView({ block: "nearest" });
}

/**
 * Where every piece in sight is, to move it from there.
 * @param {HTMLElement} page
 */
export function measure(page) {
  /** @type {Map<string, DOMRect>} */
  const places = new Map();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return places;
  for (const element of page.querySelectorAll("[data-handle]")) {
    const handle = element.getAttribute("data-handle");
    if (handle) places.set(handle, element.getBoundingClientRect());
  }
  return places;
}

/**
 * Lets pieces move from where they were, and new ones appear.
 * @param {HTMLElement} page
 * @param {Map<string, DOMRect>} places
 */
export function move(page, places) {
  if (!places.size) return;
  const timing = { duration: 350, easing: "ease-out" };
  // All places are read before anything is moved, so that the page is laid out once.
  const now = [...page.querySelectorAll("[data-handle]")].map((element) => ({ element, to: element.getBoundingClientRect() }));
  for (const { element, to } of now) {
    const handle = element.getAttribute("data-handle");
    if (!handle) continue;
    const from = places.get(handle);
    if (!from) element.animate([{ opacity: 0, transform: "scale(0.8)" }, { opacity: 1, transform: "none" }], timing);
    else if (Math.abs(from.x - to.x) + Math.abs(from.y - to.y) > 4) {
      element.animate([{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)` }, { transform: "none" }], timing);
    }
  }
}
