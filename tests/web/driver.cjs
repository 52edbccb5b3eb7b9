// What the checks of the page share: a server of its own, Chromium, tables, the accessibility checker, and chance that is the same
// each time.
const { spawn, execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { chromium } = require("playwright-core");

const root = process.argv[2];
const program = process.env.RULEPACK ?? path.join(root, "target/release/rulepack");
const pictures = process.env.RULEPACK_PICTURES ?? path.join(root, "target/web/pictures");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
/** With `RULEPACK_PAGE=engine/web/page` scripts and styles of the page are read from that folder, so that an edit needs no build. */
const ownPage = process.env.RULEPACK_PAGE;

/** Random numbers that are the same each time. */
function chance(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 65536) % below;
  };
}

/** Starts a server with a folder of its own. */
async function serve(...more) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rulepack-web-"));
  const server = spawn(program, ["--library", root, "serve", "--listen", "127.0.0.1:0", "--tables", folder, ...more]);
  let told = "";
  const address = await new Promise((found, failed) => {
    server.stderr.on("data", (part) => {
      told += part;
      const match = /http:\/\/[\d.:]+/.exec(told);
      if (match) found(match[0]);
    });
    server.on("exit", () => failed(new Error(`the server ended: ${told}`)));
  });
  const stop = () => {
    server.kill();
    fs.rmSync(folder, { recursive: true, force: true });
  };
  return { server, address, folder, told: () => told, stop };
}

/** Starts a browser with a profile of its own. */
async function browse(more = {}) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "rulepack-browser-"));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: execFileSync("which", ["chromium"]).toString().trim(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    viewport: { width: 1400, height: 900 },
    ...more,
  });
  if (ownPage) {
    const kinds = { ".js": "text/javascript", ".css": "text/css" };
    await browser.route(/\.(js|css)$/, (route) => {
      const name = new URL(route.request().url()).pathname.slice(1);
      const file = path.join(ownPage, name);
      if (!fs.existsSync(file)) return route.fallback();
      return route.fulfill({ body: fs.readFileSync(file), contentType: kinds[path.extname(file)] });
    });
  }
  const close = async () => {
    await browser.close();
    fs.rmSync(profile, { recursive: true, force: true });
  };
  return { browser, close };
}

/** Opens a table; `seats` are bots, or null for persons. */
async function open(address, pack, seats, more = {}) {
  const reply = await fetch(`${address}/api/tables`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: address },
    body: JSON.stringify({ pack, seats, language: "en", seed: 11, hints: true, ...more }),
  });
  const opened = await reply.json();
  if (!reply.ok) throw new Error(`${pack} cannot be opened: ${opened.message}`);
  const links = opened.seats.map((link) => `${address}/#table=${opened.table}&token=${link.token}`);
  return { ...opened, links, watch: `${address}/#table=${opened.table}&token=${opened.spectators.token}` };
}

/** A page that notes its own mistakes in `problems`. */
async function newPage(browser, problems) {
  const page = await browser.newPage();
  page.on("pageerror", (error) => problems.push(`error of the page: ${error}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  return page;
}

/** Serious findings of the accessibility checker on the page as it is. */
async function barriers(page) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return result.violations
    .filter((one) => one.impact === "serious" || one.impact === "critical")
    .map((one) => `${one.id}: ${one.help} (${one.nodes.length}; ${one.nodes[0].target.join(" ")}: ${one.nodes[0].any[0]?.message ?? ""})`);
}

/** Waits until the seat of a page is asked, or the game is over: `asked`, `over`. */
async function state(page, timeout = 120000) {
  const found = await page.waitForFunction(() => {
    if (document.querySelector(".outcome table")) return "over";
    return document.querySelector(".options button.option") ? "asked" : null;
  }, null, { timeout });
  return found.jsonValue();
}

/** The number at a percentile of a list. */
function percentile(times, share) {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

module.exports = { root, pictures, chance, serve, browse, open, newPage, barriers, state, percentile };
