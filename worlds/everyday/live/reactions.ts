/**
 * The other people of `everyday/live`. What somebody will do is a row of the table `live.reactions`: it waits for a row
 * that the agent or another person writes, takes its minutes, and then does its deeds once.
 *
 * Setups add these rows, so one actor is enough for all people and companies of all families. No API shows the table.
 */
import {
  type Actor,
  type Cell,
  defineActor,
  defineTable,
  type Table,
  type Writer,
} from "bowline/world";
import { answers } from "../apps/calendar/tables.ts";
import { fullApps } from "../apps/full.ts";
import { handleOf } from "../apps/shared.ts";
import { events, guests, mails, type Person, payments, requests, texts } from "../apps/tables.ts";

/** The author of everything that other people and companies write. */
export const OTHERS = "others";

/** The columns of a row. A cell `$row.column` stands for a cell of the row that was reacted to, `$now` for the time. */
type Columns = Readonly<Record<string, Cell>>;

/** One thing that somebody does. `id` of a change is a row's id, or a cell as in `Columns`. */
export type Deed =
  | { readonly kind: "add"; readonly table: string; readonly row: Columns }
  | { readonly kind: "change"; readonly table: string; readonly id: Cell; readonly set: Columns }
  | { readonly kind: "settle"; readonly person: number; readonly status: "paid" | "declined" }
  | { readonly kind: "notify"; readonly app: string; readonly text: string };

type ReactionRow = {
  readonly id: number;
  /** The table of the rows that are waited for. */
  readonly table: string;
  /** What these rows must equal, as JSON. */
  readonly where: string;
  /** The words that the row's texts must all contain, in lower case. */
  readonly words: readonly string[];
  readonly minutes: number;
  /** The deeds as JSON. */
  readonly deeds: string;
  readonly done: boolean;
};

export const reactions = defineTable<ReactionRow>("live.reactions", {
  classes: {
    table: "session",
    where: "session",
    words: "session",
    minutes: "session",
    deeds: "session",
    done: "session",
  },
});

/** Something that happens some minutes after a row was written. */
export interface Reaction {
  readonly to: {
    readonly table: Table;
    readonly where: Columns;
    readonly words?: readonly string[];
  };
  readonly minutes: number;
  readonly deeds: readonly Deed[];
}

/** Adds what people will do to the start state of a task. */
export function addReactions(db: Writer, list: readonly Reaction[]): void {
  for (const { to, minutes, deeds } of list)
    db.insert(reactions, {
      table: to.table.name,
      where: JSON.stringify(to.where),
      words: (to.words ?? []).map((word) => word.toLowerCase()),
      minutes,
      deeds: JSON.stringify(deeds),
      done: false,
    });
}

/** Packs deeds as the data of a planned event: `plan(OTHERS, "act", 30, packDeeds(...))`. */
export const packDeeds = (deeds: readonly Deed[]): { readonly deeds: string } => ({
  deeds: JSON.stringify(deeds),
});

const TABLES = new Map<string, Table>(
  [...fullApps.flatMap(({ tables }) => tables), reactions as unknown as Table].map((table) => [
    table.name,
    table,
  ]),
);

/** Does the deeds. `trigger` is the row that was reacted to, or null for an event that was planned at the start. */
function act(
  db: Writer,
  now: string,
  notify: (app: string, text: string) => void,
  deeds: readonly Deed[],
  trigger: Columns | null,
): void {
  const fill = (cell: Cell): Cell => {
    if (cell === "$now") return now;
    if (typeof cell !== "string" || !cell.startsWith("$row.")) return cell;
    return trigger?.[cell.slice("$row.".length)] ?? null;
  };
  const fillAll = (columns: Columns) =>
    Object.fromEntries(Object.entries(columns).map(([name, cell]) => [name, fill(cell)]));
  for (const deed of deeds) {
    if (deed.kind === "notify") notify(deed.app, deed.text);
    else if (deed.kind === "settle") settleRequest(db, now, deed.person, deed.status);
    else if (deed.kind === "add") db.insert(TABLES.get(deed.table)!, fillAll(deed.row));
    else db.update(TABLES.get(deed.table)!, fill(deed.id) as number, fillAll(deed.set));
  }
}

/** Pays or declines the newest pending request of the owner to this person, if there is one. */
function settleRequest(db: Writer, now: string, person: number, status: "paid" | "declined"): void {
  const request = db.where(requests, { person, outgoing: true, status: "pending" }).at(-1);
  if (!request) return;
  const { id, cents, note } = request;
  db.update(requests, id, { status });
  if (status === "paid")
    db.insert(payments, { person, outgoing: false, cents, note, request: id, at: now });
}

function matches(reaction: ReactionRow, row: Columns): boolean {
  const where = Object.entries(JSON.parse(reaction.where) as Columns);
  if (!where.every(([column, cell]) => row[column] === cell)) return false;
  const said = Object.values(row).join("\n").toLowerCase();
  return reaction.words.every((word) => said.includes(word));
}

