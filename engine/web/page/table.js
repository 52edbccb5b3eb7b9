// @ts-check
// One seat at a table: the connection, the question with its options, the log and the talk.

import { Board } from "./board.js";
import { fill, make } from "./dom.js";
import { rememberSeat } from "./lobby.js";
import { Look } from "./look.js";
import { bringIntoSight, measure, move } from "./motion.js";
import { chime, isOn, turn } from "./sound.js";
import { say, speak } from "./words.js";

/**
 * @typedef {import("./board.js").Zone} Zone
 * @typedef {{ index: number, text: string, ids: string[], about?: string, price?: import("./board.js").Cost, says?: string }} Choice
 * @typedef {{ player: string, revision: number, kind: string, text: string, options: Choice[], shown?: import("./board.js").Piece[] }} Question
 * @typedef {{ handle?: string, id: string, title: string, active: boolean, passed: boolean, out?: boolean, team?: number, resources: Record<string, number>, values: Record<string, unknown>, variables: Record<string, unknown> }} Player
 * @typedef {{ player: string, lines: { id: string, title: string, pieces: number, points: number }[], total: number, rank: string | null }} Sheet
 * @typedef {{ turn: number, active: string | null, variables: Record<string, unknown>, players: Player[], supply: Record<string, number | null>, zones: Zone[], outcome: { winners: string[], sheets: Sheet[] } | null }} Table
 * @typedef {{ number: number, player: string, question: string, answer?: string, told: { kind: string, text: string }[] }} Entry
 * @typedef {{ view: { viewer: string, answers: number, undone: number, asked: { player: string, revision: number, text: string }[], resources: { id: string, title: string }[], table: Table }, questions: Question[], log_from: number, log: Entry[], seats: { player: string, bot: string | null, here: boolean }[], talk: { by: string, text: string }[], wish?: { by: string, waits_for: string[] }, trouble?: string }} Update
 */

/** More values than this of a player are shown when somebody asks for them. */
const FEW_FACTS = 4;
/** The same for the values of the table. */
const FEW_OF_ALL = 10;
/** Options above this number can be searched. */
const MANY_OPTIONS = 12;

/**
 * Sits down at a table; gives a function that leaves it.
 * @param {HTMLElement} page
 * @param {string} table
 * @param {string} viewer
 */
export function sit(page, table, viewer) {
  const seat = new Seat(page, table, viewer);
  seat.connect();
  return () => seat.leave();
}

/** The switch of the sound that says that it is one's turn. */
function soundSwitch() {
  const button = make("button.quiet", { type: "button", "aria-pressed": String(isOn()), onclick: () => {
    turn(!isOn());
    button.setAttribute("aria-pressed", String(isOn()));
    fill(button, isOn() ? "♪" : "♪ –");
  }, "aria-label": say("sound"), title: say("sound") }, isOn() ? "♪" : "♪ –");
  return button;
}

class Seat {
  /**
   * @param {HTMLElement} page
   * @param {string} table
   * @param {string} viewer
   */
  constructor(page, table, viewer) {
    this.page = page;
    this.table = table;
    this.viewer = viewer;
    /** @type {WebSocket | undefined} */
    this.socket = undefined;
    this.left = false;
    this.wait = 500;
    /** @type {Entry[]} */
    this.log = [];
    /** @type {{ by: string, text: string }[]} */
    this.talk = [];
    /** @type {Update | undefined} */
    this.update = undefined;
    /** @type {Board | undefined} */
    this.board = undefined;
    /** Zones of which everything is shown. @type {Set<string>} */
    this.whole = new Set();
    this.asksWhy = false;
    this.filter = "";
    this.hints = false;
    this.title = "";
    /** @type {Map<number, string>} what the hint says of the options of the present question */
    this.prospects = new Map();
    this.onkey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    addEventListener("keydown", this.onkey);
  }

