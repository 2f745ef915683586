/** Builds unchecked configurations as trees: sets values at paths and merges trees. */
import { isPlainObject } from "../../core/index.ts";

export interface ConfigTree {
  [name: string]: unknown;
}

/**
 * Sets the value at a path in `tree`. Any group on the path that is off becomes an object, which switches the group on.
 */
export function setAtPath(
  tree: ConfigTree,
  [name = "", ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) {
    tree[name] = value;
    return;
  }
  const inner = tree[name];
  const group: ConfigTree = isPlainObject(inner) ? { ...inner } : {};
  tree[name] = group;
  setAtPath(group, rest, value);
}

/**
 * Merges trees field by field. If both values are groups, they are merged; otherwise the later value replaces the
 * earlier one.
 */
export function mergeTrees(...trees: readonly unknown[]): ConfigTree {
  const all: ConfigTree = {};
  for (const [name, value] of trees.filter(isPlainObject).flatMap((tree) => Object.entries(tree))) {
    const before = all[name];
    all[name] = isPlainObject(value) && isPlainObject(before) ? mergeTrees(before, value) : value;
  }
  return all;
}
