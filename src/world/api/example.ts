/** A working call of an API, as its definition gives it for the present state. */

import type { Api, Reader } from "../define.ts";
import type { ParameterNames } from "../dials/index.ts";

/** The arguments in the names that the agent sees; undefined when the API has no example. Throws what the example throws. */
export function exampleArgs(
  api: Api,
  db: Reader,
  names: ParameterNames | undefined,
): object | undefined {
  const args = api.example?.(readOnly(db));
  return args && names ? names.showKeys({ ...args }) : args;
}

/** JavaScript that can be run as it stands; undefined when there is none for this state. */
export function exampleText(
  name: string,
  api: Api,
  db: Reader,
  names: ParameterNames | undefined,
): string | undefined {
  try {
    const args = exampleArgs(api, db, names);
    return args && `apis.${name}(${JSON.stringify(args)})`;
  } catch {
    return undefined;
  }
}

/** Documentation is read while the agent works: an example cannot change its data. */
function readOnly(db: Reader): Reader {
  return {
    get: (table, id) => db.get(table, id),
    where: (table, match) => db.where(table, match),
    all: (table) => db.all(table),
  };
}
