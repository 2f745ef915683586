/** Configuration fields: how they are declared, listed and read. */
export { fieldAt, fieldJsonSchema, type JsonObject, sectionJsonSchema } from "./json-schema.ts";
export { type FieldInfo, listFields } from "./list.ts";
export { camelCase } from "./name.ts";
export { isRaw, parseSection } from "./parse.ts";
export { pruned } from "./prune.ts";
export {
  activeFields,
  type Choice,
  choice,
  described,
  type Field,
  isSection,
  off,
  on,
  openChoice,
  type Section,
  type Shape,
  same,
  section,
  type ValueOf,
} from "./section.ts";
