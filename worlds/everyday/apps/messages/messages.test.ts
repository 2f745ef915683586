import { describe, expect, test } from "vitest";
import { appFixture, makeLifeBase } from "../../tests/app-fixture.ts";
import { people, texts } from "../tables.ts";
import { fullMessages } from "./full.ts";
import * as tables from "./tables.ts";

const apps = [fullMessages];
const PLAIN = { replyTo: null, reaction: null, starred: false, unread: false };
const POST = { replyTo: null, pinned: false, withdrawn: false, unread: false };
const { base } = makeLifeBase(apps, (db) => {
  const row = { city: "Lisbon", phone: "555-1234", blocked: false };
  for (const { id } of db.all(people)) db.remove(people, id);
  const known = (name: string, handle: string) => db.insert(people, { ...row, name, handle }).id;
  const [amara, bruno] = [known("Amara Okafor", "amara.o"), known("Bruno Chen", "bruno.c")];
  known("Chloe Silva", "chloe.s");
  const at = (time: string) => `2026-03-12T${time}:00Z`;
  db.insert(texts, { ...PLAIN, person: amara, outgoing: false, text: "Hello", at: at("08:00") });
  db.insert(texts, { ...PLAIN, person: amara, outgoing: true, text: "Old", at: at("08:44") });
  db.insert(texts, { ...PLAIN, person: bruno, outgoing: true, text: "New", at: at("08:50") });
  for (const role of ["owner", "admin", "member", "removed"] as const) {
    const chat = { name: `${role} chat`, role, announcements: role === "member", muted: false };
    const { id } = db.insert(tables.chats, chat);
    const host = role === "owner" ? "admin" : "owner";
    db.insert(tables.chatMembers, { chat: id, person: amara, role: host });
    db.insert(tables.chatMembers, { chat: id, person: bruno, role: "member" });
    const said = { ...POST, chat: id, person: amara, text: `Hi, ${role}`, at: at("08:10") };
    db.insert(tables.posts, said);
    const poll = { chat: id, person: amara, question: "When?", choices: ["now", "later"] };
    db.insert(tables.polls, { ...poll, closed: false });
  }
});
const fixture = () => appFixture(apps, base);
const [OWN, ADMIN, MEMBER, LEFT] = ["owner chat", "admin chat", "member chat", "removed chat"];

describe("conversations", () => {
  test("the owner has one conversation with each person, and the conversation with the newest text is listed first", () => {
    const open = fixture();
    const rows = open.all("messages.conversations");
    expect(rows).toMatchObject([
      { person: "bruno.c", last: "New", messages: 1 },
      { person: "amara.o", last: "Old", messages: 2 },
    ]);
    open.call("messages.mute", { person: "amara.o" });
    expect(open.all("messages.conversations", { muted: true })).toHaveLength(1);
    expect(open.refusal("messages.mute", { person: "amara.o" }).status).toBe(409);
    expect(open.refusal("messages.pin", { person: "chloe.s" })).toMatchObject({ status: 404 });
    open.call("messages.unmute", { person: "amara.o" });
  });

  test("a text may be edited until 15 minutes after it was sent, and the old wording is kept", () => {
    const open = fixture();
    open.call("messages.edit", { id: 3, text: "Newer" });
    const late = open.refusal("messages.edit", { id: 2, text: "x" });
    expect(late).toMatchObject({ status: 422, message: expect.stringContaining("15 minutes") });
    expect(open.refusal("messages.edit", { id: 1, text: "x" }).status).toBe(403);
  });

  test("sending a draft leaves the same text as sending it directly", () => {
    const open = fixture();
    open.call("messages.draft", { to: "amara.o", text: "first" });
    const { id } = open.item("messages.draft", { to: "amara.o", text: "second" });
    expect(open.db.all(tables.textDrafts)).toHaveLength(1);
    open.call("messages.sendDraft", { id });
    open.call("messages.send", { to: "amara.o", text: "second" });
    const [a, b] = open.db.all(texts).slice(-2);
    expect({ ...a, id: 0, at: "" }).toEqual({ ...b, id: 0, at: "" });
    expect(open.db.all(tables.textDrafts)).toEqual([]);
  });

  test("a message can be scheduled only for the future, and a cancelled scheduled message keeps its row", () => {
    const open = fixture();
    const text = { to: "amara.o", text: "Hi" };
    const at = (day: string, time: string) => ({ ...text, day, time });
    const refused = (day: string, time: string) =>
      open.refusal("messages.schedule", at(day, time)).message;
    expect(refused("2026-03-11", "18:00")).toMatch(/^day: .*2026-03-11/);
    expect(refused("2026-03-12", "08:59")).toMatch(/^time: .*08:59/);
    open.call("messages.schedule", at("2026-03-12", "18:00"));
    open.call("messages.unschedule", { id: 1 });
    expect(open.all("messages.scheduled")).toEqual([]);
    expect(open.db.all(tables.scheduledTexts)).toHaveLength(1);
    expect(open.refusal("messages.unschedule", { id: 1 }).status).toBe(409);
  });
});

