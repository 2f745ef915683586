/** Completes a world's dials. A dial that was not given stays off. */
import { BowlineError, formatValue, requireKnownFields } from "../../core/index.ts";
import { type Dials, dialsSchema } from "../../spec/index.ts";

/** The values with which every dial is off, including `logins`, which is on by default in a world with logins. */
export const ALL_DIALS_OFF: Dials = { ...dialsSchema.parse({}), logins: false };

/** Returns all dials of a world. Throws a `config` error that names a wrong dial. */
export function resolveDials(given: Partial<Dials> = {}): Dials {
  requireKnownFields("dials", given, Object.keys(dialsSchema.shape));
  const { data, error } = dialsSchema.safeParse(given);
  if (data) return data;
  const { path, message } = error.issues[0]!;
  const [dial] = path as [keyof Dials];
  throw new BowlineError("config", `dials.${dial}: ${message}, got ${formatValue(given[dial])}`);
}
