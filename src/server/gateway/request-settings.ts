/**
 * Translates the settings of a body into those of a session's request, and the settings that a session does not obey
 * back into the names of fields.
 */
import { listNamedFields, withoutUndefined } from "../../core/index.ts";
import type { SessionRequest } from "../../spec/index.ts";

export type TemplateVariables = Readonly<Record<string, unknown>>;

/** The field of a body that asked for each setting, by the setting's path in `SessionRequest`. */
export type SettingFields = Readonly<Record<string, string>>;

/** Template variables of a request with the fields that asked for them. */
export interface RequestedVariables {
  readonly variables: TemplateVariables | undefined;
  readonly fields: SettingFields;
}

/** Joins the variables that several fields ask for. Of two values of a variable, the later field's is used. */
export function collectVariables(
  asked: readonly { readonly field: string; readonly variables: TemplateVariables | undefined }[],
): RequestedVariables {
  const variables: Record<string, unknown> = {};
  const fields: Record<string, string> = {};
  for (const { field, variables: own = {} } of asked) {
    for (const [name, value] of Object.entries(own)) {
      variables[name] = value;
      fields[`templateVariables.${name}`] = field.replace("*", name);
    }
  }
  return { variables: Object.keys(variables).length > 0 ? variables : undefined, fields };
}

/** Returns variables that turn a model's thoughts on or off. Models differ in how their templates call it. */
export function thinkingVariables(thinks: boolean): TemplateVariables {
  return { enable_thinking: thinks, thinking: thinks };
}

/** Returns the variables for an effort of reasoning. "none" also turns thoughts off where a template can do that. */
export function effortVariables(effort: string | null | undefined): TemplateVariables | undefined {
  if (!effort) return undefined;
  return { reasoning_effort: effort, ...(effort === "none" && thinkingVariables(false)) };
}

/** Returns the filters of a request. `top_k` of 0 and -1 mean no filter, as in vLLM. */
export function readFilters(body: {
  readonly top_p?: number | null | undefined;
  readonly top_k?: number | null | undefined;
  readonly min_p?: number | null | undefined;
}): Pick<SessionRequest, "topP" | "topK" | "minP"> {
  const { top_p: topP, top_k: topK, min_p: minP } = body;
  return withoutUndefined<Pick<SessionRequest, "topP" | "topK" | "minP">>({
    topP: topP ?? undefined,
    topK: topK && topK > 0 ? topK : undefined,
    minP: minP ?? undefined,
  });
}

/**
 * Returns the fields of a body that are not obeyed: those that its table names, and those whose settings the session
 * ignores. A field that asked for several settings is obeyed when one of them is.
 */
export function listIgnoredFields(
  body: unknown,
  ignoredSettings: readonly string[],
  fields: SettingFields,
): string[] {
  const isObeyed = (field: string) =>
    Object.entries(fields).some(
      ([setting, own]) => own === field && !ignoredSettings.includes(setting),
    );
  const bySession = ignoredSettings
    .map((setting) => fields[setting] ?? setting)
    .filter((field) => !isObeyed(field));
  return [...new Set([...listNamedFields(body), ...bySession])];
}

/** The most names in the header. Clients limit the size of all headers together, often to 16 kB. */
const MAX_NAMES = 60;
const MAX_NAME_CHARACTERS = 80;

/**
 * Writes the names of fields for the header `x-bowline-ignored`. The places in lists become `*`, so that equal fields
 * of many messages are named once. Characters that a header cannot hold are escaped as in a URL.
 */
export function formatIgnoredFields(fields: readonly string[]): string {
  const names = [...new Set(fields.map(toHeaderName))];
  const rest = names.length - MAX_NAMES;
  return [...names.slice(0, MAX_NAMES), ...(rest > 0 ? [`and ${rest} more`] : [])].join(", ");
}

function toHeaderName(path: string): string {
  const name = path
    .split(".")
    .map((part) => (/^\d+$/.test(part) ? "*" : part))
    .join(".")
    .replace(/[^\w.*-]/gu, escapeCharacter);
  return name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}...` : name;
}

/** Escapes a character as in a URL. A lone surrogate, which JSON allows, is no character. */
function escapeCharacter(character: string): string {
  return /\p{Surrogate}/u.test(character) ? "%EF%BF%BD" : encodeURIComponent(character);
}
