/**
 * Saved weights with their `tinker://` paths:
 *
 *   tinker://{model}/weights/{name}           weights and optimizer, to continue training
 *   tinker://{model}/sampler_weights/{name}   weights only
 *
 * Each is a folder. It counts as saved once its record exists, which is written last. Checkpoints stay when models are
 * unloaded or the server restarts.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { formatJson, packTar, readCheckedJson, readJson, writeJson } from "../../core/index.ts";
import { ApiError, throwApiError } from "./api-error.ts";
import type { FrozenWeights, ModelOptions } from "./backend.ts";

export type CheckpointKind = "weights" | "sampler_weights";

export interface CheckpointName {
  readonly modelId: string;
  readonly kind: CheckpointKind;
  readonly name: string;
}

const recordSchema = z.strictObject({
  version: z.literal(1),
  path: z.string(),
  base_model: z.string(),
  lora_rank: z.int().nonnegative(),
  train_mlp: z.boolean(),
  train_attn: z.boolean(),
  user_metadata: z.record(z.string(), z.unknown()).optional(),
  /** The time of creation in seconds since 1970. */
  created: z.number(),
  /** The time of expiry; absent when the checkpoint never expires. */
  expires: z.number().optional(),
});
export type CheckpointRecord = z.infer<typeof recordSchema>;

const PATH = /^tinker:\/\/([\w][\w:.-]*)\/(weights|sampler_weights)\/([\w][\w.-]*)$/;
const NAME = /^\w[\w.-]{0,254}$/;
const RECORD = "checkpoint.json";
const PEFT_CONFIG = "adapter_config.json";
/** The files that only training needs, with the digests, which name some of them. */
const RESUME_FILES = new Set(["optimizer.safetensors", "sha256sums.txt", "trainer-state.json"]);

export function formatCheckpointPath({ modelId, kind, name }: CheckpointName): string {
  return `tinker://${modelId}/${kind}/${name}`;
}

export class Checkpoints {
  readonly #root: string;
  /** Returns the seconds since 1970. */
  readonly #now: () => number;
  /** The paths that are being written, so that a second save under the same name is refused. */
  readonly #reserved = new Set<string>();

  constructor(directory: string, now: () => number) {
    this.#root = join(directory, "checkpoints");
    this.#now = now;
  }

  /** Reserves a name for `write`. Throws a 422 when it is not a valid file name, and a 409 when it is taken. */
  reserve(name: CheckpointName, overwrite: boolean): void {
    if (!NAME.test(name.name)) {
      throw new ApiError(422, [
        {
          type: "string_pattern_mismatch",
          loc: ["body", "path"],
          msg: "a name must be 1 to 255 letters, digits, '_', '-' or '.', and must not start with '.' or '-'",
          input: name.name,
        },
      ]);
    }
    const path = formatCheckpointPath(name);
    if (this.#reserved.has(path) || (!overwrite && this.#find(name))) {
      throwApiError(409, `${path} exists already; choose another name or set overwrite`);
    }
    this.#reserved.add(path);
  }

  /** Writes a checkpoint under a reserved name. `writeWeights` writes the weights into the folder that it gets. */
  async write(
    name: CheckpointName,
    description: Omit<CheckpointRecord, "version" | "path" | "created" | "expires">,
    ttlSeconds: number | undefined,
    writeWeights: (directory: string) => Promise<void>,
  ): Promise<string> {
    const path = formatCheckpointPath(name);
    const folder = this.#folder(name);
    try {
      rmSync(join(folder, RECORD), { force: true });
      await writeWeights(join(folder, "weights"));
      const created = this.#now();
      const expires = ttlSeconds === undefined ? {} : { expires: created + ttlSeconds };
      writeJson(join(folder, RECORD), { version: 1, path, ...description, created, ...expires });
      return path;
    } finally {
      this.#reserved.delete(path);
    }
  }

  /** Throws a 400 when the path is malformed or of another kind, and a 404 when there is no such checkpoint. */
  read(
    path: string,
    kind?: CheckpointKind,
  ): { readonly record: CheckpointRecord; readonly weights: FrozenWeights } {
    const name = parseCheckpointPath(path, kind);
    const record = this.#find(name) ?? throwApiError(404, `there is no checkpoint ${path}`);
    const weights = {
      directory: join(this.#folder(name), "weights"),
      modelId: name.modelId,
      rank: record.lora_rank,
      trainMlp: record.train_mlp,
      trainAttention: record.train_attn,
    };
    return { record, weights };
  }

  /**
   * Packs a checkpoint for other programs as a tar archive in memory: without the optimizer, and with the base model's
   * name as clients know it. Throws as `read` does.
   */
  archive(path: string): Uint8Array {
    const { record, weights } = this.read(path);
    const names = readdirSync(weights.directory).filter((name) => !RESUME_FILES.has(name));
    const files = names.sort().map((name) => {
      const file = join(weights.directory, name);
      if (name !== PEFT_CONFIG) return { name, data: readFileSync(file) };
      const config = {
        ...(readJson(file) as object),
        base_model_name_or_path: record.base_model,
      };
      return { name, data: Buffer.from(formatJson(config)) };
    });
    return packTar(files);
  }

  /** Lists a model's checkpoints, oldest first. */
  list(modelId: string): readonly CheckpointRecord[] {
    const kinds: readonly CheckpointKind[] = ["weights", "sampler_weights"];
    const records = kinds.flatMap((kind) => {
      const folder = join(this.#root, modelFolderName(modelId), kind);
      const names = existsSync(folder) ? readdirSync(folder) : [];
      return names.flatMap((name) => this.#find({ modelId, kind, name }) ?? []);
    });
    return records.sort((a, b) => a.created - b.created);
  }

  /** Deletes a checkpoint. Throws a 404 when there is no such checkpoint. */
  remove(path: string): void {
    const name = parseCheckpointPath(path);
    if (!this.#find(name)) throwApiError(404, `there is no checkpoint ${path}`);
    rmSync(this.#folder(name), { recursive: true, force: true });
  }

  /** Reads a checkpoint's record. A checkpoint that has expired is deleted here. */
  #find(name: CheckpointName): CheckpointRecord | undefined {
    const folder = this.#folder(name);
    const file = join(folder, RECORD);
    if (!existsSync(file)) return undefined;
    const record = readCheckedJson(file, recordSchema);
    if (record.expires === undefined || record.expires > this.#now()) return record;
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }

  #folder({ modelId, kind, name }: CheckpointName): string {
    return join(this.#root, modelFolderName(modelId), kind, name);
  }
}

function parseCheckpointPath(path: string, kind?: CheckpointKind): CheckpointName {
  const [, modelId, found, name] = PATH.exec(path) ?? [];
  if (modelId === undefined || name === undefined || (kind && found !== kind)) {
    const wanted = kind ?? "weights|sampler_weights";
    throwApiError(
      400,
      `expected a path tinker://{model}/${wanted}/{name}, got ${JSON.stringify(path)}`,
    );
  }
  return { modelId, kind: found as CheckpointKind, name };
}

/** Replaces the colons of a model id, which some file systems do not allow. */
function modelFolderName(modelId: string): string {
  return modelId.replaceAll(":", "+");
}

export function describeWeights(base: string, options: Omit<ModelOptions, "seed">) {
  const { rank, trainMlp, trainAttention } = options;
  return { base_model: base, lora_rank: rank, train_mlp: trainMlp, train_attn: trainAttention };
}
