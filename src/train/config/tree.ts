/** Raw configurations as trees: values at paths, one laid over another. */
import { isPlainObject } from "../../core/index.ts";

export interface Tree {
  [name: string]: unknown;
}

/** Sets the value at a path; groups on the way are switched on. Changes `tree`. */
export function assignAt(
  tree: Tree,
  [name = "", ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) {
    tree[name] = value;
    return;
  }
  const inner = tree[name];
  const group: Tree = isPlainObject(inner) ? { ...inner } : {};
  tree[name] = group;
  assignAt(group, rest, value);
}

/** Later trees win, field by field; what is no group on both sides is replaced. */
export function merged(...trees: readonly unknown[]): Tree {
  const all: Tree = {};
  for (const [name, value] of trees.filter(isPlainObject).flatMap((tree) => Object.entries(tree))) {
    const before = all[name];
    all[name] = isPlainObject(value) && isPlainObject(before) ? merged(before, value) : value;
  }
  return all;
}