describe("roles in chats", () => {
  test("a call that the role does not allow is a 403 that names the parameter and the role", () => {
    const open = fixture();
    const amara = { person: "amara.o" };
    const refused: [string, object, RegExp][] = [
      ["renameChat", { chat: ADMIN, name: "x" }, /^chat: .*owner.*admin/],
      ["makeAdmin", { chat: ADMIN, person: "bruno.c" }, /^chat: /],
      ["addMember", { chat: MEMBER, person: "chloe.s" }, /^chat: .*admin.*member/],
      ["removeMember", { chat: ADMIN, ...amara }, /^person: .*members only/],
      ["post", { chat: MEMBER, text: "x" }, /^chat: .*admin/],
      ["post", { chat: LEFT, text: "x" }, /^chat: .*left/],
      ["pinPost", { id: 3 }, /^id: /],
      ["closePoll", { id: 3 }, /^id: /],
      ["withdraw", { id: 1 }, /^id: .*own/],
    ];
    for (const [api, args, message] of refused) {
      expect(open.refusal(`messages.${api}`, args)).toMatchObject({
        status: 403,
        message: expect.stringMatching(message),
      });
    }
  });

  test("a person who is added, made an admin, removed and added again always has the same row", () => {
    const open = fixture();
    const chloe = { chat: OWN, person: "chloe.s" };
    open.call("messages.addMember", chloe);
    expect(open.refusal("messages.addMember", chloe).status).toBe(409);
    open.call("messages.makeAdmin", chloe);
    expect(open.refusal("messages.makeAdmin", chloe).status).toBe(409);
    open.call("messages.removeMember", chloe);
    expect(open.refusal("messages.removeMember", chloe).status).toBe(404);
    expect(open.all("messages.chatMembers", { chat: OWN, role: "removed" })).toHaveLength(1);
    open.call("messages.addMember", chloe);
    expect(open.all("messages.chatMembers", { chat: OWN })).toHaveLength(3);
  });

  test("the owner of a chat must hand it over before leaving it", () => {
    const open = fixture();
    expect(open.refusal("messages.leaveChat", { chat: OWN }).message).toContain("handOver");
    open.call("messages.handOver", { chat: OWN, person: "bruno.c" });
    expect(open.item("messages.chat", { chat: OWN })["role"]).toBe("admin");
    open.call("messages.leaveChat", { chat: OWN });
    expect(open.all("messages.posts", {}).map(({ chat }) => chat)).not.toContain(OWN);
  });
});

describe("posts and polls", () => {
  test("the owner can withdraw a post only within 15 minutes, and its row is kept", () => {
    const open = fixture();
    const { id } = open.item("messages.post", { chat: OWN, text: "oops" });
    open.call("messages.withdraw", { id });
    expect(open.all("messages.posts", { mine: true })).toEqual([]);
    expect(open.db.where(tables.posts, { withdrawn: true })).toHaveLength(1);
    expect(open.refusal("messages.answer", { id: id as number, text: "x" }).status).toBe(409);
  });

  test("a vote must be for one of the choices, counts once, and may be changed", () => {
    const open = fixture();
    open.call("messages.vote", { id: 1, choice: "NOW" });
    const results = open.item("messages.vote", { id: 1, choice: "later" })["results"];
    expect(results).toEqual([
      { choice: "now", votes: 0 },
      { choice: "later", votes: 1 },
    ]);
    expect(open.refusal("messages.vote", { id: 1, choice: "later" }).status).toBe(409);
    expect(open.refusal("messages.vote", { id: 1, choice: "never" }).message).toMatch(/^choice: /);
    open.call("messages.closePoll", { id: 1 });
    expect(open.refusal("messages.vote", { id: 1, choice: "now" }).message).toContain("closed");
    expect(open.refusal("messages.poll", { id: 4 }).status).toBe(403);
  });
});
