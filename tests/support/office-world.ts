/**
 * Defines a small world that every dial changes. It has an app with logins, an app without logins, and a kind of task
 * that uses both apps.
 */

import {
  ApiError,
  accounts,
  defineApi,
  defineApp,
  defineTable,
  defineWorld,
  type Task,
} from "bowline/world";
import { z } from "zod";

type Member = { readonly id: number; readonly name: string };
type Letter = {
  readonly id: number;
  readonly to: string;
  readonly text: string;
  readonly at: string;
};
type Pin = { readonly id: number; readonly text: string };
export const members = defineTable<Member>("post.members");
export const letters = defineTable<Letter>("post.letters", { classes: { at: "derived" } });
export const pins = defineTable<Pin>("board.pins");

const to = z.string().describe("a member's name");
const text = z.string().min(1).describe("what to say; not that of `to`");

const post = defineApp({
  name: "post",
  summary: "Letters to members.",
  login: true,
  tables: [members, letters],
  apis: {
    members: defineApi({
      summary: "List members.",
      params: z.strictObject({ page: z.int().min(1).default(1).describe("which page, from 1") }),
      returns: z.object({ items: z.array(z.object({ name: z.string() })), more: z.boolean() }),
      example: () => ({}),
      handler: ({ db }, { page }) => {
        const all = db.all(members);
        return { items: all.slice(3 * page - 3, 3 * page), more: all.length > 3 * page };
      },
    }),
    send: defineApi({
      summary: "Send a letter.",
      params: z.strictObject({ to, text }),
      returns: z.object({ id: z.int() }),
      example: (db) => ({ to: db.all(members)[0]!.name, text: "hello" }),
      handler: ({ db, now }, { to, text }) => {
        if (db.where(members, { name: to }).length > 0)
          return db.insert(letters, { to, text, at: now });
        throw new ApiError(404, `to: there is no member "${to}"; \`text\` was not sent`);
      },
    }),
    show: defineApi({
      summary: "Show a letter.",
      params: z.strictObject({ id: z.int().describe("id of the letter") }),
      returns: z.object({ to: z.string(), text: z.string() }),
      example: (db) => ({ id: db.all(letters).at(-1)!.id }),
      handler: ({ db }, { id }) => {
        const found = db.get(letters, id);
        if (!found) throw new ApiError(404, `id: there is no letter ${id}`);
        return found;
      },
    }),
  },
});

const board = defineApp({
  name: "board",
  summary: "A board for everyone.",
  tables: [pins],
  apis: {
    pin: defineApi({
      summary: "Pin a text on the board.",
      params: z.strictObject({ text }),
      returns: z.object({ id: z.int() }),
      handler: ({ db }, { text }) => db.insert(pins, { text }),
    }),
  },
});

export default defineWorld({
  name: "office",
  now: "2026-01-05T09:00:00Z",
  apps: [post, board],
  examples: true,
  scenarios: { train: 2, dev: 1 },
  populate(db, rng, { distractors }) {
    for (let i = 0; i < Math.round(5 * distractors); i++) db.insert(members, { name: `m${i}` });
    db.insert(letters, { to: "m1", text: "welcome", at: "2026-01-01T00:00:00Z" });
    const password = `p${rng.integer(100, 999)}`;
    db.insert(accounts, { app: "post", username: "ida", password });
    return { name: "Ida", email: "ida@x.example", phone: "1" };
  },
  scenario({ index, dials, scratch }) {
    const copy = scratch();
    copy.remove(members, 1);
    const message = `hi ${index} from ${copy.all(members).length}`;
    const login =
      'apis.post.login({password:apis.me.listAccounts().items.find(a=>a.app==="post").password})';
    const task: Task = {
      signature: "members > send.each",
      difficulty: 2,
      instruction: `${dials.paraphrase > 0 ? "tell" : "write to"} all members "${message}" and pin it`,
      goal(db) {
        for (const { name } of db.all(members))
          db.insert(letters, { to: name, text: message, at: "" });
        db.insert(pins, { text: message });
        return undefined;
      },
      *solution({ style }) {
        if (dials.logins) yield login;
        yield "var s=[],page=1,r;do{r=await apis.post.members({page});s.push(...r.items);page++}while(r.more)";
        const recipients = style === "hasty" ? "s.slice(0,3)" : "s";
        yield `for(const x of ${recipients})apis.post.show({id:apis.post.send({to:x.name,"text":"${message}"}).id})`;
        yield `apis.board.pin({text:"${message}"});apis.me.finishTask()`;
      },
    };
    return [task, task, task];
  },
});
