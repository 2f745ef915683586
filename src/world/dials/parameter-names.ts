/**
 * Renamed parameters of an app, under the dial `renamedParams`.
 *
 * A parameter has the same new name in all APIs of its app. Handlers keep the old names. Arguments are translated
 * before a handler sees them. Documentation, examples and messages are translated before the agent sees them. For the
 * agent, an old name is as unknown as any other word.
 */
import type { z } from "zod";
import { Rng } from "../../core/index.ts";
import type { App } from "../define.ts";
import { findSynonyms } from "./synonyms.ts";

/** The parameters of one API: the names that its handler knows, and the names that the agent sees. */
export class ParameterNames {
  readonly #shown: ReadonlyMap<string, string>;
  readonly #own: ReadonlyMap<string, string>;

  constructor(shown: ReadonlyMap<string, string>) {
    this.#shown = shown;
    this.#own = new Map([...shown].map(([own, other]) => [other, own]));
  }

  /** Returns the name that the agent sees. A word that is not a parameter is not changed. */
  toShown(own: string): string {
    return this.#shown.get(own) ?? own;
  }

  renameKeys<T>(object: { readonly [name: string]: T }): { [name: string]: T } {
    return Object.fromEntries(
      Object.entries(object).map(([own, value]) => [this.toShown(own), value]),
    );
  }

  renameInIssue(issue: z.core.$ZodIssue): z.core.$ZodIssue {
    const [first, ...rest] = issue.path;
    return first === undefined ? issue : { ...issue, path: [this.toShown(String(first)), ...rest] };
  }

  /** Renames parameters in a handler's message: at its start (`to: ...`, `title, text: ...`) and in backticks. */
  renameInMessage(message: string): string {
    return this.renameInBackticks(
      message.replace(/^\w+(, \w+)*(?=: )/, (names) => this.#renameWords(names)),
    );
  }

  /** Renames the parameters that stand in backticks in a description. */
  renameInBackticks(text: string): string {
    return text.replace(/`\w+`/g, (name) => this.#renameWords(name));
  }

  #renameWords(text: string): string {
    return text.replace(/\w+/g, (name) => this.toShown(name));
  }

  /** Translates arguments to the handler's names, and lists the keys that are not parameters. */
  toHandlerNames(args: object): { readonly known: object; readonly unknown: readonly string[] } {
    const entries = Object.entries(args);
    const known = entries.flatMap(([name, value]) => {
      const own = this.#own.get(name);
      return own === undefined ? [] : [[own, value] as const];
    });
    const unknown = entries.map(([name]) => name).filter((name) => !this.#own.has(name));
    return { known: Object.fromEntries(known), unknown };
  }
}

/** Draws new parameter names for each API of an app. All new names differ, and none of them is an old name. */
export function renameParameters(app: App, seed: number): ReadonlyMap<string, ParameterNames> {
  const parameters = new Map(
    Object.entries(app.apis).map(([api, { params }]) => [api, Object.keys(params.shape)]),
  );
  const rng = new Rng(seed).child(app.name);
  const shown = new Map<string, string>();
  const taken = new Set([...parameters.values()].flat());
  for (const own of [...taken].sort()) {
    const other = rng
      .child(own)
      .shuffle(findSynonyms(own))
      .find((name) => !taken.has(name));
    const name = other ?? addUnusedSuffix(own, taken);
    taken.add(name);
    shown.set(own, name);
  }
  const namesFor = (names: readonly string[]) =>
    new ParameterNames(new Map(names.map((name) => [name, shown.get(name)!])));
  return new Map([...parameters].map(([api, names]) => [api, namesFor(names)]));
}

/** Adds a suffix that makes a name unused: `rooms` becomes `roomsValue`, then `roomsValue2` and so on. */
function addUnusedSuffix(own: string, taken: ReadonlySet<string>): string {
  let name = `${own}Value`;
  for (let i = 2; taken.has(name); i++) name = `${own}Value${i}`;
  return name;
}
