/**
 * Other names for the parameters of an app, under the dial `renamedParams`.
 *
 * A parameter has one new name in all APIs of its app. Handlers keep their own names: arguments are translated on the
 * way in, and documentation, examples and messages on the way out. What is an old name is then unknown, like any other.
 */
import type { z } from "zod";
import { Rng } from "../../core/index.ts";
import type { App } from "../define.ts";
import { synonymsOf } from "./synonyms.ts";

/** One API's parameters: the names that its handler knows, and those that the agent sees. */
export class ParameterNames {
  readonly #shown: ReadonlyMap<string, string>;
  readonly #own: ReadonlyMap<string, string>;

  constructor(shown: ReadonlyMap<string, string>) {
    this.#shown = shown;
    this.#own = new Map([...shown].map(([own, other]) => [other, own]));
  }

  /** The name that the agent sees; what is no parameter stays as it is. */
  show(own: string): string {
    return this.#shown.get(own) ?? own;
  }

  showKeys<T>(object: { readonly [name: string]: T }): { [name: string]: T } {
    return Object.fromEntries(
      Object.entries(object).map(([own, value]) => [this.show(own), value]),
    );
  }

  showIssue(issue: z.core.$ZodIssue): z.core.$ZodIssue {
    const [first, ...rest] = issue.path;
    return first === undefined ? issue : { ...issue, path: [this.show(String(first)), ...rest] };
  }

  /** A handler's message: the parameters that it starts with (`to: ...`, `title, text: ...`), and those in backticks. */
  showMessage(message: string): string {
    return this.showQuoted(
      message.replace(/^\w+(, \w+)*(?=: )/, (names) => this.#showWords(names)),
    );
  }

  /** A description: the parameters in backticks. */
  showQuoted(text: string): string {
    return text.replace(/`\w+`/g, (name) => this.#showWords(name));
  }

  #showWords(text: string): string {
    return text.replace(/\w+/g, (name) => this.show(name));
  }

  /** Arguments by the handler's names, and the keys that are no parameters. */
  read(args: object): { readonly known: object; readonly unknown: readonly string[] } {
    const entries = Object.entries(args);
    const known = entries.flatMap(([name, value]) => {
      const own = this.#own.get(name);
      return own === undefined ? [] : [[own, value] as const];
    });
    const unknown = entries.map(([name]) => name).filter((name) => !this.#own.has(name));
    return { known: Object.fromEntries(known), unknown };
  }
}

/** By API. The new names of an app are all different, and none is an old one. */
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
      .shuffle(synonymsOf(own))
      .find((name) => !taken.has(name));
    const name = other ?? suffixed(own, taken);
    taken.add(name);
    shown.set(own, name);
  }
  const of = (names: readonly string[]) =>
    new ParameterNames(new Map(names.map((name) => [name, shown.get(name)!])));
  return new Map([...parameters].map(([api, names]) => [api, of(names)]));
}

/** `rooms` to `roomsValue`, then `roomsValue2` and so on. */
function suffixed(own: string, taken: ReadonlySet<string>): string {
  let name = `${own}Value`;
  for (let i = 2; taken.has(name); i++) name = `${own}Value${i}`;
  return name;
}
