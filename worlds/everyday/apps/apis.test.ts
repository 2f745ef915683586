/**
 * Calls every API once with valid and once with invalid input. The error of an invalid call names what is wrong, and
 * the call changes nothing.
 */
import { expect, test } from "vitest";
import { fillSmallLife } from "../tests/small-life.ts";
import { snapshot, starterFixture } from "../tests/starter-fixture.ts";
import { apps } from "./index.ts";

const amara = { name: "Amara Okafor", handle: "amara.o", city: "Lisbon" };
const amaraShown = { ...amara, phone: "555-1234", blocked: false };
const chess = { name: "chess club", size: 1 };
const dinner = { text: "Dinner at seven?", id: 1, from: "amara.o", unread: true };
const rent = { subject: "Rent", id: 1, from: "amara.o", label: null, unread: true };
const oldRent = { subject: "Rent", id: 3, from: "bruno.c", label: "bills", unread: true };
const taxi = { note: "taxi", id: 1, with: "bruno.c", amount: 12.5, kind: "received" };
const asked = { note: "taxi", id: 1, from: "amara.o", amount: 12.5, status: "pending" };
const asking = { note: "taxi", id: 2, to: "bruno.c", amount: 12.5, status: "pending" };
const soup = { title: "Soup", id: 1, tag: "recipes", pinned: false };
const wifi = { title: "Wifi", id: 2, tag: null, pinned: true };
const stamps = { title: "buy stamps", id: 1, list: "errands", due: "2026-03-20", done: false };
const bank = { title: "call the bank", id: 2, list: "inbox", due: null, done: true };
const film = { title: "Film night", id: 1, day: "2026-03-14", time: "18:00" };
const party = { title: "Birthday", id: 3, day: "2026-03-15", time: "18:00" };
const only = (...items: object[]) => ({ items, more: false });

/**
 * Each case maps an API's path to [valid arguments, the answer, invalid arguments, the error's status, a word of its
 * message].
 */
type Case = readonly [object, unknown, object, number, string];

