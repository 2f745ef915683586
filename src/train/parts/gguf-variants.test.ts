/**
 * GGUF files that the `gguf` package wrote, with changed keys, give the ids, log-probs and stops of the original model,
 * or are refused (tests/golden/make_gguf_models.py). None differs without a word.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { largestGap } from "../../../tests/support/formula-weights.ts";
import {
  type GgufEntry,
  GgufFile,
  type GgufTensorToWrite,
  type GgufValue,
  writeGguf,
} from "../../core/gguf/index.ts";
import { BowlineError } from "../../core/index.ts";
import { ggufFormat } from "../../engine/onnx/checkpoint/gguf/gguf-format.ts";
import { hashWeightFiles } from "../../engine/onnx/checkpoint/index.ts";
import { createOnnxEngine } from "../../engine/onnx/worker/index.ts";
import { ggufTextFormat } from "../../text/gguf/gguf-text-format.ts";
import { openModelDirectory } from "./open-model-directory.ts";

interface Variant {
  readonly expect: "same" | "named" | "refused";
  readonly file: "qwen2" | "llama";
  readonly set?: readonly GgufEntry[];
  readonly remove?: readonly string[];
  /** Gives tokens of the first type the second one. */
  readonly retype?: readonly [number, number];
  /** Writes the file in that many shards, leaves one out, and opens the one that is named. */
  readonly shards?: number;
  readonly named?: number;
  readonly missing?: number;
}
interface Logprobs {
  readonly rows: readonly { tokens: number[]; logprobs: number[] }[];
}
interface Ids {
  readonly cases: readonly { text: string; ids: number[]; plain: number[] }[];
}

const goldenPath = (name: string) =>
  fileURLToPath(new URL(`../../../tests/golden/${name}`, import.meta.url));
const readGolden = (name: string) => JSON.parse(readFileSync(goldenPath(name), "utf8"));
const variants: readonly Variant[] = readGolden("gguf-variants.json").variants;
const logprobs: Readonly<Record<string, Logprobs>> = readGolden("hf-logprobs.json");
const ids: Readonly<Record<string, Ids>> = readGolden("hf-tokenizers.json");

