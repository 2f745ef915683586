/**
 * The desk of a small shop: its tasks, its tools, what an agent's work is worth, and a teacher with a bad habit. The three
 * agents beside this file share it; only their clients differ.
 *
 * A customer asks for an order to be cancelled or sent on. That takes two calls, the second of which needs what the first
 * one found: find_order, then cancel_order or ship_order with its number.
 */
import type { Rng, SessionRequest, TaughtAnswer } from "bowline";

const CUSTOMERS = [
  "Ada",
  "Bo",
  "Cleo",
  "Dan",
  "Eve",
  "Finn",
  "Gus",
  "Hana",
  "Ines",
  "Jon",
  "Kai",
  "Lena",
];
const ITEMS = ["lamp", "mug", "desk", "chair", "clock", "rug", "vase", "shelf", "bench", "tray"];

export interface Order {
  readonly id: number;
  readonly customer: string;
  readonly item: string;
}

export interface ShopTask {
  readonly kind: "cancel" | "ship";
  readonly customer: string;
  readonly item: string;
  /** All orders of the shop, the newest first. */
  readonly orders: readonly Order[];
}

/** A shop with three orders of the customer among those of others. Nobody asks about their newest one. */
export function drawShopTask(rng: Rng): ShopTask {
  const customer = rng.pick(CUSTOMERS);
  const items = rng.sample(ITEMS, 3);
  const others = rng.sample(
    CUSTOMERS.filter((name) => name !== customer),
    2,
  );
  const ids = rng.sample(
    Array.from({ length: 900 }, (_, i) => 100 + i),
    5,
  );
  const own = ids.slice(0, 3).map((id, i) => ({ id, customer, item: items[i]! }));
  const foreign = ids
    .slice(3)
    .map((id, i) => ({ id, customer: others[i]!, item: rng.pick(ITEMS) }));
  const orders = rng.shuffle([...own, ...foreign]);
  const newest = orders.find((order) => order.customer === customer)!;
  const item = rng.pick(items.filter((one) => one !== newest.item));
  return { kind: rng.chance(0.5) ? "cancel" : "ship", customer, item, orders };
}

export const describeRequest = ({ kind, customer, item }: ShopTask) =>
  `${customer} wants to ${kind} the ${item}.`;

/** What the agent may do in one episode, and what that was worth in the end. */
export function openShop({ kind, customer, item, orders }: ShopTask) {
  const done: string[] = [];
  const wanted = orders.find((order) => order.customer === customer && order.item === item)!;
  return {
    /** Finds the newest order of a customer; of one item, where it is named. */
    find_order(query: { customer: string; item?: string }) {
      const found = orders.find(
        (order) => order.customer === query.customer && (query.item ?? order.item) === order.item,
      );
      return found ? `order ${found.id}` : "no such order";
    },
    cancel_order({ id }: { id: number }) {
      done.push(`cancel ${id}`);
      return `cancelled ${id}`;
    },
    ship_order({ id }: { id: number }) {
      done.push(`ship ${id}`);
      return `shipped ${id}`;
    },
    /** 1 for the right thing done to the right order, and to no other. */
    reward: () => (done.length === 1 && done[0] === `${kind} ${wanted.id}` ? 1 : 0),
  };
}

/** A tool as every client wants it: what the model is told, and what is done. */
export interface ShopTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: {
    type: "object";
    properties: Record<string, { type: "string" | "integer" }>;
    required: string[];
  };
  readonly execute: (args: object) => string;
}

export function createTools(shop: ReturnType<typeof openShop>): readonly ShopTool[] {
  const parameters = (type: "string" | "integer", names: string[], required: string[]) => ({
    type: "object" as const,
    properties: Object.fromEntries(names.map((name) => [name, { type }])),
    required,
  });
  const order = parameters("integer", ["id"], ["id"]);
  return [
    {
      name: "find_order",
      description: "The newest order of a customer; of one item, where it is named.",
      parameters: parameters("string", ["customer", "item"], ["customer"]),
      execute: (args: object) => shop.find_order(args as { customer: string; item?: string }),
    },
    {
      name: "cancel_order",
      description: "Cancels an order.",
      parameters: order,
      execute: (args: object) => shop.cancel_order(args as { id: number }),
    },
    {
      name: "ship_order",
      description: "Sends an order on its way.",
      parameters: order,
      execute: (args: object) => shop.ship_order(args as { id: number }),
    },
  ];
}

/**
 * Six lessons in seven are hasty: they look up the customer's newest order, whatever it is of. What such a model learns is
 * how to call tools, and a habit that mostly fails; the reward has to teach it better.
 */
export function teacher(
  { messages }: SessionRequest,
  { task, rng }: { readonly task: ShopTask; readonly rng: Rng },
): TaughtAnswer {
  const hasty = rng.chance(0.85);
  const { kind, customer, item } = task;
  const results = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "tool-result" ? [part.text] : [])),
  );
  const [found, done] = results;
  if (found === undefined) {
    const query = hasty ? { customer } : { customer, item };
    return { calls: [{ name: "find_order", arguments: query }] };
  }
  if (done === undefined) {
    const number = Number(/\d+/.exec(found)?.[0] ?? 0);
    return { calls: [{ name: `${kind}_order`, arguments: { id: number } }] };
  }
  return { text: "Done." };
}
