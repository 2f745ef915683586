/**
 * Tells listeners how a run changes: what they should fetch again, not the new data itself.
 *
 * Files are polled once a second, because file systems report changes in too many ways to rely on. A run is polled only
 * while somebody listens, once for all its listeners. A poll is a few `stat` calls, so it does not slow down training.
 */

import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { RunEvent } from "../../../spec/studio/index.ts";
import type { RunLocation } from "./find-runs.ts";
import type { Runs } from "./runs.ts";
import { computeFingerprint } from "./studio-folder.ts";

const POLL_MS = 1000;

/** What a poll found, as texts that stay equal until something changes. */
interface RunSnapshot {
  readonly metrics: string;
  readonly progress: string;
  readonly status: string;
  /** Fingerprints of rollout files by name. */
  readonly files: ReadonlyMap<string, string>;
}

type Listener = (events: readonly RunEvent[]) => void;

export interface RunEventHub {
  /** Yields `hello` first, then every later change, until `signal` aborts. */
  listen(location: RunLocation, signal: AbortSignal): AsyncIterable<RunEvent>;
}

interface Watch {
  readonly listeners: Set<Listener>;
  /** Resolves after the first poll. Every later change is reported. */
  readonly firstLook: Promise<void>;
}

export function createRunEventHub(runs: Runs, pollMs = POLL_MS): RunEventHub {
  const watches = new Map<string, Watch>();

  /** Polls until nobody listens any more. */
  const pollWhileListened = async (
    location: RunLocation,
    first: RunSnapshot,
    listeners: Set<Listener>,
  ) => {
    let before = first;
    while (listeners.size > 0) {
      await setTimeout(pollMs, undefined, { ref: false });
      // If the folder is being removed, the next poll tries again.
      const now = await takeSnapshot(runs, location).catch(() => before);
      const events = diffSnapshots(before, now);
      before = now;
      if (events.length > 0) for (const listener of listeners) listener(events);
    }
    watches.delete(location.id);
  };

  const joinOrStartWatch = (location: RunLocation): Watch => {
    const known = watches.get(location.id);
    if (known) return known;
    const listeners = new Set<Listener>();
    const first = takeSnapshot(runs, location);
    const firstLook = first.then(
      (seen) => void pollWhileListened(location, seen, listeners),
      () => void watches.delete(location.id),
    );
    const made = { listeners, firstLook };
    watches.set(location.id, made);
    return made;
  };

  return {
    async *listen(location, signal) {
      const waiting: RunEvent[] = [{ type: "hello" }];
      let wake = () => {};
      const queueEvents: Listener = (events) => {
        waiting.push(...events.filter((event) => !includesEvent(waiting, event)));
        wake();
      };
      const { listeners, firstLook } = joinOrStartWatch(location);
      listeners.add(queueEvents);
      const onAbort = () => wake();
      signal.addEventListener("abort", onAbort);
      try {
        await firstLook;
        while (!signal.aborted) {
          yield* waiting.splice(0);
          if (signal.aborted || waiting.length > 0) continue;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        signal.removeEventListener("abort", onAbort);
        listeners.delete(queueEvents);
      }
    },
  };
}

/** Whether the event is waiting already. A slow client gets each event once. */
function includesEvent(waiting: readonly RunEvent[], event: RunEvent): boolean {
  const text = JSON.stringify(event);
  return waiting.some((one) => JSON.stringify(one) === text);
}

async function takeSnapshot(runs: Runs, location: RunLocation): Promise<RunSnapshot> {
  const fileFingerprint = (name: string) =>
    computeFingerprint(runs.folder.inspect(join(location.directory, name)));
  const files = await runs.listFiles(location);
  const { status } = await runs.readRow(location);
  return {
    metrics: [fileFingerprint("metrics.jsonl"), fileFingerprint("timings.jsonl")].join(),
    progress: fileFingerprint("progress.json"),
    status,
    files: new Map(
      // Whole files appear by rename and never change, so only growing files need a fingerprint.
      files.map(({ name, path, whole }) => [
        name,
        whole ? "" : computeFingerprint(runs.folder.inspect(path)),
      ]),
    ),
  };
}

function diffSnapshots(before: RunSnapshot, now: RunSnapshot): RunEvent[] {
  const names = new Set([...before.files.keys(), ...now.files.keys()]);
  const changed = [...names].filter((name) => before.files.get(name) !== now.files.get(name));
  return [
    ...(before.metrics === now.metrics ? [] : [{ type: "metrics" } as const]),
    ...(before.progress === now.progress ? [] : [{ type: "progress" } as const]),
    ...changed.map((file) => ({ type: "rollouts", file }) as const),
    ...(before.status === now.status
      ? []
      : [{ type: "status", status: now.status as "running" } as const]),
  ];
}
