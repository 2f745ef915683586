import { describe, expect, test } from "vitest";
import { bank } from "../apps/bank/index.ts";
import { transactions } from "../apps/bank/tables.ts";
import { fullMail } from "../apps/mail/full.ts";
import {
  attachments,
  copies,
  issues,
  listMembers,
  mailingLists,
  moreMailTables,
  newsletters,
  senders,
} from "../apps/mail/tables.ts";
import { mails, people } from "../apps/tables.ts";
import { type Part, partOfName } from "../population/name-pools.ts";
import { NOW } from "../population/time.ts";
import { appFixture, findFailingExamples, makeLifeBase } from "../tests/app-fixture.ts";
import { addBank } from "./bank.ts";
import { addOutsideMail } from "./mail/outside.ts";
import { addMail } from "./mail.ts";

const APPS = [fullMail, bank] as const;
const { base, life } = makeLifeBase(APPS, addMail, addBank, addOutsideMail);
const { db } = appFixture(APPS, base);
const partOfPerson = (id: number): Part | undefined => partOfName(db.get(people, id)!.name);

describe("the mailbox of the owner's life", () => {
  test("the mailbox is large enough to page through", () => {
    expect(db.all(mails).length).toBeGreaterThan(300);
    expect(db.all(attachments).length).toBeGreaterThan(80);
    for (const table of moreMailTables)
      expect(db.all(table as never).length, table.name).toBeGreaterThan(1);
    for (const folder of ["inbox", "archive", "trash", "sent"] as const) {
      expect(db.where(mails, { folder }).length, folder).toBeGreaterThan(15);
    }
  });

  test("each cost has exactly one receipt with its amount, from the person who paid", () => {
    for (const { title, costs } of life.happenings) {
      for (const { what, cents, payer } of costs) {
        const subject = `Receipt: ${what}, ${title}`;
        const found = db.where(mails, { subject });
        expect(found).toHaveLength(1);
        expect(found[0]!.body).toContain(`Total: $${(cents / 100).toFixed(2)}\n`);
        expect(found[0]!.outgoing).toBe(payer === null);
        if (payer) expect(found[0]!.person).toBe(payer.id);
      }
    }
  });

  test("mails about a happening go to its people, and an answer goes to the sender of its mail", () => {
    for (const row of db.all(mails)) {
      expect(row.at < NOW).toBe(true);
      expect(row.outgoing).toBe(row.folder === "sent");
      for (const { person } of db.where(copies, { mail: row.id })) {
        expect(partOfPerson(person)).toBe(partOfPerson(row.person!));
        expect(person).not.toBe(row.person);
      }
      if (row.origin === null) continue;
      const origin = db.get(mails, row.origin)!;
      expect(origin).toMatchObject({ person: row.person, outgoing: !row.outgoing });
      expect(row.subject).toBe(`Re: ${origin.subject}`);
      expect(origin.at <= row.at).toBe(true);
    }
  });

  test("a mail has a contact or a sender, and bills and receipts name what the bank booked", () => {
    const contacts = new Set(db.all(people).map(({ name }) => name));
    for (const { id, person, body, subject } of db.where(mails, { outgoing: false })) {
      const names = db.where(senders, { mail: id }).map(({ name }) => name);
      expect(names).toHaveLength(person === null ? 1 : 0);
      expect(names.some((name) => contacts.has(name))).toBe(false);
      if (person !== null || !/^Bill |^Your receipt/.test(subject)) continue;
      const cents = db.where(transactions, { payee: names[0]! }).map((row) => -row.cents);
      expect(cents.some((paid) => body.includes(`$${(paid / 100).toFixed(2)}`))).toBe(true);
    }
    const { id } = db.where(mails, { person: null })[0]!;
    const session = appFixture(APPS, base);
    const { from } = session.call("mail.head", { id }) as { from: string };
    expect(
      session.call("mail.list", { from, folder: session.db.get(mails, id)!.folder }),
    ).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ id, from })]),
    });
    expect(() => session.call("mail.reply", { id, body: "Hello" })).toThrow("who is no contact");
  });

  test("the people of a mailing list or newsletter are of one part of the population", () => {
    for (const { id } of db.all(mailingLists)) {
      const parts = db.where(listMembers, { list: id }).map(({ person }) => partOfPerson(person));
      expect(new Set(parts).size).toBe(1);
    }
    for (const { newsletter, mail } of db.all(issues)) {
      expect(db.get(mails, mail)!.person).toBe(db.get(newsletters, newsletter)!.person);
    }
  });

  test("every example in the documentation of mail works as a first call", () => {
    expect(findFailingExamples(fullMail, APPS, base)).toEqual([]);
  });
});
