/** A limit on the time for which something outside of this process is waited for. */
import { BowlineError } from "../../core/index.ts";

/** Resolves like `promise`, or rejects with a `world` error when it has not settled in time. */
export async function withTimeout<T>(
  promise: Promise<T>,
  milliseconds: number,
  what: string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () =>
      reject(new BowlineError("world", `${what} did not end within ${milliseconds / 1000} s`));
    timer = setTimeout(fail, milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => {});
  }
}
