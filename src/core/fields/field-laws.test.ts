/** Tests laws that must hold for sections of any shape and for any input. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  choice,
  choiceOrModulePath,
  dropInactiveFields,
  type FieldInfo,
  isPlainObject,
  listFields,
  offByDefault,
  onByDefault,
  parseSection,
  type Section,
  section,
} from "./index.ts";

const share = z.number().min(0).max(1);

/**
 * Generators of leaves. The name of a leaf decides its schema, so a value that is valid in one case is valid in every
 * case that has this field.
 */
const LEAVES = {
  a: { leaf: share.default(0.5), values: fc.constantFrom(0, 0.25, 1) },
  b: { leaf: z.enum(["p", "q"]).default("p"), values: fc.constantFrom("p", "q") },
  c: { leaf: z.number().nullable().default(null), values: fc.constantFrom(null, 3) },
} as const;
const GROUPS = {
  g: (inner: Section<unknown>) => inner,
  o: offByDefault.bind(null, ""),
  n: onByDefault.bind(null, ""),
};
type Name<T> = keyof T & string;

/** Generates sections of any shape. The fields of a case start with the name of its choice, so no two names collide. */
function sectionArbitrary(depth: number, prefix = ""): fc.Arbitrary<Section<unknown>> {
  const leaves = fc
    .subarray(Object.keys(LEAVES) as Name<typeof LEAVES>[])
    .map((names) => names.map((name) => [prefix + name, LEAVES[name].leaf] as const));
  if (depth === 0) return leaves.map((fields) => section(Object.fromEntries(fields)));
  const groups = fc
    .subarray(Object.keys(GROUPS) as Name<typeof GROUPS>[])
    .chain((names) =>
      fc.tuple(
        ...names.map((name) =>
          sectionArbitrary(depth - 1).map((inner) => [prefix + name, GROUPS[name](inner)] as const),
        ),
      ),
    );
  const choices = fc.subarray(["j", "k"]).chain((names) =>
    fc.tuple(
      ...names.map((name) => {
        const inner = sectionArbitrary(depth - 1, prefix + name);
        return fc
          .tuple(inner, inner, inner)
          .map(([one, two, other]) =>
            name === "j"
              ? choice(prefix + name, "", { one, two })
              : choiceOrModulePath(prefix + name, "", { one, two }, other),
          );
      }),
    ),
  );
  return fc.tuple(leaves, groups, choices).map(([plain, nested, made]) => {
    const shape = Object.fromEntries([...plain, ...nested]);
    return section(shape, ...(made as unknown as readonly []));
  });
}

/** Generates input trees with any fields of any cases and valid values for them. */
function treeArbitrary(group: Section<unknown>): fc.Arbitrary<Record<string, unknown>> {
  const fields: Record<string, fc.Arbitrary<unknown>> = {};
  for (const { fieldName, cases, otherCase } of group.choices) {
    const values = otherCase === undefined ? ["one", "two"] : ["one", "two", "./x.js", "valueOf"];
    fields[fieldName] = fc.constantFrom(...values);
    for (const inner of [...Object.values(cases), ...(otherCase ? [otherCase] : [])]) {
      for (const name of listFieldNames(inner)) fields[name] ??= valueArbitrary(inner, name);
    }
  }
  for (const name of listFieldNames(group)) fields[name] ??= valueArbitrary(group, name);
  return fc.record(fields, { requiredKeys: [] });
}

/** Returns the names of all fields of a section and of its cases. */
function listFieldNames({ shape, choices }: Section<unknown>): string[] {
  const inner = choices.flatMap(({ fieldName, cases, otherCase }) => [
    fieldName,
    ...Object.values(cases).flatMap(listFieldNames),
    ...(otherCase ? listFieldNames(otherCase) : []),
  ]);
  return [...Object.keys(shape), ...inner];
}

function valueArbitrary(group: Section<unknown>, name: string): fc.Arbitrary<unknown> {
  const last = name.at(-1) as string;
  if (last === "j") return fc.constantFrom("one", "two");
  if (last === "k") return fc.constantFrom("one", "two", "./x.js", "valueOf");
  if (Object.hasOwn(LEAVES, last)) return LEAVES[last as Name<typeof LEAVES>].values;
  const inner = group.shape[name] as Section<unknown> | undefined;
  const tree = inner === undefined ? fc.constant({}) : treeArbitrary(inner);
  return last === "g" ? tree : fc.oneof(tree, fc.constantFrom(true, false, null));
}

const sectionAndTree = sectionArbitrary(2).chain((group) =>
  fc.tuple(fc.constant(group), treeArbitrary(group)),
);

/** Returns the value at a dotted path, or undefined when there is none. */
function getAtPath(tree: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce((value, name) => (isPlainObject(value) ? value[name] : undefined), tree);
}

/** Returns the paths of all values that are not groups. */
function listLeafPaths(tree: unknown, prefix = ""): string[] {
  if (!isPlainObject(tree)) return [prefix];
  return Object.entries(tree).flatMap(([name, value]) =>
    listLeafPaths(value, prefix === "" ? name : `${prefix}.${name}`),
  );
}

describe("for any section and any input tree", () => {
  test("a tree without inactive fields can be parsed, and parsing the result changes nothing", () => {
    fc.assert(
      fc.property(sectionAndTree, ([group, tree]) => {
        const value = parseSection(group, dropInactiveFields(group, tree));
        expect(parseSection(group, value)).toEqual(value);
        expect(dropInactiveFields(group, value)).toEqual(value);
      }),
    );
  });

  test("dropping inactive fields twice is the same as dropping them once, and changes no tree that can be parsed", () => {
    let refused = 0;
    fc.assert(
      fc.property(sectionAndTree, ([group, tree]) => {
        const once = dropInactiveFields(group, tree);
        expect(dropInactiveFields(group, once)).toEqual(once);
        if (JSON.stringify(once) === JSON.stringify(tree)) return;
        refused += 1;
        expect(() => parseSection(group, tree)).toThrow(/ exists only where |^unknown field /);
      }),
    );
    expect(refused).toBeGreaterThan(10);
  });

  test("two trees can be merged after dropping the fields that are inactive under their combined choices", () => {
    const withTwo = sectionArbitrary(2).chain((group) =>
      fc.tuple(fc.constant(group), treeArbitrary(group), treeArbitrary(group)),
    );
    fc.assert(
      fc.property(withTwo, ([group, base, over]) => {
        const both = { ...base, ...over };
        const [below, above] = [base, over].map(
          (tree) => dropInactiveFields(group, tree, both) as object,
        );
        expect(() => parseSection(group, { ...below, ...above })).not.toThrow();
      }),
    );
  });

  test("every field of a value is listed once, and the defaults contain every field without conditions", () => {
    fc.assert(
      fc.property(sectionAndTree, ([group, tree]) => {
        const fields = listFields(group, "");
        const paths = fields.map(({ path }) => path);
        expect(new Set(paths).size).toBe(paths.length);
        for (const path of listLeafPaths(parseSection(group, dropInactiveFields(group, tree)))) {
          if (path !== "") expect(paths).toContain(path);
        }
        const defaults = parseSection(group, {});
        const always = fields.filter(({ where }) => where.length === 0);
        for (const field of always) expectDefaultAtPath(defaults, field);
      }),
    );
  });
});

function expectDefaultAtPath(
  defaults: unknown,
  { path, isGroup, default: value }: FieldInfo,
): void {
  const found = getAtPath(defaults, path);
  expect(found, path).toBeDefined();
  if (isGroup) expect(found !== null, path).toBe(value === true);
  else expect(found, path).toEqual(value);
}
