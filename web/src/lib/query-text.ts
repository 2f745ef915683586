/** Changes the text of a query by clicks, and completes the word at its end. The server parses and answers queries. */
import type { ExploredAnswer } from "../../../src/spec/studio/index.ts";

/** Splits a query into its words. Spaces within quotes do not separate words. */
export function splitWords(query: string): string[] {
  return query.match(/(?:"[^"]*"?|[^\s"])+/g) ?? [];
}

/** Returns the word that asks for a value of a field, with quotes if it needs them. */
export function formatTerm(field: string, value: string): string {
  return `${field}:${/[\s,"]/.test(value) ? `"${value.replaceAll('"', "")}"` : value}`;
}

export function hasTerm(query: string, term: string): boolean {
  return splitWords(query).includes(term);
}

/** Adds the word to the query, or removes it if the query has it. */
export function toggleTerm(query: string, term: string): string {
  const words = splitWords(query);
  const without = words.filter((word) => word !== term);
  return (without.length < words.length ? without : [...words, term]).join(" ");
}

/** Replaces what the query says about a field by one word. */
export function setField(query: string, field: string, term: string): string {
  const others = splitWords(query).filter((word) => !new RegExp(`^-?${field}[:<>]`).test(word));
  return [...others, term].join(" ");
}

export interface Completion {
  /** The whole query after the completion. */
  readonly query: string;
  readonly label: string;
  readonly detail: string;
}

const MAX_COMPLETIONS = 8;

/** Completes the last word: names of fields, and after a colon the values that the data has, with their counts. */
export function completeQuery(
  query: string,
  { fields, facets }: Pick<ExploredAnswer, "fields" | "facets">,
): Completion[] {
  const words = splitWords(query);
  const last = /\s$/.test(query) || query === "" ? "" : (words.at(-1) ?? "");
  const before = last === "" ? words : words.slice(0, -1);
  const negated = last.startsWith("-") ? "-" : "";
  const [name = "", value] = last.slice(negated.length).split(/:(.*)/s);
  const build = (word: string) => [...before, `${negated}${word}`].join(" ");
  if (value === undefined) {
    return fields
      .filter((field) => field.name.startsWith(name) && name !== "")
      .slice(0, MAX_COMPLETIONS)
      .map((field) => ({
        query: build(`${field.name}:`),
        label: field.name,
        detail: field.meaning,
      }));
  }
  const counts = facets.find(({ field }) => field === name)?.values ?? [];
  const known = fields.find((field) => field.name === name)?.values ?? [];
  const more = known.filter((one) => counts.every((count) => count.value !== one));
  return [...counts, ...more.map((one) => ({ value: one, rollouts: 0 }))]
    .filter((one) => one.value.toLowerCase().includes(value.replaceAll('"', "").toLowerCase()))
    .filter((one) => formatTerm(name, one.value) !== last)
    .slice(0, MAX_COMPLETIONS)
    .map((one) => ({
      query: `${build(formatTerm(name, one.value))} `,
      label: one.value,
      detail: one.rollouts === 0 ? "" : String(one.rollouts),
    }));
}
