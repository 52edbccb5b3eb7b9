// @ts-check
// Draws zones, cards and boards from the view of a table. Nothing here knows a game: what there is, the view says, and what it is
// called, the glossary.

import { make, shape } from "./dom.js";
import { Look } from "./look.js";
import { say } from "./words.js";

/**
 * @typedef {{ handle?: string, type: string, kind: string, title: string, face_down: boolean, flipped: boolean, resources: Record<string, number>, variables?: Record<string, unknown>, attached: Piece[] }} Piece
 * @typedef {{ kind: string, back?: string, title: string, count: number, resources: Record<string, number> }} Hidden
 * @typedef {{ handle?: string, name: string | null, pieces: Piece[], hidden: Hidden[] }} Space
 * @typedef {{ id: string, title: string, owner: string | null, columns: number, count: number, spaces: Space[] }} Zone
 * @typedef {{ id: string, title: string, is_group: boolean, amount: number }} Part
 * @typedef {{ parts: Part[], less?: number }} Cost
 * @typedef {{ id: string, title: string, value: string, name?: string }} Attribute
 * @typedef {{ id: string, kinds: string[], title: string, kind_title: string, text?: string, costs?: { id: string, cost: Cost }[], attributes?: Attribute[] }} Type
 * @typedef {{ id: string, per_player: boolean, layout: "pile" | "row" | "grid" | "hex" | "points", columns: number, rows: number, grows: boolean, visible: string, out_of_game: boolean, joined?: [number, number][] }} ZoneEntry
 * @typedef {{ pack: string, language: string, modes: string[], types: Type[], zones: ZoneEntry[], look?: import("./look.js").Wishes }} Glossary
 */

/** A board with more spaces than this shows pieces as small tokens. */
const SMALL_BOARD = 24;
/** Of a long pile so many are shown, until somebody asks for the others. */
const MOST_SHOWN = 8;
/** The largest number of cards that are shown of one space, also if somebody asks. */
const MOST_ALL = 200;

export class Board {
  /**
   * @param {Glossary} glossary
   * @param {Map<string, string>} resources titles of resources, by id
   * @param {Look} look
   */
  constructor(glossary, resources, look) {
    this.look = look;
    /** Zones of which everything is shown. @type {Set<string>} */
    this.whole = new Set();
    /** Zones of the viewer, which are never cut short. */
    this.viewer = "";
    this.types = new Map(glossary.types.map((type) => [type.id, type]));
    this.zones = new Map(glossary.zones.map((zone) => [zone.id, zone]));
    this.resources = resources;
    /** Handles that can be chosen now. @type {Set<string>} */
    this.open = new Set();
    /** Whether the zone that is drawn is the viewer's, or everybody's: resources of others are not chosen there. */
    this.isOwn = true;
    /** Whether tokens have no letters. */
    this.plain = false;
  }

  /**
   * A zone with its pieces.
   * @param {Zone} zone
   */
  zone(zone) {
    const entry = this.zones.get(zone.id);
    const layout = entry?.layout ?? "pile";
    this.isOwn = zone.owner === null || zone.owner === this.viewer;
    const body = layout === "pile" ? this.pile(zone)
      : layout === "row" ? this.row(zone)
      : layout === "grid" ? this.grid(zone, entry)
      : this.drawn(zone, entry);
    const count = layout === "pile" && zone.count > 0 ? make("span.count", null, zone.count) : null;
    const section = make(`section.zone.${layout}`, { "data-zone": zone.id, "aria-label": zone.title },
      make("h3", null, zone.title, " ", count), body);
    const { size } = this.look.zone(zone.id);
    if (size) section.classList.add(size === "small" ? "compact" : "roomy");
    return section;
  }

  /**
   * What names a zone of one owner.
   * @param {Zone} zone
   */
  key(zone) {
    return `${zone.owner ?? ""} ${zone.id}`;
  }

  /** @param {Zone} zone */
  pile(zone) {
    const space = zone.spaces[0];
    if (!space || zone.count === 0) {
      return this.spot(space, "div.cards.none", [make("span.small", null, say("empty"))]);
    }
    return this.spot(space, "div.cards", this.contents(space, false, zone));
  }

  /** @param {Zone} zone */
  row(zone) {
    return make("div.cards.line", null, ...zone.spaces.map((space, number) =>
      this.spot(space, "div.cell", this.contents(space, false, zone), spoken(space.name) || String(number + 1))));
  }

