import { describe, expect, test } from "vitest";
import { appFixture, makeLifeBase } from "../../tests/app-fixture.ts";
import { groups, members, people } from "../tables.ts";
import { nextBirthday } from "./facts.ts";
import { fullContacts } from "./full.ts";
import * as tables from "./tables.ts";

const AMARA = {
  name: "Amara Okafor",
  handle: "amara.o",
  city: "Lisbon",
  phone: "555-1234",
  blocked: false,
};

/** The fixture already contains the starter's contacts app, so the full one is added under another name. */
const book = { ...fullContacts, name: "book" };
const { base } = makeLifeBase([book], (db) => {
  for (const { id } of db.all(people)) db.remove(people, id);
  for (const { id } of db.all(members)) db.remove(members, id);
  for (const { id } of db.all(groups)) db.remove(groups, id);
  db.insert(people, { ...AMARA, name: "Amara Silva", handle: "amara.s", city: "Oslo" });
  db.insert(people, AMARA);
  db.insert(people, { ...AMARA, name: "Bruno Chen", handle: "bruno.c" });
  const club = db.insert(groups, { name: "chess club" }).id;
  db.insert(groups, { name: "choir" });
  db.insert(members, { group: club, person: db.where(people, { handle: "amara.o" })[0]!.id });
});
const fixture = () => appFixture([book], base);

describe("facts about contacts", () => {
  test("facts about a contact are unknown at first, can be set one by one, and can be used to filter contacts", () => {
    const open = fixture();
    const unknown = { relationship: null, birthday: null, street: null, workplace: null };
    const person = { person: "amara.o" };
    expect(open.item("book.profile", person)).toMatchObject({ ...unknown, partner: null });
    open.call("book.setRelationship", { ...person, relationship: "friend" });
    open.call("book.setBirthday", { ...person, birthday: "1990-03-20" });
    open.call("book.setWork", { ...person, workplace: "Penrose Books", job: "clerk" });
    open.call("book.favour", person);
    expect(open.db.all(tables.details)).toHaveLength(1);
    for (const filter of [
      { relationship: "friend" },
      { bornIn: 3 },
      { workplace: "penrose books" },
      { favourite: true },
      { group: "chess club" },
    ]) {
      expect(open.all("book.list", filter)).toMatchObject([{ handle: "amara.o" }]);
    }
    expect(open.all("book.list", { sort: "age" })[0]).toMatchObject({ handle: "amara.o" });
    expect(open.all("book.list", { favourite: false })).toHaveLength(2);
    expect(open.all("book.workplaces")).toEqual([{ name: "Penrose Books", size: 1 }]);
  });

  test("setting a fact that is known, clearing one that is unknown, and setting a birthday in the future are refused", () => {
    const open = fixture();
    const person = { person: "amara.o" };
    open.call("book.favour", person);
    expect(open.refusal("book.favour", person)).toMatchObject({ status: 409 });
    expect(open.refusal("book.clearBirthday", person).message).toMatch(/^person: no birthday/);
    const born = { ...person, birthday: "2026-03-13" };
    expect(open.refusal("book.setBirthday", born).message).toMatch(/^birthday: .*2026-03-13/);
  });

  test("the next birthday is today or later; a birthday on 29 February falls on 1 March in years without this day", () => {
    const now = "2026-03-12T09:00:00Z";
    const days = ["1990-03-12", "1990-03-11", "1992-02-29"].map((day) => nextBirthday(day, now));
    expect(days).toEqual(["2026-03-12", "2027-03-11", "2027-03-01"]);
    expect(nextBirthday("1992-02-29", "2028-01-01T00:00:00Z")).toBe("2028-02-29");
  });

  test("birthdays are listed in order with the age that is reached", () => {
    const open = fixture();
    open.call("book.setBirthday", { person: "amara.o", birthday: "1990-03-11" });
    open.call("book.setBirthday", { person: "bruno.c", birthday: "2000-03-30" });
    const rows = open.all("book.birthdays");
    expect(rows).toMatchObject([
      { handle: "bruno.c", day: "2026-03-30", turns: 26 },
      { handle: "amara.o", day: "2027-03-11", turns: 37 },
    ]);
    expect(open.all("book.birthdays", { days: 18 })).toHaveLength(1);
    expect(open.all("book.birthdays", { days: 17 })).toHaveLength(0);
  });
});

