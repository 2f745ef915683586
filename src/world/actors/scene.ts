/**
 * The actors while one transaction runs, which is one API call or one goal. A scene divides what the transaction writes
 * among its authors, lets actors notice it, and runs the events that are due.
 *
 * Events happen in the order of their instants, and events of one instant in the order in which they were planned. What
 * a scene does depends only on the state, the seed and the instants, so forks and replays do the same.
 */
import { BowlineError, didYouMean, formatValue, hash32, Rng } from "../../core/index.ts";
import { addMinutes } from "../api/clock.ts";
import { requireNoPromise } from "../api/user-code.ts";
import { type ActivityWatch, runWatched } from "../api/watch.ts";
import {
  type Actor,
  type ActorContext,
  type ActorEvent,
  AGENT,
  type HistoryEntry,
  type Profile,
} from "../define.ts";
import type { RowChange, TableCatalog, TableState } from "../state/index.ts";
import { eventsTable, noticesTable, type PlannedEvent } from "./tables.ts";

/** The largest number of events of one transaction. If there are more, actors answer each other for ever. */
const MAX_EVENTS = 1000;

/** What all scenes of an episode share. */
export interface Stage {
  readonly actors: readonly Actor[];
  readonly catalog: TableCatalog;
  readonly owner: Profile;
  /** The seed of the actors' random streams, which belongs to the task. */
  readonly seed: number;
  readonly watch: ActivityWatch;
}

export class Scene {
  /** What was written in this transaction, in order. */
  readonly entries: HistoryEntry[] = [];
  /** What the agent itself wrote in this transaction, the kit's rows included. */
  readonly agentChanges: RowChange[] = [];
  readonly #stage: Stage;
  readonly #state: TableState;
  readonly #past: readonly HistoryEntry[];
  /** The number of the transaction's writes that belong to an entry already. */
  #counted = 0;
  #events = 0;

  /** `past` is the history of the episode before this transaction. */
  constructor(stage: Stage, state: TableState, past: readonly HistoryEntry[]) {
    this.#stage = stage;
    this.#state = state;
    this.#past = past;
  }

  /** Makes an entry of what the agent has written since the last entry, and lets the actors notice it. */
  noteAgent(now: string): void {
    this.#note(AGENT, now);
  }

