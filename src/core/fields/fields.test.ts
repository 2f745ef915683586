/** Tests sections: what a configuration is parsed to, messages about mistakes, and the list of all fields. */
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  casesWithSameFields,
  choice,
  choiceOrModulePath,
  dropInactiveFields,
  type FieldValue,
  listFields,
  offByDefault,
  onByDefault,
  parseSection,
  section,
  withDescription,
} from "./index.ts";

const share = z.number().min(0).max(1);

const clip = section({ clip: share.default(0.1).describe("How far") });

/**
 * A section with every kind of field: leaves, a group, groups that may be off, two choices, and a choice inside a case.
 */
const algo = section(
  {
    epochs: z.number().int().min(1).max(9).default(2).describe("Passes"),
    cap: share.nullable().default(null),
    step: withDescription(
      "A group",
      section({ rate: share.default(0.5), decay: share.default(0) }),
    ),
    kl: offByDefault(
      "A term",
      section({ weight: share.default(0.25), last: z.boolean().default(false) }),
    ),
    late: onByDefault("A rule", section({ share: share.default(0.75) })),
  },
  choice("ratio", "Its span", {
    ...casesWithSameFields(["token", "turn"], clip),
    none: section({}),
  }),
  choice("unit", "Who is credited", {
    rollout: section({}),
    turn: section(
      { key: z.enum(["task", "role"]).default("task") },
      choice("returns", "What counts", {
        all: section({}),
        "to-go": section({ discount: share.default(1) }),
      }),
    ),
  }),
);

const DEFAULTS = {
  ratio: "token",
  clip: 0.1,
  unit: "rollout",
  epochs: 2,
  cap: null,
  step: { rate: 0.5, decay: 0 },
  kl: null,
  late: { share: 0.75 },
};

const parse = (raw: unknown) => parseSection(algo, raw, "algo");

describe("parseSection", () => {
  test("fills in the defaults of fields that are left out", () => {
    expect(parse({})).toEqual(DEFAULTS);
    expect(parse(undefined)).toEqual(DEFAULTS);
    expect(parse({ epochs: 3, step: { rate: 1 } })).toEqual({
      ...DEFAULTS,
      epochs: 3,
      step: { rate: 1, decay: 0 },
    });
  });

  test("leaves a group that is off by default null, unless it is given as true or with a field", () => {
    for (const raw of [undefined, null, false]) expect(parse({ kl: raw }).kl).toBeNull();
    for (const raw of [true, {}])
      expect(parse({ kl: raw }).kl).toEqual({ weight: 0.25, last: false });
    expect(parse({ kl: { weight: 1 } }).kl).toEqual({ weight: 1, last: false });
  });

  test("keeps a group that is on by default, unless it is given as null or false", () => {
    for (const raw of [undefined, true, {}])
      expect(parse({ late: raw }).late).toEqual({ share: 0.75 });
    for (const raw of [null, false]) expect(parse({ late: raw }).late).toBeNull();
    expect(parse({ late: { share: 0 } }).late).toEqual({ share: 0 });
  });

  test("returns the fields of a case only if that case is chosen", () => {
    expect(parse({ ratio: "turn", clip: 0.2 })).toEqual({ ...DEFAULTS, ratio: "turn", clip: 0.2 });
    const { clip: _, ...unclipped } = DEFAULTS;
    expect(parse({ ratio: "none" })).toEqual({ ...unclipped, ratio: "none" });
    expect(parse({ unit: "turn" })).toEqual({
      ...DEFAULTS,
      unit: "turn",
      key: "task",
      returns: "all",
    });
    expect(parse({ unit: "turn", returns: "to-go", discount: 0.5 })).toMatchObject({
      returns: "to-go",
      discount: 0.5,
    });
  });

  test("uses the default case that a choice names, even if it is not the first case", () => {
    const cases = { a: section({}), b: section({ x: share.default(1) }) };
    expect(parseSection(section({}, choice("kind", "", cases, "b")), {})).toEqual({
      kind: "b",
      x: 1,
    });
  });

  test("accepts a module path instead of a case, with the fields that exist for module paths", () => {
    const cases = { uniform: section({}), half: section({ width: share.default(0.2) }) };
    const other = section({ option: z.boolean().default(false) });
    const sampling = section({}, choiceOrModulePath("draw", "How", cases, other));
    expect(parseSection(sampling, {})).toEqual({ draw: "uniform" });
    expect(parseSection(sampling, { draw: "half" })).toEqual({ draw: "half", width: 0.2 });
    expect(parseSection(sampling, { draw: "./mine.ts" })).toEqual({
      draw: "./mine.ts",
      option: false,
    });
    // `toString` is a name that every object inherits, but it is not a case.
    expect(parseSection(sampling, { draw: "toString" })).toEqual({
      draw: "toString",
      option: false,
    });
    expect(() => parseSection(sampling, { draw: "half", option: true })).toThrow(
      "option exists only where draw is a module's path, but here draw is half",
    );
    expect(() => parseSection(sampling, { draw: "" }, "tasks")).toThrow(
      'tasks.draw: expected one of uniform, half, or the path of a module, got ""',
    );
  });
});

