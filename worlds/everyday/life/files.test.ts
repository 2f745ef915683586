import { describe, expect, test } from "vitest";
import { files as app } from "../apps/files/index.ts";
import { fileShares, files, folders } from "../apps/files/tables.ts";
import { people } from "../apps/tables.ts";
import { PARTS, partOfName } from "../population/name-pools.ts";
import { NOW } from "../population/time.ts";
import { appFixture, findFailingExamples, makeLifeBase } from "../tests/app-fixture.ts";
import { addFiles } from "./files.ts";

const apps = [app];
const { base, life } = makeLifeBase(apps, addFiles);
const fixture = () => appFixture(apps, base);

describe("the owner's files", () => {
  test("there are enough files to page through, and no two have the same path", () => {
    const { db } = fixture();
    const rows = db.all(files);
    expect(rows.length).toBeGreaterThan(200);
    expect(rows.length).toBeLessThan(400);
    const places = rows
      .filter(({ owner, state }) => owner === null && state === "live")
      .map(({ folder, name }) => `${folder}/${name}`);
    expect(new Set(places).size).toBe(places.length);
    expect(db.all(folders).length).toBeGreaterThan(20);
    expect(rows.every(({ at }) => at < NOW)).toBe(true);
    expect(db.all(fileShares).length).toBeGreaterThan(60);
  });

  test("the tables of costs and the receipts agree with the happenings", () => {
    const open = fixture();
    for (const happening of life.happenings.filter(({ costs }) => costs.length > 0)) {
      const name = `${happening.place} costs.csv`;
      const [file] = open.all("files.search", { query: name });
      const sum = open.item("files.sumColumn", { id: file!["id"], column: "amount" })["sum"];
      expect(sum).toBeCloseTo(happening.costs.reduce((a, { cents }) => a + cents, 0) / 100, 6);
      const own = happening.costs.filter(({ payer }) => payer === null);
      const found = open.all("files.search", { query: `${happening.place} ` });
      const receipts = found.filter((row) => String(row["name"]).endsWith("receipt.txt"));
      expect(receipts).toHaveLength(own.length);
    }
  });

  test("the text of a file names only people of one part of the population", () => {
    const names = fixture()
      .db.all(people)
      .map(({ name }) => name);
    for (const { text, name } of fixture().db.all(files)) {
      const parts = new Set(names.filter((person) => text.includes(person)).map(partOfName));
      expect(parts.size, name).toBeLessThanOrEqual(1);
    }
    expect(PARTS.length).toBe(5);
  });

  test("every API of files has an example that works at the start", () => {
    expect(findFailingExamples(app, apps, base)).toEqual([]);
  });
});