const CASES: { readonly [path: string]: Case } = {
  "contacts.list": [
    { group: "Chess Club" },
    only(amara),
    { group: "ches club" },
    404,
    "chess club",
  ],
  "contacts.find": [{ name: "amara okafor" }, [amara], { name: "" }, 422, "name"],
  "contacts.show": [{ person: "amara.o" }, amaraShown, { person: "amara.p" }, 404, "amara."],
  "contacts.add": [
    { name: "Bruno Costa", city: "Oslo", phone: "555-9" },
    { name: "Bruno Costa", handle: "bruno.co", city: "Oslo", phone: "555-9", blocked: false },
    { name: "bruno chen", city: "Oslo", phone: "555-9" },
    409,
    "Bruno Chen",
  ],
  "contacts.update": [
    { person: "amara.o", city: "Rome" },
    { ...amaraShown, city: "Rome" },
    { person: "amara.o" },
    422,
    "city, phone",
  ],
  "contacts.remove": [{ person: "amara.o" }, amaraShown, { person: "nobody" }, 404, "nobody"],
  "contacts.block": [
    { person: "amara.o" },
    { ...amaraShown, blocked: true },
    { person: "Amara Okafor" },
    404,
    "contacts.find",
  ],
  "contacts.unblock": [{ person: "amara.o" }, amaraShown, { id: 2 }, 422, "person"],
  "contacts.groups": [{ person: "amara.o" }, only(chess), { person: "x.y" }, 404, "person"],
  "contacts.addGroup": [
    { name: "film" },
    { name: "film", size: 0 },
    { name: "Choir" },
    409,
    "choir",
  ],
  "contacts.renameGroup": [
    { group: "chess club", name: "chess team" },
    { name: "chess team", size: 1 },
    { group: "chess club", name: "choir" },
    409,
    "choir",
  ],
  "contacts.removeGroup": [{ group: "chess club" }, chess, { group: "golf" }, 404, "golf"],
  "contacts.addToGroup": [
    { group: "chess club", person: "bruno.c" },
    { name: "chess club", size: 2 },
    { group: "chess club", person: "amara.o" },
    409,
    "already",
  ],
  "contacts.removeFromGroup": [
    { group: "chess club", person: "amara.o" },
    { name: "chess club", size: 0 },
    { group: "choir", person: "amara.o" },
    404,
    "amara.o",
  ],
  "messages.list": [
    { from: "amara.o", unread: true },
    only(dinner),
    { from: "amra.o" },
    404,
    "from",
  ],
  "messages.sent": [
    { to: "bruno.c" },
    only({ text: "Thanks!", id: 2, to: "bruno.c" }),
    { size: 21 },
    422,
    "size",
  ],
  "messages.show": [
    { id: 1 },
    {
      text: "Dinner at seven?",
      id: 1,
      from: "amara.o",
      day: "2026-03-11",
      reaction: null,
      starred: false,
    },
    { id: 2 },
    422,
    "received",
  ],
  "messages.search": [{ query: "DINNER" }, only(dinner), { query: "" }, 422, "query"],
  "messages.send": [
    { to: "bruno.c", text: "Hi" },
    { text: "Hi", id: 3, to: "bruno.c" },
    { to: "bruno.d", text: "Hi" },
    404,
    'did you mean "bruno.c"',
  ],
  "messages.reply": [
    { id: 1, text: "Yes" },
    { text: "Yes", id: 3, to: "amara.o" },
    { id: 9, text: "Yes" },
    404,
    "no message with id 9",
  ],
  "messages.forward": [
    { id: 1, to: "bruno.c" },
    { text: "Dinner at seven?", id: 3, to: "bruno.c" },
    { id: 2, to: "bruno.c" },
    422,
    "owner sent",
  ],
  "messages.react": [{ id: 1, kind: "like" }, dinner, { id: 1, kind: "meh" }, 422, "kind"],
  "messages.star": [{ id: 1 }, dinner, { id: "1" }, 422, "id"],
  "messages.unstar": [{ id: 1 }, dinner, { id: 7 }, 404, "id"],
  "messages.remove": [{ id: 1 }, dinner, { id: 2 }, 422, "id"],
  "mail.list": [
    { folder: "archive", label: "bills" },
    only(oldRent),
    { folder: "spam" },
    422,
    "folder",
  ],
  "mail.sent": [
    { to: "bruno.c" },
    only({ subject: "Rent", id: 2, to: "bruno.c" }),
    { to: "" },
    422,
    "to",
  ],
  "mail.show": [
    { id: 3 },
    {
      subject: "Rent",
      id: 3,
      from: "bruno.c",
      body: "It is due.",
      folder: "archive",
      label: "bills",
      day: "2026-03-11",
    },
    { id: 2 },
    422,
    "received",
  ],
  "mail.search": [{ query: "due" }, only(oldRent, rent), { page: 1 }, 422, "query"],
  "mail.labels": [{}, only({ name: "bills", size: 1 }), { page: 0 }, 422, "page"],
  "mail.send": [
    { to: "bruno.c", subject: "Hi", body: "There" },
    { subject: "Hi", id: 4, to: "bruno.c" },
    { to: "bruno.c", subject: " ", body: "There" },
    422,
    "subject",
  ],
  "mail.reply": [
    { id: 1, body: "Paid" },
    { subject: "Re: Rent", id: 4, to: "amara.o" },
    { id: 2, body: "Paid" },
    422,
    "id",
  ],
  "mail.forward": [
    { id: 1, to: "bruno.c" },
    { subject: "Fwd: Rent", id: 4, to: "bruno.c" },
    { id: 1, to: "bruno" },
    404,
    "to",
  ],
  "mail.label": [{ id: 1, label: "home" }, { ...rent, label: "home" }, { id: 1 }, 422, "label"],
  "mail.unlabel": [{ id: 3 }, { ...oldRent, label: null }, { id: 30 }, 404, "id"],
  "mail.star": [{ id: 1 }, rent, { id: 2 }, 422, "id"],
  "mail.unstar": [{ id: 1 }, rent, { id: 2 }, 422, "id"],
  "mail.archive": [{ id: 1 }, rent, { id: 3 }, 409, "already in the archive"],
  "mail.restore": [{ id: 3 }, oldRent, { id: 1 }, 409, "already in the inbox"],
  "mail.remove": [{ id: 1 }, rent, { id: 2 }, 422, "id"],
  "pay.balance": [{}, { balance: 100 }, { id: 1 }, 422, "id"],
  "pay.history": [{ with: "bruno.c", kind: "received" }, only(taxi), { kind: "all" }, 422, "kind"],
  "pay.search": [{ query: "tax" }, only(taxi), {}, 422, "query"],
  "pay.send": [
    { to: "bruno.c", amount: 20.1, note: "fuel" },
    { note: "fuel", id: 2, with: "bruno.c", amount: 20.1, kind: "sent" },
    { to: "bruno.c", amount: 100.01 },
    422,
    "balance of 100",
  ],
  "pay.requests": [{ status: "pending" }, only(asked), { status: "open" }, 422, "status"],
  "pay.requested": [{ status: "pending" }, only(asking), { to: "who" }, 404, "to"],
  "pay.request": [
    { from: "bruno.c", amount: 3, note: "tea" },
    { note: "tea", id: 4, to: "bruno.c", amount: 3, status: "pending" },
    { from: "bruno.c", amount: 3.333 },
    422,
    "at most 2 decimals",
  ],
  "pay.approve": [
    { id: 1 },
    { note: "taxi", id: 2, with: "amara.o", amount: 12.5, kind: "sent" },
    { id: 2 },
    422,
    "made by someone else",
  ],
  "pay.decline": [{ id: 1 }, { ...asked, status: "declined" }, { id: 5 }, 404, "request with id 5"],
  "pay.cancel": [{ id: 2 }, { ...asking, status: "cancelled" }, { id: 3 }, 409, "already paid"],
  "pay.remind": [{ id: 2 }, asking, { id: 1 }, 422, "made by the owner"],
  "notes.list": [{ tag: "recipes", pinned: false }, only(soup), { pinned: "no" }, 422, "pinned"],
  "notes.show": [
    { id: 1 },
    { ...soup, text: "Leeks.", shared: 0 },
    { id: 3 },
    404,
    "note with id 3",
  ],
  "notes.search": [{ query: "leek" }, only(soup), { text: "leek" }, 422, "query"],
  "notes.tags": [{}, only({ name: "recipes", size: 1 }), { size: 0 }, 422, "size"],
  "notes.add": [
    { title: "Plan", text: "None" },
    { title: "Plan", id: 3, tag: null, pinned: false },
    { title: "Plan" },
    422,
    "text",
  ],
  "notes.update": [
    { id: 1, title: "Stew" },
    { ...soup, title: "Stew" },
    { id: 1 },
    422,
    "title, text",
  ],
  "notes.append": [{ id: 1, text: "Salt." }, soup, { id: 8, text: "Salt." }, 404, "id"],
  "notes.pin": [{ id: 1 }, { ...soup, pinned: true }, {}, 422, "id"],
  "notes.unpin": [{ id: 2 }, { ...wifi, pinned: false }, { id: 0 }, 422, "id"],
  "notes.tag": [{ id: 2, tag: "home" }, { ...wifi, tag: "home" }, { id: 2, tag: "" }, 422, "tag"],
  "notes.untag": [{ id: 1 }, { ...soup, tag: null }, { id: 1.5 }, 422, "id"],
  "notes.share": [
    { id: 1, to: "bruno.c" },
    soup,
    { id: 1, to: "Bruno Chen" },
    404,
    "contacts.find",
  ],
  "notes.remove": [{ id: 1 }, soup, { id: 5 }, 404, "id"],
  "todo.list": [{ list: "errands", done: false }, only(stamps), { list: "erands" }, 404, "errands"],
  "todo.show": [{ id: 2 }, bank, { id: 3 }, 404, "todo with id 3"],
  "todo.search": [{ query: "stamp" }, only(stamps), { query: 7 }, 422, "query"],
  "todo.lists": [
    { size: 1, page: 2 },
    { items: [{ name: "errands", size: 1 }], more: true },
    { size: 50 },
    422,
    "size",
  ],
  "todo.addList": [{ name: "work" }, { name: "work", size: 0 }, { name: "Inbox" }, 409, "inbox"],
  "todo.removeList": [
    { list: "empty" },
    { name: "empty", size: 0 },
    { list: "inbox" },
    409,
    "empty",
  ],
  "todo.add": [
    { title: "rest", due: "2026-03-12" },
    { title: "rest", id: 3, list: "inbox", due: "2026-03-12", done: false },
    { title: "rest", due: "2026-03-11" },
    422,
    "2026-03-12",
  ],
  "todo.complete": [{ id: 1 }, { ...stamps, done: true }, { id: 2 }, 409, "already done"],
  "todo.reopen": [{ id: 2 }, { ...bank, done: false }, { id: 1 }, 409, "already open"],
  "todo.rename": [{ id: 1, title: "rest" }, { ...stamps, title: "rest" }, { id: 1 }, 422, "title"],
  "todo.move": [
    { id: 1, list: "inbox" },
    { ...stamps, list: "inbox" },
    { id: 1, list: "x" },
    404,
    "list",
  ],
  "todo.setDue": [
    { id: 1, due: "2026-04-01" },
    { ...stamps, due: "2026-04-01" },
    { id: 1, due: "2026-02-30" },
    422,
    "due",
  ],
  "todo.clearDue": [{ id: 1 }, { ...stamps, due: null }, { due: null }, 422, "id"],
  "todo.remove": [{ id: 1 }, stamps, { id: -1 }, 422, "id"],
  "calendar.list": [{ day: "2026-03-14" }, only(film), { day: "Friday" }, 422, "day"],
  "calendar.show": [{ id: 3 }, { ...party, host: "bruno.c", guests: 0 }, { id: 4 }, 404, "event"],
  "calendar.search": [{ query: "film" }, only(film), { query: "" }, 422, "query"],
  "calendar.invites": [
    { from: "bruno.c" },
    only({ ...party, from: "bruno.c" }),
    { from: "b" },
    404,
    "from",
  ],
  "calendar.guests": [
    { id: 1 },
    only({ name: "Amara Okafor", handle: "amara.o" }),
    { id: 9 },
    404,
    "event with id 9",
  ],
  "calendar.add": [
    { title: "Tea", day: "2026-03-13", time: "15:00", guests: ["bruno.c"] },
    { title: "Tea", id: 4, day: "2026-03-13", time: "15:00" },
    { title: "Tea", day: "2026-03-13", time: "25:00" },
    422,
    "time",
  ],
  "calendar.rename": [
    { id: 1, title: "Opera" },
    { ...film, title: "Opera" },
    { id: 2, title: "X" },
    422,
    "event 2",
  ],
  "calendar.move": [
    { id: 1, day: "2026-03-16" },
    { ...film, day: "2026-03-16" },
    { id: 1, day: "2026-03-10" },
    422,
    "2026-03-12",
  ],
  "calendar.cancel": [{ id: 1 }, film, { id: 3 }, 422, "bruno.c"],
  "calendar.invite": [
    { id: 1, person: "bruno.c" },
    film,
    { id: 1, person: "amara.o" },
    409,
    "already",
  ],
  "calendar.uninvite": [
    { id: 1, person: "amara.o" },
    film,
    { id: 1, person: "bruno.c" },
    404,
    "not invited",
  ],
  "calendar.accept": [{ id: 3 }, party, { id: 1 }, 422, "own event"],
  "calendar.decline": [{ id: 3 }, party, { id: 4 }, 404, "event"],
};

const paths = apps.flatMap((app) => Object.keys(app.apis).map((api) => `${app.name}.${api}`));

test("every API of the starter has a case in this file, and there are at least 64", () => {
  expect(Object.keys(CASES).toSorted()).toEqual(paths.toSorted());
  expect(paths.length).toBeGreaterThanOrEqual(64);
});

test.each(Object.entries(CASES))(
  "%s answers a call with valid arguments, and refuses invalid arguments without changing anything",
  (path, [good, answer, bad, status, word]) => {
    expect(starterFixture(fillSmallLife).call(path, good)).toEqual(answer);

    const fixture = starterFixture(fillSmallLife);
    const before = snapshot(fixture.db);
    const refusal = fixture.refusal(path, bad);
    expect(refusal).toMatchObject({ status, message: expect.stringContaining(word) });
    expect(snapshot(fixture.db)).toEqual(before);
  },
);
