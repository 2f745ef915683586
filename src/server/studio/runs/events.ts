/**
 * A run as it changes, told to whoever listens: what to fetch again, not the news itself.
 *
 * Files are looked at once a second (file systems tell of changes in too many ways to rely on), and only while somebody
 * listens; all listeners of a run share one look. A look is a few `stat` calls, so it costs the training nothing.
 */

import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { RunEvent } from "../../../spec/studio/index.ts";
import type { RunPlace } from "./find-runs.ts";
import { markOf } from "./inside.ts";
import type { Runs } from "./runs.ts";

const LOOK_MS = 1000;

/** What a look saw, as text that is equal as long as nothing changed. */
interface Seen {
  readonly metrics: string;
  readonly status: string;
  /** Marks of rollout files by name. */
  readonly files: ReadonlyMap<string, string>;
}

type Listener = (events: readonly RunEvent[]) => void;

export interface EventHub {
  /** `hello` first, then all that changes from then on, until `signal` aborts. */
  listen(place: RunPlace, signal: AbortSignal): AsyncIterable<RunEvent>;
}

interface Watch {
  readonly listeners: Set<Listener>;
  /** After the first look: from then on every change is told. */
  readonly begun: Promise<void>;
}

export function eventHub(runs: Runs, lookMs = LOOK_MS): EventHub {
  const watches = new Map<string, Watch>();

  /** Goes on as long as somebody listens. */
  const watchOn = async (place: RunPlace, first: Seen, listeners: Set<Listener>) => {
    let before = first;
    while (listeners.size > 0) {
      await setTimeout(lookMs, undefined, { ref: false });
      // A folder that is being removed is looked at again.
      const now = await look(runs, place).catch(() => before);
      const events = changes(before, now);
      before = now;
      if (events.length > 0) for (const listener of listeners) listener(events);
    }
    watches.delete(place.id);
  };

  const watch = (place: RunPlace): Watch => {
    const known = watches.get(place.id);
    if (known) return known;
    const listeners = new Set<Listener>();
    const first = look(runs, place);
    const begun = first.then(
      (seen) => void watchOn(place, seen, listeners),
      () => void watches.delete(place.id),
    );
    const made = { listeners, begun };
    watches.set(place.id, made);
    return made;
  };

  return {
    async *listen(place, signal) {
      const waiting: RunEvent[] = [{ type: "hello" }];
      let wake = () => {};
      const listener: Listener = (events) => {
        waiting.push(...events.filter((event) => !holds(waiting, event)));
        wake();
      };
      const { listeners, begun } = watch(place);
      listeners.add(listener);
      const onGone = () => wake();
      signal.addEventListener("abort", onGone);
      try {
        await begun;
        while (!signal.aborted) {
          yield* waiting.splice(0);
          if (signal.aborted || waiting.length > 0) continue;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        signal.removeEventListener("abort", onGone);
        listeners.delete(listener);
      }
    },
  };
}

/** A slow client is told once. */
function holds(waiting: readonly RunEvent[], event: RunEvent): boolean {
  const text = JSON.stringify(event);
  return waiting.some((one) => JSON.stringify(one) === text);
}

async function look(runs: Runs, place: RunPlace): Promise<Seen> {
  const mark = (name: string) => markOf(runs.inside.at(join(place.directory, name)));
  const files = await runs.files(place);
  const { status } = await runs.row(place);
  return {
    metrics: [mark("metrics.jsonl"), mark("timings.jsonl")].join(),
    status,
    files: new Map(
      // Whole files appear by rename and stay as they are: only those that grow are looked at.
      files.map(({ name, path, whole }) => [name, whole ? "" : markOf(runs.inside.at(path))]),
    ),
  };
}

function changes(before: Seen, now: Seen): RunEvent[] {
  const names = new Set([...before.files.keys(), ...now.files.keys()]);
  const changed = [...names].filter((name) => before.files.get(name) !== now.files.get(name));
  return [
    ...(before.metrics === now.metrics ? [] : [{ type: "metrics" } as const]),
    ...changed.map((file) => ({ type: "rollouts", file }) as const),
    ...(before.status === now.status
      ? []
      : [{ type: "status", status: now.status as "running" } as const]),
  ];
}
