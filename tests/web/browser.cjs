// Plays every pack in a real browser by clicks, against bots, and looks for mistakes: errors of the page, texts that are too pale,
// missing names. Called by `check` beside this file.
const { spawn, execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { chromium } = require("playwright-core");

const root = process.argv[2];
const program = process.env.RULEPACK ?? path.join(root, "target/release/rulepack");
const shots = path.join(root, "target/web/pictures");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
/** A game that takes more clicks than this is left, and told. */
const MOST_CLICKS = 600;

/** Random numbers that are the same each time. */
function chance(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 65536) % below;
  };
}

async function serve(folder) {
  const server = spawn(program, ["--library", root, "serve", "--listen", "127.0.0.1:0", "--tables", folder]);
  const address = await new Promise((found, failed) => {
    let told = "";
    server.stderr.on("data", (part) => {
      told += part;
      const match = /http:\/\/[\d.:]+/.exec(told);
      if (match) found(match[0]);
    });
    server.on("exit", () => failed(new Error(`the server ended: ${told}`)));
  });
  return { server, address };
}

/** Serious findings of the accessibility checker on the page as it is. */
async function barriers(page) {
  await page.evaluate(axe);
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return result.violations
    .filter((one) => one.impact === "serious" || one.impact === "critical")
    .map((one) => `${one.id}: ${one.help} (${one.nodes.length}; ${one.nodes[0].target.join(" ")})`);
}

/** Plays one game to its end by clicks; gives the number of clicks and what is wrong. */
async function play(browser, address, pack, seed) {
  const problems = [];
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.on("pageerror", (error) => problems.push(`error of the page: ${error}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  const origin = { headers: { origin: address } };
  const [least, most] = pack.players;
  const players = Math.min(most, Math.max(least, 2));
  const seats = Array.from({ length: players }, (_, seat) => (seat === 0 ? null : "random"));
  const reply = await page.request.post(`${address}/api/tables`, { ...origin, data: { pack: pack.id, seats, language: "en", seed, hints: true } });
  const opened = await reply.json();
  if (!reply.ok()) return { clicks: 0, problems: [`it cannot be opened: ${opened.message}`] };
  await page.goto(`${address}/#table=${opened.table}&token=${opened.seats[0].token}`);
  await page.waitForSelector(".game");
  if (page.url().includes("token")) problems.push("the secret stays in the address");
  const random = chance(seed);
  let clicks = 0;
  const times = [];
  for (; clicks < MOST_CLICKS; clicks++) {
    const state = await page.waitForFunction(() => {
      if (document.querySelector(".outcome table")) return "over";
      return document.querySelector("button.option") ? "asked" : null;
    }, null, { timeout: 20000 });
    if ((await state.jsonValue()) === "over") break;
    if (clicks === 12) {
      await page.screenshot({ path: path.join(shots, `${pack.id}.png`), fullPage: true });
      problems.push(...(await barriers(page)));
    }
    const before = await page.evaluate(() => document.querySelector(".options")?.textContent + document.querySelector(".question")?.textContent);
    // Now and then on the thing itself, else in the list.
    const things = await page.$$(".open[data-about]");
    const began = Date.now();
    const onThing = things.length > 0 && random(3) === 0;
    if (onThing) {
      await things[random(things.length)].evaluate((thing) => thing.dispatchEvent(new MouseEvent("click", { bubbles: true })));
      const several = await page.$$("dialog.choose button.option");
      if (several.length) await several[random(several.length)].click();
    } else {
      const options = await page.$$(".options button.option");
      if (options.length === 0) continue;
      await options[random(options.length)].evaluate((option) => option.click());
    }
    await page.waitForFunction((old) => document.querySelector(".options")?.textContent + document.querySelector(".question")?.textContent !== old
      || document.querySelector(".outcome table"), before, { timeout: 5000 }).catch(() => {});
    times.push(Date.now() - began);
  }
  if (clicks === MOST_CLICKS) problems.push(`not over after ${MOST_CLICKS} clicks`);
  await page.screenshot({ path: path.join(shots, `${pack.id}-end.png`), fullPage: true });
  await page.setViewportSize({ width: 390, height: 800 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  if (wide) problems.push("it is wider than a phone");
  await page.screenshot({ path: path.join(shots, `${pack.id}-phone.png`) });
  await page.close();
  times.sort((one, other) => one - other);
  return { clicks, problems, slow: times[Math.floor(times.length * 0.95)] ?? 0 };
}

async function main() {
  fs.mkdirSync(shots, { recursive: true });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rulepack-web-"));
  const { server, address } = await serve(folder);
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "rulepack-browser-"));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: execFileSync("which", ["chromium"]).toString().trim(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  let failed = 0;
  let passed = 0;
  try {
    const { packs } = await (await fetch(`${address}/api/packs`)).json();
    const wanted = process.argv.slice(3);
    const chosen = packs.filter((pack) => (wanted.length ? wanted.includes(pack.id) : true));
    for (const pack of chosen) {
      const { clicks, problems, slow } = await play(browser, address, pack, 11);
      console.log(`${pack.id}: ${clicks} clicks, 95 % of them shown within ${slow} ms${problems.length ? "" : ", nothing wrong"}`);
      for (const problem of new Set(problems)) console.log(`  ${problem}`);
      if (problems.length) failed++;
      else passed++;
    }
  } finally {
    await browser.close();
    server.kill();
    for (const one of [folder, profile]) fs.rmSync(one, { recursive: true, force: true });
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}

main();
