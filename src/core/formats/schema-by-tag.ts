/** Schemas of objects that say in one of their fields what they are. They may be schemas of format tables. */
import { z } from "zod";

/**
 * Returns the schema of objects whose field `tag` names one of `schemas`. Errors name the field inside the object, as
 * those of its own schema do. `describe` returns the error of an unknown tag, or of a value that is no object.
 *
 * Unlike zod's discriminated unions, it accepts schemas that transform their objects, such as those of `formatSchema`.
 */
export function schemaByTag<S extends Readonly<Record<string, z.ZodType>>>(
  tag: string,
  schemas: S,
  describe: (got: unknown) => string,
): z.ZodType<z.output<S[keyof S]>> {
  const byTag = new Map<unknown, z.ZodType>(Object.entries(schemas));
  return z.unknown().transform((value, context) => {
    const isObject = typeof value === "object" && value !== null;
    const got = isObject ? (value as Readonly<Record<string, unknown>>)[tag] : value;
    const schema = isObject ? byTag.get(got) : undefined;
    if (schema === undefined) {
      context.addIssue({ code: "custom", path: isObject ? [tag] : [], message: describe(got) });
      return z.NEVER;
    }
    const result = schema.safeParse(value);
    if (result.success) return result.data as z.output<S[keyof S]>;
    for (const { message, path } of result.error.issues) {
      context.addIssue({ code: "custom", path: [...path], message });
    }
    return z.NEVER;
  });
}
