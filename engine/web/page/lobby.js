// @ts-check
// The lobby: which games there are, a form for a new table, and the links of its seats.

import { fill, make } from "./dom.js";
import { say } from "./words.js";

/**
 * @typedef {{ id: string, title: string, is_edition: boolean, players: number | null }} Mode
 * @typedef {{ id: string, title: string, text: string | null, players: [number, number] | null, languages: string[], editions: string[], modes: Mode[] }} Pack
 * @typedef {{ viewer: string, token: string, bot: string | null }} Link
 * @typedef {{ table: string, title: string, seats: Link[], spectators: Link }} Opened
 */

/** The strengths of bots, with the names by which the program knows them. */
const BOTS = [["bot_random", "random"], ["bot_greedy", "greedy"], ["bot_good", "mcts:200"], ["bot_strong", "mcts:1500ms"]];
const KNOWN = "rulepack.tables";

/**
 * @param {HTMLElement} page
 */
export async function lobby(page) {
  const reply = await fetch("/api/packs");
  const { packs, first } = /** @type {{ packs: Pack[], first: string | null }} */ (await reply.json());
  const list = make("ul.packs");
  const form = make("div.form");
  const links = make("section.links", { "aria-live": "polite" });
  /** @param {Pack} pack */
  const choose = (pack) => {
    for (const item of list.querySelectorAll("button")) {
      item.setAttribute("aria-pressed", String(item.dataset.pack === pack.id));
    }
    fill(links);
    fill(form, opening(pack, (opened) => {
      remember(opened);
      fill(links, ...linked(opened));
      links.scrollIntoView({ block: "nearest" });
    }));
  };
  for (const pack of packs) {
    const players = pack.players ? (pack.players[0] === pack.players[1] ? `${pack.players[0]}` : `${pack.players[0]}–${pack.players[1]}`) : "";
    list.append(make("li", null, make("button.pack", { "data-pack": pack.id, onclick: () => choose(pack) },
      make("strong", null, pack.title),
      make("span.small", null, `${say("players")}: ${players} · ${pack.languages.join(", ")}`),
      pack.text && make("span.small", null, pack.text))));
  }
  fill(page, make("main.lobby", null,
    make("header", null, make("h1", null, "rulepack")),
    make("div.columns", null, make("section", null, make("h2", null, say("pack")), list), make("section", null, form, links)),
    known()));
  const shown = packs.find((pack) => pack.id === first) ?? packs[0];
  if (shown) choose(shown);
}

/**
 * The form for a table of a game.
 * @param {Pack} pack
 * @param {(opened: Opened) => void} done
 */
function opening(pack, done) {
  const [least, most] = pack.players ?? [1, 1];
  const count = /** @type {HTMLSelectElement} */ (make("select", { id: "players" }));
  for (let number = least; number <= most; number++) count.append(make("option", { value: number, selected: number === Math.max(least, Math.min(2, most)) }, number));
  const language = /** @type {HTMLSelectElement} */ (make("select", { id: "language" }));
  const wished = document.documentElement.lang;
  for (const one of pack.languages) language.append(make("option", { value: one, selected: one === wished }, one));
  const editions = pack.modes.filter((mode) => mode.is_edition);
  const edition = /** @type {HTMLSelectElement} */ (make("select", { id: "edition" }));
  edition.append(...editions.map((mode) => make("option", { value: mode.id }, mode.title)));
  const modes = make("div.choices");
  const seats = make("div.choices");
  const hints = /** @type {HTMLInputElement} */ (make("input", { type: "checkbox", id: "hints", checked: true }));
  const problem = make("p.problem", { role: "alert" });
  const arrange = () => {
    const players = Number(count.value);
    const fitting = pack.modes.filter((mode) => !mode.is_edition && (mode.players === null || mode.players === players));
    fill(modes, ...fitting.map((mode) => make("label", null, make("input", { type: "checkbox", value: mode.id, checked: mode.players === players }), mode.title)));
    const rows = [];
    for (let seat = 0; seat < players; seat++) {
      const who = make("select", { id: `seat-${seat}` }, make("option", { value: "" }, say("person")),
        ...BOTS.map(([name, bot]) => make("option", { value: bot, selected: seat > 0 && bot === "mcts:200" }, say(name))));
      rows.push(make("label", { for: `seat-${seat}` }, say("seat", { n: seat + 1 }), who));
    }
    fill(seats, ...rows);
  };
  count.addEventListener("change", arrange);
  arrange();
  const send = async () => {
    const chosen = [...modes.querySelectorAll("input:checked")].map((box) => /** @type {HTMLInputElement} */ (box).value);
    if (editions.length) chosen.push(edition.value);
    const reply = await fetch("/api/tables", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        pack: pack.id,
        modes: chosen,
        seats: [...seats.querySelectorAll("select")].map((box) => box.value || null),
        language: language.value,
        hints: hints.checked,
      }),
    });
    const opened = await reply.json();
    fill(problem, reply.ok ? "" : opened.message);
    if (reply.ok) done(opened);
  };
  return make("form", { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); send(); } },
    make("h2", null, `${say("open")}: ${pack.title}`),
    make("label", { for: "players" }, say("players"), count),
    editions.length > 0 && make("label", { for: "edition" }, say("edition"), edition),
    make("label", { for: "language" }, say("language"), language),
    modes.childElementCount > 0 && make("fieldset", null, make("legend", null, say("modes")), modes),
    seats,
    make("label", { for: "hints" }, hints, say("hints")),
    make("button.main", { type: "submit" }, say("start")),
    problem);
}

/**
 * @param {string} table
 * @param {Link} link
 */
function address(table, link) {
  return `${location.origin}/#table=${table}&token=${link.token}`;
}

/** @param {Opened} opened */
function linked(opened) {
  const row = (/** @type {Link} */ link, /** @type {string} */ name) => {
    const copy = make("button", { type: "button", onclick: async () => {
      await navigator.clipboard.writeText(address(opened.table, link));
      fill(copy, say("copied"));
    } }, say("copy"));
    return make("li", null, make("span", null, name),
      make("a.main", { href: address(opened.table, link) }, link.bot ? `${say("bot")} (${link.bot})` : say("sit")), copy);
  };
  return [make("h2", null, say("links")), make("p.small", null, say("links_help")),
    make("ul.seats", null,
      ...opened.seats.map((link, number) => row(link, say("seat", { n: number + 1 }))),
      row(opened.spectators, say("watch")))];
}

/**
 * Tables that were opened in this browser: their names only, the secrets are in cookies.
 * @returns {{ table: string, title: string, viewer: string }[]}
 */
export function knownTables() {
  try {
    const read = JSON.parse(localStorage.getItem(KNOWN) ?? "[]");
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}

/**
 * @param {string} table
 * @param {string} title
 * @param {string} viewer
 */
export function rememberSeat(table, title, viewer) {
  const others = knownTables().filter((one) => one.table !== table || one.viewer !== viewer);
  localStorage.setItem(KNOWN, JSON.stringify([{ table, title, viewer }, ...others].slice(0, 30)));
}

/** @param {Opened} opened */
function remember(opened) {
  document.title = opened.title;
}

function known() {
  const tables = knownTables();
  if (!tables.length) return "";
  return make("section", null, make("h2", null, say("your_tables")), make("ul.seats", null,
    ...tables.map((one) => make("li", null, make("a", { href: `#table=${one.table}&seat=${one.viewer}` }, `${one.title} · ${one.viewer.replace("_", " ")}`)))));
}
