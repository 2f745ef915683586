/**
 * What the agent is trained on: tasks, the reward, and a teacher that shows a new model how tools are called. Nothing
 * here is needed in production.
 */
import { Rng, randomStreamId, type Teacher } from "bowline";
import type { Desk, Parcel } from "./desk.ts";

const CUSTOMERS = ["Ada", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ines", "Jon", "Kai"];
const CONTENTS = [
  "lamp",
  "mug",
  "kettle",
  "chair",
  "clock",
  "rug",
  "vase",
  "shelf",
  "tent",
  "drum",
];
const STATES = ["lost", "late", "waiting"] as const;

/** The right action for each state of a parcel. */
const ACTIONS = { lost: "refund", late: "voucher", waiting: "redeliver" } as const;
const TOOL_NAMES = { lost: "refund", late: "send_voucher", waiting: "redeliver" } as const;

export interface DeskTask {
  /** The right action. Scores are also shown by kind. */
  readonly kind: (typeof ACTIONS)[keyof typeof ACTIONS];
  readonly customer: string;
  readonly content: string;
  /** All parcels of the desk, newest first. */
  readonly parcels: readonly Parcel[];
}

/** Draws a task. The customer has three parcels, and never asks about the newest one. */
function drawTask(rng: Rng): DeskTask {
  const customer = rng.pick(CUSTOMERS);
  const other = rng.pick(CUSTOMERS.filter((name) => name !== customer));
  const contents = rng.sample(CONTENTS, 3);
  const numbers = Array.from({ length: 900 }, (_, i) => 100 + i);
  const [otherId = 0, ...ids] = rng.sample(numbers, 4);
  const own = ids.map((id, i) => ({
    id,
    customer,
    content: contents[i]!,
    state: rng.pick(STATES),
  }));
  const others = {
    id: otherId,
    customer: other,
    content: rng.pick(CONTENTS),
    state: rng.pick(STATES),
  };
  const parcels = rng.shuffle([...own, others]);
  const newest = parcels.find((parcel) => parcel.customer === customer)!;
  const meant = rng.pick(own.filter((parcel) => parcel !== newest));
  return { kind: ACTIONS[meant.state], customer, content: meant.content, parcels };
}

/** Draws tasks. Sets of different names share no task. */
export const drawTasks = (set: "train" | "dev" | "test", count: number): readonly DeskTask[] =>
  Array.from({ length: count }, (_, i) => drawTask(new Rng(randomStreamId(1, "parcels", set, i))));

/** What the customer writes. */
export const describeRequest = ({ customer, content }: DeskTask) =>
  `${customer} asks about the ${content}.`;

/** Returns 1 if the only action was the right one on the right parcel, otherwise 0. */
export function rewardTask({ kind, customer, content, parcels }: DeskTask, desk: Desk): number {
  const meant = parcels.find(
    (parcel) => parcel.customer === customer && parcel.content === content,
  );
  return desk.actions.length === 1 && desk.actions[0] === `${kind} ${meant?.id}` ? 1 : 0;
}

/** The share of demonstrations that are hasty: they look up the customer's newest parcel, whatever is in it. */
const HASTY_SHARE = 0.85;

/**
 * Gives the next answer of a demonstration. Most demonstrations are hasty. They teach a new model to call tools, and a
 * bad habit that only the reward can remove.
 */
export const teacher: Teacher<DeskTask> = ({ messages }, { task, rng }) =>
  demonstrate(
    task,
    messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "tool-result" ? [part.text] : [])),
    ),
    rng.chance(HASTY_SHARE),
  );

/** Returns the answer after these results of tools. */
export function demonstrate(task: DeskTask, results: readonly string[], isHasty: boolean) {
  const { customer, content } = task;
  const [found, done] = results;
  if (found === undefined) {
    return {
      calls: [{ name: "find_parcel", arguments: isHasty ? { customer } : { customer, content } }],
    };
  }
  if (done === undefined) {
    const { id = "0", state = "lost" } = /(?<id>\d+) is (?<state>\w+)/.exec(found)?.groups ?? {};
    const name = TOOL_NAMES[state as keyof typeof TOOL_NAMES];
    return { calls: [{ name, arguments: { parcel: Number(id) } }] };
  }
  return { text: "Done." };
}
