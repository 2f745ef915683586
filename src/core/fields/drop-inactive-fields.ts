/** Removes fields that a section does not have, so that the same defaults can be written for several methods. */
import { isPlainObject } from "./parse-section.ts";
import { type Choice, collectActiveFields, isSection, type Section } from "./section.ts";

/** Returns `raw` without the fields that do not exist under the choices in `choicesFrom`. Values are not checked. */
export function dropInactiveFields(
  group: Section<unknown>,
  raw: unknown,
  choicesFrom: unknown = raw,
): unknown {
  if (!isPlainObject(raw)) return raw;
  const choices = isPlainObject(choicesFrom) ? choicesFrom : {};
  const getChosenCase = ({ fieldName, leaf }: Choice<unknown>) => {
    const result = leaf.safeParse(choices[fieldName]);
    return String(result.success ? result.data : leaf.parse(undefined));
  };
  const fields = collectActiveFields(group, getChosenCase);
  return Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) => {
      const field = fields.get(name);
      if (field === undefined) return [];
      return [[name, isSection(field) ? dropInactiveFields(field, value, choices[name]) : value]];
    }),
  );
}
