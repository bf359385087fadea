"use strict";
// What the page shows as decided is on the disk: an edit looks decided only once the server kept it.
const byId = (id) => document.getElementById(id);
const edits = () => [...document.querySelectorAll("details.edit")];
const madeOf = (edit) => JSON.parse(edit.dataset.made);
const textOf = (made) => made === Object(made) ? made.replace : undefined;
const isDecided = (edit) => madeOf(edit) !== null;
const WORDS = { accept: "✓ accepted", reject: "✗ rejected", replace: "✎ changed", "": "" };
let current = null, busy = false;
const waiting = []; // keys pressed while one is at work

function tell(text) {
  const all = edits(), done = all.filter(isDecided).length;
  byId("status").textContent = `${done} of ${all.length} decided${text ? `; ${text}` : ""}`;
}

async function call(path, body) {
  const reply = await fetch(path, body && { method: "POST", body: JSON.stringify(body) });
  if (reply.ok) return reply;
  throw new Error((await reply.json()).detail);
}

function show(edit, made) {
  edit.dataset.made = JSON.stringify(made);
  const changed = textOf(made);
  const kind = changed === undefined ? made ?? "" : "replace";
  edit.dataset.decision = kind;
  edit.querySelector("ins").textContent = changed ?? edit.dataset.after;
  edit.querySelector(".made").textContent = WORDS[kind];
  for (const [key, word] of Object.entries({ a: "accept", r: "reject", e: "replace" }))
    edit.querySelector(`[data-key=${key}]`).setAttribute("aria-pressed", String(kind === word));
}

function go(edit) {
  if (!edit) return;
  if (current && current !== edit) current.open = false;
  current = edit;
  edit.open = true;
  edit.querySelector("summary").focus();
  edit.scrollIntoView({ block: "center" });
}

function step(by) {
  const all = edits(), place = all.indexOf(current);
  if (place >= 0) return go(all[place + by]);
  go(by > 0 ? all.find((edit) => !isDecided(edit)) ?? all[0] : all.at(-1));
}

async function decide(decision) {
  const said = await (await call("decisions", { id: current.id, decision })).json();
  show(current, said.decision);
  byId("finished").textContent = said.text;
  tell("kept");
  const later = edits().slice(edits().indexOf(current) + 1);
  go([...later, ...edits()].find((edit) => !isDecided(edit)));
}

function change() {
  const dialog = byId("words"), field = byId("words-text"), back = current;
  field.value = textOf(madeOf(back)) ?? back.dataset.after;
  dialog.returnValue = "";
  dialog.onclose = () => {
    back.querySelector("summary").focus();
    if (dialog.returnValue === "keep") run(() => decide({ replace: field.value }));
  };
  dialog.showModal();
}

async function finish() {
  const open = edits().filter((edit) => !isDecided(edit));
  if (open.length) { go(open[0]); return tell("decide on all edits first"); }
  await call("finish", {});
  tell("finished; close this page");
}

const ON_EDIT = { a: () => decide("accept"), r: () => decide("reject"), e: change };
const ANYWHERE = { j: () => step(1), k: () => step(-1), f: finish, "?": () => byId("keys").showModal() };

async function run(act) {
  busy = true;
  try { await act(); } catch (fault) {
    const lost = fault instanceof TypeError || fault.name === "NetworkError";
    tell(`NOT kept: ${lost ? "the server is gone; start it again" : fault.message}`);
  }
  busy = false;
  if (document.querySelector("dialog[open]")) waiting.length = 0;
  else if (waiting.length) press(waiting.shift());
}

function press(key) {
  if (busy) return waiting.push(key);
  if (ON_EDIT[key] && !current) step(1);
  const act = ANYWHERE[key] ?? (current && ON_EDIT[key]);
  if (act) run(act);
}

document.addEventListener("keydown", (event) => {
  const dialog = byId("words");
  if (dialog.open && event.ctrlKey && event.key === "Enter") dialog.close("keep");
  const typed = event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]");
  if (typed || !byId("on").checked) return;
  if (event.key in ANYWHERE || event.key in ON_EDIT) { event.preventDefault(); press(event.key); }
});

document.addEventListener("click", (event) => {
  const edit = event.target.closest("details.edit"), button = event.target.closest("[data-key]");
  if (edit) current = edit;
  if (button) press(button.dataset.key);
});

edits().forEach((edit) => show(edit, madeOf(edit)));
tell(edits().length ? "press j to begin, ? for the keys" : "press f to finish");
