/**
 * Tests rules of the starter's apps that hold over several calls: money is never made or lost, sent things are kept,
 * and changes are stored.
 */
import { describe, expect, test } from "vitest";
import { fillSmallLife } from "../tests/small-life.ts";
import { starterFixture } from "../tests/starter-fixture.ts";
import * as tables from "./index.ts";

const fixture = () => starterFixture(fillSmallLife);

describe("contacts", () => {
  test("contacts.find returns all namesakes for a first name, and one contact for a full name", () => {
    const names = (name: string) => fixture().call("contacts.find", { name });
    expect(names("amara")).toMatchObject([{ name: "Amara Okafor" }, { name: "Amara Silva" }]);
    expect(names("si")).toMatchObject([{ name: "Amara Silva" }]);
    expect(names("am oka")).toMatchObject([{ name: "Amara Okafor" }]);
    expect(names("AMARA SILVA")).toMatchObject([{ handle: "amara.s" }]);
    expect(names("mara")).toEqual([]);
  });

  test("handles are lower-case ASCII and no handle is given twice", () => {
    const open = fixture();
    const add = (name: string) =>
      open.item("contacts.add", { name, city: "Oslo", phone: "1" })["handle"];
    expect(["Ána Ó Brien", "Ana O'Bell", "Ana Ob", "Cher", "李 雷"].map(add)).toEqual([
      "ana.o",
      "ana.ob",
      "ana2",
      "cher",
      "someone",
    ]);
  });

  test("removing a contact takes them out of groups and keeps their old messages readable", () => {
    const open = fixture();
    open.call("contacts.remove", { person: "amara.o" });
    expect(open.all("contacts.list", { group: "chess club" })).toEqual([]);
    expect(open.item("messages.show", { id: 1 })["from"]).toBe("removed");
    expect(open.refusal("messages.reply", { id: 1, text: "?" }).status).toBe(404);
  });

  test("nothing can be sent to a blocked contact until the contact is unblocked", () => {
    const open = fixture();
    const sends: [string, object][] = [
      ["messages.send", { to: "amara.o", text: "hi" }],
      ["messages.reply", { id: 1, text: "hi" }],
      ["mail.reply", { id: 1, body: "hi" }],
      ["pay.send", { to: "amara.o", amount: 1 }],
      ["pay.request", { from: "amara.o", amount: 1 }],
      ["notes.share", { id: 1, to: "amara.o" }],
      ["calendar.add", { title: "x", day: "2026-03-20", time: "10:00", guests: ["amara.o"] }],
    ];
    open.call("contacts.block", { person: "amara.o" });
    for (const [path, args] of sends) {
      expect(open.refusal(path, args).message).toContain("blocked");
    }
    open.call("contacts.unblock", { person: "amara.o" });
    for (const [path, args] of sends) open.call(path, args);
  });
});

describe("messages and mail", () => {
  test("showing a message or mail marks it as read, and listing it does not", () => {
    const open = fixture();
    for (const app of ["messages", "mail"]) {
      expect(open.all(`${app}.list`, { unread: true })).toHaveLength(1);
      open.call(`${app}.show`, { id: 1 });
      expect(open.all(`${app}.list`, { unread: true })).toEqual([]);
    }
  });

  test("a reply refers to the message that it answers, and a forwarded message is stored like a new one", () => {
    const open = fixture();
    open.call("messages.reply", { id: 1, text: "Yes" });
    open.call("messages.forward", { id: 1, to: "bruno.c" });
    open.call("messages.send", { to: "bruno.c", text: "Dinner at seven?" });
    const [reply, forward, sent] = [3, 4, 5].map((id) => open.db.get(tables.texts, id)!);
    expect(reply).toMatchObject({ person: 2, replyTo: 1, outgoing: true });
    expect({ ...forward, at: "", id: 0 }).toEqual({ ...sent, at: "", id: 0 });
  });

  test("reactions, stars and labels are stored and can be listed", () => {
    const open = fixture();
    open.call("messages.react", { id: 1, kind: "love" });
    open.call("messages.star", { id: 1 });
    expect(open.call("messages.show", { id: 1 })).toMatchObject({
      reaction: "love",
      starred: true,
    });
    open.call("mail.star", { id: 1 });
    open.call("mail.label", { id: 1, label: "bills" });
    expect(open.all("mail.list", { starred: true, label: "bills" })).toHaveLength(1);
    expect(open.all("mail.labels")).toEqual([{ name: "bills", size: 2 }]);
    open.call("mail.remove", { id: 1 });
    expect(open.all("mail.list", { folder: "trash" })).toHaveLength(1);
    expect(open.all("mail.labels")).toEqual([{ name: "bills", size: 1 }]);
  });

  test("sent messages are listed newest first", () => {
    const open = fixture();
    for (const text of ["one", "two"]) open.call("messages.send", { to: "bruno.c", text });
    const texts = open.all("messages.sent").map((item) => item["text"]);
    expect(texts).toEqual(["two", "one", "Thanks!"]);
  });
});

