// The playground: the tool runs in a worker, which is ended to cancel what it does.
const began = performance.now();
const maxRows = 1000, largeText = 200_000;

const pets = JSON.stringify([
  { id: 1, name: "Tom", kind: "cat", weight: 4.5, tags: ["indoor", "old"], owner: null },
  { id: 2, name: "Rex", kind: "dog", weight: 31.2, tags: [], owner: "Ann" },
  { id: 3, name: "Kim", kind: "cat", weight: 3.9, tags: ["indoor"], owner: "Bo" },
], null, 2);
const openapi = `openapi: 3.1.0
info: {title: Pet store, version: "1"}
paths: {}
components:
  schemas:
    Pet:
      type: object
      required: [id, name, kind]
      properties:
        id: {type: integer, format: int64, minimum: 1}
        name: {type: string, minLength: 1, maxLength: 40}
        kind: {type: string, enum: [cat, dog]}
        weight: {type: number, exclusiveMinimum: 0}
        owner: {type: [string, "null"]}
        tags:
          type: array
          uniqueItems: true
          items: {type: string, pattern: "^[a-z]+$"}
`;
const examples = {
  pets: [pets],
  openapi: [openapi, `{\n  "id": 1,\n  "name": "Tom",\n  "kind": "cat",\n  "tags": ["indoor"]\n}`],
  wrong: [openapi, `{\n  "id": 1,\n  "name": "Tom",\n  "kind": "cat",\n  "tags": ["indoor", "Old"]\n}`],
};

// The worker's own code. It gets the text of wasm_exec.js and a compiled module or its packed bytes.
function work() {
  self.onmessage = async ({ data }) => {
    if (data.exec !== undefined) {
      (0, eval)(data.exec);
      self.progress = (what, done) => postMessage({ what, done });
      const go = new Go();
      let module = data.module;
      if (!module) {
        const text = atob(data.packed), bytes = new Uint8Array(text.length);
        for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
        module = await WebAssembly.compileStreaming(new Response(stream, { headers: { "Content-Type": "application/wasm" } }));
        postMessage({ module });
      }
      self.ready = () => postMessage({ ready: true });
      go.run(await WebAssembly.instantiate(module, go.importObject));
      return;
    }
    try {
      const answer = weft[data.call](...data.args);
      if (answer instanceof Error) throw answer;
      postMessage({ id: data.id, answer: JSON.parse(answer) });
    } catch (error) {
      postMessage({ id: data.id, error: String(error) });
    }
  };
}

let worker, module, calls = 0;
let started; // a promise that is kept when the worker can be called
const waiting = new Map();

function start() {
  const url = URL.createObjectURL(new Blob([`(${work})()`], { type: "text/javascript" }));
  worker = new Worker(url);
  URL.revokeObjectURL(url);
  started = new Promise(resolve => {
    worker.onmessage = ({ data }) => {
      if (data.module) module = data.module;
      else if (data.ready) resolve();
      else if (data.what) show(data.what, data.done);
      else {
        const { resolve, reject } = waiting.get(data.id) ?? {};
        waiting.delete(data.id);
        if (data.error !== undefined) reject?.(new Error(data.error)); else resolve?.(data.answer);
      }
    };
  });
  worker.onerror = event => $("status").textContent = `The playground cannot run here: ${event.message}`;
  worker.postMessage(module ? { exec: playground.exec, module } : { exec: playground.exec, packed: playground.packed });
}

async function call(name, ...args) {
  await started;
  return new Promise((resolve, reject) => {
    const id = ++calls;
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, call: name, args });
  });
}

function show(what, done) {
  $("status").textContent = what;
  $("progress").value = done;
}

function busy(on) {
  $("progress").hidden = !on;
  $("cancel").disabled = !on;
  $("run").disabled = on;
  root.dataset.busy = on;
}

// steps does work in the worker, after what it does now.
let queue = Promise.resolve();
function steps(f) {
  clearTimeout(timer);
  queue = queue.then(async () => {
    busy(true);
    const from = performance.now();
    try {
      await f();
      $("status").textContent = `Done in ${Math.round(performance.now() - from)} ms`;
    } catch (error) {
      $("status").textContent = String(error.message);
    }
    busy(false);
  });
  return queue;
}