  /**
   * @param {Zone} zone
   * @param {ZoneEntry | undefined} entry
   */
  grid(zone, entry) {
    const columns = Math.max(1, zone.columns);
    const small = zone.spaces.length > SMALL_BOARD && !entry?.grows;
    // Where all pieces have one name, letters on them would say nothing.
    const names = new Set(zone.spaces.flatMap((space) => space.pieces.map((piece) => piece.title)));
    this.plain = names.size < 2;
    const rows = Math.ceil(zone.spaces.length / columns);
    const [top, bottom, left, right] = small || !entry?.grows ? [0, rows, 0, columns] : this.used(zone, columns, rows);
    const cells = zone.spaces.flatMap((space, number) => {
      const [row, column] = [Math.floor(number / columns), number % columns];
      if (row < top || row >= bottom || column < left || column >= right) return [];
      const cell = this.spot(space, small ? "div.cell.small" : "div.cell", this.contents(space, small, zone), spoken(space.name));
      if (small && (row + column) % 2) cell.classList.add("dark");
      return [cell];
    });
    const grid = make(small ? "div.grid.small" : "div.grid", null, ...(small ? edged(zone, columns, cells) : cells));
    const edges = small && edges_of(zone, columns);
    grid.style.gridTemplateColumns = small ? `${edges ? "1.3rem " : ""}repeat(${columns}, minmax(1.6rem, 3.4rem))` : `repeat(${right - left}, minmax(var(--least), var(--most)))`;
    return make("div.scroll", { tabindex: 0, role: "group", "aria-label": zone.title }, grid);
  }

  /**
   * The rows and columns of a growing grid up to the outermost that hold something or can be chosen.
   * @param {Zone} zone
   * @param {number} columns
   * @param {number} rows
   */
  used(zone, columns, rows) {
    const there = zone.spaces.flatMap((space, number) =>
      space.pieces.length || space.hidden.length || this.open.has(space.handle ?? "") ? [[Math.floor(number / columns), number % columns]] : []);
    if (!there.length) return [0, rows, 0, columns];
    const [down, across] = [there.map(([row]) => row), there.map(([, column]) => column)];
    return [Math.min(...down), Math.max(...down) + 1, Math.min(...across), Math.max(...across) + 1];
  }

  /**
   * Hexagons, and points with lines.
   * @param {Zone} zone
   * @param {ZoneEntry | undefined} entry
   */
  drawn(zone, entry) {
    const hex = entry?.layout === "hex";
    const columns = Math.max(1, zone.columns);
    const places = zone.spaces.map((space, number) => hex
      ? { x: (number % columns) * 1.74 + Math.floor(number / columns) * 0.87 + 1, y: Math.floor(number / columns) * 1.5 + 1.1 }
      : place(space.name ?? "", number, zone.spaces.length));
    const [across, down] = [places.map((at) => at.x), places.map((at) => at.y)];
    const [left, top] = [Math.min(...across) - 1, Math.min(...down) - 1.1];
    const [width, height] = [Math.max(...across) + 1 - left, Math.max(...down) + 1.1 - top];
    const picture = shape("svg", { viewBox: `${left} ${top} ${width} ${height}`, class: "drawn", role: "group" });
    picture.setAttribute("aria-label", zone.title);
    for (const [from, to] of entry?.joined ?? []) {
      const [one, other] = [places[from], places[to]];
      if (one && other) picture.append(shape("line", { x1: one.x, y1: one.y, x2: other.x, y2: other.y }));
    }
    zone.spaces.forEach((space, number) => {
      const { x, y } = places[number];
      const outline = hex
        ? shape("polygon", { points: [0, 1, 2, 3, 4, 5].map((corner) => `${x + Math.sin(corner * Math.PI / 3)},${y + Math.cos(corner * Math.PI / 3)}`).join(" ") })
        : shape("circle", { cx: x, cy: y, r: 0.32 });
      const group = shape("g", { class: "spot" }, outline);
      const piece = space.pieces.at(-1);
      this.mark(group, space.handle, piece ? piece.title : "", space.name ?? String(number + 1));
      if (piece) {
        const token = shape("circle", { cx: x, cy: y, r: hex ? 0.62 : 0.46, class: "token", "data-handle": piece.handle ?? "" });
        this.paint(/** @type {SVGElement} */ (token), piece);
        group.append(token);
        if (piece.handle && this.open.has(piece.handle)) this.mark(group, piece.handle, piece.title, space.name ?? "");
      }
      picture.append(group);
    });
    return make("div.scroll", { tabindex: 0 }, picture);
  }