describe("pay", () => {
  test("the balance falls by exactly the cents of the payments", () => {
    const open = fixture();
    const spent = () =>
      open.db
        .all(tables.payments)
        .filter((row) => row.outgoing)
        .reduce((sum, row) => sum + row.cents, 0);
    for (const amount of [0.01, 0.1 + 0.2, 19.99, 1.1 * 3]) {
      open.call("pay.send", { to: "bruno.c", amount });
    }
    open.call("pay.approve", { id: 1 });
    expect(spent()).toBe(1 + 30 + 1999 + 330 + 1250);
    expect(open.call("pay.balance")).toEqual({ balance: (10_000 - spent()) / 100 });
  });

  test("a request that exceeds the balance cannot be approved and stays pending", () => {
    const open = fixture();
    open.call("pay.send", { to: "bruno.c", amount: 90 });
    expect(open.refusal("pay.approve", { id: 1 }).message).toMatch(/^id: .*balance of 10, .*12.5/);
    expect(open.all("pay.requests", { status: "pending" })).toHaveLength(1);
    expect(open.call("pay.balance")).toEqual({ balance: 10 });
  });

  test("a settled request cannot be settled again, and only one reminder is sent", () => {
    const open = fixture();
    open.call("pay.decline", { id: 1 });
    expect(open.refusal("pay.approve", { id: 1 })).toMatchObject({ status: 409 });
    open.call("pay.remind", { id: 2 });
    expect(open.refusal("pay.remind", { id: 2 })).toMatchObject({ status: 409 });
    expect(open.db.all(tables.reminders)).toMatchObject([{ request: 2 }]);
  });
});

describe("notes and todo", () => {
  test("appended text becomes a new line, and a shared note cannot be removed", () => {
    const open = fixture();
    open.call("notes.append", { id: 1, text: "Salt." });
    open.call("notes.share", { id: 1, to: "bruno.c" });
    expect(open.call("notes.show", { id: 1 })).toMatchObject({ text: "Leeks.\nSalt.", shared: 1 });
    expect(open.refusal("notes.share", { id: 1, to: "bruno.c" }).status).toBe(409);
    expect(open.refusal("notes.remove", { id: 1 }).status).toBe(409);
  });

  test("a todo is listed in the list to which it was moved and on its due day", () => {
    const open = fixture();
    open.call("todo.move", { id: 1, list: "empty" });
    open.call("todo.setDue", { id: 1, due: "2026-03-30" });
    expect(open.all("todo.list", { list: "empty", due: "2026-03-30", done: false })).toHaveLength(
      1,
    );
    expect(open.all("todo.list", { list: "errands" })).toEqual([]);
  });
});

describe("calendar", () => {
  test("cancelled events and uninvited guests are kept as rows", () => {
    const open = fixture();
    open.call("calendar.uninvite", { id: 1, person: "amara.o" });
    expect(open.all("calendar.guests", { id: 1 })).toEqual([]);
    expect(open.db.all(tables.guests)).toMatchObject([{ person: 2, uninvited: true }]);
    open.call("calendar.invite", { id: 1, person: "amara.o" });
    expect(open.all("calendar.guests", { id: 1 })).toHaveLength(1);
    open.call("calendar.cancel", { id: 1 });
    expect(open.all("calendar.list").map((item) => item["title"])).toEqual(["Dentist"]);
    expect(open.refusal("calendar.cancel", { id: 1 }).status).toBe(409);
  });

  test("an accepted invitation appears in the calendar, a declined one disappears", () => {
    const open = fixture();
    expect(open.all("calendar.list", { from: "bruno.c" })).toEqual([]);
    open.call("calendar.accept", { id: 3 });
    expect(open.refusal("calendar.accept", { id: 3 }).status).toBe(409);
    expect(open.all("calendar.list", { from: "bruno.c" })).toHaveLength(1);
    open.call("calendar.decline", { id: 3 });
    expect(open.all("calendar.list", { from: "bruno.c" })).toEqual([]);
    expect(open.all("calendar.invites")).toEqual([]);
  });
});
