/**
 * What of a world's own code runs right now, told to whoever watches this thread from another one: a loop that never ends can
 * only be named, and stopped, from there.
 */
export interface Watch {
  enter(doing: Doing): void;
  leave(): void;
  /** Something of the kit's own goes on. */
  beat(): void;
}

/** A handler, or another function of the world's, in words. */
export type Doing =
  | { readonly app: string; readonly api: string; readonly args: unknown }
  | { readonly what: string };

/** Nobody watches. */
export const UNWATCHED: Watch = { enter() {}, leave() {}, beat() {} };

export function during<T>(watch: Watch, doing: Doing, run: () => T): T {
  watch.enter(doing);
  try {
    return run();
  } finally {
    watch.leave();
  }
}
