// Many tables at a time: each has a person who answers every ten seconds, and bots. Measures how long an answer takes until it is
// confirmed, and how much memory a connected table takes. Called by `load` beside this file.
//   node load.cjs ROOT [TABLES [SECONDS [PACK...]]]
const fs = require("node:fs");
const WebSocket = require("ws");
const { serve, open, percentile } = require("./driver.cjs");

const tables = Number(process.argv[3] ?? 1000);
const seconds = Number(process.argv[4] ?? 60);
const packs = process.argv.length > 5 ? process.argv.slice(5) : ["settlement", "reversi", "hearts", "night-garden", "goofspiel"];
const EVERY = 10_000;
const SEATS = { hearts: 4 };

/** What a process uses: memory in KB, processor time in seconds. */
function used(pid) {
  const memory = Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))[1]);
  const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return { memory, time: (Number(fields[11]) + Number(fields[12])) / 100 };
}

/** A person at a table. */
class Person {
  constructor(address, pack, opened, cookie) {
    this.pack = pack;
    this.table = opened.table;
    this.times = [];
    this.given = 0;
    this.over = false;
    this.socket = new WebSocket(`${address.replace("http", "ws")}/ws/${opened.table}/player_1`, { headers: { origin: address, cookie } });
    this.ready = new Promise((done, failed) => {
      this.socket.on("error", failed);
      this.socket.on("message", (data) => {
        const message = JSON.parse(data);
        if (message.type === "problem") this.problem = message.code;
        if (message.type !== "table") return;
        this.question = message.questions[0];
        this.over = message.view.table.outcome !== null;
        // Of those who choose at the same time, each is confirmed by the next question, or by none.
        if (this.began && (message.view.answers > this.before || this.question?.revision !== this.asked)) {
          this.times.push(performance.now() - this.began);
          this.began = 0;
        }
        this.answers = message.view.answers;
        done();
      });
    });
  }

  /** Answers if this seat is asked; false if it is not. */
  answer() {
    if (!this.question || this.began) return false;
    this.before = this.answers;
    this.asked = this.question.revision;
    this.began = performance.now();
    this.given += 1;
    this.socket.send(JSON.stringify({ type: "answer", revision: this.question.revision, index: this.given % this.question.options.length }));
    this.question = undefined;
    return true;
  }
}

async function sit(address, pack, opened) {
  const reply = await fetch(`${address}/api/enter`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: address },
    body: JSON.stringify({ table: opened.table, token: opened.seats[0].token }),
  });
  const person = new Person(address, pack, opened, reply.headers.get("set-cookie").split(";")[0]);
  await person.ready;
  return person;
}

async function main() {
  const { server, address, stop } = await serve();
  try {
    // The games are linked once; what that takes is no table's.
    for (const pack of packs) await open(address, pack, Array(SEATS[pack] ?? 2).fill(null));
    const empty = used(server.pid);
    const persons = [];
    for (let number = 0; number < tables; number++) {
      const pack = packs[number % packs.length];
      const bot = number % 2 ? "random" : "greedy";
      const seats = Array.from({ length: SEATS[pack] ?? 2 }, (_, seat) => (seat ? bot : null));
      persons.push(await sit(address, pack, await open(address, pack, seats, { seed: number, hints: false })));
    }
    await new Promise((done) => setTimeout(done, 3000));
    const full = used(server.pid);
    console.log(`${tables} connected tables: ${((full.memory - empty.memory) / tables).toFixed(0)} KB each; opening and sitting down took ${((full.time - empty.time) * 1000 / tables).toFixed(1)} ms of processor time each`);
    const own = process.cpuUsage();
    const timers = persons.map((person, number) => setTimeout(() => {
      person.answer();
      timers[number] = setInterval(() => person.answer(), EVERY);
    }, (number / tables) * EVERY));
    await new Promise((done) => setTimeout(done, seconds * 1000));
    timers.forEach((timer) => { clearTimeout(timer); clearInterval(timer); });
    await new Promise((done) => setTimeout(done, 3000));
    const after = used(server.pid);
    const mine = process.cpuUsage(own);
    const times = persons.flatMap((person) => person.times);
    const lost = persons.filter((person) => person.began);
    const why = new Set(lost.map((person) => `${person.pack}: ${person.problem ?? "no reply"}`));
    console.log(`${times.length} answers in ${seconds} s: half confirmed within ${percentile(times, 0.5).toFixed(1)} ms, 95 % within ${percentile(times, 0.95).toFixed(1)} ms, all within ${Math.max(...times).toFixed(0)} ms; ${lost.length} not confirmed ${[...why].join(", ")}`);
    console.log(`processor time: the server ${((after.time - full.time) / (seconds + 3) * 100).toFixed(0)} %, this program ${((mine.user + mine.system) / 1e4 / (seconds + 3)).toFixed(0)} % of one core; load of the machine ${fs.readFileSync("/proc/loadavg", "utf8").split(" ")[0]}`);
    console.log(`memory per table after it: ${((after.memory - empty.memory) / tables).toFixed(0)} KB; ${persons.filter((person) => person.over).length} games are over`);
    if (lost.length > 0) process.exitCode = 1;
    persons.forEach((person) => person.socket.terminate());
  } finally {
    stop();
  }
}

main();
