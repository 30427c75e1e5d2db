"use strict";
const $ = id => document.getElementById(id);
const root = document.documentElement;

// Light and dark: as the system is, until the switch says otherwise.
const darkSystem = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : darkSystem.matches;
function nameTheme() {
  $("theme").textContent = isDark() ? "Light" : "Dark";
  $("theme").setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"}`);
}
$("theme").addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  try { localStorage.setItem("theme", root.dataset.theme) } catch {}
  nameTheme();
});
darkSystem.addEventListener("change", nameTheme);
nameTheme();

$("menu").addEventListener("click", () => {
  const open = $("nav").classList.toggle("open");
  $("menu").setAttribute("aria-expanded", open);
});

for (const block of document.querySelectorAll(".block")) {
  const button = document.createElement("button");
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("pre").textContent);
    button.textContent = "Copied";
    setTimeout(() => button.textContent = "Copy", 1500);
  });
  block.append(button);
}

// Search: the index is read when the field is first used.
const search = $("search"), results = $("results");
let chosen = -1;
function loadIndex() {
  if (loadIndex.done) return;
  loadIndex.done = true;
  const script = document.createElement("script");
  script.src = "search.js";
  script.onload = find;
  document.head.append(script);
}
function find() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [];
  if (words.length && window.weftIndex) {
    for (const [title, heading, url, text] of weftIndex) {
      const lower = [title, heading, text].map(s => s.toLowerCase());
      let score = 0;
      for (const word of words) {
        const at = new RegExp("(^|[^a-z0-9])" + word.replace(/[^a-z0-9]/g, "\\$&"));
        const points = (at.test(lower[1]) ? 8 : lower[1].includes(word) ? 4 : 0) + (at.test(lower[0]) ? 4 : 0) + (at.test(lower[2]) ? 2 : lower[2].includes(word) ? 1 : 0);
        if (!points) { score = 0; break }
        score += points;
      }
      if (score) found.push({ title, heading, url, text, score, at: Math.max(0, lower[2].indexOf(words[0])) });
    }
    found.sort((a, b) => b.score - a.score);
  }
  results.replaceChildren(...found.slice(0, 12).map((f, i) => {
    const item = document.createElement("li"), name = document.createElement("b"), text = document.createElement("span");
    item.id = "result" + i;
    item.setAttribute("role", "option");
    item.dataset.url = f.url;
    name.textContent = f.heading && f.heading !== f.title ? `${f.title}: ${f.heading}` : f.title;
    text.textContent = (f.at > 30 ? "…" : "") + f.text.slice(Math.max(0, f.at - 30), f.at + 90);
    item.append(name, text);
    item.addEventListener("click", () => location.href = f.url);
    return item;
  }));
  if (words.length && window.weftIndex && !found.length) {
    const none = document.createElement("li");
    none.textContent = "Nothing found";
    results.append(none);
  }
  results.hidden = !words.length;
  search.setAttribute("aria-expanded", !results.hidden);
  choose(found.length ? 0 : -1);
}
function choose(i) {
  const items = results.querySelectorAll("[role=option]");
  chosen = items.length ? (i + items.length) % items.length : -1;
  items.forEach((item, k) => item.setAttribute("aria-selected", k === chosen));
  if (chosen >= 0) {
    search.setAttribute("aria-activedescendant", items[chosen].id);
    items[chosen].scrollIntoView({ block: "nearest" });
  } else search.removeAttribute("aria-activedescendant");
}
search.addEventListener("focus", loadIndex);
search.addEventListener("input", find);
search.addEventListener("keydown", event => {
  if (event.key === "ArrowDown") choose(chosen + 1);
  else if (event.key === "ArrowUp") choose(chosen - 1);
  else if (event.key === "Enter" && chosen >= 0) location.href = $("result" + chosen).dataset.url;
  else if (event.key === "Escape") { search.value = ""; find(); return }
  else return;
  event.preventDefault();
});
document.addEventListener("click", event => {
  if (!event.target.closest(".search")) results.hidden = true;
});
document.addEventListener("keydown", event => {
  if (event.key === "/" && !event.target.closest("input, textarea, select")) {
    event.preventDefault();
    search.focus();
  }
});
