/**
 * A run as it goes on: listens to its events while the page is looked at, and says which answers are old.
 *
 * A tab that is hidden holds no connection (a browser has few for one server), so it is told `hello` when it comes back and
 * asks for everything again. A server that is gone is asked again, less and less often.
 */
import { useEffect, useState } from "preact/hooks";
import type { RunEvent } from "../../../src/spec/studio/index.ts";
import { ApiError, streamEvents } from "./api.ts";
import { type ChangeCounts, countEvents, createBatcher, NO_CHANGES, retryDelayMs } from "./live.ts";
import { usePageVisible } from "./use-visible.ts";

/** What changed is asked for this often at most: the server shares the machine with the training that it shows. */
const MIN_REFRESH_MS = 3000;

export interface Live {
  /** `refused`: the server answered, and there is nothing to listen to. */
  readonly state: "connecting" | "live" | "paused" | "gone" | "refused";
  readonly changed: ChangeCounts;
}

export function useLive(run: string): Live {
  const isVisible = usePageVisible();
  const [state, setState] = useState<Live["state"]>("connecting");
  const [changed, setChanged] = useState(NO_CHANGES);
  useEffect(() => {
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