async function run() {
  return steps(async () => {
    const text = held ?? $("input").value;
    const types = await call("types", text);
    $("code").textContent = types.code;
    $("checking").hidden = !types.names.length;
    const before = $("schema").value;
    $("schema").replaceChildren(...types.names.map(name => new Option(name)));
    if (types.names.includes(before)) $("schema").value = before;
    let problems = types.problems.map(p => ({ ...p, area: "input" }));
    const area = types.openapi ? "value" : "input";
    const value = types.openapi ? $("value").value : text;
    let encoded = { encodings: [] };
    if (value.trim() && (!types.openapi || types.names.length)) {
      encoded = await call("encode", value, types.openapi ? $("schema").value : "");
      if (types.openapi) problems.push(...encoded.problems.map(p => ({ ...p, area })));
    }
    showProblems(problems, encoded.valid && types.openapi && types.names.length);
    await showFormats(encoded);
  });
}

function showProblems(problems, valid) {
  $("problems").replaceChildren(...problems.map(p => {
    const item = document.createElement("li"), button = document.createElement("button"), path = document.createElement("span");
    item.className = p.warning ? "warning" : "";
    path.className = "path";
    const place = [p.path, p.line && `line ${p.line}, column ${p.col}`].filter(Boolean).join(", ");
    path.textContent = place ? place + ": " : "";
    button.append(path, (p.warning ? "warning: " : "") + p.message);
    button.addEventListener("click", () => go(p));
    item.append(button);
    return item;
  }));
  if (valid && !problems.some(p => !p.warning)) {
    const item = document.createElement("li");
    item.textContent = `The value is a valid ${$("schema").value}.`;
    $("problems").append(item);
  }
}

// go puts the cursor where a problem is.
function go(p) {
  const area = $(p.area);
  if (!p.line || area.readOnly) return area.focus();
  const lines = area.value.split("\n");
  const before = lines.slice(0, p.line - 1).reduce((n, line) => n + line.length + 1, 0);
  const column = new TextDecoder().decode(new TextEncoder().encode(lines[p.line - 1]).slice(0, p.col - 1)).length;
  area.focus();
  area.setSelectionRange(before + column, before + column + 1);
}

let chosenFormat = "JSON";
async function showFormats({ encodings, as }) {
  const most = Math.max(1, ...encodings.map(e => e.bytes));
  const table = $("formats");
  table.replaceChildren();
  $("rows").replaceChildren();
  $("more").textContent = "";
  if (!encodings.length) return;
  table.innerHTML = "<thead><tr><th scope=col>Format</th><th scope=col class=n>Bytes</th><th scope=col></th><th scope=col class=n>gzip</th><th scope=col class=n>zstd</th></tr></thead>";
  const body = table.createTBody();
  for (const e of encodings) {
    const row = body.insertRow(), button = document.createElement("button");
    row.dataset.name = e.name;
    button.textContent = e.name;
    button.disabled = !!e.error;
    button.addEventListener("click", () => steps(() => showRows(e.name)));
    row.insertCell().append(button);
    if (e.error) {
      const cell = row.insertCell();
      cell.colSpan = 4;
      cell.className = "error";
      cell.textContent = e.error;
      continue;
    }
    const cell = text => { const c = row.insertCell(); c.textContent = text; c.className = "n" };
    cell(e.bytes.toLocaleString("en"));
    const meter = document.createElement("span");
    meter.className = "meter";
    meter.style.width = `${(8 * e.bytes / most).toFixed(2)}rem`;
    row.insertCell().append(meter);
    cell(e.gzip.toLocaleString("en"));
    cell(e.zstd.toLocaleString("en"));
  }
  const names = encodings.filter(e => !e.error).map(e => e.name);
  await showRows(names.includes(chosenFormat) ? chosenFormat : names[0]);
}