  /**
   * @param {Space} space
   * @param {boolean} small
   * @param {Zone} zone
   * @returns {Node[]}
   */
  contents(space, small, zone) {
    const hidden = space.hidden.map((hidden) => this.back(hidden));
    if (small) return [...hidden, ...space.pieces.map((piece) => this.token(piece))];
    const piles = this.alike(space.pieces);
    const all = zone.owner === this.viewer && this.zones.get(zone.id)?.visible !== "all" || this.whole.has(this.key(zone)) || piles.length <= MOST_SHOWN + 1;
    // The last ones lie on top. What can be chosen is always shown.
    const shown = piles.filter(([piece], number) => number >= piles.length - (all ? MOST_ALL : MOST_SHOWN) || this.isOpen(piece));
    const cards = shown.map(([piece, count]) => this.card(piece, count));
    const left = piles.length - shown.length;
    if (left) cards.unshift(make("button.more", { type: "button", "data-whole": this.key(zone) }, say("more", { n: left })));
    else if (this.whole.has(this.key(zone)) && piles.length > MOST_SHOWN + 1) cards.unshift(make("button.more", { type: "button", "data-whole": this.key(zone) }, say("fewer")));
    return [...hidden, ...cards];
  }

  /**
   * Whether a piece can be chosen, or one on it.
   * @param {Piece} piece
   */
  isOpen(piece) {
    return this.open.has(piece.handle ?? "") || piece.attached.some((on) => this.open.has(on.handle ?? ""));
  }

  /**
   * Pieces that look the same and cannot be chosen are shown once, with their number.
   * @param {Piece[]} pieces
   * @returns {[Piece, number][]}
   */
  alike(pieces) {
    /** @type {Map<string, [Piece, number]>} */
    const piles = new Map();
    for (const piece of pieces) {
      const { handle, ...look } = piece;
      const key = this.isOpen(piece) ? `open ${handle}` : JSON.stringify(look);
      const pile = piles.get(key);
      if (pile) pile[1] += 1;
      else piles.set(key, [piece, 1]);
    }
    return [...piles.values()];
  }

  /**
   * A space, which can be chosen itself.
   * @param {Space | undefined} space
   * @param {string} name
   * @param {Node[]} contents
   * @param {string} [label]
   */
  spot(space, name, contents, label) {
    const element = make(name, null, label && !name.includes("small") ? make("span.name", null, label) : null, ...contents);
    if (space?.handle) this.mark(element, space.handle, "", label ?? "");
    return element;
  }

  /**
   * Lets a thing be chosen if it can be.
   * @param {Element} element
   * @param {string | undefined} handle
   * @param {string} title
   * @param {string} place
   */
  mark(element, handle, title, place) {
    if (!handle) return;
    element.setAttribute("data-about", handle);
    if (!this.open.has(handle)) return;
    element.classList.add("open");
    element.setAttribute("role", "button");
    element.setAttribute("tabindex", "0");
    // What has words of its own is called by them.
    if (!element.textContent?.trim()) element.setAttribute("aria-label", [title, place].filter(Boolean).join(", "));
  }

  /**
   * A card with its title, costs, attributes and what lies on it.
   * @param {Piece} piece
   * @param {number} [count] how many lie there that look like it
   * @returns {HTMLElement}
   */
  card(piece, count = 1) {
    const type = this.types.get(piece.type);
    const { facts, costs } = this.shown(piece, type);
    const mark = this.look.mark(type);
    const card = make("div.card", { "data-handle": piece.handle ?? "", "data-type": piece.type },
      make("div.head", null, this.owner(piece), this.look.icon(mark.icon),
        make("span.title", null, piece.title, count > 1 ? make("span.times", null, ` × ${count}`) : null), ...this.costs(costs)),
      facts.length ? make("div.facts", null, ...facts.map((fact) => this.fact(fact))) : null,
      type?.text ? make("p.text", null, type.text) : null,
      this.carried(piece),
      piece.attached.length ? make("div.attached", null, ...piece.attached.map((on) => this.token(on, true))) : null);
    if (!type?.text && facts.every((fact) => fact.value.length < 3)) card.classList.add("bare");
    if (piece.face_down) card.classList.add("down");
    if (piece.flipped) card.classList.add("flipped");
    this.look.paint(card, mark.colour, this.word(piece));
    if (!this.open.has(piece.handle ?? "")) card.tabIndex = 0;
    this.mark(card, piece.handle, piece.title, "");
    return card;
  }

