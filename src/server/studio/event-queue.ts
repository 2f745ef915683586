/** A queue that turns the events of running work into an async iterable, and reports when its reader stops early. */

export interface EventQueue<T> {
  readonly events: AsyncIterable<T>;
  /** Aborts when the reader stops iterating before the end. */
  readonly abandoned: AbortSignal;
  push(event: T): void;
  end(): void;
}

export function createEventQueue<T>(): EventQueue<T> {
  const waiting: T[] = [];
  const abandon = new AbortController();
  let hasEnded = false;
  let wake = () => {};
  async function* events(): AsyncGenerator<T> {
    try {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift()!;
        if (hasEnded) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      if (!hasEnded) abandon.abort();
    }
  }
  return {
    events: events(),
    abandoned: abandon.signal,
    push(event) {
      waiting.push(event);
      wake();
    },
    end() {
      hasEnded = true;
      wake();
    },
  };
}