  leave() {
    this.left = true;
    removeEventListener("keydown", this.onkey);
    this.socket?.close();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws/${encodeURIComponent(this.table)}/${encodeURIComponent(this.viewer)}`);
    this.socket = socket;
    let greeted = false;
    socket.addEventListener("message", (event) => {
      greeted = true;
      this.wait = 500;
      this.hear(JSON.parse(event.data));
    });
    socket.addEventListener("close", () => {
      if (this.left) return;
      if (!greeted && !this.board) fill(this.page, make("p.wait", { role: "alert" }, say("no_seat")));
      else this.tell(say("lost"), true);
      setTimeout(() => this.left || this.connect(), this.wait);
      this.wait = Math.min(this.wait * 2, 15000);
    });
  }

  /** @param {object} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** @param {any} message */
  hear(message) {
    switch (message.type) {
      case "hello": {
        speak(message.glossary.language);
        this.title = message.title;
        this.hints = message.hints;
        this.glossary = message.glossary;
        this.style = new Look(message.glossary.look);
        this.style.dress(this.page);
        this.log = [];
        this.talk = [];
        rememberSeat(this.table, message.title, this.viewer);
        this.lay();
        break;
      }
      case "table":
        this.log = [...this.log.slice(0, message.log_from), ...message.log];
        this.talk.push(...message.talk);
        this.show(message);
        break;
      case "problem":
        this.tell(message.message, true);
        break;
      case "why":
        this.tell(message.offered ? say("offered") : message.text, false);
        break;
      case "hint":
        if (message.revision === this.question()?.revision) {
          this.prospects = new Map(message.answers.map((/** @type {any} */ one) =>
            [one.index, one.wins === null ? say("points_of", { n: one.tenths / 10 }) : say("won_of", { n: one.wins })]));
          this.tell("", false);
          this.showOptions();
        }
        break;
    }
  }

  question() {
    return this.update?.questions[0];
  }

  /** The page without its contents: it stays, so that focus and scrolling do. */
  lay() {
    this.parts = {
      state: make("p.state", { role: "status" }),
      others: make("div.players.others"),
      shared: make("div.zones"),
      own: make("div.players.own"),
      outcome: make("div.outcome"),
      question: make("h2.question", { tabindex: -1 }),
      options: make("div.options"),
      told: make("p.told", { "aria-live": "polite" }),
      wish: make("div.wish", { role: "alert" }),
      log: make("ol.log", { "aria-live": "polite", "aria-relevant": "additions", tabindex: 0, "aria-label": say("log") }),
      talk: make("ol.talk", { "aria-live": "polite" }),
      detail: make("aside.detail", { hidden: true }),
      tools: make("div.tools"),
      seats: make("ul.here"),
    };
    const parts = this.parts;
    const line = /** @type {HTMLInputElement} */ (make("input", { id: "line", maxlength: 500, autocomplete: "off", "aria-label": say("say"), placeholder: say("say") }));
    const field = make("main.table", {
      onclick: (/** @type {Event} */ event) => this.pick(event),
      onpointerover: (/** @type {Event} */ event) => this.look(event),
      onfocusin: (/** @type {Event} */ event) => this.look(event),
    }, parts.outcome, parts.others, parts.shared, parts.own);
    fill(this.page, make("div.game", null,
      make("header.bar", null, make("a", { href: "#" }, say("lobby")), make("h1", null, this.title), parts.state, soundSwitch()),
      field,
      make("section.ask", { "aria-label": say("options") }, parts.question, parts.wish, parts.options, parts.told, parts.tools),
      make("aside.side", null,
        parts.detail,
        make("section.history", null, make("h2", null, say("log")), parts.log),
        make("section", null, make("h2", null, say("talk")), parts.seats, parts.talk,
          make("form.line", { onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            if (line.value.trim()) this.send({ type: "say", text: line.value });
            line.value = "";
          } }, line, make("button", { type: "submit" }, say("send")))))));
  }

  /** @param {Update} update */
  show(update) {
    if (!this.parts || !this.glossary || !this.style) return;
    const before = this.question();
    this.update = update;
    const { view } = update;
    const question = this.question();
    if (before?.revision !== question?.revision) {
      this.prospects.clear();
      this.filter = "";
      this.asksWhy = false;
      this.tell("", false);
    }
    const board = new Board(this.glossary, new Map(view.resources.map((one) => [one.id, one.title])), this.style);
    board.viewer = this.viewer;
    board.whole = this.whole;
    for (const option of question?.options ?? []) if (option.about) board.open.add(option.about);
    this.board = board;
    const places = measure(this.page);
    const table = view.table;
    const shared = this.style.order(table.zones.filter((zone) => zone.owner === null && this.isShown(zone)));
    fill(this.parts.shared, ...shared.map((zone) => board.zone(zone)),
      this.facts(table.variables, FEW_OF_ALL) ?? "", this.supply(table), ...(question?.shown?.length ? [make("section.zone", null, make("h3", null, question.text), make("div.cards", null, ...question.shown.map((piece) => board.card(piece))))] : []));
    const others = table.players.filter((player) => player.id !== this.viewer);
    const own = table.players.filter((player) => player.id === this.viewer);
    fill(this.parts.others, ...others.map((player) => this.player(player, table)));
    fill(this.parts.own, ...own.map((player) => this.player(player, table)));
    move(this.page, places);
    this.showOutcome(table);
    this.showState(update);
    this.showWish(update);
    this.showOptions();
    this.showLog();
    fill(this.parts.talk, ...this.talk.map((one) => make("li", null, make("b", null, this.name(one.by)), ` ${one.text}`)));
    this.parts.talk.scrollTop = this.parts.talk.scrollHeight;
    this.showSeats(update);
    if (before?.revision !== question?.revision) bringIntoSight(this.page);
    // It changes with every answer, for programs that play by the page.
    this.page.querySelector(".game")?.setAttribute("data-answers", `${view.answers}.${view.undone}.${question?.revision ?? 0}`);
  }

  /** @param {Zone} zone */
  isShown(zone) {
    const entry = this.glossary.zones.find((/** @type {any} */ one) => one.id === zone.id);
    const isOpen = zone.spaces.some((space) => this.board?.open.has(space.handle ?? "") || space.pieces.some((piece) => this.board?.open.has(piece.handle ?? "")));
    if ((entry?.out_of_game || this.style?.zone(zone.id).hidden) && !isOpen) return false;
    return zone.count > 0 || (entry?.layout !== "pile" && zone.spaces.length > 0) || isOpen;
  }

  /** @param {Table} table */
  supply(table) {
    const there = Object.entries(table.supply).filter(([, amount]) => amount !== null);
    if (!there.length || !this.board) return "";
    const titles = this.board.resources;
    return make("section.zone.supply", { "aria-label": say("supply") }, make("h3", null, say("supply")),
      make("span.chips", null, ...there.map(([id, amount]) => /** @type {Board} */ (this.board).chip(id, titles.get(id) ?? id, amount, true))));
  }

  /**
   * @param {Player} player
   * @param {Table} table
   */
  player(player, table) {
    const board = /** @type {Board} */ (this.board);
    const asked = this.update?.view.asked.some((one) => one.player === player.id);
    const head = make("header", null, this.swatch(player, table), make("h2", null, player.title), asked ? make("span.badge", null, "●") : null,
      board.chips(player.resources, player.id === this.viewer), this.facts({ ...player.values, ...player.variables }));
    board.mark(head, player.handle, player.title, "");
    const zones = /** @type {Look} */ (this.style).order(table.zones.filter((zone) => zone.owner === player.id && this.isShown(zone)));
    const section = make("section.player", { "aria-label": player.title }, head, make("div.zones", null, ...zones.map((zone) => board.zone(zone))));
    if (player.active) section.classList.add("active");
    if (player.passed) section.classList.add("passed");
    if (player.out) section.classList.add("out");
    return section;
  }

  /**
   * The colour of a player whose pieces are on a board that all share.
   * @param {Player} player
   * @param {Table} table
   */
  swatch(player, table) {
    const owns = table.zones.some((zone) => zone.spaces.some((space) => space.pieces.some((piece) => piece.variables?.owner === player.id)));
    return owns ? make(`span.swatch.token.of-${player.id.replace("player_", "")}`, { "aria-hidden": "true" }) : null;
  }

  /**
   * @param {Record<string, unknown>} values
   * @param {number} [few] so many are shown at once
   */
  facts(values, few = FEW_FACTS) {
    const there = Object.entries(values).filter(([, value]) => value !== null && value !== 0 && value !== false);
    if (!there.length) return null;
    const words = (/** @type {unknown} */ value) => value === true ? "✓" : this.name(String(value)).replaceAll("_", " ");
    const list = make("dl", null, ...there.flatMap(([name, value]) => [make("dt", null, name.replaceAll("_", " ")), make("dd", null, words(value))]));
    if (there.length > few) return make("details.state", null, make("summary", null, say("variables")), list);
    list.classList.add("few");
    return list;
  }

  /** @param {Table} table */
  showOutcome(table) {
    const parts = /** @type {NonNullable<typeof this.parts>} */ (this.parts);
    if (!table.outcome) return fill(parts.outcome);
    const { winners, sheets } = table.outcome;
    const names = winners.map((one) => this.name(one)).join(", ");
    const told = winners.length === 0 ? say("nobody_won") : winners.length === 1 ? say("won", { who: names }) : say("shared", { who: names });
    const lines = [...new Set(sheets.flatMap((sheet) => sheet.lines.map((line) => line.title)))];
    const points = (/** @type {Sheet} */ sheet, /** @type {string} */ title) =>
      sheet.lines.filter((line) => line.title === title).reduce((sum, line) => sum + line.points, 0);
    fill(parts.outcome, make("h2", null, told), make("div.scroll", { tabindex: 0 }, make("table", null,
      make("thead", null, make("tr", null, make("th", { scope: "col" }, say("score")), ...sheets.map((sheet) => make("th", { scope: "col" }, this.name(sheet.player))))),
      make("tbody", null, ...lines.map((title) => make("tr", null, make("th", { scope: "row" }, title), ...sheets.map((sheet) => make("td", null, points(sheet, title)))))),
      make("tfoot", null, make("tr", null, make("th", { scope: "row" }, say("total")), ...sheets.map((sheet) => make("td", null, make("b", null, sheet.total), sheet.rank ? ` ${sheet.rank}` : "")))))));
  }

  /** @param {Update} update */
  showState(update) {
    const parts = /** @type {NonNullable<typeof this.parts>} */ (this.parts);
    const { view } = update;
    const question = this.question();
    const asked = view.asked.map((one) => this.name(one.player)).join(", ");
    const text = view.table.outcome ? say("over") : question ? say("your_turn") : say("waits", { who: asked });
    fill(parts.state, update.trouble ? `${text} — ${update.trouble}` : text);
    if (question && !document.title.startsWith("●")) chime();
    document.title = question ? `● ${this.title}` : this.title;
    const waiting = view.asked.find((one) => one.player !== this.viewer);
    fill(parts.question, question ? question.text : view.table.outcome ? say("over") : waiting ? `${this.name(waiting.player)}: ${waiting.text}` : "");
  }

  /** @param {Update} update */
  showWish(update) {
    const parts = /** @type {NonNullable<typeof this.parts>} */ (this.parts);
    const { wish } = update;
    if (!wish) return fill(parts.wish);
    const mine = wish.waits_for.includes(this.viewer);
    fill(parts.wish, make("p", null, say("wants_back", { who: this.name(wish.by) })),
      mine ? make("span", null,
        make("button", { onclick: () => this.send({ type: "agree", yes: true }) }, say("agree")),
        make("button", { onclick: () => this.send({ type: "agree", yes: false }) }, say("refuse")))
        : make("p.small", null, say("waits_for", { who: wish.waits_for.map((one) => this.name(one)).join(", ") })));
  }

  showOptions() {
    const parts = /** @type {NonNullable<typeof this.parts>} */ (this.parts);
    const question = this.question();
    const options = question?.options ?? [];
    const wanted = this.filter.toLowerCase();
    const fitting = options.filter((option) => option.text.toLowerCase().includes(wanted));
    const buttons = fitting.map((option, number) => {
      const chance = this.prospects.get(option.index);
      const button = make("button.option", { "data-option": option.index, onclick: () => this.answer(option) },
        number < 9 ? make("kbd", null, number + 1) : null, make("span", null, option.text),
        option.price ? make("span.cost", null, ...(this.board?.parts(option.price) ?? [])) : null,
        chance ? make("span.chance", null, chance) : null,
        option.says ? make("span.small", null, option.says) : null);
      if (chance && chance === this.prospects.values().next().value) button.classList.add("best");
      return button;
    });
    const search = options.length > MANY_OPTIONS ? make("input.search", {
      type: "search", value: this.filter, placeholder: say("filter"), "aria-label": say("filter"),
      oninput: (/** @type {Event} */ event) => {
        this.filter = /** @type {HTMLInputElement} */ (event.target).value;
        this.showOptions();
        /** @type {HTMLInputElement | null} */ (parts.options.querySelector(".search"))?.focus();
      },
    }) : "";
    fill(parts.options, search, ...buttons);
    const field = /** @type {HTMLInputElement | null} */ (parts.options.querySelector(".search"));
    field?.setSelectionRange(this.filter.length, this.filter.length);
    const plays = this.viewer !== "public";
    const isOver = this.update?.view.table.outcome;
    const tool = (/** @type {string} */ name, /** @type {() => void} */ act, /** @type {boolean} */ pressed = false) =>
      make("button", { type: "button", "aria-pressed": pressed ? "true" : undefined, onclick: act }, say(name));
    fill(parts.tools, ...(plays ? [
      tool("undo", () => this.send({ type: "undo" })),
      ...(question ? [tool("why", () => {
        this.asksWhy = !this.asksWhy;
        this.tell(this.asksWhy ? say("why_ask") : "", false);
        this.showOptions();
      }, this.asksWhy)] : []),
      ...(question && this.hints && !isOver ? [tool("hint", () => {
        this.tell(say("thinking"), false);
        this.send({ type: "hint" });
      })] : []),
    ] : []));
    if (this.asksWhy) {
      const what = /** @type {HTMLInputElement} */ (make("input", { "aria-label": say("why") }));
      parts.tools.append(make("form.line", { onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (what.value.trim()) this.send({ type: "why", what: what.value.trim() });
      } }, what, make("button", { type: "submit" }, "?")));
    }
  }

  showLog() {
    const parts = /** @type {NonNullable<typeof this.parts>} */ (this.parts);
    const lines = this.log.slice(-120).flatMap((entry) => entry.told.map((told) => make(`li.${told.kind}`, null, told.text)));
    fill(parts.log, ...lines);
    parts.log.scrollTop = parts.log.scrollHeight;
  }

  /** @param {Update} update */
  showSeats(update) {
    const parts = /** @type {NonNullable<typeof this.parts>} */ (this.parts);
    fill(parts.seats, ...update.seats.map((seat) => {
      const may = this.viewer !== "public" && (seat.player === this.viewer || seat.bot !== null || !seat.here);
      return make("li", null, `${this.name(seat.player)}: ${seat.bot ? `${say("bot")} (${seat.bot})` : say(seat.here ? "here" : "away")} `,
        may ? make("button.quiet", { onclick: () => this.send(seat.bot ? { type: "hand", seat: seat.player } : { type: "hand", seat: seat.player, bot: "mcts:200" }) },
          say(seat.bot ? "to_person" : "to_bot")) : null);
    }));
  }

  /** @param {string} id */
  name(id) {
    if (id === "public") return say("watch");
    return this.update?.view.table.players.find((player) => player.id === id)?.title ?? id;
  }

  /**
   * @param {string} text
   * @param {boolean} isProblem
   */
  tell(text, isProblem) {
    if (!this.parts) return;
    fill(this.parts.told, text);
    this.parts.told.classList.toggle("problem", isProblem);
  }

  /** @param {Choice} option */
  answer(option) {
    const question = this.question();
    if (question) this.send({ type: "answer", revision: question.revision, index: option.index });
  }

  /** @param {Event} event */
  look(event) {
    const card = /** @type {Element} */ (event.target).closest?.("[data-type]");
    if (!card || !this.parts || !this.board) return;
    const about = this.board.detail(card.getAttribute("data-type") ?? "");
    this.parts.detail.hidden = about.length === 0;
    fill(this.parts.detail, ...about.filter((part) => part instanceof Node));
  }

  /**
   * A click on a thing: an answer, a choice among several answers about it, or a question why it is not offered.
   * @param {Event} event
   */
  pick(event) {
    const target = /** @type {Element} */ (event.target);
    const whole = target.closest("[data-whole]")?.getAttribute("data-whole");
    if (whole) {
      if (!this.whole.delete(whole)) this.whole.add(whole);
      if (this.update) this.show({ ...this.update, talk: [] });
      return;
    }
    const found = this.asksWhy ? target.closest("[data-about]") : target.closest(".open[data-about]");
    if (!found) return;
    const about = found.getAttribute("data-about") ?? "";
    if (this.asksWhy) {
      this.send({ type: "why", about });
      return;
    }
    const options = (this.question()?.options ?? []).filter((option) => option.about === about);
    if (options.length === 1) {
      this.answer(options[0]);
      return;
    }
    this.choose(found, options);
  }

  /**
   * Several answers are about the same thing: lists them.
   * @param {Element} at
   * @param {Choice[]} options
   */
  choose(at, options) {
    document.querySelector("dialog.choose")?.remove();
    const dialog = /** @type {HTMLDialogElement} */ (make("dialog.choose", { "aria-label": say("options") },
      ...options.map((option) => make("button.option", { onclick: () => { dialog.remove(); this.answer(option); } }, option.text,
        option.price ? make("span.cost", null, ...(this.board?.parts(option.price) ?? [])) : null)),
      make("button.quiet", { onclick: () => dialog.remove() }, say("close"))));
    document.body.append(dialog);
    dialog.addEventListener("close", () => { dialog.remove(); /** @type {HTMLElement} */ (at).focus?.(); });
    dialog.showModal();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches?.("input, select, textarea")) return;
    if ((event.key === "Enter" || event.key === " ") && target.matches?.(".open[data-about]")) {
      event.preventDefault();
      this.pick(event);
      return;
    }
    if (/^[1-9]$/.test(event.key) && !document.querySelector("dialog[open]")) {
      const buttons = this.parts?.options.querySelectorAll("button.option");
      /** @type {HTMLElement | undefined} */ (buttons?.[Number(event.key) - 1])?.click();
    }
  }
}