describe("an error message of parseSection", () => {
  test.each<[unknown, string]>([
    [{ epochs: "two" }, 'algo.epochs: expected an integer from 1 to 9, got "two"'],
    [{ epochs: 10 }, "algo.epochs: expected an integer from 1 to 9, got 10"],
    [{ epochs: 1.5 }, "algo.epochs: expected an integer from 1 to 9, got 1.5"],
    [{ epochs: null }, "algo.epochs: expected an integer from 1 to 9, got null"],
    [{ epochs: Number.NaN }, "algo.epochs: expected an integer from 1 to 9, got NaN"],
    [{ cap: "x" }, 'algo.cap: expected a number from 0 to 1 or null, got "x"'],
    [{ step: { rate: 2 } }, "algo.step.rate: expected a number from 0 to 1, got 2"],
    [{ kl: { last: 1 } }, "algo.kl.last: expected true or false, got 1"],
    [{ ratio: "word" }, 'algo.ratio: expected one of token, turn, none, got "word"'],
  ])("for a wrong value says what was expected and what it got: %o", (raw, message) => {
    expect(() => parse(raw)).toThrow(expect.objectContaining({ code: "config", message }));
  });

  test.each<[unknown, string]>([
    [3, "algo: expected a group of fields (ratio, clip, unit, returns, discount, key, epochs, "],
    [[], "algo: expected a group of fields (ratio, "],
    [null, "algo: expected a group of fields (ratio, "],
    [{ step: true }, "algo.step: expected a group of fields (rate, decay), got true"],
    [{ kl: "on" }, 'algo.kl: expected null, true or a group of fields (weight, last), got "on"'],
  ])("for a value in place of a group lists the group's fields: %o", (raw, message) => {
    expect(() => parse(raw)).toThrow(message);
  });

  test("names the section 'a configuration' if no path is given", () => {
    expect(() => parseSection(algo, "fast")).toThrow("a configuration: expected a group of fields");
    expect(() => parseSection(clip, { x: 1 })).toThrow(
      /^unknown field x; fields of a configuration: clip$/,
    );
    expect(() => parseSection(clip, { clip: 2 })).toThrow(/^clip: expected a number/);
  });

  test.each<[unknown, string]>([
    [
      { epoch: 1 },
      "unknown field algo.epoch (did you mean algo.epochs?); fields of algo: ratio, clip, unit, epochs, cap, step, kl, late",
    ],
    [{ step: { speed: 1 } }, "unknown field algo.step.speed; fields of algo.step: rate, decay"],
    [
      { ratio: "none", shape: 1 },
      "unknown field algo.shape; fields of algo: ratio, unit, epochs, cap, step, kl, late",
    ],
  ])("for an unknown field names the nearest field and all fields: %o", (raw, message) => {
    expect(() => parse(raw)).toThrow(expect.objectContaining({ code: "config", message }));
  });

  test.each<[unknown, string]>([
    [
      { ratio: "none", clip: 0.1 },
      "algo.clip exists only where algo.ratio is token or turn, but here algo.ratio is none",
    ],
    [
      { key: "role" },
      "algo.key exists only where algo.unit is turn, but here algo.unit is rollout",
    ],
    [
      { discount: 1 },
      "algo.discount exists only where algo.unit is turn and algo.returns is to-go, but here algo.unit is rollout",
    ],
    [
      { unit: "turn", discount: 1 },
      "algo.discount exists only where algo.unit is turn and algo.returns is to-go, but here algo.unit is turn, algo.returns is all",
    ],
  ])(
    "for a field of another case says which choice it needs and what is chosen: %o",
    (raw, message) => {
      expect(() => parse(raw)).toThrow(expect.objectContaining({ code: "config", message }));
    },
  );

  const entry = z.strictObject({
    term: z.enum(["outcome", "turns"]),
    weight: z.union([share, z.strictObject({ from: share, to: share })]).default(1),
    enough: z.number().int().min(1).optional(),
  });
  const rewards = section({
    terms: z.array(entry).max(2).default([]).meta({ expected: "a list of terms" }),
  });

  test.each<[unknown, string]>([
    [{}, "rewards.terms: expected a list of terms, got {}"],
    [[{ term: "turns" }, 3], "rewards.terms.1: expected object, got 3"],
    [[{}], 'rewards.terms.0.term: expected one of "outcome"|"turns", got nothing'],
    [[{ term: "turn" }], 'rewards.terms.0.term: expected one of "outcome"|"turns", got "turn"'],
    [[{ term: "turns", enough: 0 }], "rewards.terms.0.enough: expected number to be >=1, got 0"],
    [[{ term: "turns", enough: "1" }], 'rewards.terms.0.enough: expected number, got "1"'],
    [
      [{ term: "turns", weight: "x" }],
      'rewards.terms.0.weight: expected number or object, got "x"',
    ],
    [
      [{ term: "turns", weight: { from: 1 } }],
      'rewards.terms.0.weight: expected number or number as its to, got {"from":1}',
    ],
    [[{ term: "turns" }, { term: "turns", wait: 1 }], "unknown field rewards.terms.1.wait"],
  ])("for a mistake inside a list names the position in the list: %o", (terms, message) => {
    expect(() => parseSection(rewards, { terms }, "rewards")).toThrow(
      expect.objectContaining({ code: "config", message }),
    );
  });
});

