/** Events of work that goes on by itself, as something to iterate over. Whoever stops iterating has left. */

export interface EventQueue<T> {
  readonly events: AsyncIterable<T>;
  /** Aborted when the listener stopped before the end. */
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