  /**
   * What a card shows of its type: what the pack wants, else what its title does not say.
   * @param {Piece} piece
   * @param {Type | undefined} type
   */
  shown(piece, type) {
    const [facts, costs] = [type?.attributes ?? [], type?.costs ?? []];
    const fields = this.look.fields(type);
    if (!fields) return { facts: facts.filter((fact) => !(fact.value && said(piece.title, fact.value))).slice(0, 4), costs };
    return {
      facts: fields.flatMap((field) => facts.filter((fact) => fact.id === field)),
      costs: fields.flatMap((field) => costs.filter((cost) => cost.id === field)),
    };
  }

  /**
   * An attribute of a card, with its icon if its value has one.
   * @param {Attribute} fact
   */
  fact(fact) {
    const by = this.look.wishes.by?.find((by) => by.attribute === fact.id)?.values[fact.name ?? ""];
    const icon = this.look.icon(by?.icon ?? this.look.wishes.resources?.[fact.name ?? ""]?.icon);
    return make("span.fact", null, fact.value ? make("span.of", null, `${fact.title} `) : null, icon, fact.value ? fact.value : fact.title);
  }

  /**
   * On a shared board a variable says whose a piece is.
   * @param {Piece} piece
   */
  owner(piece) {
    const owner = /^player_(\d+)$/.exec(String(piece.variables?.owner ?? ""));
    return owner ? make(`span.swatch.token.of-${owner[1]}`, { "aria-hidden": "true" }) : null;
  }

  /**
   * A piece on a board with many spaces, or on another piece: a small token with its first letters.
   * @param {Piece} piece
   * @param {boolean} [named]
   * @returns {HTMLElement}
   */
  token(piece, named) {
    const icon = this.look.icon(this.look.mark(this.types.get(piece.type)).icon);
    const letters = named ? piece.title : icon || this.plain ? "" : piece.title.slice(0, 2);
    const token = make(named ? "span.tag" : "span.token", { "data-handle": piece.handle ?? "", "data-type": piece.type }, icon, letters,
      named ? this.carried(piece) : null);
    this.paint(token, piece);
    if (!named) {
      token.setAttribute("role", "img");
      token.setAttribute("aria-label", piece.title);
    }
    this.mark(token, piece.handle, piece.title, "");
    return token;
  }

  /**
   * @param {HTMLElement | SVGElement} element
   * @param {Piece} piece
   */
  paint(element, piece) {
    const { colour } = this.look.mark(this.types.get(piece.type));
    // Types that are called after a colour have it.
    const colours = ["black", "white", "red", "blue", "green", "yellow", "purple", "orange", "brown", "pink"];
    const named = colour ? undefined : colours.find((colour) => piece.type.includes(colour));
    if (named) element.classList.add(named);
    // On a shared board a variable says whose a piece is.
    const owner = /^player_(\d+)$/.exec(String(piece.variables?.owner ?? ""));
    if (owner) element.classList.add(`of-${owner[1]}`);
    this.look.paint(element, colour, this.word(piece));
    if (piece.flipped) element.classList.add("flipped");
  }

  /** @param {Hidden} hidden */
  back(hidden) {
    const kind = this.look.wishes.kinds?.[hidden.kind];
    const back = make("div.card.back", null, this.look.icon(kind?.icon), make("span.title", null, hidden.title),
      make("span.count", null, hidden.count), this.chips(hidden.resources, false));
    this.look.paint(back, this.look.wishes.accent ?? kind?.colour, hidden.kind + (hidden.back ?? ""));
    return back;
  }

  /**
   * The word whose colour a piece has if the pack gives none.
   * @param {Piece} piece
   */
  word(piece) {
    const named = this.types.get(piece.type)?.attributes?.find((fact) => fact.name);
    return piece.kind + (named?.name ?? "");
  }

  /**
   * @param {{ cost: Cost }[]} costs
   * @returns {HTMLElement[]}
   */
  costs(costs) {
    return costs.map(({ cost }) => make("span.cost", null, ...this.parts(cost)));
  }