describe("listFields", () => {
  const listed = new Map(listFields(algo, "algo").map((field) => [field.path, field]));

  test("lists choices with the fields of their cases first, then the other fields", () => {
    const names = [...listed.keys()].map((path) => path.slice("algo.".length));
    expect(names).toEqual([
      ...["ratio", "clip", "unit", "returns", "discount", "key", "epochs", "cap"],
      ...["step.rate", "step.decay", "kl", "kl.weight", "kl.last", "late", "late.share"],
    ]);
  });

  test("gives each field's description, expected value in words, default and types", () => {
    expect(listed.get("algo.epochs")).toEqual({
      path: "algo.epochs",
      description: "Passes",
      expected: "an integer from 1 to 9",
      default: 2,
      where: [],
      isGroup: false,
      types: ["integer"],
    });
    expect(listed.get("algo.ratio")).toMatchObject({
      description: "Its span",
      default: "token",
      expected: "one of token, turn, none",
    });
    expect(listed.get("algo.cap")).toMatchObject({
      expected: "a number from 0 to 1 or null",
      default: null,
      types: ["number", "null"],
    });
    expect(listed.get("algo.kl.last")).toMatchObject({ expected: "true or false", default: false });
  });

  test("gives the choices under which a field exists", () => {
    const getConditions = (name: string) => listed.get(`algo.${name}`)!.where;
    expect(getConditions("ratio")).toEqual([]);
    expect(getConditions("step.rate")).toEqual([]);
    expect(getConditions("clip")).toEqual(["algo.ratio is token or turn"]);
    expect(getConditions("returns")).toEqual(["algo.unit is turn"]);
    expect(getConditions("discount")).toEqual(["algo.unit is turn", "algo.returns is to-go"]);
    expect(getConditions("kl.weight")).toEqual(["algo.kl is on"]);
  });

  test("lists a group that may be off as a separate field, whose default parses to the group's default", () => {
    expect(listed.get("algo.kl")).toMatchObject({
      description: "A term",
      default: null,
      where: [],
    });
    expect(listed.get("algo.late")).toMatchObject({ description: "A rule", default: true });
    for (const path of ["algo.kl", "algo.late"]) {
      const { isGroup, expected, default: value } = listed.get(path)!;
      expect(isGroup).toBe(true);
      expect(expected).toBe("null (off), true (on, with its defaults), or its fields");
      const name = path.slice("algo.".length);
      expect(parse({ [name]: value })).toEqual(DEFAULTS);
    }
  });

  test("gives the conditions of an outer group before those of an inner group", () => {
    const outer = section({ extra: offByDefault("", section({ algo })) });
    const { where } = listFields(outer, "").find(({ path }) => path === "extra.algo.discount")!;
    expect(where).toEqual([
      "extra is on",
      "extra.algo.unit is turn",
      "extra.algo.returns is to-go",
    ]);
  });
});

