/**
 * Adapters with changed fields in adapter_config.json compute what PEFT computes, or are refused
 * (tests/golden/make_adapter_variants.py). None differs without a word.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { formulaTensors, largestGap } from "../../../../tests/support/formula-weights.ts";
import { BowlineError } from "../../../core/index.ts";
import type { TargetModule } from "../../../spec/index.ts";
import { adapterTensorName, moduleShape, ParameterStore } from "../model/index.ts";
import { createOnnxEngine } from "../worker/index.ts";
import { parseHuggingFaceConfig, readAdapterConfig, writeSafetensors } from "./index.ts";
import { peftFormat } from "./peft-format.ts";

interface Variant {
  readonly expect: "computed" | "refused";
  readonly family: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The modules, rank and layers of the tensors, and shapes of further tensors. */
  readonly targets: readonly TargetModule[];
  readonly rank: number;
  readonly layers: readonly number[];
  readonly more?: Readonly<Record<string, readonly number[]>>;
  readonly logprobs?: readonly number[];
  /** The log-probs are those of the family's unchanged adapter. */
  readonly same?: true;
}
interface Golden {
  readonly bases: Readonly<Record<string, unknown>>;
  readonly config: Readonly<Record<string, unknown>>;
  readonly tokens: number[];
  readonly variants: readonly Variant[];
}

const goldenPath = fileURLToPath(
  new URL("../../../../tests/golden/adapter-variants.json", import.meta.url),
);
const golden: Golden = JSON.parse(readFileSync(goldenPath, "utf8"));

const folder = mkdtempSync(join(tmpdir(), "bowline-adapter-variants-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function openBase(family: string) {
  const config = parseHuggingFaceConfig(golden.bases[family], "base");
  const { parameters } = new ParameterStore(config);
  const directory = join(folder, family);
  if (!existsSync(directory)) {
    mkdirSync(directory);
    writeSafetensors(join(directory, "model.safetensors"), formulaTensors(parameters));
    writeFileSync(join(directory, "config.json"), JSON.stringify(golden.bases[family]));
  }
  return { config, directory, size: parameters.length };
}

function writeAdapter({ family, fields, targets, rank, layers, more }: Variant): string {
  const directory = mkdtempSync(join(folder, "adapter-"));
  const { config, size } = openBase(family);
  const shapes = layers.flatMap((layer) =>
    targets.flatMap((module) => {
      const [out, into] = moduleShape(config, module);
      return [
        { name: adapterTensorName(layer, module, "A"), shape: [rank, into] },
        { name: adapterTensorName(layer, module, "B"), shape: [out, rank] },
      ];
    }),
  );
  const others = Object.entries(more ?? {}).map(([name, shape]) => ({ name, shape }));
  const tensors = formulaTensors([...shapes, ...others], size);
  writeSafetensors(join(directory, "adapter_model.safetensors"), tensors);
  const json = JSON.stringify({ ...golden.config, ...fields });
  writeFileSync(join(directory, "adapter_config.json"), json);
  return directory;
}

/** Log-probs by adapter. Many variants give the same, and it is run once. */
const logprobs = new Map<string, Promise<number[]>>();

async function computeLogprobs(variant: Variant): Promise<number[]> {
  const directory = writeAdapter(variant);
  const { baseName: _, ...lora } = readAdapterConfig(directory);
  const { family, targets, rank, layers, more } = variant;
  const key = JSON.stringify([lora, family, targets, rank, layers, more]);
  const known = logprobs.get(key) ?? runAdapter(variant, directory, lora);
  logprobs.set(key, known);
  return known;
}

async function runAdapter(
  { family }: Variant,
  directory: string,
  lora: Omit<ReturnType<typeof readAdapterConfig>, "baseName">,
): Promise<number[]> {
  const { config: model, directory: weights } = openBase(family);
  const engine = await createOnnxEngine({ model, seed: 1, weights, lora });
  try {
    await engine.load(directory);
    const { tokens } = golden;
    const at = tokens.slice(1).map((_, i) => i + 1);
    const [output] = await engine.evaluate([{ tokens, at }]);
    return [...output!.logprobs];
  } finally {
    await engine.close();
  }
}

describe("variants of adapter_config.json", () => {
  test("are at least thirty, of both kinds", () => {
    const count = (kind: Variant["expect"]) =>
      golden.variants.filter((variant) => variant.expect === kind).length;
    expect([count("computed"), count("refused")]).toEqual([45, 41]);
  });

  test("change every field of the table", () => {
    const fields = golden.variants.flatMap((variant) => Object.keys(variant.fields ?? {}));
    const written = Object.keys(golden.config);
    const missing = Object.keys(peftFormat.fields).filter(
      (field) => ![...fields, ...written].includes(field),
    );
    expect(missing).toEqual([]);
  });

  test.each(golden.variants.map((variant) => [describeVariant(variant), variant] as const))(
    "%s",
    async (_, variant) => {
      if (variant.expect === "refused") {
        const error: unknown = await computeLogprobs(variant).catch((reason: unknown) => reason);
        expect(BowlineError.is(error) && error.code).toBe("checkpoint");
        expect((error as Error).message).toMatch(/adapter_config\.json|adapter_model\.safetensors/);
        return;
      }
      const base = golden.variants.find(
        ({ family, fields }) => family === variant.family && !fields,
      );
      const want = variant.same ? base!.logprobs! : variant.logprobs!;
      expect(largestGap(want, await computeLogprobs(variant))).toBeLessThan(1e-3);
    },
  );
});

function describeVariant({ expect, family, fields, targets }: Variant): string {
  return `${expect}: ${family} ${targets.join(" ")} ${JSON.stringify(fields ?? {})}`;
}
