/** The variables of a running template. */

import { Undefined, UnsupportedError, type Value } from "./python/values.ts";
import type { Scope } from "./syntax/scope.ts";

/** The number of rounds of loops and calls of macros after which a template is stopped. */
const MAX_STEPS = 5_000_000;

/** What all frames of one rendering share: the given variables and the work so far. */
export class Rendering {
  readonly #variables: ReadonlyMap<string, Value>;
  #steps = 0;
  constructor(variables: ReadonlyMap<string, Value>) {
    this.#variables = variables;
  }
  find(name: string): Value | undefined {
    const value = this.#variables.get(name);
    if (value === undefined && name === "self") throw new UnsupportedError("the variable self");
    return value;
  }
  countStep(): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS)
      throw new Error(
        `the template was stopped after ${MAX_STEPS} rounds of loops and calls of macros`,
      );
  }
}

/** The values of the names of one scope, while the scope runs. */
export class Frame {
  readonly rendering: Rendering;
  readonly scope: Scope;
  readonly parent: Frame | undefined;
  readonly #values = new Map<string, Value | undefined>();

  /** Enters a scope: gives its names their first values. */
  constructor(rendering: Rendering, scope: Scope, parent?: Frame) {
    this.rendering = rendering;
    this.scope = scope;
    this.parent = parent;
    for (const [name, first] of scope.names) {
      if (first === "context") this.#values.set(name, rendering.find(name));
      else if (first === "outer") this.#values.set(name, parent!.find(name));
    }
  }

  /** Returns the value of a name, or undefined while it has none. */
  find(name: string): Value | undefined {
    if (this.scope.names.has(name)) return this.#values.get(name);
    if (this.parent === undefined) throw new Error(`the variable ${name} belongs to no scope`);
    return this.parent.find(name);
  }
  read(name: string): Value {
    const value = this.find(name);
    return value === undefined ? new Undefined(`'${name}' is undefined`) : value;
  }
  assign(name: string, value: Value): void {
    this.#values.set(name, value);
  }
}
