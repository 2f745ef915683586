/**
 * A world of four boxes and four kinds of things. Solutions take a few tokens, so a small model learns it in a minute.
 * The hasty solutions have bad habits that fail, so a policy that only imitates does not reach the full score.
 */
import { z } from "zod";
import type { Rng } from "../../core/index.ts";
import {
  ApiError,
  defineApi,
  defineApp,
  defineTable,
  defineWorld,
  type Task,
} from "../../world/index.ts";

const BOXES = ["red", "blue", "green", "pink"] as const;
const ITEMS = ["cup", "pen", "book", "lamp"] as const;
type Item = (typeof ITEMS)[number];
type Box = (typeof BOXES)[number];

type Thing = {
  readonly id: number;
  readonly item: string;
  readonly box: string;
  readonly wrapped: boolean;
};
const things = defineTable<Thing>("shelf.things", { indexes: ["box"] });

const box = z.enum(BOXES).describe("a box");
const item = z.enum(ITEMS).describe("a kind of thing");

const shelf = defineApp({
  name: "shelf",
  summary: "Four boxes that hold at most eight things each.",
  tables: [things],
  apis: {
    list: defineApi({
      summary: "List what is in a box, at most eight things.",
      params: z.strictObject({ box }),
      returns: z.array(item),
      handler: ({ db }, { box }) => db.where(things, { box }).map((thing) => thing.item as Item),
    }),
    put: defineApi({
      summary: "Put a new thing into a box.",
      params: z.strictObject({
        item,
        box,
        wrap: z.boolean().default(false).describe("wrap it first"),
      }),
      returns: z.object({ id: z.int() }),
      handler: ({ db }, { item, box, wrap }) => {
        if (db.where(things, { box }).length >= 8) throw new ApiError(409, `box ${box} is full`);
        return { id: db.insert(things, { item, box, wrapped: wrap }).id };
      },
    }),
    move: defineApi({
      summary: "Move the first thing of a kind from a box to another one.",
      params: z.strictObject({ item, from: box, to: box }),
      returns: z.object({ id: z.int() }),
      handler: ({ db }, { item, from, to }) => {
        const [thing] = db.where(things, { item, box: from });
        if (!thing) throw new ApiError(404, `there is no ${item} in box ${from}`);
        return { id: db.update(things, thing.id, { box: to }).id };
      },
    }),
  },
});

const formatCall = (api: string, args: object) =>
  `apis.shelf.${api}(${JSON.stringify(args).replace(/"(\w+)":/g, "$1:")})`;
const formatFinish = (args = "") => `apis.me.finishTask(${args})`;

/** Creates a task that asks what is in a box. The hasty solution does not look and answers "cup". */
function createTellTask(rng: Rng): Task {
  const box = rng.pick(BOXES);
  const item = rng.pick(ITEMS.slice(1));
  return {
    signature: "tell.thing",
    difficulty: 1,
    instruction: `what is in ${box}?`,
    setup: (db) => void db.insert(things, { item, box, wrapped: false }),
    goal: () => ({ answer: item }),
    *solution({ style }) {
      const answer = style === "careful" ? `${formatCall("list", { box })}[0]` : '"cup"';
      yield formatFinish(`{answer:${answer}}`);
    },
  };
}

/** Creates a task to put a wrapped thing into a box. The hasty solution forgets to wrap it. */
function createPutWrappedTask(rng: Rng): Task {
  const put = { item: rng.pick(ITEMS), box: rng.pick(BOXES) };
  return {
    signature: "put.wrapped",
    difficulty: 1,
    instruction: `put a wrapped ${put.item} in ${put.box}`,
    goal: (db) => void db.insert(things, { ...put, wrapped: true }),
    *solution({ style }) {
      yield `${formatCall("put", style === "careful" ? { ...put, wrap: true } : put)}; ${formatFinish()}`;
    },
  };
}

/** Creates a task to put two things into a box. The hasty solution stops after the first. */
function createPutTwoTask(rng: Rng): Task {
  const [first, second] = rng.sample(ITEMS, 2) as [Item, Item];
  const box = rng.pick(BOXES);
  return {
    signature: "put.two",
    difficulty: 2,
    instruction: `put a ${first} and a ${second} in ${box}`,
    goal(db) {
      for (const item of [first, second]) db.insert(things, { item, box, wrapped: false });
    },
    *solution({ style }) {
      const items = style === "careful" ? [first, second] : [first];
      yield [...items.map((item) => formatCall("put", { item, box })), formatFinish()].join("; ");
    },
  };
}

/** Creates a task to move the things in a box to another box. The hasty solution does not look and moves a cup. */
function createMoveAllTask(rng: Rng): Task {
  const [from, to] = rng.sample(BOXES, 2) as [Box, Box];
  const item = rng.pick(ITEMS.slice(1));
  return {
    signature: "move.all",
    difficulty: 2,
    instruction: `move what is in ${from} to ${to}`,
    setup: (db) => void db.insert(things, { item, box: from, wrapped: false }),
    goal(db) {
      for (const { id } of db.where(things, { box: from })) db.update(things, id, { box: to });
    },
    *solution({ style }) {
      const printed =
        style === "careful" ? yield `print(${formatCall("list", { box: from })}[0])` : undefined;
      const itemToMove = printed?.stdout.trim() ?? "cup";
      yield `${formatCall("move", { item: itemToMove, from, to })}; ${formatFinish()}`;
    },
  };
}

const TASK_KINDS = [createTellTask, createPutWrappedTask, createPutTwoTask, createMoveAllTask];

export default defineWorld({
  name: "toy",
  now: "2026-01-05T09:00:00Z",
  apps: [shelf],
  scenarios: { train: 40, dev: 12, "test-normal": 12, "test-challenge": 12 },
  populate: () => ({ name: "Ida Toy", email: "ida@toy.example", phone: "555-0100" }),
  scenario({ index, rng }) {
    const goal = TASK_KINDS[index % TASK_KINDS.length]!;
    return [goal(rng.child(1)), goal(rng.child(2)), goal(rng.child(3))];
  },
});
