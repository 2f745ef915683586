import { describe, expect, test } from "vitest";
import { appFixture, makeLifeBase } from "../../tests/app-fixture.ts";
import { notes } from "../tables.ts";
import { fullNotes as app } from "./full.ts";
import { notebooks, notesOfOthers, traits } from "./tables.ts";

const apps = [app];
const { base } = makeLifeBase(apps, (db) => {
  db.insert(notes, { title: "Soup", text: "Leeks.", tag: "recipes", pinned: false });
  db.insert(notes, { title: "Wifi", text: "Behind the shelf.", tag: null, pinned: true });
  const theirs = { person: 1, title: "Plan", text: "We go.", left: false } as const;
  db.insert(notesOfOthers, { ...theirs, role: "viewer" });
  db.insert(notesOfOthers, { ...theirs, role: "editor" });
});
const fixture = () => appFixture(apps, base);
const handleByIndex = (nth = 0) => String(fixture().all("contacts.list")[nth]!["handle"]);

test("examples name the first notebook that fits, and Home where there is none", () => {
  const { db } = fixture();
  const exampleNotebook = (api: string) =>
    (app.apis[api]!.example!(db) as { notebook: string }).notebook;
  const namesIn = () => ["putIn", "renameNotebook", "removeNotebook"].map(exampleNotebook);
  expect(namesIn()).toEqual(["Home", "Home", "Home"]);
  const { id } = db.insert(notebooks, { name: "Full" });
  const state = { colour: "plain", state: "active", day: null, time: null, links: [] } as const;
  db.insert(traits, { note: 1, notebook: id, ...state });
  expect(namesIn()).toEqual(["Full", "Full", "Full"]);
  db.insert(notebooks, { name: "Empty" });
  expect(namesIn()).toEqual(["Full", "Full", "Empty"]);
});

describe("full notes", () => {
  test("archived and trashed notes disappear from lists and can be restored", () => {
    const open = fixture();
    open.call("notes.archive", { id: 1 });
    open.call("notes.trash", { id: 2 });
    expect(open.all("notes.list")).toEqual([]);
    expect(open.all("notes.search", { query: "leeks" })).toEqual([]);
    expect(open.all("notes.tags")).toEqual([]);
    expect(open.all("notes.archived").map(({ title }) => title)).toEqual(["Soup"]);
    expect(open.refusal("notes.archive", { id: 1 }).message).toBe("id: note 1 is already archived");
    open.call("notes.restore", { id: 1 });
    expect(open.all("notes.list").map(({ id }) => id)).toEqual([1]);
  });

  test("changes of a note can be undone one by one, including a merge", () => {
    const open = fixture();
    open.call("notes.append", { id: 1, text: "Pepper." });
    open.call("notes.merge", { id: 2, into: 1 });
    open.call("notes.replace", { id: 1, old: "Leeks", new: "$& and onions" });
    const text = () => open.item("notes.show", { id: 1 })["text"];
    expect(text()).toBe("$& and onions.\nPepper.\nBehind the shelf.");
    open.call("notes.undo", { id: 1 });
    open.call("notes.undo", { id: 1 });
    expect(text()).toBe("Leeks.\nPepper.");
    open.call("notes.undo", { id: 1 });
    expect(open.refusal("notes.undo", { id: 1 }).status).toBe(409);
    expect(open.all("notes.trashed").map(({ id }) => id)).toEqual([2]);
    expect(open.refusal("notes.replace", { id: 1, old: "x", new: "" }).message).toMatch(/^old: /);
  });

  test("a note that was unshared can be shared again with a role, and a shared note cannot be trashed", () => {
    const open = fixture();
    const person = handleByIndex();
    open.call("notes.share", { id: 1, person });
    expect(open.refusal("notes.share", { id: 1, person }).message).toMatch(/^person: /);
    expect(open.refusal("notes.trash", { id: 1 }).message).toContain("notes.unshare");
    open.call("notes.unshare", { id: 1, person });
    expect(open.item("notes.show", { id: 1 })["shared"]).toBe(0);
    open.call("notes.share", { id: 1, person, role: "editor" });
    expect(open.all("notes.sharedWith", { person })).toMatchObject([{ id: 1, role: "editor" }]);
    expect(open.refusal("notes.setRole", { id: 2, person, role: "viewer" }).status).toBe(404);
  });

  test("the owner may edit another person's note only as an editor, and may copy it as an editor or viewer", () => {
    const open = fixture();
    expect(open.refusal("notes.editShared", { id: 1, text: "No." })).toMatchObject({ status: 403 });
    open.call("notes.editShared", { id: 2, text: "We stay." });
    open.call("notes.copyShared", { id: 1, tag: "plans" });
    expect(open.all("notes.list", { tag: "plans" })).toMatchObject([{ title: "Plan" }]);
    open.call("notes.leaveShared", { id: 1 });
    expect(open.refusal("notes.readShared", { id: 1 }).status).toBe(404);
  });

  test("only empty notebooks can be removed, reminders must be in the future, and links are found from both notes", () => {
    const open = fixture();
    open.call("notes.addNotebook", { name: "Kitchen" });
    open.call("notes.putIn", { id: 1, notebook: "kitchen" });
    expect(open.refusal("notes.removeNotebook", { notebook: "Kitchen" }).status).toBe(409);
    open.call("notes.takeOut", { id: 1 });
    open.call("notes.removeNotebook", { notebook: "Kitchen" });
    expect(open.refusal("notes.remind", { id: 1, day: "2026-03-01" }).message).toMatch(/^day: /);
    open.call("notes.remind", { id: 1, day: "2026-03-14", time: "18:30" });
    expect(open.all("notes.reminders", { until: "2026-03-14" })).toMatchObject([{ id: 1 }]);
    open.call("notes.link", { id: 1, to: 2 });
    expect(open.all("notes.links", { id: 2, back: true })).toMatchObject([{ id: 1 }]);
    expect(open.refusal("notes.link", { id: 1, to: 1 }).message).toMatch(/^to: /);
  });

  test("a checklist keeps the order of its items", () => {
    const open = fixture();
    for (const text of ["b", "a"]) open.call("notes.addItem", { id: 1, text });
    open.call("notes.tick", { item: 1 });
    expect(open.all("notes.checklist", { id: 1 })).toEqual([
      { text: "b", id: 1, done: true },
      { text: "a", id: 2, done: false },
    ]);
    expect(open.refusal("notes.tick", { item: 1 }).message).toMatch(/^item: /);
  });
});
