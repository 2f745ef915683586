/** What of a raw tree has a place in a section: for defaults that are written for more methods than one. */
import { isRaw } from "./parse.ts";
import { activeFields, type Choice, isSection, type Section } from "./section.ts";

/** Leaves out fields that do not exist where `decides` makes its choices. Values are not looked at. */
export function pruned(group: Section<unknown>, raw: unknown, decides: unknown = raw): unknown {
  if (!isRaw(raw)) return raw;
  const deciding = isRaw(decides) ? decides : {};
  const chosen = ({ on, leaf }: Choice<unknown>) => {
    const result = leaf.safeParse(deciding[on]);
    return String(result.success ? result.data : leaf.parse(undefined));
  };
  const fields = activeFields(group, chosen);
  return Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) => {
      const field = fields.get(name);
      if (field === undefined) return [];
      return [[name, isSection(field) ? pruned(field, value, deciding[name]) : value]];
    }),
  );
}
