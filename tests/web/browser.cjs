// Plays every pack in a real browser to its end by clicks, against bots, and looks for mistakes: errors of the page, texts that are
// too pale, missing names, a page that is wider than a phone, clicks that take long. Called by `check` beside this file.
const fs = require("node:fs");
const path = require("node:path");
const { pictures, chance, serve, browse, open, newPage, barriers, state, percentile } = require("./driver.cjs");

/** A game that takes more clicks than this is left, and told. */
const MOST_CLICKS = 4000;
/** A click must show the new table within so many milliseconds, 95 % of the time. */
const SLOWEST = 50;
/** At these clicks pictures are taken, and the accessibility checker looks. */
const LOOKS = [3, 25, 90];

/** Notes in the page how long it takes from a click to the next frame with another table. */
function watchClicks() {
  const seen = { times: [], began: 0, open: false };
  globalThis.clicked = seen;
  addEventListener("click", () => { Object.assign(seen, { began: performance.now(), open: true }); }, true);
  const watch = new MutationObserver(() => {
    if (!seen.open) return;
    seen.open = false;
    const { began } = seen;
    requestAnimationFrame(() => seen.times.push(performance.now() - began));
  });
  watch.observe(document.querySelector(".game"), { subtree: true, childList: true });
}

/** Clicks on something that can be chosen: now and then on the thing itself, else in the list. */
async function click(page, random) {
  const pick = [random(1 << 14), random(1 << 14), random(3) === 0, random(12) === 0];
  // Most clicks are made in the page, because a real mouse waits until everything has stopped moving. Some are real.
  const real = await page.evaluateHandle(([one, other, onThing, isReal]) => {
    const things = [...document.querySelectorAll(".open[data-about]")];
    const options = [...document.querySelectorAll(".options button.option")];
    const target = onThing && things.length ? things[one % things.length] : options[one % options.length];
    if (isReal) return target;
    target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    const several = [...document.querySelectorAll("dialog.choose button.option")];
    if (several.length) several[other % several.length].click();
    return `${target.outerHTML.slice(0, 300)} and ${several.length} in a list`;
  }, pick);
  const element = real.asElement();
  if (!element) return real.jsonValue();
  const what = await element.evaluate((target) => `a real click on ${target.outerHTML.slice(0, 300)}`);
  // A piece that covers its space gets the click, and the answer is then about the piece: what is asked about either is the same.
  await element.click({ timeout: 10000 });
  const several = await page.$$("dialog.choose button.option");
  if (several.length) await several[pick[1] % several.length].click();
  return what;
}

/** How many answers the table has, as the page knows. */
const answers = (page) => page.evaluate(() => document.querySelector(".game")?.getAttribute("data-answers"));

/** Pictures of a table as it is: light, dark, and on a phone; and what the accessibility checker finds. */
async function look(page, name, problems) {
  const shot = (file, fullPage) => page.screenshot({ path: path.join(pictures, `${name}${file}.png`), fullPage });
  await page.waitForTimeout(400);
  const from = await page.evaluate(() => {
    const from = scrollY;
    scrollTo(0, 0);
    return from;
  });
  problems.push(...(await barriers(page)));
  await shot("", true);
  await page.emulateMedia({ colorScheme: "dark" });
  problems.push(...(await barriers(page)).map((one) => `dark: ${one}`));
  await shot("-dark", true);
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 400, height: 800 });
  if (await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)) problems.push("it is wider than a phone");
  problems.push(...(await barriers(page)).map((one) => `phone: ${one}`));
  await shot("-phone-whole", true);
  // What a player sees there: the place of the question.
  await page.evaluate(() => document.querySelector(".table .open")?.scrollIntoView({ block: "nearest" }));
  await shot("-phone", false);
  await page.setViewportSize({ width: 1400, height: 900 });
  await page.evaluate((at) => scrollTo(0, at), from);
}

/** Plays one game to its end by clicks; gives the number of clicks, what is wrong, and how long clicks took. */
async function play(browser, address, pack, seed, problems) {
  const [least, most] = pack.players;
  const players = Math.min(most, Math.max(least, 2));
  const seats = Array.from({ length: players }, (_, seat) => (seat === 0 ? null : "random"));
  const opened = await open(address, pack.id, seats, { seed });
  const page = await newPage(browser, problems);
  const began = Date.now();
  await page.goto(opened.links[0]);
  await page.waitForSelector(".game[data-answers]");
  const first = Date.now() - began;
  if (page.url().includes("token")) problems.push("the secret stays in the address");
  await page.evaluate(watchClicks);
  const random = chance(seed);
  let clicks = 0;
  for (; clicks < MOST_CLICKS; clicks++) {
    if ((await state(page)) === "over") break;
    if (LOOKS.includes(clicks)) await look(page, `${pack.id}-${clicks}`, problems);
    const before = await answers(page);
    const clicked = await click(page, random);
    const changed = page.waitForFunction((old) => document.querySelector(".game")?.getAttribute("data-answers") !== old, before, { timeout: 120000 });
    await changed.catch(async () => {
      await page.screenshot({ path: path.join(pictures, `${pack.id}-stuck.png`), fullPage: true });
      throw new Error(`click ${clicks} did nothing: ${clicked}`);
    });
  }
  if (clicks === MOST_CLICKS) problems.push(`not over after ${MOST_CLICKS} clicks`);
  await look(page, `${pack.id}-end`, problems);
  const times = await page.evaluate(() => globalThis.clicked.times);
  const slow = percentile(times, 0.95);
  if (slow > SLOWEST && !process.env.RULEPACK_SLOW) problems.push(`95 % of the clicks are shown within ${slow.toFixed(0)} ms, not ${SLOWEST}`);
  await page.close();
  return { clicks, slow, half: percentile(times, 0.5), first };
}

async function main() {
  fs.mkdirSync(pictures, { recursive: true });
  const { address, stop } = await serve();
  const { browser, close } = await browse();
  let failed = 0;
  let passed = 0;
  try {
    const { packs } = await (await fetch(`${address}/api/packs`)).json();
    const wanted = process.argv.slice(3);
    for (const pack of packs.filter((pack) => (wanted.length ? wanted.includes(pack.id) : true))) {
      const began = Date.now();
      const problems = [];
      const played = await play(browser, address, pack, 11, problems).catch((error) => {
        problems.push(`it was not played to its end: ${error}`);
        return { clicks: 0, slow: 0, half: 0, first: 0 };
      });
      const { clicks, slow, half, first } = played;
      console.log(`${pack.id}: ${clicks} clicks in ${Math.round((Date.now() - began) / 1000)} s; from a click to the table: half within ${half.toFixed(0)} ms, 95 % within ${slow.toFixed(0)} ms; first table after ${first} ms${problems.length ? "" : "; nothing wrong"}`);
      for (const problem of new Set(problems)) console.log(`  ${problem}`);
      if (problems.length) failed++;
      else passed++;
    }
  } finally {
    await close();
    stop();
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}

main();
