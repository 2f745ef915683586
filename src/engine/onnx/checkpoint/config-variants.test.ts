/**
 * Models with changed fields in config.json compute what transformers computes, or are refused, or name the field
 * (tests/golden/make_config_variants.py). None differs without a word.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { formulaTensors, largestGap } from "../../../../tests/support/formula-weights.ts";
import { BowlineError, type FormatTable } from "../../../core/index.ts";
import { type ModelConfig, ParameterStore } from "../model/index.ts";
import { createOnnxEngine } from "../worker/index.ts";
import { configFormat, familyFormats, ropeFormat } from "./huggingface-format.ts";
import {
  checkWeightFiles,
  hashWeightFiles,
  loadModelDescription,
  parseHuggingFaceConfig,
  writeSafetensors,
} from "./index.ts";

interface Variant {
  readonly expect: "computed" | "refused" | "named";
  readonly family: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Fields of the config whose shapes the weights have. */
  readonly weights?: Readonly<Record<string, unknown>>;
  /** Files of weights with some tensors scaled, and perhaps an index that names the first of them. */
  readonly files?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly logprobs?: readonly number[];
  /** The log-probs are those of the family's base. */
  readonly same?: true;
}
interface Golden {
  readonly removed: string;
  readonly bases: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly tokens: number[];
  readonly variants: readonly Variant[];
}

const goldenPath = fileURLToPath(
  new URL("../../../../tests/golden/config-variants.json", import.meta.url),
);
const golden: Golden = JSON.parse(readFileSync(goldenPath, "utf8"));
const INDEX = "model.safetensors.index.json";

const folder = mkdtempSync(join(tmpdir(), "bowline-config-variants-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function mergeConfig({ family }: Variant, fields: Variant["fields"] = {}): object {
  const both = Object.entries({ ...golden.bases[family], ...fields });
  return Object.fromEntries(both.filter(([, value]) => value !== golden.removed));
}

function writeVariant(variant: Variant): string {
  const directory = mkdtempSync(join(folder, "variant-"));
  const config = parseHuggingFaceConfig(mergeConfig(variant, variant.weights), "base");
  const tensors = formulaTensors(new ParameterStore(config).parameters);
  writeSafetensors(join(directory, "model.safetensors"), tensors);
  for (const [name, scales] of Object.entries(variant.files ?? {})) {
    const scaled = tensors.map((tensor) => ({
      ...tensor,
      data: tensor.data.map((x) => x * (scales[tensor.name] ?? 1)),
    }));
    const shard = Object.keys(variant.files ?? {})[0];
    const weight_map = Object.fromEntries(tensors.map((tensor) => [tensor.name, shard]));
    if (name === INDEX) writeFileSync(join(directory, name), JSON.stringify({ weight_map }));
    else writeSafetensors(join(directory, name), scaled);
  }
  writeFileSync(
    join(directory, "config.json"),
    JSON.stringify(mergeConfig(variant, variant.fields)),
  );
  return directory;
}

/** Log-probs by the model that was read. Many variants give the same, and it is opened once. */
const logprobs = new Map<string, Promise<number[]>>();

async function computeLogprobs(directory: string): Promise<number[]> {
  const { config } = loadModelDescription(directory);
  checkWeightFiles(directory, config);
  const key = JSON.stringify(config) + hashWeightFiles(directory, config);
  const known = logprobs.get(key) ?? runModel(directory, config);
  logprobs.set(key, known);
  return known;
}

async function runModel(directory: string, config: ModelConfig): Promise<number[]> {
  const engine = await createOnnxEngine({ model: config, seed: 1, weights: directory });
  try {
    const { tokens } = golden;
    const at = tokens.slice(1).map((_, i) => i + 1);
    const [output] = await engine.evaluate([{ tokens, at }]);
    return [...output!.logprobs];
  } finally {
    await engine.close();
  }
}

/** Returns the message of a refusal, undefined when the model is read and the weights fit it. */
function refusalMessage(directory: string): string | undefined {
  try {
    checkWeightFiles(directory, loadModelDescription(directory).config);
    return undefined;
  } catch (error) {
    if (BowlineError.is(error) && error.code === "checkpoint") return error.message;
    throw error;
  }
}

const baseLogprobs = (family: string) =>
  golden.variants.find((variant) => variant.family === family && !variant.fields)!.logprobs!;

describe("variants of config.json", () => {
  test("are at least sixty, of every kind", () => {
    const count = (kind: Variant["expect"]) =>
      golden.variants.filter((variant) => variant.expect === kind).length;
    expect([count("computed"), count("refused"), count("named")]).toEqual([78, 57, 9]);
  });

  test("change every field of the tables", () => {
    const variants = golden.variants.map((variant) => ({
      family: variant.family,
      fields: { ...golden.bases[variant.family], ...variant.fields } as Record<string, object>,
    }));
    const fieldsOf = (family?: string) =>
      variants.filter((variant) => !family || variant.family === family).flatMap(listFields);
    const missing = (format: FormatTable, fields: readonly string[]) =>
      Object.keys(format.fields).filter((field) => !fields.includes(field));
    expect(missing(configFormat, fieldsOf())).toEqual([]);
    for (const [family, format] of Object.entries(familyFormats)) {
      expect(missing(format, fieldsOf(family))).toEqual([]);
    }
    const ropes = variants.flatMap(({ fields }) => [
      fields["rope_parameters"],
      fields["rope_scaling"],
    ]);
    expect(
      missing(
        ropeFormat,
        ropes.flatMap((rope) => Object.keys(rope ?? {})),
      ),
    ).toEqual([]);
  });

  test.each(golden.variants.map((variant) => [describeVariant(variant), variant] as const))(
    "%s",
    async (_, variant) => {
      const directory = writeVariant(variant);
      if (variant.expect === "refused") {
        const message =
          refusalMessage(directory) ?? (await computeLogprobs(directory).catch(errorText));
        expect(message).toMatch(/config\.json|safetensors|has a tensor/);
        return;
      }
      const want = variant.same ? baseLogprobs(variant.family) : variant.logprobs!;
      expect(largestGap(want, await computeLogprobs(directory))).toBeLessThan(1e-3);
      const { namedFields } = loadModelDescription(directory);
      const expected = variant.expect === "named" ? Object.keys(variant.fields!) : [];
      expect(namedFields).toEqual(expected);
    },
  );
});

const listFields = ({ fields }: { readonly fields: object }) => Object.keys(fields);

const errorText = (error: unknown) => (error as Error).message;

function describeVariant({ expect, family, fields, weights, files }: Variant): string {
  const changed = [fields, weights && { weights }, files && { files }].filter(Boolean);
  return `${expect}: ${family} ${changed.map((part) => JSON.stringify(part)).join(" ")}`.trim();
}

test("a name of thousands of characters is quoted in part only", () => {
  const name = "x".repeat(3000);
  const base = golden.bases["llama"]!;
  const parse = (fields: object) => () => parseHuggingFaceConfig({ ...base, ...fields }, "a model");
  for (const fields of [
    { model_type: name },
    { architectures: [name] },
    { rope_parameters: { rope_type: name, rope_theta: 10_000 } },
  ]) {
    expect(parse(fields)).toThrow(/^.{1,400}$/);
  }
});
