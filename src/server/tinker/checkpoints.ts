/**
 * Saved weights under their `tinker://` names:
 *
 *   tinker://{model}/weights/{name}           all that training goes on with
 *   tinker://{model}/sampler_weights/{name}   weights alone
 *
 * A folder each; it counts once its record is there, which is written last. They outlive models and the server.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { formatJson, packTar, readJson, writeJson } from "../../core/index.ts";
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
  /** Seconds since 1970. */
  created: z.number(),
  /** Absent: never. */
  expires: z.number().optional(),
});
export type CheckpointRecord = z.infer<typeof recordSchema>;

const PATH = /^tinker:\/\/([\w][\w:.-]*)\/(weights|sampler_weights)\/([\w][\w.-]*)$/;
const NAME = /^\w[\w.-]{0,254}$/;
const RECORD = "checkpoint.json";
const PEFT_CONFIG = "adapter_config.json";
/** What only training goes on with. */
const RESUME_FILES = new Set(["optimizer.safetensors", "trainer-state.json"]);

export function formatCheckpointPath({ modelId, kind, name }: CheckpointName): string {
  return `tinker://${modelId}/${kind}/${name}`;
}

export class Checkpoints {
  readonly #root: string;
  /** Seconds since 1970. */
  readonly #now: () => number;
  /** Being written: a second save under the same name is refused before it runs. */
  readonly #reserved = new Set<string>();

  constructor(directory: string, now: () => number) {
    this.#root = join(directory, "checkpoints");
    this.#now = now;
  }

  /** Throws a 422 on a name that cannot be a file's, a 409 when it is taken. */
  reserve(name: CheckpointName, overwrite: boolean): void {
    if (!NAME.test(name.name)) {
      throw new ApiError(422, [
        {
          type: "string_pattern_mismatch",
          loc: ["body", "path"],
          msg: "a name has letters, digits, '_', '-' and '.', at most 255, and does not start with '.' or '-'",
          input: name.name,
        },
      ]);
    }
    const path = formatCheckpointPath(name);
    if (this.#reserved.has(path) || (!overwrite && this.#find(name))) {
      throwApiError(409, `${path} exists already; name another, or set overwrite`);
    }
    this.#reserved.add(path);
  }

  /** `fill` writes the weights into the folder that it is given. The name must be reserved. */
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

  /** Throws a 400 when the path is none of ours or of another kind, a 404 when nothing is there. */
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
   * What others load of it, as a tar archive, in memory: no optimizer, and an adapter's base by the name that clients know.
   * Throws as `read` does.
   */
  archive(path: string): Uint8Array {
    const { record, weights } = this.read(path);
    const names = readdirSync(weights.directory).filter((name) => !RESUME_FILES.has(name));
    const files = names.sort().map((name) => {
      const file = join(weights.directory, name);
      if (name !== PEFT_CONFIG) return { name, data: readFileSync(file) };
      const config = { ...(readJson(file) as object), base_model_name_or_path: record.base_model };
      return { name, data: Buffer.from(formatJson(config)) };
    });
    return packTar(files);
  }

  /** Of a model, oldest first. */
  list(modelId: string): readonly CheckpointRecord[] {
    const kinds: readonly CheckpointKind[] = ["weights", "sampler_weights"];
    const records = kinds.flatMap((kind) => {
      const folder = join(this.#root, modelFolderName(modelId), kind);
      const names = existsSync(folder) ? readdirSync(folder) : [];
      return names.flatMap((name) => this.#find({ modelId, kind, name }) ?? []);
    });
    return records.sort((a, b) => a.created - b.created);
  }

  /** Throws a 404 when nothing is there. */
  remove(path: string): void {
    const name = parseCheckpointPath(path);
    if (!this.#find(name)) throwApiError(404, `there is no checkpoint ${path}`);
    rmSync(this.#folder(name), { recursive: true, force: true });
  }

  /** What has expired is removed when somebody looks. */
  #find(name: CheckpointName): CheckpointRecord | undefined {
    const folder = this.#folder(name);
    const file = join(folder, RECORD);
    if (!existsSync(file)) return undefined;
    const record = recordSchema.parse(readJson(file));
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
    throwApiError(400, `expected tinker://{model}/${wanted}/{name}, came ${JSON.stringify(path)}`);
  }
  return { modelId, kind: found as CheckpointKind, name };
}

/** Model ids have colons, which not every file system takes. */
function modelFolderName(modelId: string): string {
  return modelId.replaceAll(":", "+");
}

export function describeWeights(base: string, options: Omit<ModelOptions, "seed">) {
  const { rank, trainMlp, trainAttention } = options;
  return { base_model: base, lora_rank: rank, train_mlp: trainMlp, train_attn: trainAttention };
}
