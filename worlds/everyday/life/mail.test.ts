import { describe, expect, test } from "vitest";
import { fullMail } from "../apps/mail/full.ts";
import {
  attachments,
  copies,
  issues,
  listMembers,
  mailingLists,
  moreMailTables,
  newsletters,
} from "../apps/mail/tables.ts";
import { mails, people } from "../apps/tables.ts";
import { type Part, partOf } from "../population/names.ts";
import { NOW } from "../population/time.ts";
import { appFixture, failingExamples, livedBase } from "../tests/app-fixture.ts";
import { addMail } from "./mail.ts";

const { base, life } = livedBase([fullMail], addMail);
const { db } = appFixture([fullMail], base);
const partOfPerson = (id: number): Part | undefined => partOf(db.get(people, id)!.name);

describe("the mailbox of the owner's life", () => {
  test("is large enough to page through", () => {
    expect(db.all(mails).length).toBeGreaterThan(300);
    expect(db.all(attachments).length).toBeGreaterThan(80);
    for (const table of moreMailTables)
      expect(db.all(table as never).length, table.name).toBeGreaterThan(1);
    for (const folder of ["inbox", "archive", "trash", "sent"] as const) {
      expect(db.where(mails, { folder }).length, folder).toBeGreaterThan(15);
    }
  });

  test("every cost has one receipt with its amount, from whoever paid", () => {
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

  test("a mail about a happening goes among its people, an answer to whom it answers", () => {
    for (const row of db.all(mails)) {
      expect(row.at < NOW).toBe(true);
      expect(row.outgoing).toBe(row.folder === "sent");
      for (const { person } of db.where(copies, { mail: row.id })) {
        expect(partOfPerson(person)).toBe(partOfPerson(row.person));
        expect(person).not.toBe(row.person);
      }
      if (row.origin === null) continue;
      const origin = db.get(mails, row.origin)!;
      expect(origin).toMatchObject({ person: row.person, outgoing: !row.outgoing });
      expect(row.subject).toBe(`Re: ${origin.subject}`);
      expect(origin.at <= row.at).toBe(true);
    }
  });

  test("mailing lists and newsletters stay within a part", () => {
    for (const { id } of db.all(mailingLists)) {
      const parts = db.where(listMembers, { list: id }).map(({ person }) => partOfPerson(person));
      expect(new Set(parts).size).toBe(1);
    }
    for (const { newsletter, mail } of db.all(issues)) {
      expect(db.get(mails, mail)!.person).toBe(db.get(newsletters, newsletter)!.person);
    }
  });

  test("every example works", () => {
    expect(failingExamples(fullMail, [fullMail], base)).toEqual([]);
  });
});
