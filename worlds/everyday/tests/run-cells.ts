/** Runs the cells of solutions without a sandbox. */
import type { AppSession } from "bowline/testing";

/** Runs cells, which call the session's APIs as `apis.<app>.<api>`, and returns the value of an expression. */
export function runCells(
  session: AppSession,
  cells: readonly string[],
  result: string,
  variables: Readonly<Record<string, unknown>> = {},
): unknown {
  const apis = new Proxy(
    {},
    {
      get: (_, app) =>
        new Proxy(
          {},
          {
            get: (_, api) => (args: object) => session.call(`${String(app)}.${String(api)}`, args),
          },
        ),
    },
  );
  const code = [...cells, `return ${result}`].join(";\n");
  const run = new Function("apis", "print", ...Object.keys(variables), code);
  return run(apis, () => {}, ...Object.values(variables));
}

/** Sorts keys, which are all numbers or all texts. */
export const sortKeys = (keys: unknown): readonly (number | string)[] =>
  (keys as (number | string)[]).toSorted((a, b) => (a < b ? -1 : 1));