/** Everybody else: does what the reactions say, and what was planned at the start. */
export const others: Actor = defineActor({
  name: OTHERS,
  notice: ({ db, schedule }, entry) => {
    for (const { table, id, after } of entry.rows) {
      if (!after) continue;
      for (const reaction of db.all(reactions))
        if (!reaction.done && reaction.table === table && matches(reaction, after))
          schedule("react", reaction.minutes, { reaction: reaction.id, row: id });
    }
  },
  events: {
    react: ({ db, now, notify }, { data }) => {
      const reaction = db.get(reactions, data["reaction"] as number)!;
      const trigger = db.get(TABLES.get(reaction.table)!, data["row"] as number);
      if (reaction.done || !trigger) return;
      db.update(reactions, reaction.id, { done: true });
      act(db, now, notify, JSON.parse(reaction.deeds), trigger);
    },
    act: ({ db, now, notify }, { data }) =>
      act(db, now, notify, JSON.parse(String(data["deeds"])), null),
  },
});

// What people do.

const add = (table: { readonly name: string }, row: Columns): Deed => ({
  kind: "add",
  table: table.name,
  row,
});
const change = (table: { readonly name: string }, id: Cell, set: Columns): Deed => ({
  kind: "change",
  table: table.name,
  id,
  set,
});
export const deed = { add, change };

/** Somebody sends the owner a text message. */
export function sendsText({ id: person, name }: Person, text: string): readonly Deed[] {
  const flags = { outgoing: false, replyTo: null, reaction: null, starred: false, unread: true };
  return [
    add(texts, { person, text, ...flags, at: "$now" }),
    { kind: "notify", app: "messages", text: `${name} has sent a message.` },
  ];
}

/** Somebody sends the owner a mail. */
export function sendsMail(
  { id: person, name }: Person,
  subject: string,
  body: string,
): readonly Deed[] {
  const flags = { outgoing: false, folder: "inbox", label: null, starred: false, origin: null };
  return [
    add(mails, { person, subject, body, ...flags, unread: true, at: "$now" }),
    { kind: "notify", app: "mail", text: `New mail from ${name}: ${subject}` },
  ];
}

/** Somebody pays the owner's newest pending request to them. */
export function paysRequest({ id: person, name }: Person): readonly Deed[] {
  return [
    { kind: "settle", person, status: "paid" },
    { kind: "notify", app: "pay", text: `${name} has paid your request.` },
  ];
}

/** Somebody declines the owner's newest pending request to them. */
export function declinesRequest({ id: person, name }: Person): readonly Deed[] {
  return [
    { kind: "settle", person, status: "declined" },
    { kind: "notify", app: "pay", text: `${name} has declined your request.` },
  ];
}

/** A guest answers an invitation. It must be the deed of a reaction to the guest's row. */
export function answersInvitation(
  { id: person, name }: Person,
  answer: "yes" | "no" | "maybe",
): readonly Deed[] {
  return [
    add(answers, { event: "$row.event", person, answer }),
    { kind: "notify", app: "calendar", text: `${name} has answered your invitation: ${answer}.` },
  ];
}

/** Somebody invites the owner to an event. */
export function invitesOwner(
  { id: host, name }: Person,
  title: string,
  day: string,
  time: string,
): readonly Deed[] {
  return [
    add(events, { title, day, time, host, response: "open", cancelled: false }),
    { kind: "notify", app: "calendar", text: `${name} invites you: ${title}` },
  ];
}

// What people wait for.

/** The owner sends this person a text message that contains all of these words. */
export const textTo = ({ id }: Person, ...words: readonly string[]): Reaction["to"] => ({
  table: texts as unknown as Table,
  where: { person: id, outgoing: true },
  words,
});

/** The owner sends this person a mail that contains all of these words in its subject or body. */
export const mailTo = ({ id }: Person, ...words: readonly string[]): Reaction["to"] => ({
  table: mails as unknown as Table,
  where: { person: id, outgoing: true },
  words,
});

/** The owner asks this person to pay, and if `cents` is given, to pay so much. */
export const requestTo = ({ id }: Person, cents?: number): Reaction["to"] => ({
  table: requests as unknown as Table,
  where: {
    ...{ person: id, outgoing: true, status: "pending" },
    ...(cents === undefined ? {} : { cents }),
  },
});

/** The owner pays this person. */
export const paymentTo = ({ id }: Person): Reaction["to"] => ({
  table: payments as unknown as Table,
  where: { person: id, outgoing: true },
});

/** The owner invites this person to an event. */
export const invitationTo = ({ id }: Person): Reaction["to"] => ({
  table: guests as unknown as Table,
  where: { person: id, uninvited: false },
});

/** A handle, for setups that write it into a text. */
export const handle = handleOf;
