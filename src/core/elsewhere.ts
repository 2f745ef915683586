/**
 * Runs something as if at another time and by other chance: `Math.random`, the clock and random ids give other values meanwhile.
 * What follows from its seed alone does not notice. Whatever asks is told of, with the stack of whoever asked.
 */

/** Another day, month and year, and not at the same time of day. */
const LATER_MS = 1000 * 60 * 60 * (24 * 400 + 7);

/** `run` is synchronous. `onUse` hears of everything that is no function of a seed, by name. */
export function elsewhere<T>(run: () => T, onUse: (name: string, from: Error) => void): T {
  const use = (name: string) => onUse(name, new Error(name));
  const { Date: RealDate, crypto } = globalThis;
  const realRandom = Math.random;
  const realId = crypto.randomUUID;
  Math.random = () => {
    use("Math.random");
    return (realRandom() + 0.5) % 1;
  };
  globalThis.Date = laterDate(RealDate, use);
  crypto.randomUUID = () => {
    use("crypto.randomUUID");
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

/** A proxy, so that instances and `instanceof` are those of the real one. */
function laterDate(Real: DateConstructor, use: (name: string) => void): DateConstructor {
  const now = () => {
    use("Date.now");
    return Real.now() + LATER_MS;
  };
  return new Proxy(Real, {
    construct(target, args, asked) {
      if (args.length > 0) return Reflect.construct(target, args, asked);
      use("new Date");
      return Reflect.construct(target, [Real.now() + LATER_MS], asked);
    },
    apply() {
      use("Date");
      return new Real(Real.now() + LATER_MS).toString();
    },
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
}
