/**
 * A small shop: its tasks, its tools, the reward, and a teacher with a bad habit. The three agents in this folder share
 * it and differ only in their client library.
 *
 * A customer wants an order to be cancelled or shipped. That takes two calls: find_order returns the number of an
 * order, and cancel_order or ship_order needs this number.
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
  /** All orders of the shop, newest first. */
  readonly orders: readonly Order[];
}

/**
 * Draws a task. The shop has three orders of the customer among those of others, and the task is never about the
 * customer's newest order.
 */
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
  const customerOrders = ids.slice(0, 3).map((id, i) => ({ id, customer, item: items[i]! }));
  const otherOrders = ids
    .slice(3)
    .map((id, i) => ({ id, customer: others[i]!, item: rng.pick(ITEMS) }));
  const orders = rng.shuffle([...customerOrders, ...otherOrders]);
  const newest = orders.find((order) => order.customer === customer)!;
  const item = rng.pick(items.filter((name) => name !== newest.item));
  return { kind: rng.chance(0.5) ? "cancel" : "ship", customer, item, orders };
}

export const describeRequest = ({ kind, customer, item }: ShopTask) =>
  `${customer} wants to ${kind} the ${item}.`;

/** Opens the shop for one episode. It has the functions behind the tools, and the reward at the end. */
export function openShop({ kind, customer, item, orders }: ShopTask) {
  const actions: string[] = [];
  const wanted = orders.find((order) => order.customer === customer && order.item === item)!;
  return {
    /** Finds the newest order of a customer, or the newest one for an item if that is given. */
    find_order(query: { customer: string; item?: string }) {
      const found = orders.find(
        (order) => order.customer === query.customer && (query.item ?? order.item) === order.item,
      );
      return found ? `order ${found.id}` : "no such order";
    },
    cancel_order({ id }: { id: number }) {
      actions.push(`cancel ${id}`);
      return `cancelled ${id}`;
    },
    ship_order({ id }: { id: number }) {
      actions.push(`ship ${id}`);
      return `shipped ${id}`;
    },
    /** Returns 1 if the only action was the right one on the right order, otherwise 0. */
    reward: () => (actions.length === 1 && actions[0] === `${kind} ${wanted.id}` ? 1 : 0),
  };
}

/** A tool in a form that suits every client: a description for the model and a function that runs it. */
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
  const objectSchema = (type: "string" | "integer", names: string[], required: string[]) => ({
    type: "object" as const,
    properties: Object.fromEntries(names.map((name) => [name, { type }])),
    required,
  });
  const orderId = objectSchema("integer", ["id"], ["id"]);
  return [
    {
      name: "find_order",
      description: "The newest order of a customer; of one item, where it is named.",
      parameters: objectSchema("string", ["customer", "item"], ["customer"]),
      execute: (args: object) => shop.find_order(args as { customer: string; item?: string }),
    },
    {
      name: "cancel_order",
      description: "Cancels an order.",
      parameters: orderId,
      execute: (args: object) => shop.cancel_order(args as { id: number }),
    },
    {
      name: "ship_order",
      description: "Sends an order on its way.",
      parameters: orderId,
      execute: (args: object) => shop.ship_order(args as { id: number }),
    },
  ];
}

/**
 * Gives the next answer of a demonstration. Six of seven demonstrations are hasty: they look up the customer's newest
 * order of any item. They teach the model to call tools, and a bad habit that the reward has to remove.
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
  const [foundOrder, confirmation] = results;
  if (foundOrder === undefined) {
    const query = hasty ? { customer } : { customer, item };
    return { calls: [{ name: "find_order", arguments: query }] };
  }
  if (confirmation === undefined) {
    const id = Number(/\d+/.exec(foundOrder)?.[0] ?? 0);
    return { calls: [{ name: `${kind}_order`, arguments: { id } }] };
  }
  return { text: "Done." };
}
