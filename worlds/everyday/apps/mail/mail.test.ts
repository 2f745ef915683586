import { describe, expect, test } from "vitest";
import { appFixture, makeLifeBase } from "../../tests/app-fixture.ts";
import { mails, people } from "../tables.ts";
import { fullMail } from "./full.ts";
import {
  copies,
  drafts,
  listMembers,
  mailingLists,
  recalls,
  signatures,
  templates,
} from "./tables.ts";

/**
 * Person 1 wrote mail 1 and sent a copy to person 2. Mail 2 is an answer to mail 1. The members of the mailing list "house" are
 * persons 2 and 3.
 */
const { base } = makeLifeBase([fullMail], (db) => {
  const row = { label: null, starred: false, unread: true, person: 1 };
  const got = { ...row, outgoing: false, folder: "inbox", origin: null } as const;
  const at = "2026-03-01T08:00:00Z";
  db.insert(mails, { ...got, subject: "Rent", body: "It is due.", at });
  const sent = { ...row, outgoing: true, folder: "sent", unread: false } as const;
  db.insert(mails, { ...sent, subject: "Re: Rent", body: "Paid.", origin: 1, at });
  db.insert(mails, { ...got, person: 2, subject: "Rent again", body: "Thanks.", at });
  db.insert(copies, { mail: 1, person: 2 });
  const list = db.insert(mailingLists, { name: "house" }).id;
  for (const person of [2, 3]) db.insert(listMembers, { list, person });
  db.insert(signatures, { name: "plain", text: "Robin", usual: true });
  db.insert(templates, { name: "thanks", subject: "Hi {name}", body: "{name}, thank you." });
});
const fixture = () => appFixture([fullMail], base);
const handleById = (id: number) => fixture().db.get(people, id)!.handle;
const newMails = (open: ReturnType<typeof fixture>) =>
  open.db
    .all(mails)
    .slice(3)
    .map(({ id, at, ...row }) => row);

describe("drafts", () => {
  test("sending a draft leaves the same rows as sending the mail at once", () => {
    const letter = { to: handleById(2), subject: "Hi", body: "Hello" };
    const [a, b] = [fixture(), fixture()];
    a.call("mail.send", letter);
    b.call("mail.draft", letter);
    b.call("mail.sendDraft", { id: 1 });
    expect(newMails(b)).toEqual(newMails(a));
    expect(b.db.all(drafts)).toEqual([]);
    a.call("mail.reply", { id: 1, body: "Soon" });
    b.call("mail.draftReply", { id: 1, body: "Soon" });
    expect(b.refusal("mail.editDraft", { id: 2, to: handleById(3) }).message).toMatch(/^to: /);
    b.call("mail.sendDraft", { id: 2 });
    expect(newMails(b)).toEqual(newMails(a));
  });

  test("a draft can be sent only when it has a receiver who is not blocked", () => {
    const open = fixture();
    open.call("mail.draft", { subject: "Hi", body: "Hello" });
    expect(open.refusal("mail.sendDraft", { id: 1 })).toMatchObject({ status: 422 });
    open.call("mail.editDraft", { id: 1, to: handleById(2) });
    open.call("contacts.block", { person: handleById(2) });
    expect(open.refusal("mail.sendDraft", { id: 1 }).message).toMatch(/^id: .* is blocked/);
    expect(open.db.all(drafts)).toHaveLength(1);
  });
});