describe("dropInactiveFields", () => {
  test("drops fields that do not exist under the tree's own choices, without checking values", () => {
    expect(
      dropInactiveFields(algo, { ratio: "none", clip: 0.1, epochs: "many", shape: 1 }),
    ).toEqual({
      ratio: "none",
      epochs: "many",
    });
    expect(dropInactiveFields(algo, { discount: 1, key: "role" })).toEqual({});
    expect(dropInactiveFields(algo, { kl: { weight: 1, kind: "x" }, step: { speed: 1 } })).toEqual({
      kl: { weight: 1 },
      step: {},
    });
  });

  test("returns a value that is not an object unchanged", () => {
    for (const raw of [undefined, null, true, "x", [1]])
      expect(dropInactiveFields(algo, raw)).toEqual(raw);
    expect(dropInactiveFields(algo, { kl: true, late: null })).toEqual({ kl: true, late: null });
  });

  test("takes the choices from a second tree if one is given", () => {
    const raw = { clip: 0.3, key: "role", discount: 0.9, epochs: 3 };
    const dropUnderChoices = (decides: unknown) => dropInactiveFields(algo, raw, decides);
    expect(dropUnderChoices({})).toEqual({ clip: 0.3, epochs: 3 });
    expect(dropUnderChoices({ ratio: "none" })).toEqual({ epochs: 3 });
    expect(dropUnderChoices({ unit: "turn" })).toEqual({ clip: 0.3, key: "role", epochs: 3 });
    expect(dropUnderChoices({ unit: "turn", returns: "to-go" })).toEqual(raw);
    // Here an invalid choice counts as the default. Parsing rejects it later.
    expect(dropUnderChoices({ ratio: "word" })).toEqual({ clip: 0.3, epochs: 3 });
  });

  test("takes the choices of a nested group from the same group of the second tree", () => {
    const outer = section({ algo });
    const raw = { algo: { ratio: "none", clip: 0.3 } };
    expect(dropInactiveFields(outer, raw)).toEqual({ algo: { ratio: "none" } });
    expect(dropInactiveFields(outer, raw, { algo: { ratio: "turn" } })).toEqual(raw);
  });
});

test("in types, a choice is a discriminated union and a group that may be off is nullable", () => {
  type Algo = FieldValue<typeof algo>;
  const parsed: Algo = parse({});
  expectTypeOf(parsed.epochs).toEqualTypeOf<number>();
  expectTypeOf(parsed.cap).toEqualTypeOf<number | null>();
  expectTypeOf(parsed.step).toEqualTypeOf<{ readonly rate: number; readonly decay: number }>();
  expectTypeOf(parsed.kl).toEqualTypeOf<{
    readonly weight: number;
    readonly last: boolean;
  } | null>();
  expectTypeOf(parsed.late).toEqualTypeOf<{ readonly share: number } | null>();
  expectTypeOf(parsed.ratio).toEqualTypeOf<"token" | "turn" | "none">();

  // @ts-expect-error: without a ratio there is no clip, so it must be asked for first.
  expect(parsed.clip).toBe(0.1);
  if (parsed.ratio !== "none") expectTypeOf(parsed.clip).toEqualTypeOf<number>();
  if (parsed.unit === "turn") {
    expectTypeOf(parsed.key).toEqualTypeOf<"task" | "role">();
    if (parsed.returns === "to-go") expectTypeOf(parsed.discount).toEqualTypeOf<number>();
  }
  const cases = { uniform: section({}) };
  const other = section({ option: z.boolean().default(false) });
  const open = parseSection(section({}, choiceOrModulePath("draw", "", cases, other)), {});
  expectTypeOf(open.draw).toEqualTypeOf<"uniform" | `${string}.${string}`>();
  if (open.draw !== "uniform") expectTypeOf(open.option).toEqualTypeOf<boolean>();
});
