import { describe, expect, test } from "vitest";
import { appFixture, makeLifeBase } from "../../tests/app-fixture.ts";
import { files as app } from "./index.ts";
import { files, folders } from "./tables.ts";
import { NEW_FILE } from "./writing.ts";

const at = "2026-03-01T10:00:00Z";

const apps = [app];

/**
 * File 1 is a table of the owner, and file 2 is a document of the owner. Files 3 and 4 belong to another person: the
 * owner may only view file 3, and may edit file 4.
 */
const { base } = makeLifeBase(apps, (db) => {
  const trips = db.insert(folders, { name: "trips", parent: null }).id;
  db.insert(folders, { name: "Oslo", parent: trips });
  const table = "what,paid by,amount\nfuel,Robin Vale,12.10\nboat,Robin Vale,30.20";
  db.insert(files, { ...NEW_FILE, name: "costs.csv", folder: 2, text: table, at });
  db.insert(files, { ...NEW_FILE, name: "plan.md", folder: 1, text: "# Plan\ngo\ngo on", at });
  const other = { ...NEW_FILE, folder: null, owner: 1, at };
  db.insert(files, { ...other, name: "a.md", text: "theirs", role: "viewer" });
  db.insert(files, { ...other, name: "b.md", text: "ours", role: "editor" });
});
const fixture = () => appFixture(apps, base);
const handleByIndex = (nth = 0) => String(fixture().all("contacts.list")[nth]!["handle"]);

describe("the tree of folders", () => {
  test("files and folders are found by path in upper or lower case", () => {
    const open = fixture();
    expect(open.item("files.find", { path: "/TRIPS/oslo/costs.csv" })["id"]).toBe(1);
    expect(open.all("files.tree").map(({ path }) => path)).toEqual([
      "/trips/",
      "/trips/Oslo/",
      "/trips/Oslo/costs.csv",
      "/trips/plan.md",
    ]);
    const missing = open.refusal("files.create", { path: "/trip/x.md", text: "" });
    expect(missing.message).toBe('path: there is no folder "/trip"; did you mean "/trips"?');
  });

  test("no two files have the same path, and a folder cannot be moved into itself", () => {
    const open = fixture();
    const taken = open.refusal("files.create", { path: "/trips/PLAN.md", text: "x" });
    expect(taken).toMatchObject({ status: 409, message: expect.stringMatching(/^path: /) });
    expect(open.refusal("files.move", { id: 2, folder: "/trips" }).status).toBe(409);
    const inside = open.refusal("files.moveFolder", { folder: "/trips", to: "/trips/oslo" });
    expect(inside.status).toBe(422);
    expect(open.refusal("files.removeFolder", { folder: "/trips/Oslo" }).status).toBe(409);
  });
});

describe("texts", () => {
  test("a call can read single cells of a table and add up its numbers", () => {
    const open = fixture();
    expect(open.call("files.readRows", { id: 1, column: "What", value: "BOAT" })).toEqual({
      columns: ["what", "paid by", "amount"],
      items: [{ row: 2, cells: { what: "boat", "paid by": "Robin Vale", amount: "30.20" } }],
      more: false,
    });
    expect(open.call("files.sumColumn", { id: 1, column: "amount" })).toEqual({
      sum: 42.3,
      rows: 2,
    });
    const wrong = open.refusal("files.addRow", { id: 1, cells: ["a", "b"] });
    expect(wrong.message).toBe("cells: expected 3 (what, paid by, amount), got 2");
    expect(open.refusal("files.sumColumn", { id: 1, column: "what" }).message).toMatch(/^column: /);
    expect(open.refusal("files.readRows", { id: 2 }).message).toMatch(/^id: expected a table/);
  });

  test("every change of a text, also going back to an earlier version, keeps the old text as a version", () => {
    const open = fixture();
    open.call("files.append", { id: 2, text: "and home\n" });
    expect(open.item("files.replace", { id: 2, old: "go", new: "walk" })["replaced"]).toBe(2);
    open.call("files.revert", { id: 2, number: 1 });
    expect(open.item("files.read", { id: 2 })["text"]).toBe("# Plan\ngo\ngo on");
    expect(open.all("files.versions", { id: 2 }).map(({ size }) => size)).toEqual([28, 24, 15]);
    expect(open.refusal("files.revert", { id: 2, number: 9 }).message).toMatch(/^number: /);
    expect(open.refusal("files.replace", { id: 2, old: "fly", new: "" }).message).toMatch(/^old: /);
  });

  test("a locked file cannot be changed, renamed or trashed", () => {
    const open = fixture();
    open.call("files.lock", { id: 2 });
    for (const [path, args] of [
      ["files.append", { text: "x" }],
      ["files.rename", { name: "x.md" }],
      ["files.trash", {}],
    ] as const) {
      expect(open.refusal(path, { id: 2, ...args }).message).toContain("files.unlock");
    }
  });
});