describe("sending", () => {
  test("each person gets at most one copy of a mail, its receiver gets none, and the signature follows the text", () => {
    const open = fixture();
    const letter = { to: handleById(2), subject: "S", body: "B", signature: "PLAIN" };
    const more = { copy: [handleById(3), handleById(1), handleById(3)], copyList: "house" };
    expect(open.item("mail.compose", { ...letter, ...more })["copies"]).toBe(2);
    expect(open.item("mail.showSent", { id: 4 })).toMatchObject({
      body: "B\nRobin",
      copies: [handleById(3), handleById(1)],
    });
    expect(open.refusal("mail.compose", { ...letter, copyList: "hous" }).message).toContain(
      'copyList: there is no copyList "hous"; did you mean "house"?',
    );
    expect(open.item("mail.replyAll", { id: 1, body: "ok" })["copies"]).toBe(1);
  });

  test("sending to a mailing list or from a template makes the same rows as sending each mail separately", () => {
    const [a, b] = [fixture(), fixture()];
    expect(a.call("mail.sendToList", { list: "house", subject: "S", body: "B" })).toEqual({
      sent: 2,
    });
    for (const id of [2, 3]) b.call("mail.send", { to: handleById(id), subject: "S", body: "B" });
    expect(newMails(a)).toEqual(newMails(b));
    const first = a.db.get(people, 2)!.name.split(" ")[0];
    a.call("mail.sendTemplate", { template: "thanks", to: handleById(2) });
    expect(newMails(a)[2]).toMatchObject({ subject: `Hi ${first}`, body: `${first}, thank you.` });
  });

  test("a mail can be recalled within thirty seconds, and its row is kept", () => {
    const open = fixture();
    open.call("mail.send", { to: handleById(2), subject: "S", body: "B" });
    for (let i = 0; i < 29; i++) open.call("mail.counts");
    open.call("mail.recall", { id: 4 });
    expect(open.refusal("mail.recall", { id: 4 }).message).toContain("already recalled");
    expect(open.item("mail.showSent", { id: 4 })["recalled"]).toBe(true);
    open.call("mail.send", { to: handleById(2), subject: "S", body: "B" });
    for (let i = 0; i < 30; i++) open.call("mail.counts");
    expect(open.refusal("mail.recall", { id: 5 })).toMatchObject({
      status: 409,
      message: "id: mail 5 was sent 31 seconds ago, expected at most 30",
    });
    expect(open.db.all(recalls)).toHaveLength(1);
  });

  test("a mail can be scheduled only for a day after today, and a cancelled scheduled mail cannot be rescheduled", () => {
    const open = fixture();
    const letter = { to: handleById(2), subject: "S", body: "B" };
    expect(open.refusal("mail.schedule", { ...letter, day: "2026-03-12" }).message).toMatch(
      /^day: /,
    );
    open.call("mail.schedule", { ...letter, day: "2026-03-13" });
    open.call("mail.cancelScheduled", { id: 1 });
    expect(open.refusal("mail.reschedule", { id: 1, day: "2026-03-14" }).status).toBe(409);
    expect(open.all("mail.scheduled", { status: "cancelled" })).toHaveLength(1);
  });
});

describe("keeping order", () => {
  test("a rule applies only to mail in the inbox, and only while the rule is active", () => {
    const open = fixture();
    const rule = {
      name: "rent",
      from: handleById(1),
      words: "RENT",
      label: "home",
      archives: true,
    };
    open.call("mail.addRule", rule);
    open.call("mail.setRule", { id: 1, active: false });
    expect(open.refusal("mail.applyRule", { id: 1 }).message).toMatch(/^id: .* paused/);
    open.call("mail.setRule", { id: 1, active: true });
    expect(open.call("mail.applyRule", { id: 1 })).toEqual({ changed: 1 });
    expect(open.db.get(mails, 1)).toMatchObject({ label: "home", folder: "archive" });
    expect(open.call("mail.applyRule", { id: 1 })).toEqual({ changed: 0 });
    expect(open.refusal("mail.addRule", { name: "x", label: "y" }).message).toMatch(/^from: /);
    expect(open.refusal("mail.addRule", { name: "x", words: "y" }).message).toMatch(/^label: /);
  });

  test("a snoozed mail is in the archive, and returns to the inbox when its snooze is ended", () => {
    const open = fixture();
    open.call("mail.snooze", { id: 1, until: "2026-03-20" });
    open.call("mail.snooze", { id: 1, until: "2026-03-22" });
    expect(open.all("mail.snoozed")).toMatchObject([{ id: 1, until: "2026-03-22" }]);
    open.call("mail.wake", { id: 1 });
    expect(open.db.get(mails, 1)!.folder).toBe("inbox");
    expect(open.refusal("mail.wake", { id: 1 }).status).toBe(409);
    expect(open.refusal("mail.snooze", { id: 1, until: "2026-03-11" }).message).toMatch(/^until: /);
  });

  test("the id of any mail of a thread finds the whole thread", () => {
    const ids = (id: number) =>
      fixture()
        .all("mail.thread", { id })
        .map((item) => item["id"]);
    expect([ids(1), ids(2), ids(3)]).toEqual([[1, 2], [1, 2], [3]]);
  });

  test("the default signature cannot be removed until another signature is made the default", () => {
    const open = fixture();
    open.call("mail.addSignature", { name: "short", text: "R" });
    expect(open.refusal("mail.removeSignature", { signature: "plain" }).status).toBe(409);
    open.call("mail.useSignature", { signature: "short" });
    open.call("mail.removeSignature", { signature: "plain" });
    expect(open.db.all(signatures)).toMatchObject([{ name: "short", usual: true }]);
  });

  test("the error for a wrong mail, day or label names the parameter", () => {
    const open = fixture();
    expect(open.refusal("mail.markRead", { ids: [1, 1] }).message).toMatch(/^ids: /);
    expect(open.refusal("mail.markRead", { ids: [2] }).status).toBe(422);
    expect(open.refusal("mail.followUp", { id: 1, by: "2026-03-20" }).status).toBe(422);
    expect(open.refusal("mail.renameLabel", { label: "none", to: "x" }).message).toMatch(
      /^label: /,
    );
  });
});
