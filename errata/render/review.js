"use strict";
// What the page shows as decided is on the disk: an edit looks decided only once the server kept it.
const byId = (id) => document.getElementById(id);
const edits = () => [...document.querySelectorAll("details.edit[data-made]")];
const madeOf = (edit) => JSON.parse(edit.dataset.made);
const textOf = (made) => made.decision === Object(made.decision) ? made.decision.replace : undefined;
const isDecided = (edit) => madeOf(edit).decision !== null;
const WORDS = { accept: "✓ accepted", reject: "✗ rejected", replace: "✎ changed", "": "" };
let current = null, busy = false;
const waiting = []; // keys pressed while one is at work
const past = []; // [edit's id, its decision before], the latest last

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
  const kind = changed === undefined ? made.decision ?? "" : "replace";
  edit.dataset.decision = kind;
  edit.querySelector("ins").textContent = changed ?? edit.dataset.after;
  edit.querySelector(".made").textContent = WORDS[kind] + (made.comment ? " with a comment" : "");
  const comment = edit.querySelector(".comment");
  comment.textContent = `Comment: ${made.comment}`;
  comment.hidden = !made.comment;
  for (const [key, word] of Object.entries({ a: "accept", r: "reject", e: "replace" }))
    edit.querySelector(`[data-key=${key}]`).setAttribute("aria-pressed", String(kind === word));
}

async function keep(edit, made) {
  const before = madeOf(edit);
  const said = await (await call("decisions", { id: edit.id, ...made })).json();
  show(edit, said.made);
  byId("finished").textContent = said.text;
  return before;
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

async function decide(decision, comment = madeOf(current).comment) {
  past.push([current.id, await keep(current, { decision, comment })]);
  tell("kept");
  const later = edits().slice(edits().indexOf(current) + 1);
  if (decision !== null) go([...later, ...edits()].find((edit) => !isDecided(edit)));
}

async function undo() {
  if (!past.length) return tell("nothing to undo");
  const [id, made] = past.at(-1);
  await keep(byId(id), made);
  past.pop();
  go(byId(id));
  tell("undone");
}

function ask(label, text, then) {
  const dialog = byId("words"), field = byId("words-text"), back = current;
  byId("words-label").textContent = label;
  field.value = text;
  dialog.returnValue = "";
  dialog.onclose = () => {
    back.querySelector("summary").focus();
    if (dialog.returnValue === "keep") run(() => then(field.value));
  };
  dialog.showModal();
}

async function finish() {
  await follow(); // another tab may have decided
  const open = edits().filter((edit) => !isDecided(edit));
  if (open.length) { go(open[0]); return tell("decide on all edits first"); }
  await call("finish", {});
  tell("finished; close this page");
}

const save = (download, blob) =>
  Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download }).click();
const saveText = () => save("corrected.txt", new Blob([byId("finished")?.textContent ?? ""]));
const saveDecisions = async () => save("decisions.jsonl", await (await call("decisions")).blob());
const change = () => {
  const made = madeOf(current);
  ask("New text in this place", textOf(made) ?? current.dataset.after,
    (text) => decide({ replace: text }));
};
const comment = () => ask("Comment", madeOf(current).comment,
  (text) => { const own = current; return decide(madeOf(own).decision, text).then(() => go(own)); });
const ON_EDIT = { a: () => decide("accept"), r: () => decide("reject"), e: change, c: comment };
const ANYWHERE = {
  j: () => step(1), k: () => step(-1), u: undo, f: finish, s: saveText, d: saveDecisions,
  "?": () => byId("keys").showModal(),
};

async function run(act) {
  busy = true;
  try { await act(); } catch (fault) {
    const lost = fault instanceof TypeError || fault.name === "NetworkError";
    tell(`${act === follow ? "" : "NOT kept: "}${lost ? "the server is gone; start it again" : fault.message}`);
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
  if (typed || document.querySelector("main[data-live]") || !byId("on").checked) return;
  if (event.key in ANYWHERE || event.key in ON_EDIT) { event.preventDefault(); press(event.key); }
});

document.addEventListener("click", (event) => {
  const edit = event.target.closest("details.edit[data-made]"), button = event.target.closest("[data-key]");
  if (edit) current = edit;
  if (button && !document.querySelector("main[data-live]")) press(button.dataset.key);
});

function begin() {
  edits().forEach((edit) => show(edit, madeOf(edit)));
  const made = edits().filter(isDecided).sort((a, b) => madeOf(a).at.localeCompare(madeOf(b).at));
  past.splice(0, past.length, ...made.map((edit) => [edit.id, { decision: null, comment: madeOf(edit).comment }]));
  current = null;
  if (edits().length) tell("press j to begin, ? for the keys");
}

function draw(page) { // the server draws the page, its text takes the place of this one's
  const fresh = new DOMParser().parseFromString(page, "text/html");
  const open = [...document.querySelectorAll("details.edit")].map((edit) => edit.open);
  document.title = fresh.title;
  document.querySelector("main").replaceWith(fresh.querySelector("main"));
  document.querySelectorAll("details.edit").forEach((edit, n) => { edit.open = open[n] ?? false; });
  byId("status").textContent = fresh.getElementById("status").textContent;
}

async function follow() { // a line of JSON is a page, the last one what a person decides on
  const reader = (await call("events")).body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop();
    if (lines.length) draw(JSON.parse(lines.at(-1)));
  }
  if (document.querySelector("main[data-live]")) throw new TypeError("cut off");
  begin();
}

run(follow);