describe("couples and gifts", () => {
  test("a person who is in a couple cannot be either person of another couple", () => {
    const open = fixture();
    open.call("book.pair", { person: "bruno.c", partner: "amara.o" });
    expect(open.item("book.profile", { person: "amara.o" })["partner"]).toBe("bruno.c");
    const again = open.refusal("book.pair", { person: "amara.s", partner: "bruno.c" });
    expect(again).toMatchObject({ status: 409, message: expect.stringMatching(/^partner: /) });
    const self = open.refusal("book.pair", { person: "amara.s", partner: "amara.s" });
    expect(self.status).toBe(422);
    open.call("book.unpair", { person: "amara.o" });
    expect(open.refusal("book.unpair", { person: "bruno.c" }).status).toBe(404);
  });

  test("a given gift cannot be dropped, and its price is stored in cents and shown in dollars", () => {
    const open = fixture();
    const gift = { person: "amara.o", idea: "a globe", amount: 12.35 };
    expect(open.item("book.addGift", gift)).toEqual({ ...gift, id: 1, given: false });
    expect(open.db.all(tables.gifts)[0]!.cents).toBe(1235);
    expect(open.refusal("book.addGift", { ...gift, amount: 1.005 }).message).toMatch(/^idea: /);
    expect(open.refusal("book.repriceGift", { id: 1, amount: 1.005 }).message).toMatch(/^amount: /);
    open.call("book.giveGift", { id: 1 });
    expect(open.refusal("book.dropGift", { id: 1 })).toMatchObject({ status: 409 });
    open.call("book.ungiveGift", { id: 1 });
    open.call("book.dropGift", { id: 1 });
  });
});

describe("removing, merging, restoring", () => {
  test("a removed contact can be restored with handle and groups", () => {
    const open = fixture();
    open.call("book.favour", { person: "amara.o" });
    open.call("book.remove", { person: "amara.o" });
    expect(open.db.all(tables.details)).toEqual([]);
    expect(open.all("book.removed")).toMatchObject([{ handle: "amara.o", groups: ["chess club"] }]);
    open.call("book.restore", { person: "amara.o" });
    expect(open.all("book.groupMembers", { group: "chess club" })).toMatchObject([
      { handle: "amara.o" },
    ]);
    expect(open.refusal("book.restore", { person: "amara.o" }).status).toBe(404);
  });

  test("a removed contact cannot be restored when another contact has got the name or handle", () => {
    const open = fixture();
    open.call("book.remove", { person: "amara.o" });
    open.call("book.add", { name: "Amara O", city: "Rome", phone: "1" });
    expect(open.refusal("book.restore", { person: "amara.o" })).toMatchObject({ status: 409 });
  });

  test("merging two contacts keeps known facts, adds missing facts from the duplicate, and leaves a card of the duplicate", () => {
    const open = fixture();
    const [keep, duplicate] = ["bruno.c", "amara.o"];
    open.call("book.setStreet", { person: keep, street: "1 Abbey Road" });
    open.call("book.setStreet", { person: duplicate, street: "2 Abbey Road" });
    open.call("book.setBirthday", { person: duplicate, birthday: "1990-01-01" });
    open.call("book.remark", { person: duplicate, text: "Keeps bees." });
    const merged = open.item("book.merge", { keep, duplicate });
    expect(merged).toMatchObject({ street: "1 Abbey Road", birthday: "1990-01-01" });
    expect(open.all("book.remarks", { person: keep })).toMatchObject([{ text: "Keeps bees." }]);
    expect(open.all("book.groups", { person: keep })).toEqual([{ name: "chess club", size: 1 }]);
    expect(open.all("book.removed")).toHaveLength(1);
    expect(open.refusal("book.merge", { keep, duplicate: keep }).status).toBe(422);
  });

  test("merging two groups puts every member of both into the remaining group once", () => {
    const open = fixture();
    open.call("book.addToGroup", { group: "choir", person: "amara.o" });
    open.call("book.addToGroup", { group: "choir", person: "bruno.c" });
    const args = { group: "choir", into: "chess club" };
    expect(open.call("book.mergeGroups", args)).toEqual({ name: "chess club", size: 2 });
    expect(open.refusal("book.mergeGroups", args).message).toMatch(/^group: /);
  });
});
