/** A world's dials from those that were named; the others stay off. */
import { BowlineError, requireFields, shown } from "../../core/index.ts";
import { type Dials, dialsSchema } from "../../spec/index.ts";

/** Nothing at all: not even sessions, which a world with logins has by default. */
export const PLAIN: Dials = { ...dialsSchema.parse({}), logins: false };

/** Throws a `config` error that names the dial. */
export function resolveDials(given: Partial<Dials> = {}): Dials {
  requireFields("dials", given, Object.keys(dialsSchema.shape));
  const { data, error } = dialsSchema.safeParse(given);
  if (data) return data;
  const { path, message } = error.issues[0]!;
  const [dial] = path as [keyof Dials];
  throw new BowlineError("config", `dials.${dial}: ${message}, got ${shown(given[dial])}`);
}
