/** Sections of fields: what is read from what was written, how mistakes are named, and that a list tells all there is. */
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  choice,
  described,
  listFields,
  off,
  on,
  openChoice,
  parseSection,
  pruned,
  same,
  section,
  type ValueOf,
} from "./index.ts";

const share = z.number().min(0).max(1);

const clip = section({ clip: share.default(0.1).describe("How far") });

/** Everything that a section may have: leaves, a group, groups that may be off, two choices, one inside of a case. */
const algo = section(
  {
    epochs: z.number().int().min(1).max(9).default(2).describe("Passes"),
    cap: share.nullable().default(null),
    step: described("A group", section({ rate: share.default(0.5), decay: share.default(0) })),
    kl: off("A term", section({ weight: share.default(0.25), last: z.boolean().default(false) })),
    late: on("A rule", section({ share: share.default(0.75) })),
  },
  choice("ratio", "Its span", { ...same(["token", "turn"], clip), none: section({}) }),
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

describe("what was written becomes a value", () => {
  test("what is left out is filled in", () => {
    expect(parse({})).toEqual(DEFAULTS);
    expect(parse(undefined)).toEqual(DEFAULTS);
    expect(parse({ epochs: 3, step: { rate: 1 } })).toEqual({
      ...DEFAULTS,
      epochs: 3,
      step: { rate: 1, decay: 0 },
    });
  });

  test("a group that is off: by null, by false and by saying nothing; on by true or by a field", () => {
    for (const raw of [undefined, null, false]) expect(parse({ kl: raw }).kl).toBeNull();
    for (const raw of [true, {}])
      expect(parse({ kl: raw }).kl).toEqual({ weight: 0.25, last: false });
    expect(parse({ kl: { weight: 1 } }).kl).toEqual({ weight: 1, last: false });
  });

  test("a group that is on, until it is switched off", () => {
    for (const raw of [undefined, true, {}])
      expect(parse({ late: raw }).late).toEqual({ share: 0.75 });
    for (const raw of [null, false]) expect(parse({ late: raw }).late).toBeNull();
    expect(parse({ late: { share: 0 } }).late).toEqual({ share: 0 });
  });

  test("fields of a choice exist only where it is made", () => {
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

  test("a choice may name another case than the first as its default", () => {
    const cases = { a: section({}), b: section({ x: share.default(1) }) };
    expect(parseSection(section({}, choice("kind", "", cases, "b")), {})).toEqual({
      kind: "b",
      x: 1,
    });
  });

  test("an open choice takes whatever is none of its cases, with fields for that", () => {
    const cases = { uniform: section({}), half: section({ width: share.default(0.2) }) };
    const other = section({ option: z.boolean().default(false) });
    const sampling = section({}, openChoice("draw", "How", cases, other));
    expect(parseSection(sampling, {})).toEqual({ draw: "uniform" });
    expect(parseSection(sampling, { draw: "half" })).toEqual({ draw: "half", width: 0.2 });
    expect(parseSection(sampling, { draw: "./mine.ts" })).toEqual({
      draw: "./mine.ts",
      option: false,
    });
    // A name that every object has is none of the cases.
    expect(parseSection(sampling, { draw: "toString" })).toEqual({
      draw: "toString",
      option: false,
    });
    expect(() => parseSection(sampling, { draw: "half", option: true })).toThrow(
      "option exists only where draw is a module's path, and here draw is half",
    );
    expect(() => parseSection(sampling, { draw: "" }, "tasks")).toThrow(
      'tasks.draw: expected one of uniform, half, or the path of a module, came ""',
    );
  });
});

describe("a mistake is named by its place", () => {
  test.each<[unknown, string]>([
    [{ epochs: "two" }, 'algo.epochs: expected an integer from 1 to 9, came "two"'],
    [{ epochs: 10 }, "algo.epochs: expected an integer from 1 to 9, came 10"],
    [{ epochs: 1.5 }, "algo.epochs: expected an integer from 1 to 9, came 1.5"],
    [{ epochs: null }, "algo.epochs: expected an integer from 1 to 9, came null"],
    [{ epochs: Number.NaN }, "algo.epochs: expected an integer from 1 to 9, came NaN"],
    [{ cap: "x" }, 'algo.cap: expected a number from 0 to 1 or null, came "x"'],
    [{ step: { rate: 2 } }, "algo.step.rate: expected a number from 0 to 1, came 2"],
    [{ kl: { last: 1 } }, "algo.kl.last: expected true or false, came 1"],
    [{ ratio: "word" }, 'algo.ratio: expected one of token, turn, none, came "word"'],
  ])("a wrong value, %o: what was expected and what came", (raw, message) => {
    expect(() => parse(raw)).toThrow(expect.objectContaining({ code: "config", message }));
  });

  test.each<[unknown, string]>([
    [3, "algo: expected a group of fields (ratio, clip, unit, returns, discount, key, epochs, "],
    [[], "algo: expected a group of fields (ratio, "],
    [null, "algo: expected a group of fields (ratio, "],
    [{ step: true }, "algo.step: expected a group of fields (rate, decay), came true"],
    [{ kl: "on" }, 'algo.kl: expected null, true or a group of fields (weight, last), came "on"'],
  ])("no group, %o: which fields it has", (raw, message) => {
    expect(() => parse(raw)).toThrow(message);
  });

  test("without a path it is a configuration that was expected", () => {
    expect(() => parseSection(algo, "fast")).toThrow("a configuration: expected a group of fields");
    expect(() => parseSection(clip, { x: 1 })).toThrow(
      /^unknown field x; a configuration has clip$/,
    );
    expect(() => parseSection(clip, { clip: 2 })).toThrow(/^clip: expected a number/);
  });

  test.each<[unknown, string]>([
    [
      { epoch: 1 },
      "unknown field algo.epoch (did you mean algo.epochs?); algo has ratio, clip, unit, epochs, cap, step, kl, late",
    ],
    [{ step: { speed: 1 } }, "unknown field algo.step.speed; algo.step has rate, decay"],
    [
      { ratio: "none", shape: 1 },
      "unknown field algo.shape; algo has ratio, unit, epochs, cap, step, kl, late",
    ],
  ])("a field that there is not, %o: the nearest, and all that there are here", (raw, message) => {
    expect(() => parse(raw)).toThrow(expect.objectContaining({ code: "config", message }));
  });

  test.each<[unknown, string]>([
    [
      { ratio: "none", clip: 0.1 },
      "algo.clip exists only where algo.ratio is token or turn, and here algo.ratio is none",
    ],
    [
      { key: "role" },
      "algo.key exists only where algo.unit is turn, and here algo.unit is rollout",
    ],
    [
      { discount: 1 },
      "algo.discount exists only where algo.unit is turn and algo.returns is to-go, and here algo.unit is rollout",
    ],
    [
      { unit: "turn", discount: 1 },
      "algo.discount exists only where algo.unit is turn and algo.returns is to-go, and here algo.unit is turn, algo.returns is all",
    ],
  ])("a field of another case, %o: where it exists, and what is chosen", (raw, message) => {
    expect(() => parse(raw)).toThrow(expect.objectContaining({ code: "config", message }));
  });

  const entry = z.strictObject({
    term: z.enum(["outcome", "turns"]),
    weight: z.union([share, z.strictObject({ from: share, to: share })]).default(1),
    enough: z.number().int().min(1).optional(),
  });
  const rewards = section({
    terms: z.array(entry).max(2).default([]).meta({ expected: "a list of terms" }),
  });

  test.each<[unknown, string]>([
    [{}, "rewards.terms: expected a list of terms, came {}"],
    [[{ term: "turns" }, 3], "rewards.terms.1: expected object, came 3"],
    [[{}], 'rewards.terms.0.term: expected one of "outcome"|"turns", came nothing'],
    [[{ term: "turn" }], 'rewards.terms.0.term: expected one of "outcome"|"turns", came "turn"'],
    [[{ term: "turns", enough: 0 }], "rewards.terms.0.enough: expected number to be >=1, came 0"],
    [[{ term: "turns", enough: "1" }], 'rewards.terms.0.enough: expected number, came "1"'],
    [
      [{ term: "turns", weight: "x" }],
      'rewards.terms.0.weight: expected number or object, came "x"',
    ],
    [
      [{ term: "turns", weight: { from: 1 } }],
      'rewards.terms.0.weight: expected number or number as its to, came {"from":1}',
    ],
    [[{ term: "turns" }, { term: "turns", wait: 1 }], "unknown field rewards.terms.1.wait"],
  ])("inside of a list, %o: the place in it", (terms, message) => {
    expect(() => parseSection(rewards, { terms }, "rewards")).toThrow(
      expect.objectContaining({ code: "config", message }),
    );
  });
});

describe("a list of every field", () => {
  const listed = new Map(listFields(algo, "algo").map((field) => [field.path, field]));

  test("in the order in which fields are looked for: choices with what they bring, then the rest", () => {
    const names = [...listed.keys()].map((path) => path.slice("algo.".length));
    expect(names).toEqual([
      ...["ratio", "clip", "unit", "returns", "discount", "key", "epochs", "cap"],
      ...["step.rate", "step.decay", "kl", "kl.weight", "kl.last", "late", "late.share"],
    ]);
  });

  test("each with its description, what is expected in words, its default and its types", () => {
    expect(listed.get("algo.epochs")).toEqual({
      path: "algo.epochs",
      description: "Passes",
      expected: "an integer from 1 to 9",
      default: 2,
      where: [],
      isGroup: false,
      types: ["integer"],
    });
    const described = { description: "Its span", default: "token" };
    expect(listed.get("algo.ratio")).toMatchObject({
      ...described,
      expected: "one of token, turn, none",
    });
    expect(listed.get("algo.cap")).toMatchObject({
      expected: "a number from 0 to 1 or null",
      default: null,
      types: ["number", "null"],
    });
    expect(listed.get("algo.kl.last")).toMatchObject({ expected: "true or false", default: false });
  });

  test("and with what must be chosen for it to exist", () => {
    const where = (name: string) => listed.get(`algo.${name}`)!.where;
    expect(where("ratio")).toEqual([]);
    expect(where("step.rate")).toEqual([]);
    expect(where("clip")).toEqual(["algo.ratio is token or turn"]);
    expect(where("returns")).toEqual(["algo.unit is turn"]);
    expect(where("discount")).toEqual(["algo.unit is turn", "algo.returns is to-go"]);
    expect(where("kl.weight")).toEqual(["algo.kl is on"]);
  });

  test("a group that may be off is one itself, and its default is what may be written for it", () => {
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

  test("conditions of an outer group come first", () => {
    const outer = section({ extra: off("", section({ algo })) });
    const { where } = listFields(outer, "").find(({ path }) => path === "extra.algo.discount")!;
    expect(where).toEqual([
      "extra is on",
      "extra.algo.unit is turn",
      "extra.algo.returns is to-go",
    ]);
  });
});

describe("pruned", () => {
  test("drops what does not exist under a tree's own choices, and looks at no value", () => {
    expect(pruned(algo, { ratio: "none", clip: 0.1, epochs: "many", shape: 1 })).toEqual({
      ratio: "none",
      epochs: "many",
    });
    expect(pruned(algo, { discount: 1, key: "role" })).toEqual({});
    expect(pruned(algo, { kl: { weight: 1, kind: "x" }, step: { speed: 1 } })).toEqual({
      kl: { weight: 1 },
      step: {},
    });
  });

  test("what is no group stays as it is", () => {
    for (const raw of [undefined, null, true, "x", [1]]) expect(pruned(algo, raw)).toEqual(raw);
    expect(pruned(algo, { kl: true, late: null })).toEqual({ kl: true, late: null });
  });

  test("another tree may decide", () => {
    const raw = { clip: 0.3, key: "role", discount: 0.9, epochs: 3 };
    const under = (decides: unknown) => pruned(algo, raw, decides);
    expect(under({})).toEqual({ clip: 0.3, epochs: 3 });
    expect(under({ ratio: "none" })).toEqual({ epochs: 3 });
    expect(under({ unit: "turn" })).toEqual({ clip: 0.3, key: "role", epochs: 3 });
    expect(under({ unit: "turn", returns: "to-go" })).toEqual(raw);
    // A choice that cannot be read is refused by who parses; until then it is the default.
    expect(under({ ratio: "word" })).toEqual({ clip: 0.3, epochs: 3 });
  });

  test("inside of groups, what decides is what stands at the same place", () => {
    const outer = section({ algo });
    const raw = { algo: { ratio: "none", clip: 0.3 } };
    expect(pruned(outer, raw)).toEqual({ algo: { ratio: "none" } });
    expect(pruned(outer, raw, { algo: { ratio: "turn" } })).toEqual(raw);
  });
});

test("types: a choice is a discriminated union, and a group that may be off is nullable", () => {
  type Algo = ValueOf<typeof algo>;
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
  const open = parseSection(section({}, openChoice("draw", "", cases, other)), {});
  expectTypeOf(open.draw).toEqualTypeOf<"uniform" | `${string}.${string}`>();
  if (open.draw !== "uniform") expectTypeOf(open.option).toEqualTypeOf<boolean>();
});
