/**
 * A world: a helpdesk with two tables, seven APIs behind a login, and five kinds of tasks.
 *
 * The state is tables of rows. The agent writes JavaScript that calls APIs. A task has an instruction in words, and its
 * goal as changes on tables. The checks follow from these changes, and the reward from the checks.
 */
import {
  ApiError,
  accounts,
  defineApi,
  defineApp,
  defineTable,
  defineWorld,
  type Rng,
  type Split,
  type Task,
  type Writer,
  z,
} from "bowline/world";

const CUSTOMERS = ["Ada", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal"] as const;
const TOPICS = ["billing", "login", "printer", "refund"] as const;
const STAFF = ["Kim", "Lee", "Max", "Noa"] as const;

// --- Tables ---

type Ticket = {
  id: number;
  customer: string;
  topic: string;
  state: string;
  assignee: string;
  urgent: boolean;
};
const tickets = defineTable<Ticket>("desk.tickets", { indexes: ["customer"] });

type Reply = { id: number; ticket: number; text: string };
const replies = defineTable<Reply>("desk.replies", {
  indexes: ["ticket"],
  references: { ticket: "desk.tickets" },
});

// --- APIs: each definition gives validation, documentation and error messages ---

const ticketId = z.int().describe("id of a ticket");
const ticketSchema = z.object({
  id: z.int(),
  customer: z.string(),
  topic: z.string(),
  state: z.string(),
  assignee: z.string(),
  urgent: z.boolean(),
});

/** Returns an open ticket, or throws an error that the agent sees. A call that throws changes nothing. */
function requireOpenTicket(db: Writer, id: number): Ticket {
  const found = db.get(tickets, id);
  if (!found) throw new ApiError(404, `ticket: there is no ticket ${id}`);
  if (found.state !== "open") throw new ApiError(409, `ticket: ticket ${id} is ${found.state}`);
  return found;
}

const desk = defineApp({
  name: "desk",
  summary: "Tickets of customers, and what was answered.",
  login: true,
  tables: [tickets, replies],
  apis: {
    tickets: defineApi({
      summary: "List a customer's tickets, oldest first, in pages.",
      params: z.strictObject({
        customer: z.enum(CUSTOMERS).describe("who wrote"),
        topic: z.enum(TOPICS).optional().describe("only about this"),
        state: z.enum(["open", "closed", "any"]).default("open").describe("only these"),
        page: z.int().min(1).default(1).describe("which page, from 1"),
        limit: z.int().min(1).max(20).default(3).describe("how many a page"),
      }),
      returns: z.object({ items: z.array(ticketSchema), more: z.boolean() }),
      handler: ({ db }, { customer, topic, state, page, limit }) => {
        const match = { customer, ...(topic && { topic }), ...(state !== "any" && { state }) };
        const found = db.where(tickets, match);
        const end = page * limit;
        return { items: found.slice(end - limit, end), more: found.length > end };
      },
    }),
    replies: defineApi({
      summary: "List what was answered to a ticket.",
      params: z.strictObject({ ticket: ticketId }),
      returns: z.array(z.object({ id: z.int(), text: z.string() })),
      handler: ({ db }, { ticket }) => [...db.where(replies, { ticket })],
    }),
    reply: defineApi({
      summary: "Answer an open ticket.",
      params: z.strictObject({ ticket: ticketId, text: z.string().min(1).describe("the answer") }),
      returns: z.object({ id: z.int() }),
      handler: ({ db }, { ticket, text }) =>
        db.insert(replies, { ticket: requireOpenTicket(db, ticket).id, text }),
    }),
    assign: defineApi({
      summary: "Give an open ticket to one of the staff.",
      params: z.strictObject({ ticket: ticketId, to: z.enum(STAFF).describe("who works on it") }),
      returns: ticketSchema,
      handler: ({ db }, { ticket, to }) =>
        db.update(tickets, requireOpenTicket(db, ticket).id, { assignee: to }),
    }),
    escalate: defineApi({
      summary: "Mark an open ticket as urgent.",
      params: z.strictObject({ ticket: ticketId }),
      returns: ticketSchema,
      handler: ({ db }, { ticket }) =>
        db.update(tickets, requireOpenTicket(db, ticket).id, { urgent: true }),
    }),
    close: defineApi({
      summary: "Close an open ticket.",
      params: z.strictObject({ ticket: ticketId }),
      returns: ticketSchema,
      handler: ({ db }, { ticket }) =>
        db.update(tickets, requireOpenTicket(db, ticket).id, { state: "closed" }),
    }),
    reopen: defineApi({
      summary: "Open a closed ticket again.",
      params: z.strictObject({ ticket: ticketId }),
      returns: ticketSchema,
      handler: ({ db }, { ticket }) => {
        const found = db.get(tickets, ticket);
        if (found?.state !== "closed") throw new ApiError(404, `ticket: ${ticket} is not closed`);
        return db.update(tickets, ticket, { state: "open" });
      },
    }),
  },
});

// --- Tasks ---
//
// `setup` adds rows, `goal` makes the intended changes on tables, and `solution` yields cells of code that make the
// same changes through the APIs. The careful solution shows that the task can be done. The hasty one has a bad habit.
// Training starts with mostly hasty demonstrations, and the reward has to remove the habit.

/** The customer and topic of a task. Splits share no pair of them, so test tasks differ from all training tasks. */
type Subject = { readonly customer: string; readonly topic: string };
type MakeTask = (subject: Subject, rng: Rng) => Task;

const LOGIN = "apis.desk.login({password:apis.me.listAccounts().items[0].password})";
const FINISH = "apis.me.finishTask()";
/** Returns code that lists the open tickets of a customer and topic. `more` adds arguments. */
const listTicketsCode = ({ customer, topic }: Subject, more = "") =>
  `apis.desk.tickets({customer:"${customer}",topic:"${topic}"${more}})`;

const openTickets = (db: Writer, subject: Subject) =>
  db.where(tickets, { ...subject, state: "open" });
const insertOpenTickets = (db: Writer, subject: Subject, amount = 1): void => {
  for (let i = 0; i < amount; i++)
    db.insert(tickets, { ...subject, state: "open", assignee: "", urgent: false });
};

/** The hasty solution closes only the first ticket. */
const closeAllTask: MakeTask = (subject, rng) => {
  const amount = rng.integer(2, 3);
  return {
    signature: "tickets.open > close.each",
    difficulty: 2,
    instruction: `close all ${subject.topic} tickets of ${subject.customer}`,
    setup: (db) => insertOpenTickets(db, subject, amount),
    goal(db) {
      for (const { id } of openTickets(db, subject)) db.update(tickets, id, { state: "closed" });
      return undefined;
    },
    *solution({ style }) {
      yield LOGIN;
      const each = style === "careful" ? "" : ".slice(0,1)";
      yield `for(let t of ${listTicketsCode(subject)}.items${each})apis.desk.close({ticket:t.id})`;
      yield FINISH;
    },
  };
};

/** The hasty solution counts only the first page, which holds three tickets. */
const countOpenTask: MakeTask = (subject, rng) => {
  const amount = rng.integer(2, 9);
  return {
    signature: "tickets.open > answer.count",
    difficulty: 2,
    instruction: `how many open ${subject.topic} tickets has ${subject.customer}?`,
    setup: (db) => insertOpenTickets(db, subject, amount),
    goal: (db) => ({ answer: openTickets(db, subject).length }),
    *solution({ style }) {
      yield LOGIN;
      const limit = style === "careful" ? ",limit:20" : "";
      yield `let n=${listTicketsCode(subject, limit)}.items.length`;
      yield "apis.me.finishTask({answer:n})";
    },
  };
};

/** The hasty solution closes the ticket without a reply. */
const answerAndCloseTask: MakeTask = (subject) => ({
  signature: "tickets.open > reply.close",
  difficulty: 1,
  instruction: `tell ${subject.customer} that the ${subject.topic} ticket is solved and close it`,
  setup: (db) => insertOpenTickets(db, subject),
  goal(db) {
    const [ticket] = openTickets(db, subject);
    db.insert(replies, { ticket: ticket!.id, text: "solved" });
    db.update(tickets, ticket!.id, { state: "closed" });
    return undefined;
  },
  *solution({ style }) {
    yield LOGIN;
    const reply = style === "careful" ? 'apis.desk.reply({ticket:t.id,text:"solved"});' : "";
    yield `let t=${listTicketsCode(subject)}.items[0];${reply}apis.desk.close({ticket:t.id})`;
    yield FINISH;
  },
});

/** The hasty solution takes the first ticket of the list, which is the oldest. */
const escalateNewestTask: MakeTask = (subject, rng) => {
  const amount = rng.integer(2, 3);
  return {
    signature: "tickets.newest > escalate",
    difficulty: 2,
    instruction: `escalate the newest ${subject.topic} ticket of ${subject.customer}`,
    setup: (db) => insertOpenTickets(db, subject, amount),
    goal(db) {
      db.update(tickets, openTickets(db, subject).at(-1)!.id, { urgent: true });
      return undefined;
    },
    *solution({ style }) {
      yield LOGIN;
      const which = style === "careful" ? ".at(-1)" : "[0]";
      yield `apis.desk.escalate({ticket:${listTicketsCode(subject)}.items${which}.id})`;
      yield FINISH;
    },
  };
};

/** The hasty solution does not look who had the last ticket, and gives it to Kim. */
const handOverTask: MakeTask = (subject) => ({
  signature: "tickets.closed > assign",
  difficulty: 2,
  instruction: `give the ${subject.topic} ticket of ${subject.customer} to who had the last one`,
  setup: (db) => insertOpenTickets(db, subject),
  goal(db) {
    const [last] = db.where(tickets, { ...subject, state: "closed" });
    db.update(tickets, openTickets(db, subject)[0]!.id, { assignee: last!.assignee });
    return undefined;
  },
  *solution({ style }) {
    yield LOGIN;
    // The list is oldest first: the closed ticket, then the open one.
    const to = style === "careful" ? "last.assignee" : '"Kim"';
    yield `let [last,t]=${listTicketsCode(subject, ',state:"any"')}.items;apis.desk.assign({ticket:t.id,to:${to}})`;
    yield FINISH;
  },
});

const TASK_MAKERS = [
  closeAllTask,
  countOpenTask,
  answerAndCloseTask,
  escalateNewestTask,
  handOverTask,
];

/** Returns the subjects of a split: half of all for training, a quarter for dev, a quarter for the test splits. */
function subjectsOfSplit(split: Split): readonly Subject[] {
  return CUSTOMERS.flatMap((customer, i) =>
    TOPICS.flatMap((topic, j) => {
      const part = ["train", "train", "dev", "test"][(i + j) % 4]!;
      return split.startsWith(part) ? [{ customer, topic }] : [];
    }),
  );
}

// --- The world ---

export default defineWorld({
  name: "helpdesk",
  now: "2026-03-02T10:00:00Z",
  apps: [desk],
  scenarios: { train: 60, dev: 20, "test-normal": 20 },
  /** Inserts the rows that every task starts with: one closed ticket per subject, easily mistaken for an open one. */
  populate(db, rng) {
    db.insert(accounts, { app: "desk", username: "robin", password: "tea-42" });
    for (const customer of CUSTOMERS)
      for (const topic of TOPICS) {
        const assignee = rng.pick(STAFF);
        db.insert(tickets, { customer, topic, state: "closed", assignee, urgent: false });
      }
    return { name: "Robin Reed", email: "robin@desk.example", phone: "555-0100" };
  },
  /** Makes three tasks of one kind. All randomness comes from `rng`, so an index always gives the same tasks. */
  scenario({ split, index, rng }) {
    const makeTask = TASK_MAKERS[index % TASK_MAKERS.length]!;
    const makeVariant = (variant: number) => {
      const variantRng = rng.child(variant);
      return makeTask(variantRng.pick(subjectsOfSplit(split)), variantRng);
    };
    return [makeVariant(1), makeVariant(2), makeVariant(3)];
  },
});
