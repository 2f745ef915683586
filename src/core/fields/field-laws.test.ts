/** Laws of sections, for sections of any shape and whatever was written. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  choice,
  type FieldInfo,
  isRaw,
  listFields,
  off,
  on,
  openChoice,
  parseSection,
  pruned,
  type Section,
  section,
} from "./index.ts";

const share = z.number().min(0).max(1);

/** A leaf's name decides what it holds, so a tree that is right for one case is right for any other that has the field. */
const LEAVES = {
  a: { leaf: share.default(0.5), values: fc.constantFrom(0, 0.25, 1) },
  b: { leaf: z.enum(["p", "q"]).default("p"), values: fc.constantFrom("p", "q") },
  c: { leaf: z.number().nullable().default(null), values: fc.constantFrom(null, 3) },
} as const;
const GROUPS = {
  g: (inner: Section<unknown>) => inner,
  o: off.bind(null, ""),
  n: on.bind(null, ""),
};
type Name<T> = keyof T & string;

/** Sections of any shape: names of a case begin with that of its choice, so they never meet those of the section. */
function sections(depth: number, prefix = ""): fc.Arbitrary<Section<unknown>> {
  const leaves = fc
    .subarray(Object.keys(LEAVES) as Name<typeof LEAVES>[])
    .map((names) => names.map((name) => [prefix + name, LEAVES[name].leaf] as const));
  if (depth === 0) return leaves.map((fields) => section(Object.fromEntries(fields)));
  const groups = fc
    .subarray(Object.keys(GROUPS) as Name<typeof GROUPS>[])
    .chain((names) =>
      fc.tuple(
        ...names.map((name) =>
          sections(depth - 1).map((inner) => [prefix + name, GROUPS[name](inner)] as const),
        ),
      ),
    );
  const choices = fc.subarray(["j", "k"]).chain((names) =>
    fc.tuple(
      ...names.map((name) => {
        const inner = sections(depth - 1, prefix + name);
        return fc
          .tuple(inner, inner, inner)
          .map(([one, two, other]) =>
            name === "j"
              ? choice(prefix + name, "", { one, two })
              : openChoice(prefix + name, "", { one, two }, other),
          );
      }),
    ),
  );
  return fc.tuple(leaves, groups, choices).map(([plain, nested, made]) => {
    const shape = Object.fromEntries([...plain, ...nested]);
    return section(shape, ...(made as unknown as readonly []));
  });
}

/** Trees that may have any field of any case, with values that it may hold. */
function trees(group: Section<unknown>): fc.Arbitrary<Record<string, unknown>> {
  const fields: Record<string, fc.Arbitrary<unknown>> = {};
  for (const { on, cases, otherwise } of group.choices) {
    const values = otherwise === undefined ? ["one", "two"] : ["one", "two", "./x.js", "valueOf"];
    fields[on] = fc.constantFrom(...values);
    for (const inner of [...Object.values(cases), ...(otherwise ? [otherwise] : [])]) {
      for (const name of namesIn(inner)) fields[name] ??= valuesOf(inner, name);
    }
  }
  for (const name of namesIn(group)) fields[name] ??= valuesOf(group, name);
  return fc.record(fields, { requiredKeys: [] });
}

/** Names of a section and of its cases. */
function namesIn({ shape, choices }: Section<unknown>): string[] {
  const inner = choices.flatMap(({ on, cases, otherwise }) => [
    on,
    ...Object.values(cases).flatMap(namesIn),
    ...(otherwise ? namesIn(otherwise) : []),
  ]);
  return [...Object.keys(shape), ...inner];
}

function valuesOf(group: Section<unknown>, name: string): fc.Arbitrary<unknown> {
  const last = name.at(-1) as string;
  if (last === "j") return fc.constantFrom("one", "two");
  if (last === "k") return fc.constantFrom("one", "two", "./x.js", "valueOf");
  if (Object.hasOwn(LEAVES, last)) return LEAVES[last as Name<typeof LEAVES>].values;
  const inner = group.shape[name] as Section<unknown> | undefined;
  const tree = inner === undefined ? fc.constant({}) : trees(inner);
  return last === "g" ? tree : fc.oneof(tree, fc.constantFrom(true, false, null));
}

const withTree = sections(2).chain((group) => fc.tuple(fc.constant(group), trees(group)));

/** What stands at a path; undefined where nothing does. */
function atPath(tree: unknown, path: string): unknown {
  return path.split(".").reduce((value, name) => (isRaw(value) ? value[name] : undefined), tree);
}

/** Paths of all that is no group. */
function leafPaths(tree: unknown, prefix = ""): string[] {
  if (!isRaw(tree)) return [prefix];
  return Object.entries(tree).flatMap(([name, value]) =>
    leafPaths(value, prefix === "" ? name : `${prefix}.${name}`),
  );
}

describe("of any section and any tree", () => {
  test("a tree without what does not exist can be parsed, and a parsed one is parsed to itself", () => {
    fc.assert(
      fc.property(withTree, ([group, tree]) => {
        const value = parseSection(group, pruned(group, tree));
        expect(parseSection(group, value)).toEqual(value);
        expect(pruned(group, value)).toEqual(value);
      }),
    );
  });

  test("pruning changes no tree that can be parsed as it is, and twice is once", () => {
    let refused = 0;
    fc.assert(
      fc.property(withTree, ([group, tree]) => {
        const once = pruned(group, tree);
        expect(pruned(group, once)).toEqual(once);
        if (JSON.stringify(once) === JSON.stringify(tree)) return;
        refused += 1;
        expect(() => parseSection(group, tree)).toThrow(/ exists only where |^unknown field /);
      }),
    );
    expect(refused).toBeGreaterThan(10);
  });

  test("two trees, each pruned by the choices of both together, fit together", () => {
    const withTwo = sections(2).chain((group) =>
      fc.tuple(fc.constant(group), trees(group), trees(group)),
    );
    fc.assert(
      fc.property(withTwo, ([group, base, over]) => {
        const both = { ...base, ...over };
        const [below, above] = [base, over].map((tree) => pruned(group, tree, both) as object);
        expect(() => parseSection(group, { ...below, ...above })).not.toThrow();
      }),
    );
  });

  test("whatever is in a value is listed, once, and a field without conditions is in the defaults", () => {
    fc.assert(
      fc.property(withTree, ([group, tree]) => {
        const fields = listFields(group, "");
        const paths = fields.map(({ path }) => path);
        expect(new Set(paths).size).toBe(paths.length);
        for (const path of leafPaths(parseSection(group, pruned(group, tree)))) {
          if (path !== "") expect(paths).toContain(path);
        }
        const defaults = parseSection(group, {});
        const always = fields.filter(({ where }) => where.length === 0);
        for (const field of always) expectDefault(defaults, field);
      }),
    );
  });
});

function expectDefault(defaults: unknown, { path, isGroup, default: value }: FieldInfo): void {
  const found = atPath(defaults, path);
  expect(found, path).toBeDefined();
  if (isGroup) expect(found !== null, path).toBe(value === true);
  else expect(found, path).toEqual(value);
}
