/**
 * Follows a run: listens to its events while the page is visible, and reports which parts must be loaded again.
 *
 * A hidden tab has no connection, because a browser allows only a few for each server. When the tab is visible again, a
 * new `hello` event makes it load everything. If the server does not answer, the connection is tried again after
 * increasing delays.
 */
import { useEffect, useState } from "preact/hooks";
import type { RunEvent } from "../../../src/spec/studio/index.ts";
import { ApiError, streamEvents } from "./api.ts";
import { type ChangeCounts, countEvents, createBatcher, NO_CHANGES, retryDelayMs } from "./live.ts";
import { getReport } from "./report.ts";
import { usePageVisible } from "./use-visible.ts";

/** The least number of milliseconds between two reloads, because the server shares the machine with the training. */
const MIN_REFRESH_MS = 3000;

export interface Live {
  /** The state of the connection. `refused` means that the server answered with an error. */
  readonly state: "connecting" | "live" | "paused" | "gone" | "refused";
  readonly changed: ChangeCounts;
}

export function useLive(run: string): Live {
  const isVisible = usePageVisible();
  const [state, setState] = useState<Live["state"]>("connecting");
  const [changed, setChanged] = useState(NO_CHANGES);
  useEffect(() => {
    if (getReport() !== undefined) return setState("refused");
    if (!isVisible) return setState("paused");
    const gone = new AbortController();
    const batcher = createBatcher<RunEvent["type"]>(MIN_REFRESH_MS, (types) =>
      setChanged((before) => countEvents(before, types)),
    );
    void listenToRun(run, gone.signal, setState, batcher.add);
    return () => {
      gone.abort();
      batcher.stop();
    };
  }, [run, isVisible]);
  return { state, changed };
}

async function listenToRun(
  run: string,
  signal: AbortSignal,
  onState: (state: Live["state"]) => void,
  onEvent: (type: RunEvent["type"]) => void,
): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      await streamEvents<RunEvent>(["runs", run, "events"], { signal }, ({ type }) => {
        attempt = 0;
        onState("live");
        onEvent(type);
      });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status !== 0) return onState("refused");
    }
    if (signal.aborted) return;
    onState("gone");
    await waitFor(retryDelayMs(attempt), signal);
  }
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