async function showRows(name) {
  if (name !== "file") chosenFormat = name;
  for (const row of $("formats").querySelectorAll("tr[data-name]")) row.setAttribute("aria-current", row.dataset.name === name);
  const { rows, more, problem } = await call("rows", name, maxRows);
  const body = document.createElement("tbody");
  for (const r of rows) {
    const row = body.insertRow();
    const cells = r.start < 0 ? ["", "", r.what, ""] : [`${r.start}–${r.end}`, r.bytes, "  ".repeat(Math.min(r.depth, 12)) + r.what, r.path ?? ""];
    for (const text of cells) row.insertCell().textContent = text;
  }
  const head = document.createElement("thead");
  head.innerHTML = "<tr><th scope=col>Range</th><th scope=col>Bytes</th><th scope=col>Meaning</th><th scope=col>Path</th></tr>";
  $("rows").replaceChildren(head, body);
  $("more").textContent = problem ? problem.message : more ? `These are the first ${maxRows.toLocaleString("en")} rows. weft inspect shows all.` : "";
}

// A text that is too large for a field to show is held beside it.
let held = null;
function setInput(text) {
  held = text.length > 5 * largeText ? text : null;
  $("input").value = held === null ? text : text.slice(0, 2000) + "\n…";
  $("input").readOnly = held !== null;
  $("held").hidden = held === null;
  $("size").textContent = `${(text.length / 1e6).toFixed(1)} MB, of which the field shows the beginning.`;
}
$("clear").addEventListener("click", () => { setInput(""); $("input").focus() });
$("input").addEventListener("paste", event => {
  const text = event.clipboardData.getData("text");
  if (text.length <= 5 * largeText) return;
  event.preventDefault();
  setInput(text);
  $("status").textContent = "Large: press Run";
});

let timer;
for (const id of ["input", "value"]) {
  $(id).addEventListener("input", () => {
    clearTimeout(timer);
    if ($(id).value.length <= largeText) timer = setTimeout(run, 300);
    else $("status").textContent = "Large: press Run";
  });
  $(id).addEventListener("keydown", event => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
  });
}
$("schema").addEventListener("change", run);
$("run").addEventListener("click", run);
$("cancel").addEventListener("click", () => {
  worker.terminate();
  start();
  for (const { reject } of waiting.values()) reject(new Error("Cancelled"));
  waiting.clear();
});
$("example").addEventListener("change", () => {
  const [input, value] = examples[$("example").value] ?? [];
  if (input === undefined) return;
  setInput(input);
  if (value !== undefined) $("value").value = value;
  run();
});
$("file").addEventListener("change", async () => {
  const file = $("file").files[0];
  if (!file) return;
  if (/\.(json|ya?ml)$/.test(file.name)) {
    setInput(await file.text());
    return run();
  }
  const data = new Uint8Array(await file.arrayBuffer());
  steps(async () => {
    const { format, bytes, problem } = await call("open", file.name, data);
    showProblems(problem ? [{ ...problem, area: "input" }] : [], false);
    $("checking").hidden = true;
    $("code").textContent = "";
    $("formats").innerHTML = "";
    if (!problem) {
      $("formats").createCaption().textContent = `${file.name}: ${format}, ${bytes.toLocaleString("en")} bytes`;
      select($("tab-bytes"));
      await showRows("file");
    }
  });
});

const tabs = [...document.querySelectorAll("[role=tab]")];
function select(tab) {
  for (const t of tabs) {
    t.setAttribute("aria-selected", t === tab);
    t.tabIndex = t === tab ? 0 : -1;
    $(t.getAttribute("aria-controls")).hidden = t !== tab;
  }
}
tabs.forEach((tab, i) => {
  tab.addEventListener("click", () => select(tab));
  tab.addEventListener("keydown", event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(i + step + tabs.length) % tabs.length];
    select(next);
    next.focus();
  });
});

setInput(pets);
const script = document.createElement("script");
script.src = "playground.js";
script.onload = async () => {
  start();
  await run();
  root.dataset.ready = Math.round(performance.now() - began);
};
script.onerror = () => $("status").textContent = "playground.js is missing: build the site again";
document.head.append(script);
