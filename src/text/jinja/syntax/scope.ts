/** The names of a scope: of a template, or of the body of a loop, of a macro or of some tags. */

/** Where a variable gets its first value. A `parameter` is set by the loop or call. */
export type FirstValue = "parameter" | "context" | "outer" | "none";

export class Scope {
  readonly parent: Scope | undefined;
  /** The names of this scope with the origin of their first value. */
  readonly names: Map<string, FirstValue>;
  /** The names that are assigned in this scope. */
  readonly assigned: Set<string>;

  constructor(parent?: Scope, names = new Map<string, FirstValue>(), assigned = new Set<string>()) {
    this.parent = parent;
    this.names = names;
    this.assigned = assigned;
  }
  isKnown(name: string): boolean {
    return this.names.has(name) || (this.parent?.isKnown(name) ?? false);
  }
  declare(name: string): void {
    this.assigned.add(name);
    this.names.set(name, "parameter");
  }
  read(name: string): void {
    if (!this.isKnown(name)) this.names.set(name, "context");
  }
  assign(name: string): void {
    this.assigned.add(name);
    if (!this.names.has(name)) this.names.set(name, this.parent?.isKnown(name) ? "outer" : "none");
  }
  copy(): Scope {
    return new Scope(this.parent, new Map(this.names), new Set(this.assigned));
  }
  /** Takes over the names of branches. A name that is assigned in a branch keeps the value around it in the others. */
  join(branches: readonly Scope[]): void {
    const inBranches = new Set(branches.flatMap(({ assigned }) => [...assigned]));
    const isNew = [...inBranches].filter((name) => !this.assigned.has(name));
    for (const branch of branches) {
      for (const [name, first] of branch.names) this.names.set(name, first);
      for (const name of branch.assigned) this.assigned.add(name);
    }
    for (const name of isNew)
      this.names.set(name, this.parent?.isKnown(name) ? "outer" : "context");
  }
}
