/** Reads the parts of a `tokenizer.json`, which say by their field `type` what they are. */
import { z } from "zod";
import {
  type ComputedFields,
  type FormatTable,
  formatSchema,
  formatValue,
} from "../../../core/index.ts";

type PartTables = Readonly<Record<string, FormatTable>>;
/** The computed fields of one of several tables, with the name of the table as `type`. */
export type PartOf<T extends PartTables> = {
  [K in keyof T & string]: { readonly type: K } & Readonly<ComputedFields<T[K]["fields"]>>;
}[keyof T & string];

/**
 * Returns the schema of parts whose field `type` names a table. Tables do not have the field `type` themselves.
 * `inferType` finds the type of a part of an old file, which has none.
 */
export function typedSchema<T extends PartTables>(
  what: string,
  tables: T,
  inferType?: (part: object) => string | undefined,
): z.ZodType<PartOf<T>> {
  const schemas = new Map(
    Object.entries(tables).map(([type, table]) => [type, formatSchema(table)] as const),
  );
  const schema = z.looseObject({}).transform((part, context): unknown => {
    const { type = inferType?.(part), ...fields } = part;
    const found = typeof type === "string" ? schemas.get(type) : undefined;
    if (found === undefined) {
      const known = [...schemas.keys()].join(", ");
      const message = `${what} ${type === undefined ? "without a type" : formatValue(type)} is not supported; expected one of ${known}`;
      context.addIssue({ code: "custom", path: ["type"], message });
      return z.NEVER;
    }
    const parsed = found.safeParse(fields);
    if (parsed.success)
      return Object.defineProperties({ type }, Object.getOwnPropertyDescriptors(parsed.data));
    for (const { path, message } of parsed.error.issues) {
      context.addIssue({ code: "custom", path, message });
    }
    return z.NEVER;
  });
  return schema as unknown as z.ZodType<PartOf<T>>;
}
