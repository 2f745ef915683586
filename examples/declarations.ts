/**
 * A post office that uses everything a world can declare besides tables, APIs and goals: bookkeeping and loose columns,
 * an app with a login, impossible tasks, guesses, alternatives and a verdict. docs/how-to/declarations.md breaks each of
 * them once.
 *
 *   bowline world check --world ./declarations.ts
 */
import {
  ApiError,
  accounts,
  defineApi,
  defineApp,
  defineTable,
  defineWorld,
  type ScenarioRequest,
  type Task,
  z,
} from "bowline/world";

const NOW = "2026-03-02T10:00:00Z";
const PEOPLE = ["Ada", "Bo", "Cleo", "Dan"];

type Letter = { id: number; to: string; text: string; sent: boolean; sentAt: string };
const letters = defineTable<Letter>("post.letters", {
  indexes: ["to"],
  // The API stores the time of its call, which no goal can know.
  classes: { sentAt: "bookkeeping" },
  // A person may write a text with other capitals, spacing and closing punctuation.
  loose: ["text"],
});

const letter = z.object({ id: z.int(), to: z.string(), text: z.string(), sent: z.boolean() });
const to = z.string().describe("who gets it");
const post = defineApp({
  name: "post",
  summary: "Letters.",
  // The kit adds `login` and `logout`, and refuses all other calls without a session.
  login: true,
  tables: [letters],
  apis: {
    list: defineApi({
      summary: "List the letters to somebody.",
      params: z.strictObject({ to }),
      returns: z.array(letter),
      handler: ({ db }, args) => db.where(letters, args),
    }),
    write: defineApi({
      summary: "Write a letter, which is kept as a draft.",
      params: z.strictObject({ to, text: z.string().describe("what it says") }),
      returns: letter,
      handler: ({ db, now }, args) => {
        if (!PEOPLE.includes(args.to)) throw new ApiError(404, `nobody is called ${args.to}`);
        return db.insert(letters, { ...args, sent: false, sentAt: now });
      },
    }),
    send: defineApi({
      summary: "Send a letter.",
      params: z.strictObject({ id: z.int().describe("id of a letter") }),
      returns: letter,
      handler: ({ db, now }, { id }) => {
        if (!db.get(letters, id)) throw new ApiError(404, `there is no letter ${id}`);
        return db.update(letters, id, { sent: true, sentAt: now });
      },
    }),
  },
});

/** Logs in, where the world needs it. Worlds of composed goals do this by themselves. */
const login = ({ appsWithLogin }: ScenarioRequest) =>
  appsWithLogin.has("post")
    ? "apis.post.login({password:apis.me.listAccounts({}).items.find(x=>x.app==='post').password});"
    : "";

function sendTask(request: ScenarioRequest): Task {
  const name = request.rng.pick(PEOPLE);
  const write = (text: string) =>
    `${login(request)}var l=apis.post.write({to:'${name}',text:'${text}'});`;
  return {
    signature: "send",
    difficulty: 1,
    instruction: `send ${name} a letter that says: Thank you`,
    goal: (db) => void db.insert(letters, { to: name, text: "Thank you", sent: true, sentAt: NOW }),
    *solution() {
      yield `${write("thank you.")}apis.post.send({id:l.id});apis.me.finishTask({})`;
    },
    // Other right ways. Each must pass.
    alternatives: [
      function* () {
        yield write("Thank you!");
        yield "apis.post.send({id:l.id});apis.me.finishTask({})";
      },
    ],
    // A second opinion, written without the goal.
    verdict(end, start, finish) {
      const added = end.all(letters).slice(start.all(letters).length);
      const [first] = added;
      const isThanks = first?.to === name && /^thank you[.!]?$/i.test(first.text);
      return finish?.status === "done" && added.length === 1 && isThanks && first.sent;
    },
  };
}

function countTask(request: ScenarioRequest): Task {
  const [name, sent] = [request.rng.pick(PEOPLE), request.rng.integer(2, 5)];
  return {
    signature: "count",
    difficulty: 2,
    instruction: `how many letters to ${name} were sent?`,
    setup(db) {
      for (let i = 0; i < sent + 2; i++)
        db.insert(letters, { to: name, text: `letter ${i}`, sent: i < sent, sentAt: NOW });
    },
    goal(db) {
      const all = db.where(letters, { to: name });
      const answer = all.filter((one) => one.sent).length;
      // Who forgets the condition answers this, which must fail.
      return { answer, guesses: [all.length] };
    },
    *solution() {
      yield `${login(request)}apis.me.finishTask({answer:apis.post.list({to:'${name}'}).filter(x=>x.sent).length})`;
    },
  };
}

function unknownPersonTask(request: ScenarioRequest): Task {
  const name = request.rng.pick(["Zoe", "Yann", "Xeno"]);
  return {
    signature: "send.unknown",
    difficulty: 1,
    instruction: `send ${name} a letter that says: Thank you`,
    goal: () => ({ impossible: true }),
    *solution() {
      yield `${login(request)}try{apis.post.write({to:'${name}',text:'Thank you'})}catch{}`;
      yield "apis.me.finishTask({status:'impossible'})";
    },
  };
}

const TASKS = [sendTask, countTask, unknownPersonTask];

export default defineWorld({
  name: "post",
  now: NOW,
  apps: [post],
  scenarios: { train: 12, dev: 6 },
  populate(db) {
    db.insert(accounts, { app: "post", username: "ida@post.example", password: "amber-1234" });
    return { name: "Ida Post", email: "ida@post.example", phone: "555-0100" };
  },
  scenario(request) {
    const makeTask = TASKS[request.index % TASKS.length]!;
    return [makeTask(request), makeTask(request), makeTask(request)];
  },
});
