// What people do at the page besides clicking through a game: keys only from the lobby to the end, a reload in mid-question, two
// browsers with hidden hands, an answer that is taken back when both agree. Called by `check` beside this file.
const { chance, serve, browse, open, newPage, barriers, state } = require("./driver.cjs");

const LONG = { timeout: 120000 };
const number = (page) => page.evaluate(() => document.querySelector(".game")?.getAttribute("data-answers"));
const changed = (page, before) => page.waitForFunction((old) => document.querySelector(".game")?.getAttribute("data-answers") !== old, before, LONG);
const question = (page) => page.evaluate(() => document.querySelector(".question").textContent + [...document.querySelectorAll(".option")].map((one) => one.textContent).join("|"));

/** Fails with a sentence if something does not hold. */
function must(holds, sentence) {
  if (!holds) throw new Error(sentence);
}

/** Presses Tab until the element in focus fits. */
async function tabTo(page, fits, what) {
  for (let presses = 0; presses < 150; presses++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(fits)) return;
  }
  throw new Error(`no Tab leads to ${what}`);
}

/** From the lobby to the end of a game without a mouse. */
async function byKeys({ browser, address }, problems) {
  const page = await newPage(browser, problems);
  await page.goto(address);
  await page.waitForSelector(".pack", LONG);
  problems.push(...(await barriers(page)));
  await tabTo(page, () => document.activeElement?.getAttribute("data-pack") === "goofspiel", "the game");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("form h2")?.textContent.includes("Goofspiel"), null, LONG);
  await tabTo(page, () => document.activeElement?.getAttribute("type") === "submit", "the button that opens a table");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".links a", LONG);
  await tabTo(page, () => document.activeElement?.matches(".links a"), "the link of the first seat");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".game[data-answers]", LONG);
  let keys = 0;
  while ((await state(page)) === "asked") {
    const before = await number(page);
    if (keys % 3 === 2) {
      await tabTo(page, () => document.activeElement?.matches(".table .open"), "something that can be chosen");
      await page.keyboard.press("Enter");
    } else {
      await page.keyboard.press("1");
    }
    await changed(page, before);
    keys += 1;
  }
  await page.close();
  return `${keys} answers by keys, from the lobby to the end`;
}

/** The same question is there after a reload. */
async function reload({ browser, address }, problems) {
  const page = await newPage(browser, problems);
  const opened = await open(address, "settlement", [null, "random"]);
  await page.goto(opened.links[0]);
  let reloads = 0;
  for (let clicks = 0; clicks < 12; clicks++) {
    if ((await state(page)) === "over") break;
    const [before, asked] = [await number(page), await question(page)];
    await page.reload();
    must((await state(page)) === "asked", "the seat is asked after a reload");
    must((await question(page)) === asked, `the question after a reload is another one: ${asked}`);
    reloads += 1;
    // Revisions count on; the number of answers is the same.
    must((await number(page)).split(".")[0] === before.split(".")[0], "the number of answers stays");
    const now = await number(page);
    await page.evaluate((clicks) => { const all = document.querySelectorAll(".options .option"); all[(clicks * 5) % all.length].click(); }, clicks);
    await changed(page, now);
  }
  await page.close();
  return `${reloads} reloads in mid-question`;
}

/** Two browsers play a game with hidden hands to its end. Neither is ever sent a card of the other's hand. */
async function twoBrowsers({ browser, address }, problems) {
  const other = await browse();
  let messages = 0;
  let leaks = 0;
  try {
    const opened = await open(address, "night-garden", [null, null]);
    const pages = [await newPage(browser, problems), await newPage(other.browser, problems)];
    for (const [seat, page] of pages.entries()) {
      page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => {
        const message = JSON.parse(payload);
        if (message.type !== "table") return;
        messages += 1;
        for (const zone of message.view.table.zones) {
          const isOthers = zone.owner && zone.owner !== `player_${seat + 1}`;
          if ((zone.id === "hand" && isOthers || zone.id === "deck") && zone.spaces.some((space) => space.pieces.length)) leaks += 1;
        }
      }));
      await page.goto(opened.links[seat]);
      await page.waitForSelector(".game[data-answers]", LONG);
    }
    const random = chance(5);
    let clicks = 0;
    for (; clicks < 2000; clicks++) {
      const states = await Promise.race(pages.map((page, seat) => state(page).then((found) => ({ seat, found })).catch(() => new Promise(() => {}))));
      if (states.found === "over") break;
      const page = pages[states.seat];
      const before = await number(page);
      await page.evaluate((pick) => { const all = document.querySelectorAll(".options .option"); all[pick % all.length].click(); }, random(1 << 14));
      await changed(page, before);
    }
    for (const page of pages) must((await state(page)) === "over", "both see the end");
    must(leaks === 0, `${leaks} messages show a hand of the other or a deck`);
    await Promise.all(pages.map((page) => page.close()));
    return `two browsers, ${clicks} clicks to the end, ${messages} messages without a card of the other's hand`;
  } finally {
    await other.close();
  }
}

/** An answer after which the other one has answered is taken back when that one agrees. */
async function takeBack({ browser, address }, problems) {
  const opened = await open(address, "reversi", [null, null]);
  const pages = [await newPage(browser, problems), await newPage(browser, problems)];
  for (const [seat, page] of pages.entries()) await page.goto(opened.links[seat]);
  for (const page of pages) {
    await state(page);
    const before = await number(page);
    await page.click(".options .option");
    await changed(page, before);
  }
  await state(pages[0]);
  const tool = (page, name) => page.click(`.tools button:has-text("${name}")`);
  await tool(pages[0], "Take back");
  await pages[1].click('.wish button:has-text("Refuse")');
  await pages[0].waitForFunction(() => !document.querySelector(".wish")?.textContent, null, LONG);
  await tool(pages[0], "Take back");
  await pages[1].click('.wish button:has-text("Agree")');
  await pages[0].waitForFunction(() => document.querySelector(".game")?.getAttribute("data-answers")?.startsWith("0.1."), null, LONG);
  await Promise.all(pages.map((page) => page.close()));
  return "an answer was refused to be taken back, and then taken back";
}

async function main() {
  const server = await serve();
  const first = await browse();
  let failed = 0;
  try {
    for (const check of [byKeys, reload, twoBrowsers, takeBack]) {
      const problems = [];
      const told = await check({ browser: first.browser, address: server.address }, problems).catch((error) => {
        problems.push(String(error));
        return check.name;
      });
      console.log(`${told}${problems.length ? "" : "; nothing wrong"}`);
      for (const problem of new Set(problems)) console.log(`  ${problem}`);
      if (problems.length) failed++;
    }
  } finally {
    await first.close();
    server.stop();
  }
  process.exit(failed ? 1 : 0);
}

main();
