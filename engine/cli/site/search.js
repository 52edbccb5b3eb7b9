"use strict";
// The search: all words must stand somewhere in an entry; names count more than texts.
(() => {
  const MOST = 30;
  const field = document.getElementById("search");
  const list = document.getElementById("found");
  const entries = (window.ENTRIES || []).map(([what, id, title, text, place]) => ({
    what, id, title, text, place,
    names: (id + " " + title).toLowerCase(),
    all: (what + " " + id + " " + title + " " + text).toLowerCase(),
  }));

  function worth(entry, words) {
    let sum = 0;
    for (const word of words) {
      if (!entry.all.includes(word)) return -1;
      if (entry.id.toLowerCase() === word || entry.title.toLowerCase() === word) sum += 8;
      else if (entry.names.startsWith(word)) sum += 4;
      else if (entry.names.includes(word)) sum += 2;
    }
    return sum;
  }

  function show() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.replaceChildren();
    list.hidden = words.length === 0;
    if (list.hidden) return;
    const found = entries
      .map((entry, index) => ({ entry, index, worth: worth(entry, words) }))
      .filter((one) => one.worth >= 0)
      .sort((one, other) => other.worth - one.worth || one.index - other.index);
    for (const { entry } of found.slice(0, MOST)) {
      const line = document.createElement("li");
      const link = document.createElement("a");
      link.href = entry.place;
      link.append((entry.title || entry.id) + " ");
      const below = document.createElement("small");
      below.textContent = entry.what + " " + entry.id + (entry.text ? " · " + entry.text : "");
      link.append(below);
      link.addEventListener("click", close);
      line.append(link);
      list.append(line);
    }
    if (found.length === 0 || found.length > MOST) {
      const line = document.createElement("li");
      line.className = "none";
      line.textContent = found.length === 0 ? "Nothing is called so." : (found.length - MOST) + " more";
      list.append(line);
    }
  }

  function close() {
    field.value = "";
    show();
  }

  field.addEventListener("input", show);
  document.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    if (event.key === "/" && document.activeElement !== field) {
      event.preventDefault();
      field.focus();
    } else if (event.key === "Escape") {
      close();
    } else if (event.key === "Enter" && document.activeElement === field && links.length > 0) {
      links[0].click();
    } else if (event.key === "ArrowDown" && links.length > 0 && (at >= 0 || document.activeElement === field)) {
      event.preventDefault();
      links[Math.min(at + 1, links.length - 1)].focus();
    } else if (event.key === "ArrowUp" && at >= 0) {
      event.preventDefault();
      (at === 0 ? field : links[at - 1]).focus();
    }
  });
})();