describe("tables", () => {
  test("every change of a table's text keeps one cell for each column", () => {
    const open = fixture();
    const { id } = open.item("files.create", {
      path: "/kitchen.csv",
      text: "item,price\nrice,3.10",
    });
    const refused: [string, object, string][] = [
      ["files.append", { id, text: "cake 4.20" }, "text"],
      ["files.append", { id, text: "cake,4.20,today" }, "text"],
      ["files.write", { id, text: "item,price\ncake" }, "text"],
      ["files.replace", { id, old: "rice,", new: "rice" }, "new"],
      ["files.removeLines", { id, from: 1, to: 1 }, "from"],
      ["files.create", { path: "/shed.csv", text: "item,price\ncake" }, "text"],
    ];
    for (const [api, args, param] of refused) {
      expect(open.refusal(api, args), api).toMatchObject({
        status: 422,
        message: expect.stringMatching(`^${param}: expected`),
      });
    }
    open.call("files.append", { id, text: "cake,4.20\ntea,2.00" });
    expect(open.all("files.readRows", { id })).toHaveLength(3);
  });
});

describe("sharing", () => {
  test("the owner may read another person's file as a viewer, write it as an editor, and never rename it", () => {
    const open = fixture();
    expect(open.item("files.read", { id: 3 })["text"]).toBe("theirs");
    expect(open.refusal("files.write", { id: 3, text: "mine" })).toMatchObject({ status: 403 });
    open.call("files.write", { id: 4, text: "ours, too" });
    expect(open.refusal("files.rename", { id: 4, name: "c.md" })).toMatchObject({ status: 403 });
    open.call("files.askToEdit", { id: 3 });
    expect(open.refusal("files.askToEdit", { id: 3 }).status).toBe(409);
    open.call("files.leave", { id: 3 });
    expect(open.refusal("files.read", { id: 3 }).status).toBe(404);
    expect(open.all("files.sharedWithMe").map(({ id }) => id)).toEqual([4]);
  });

  test("a file can be shared again with a person whose share had ended, and a shared file cannot be trashed", () => {
    const open = fixture();
    const share = { id: 2, person: handleByIndex() };
    open.call("files.share", share);
    expect(open.refusal("files.share", share).message).toContain("files.setRole");
    expect(open.refusal("files.trash", { id: 2 }).status).toBe(409);
    open.call("files.unshare", share);
    expect(open.all("files.shares", { id: 2 })).toEqual([]);
    open.call("files.share", { ...share, role: "editor" });
    expect(open.all("files.shares", { id: 2 })).toMatchObject([{ role: "editor" }]);
  });
});

describe("trash and bundles", () => {
  test("a file is restored from the trash only when its name is free", () => {
    const open = fixture();
    open.call("files.trash", { id: 2 });
    expect(open.refusal("files.read", { id: 2 }).message).toContain("files.restore");
    open.call("files.create", { path: "/trips/plan.md", text: "new" });
    expect(open.refusal("files.restore", { id: 2 }).message).toMatch(/^name: /);
    open.call("files.restore", { id: 2, name: "old plan.md" });
    open.call("files.trash", { id: 2 });
    expect(open.item("files.emptyTrash")).toEqual({ deleted: 1, size: 15 });
    expect(open.refusal("files.restore", { id: 2 }).status).toBe(404);
  });

  test("a bundle keeps the texts that its files had when it was made", () => {
    const open = fixture();
    const { id } = open.item("files.bundle", { path: "/all.zip", ids: [1, 2] });
    open.call("files.write", { id: 2, text: "changed" });
    expect(open.refusal("files.unpack", { id, folder: "/trips" }).status).toBe(409);
    open.call("files.unpack", { id, folder: "/" });
    const copy = open.item("files.find", { path: "/plan.md" });
    expect(open.item("files.compare", { id: copy["id"], with: 2 })["same"]).toBe(false);
    expect(open.item("files.read", { id: copy["id"] })["text"]).toBe("# Plan\ngo\ngo on");
  });
});
