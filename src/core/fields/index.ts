/** Configuration fields: functions that declare, list and parse them. */

export { toCamelCase } from "./camel-case.ts";
export { dropInactiveFields } from "./drop-inactive-fields.ts";
export { fieldJsonSchema, findField, type JsonObject, sectionJsonSchema } from "./json-schema.ts";
export { type FieldInfo, listFields } from "./list-fields.ts";
export { isPlainObject, parseSection } from "./parse-section.ts";
export {
  type Choice,
  casesWithSameFields,
  choice,
  choiceOrModulePath,
  collectActiveFields,
  type Field,
  type FieldValue,
  isSection,
  offByDefault,
  onByDefault,
  type Section,
  type Shape,
  section,
  withDescription,
} from "./section.ts";
