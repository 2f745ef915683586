/**
 * Fills the starter's tables with three people, of whom two share a first name, and one or two rows in every table. Ids
 * start at 1.
 */
import type { Writer } from "bowline/world";
import * as tables from "../apps/index.ts";

const at = "2026-03-11T08:00:00Z";

export function fillSmallLife(db: Writer): void {
  const addPerson = (name: string, handle: string, city: string) =>
    db.insert(tables.people, { name, handle, city, phone: "555-1234", blocked: false });
  addPerson("Amara Silva", "amara.s", "Oslo");
  addPerson("Amara Okafor", "amara.o", "Lisbon");
  addPerson("Bruno Chen", "bruno.c", "Lisbon");
  db.insert(tables.groups, { name: "chess club" });
  db.insert(tables.groups, { name: "choir" });
  db.insert(tables.members, { group: 1, person: 2 });

  const text = { replyTo: null, reaction: null, starred: false, at };
  const received = { ...text, person: 2, outgoing: false };
  db.insert(tables.texts, { ...received, text: "Dinner at seven?", unread: true });
  db.insert(tables.texts, { ...text, person: 3, outgoing: true, text: "Thanks!", unread: false });

  const mail = { label: null, starred: false, origin: null, unread: true, at };
  const letter = { subject: "Rent", body: "It is due." };
  db.insert(tables.mails, { ...mail, ...letter, person: 2, outgoing: false, folder: "inbox" });
  db.insert(tables.mails, { ...mail, ...letter, person: 3, outgoing: true, folder: "sent" });
  db.insert(tables.mails, {
    ...mail,
    ...letter,
    person: 3,
    outgoing: false,
    folder: "archive",
    label: "bills",
  });

  db.insert(tables.wallet, { cents: 10_000 });
  const debt = { cents: 1250, note: "taxi", at };
  db.insert(tables.requests, { ...debt, person: 2, outgoing: false, status: "pending" });
  db.insert(tables.requests, { ...debt, person: 3, outgoing: true, status: "pending" });
  db.insert(tables.requests, { ...debt, person: 3, outgoing: true, status: "paid" });
  db.insert(tables.payments, { ...debt, person: 3, outgoing: false, request: 3 });

  db.insert(tables.notes, { title: "Soup", text: "Leeks.", tag: "recipes", pinned: false });
  db.insert(tables.notes, { title: "Wifi", text: "Behind the shelf.", tag: null, pinned: true });
  db.insert(tables.todoLists, { name: "inbox" });
  db.insert(tables.todoLists, { name: "errands" });
  db.insert(tables.todoLists, { name: "empty" });
  db.insert(tables.todos, { title: "buy stamps", list: 2, due: "2026-03-20", done: false });
  db.insert(tables.todos, { title: "call the bank", list: 1, due: null, done: true });

  const plan = { cancelled: false, time: "18:00" };
  const ownColumns = { ...plan, host: null, response: "accepted" } as const;
  db.insert(tables.events, { ...ownColumns, title: "Film night", day: "2026-03-14" });
  db.insert(tables.events, { ...ownColumns, title: "Dentist", day: "2026-03-02" });
  const invitationColumns = { ...plan, host: 3, response: "open" } as const;
  db.insert(tables.events, { ...invitationColumns, title: "Birthday", day: "2026-03-15" });
  db.insert(tables.guests, { event: 1, person: 2, uninvited: false });
}
