// @ts-check
// Decides what to show: a seat (`#table=ab12&seat=player_1`, or with `&token=…` when a link is opened), or the lobby.

import { fill, make } from "./dom.js";
import { lobby } from "./lobby.js";
import { sit } from "./table.js";
import { say, speak } from "./words.js";

const page = /** @type {HTMLElement} */ (document.getElementById("page"));
/** @type {(() => void) | undefined} */
let leave;

async function show() {
  leave?.();
  leave = undefined;
  speak(navigator.language || "en");
  const asked = new URLSearchParams(location.hash.slice(1));
  const table = asked.get("table");
  const token = asked.get("token");
  if (!table) {
    document.title = "rulepack";
    await lobby(page);
    return;
  }
  let viewer = asked.get("seat") ?? "public";
  if (token) {
    const reply = await fetch("/api/enter", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ table, token }),
    });
    const entered = await reply.json();
    if (!reply.ok) {
      fill(page, make("p.wait", { role: "alert" }, say("no_seat")));
      return;
    }
    viewer = entered.viewer;
    // The secret leaves the address: it is in a cookie now, which no script can read.
    history.replaceState(null, "", `#table=${encodeURIComponent(table)}&seat=${encodeURIComponent(viewer)}`);
  }
  leave = sit(page, table, viewer);
}

addEventListener("hashchange", show);
show();
