/**
 * A small world with actors: neighbours lend things. The agent asks a neighbour by a message, the neighbour
 * answers after a while, and only then may the thing be fetched. A trader sends an offer that the agent must ignore.
 *
 *   bowline world check --world ./borrowing.ts
 */
import {
  type Actor,
  ApiError,
  atMostOnce,
  defineActor,
  defineApi,
  defineApp,
  defineTable,
  defineWorld,
  inOrder,
  type Reader,
  type Task,
  writes,
  writtenRows,
  z,
} from "bowline/world";

type Thing = { id: number; name: string; owner: string; lentOut: boolean; holder: string | null };
export const things = defineTable<Thing>("shed.things");
type Message = { id: number; from: string; to: string; text: string; sentAt: string };
export const messages = defineTable<Message>("post.messages", {
  classes: { sentAt: "bookkeeping" },
  loose: ["text"],
});

const OWNER = "Robin";
const NEIGHBOURS = ["Ada", "Ben", "Cleo"];
const THINGS = ["ladder", "drill", "tent"];

const post = defineApp({
  name: "post",
  summary: "Messages between neighbours.",
  tables: [messages],
  apis: {
    send: defineApi({
      summary: "Send a message.",
      params: z.strictObject({
        to: z.string().describe("a neighbour"),
        text: z.string().describe("what to say"),
      }),
      returns: z.object({ id: z.number() }),
      handler: ({ db, now }, { to, text }) => {
        if (!NEIGHBOURS.includes(to)) throw new ApiError(404, `there is no neighbour ${to}`);
        return { id: db.insert(messages, { from: OWNER, to, text, sentAt: now }).id };
      },
    }),
    inbox: defineApi({
      summary: "List the messages to you.",
      params: z.strictObject({}),
      returns: z.array(z.object({ from: z.string(), text: z.string() })),
      handler: ({ db }) => db.where(messages, { to: OWNER }),
    }),
  },
});

const shed = defineApp({
  name: "shed",
  summary: "Things that neighbours own.",
  tables: [things],
  apis: {
    find: defineApi({
      summary: "Find a thing by its name.",
      params: z.strictObject({ name: z.string().describe("the name of the thing") }),
      returns: z.object({ id: z.number(), owner: z.string() }),
      handler: ({ db }, { name }) => {
        const [thing] = db.where(things, { name });
        if (!thing) throw new ApiError(404, `there is no ${name}`);
        return thing;
      },
    }),
    fetch: defineApi({
      summary: "Fetch a thing from its owner's shed.",
      params: z.strictObject({ id: z.number().describe("the thing") }),
      returns: z.object({ fetched: z.boolean() }),
      handler: ({ db }, { id }) => {
        if (!db.get(things, id)) throw new ApiError(404, `there is no thing ${id}`);
        db.update(things, id, { holder: OWNER });
        return { fetched: true };
      },
    }),
  },
});

/** Answers each message to a neighbour after 20 to 90 minutes: yes, or no when the thing is lent out. */
const neighbours: Actor = defineActor({
  name: "neighbours",
  notice: ({ rng, schedule }, entry) => {
    for (const { from, to, text } of writtenRows(entry, messages))
      if (from === OWNER) schedule("answer", rng.integer(20, 90), { by: to, text });
  },
  events: {
    answer: ({ db, now, rng, notify }, { data }) => {
      const by = String(data["by"]);
      const asked = db
        .where(things, { owner: by })
        .find(({ name }) => String(data["text"]).includes(name));
      const yes = rng.pick([
        "Yes, take it.",
        "Of course, it is in the shed.",
        "Yes, bring it back soon.",
      ]);
      const text = !asked ? "What do you mean?" : asked.lentOut ? "No, somebody else has it." : yes;
      db.insert(messages, { from: by, to: OWNER, text, sentAt: now });
      notify("post", `${by} has sent a message.`);
    },
  },
});

const trader: Actor = defineActor({
  name: "trader",
  events: {
    offer: ({ db, now }) => {
      db.insert(messages, {
        from: "Trader",
        to: OWNER,
        text: "Buy a new ladder today!",
        sentAt: now,
      });
    },
  },
});

function borrow(base: Reader, name: string): Task {
  const { id, owner, lentOut } = base.where(things, { name })[0]!;
  const question = `May I borrow the ${name}?`;
  const asks = writes(
    "a question",
    messages,
    ({ to, text }) => to === owner && text.includes(name),
  );
  const fetches = writes("a fetch", things, (row) => row.id === id && row.holder === OWNER);
  const allows = writes(
    "a permission",
    messages,
    ({ from, to }) => from === owner && to === OWNER,
    "neighbours",
  );
  return {
    signature: "borrow",
    difficulty: 1,
    instruction: `Ask the owner of the ${name} by the message "${question}". Fetch it when the owner agrees. If not, the task is impossible.`,
    setup: (_, plan) => plan("trader", "offer", 10),
    goal: (db, time) => {
      db.insert(messages, { from: OWNER, to: owner, text: question, sentAt: time.now() });
      time.wait(120);
      if (!lentOut) db.update(things, id, { holder: OWNER });
      return {
        impossible: lentOut,
        history: [
          inOrder("allowed before fetched", allows, fetches),
          atMostOnce("asked once", asks),
        ],
      };
    },
    *solution() {
      yield `var thing=apis.shed.find({name:"${name}"});
apis.post.send({to:thing.owner,text:${JSON.stringify(question)}});
print(apis.me.wait({minutes:120}).notices);`;
      const inbox = yield `print(apis.post.inbox({}).at(-1).text);`;
      yield inbox.stdout.startsWith("No")
        ? `apis.me.finishTask({status:"impossible"});`
        : `apis.shed.fetch({id:thing.id});\napis.me.finishTask({});`;
    },
  };
}

export default defineWorld({
  name: "borrowing",
  now: "2026-03-02T09:00:00Z",
  apps: [post, shed],
  actors: [neighbours, trader],
  scenarios: { train: 4, dev: 2 },
  populate: (db, rng) => {
    for (const [i, name] of rng.shuffle(THINGS).entries())
      db.insert(things, { name, owner: NEIGHBOURS[i]!, lentOut: i === 2, holder: null });
    return { name: OWNER, email: "robin@example.org", phone: "0100" };
  },
  scenario: ({ base, rng }) => {
    const [a, b, c] = rng.shuffle(THINGS);
    return [borrow(base, a!), borrow(base, b!), borrow(base, c!)];
  },
});
