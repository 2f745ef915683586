/** A working call of an API in the present state, which the API's function `example` computes. */

import type { Api, Reader } from "../define.ts";
import type { ParameterNames } from "../dials/index.ts";

/**
 * Returns example arguments under the names that the agent sees; undefined when the API has no example. An error of the
 * example is passed on.
 */
export function computeExampleArgs(
  api: Api,
  db: Reader,
  names: ParameterNames | undefined,
): object | undefined {
  const args = api.example?.(withoutWriting(db));
  return args && names ? names.renameKeys({ ...args }) : args;
}

/** Returns the example as JavaScript that can be run unchanged; undefined when there is no example for this state. */
export function formatExampleCall(
  name: string,
  api: Api,
  db: Reader,
  names: ParameterNames | undefined,
): string | undefined {
  try {
    const args = computeExampleArgs(api, db, names);
    return args && `apis.${name}(${JSON.stringify(args)})`;
  } catch {
    return undefined;
  }
}

/** Returns a reader that cannot write, because examples are computed while an agent works and must not change data. */
function withoutWriting(db: Reader): Reader {
  return {
    get: (table, id) => db.get(table, id),
    where: (table, match) => db.where(table, match),
    all: (table) => db.all(table),
  };
}
