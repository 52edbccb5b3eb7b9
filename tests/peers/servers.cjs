// Two servers for tables in browsers play tic-tac-toe for the same people: rulepack's and boardgame.io's, each with two connected
// seats at every table and everything kept in memory. One generator of answers with two adapters counts answers that both seats
// of a table have been told of. Called by `servers` beside this file.
//   node servers.cjs ROOT [TABLES]
const { spawn, fork } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const root = process.argv[2];
const tables = Number(process.argv[3] ?? 500);
const program = process.env.RULEPACK ?? path.join(root, "target/release/rulepack");
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/** Processor time of a process with its threads, in seconds. */
function time(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The peer's server, in a process of its own. */
function serveBoardgameio() {
  const { Server } = require("boardgame.io/server");
  const { INVALID_MOVE } = require("boardgame.io/core");
  const won = (cells) => LINES.some(([one, two, three]) => cells[one] !== null && cells[one] === cells[two] && cells[one] === cells[three]);
  const game = {
    name: "tic-tac-toe",
    setup: () => ({ cells: Array(9).fill(null) }),
    turn: { minMoves: 1, maxMoves: 1 },
    moves: {
      clickCell: ({ G, playerID }, cell) => {
        if (G.cells[cell] !== null) return INVALID_MOVE;
        G.cells[cell] = playerID;
      },
    },
    endIf: ({ G, ctx }) => {
      if (won(G.cells)) return { winner: ctx.currentPlayer };
      if (G.cells.every((cell) => cell !== null)) return { draw: true };
    },
  };
  Server({ games: [game], origins: [/.*/] }).run({ port: 0, callback: () => {} }).then(({ appServer }) => process.send(appServer.address().port));
}

/** Tables of the peer: `play` gives the next answer of a table, `told` is called when a seat hears of one. */
async function boardgameio() {
  const child = fork(__filename, [root, "--boardgameio"], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const port = await new Promise((found) => child.once("message", found));
  const { io } = require("socket.io-client");
  let match = 0;
  return {
    name: "boardgame.io",
    pid: child.pid,
    stop: () => child.kill(),
    open: async (told) => {
      const sockets = [0, 1].map(() => io(`http://127.0.0.1:${port}/tic-tac-toe`, { transports: ["websocket"], forceNew: true }));
      await Promise.all(sockets.map((socket) => new Promise((done) => socket.on("connect", done))));
      const table = { id: "", state: undefined };
      const hear = (seat) => (id, state) => {
        if (id !== table.id) return;
        if (seat === 0) table.state = state;
        told(seat);
      };
      sockets.forEach((socket, seat) => socket.on("update", hear(seat)));
      table.id = `match-${match++}`;
      for (const [seat, socket] of sockets.entries()) {
        await new Promise((done) => {
          socket.once("sync", (id, info) => {
            table.state = info.state;
            done();
          });
          socket.emit("sync", table.id, String(seat), undefined, 2);
        });
      }
      return {
        isOver: () => table.state.ctx.gameover !== undefined,
        answer: () => {
          const seat = Number(table.state.ctx.currentPlayer);
          const free = table.state.G.cells.flatMap((cell, number) => (cell === null ? [number] : []));
          const cell = free[Math.floor(Math.random() * free.length)];
          const action = { type: "MAKE_MOVE", payload: { type: "clickCell", args: [cell], playerID: String(seat) } };
          sockets[seat].emit("update", action, table.state._stateID, table.id, String(seat));
        },
        close: () => sockets.forEach((socket) => socket.close()),
      };
    },
  };
}

/** Tables of rulepack. */
async function rulepack() {
  const child = spawn(program, ["--library", path.join(root, "tests/fixtures/small"), "serve", "--listen", "127.0.0.1:0", "--no-tables", "--most-tables", "1000000"]);
  let said = "";
  const address = await new Promise((found) => child.stderr.on("data", (part) => {
    said += part;
    const match = /http:\/\/[\d.:]+/.exec(said);
    if (match) found(match[0]);
  }));
  const WebSocket = require("ws");
  const post = (at, body) => fetch(`${address}${at}`, { method: "POST", headers: { "content-type": "application/json", origin: address }, body: JSON.stringify(body) });
  return {
    name: "rulepack",
    pid: child.pid,
    stop: () => child.kill(),
    open: async (told) => {
      const table = { sockets: [], question: undefined, seat: 0, over: false };
      const opened = await (await post("/api/tables", { pack: "tic-tac-toe", seats: [null, null] })).json();
      if (!opened.table) throw new Error(JSON.stringify(opened));
      for (const [seat, link] of opened.seats.entries()) {
        const entered = await post("/api/enter", { table: opened.table, token: link.token });
        const socket = new WebSocket(`${address.replace("http", "ws")}/ws/${opened.table}/${link.viewer}`, { headers: { origin: address, cookie: entered.headers.get("set-cookie").split(";")[0] } });
        let answers = -1;
        await new Promise((done) => socket.on("message", (data) => {
          const message = JSON.parse(data);
          if (message.type === "problem") throw new Error(message.code);
          if (message.type !== "table") return;
          if (message.questions.length) {
            table.question = message.questions[0];
            table.seat = seat;
          }
          table.over = message.view.table.outcome !== null;
          if (answers >= 0 && message.view.answers > answers) told(seat);
          answers = message.view.answers;
          done();
        }));
        table.sockets.push(socket);
      }
      return {
        isOver: () => table.over,
        answer: () => {
          const { revision, options } = table.question;
          table.sockets[table.seat].send(JSON.stringify({ type: "answer", revision, index: Math.floor(Math.random() * options.length) }));
        },
        close: () => table.sockets.forEach((socket) => socket.terminate()),
      };
    },
  };
}

/** Plays one game at every table, all at a time; gives answers per second, and per second of processor time of the server. */
async function measure(adapter) {
  const server = await adapter();
  const playing = [];
  for (let number = 0; number < tables; number++) {
    const play = { missing: 0, next: () => {} };
    play.table = await server.open(() => {
      play.missing -= 1;
      if (play.missing === 0) play.next();
    });
    playing.push(play);
  }
  const [from, own, began] = [time(server.pid), time(process.pid), performance.now()];
  let answers = 0;
  await Promise.all(playing.map(async (play) => {
    while (!play.table.isOver()) {
      play.missing = 2;
      const both = new Promise((done) => { play.next = done; });
      play.table.answer();
      await both;
      answers += 1;
    }
  }));
  const took = (performance.now() - began) / 1000;
  const [busy, mine] = [time(server.pid) - from, time(process.pid) - own];
  playing.forEach((play) => play.table.close());
  server.stop();
  const figures = { perSecond: answers / took, perCore: answers / busy };
  console.log(`${server.name}: ${answers} answers in ${took.toFixed(1)} s = ${figures.perSecond.toFixed(0)} each second, ${figures.perCore.toFixed(0)} for each second of processor time of the server; processor time: the server ${busy.toFixed(2)} s, the generator ${mine.toFixed(2)} s`);
  return figures;
}

async function main() {
  // Each is measured twice, in turn: the machine may be busy with something else.
  const [ours, theirs] = [[], []];
  for (let round = 0; round < 2; round++) {
    ours.push(await measure(rulepack));
    theirs.push(await measure(boardgameio));
  }
  const best = (figures, key) => Math.max(...figures.map((one) => one[key]));
  console.log(`rulepack / boardgame.io: ${(best(ours, "perSecond") / best(theirs, "perSecond")).toFixed(1)} times the answers each second, ${(best(ours, "perCore") / best(theirs, "perCore")).toFixed(1)} times those for the same processor time`);
  process.exit(0);
}

if (process.argv[3] === "--boardgameio") serveBoardgameio();
else main();
