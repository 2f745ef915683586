/**
 * Measures what imports cost. Programs that only define a world import `bowline/world`. This entry point must not load
 * the code that runs worlds, and bundlers must be able to leave out unused code. Processes alternate with a bare Node,
 * because other work on the machine slows both.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { ROOT, runCommand } from "../e2e/support/cli.ts";

interface ProcessCost {
  /** Time of `import(...)` alone. */
  readonly importMs: number;
  /** Time of the whole process. */
  readonly wallMs: number;
  readonly rssMb: number;
}

async function measureProgram(program: string): Promise<ProcessCost> {
  const text = `const from = performance.now(); ${program}; const importMs = performance.now() - from;
    console.log(JSON.stringify({ importMs, rssMb: process.memoryUsage().rss / 1e6 }));`;
  const from = performance.now();
  const { stdout } = await runCommand(process.execPath, ["--input-type=module", "-e", text]);
  return { ...JSON.parse(stdout), wallMs: performance.now() - from };
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Returns medians over nine processes with the import, which alternate with nine of a bare Node. */
async function measureImport(specifier: string) {
  const [bare, full]: [ProcessCost[], ProcessCost[]] = [[], []];
  for (let round = 0; round < 9; round++) {
    bare.push(await measureProgram(""));
    full.push(await measureProgram(`await import(${JSON.stringify(specifier)})`));
  }
  return {
    bareMs: median(bare.map(({ wallMs }) => wallMs)),
    importMs: median(full.map(({ importMs }) => importMs)),
    rssMb: median(full.map(({ rssMb }) => rssMb)) - median(bare.map(({ rssMb }) => rssMb)),
  };
}

/** Lists the packages that an import loads, whether as ES modules or by `require`. */
async function listLoadedPackages(specifier: string): Promise<readonly string[]> {
  const hook = `let port; export const initialize = (data) => { port = data; };
    export const load = (url, context, next) => { port.postMessage(url); return next(url, context); };`;
  const program = `import { createRequire, register } from "node:module";
    const { port1, port2 } = new MessageChannel(); const urls = [];
    port1.on("message", (url) => urls.push(url)); port1.unref();
    register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)}, { data: port2, transferList: [port2] });
    await import(${JSON.stringify(specifier)}); await new Promise((done) => setTimeout(done, 200));
    const required = Object.keys(createRequire(process.cwd() + "/").cache);
    console.log(JSON.stringify([...urls, ...required]));`;
  const { stdout } = await runCommand(process.execPath, ["--input-type=module", "-e", program]);
  const loaded: string[] = JSON.parse(stdout);
  expect(loaded.length).toBeGreaterThan(10);
  const names = loaded.map((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? "");
  return [...new Set(names.filter(Boolean))].sort();
}

describe("the entry point for worlds", () => {
  // Other programs can slow the nine imports and not the nine bare Nodes. An import that costs too much fails each time.
  test("bowline/world is imported within 150 ms, and takes less than 40 MB more than a bare Node", {
    retry: 2,
  }, async () => {
    const { bareMs, importMs, rssMb } = await measureImport("bowline/world");
    console.log(
      `bowline/world: import ${importMs.toFixed(0)} ms (bare Node: ${bareMs.toFixed(0)} ms), +${rssMb.toFixed(1)} MB`,
    );
    // Node without any import starts in 40 to 120 ms. When it takes longer, the machine is busy, and the limit is
    // raised.
    expect(importMs).toBeLessThan(Math.max(150, 2 * bareMs));
    expect(rssMb).toBeLessThan(40);
  });

  test("bowline/world loads no other package than zod", async () => {
    expect(await listLoadedPackages("bowline/world")).toEqual(["zod"]);
  });
});

test("importing bowline does not load the kernels, the sandbox or TypeScript", async () => {
  const { importMs, rssMb } = await measureImport("bowline");
  console.log(`bowline: import ${importMs.toFixed(0)} ms, +${rssMb.toFixed(1)} MB`);
  expect(rssMb).toBeLessThan(80);
  const packages = await listLoadedPackages("bowline");
  const heavy = /onnx|quickjs|tsx|esbuild|typescript|commander|log-update/;
  expect(packages.filter((name) => heavy.test(name))).toEqual([]);
});

test("bowline/engine loads no other package than zod", async () => {
  expect(await listLoadedPackages("bowline/engine")).toEqual(["zod"]);
});

test("the command line's program loads no other package than commander", async () => {
  const packages = await listLoadedPackages(
    new URL("../../dist/cli/program.js", import.meta.url).href,
  );
  expect(packages).toEqual(["commander"]);
});

describe("bundles", () => {
  // The folder is inside the package, so that the entry can import it by name. Git ignores `runs/`.
  const folder = join(ROOT, "runs", `bundled-${process.pid}`);
  const entry = join(folder, "entry.ts");
  mkdirSync(folder, { recursive: true });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function bundle(program: string) {
    writeFileSync(entry, program);
    const { metafile, outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      platform: "node",
      format: "esm",
    });
    const [output] = Object.values(metafile.outputs);
    const inputs = Object.entries(output!.inputs).filter(([, { bytesInOutput }]) => bytesInOutput);
    const ours = inputs.filter(([path]) => path.startsWith("dist/"));
    return {
      bytes: outputFiles[0]!.contents.length,
      ours: ours.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0),
      paths: inputs.map(([path]) => path),
    };
  }

  test.each(["bowline", "bowline/world"])(
    "a bundle with only defineTable from %s is smaller than 1 kB",
    async (name) => {
      const { bytes } = await bundle(
        `import { defineTable } from "${name}"; export const things = defineTable("shelf.things");`,
      );
      expect(bytes).toBeLessThan(1000);
    },
  );

  test("a bundle of a world contains zod and less than 2 kB of Bowline", async () => {
    const { ours, paths } = await bundle(
      `import { defineApi, defineApp, defineTable, defineWorld, z } from "bowline/world";
       const things = defineTable("shelf.things");
       const add = defineApi({ summary: "Add.", params: z.strictObject({}), returns: z.object({}), handler: () => ({}) });
       export const app = defineApp({ name: "shelf", summary: "A shelf.", tables: [things], apis: { add } });
       export { defineWorld };`,
    );
    expect(ours).toBeLessThan(2000);
    const foreign = paths.filter(
      (path) => !/^dist\/|(^|\/)node_modules\/zod\/|entry\.ts$/.test(path),
    );
    expect(foreign).toEqual([]);
  });
});