  /** @param {Cost} cost */
  parts(cost) {
    // A price is no button, also where its resource can be chosen: it stands on one.
    const parts = cost.parts.map((part) => this.chip(part.id, part.title, part.amount, false));
    if (cost.less) parts.push(make("span.chip", null, `−${cost.less}`));
    return parts;
  }

  /** @param {Piece} piece */
  carried(piece) {
    // What lies on a thing that can be chosen itself is no button on that button.
    return this.chips(piece.resources, this.isOwn && !this.open.has(piece.handle ?? ""));
  }

  /**
   * @param {Record<string, number>} resources
   * @param {boolean} canBeChosen
   */
  chips(resources, canBeChosen) {
    const there = Object.entries(resources).filter(([, amount]) => amount !== 0);
    if (!there.length) return null;
    return make("span.chips", null, ...there.map(([id, amount]) => this.chip(id, this.resources.get(id) ?? id, amount, canBeChosen)));
  }

  /**
   * An amount of a resource.
   * @param {string} id
   * @param {string} title
   * @param {number | null} amount nothing: without end
   * @param {boolean} canBeChosen
   */
  chip(id, title, amount, canBeChosen) {
    const mark = this.look.wishes.resources?.[id];
    const icon = this.look.icon(mark?.icon);
    const chip = make("span.chip", null, make(icon ? "i.drawn-icon" : "i", { "aria-hidden": "true" }, icon ?? title.slice(0, 1).toUpperCase()),
      make("b", null, amount ?? "∞"), make("span.word", null, ` ${title}`));
    this.look.paint(chip, mark?.colour, id);
    if (canBeChosen) this.mark(chip, `resource:${id}`, title, "");
    return chip;
  }

  /**
   * All about a type, for whoever looks at a card.
   * @param {string} id
   */
  detail(id) {
    const type = this.types.get(id);
    if (!type) return [];
    return [make("h2", null, type.title), make("p.small", null, type.kind_title),
      type.text && make("p", null, type.text),
      make("dl", null,
        ...(type.costs ?? []).flatMap(({ id: name, cost }) => [make("dt", null, name.replaceAll("_", " ")), make("dd", null, ...this.parts(cost))]),
        ...(type.attributes ?? []).flatMap((fact) => [make("dt", null, fact.title), make("dd", null, fact.value || "✓")]))];
  }
}

/**
 * The names of the rows and columns of a board, if its spaces are called by both: `3.b`.
 * @param {Zone} zone
 * @param {number} columns
 * @returns {{ rows: string[], columns: string[] } | null}
 */
function edges_of(zone, columns) {
  const names = zone.spaces.map((space) => (space.name ?? "").split("."));
  if (names.some((parts) => parts.length !== 2 || parts.some((part) => part.length > 2))) return null;
  return { rows: names.filter((_, number) => number % columns === 0).map(([row]) => row), columns: names.slice(0, columns).map(([, column]) => column) };
}

/**
 * The cells of a board with the names of its rows at the left and of its columns below.
 * @param {Zone} zone
 * @param {number} columns
 * @param {HTMLElement[]} cells
 */
function edged(zone, columns, cells) {
  const edges = edges_of(zone, columns);
  if (!edges) return cells;
  const edge = (/** @type {string} */ name) => make("span.edge", { "aria-hidden": "true" }, name);
  return [...edges.rows.flatMap((row, number) => [edge(row), ...cells.slice(number * columns, (number + 1) * columns)]),
    edge(""), ...edges.columns.map(edge)];
}

/**
 * Whether a title says a word: `7 of Coins` says `Coins` and `7`.
 * @param {string} title
 * @param {string} word
 */
function said(title, word) {
  return ` ${title.toLowerCase()} `.includes(` ${word.toLowerCase()} `);
}

/**
 * The name of a space for people: `upper left` for `upper.left`.
 * @param {string | null} name
 */
function spoken(name) {
  return (name ?? "").replaceAll(".", " ").replaceAll("_", " ");
}

/**
 * Where a point is drawn: by its name if all are called like the squares of a chess board, else on a circle.
 * @param {string} name
 * @param {number} number
 * @param {number} count
 */
function place(name, number, count) {
  const square = /^([a-z])(\d+)$/.exec(name);
  if (square) return { x: square[1].charCodeAt(0) - 96, y: 9 - Number(square[2]) };
  const angle = 2 * Math.PI * number / count;
  const radius = Math.max(2, count / 4);
  return { x: radius + 1 + radius * Math.sin(angle), y: radius + 1 - radius * Math.cos(angle) };
}