  /**
   * Runs the events that are due up to an instant, and returns this instant. With `stopAtNotice`, it stops after the
   * first instant at which the owner was notified, and returns that one.
   */
  runDue(until: string, stopAtNotice = false): string {
    const countNotices = () => this.#state.all(noticesTable).length;
    const before = countNotices();
    for (let at = ""; ; ) {
      const event = findNextEvent(this.#state, until);
      if (stopAtNotice && countNotices() > before && event?.dueAt !== at) return at;
      if (!event) return until;
      at = event.dueAt;
      this.#runEvent(event);
    }
  }

  #runEvent({ id, actor, kind, data, dueAt, seed }: PlannedEvent): void {
    this.#events += 1;
    if (this.#events > MAX_EVENTS)
      throw new BowlineError(
        "world",
        `the actors had more than ${MAX_EVENTS} events in one call, the last of them ${actor}.${kind}; an event that plans itself again needs a delay`,
      );
    const state = this.#state;
    state.remove(eventsTable, id);
    const run = findActor(this.#stage.actors, actor).events[kind]!;
    const notify = (app: string, text: string) =>
      void state.insert(noticesTable, { at: dueAt, app, text });
    const context = { ...this.#makeContext(actor, dueAt, new Rng(seed)), db: state, notify };
    const event: ActorEvent = { kind, data: JSON.parse(data) };
    this.#runWatched(`the event ${kind} of the actor ${actor}`, () => run(context, event));
    this.#note(actor, dueAt);
  }

  /** Makes an entry of what was written since the last entry, if anything, and lets the other actors notice it. */
  #note(author: string, at: string): void {
    const changes = this.#state.changesInTransaction(this.#counted);
    this.#counted = this.#state.writesInTransaction;
    if (author === AGENT) this.agentChanges.push(...changes);
    const rows = changes.filter(isOfApp);
    if (rows.length === 0) return;
    const entry: HistoryEntry = { at, author, rows };
    this.entries.push(entry);
    const seed = hash32(this.#describeEntry(entry), this.#stage.seed);
    for (const { name, notice } of this.#stage.actors) {
      if (!notice || name === author) continue;
      const context = {
        ...this.#makeContext(name, at, new Rng(seed).child(name)),
        db: this.#state,
      };
      this.#runWatched(`notice of the actor ${name}`, () => notice(context, entry));
    }
    this.#counted = this.#state.writesInTransaction;
  }

  #makeContext(actor: string, now: string, rng: Rng): ActorContext {
    const schedule: ActorContext["schedule"] = (kind, minutes, data = {}) =>
      planEvent(this.#stage.actors, this.#state, {
        ...{ actor, kind, minutes, data, from: now },
        seed: rng.child(`event ${kind} ${JSON.stringify(data)}`).uint32(),
      });
    return { owner: this.#stage.owner, now, rng, schedule };
  }

  #runWatched(what: string, run: () => unknown): void {
    runWatched(this.#stage.watch, { what }, () => requireNoPromise(run()));
  }

  /** Describes an entry by its content, without the ids of rows that this episode has created. */
  #describeEntry({ author, rows }: HistoryEntry): string {
    const { catalog } = this.#stage;
    const created = new Set(
      [...this.#past, ...this.entries]
        .flatMap((entry) => entry.rows)
        .filter(({ kind }) => kind === "insert")
        .map(({ table, id }) => `${table}#${id}`),
    );
    const lines = rows.map(({ table, id, kind, after }) => {
      const { references } = catalog.table(table);
      const cells = after ? catalog.contentColumns(table, after).map((c) => [c, after[c]]) : [];
      const own = cells.filter(([c, cell]) => !created.has(`${references[c as string]}#${cell}`));
      return [kind, table, created.has(`${table}#${id}`) ? "new" : id, own];
    });
    return JSON.stringify([author, lines]);
  }
}

/** Plans an event. Throws a `world` error for an unknown actor or kind, and for a delay that is no number. */
export function planEvent(
  actors: readonly Actor[],
  state: TableState,
  event: {
    readonly actor: string;
    readonly kind: string;
    readonly minutes: number;
    readonly data: ActorEvent["data"];
    readonly from: string;
    readonly seed: number;
  },
): void {
  const { actor, kind, minutes, data, from, seed } = event;
  const kinds = Object.keys(findActor(actors, actor).events);
  if (!kinds.includes(kind))
    throw new BowlineError(
      "world",
      `the actor ${actor} has no event ${formatValue(kind)}${didYouMean(kind, kinds)}; it has ${kinds.join(", ")}`,
    );
  if (!Number.isFinite(minutes) || minutes < 0)
    throw new BowlineError(
      "world",
      `schedule of ${actor}.${kind}: expected a number of minutes from 0 on, got ${formatValue(minutes)}`,
    );
  const dueAt = addMinutes(from, minutes);
  state.insert(eventsTable, { actor, kind, data: JSON.stringify(data), dueAt, seed });
}

function findActor(actors: readonly Actor[], name: string): Actor {
  const found = actors.find((actor) => actor.name === name);
  if (found) return found;
  const names = actors.map((actor) => actor.name);
  throw new BowlineError(
    "world",
    `there is no actor ${formatValue(name)}${didYouMean(name, names)}; the world has ${names.join(", ") || "none"}`,
  );
}

function findNextEvent(state: TableState, until: string): PlannedEvent | undefined {
  let next: PlannedEvent | undefined;
  for (const event of state.all(eventsTable))
    if (event.dueAt <= until && (next === undefined || event.dueAt < next.dueAt)) next = event;
  return next;
}

/** True for rows of the world's own apps. The kit's rows (events, notices, sessions) are no part of the history. */
function isOfApp({ table }: RowChange): boolean {
  return !table.startsWith("me.");
}
