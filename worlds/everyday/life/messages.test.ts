import { describe, expect, test } from "vitest";
import { fullContacts } from "../apps/contacts/full.ts";
import { fullMessages } from "../apps/messages/full.ts";
import * as tables from "../apps/messages/tables.ts";
import { type Person, people, texts } from "../apps/tables.ts";
import { partOfName } from "../population/name-pools.ts";
import { appFixture, findFailingExamples, makeLifeBase } from "../tests/app-fixture.ts";
import { addContacts } from "./contacts.ts";
import { addMessages } from "./messages.ts";

const apps = [{ ...fullContacts, name: "book" }, fullMessages];
const { base, life } = makeLifeBase(apps, addContacts, addMessages);
const { db } = appFixture(apps, base);

const NOW = "2026-03-12T09:00:00Z";
const partOfId = (id: number) => partOfName(db.get(people, id)!.name);
const payerId = (payer: Person | null) => (payer === null ? "owner" : payer.id);

describe("what was written", () => {
  test("every example in the documentation of messages works as a first call", () => {
    expect(findFailingExamples(fullMessages, apps, base)).toEqual([]);
  });

  test("each cost of a happening is mentioned once, with its amount, by the person who paid", () => {
    const costs = life.happenings.flatMap(({ place, costs }) =>
      costs.map(({ what, cents, payer }) => {
        const price = `$${(cents / 100).toFixed(2)}`;
        return { thing: `the ${what} at the ${place}`, price, by: payerId(payer) };
      }),
    );
    expect(costs.length).toBeGreaterThan(60);
    for (const { thing, price, by } of costs) {
      const told = db.all(texts).filter(({ text }) => text.includes(thing));
      expect(told.map((row) => (row.outgoing ? "owner" : row.person))).toEqual([by]);
      expect(told[0]!.text.match(/\$[\d.]+\d/g)).toEqual([price]);
      expect(told[0]!.text).toContain("paid");
    }
  });

  test("only people of a happening write texts about it and are in its chat", () => {
    for (const { place, people: participants } of life.happenings) {
      const inside = new Set(participants.map(({ id }) => id));
      for (const { text, person } of db.all(texts)) {
        if (text.includes(place)) expect(inside.has(person)).toBe(true);
      }
    }
    for (const chat of db.all(tables.chats)) {
      const members = db.where(tables.chatMembers, { chat: chat.id });
      expect(new Set(members.map(({ person }) => partOfId(person))).size).toBe(1);
      const inside = new Set(members.map(({ person }) => person));
      for (const { person } of db.where(tables.posts, { chat: chat.id })) {
        expect(person === null || inside.has(person)).toBe(true);
      }
    }
  });

  test("each chat has one owner, and each person has at most one vote in a poll, for one of its choices", () => {
    for (const chat of db.all(tables.chats)) {
      const roles = db.where(tables.chatMembers, { chat: chat.id }).map(({ role }) => role);
      expect([chat.role, ...roles].filter((role) => role === "owner")).toHaveLength(1);
    }
    for (const { poll, choice } of db.all(tables.votes)) {
      expect(db.get(tables.polls, poll)!.choices).toContain(choice);
    }
    const voters = db.all(tables.votes).map(({ poll, person }) => `${poll} ${person}`);
    expect(new Set(voters).size).toBe(voters.length);
  });

  test("the ids of texts and posts follow time, and all are before the start of the episode", () => {
    const received = db.where(texts, { outgoing: false }).map(({ at }) => at);
    expect(received).toEqual(received.toSorted());
    for (const { id } of db.all(tables.chats)) {
      const times = db.where(tables.posts, { chat: id }).map(({ at }) => at);
      expect(times).toEqual(times.toSorted());
    }
    for (const { at } of [...db.all(texts), ...db.all(tables.posts)]) expect(at < NOW).toBe(true);
  });

  test("there are enough messages to page through, and few are unread", () => {
    expect(db.all(texts).length).toBeGreaterThan(200);
    expect(db.all(tables.chats).length).toBeGreaterThan(30);
    expect(db.all(tables.posts).length).toBeGreaterThan(150);
    expect(db.all(tables.polls).length).toBeGreaterThan(20);
    expect(db.where(texts, { unread: true }).length).toBeLessThan(14);
  });
});