const folder = mkdtempSync(join(tmpdir(), "bowline-gguf-variants-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TYPES = "tokenizer.ggml.token_type";
const FRACTIONS = /freq_base|epsilon/;

function toEntry(key: string, value: GgufValue): GgufEntry {
  if (Array.isArray(value)) {
    const kind =
      typeof value[0] === "string" ? "strings" : key.endsWith("scores") ? "float32s" : "int32s";
    return { key, kind, value } as GgufEntry;
  }
  const kind = typeof value === "number" ? (FRACTIONS.test(key) ? "float32" : "uint32") : "string";
  return { key, kind: typeof value === "boolean" ? "bool" : kind, value } as GgufEntry;
}

function readParts(name: string): { entries: GgufEntry[]; tensors: GgufTensorToWrite[] } {
  const file = new GgufFile(goldenPath(`gguf-${name}.gguf`));
  const entries = [...file.metadata].map(([key, value]) => toEntry(key, value));
  const tensors = [...file.tensors].map(([name, { type, dims, position, sizeBytes }]) => {
    const bytes = new Uint8Array(sizeBytes);
    file.readAt(position, bytes);
    return { name, type, dims, bytes: () => [bytes] };
  });
  file.close();
  return { entries, tensors };
}

function changeEntries(entries: readonly GgufEntry[], variant: Variant): GgufEntry[] {
  const { set = [], remove = [], retype } = variant;
  const gone = new Set([...remove, ...set.map(({ key }) => key)]);
  const changed = entries.map((entry) => {
    if (entry.key !== TYPES || entry.kind !== "int32s" || retype === undefined) return entry;
    return { ...entry, value: entry.value.map((type) => (type === retype[0] ? retype[1] : type)) };
  });
  return [...changed.filter(({ key }) => !gone.has(key)), ...set];
}

/** Writes a variant and returns the path that is opened. */
function writeVariant(variant: Variant): string {
  const { entries, tensors } = readParts(variant.file);
  const changed = changeEntries(entries, variant);
  const directory = mkdtempSync(join(folder, "variant-"));
  const { shards = 0, named = 1, missing } = variant;
  if (shards === 0) {
    writeGguf(join(directory, "model.gguf"), changed, tensors);
    return join(directory, "model.gguf");
  }
  const path = (number: number) => join(directory, `model-0000${number}-of-0000${shards}.gguf`);
  for (let number = 1; number <= shards; number++) {
    const own: GgufEntry[] = Object.entries({
      "split.no": number - 1,
      "split.count": shards,
      "split.tensors.count": tensors.length,
    }).map(([key, value]) => ({ key, kind: "uint32", value }));
    const part = tensors.filter((_, i) => i % shards === number - 1);
    if (number !== missing)
      writeGguf(path(number), number === 1 ? [...changed, ...own] : own, part);
  }
  return path(named);
}

/** Log-probs by what was read. Many variants give the same, and it is run once. */
const outputs = new Map<string, Promise<number[][]>>();

async function computeLogprobs(path: string, file: string): Promise<number[][]> {
  const { config } = await openModelDirectory(path);
  const key = JSON.stringify(config) + hashWeightFiles(path, config);
  const known =
    outputs.get(key) ??
    (async () => {
      const engine = await createOnnxEngine({ model: config, seed: 1, weights: path });
      const rows = logprobs[file]!.rows.map(({ tokens }) => ({
        tokens,
        at: tokens.slice(1).map((_, i) => i + 1),
      }));
      const found = await engine.evaluate(rows);
      await engine.close();
      return found.map((output) => [...output.logprobs]);
    })();
  outputs.set(key, known);
  return known;
}

describe("variants of GGUF files", () => {
  test("are at least thirty, of every kind", () => {
    const count = (kind: Variant["expect"]) =>
      variants.filter((variant) => variant.expect === kind).length;
    expect([count("same"), count("named"), count("refused")]).toEqual([50, 6, 69]);
  });

  test("change every key of the tables", () => {
    const changed = variants.flatMap(({ set = [], remove = [], retype, shards }) => [
      ...set.map(({ key }) => key),
      ...remove,
      ...(retype ? [TYPES] : []),
      ...(shards ? ["split.no", "split.count"] : []),
    ]);
    const keys = changed.map((key) => key.replace(/^(qwen2|llama)\./, "ARCH."));
    const isChanged = (name: string) => {
      const prefix = name.replace(/(\*|NAME)$/, "");
      return keys.some((key) => (prefix === name ? key === name : key.startsWith(prefix)));
    };
    const names = [ggufFormat, ggufTextFormat].flatMap(({ fields }) => Object.keys(fields));
    expect(names.filter((name) => !isChanged(name))).toEqual([]);
  });

  test.each(variants.map((variant) => [JSON.stringify(variant), variant] as const))(
    "%s",
    async (_, variant) => {
      const path = writeVariant(variant);
      if (variant.expect === "refused") {
        const error: unknown = await openModelDirectory(path).catch((reason: unknown) => reason);
        expect(BowlineError.is(error) && error.code).toBe("checkpoint");
        expect((error as Error).message).toMatch(/model\S*\.gguf|tokenizer\.json/);
        expect((error as Error).message).not.toContain("\n");
        return;
      }
      const original = await openModelDirectory(goldenPath(`hf-${variant.file}`));
      const model = await openModelDirectory(path);
      for (const { text, ids: wanted, plain } of ids[variant.file]!.cases) {
        expect(model.tokenizer.encodeRendered(text)).toEqual(wanted);
        expect(model.tokenizer.encode(text)).toEqual(plain);
      }
      expect([...model.generation.stopIds].sort()).toEqual([...original.generation.stopIds].sort());
      const found = await computeLogprobs(path, variant.file);
      for (const [i, { logprobs: wanted }] of logprobs[variant.file]!.rows.entries()) {
        expect(largestGap(wanted, found[i]!)).toBeLessThan(1e-3);
      }
      const words = [...(model.namedFields ?? []), ...model.generation.ignored];
      expect(words.length > 0).toBe(variant.expect === "named");
    },
  );
});
