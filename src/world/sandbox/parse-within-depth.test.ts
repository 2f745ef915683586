import { once } from "node:events";
import { expect, test } from "vitest";
import { packageModuleUrl } from "../../../tests/support/package-module.ts";
import { spawnWorker } from "../../core/index.ts";
import { NestingError, parseWithinDepth } from "./parse-within-depth.ts";

const nest = (count: number, open: string, middle: string, close = "") =>
  open.repeat(count) + middle + close.repeat(count);

/** Code of each kind of nesting that a parser follows by recursion. */
const NESTINGS: Readonly<Record<string, (count: number) => string>> = {
  brackets: (count) => nest(count, "(", "1", ")"),
  blocks: (count) => nest(count, "{", "", "}"),
  arrays: (count) => nest(count, "[", "", "]"),
  objects: (count) => `x = ${nest(count, "{a:", "1", "}")}`,
  functions: (count) => nest(count, "function f(){", "", "}"),
  arrows: (count) => nest(count, "a=>", "1"),
  classes: (count) => nest(count, "class A { static {", "", "}}"),
  "classes that extend classes": (count) => nest(count, "(class extends ", "A", "{})"),
  not: (count) => nest(count, "!", "1"),
  new: (count) => nest(count, "new ", "x"),
  powers: (count) => nest(count, "2**", "1"),
  conditions: (count) => nest(count, "a?b:", "1"),
  ifs: (count) => nest(count, "if(1)", ";"),
  elses: (count) => nest(count, "if(1);else ", ";"),
  labels: (count) => `${Array.from({ length: count }, (_, i) => `a${i}:`).join("")};`,
  templates: (count) => nest(count, "`${", "1", "}`"),
  patterns: (count) => `var ${nest(count, "[", "a", "]")} = 1`,
  calls: (count) => nest(count, "f(", "", ")"),
  sums: (count) => nest(count, "1+", "1"),
  assignments: (count) => nest(count, "a=", "1"),
  awaits: (count) => nest(count, "await ", "1"),
  "groups of a regular expression": (count) => `/${nest(count, "(", "a", ")")}/`,
  "classes of a regular expression": (count) => `/${nest(count, "[", "a", "]")}/v`,
};
const OPTIONS = {
  ecmaVersion: "latest",
  sourceType: "script",
  allowAwaitOutsideFunction: true,
} as const;

test.each(Object.entries(NESTINGS))(
  "%s may be nested 300 deep, and 9000 deep is refused",
  (_, nested) => {
    expect(parseWithinDepth(nested(300), OPTIONS).type).toBe("Program");
    expect(() => parseWithinDepth(nested(9000), OPTIONS)).toThrow(NestingError);
  },
);

/** A thread like a world worker's. It finds the most brackets that are parsed, twice, and then with other work between. */
const WORKER = `
  import { parentPort } from "node:worker_threads";
  import { parseWithinDepth } from ${JSON.stringify(packageModuleUrl("world/sandbox/parse-within-depth.ts"))};
  const isParsed = (count) => {
    try {
      return parseWithinDepth("(".repeat(count) + "1" + ")".repeat(count), { ecmaVersion: "latest" }).type === "Program";
    } catch {
      return false;
    }
  };
  const findLimit = () => {
    let [low, high] = [1, 9000];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (isParsed(middle)) low = middle;
      else high = middle;
    }
    return low;
  };
  const limits = [findLimit(), findLimit()];
  for (let i = 0; i < 3000; i++) parseWithinDepth("f(a + " + i + ", [b, { c }])", { ecmaVersion: "latest" });
  parentPort.postMessage([...limits, findLimit()]);
`;

test("brackets are refused from the same depth on, whatever was compiled before", async () => {
  const entry = new URL(`data:text/javascript,${encodeURIComponent(WORKER)}`);
  const worker = spawnWorker(entry, { resourceLimits: { stackSizeMb: 8 } });
  expect(await once(worker, "message")).toEqual([[1998, 1998, 1998]]);
  await worker.terminate();
});
