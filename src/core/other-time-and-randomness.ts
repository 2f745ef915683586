/**
 * Runs a function while `Math.random`, the clock and random ids return other values than usual, and reports each use of
 * them with its stack. A function that depends only on its seed is not affected.
 */

/**
 * The number of milliseconds by which the clock is shifted. It changes the day, the month, the year and the time of
 * day.
 */
const LATER_MS = 1000 * 60 * 60 * (24 * 400 + 7);

/**
 * Calls the synchronous function `run`. `onUse` is called for every use of the clock, `Math.random` or a random id,
 * with its name and an error whose stack shows the caller.
 */
export function runWithOtherTimeAndRandomness<T>(
  run: () => T,
  onUse: (name: string, caller: Error) => void,
): T {
  const reportUse = (name: string) => onUse(name, new Error(name));
  const { Date: RealDate, crypto } = globalThis;
  const realRandom = Math.random;
  const realId = crypto.randomUUID;
  Math.random = () => {
    reportUse("Math.random");
    return (realRandom() + 0.5) % 1;
  };
  globalThis.Date = createLaterDate(RealDate, reportUse);
  crypto.randomUUID = () => {
    reportUse("crypto.randomUUID");
    return realId.call(crypto);
  };
  try {
    return run();
  } finally {
    Math.random = realRandom;
    globalThis.Date = RealDate;
    crypto.randomUUID = realId;
  }
}

/** Wraps `Date` in a proxy, so that its instances and `instanceof` are those of the real `Date`. */
function createLaterDate(Real: DateConstructor, onUse: (name: string) => void): DateConstructor {
  const now = () => {
    onUse("Date.now");
    return Real.now() + LATER_MS;
  };
  return new Proxy(Real, {
    construct(target, args, newTarget) {
      if (args.length > 0) return Reflect.construct(target, args, newTarget);
      onUse("new Date");
      return Reflect.construct(target, [Real.now() + LATER_MS], newTarget);
    },
    apply() {
      onUse("Date");
      return new Real(Real.now() + LATER_MS).toString();
    },
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
}
