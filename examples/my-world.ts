/**
 * A world of your own: a lending library with one app, four APIs and three kinds of tasks.
 *
 *   bowline world check --world ./my-world.ts      checks that the tasks are sound
 *   bowline play --world ./my-world.ts             lets you solve a task yourself
 *   bowline train smoke --world ./my-world.ts      trains an agent in this world
 */
import {
  ApiError,
  defineApi,
  defineApp,
  defineTable,
  defineWorld,
  type Rng,
  type Task,
  z,
} from "bowline/world";

const MEMBERS = ["Ada", "Bo", "Cleo", "Dan", "Eve", "Finn"];
const TITLES = ["Dune", "Emma", "Ulysses", "Persuasion", "Middlemarch", "Beloved"];

// The state is tables of rows. Checks compare every column unless it is declared otherwise.
type Copy = { id: number; title: string; borrower: string; renewals: number };
const copies = defineTable<Copy>("library.copies", { indexes: ["title", "borrower"] });

// Each API is defined once, which gives validation, documentation and error messages.
const copy = z.object({ id: z.int(), title: z.string(), borrower: z.string(), renewals: z.int() });
const member = z.enum(MEMBERS).describe("who borrows");
const library = defineApp({
  name: "library",
  summary: "Copies of books and who has borrowed them.",
  tables: [copies],
  apis: {
    copies: defineApi({
      summary: "List the copies of a title.",
      params: z.strictObject({
        title: z.string().describe("exact title"),
        free: z.boolean().default(false).describe("only copies that nobody has"),
      }),
      returns: z.array(copy),
      handler: ({ db }, { title, free }) => [
        ...db.where(copies, free ? { title, borrower: "" } : { title }),
      ],
    }),
    loans: defineApi({
      summary: "List the copies that a member has borrowed.",
      params: z.strictObject({ member }),
      returns: z.array(copy),
      handler: ({ db }, { member }) => [...db.where(copies, { borrower: member })],
    }),
    lend: defineApi({
      summary: "Lend a copy to a member.",
      params: z.strictObject({ copy: z.int().describe("id of a copy"), member }),
      returns: copy,
      handler: ({ db }, { copy: id, member }) => {
        const found = db.get(copies, id);
        if (!found) throw new ApiError(404, `there is no copy ${id}`);
        if (found.borrower !== "") throw new ApiError(409, `${found.borrower} has copy ${id}`);
        return db.update(copies, id, { borrower: member });
      },
    }),
    renew: defineApi({
      summary: "Renew the loan of a copy.",
      params: z.strictObject({ copy: z.int().describe("id of a copy") }),
      returns: copy,
      handler: ({ db }, { copy: id }) => {
        const found = db.get(copies, id);
        if (!found?.borrower) throw new ApiError(404, `copy ${id} is not on loan`);
        return db.update(copies, id, { renewals: found.renewals + 1 });
      },
    }),
  },
});

// In a task, `goal` makes the intended changes directly in tables, and the checks follow from them. `solution` reaches
// the same state through the APIs. The hasty solution has a bad habit, which training will unlearn.
function lendTask(rng: Rng): Task {
  const [title, member, other] = [rng.pick(TITLES), ...rng.sample(MEMBERS, 2)] as [
    string,
    string,
    string,
  ];
  return {
    signature: "copies.free > lend",
    difficulty: 1,
    instruction: `lend ${title} to ${member}`,
    setup(db) {
      for (const borrower of [other, ""]) db.insert(copies, { title, borrower, renewals: 0 });
    },
    goal(db) {
      const [free] = db.where(copies, { title, borrower: "" });
      db.update(copies, free!.id, { borrower: member });
      return undefined;
    },
    *solution({ style }) {
      const args = style === "careful" ? `{title:"${title}",free:true}` : `{title:"${title}"}`;
      yield `let c=apis.library.copies(${args})[0];apis.library.lend({copy:c.id,member:"${member}"})`;
      yield "apis.me.finishTask()";
    },
  };
}

function renewAllTask(rng: Rng): Task {
  const [member, count] = [rng.pick(MEMBERS), rng.integer(2, 4)];
  return {
    signature: "loans.of-member > renew.each",
    difficulty: 2,
    instruction: `renew all loans of ${member}`,
    setup: (db) => insertLoans(db, rng.sample(TITLES, count), member),
    goal(db) {
      for (const { id, renewals } of db.where(copies, { borrower: member }))
        db.update(copies, id, { renewals: renewals + 1 });
      return undefined;
    },
    *solution({ style }) {
      const each = style === "careful" ? "" : ".slice(0,1)";
      yield `for(let c of apis.library.loans({member:"${member}"})${each})apis.library.renew({copy:c.id})`;
      yield "apis.me.finishTask()";
    },
  };
}

function countLoansTask(rng: Rng): Task {
  const [member, amount] = [rng.pick(MEMBERS), rng.integer(2, 5)];
  return {
    signature: "loans.of-member > answer.count",
    difficulty: 1,
    instruction: `how many books has ${member} borrowed?`,
    setup: (db) => insertLoans(db, rng.sample(TITLES, amount), member),
    goal: (db) => ({ answer: db.where(copies, { borrower: member }).length }),
    *solution({ style }) {
      const answer = style === "careful" ? `apis.library.loans({member:"${member}"}).length` : "1";
      yield `apis.me.finishTask({answer:${answer}})`;
    },
  };
}

type Db = Parameters<NonNullable<Task["setup"]>>[0];
function insertLoans(db: Db, titles: readonly string[], borrower: string): void {
  for (const title of titles) db.insert(copies, { title, borrower, renewals: 0 });
}

const TASK_MAKERS = [lendTask, renewAllTask, countLoansTask];

export default defineWorld({
  name: "library",
  now: "2026-03-02T10:00:00Z",
  apps: [library],
  scenarios: { train: 60, dev: 15, "test-normal": 15 },
  populate(db, rng) {
    for (const title of TITLES)
      db.insert(copies, { title, borrower: rng.pick(MEMBERS), renewals: 0 });
    return { name: "Lena Page", email: "lena@library.example", phone: "555-0199" };
  },
  scenario({ index, rng }) {
    const makeTask = TASK_MAKERS[index % TASK_MAKERS.length]!;
    return [makeTask(rng.child(1)), makeTask(rng.child(2)), makeTask(rng.child(3))];
  },
});
