/**
 * Opens a model that is in one GGUF file, or in shards as llama.cpp splits it: `NAME-00001-of-00003.gguf` and so on.
 * The first shard has all metadata, and each shard has its number, the number of shards and the number of all tensors.
 */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { BowlineError } from "../errors.ts";
import { GgufFile } from "./gguf-file.ts";
import type { GgufKeys } from "./parse-keys.ts";
import type { GgufTensor, GgufValue } from "./types.ts";

const SHARD_NAME = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/;
/** More shards than any model has. A file cannot make us look for more. */
const MAX_SHARDS = 9999;
const SPLIT_KEYS = {
  number: "split.no",
  shards: "split.count",
  tensors: "split.tensors.count",
} as const;

/** The open shards of a model. Whichever shard was named, all are open. Its errors name a file. */
export class GgufShards {
  /** The path of the first shard, or of the only file. */
  readonly path: string;
  readonly metadata: ReadonlyMap<string, GgufValue>;
  readonly tensors: ReadonlyMap<string, GgufTensor>;
  readonly #files: GgufFile[] = [];
  readonly #fileByTensor = new Map<string, GgufFile>();

  constructor(path: string) {
    try {
      this.#openAll(path);
      const [first] = this.#files as [GgufFile];
      this.path = first.path;
      this.metadata = first.metadata;
      this.tensors = this.#collectTensors();
    } catch (cause) {
      this.close();
      throw cause;
    }
  }

  /** Fills `target` with the bytes of a tensor from `offset` on. */
  readTensor(name: string, offset: number, target: Uint8Array): void {
    const file = this.#fileByTensor.get(name);
    const tensor = this.tensors.get(name);
    if (!file || !tensor) throw shardError(this.path, `it has no tensor ${name}`);
    file.readAt(tensor.position + offset, target);
  }

  close(): void {
    for (const file of this.#files.splice(0)) file.close();
  }

  #openAll(path: string): void {
    const named = new GgufFile(path);
    this.#files.push(named);
    const paths = listShardPaths(named);
    if (paths.length <= 1) return;
    this.close();
    for (const [number, shard] of paths.entries()) {
      const file = new GgufFile(shard);
      this.#files.push(file);
      requireKey(file, SPLIT_KEYS.number, number);
      requireKey(file, SPLIT_KEYS.shards, paths.length);
    }
  }

  #collectTensors(): ReadonlyMap<string, GgufTensor> {
    const tensors = new Map<string, GgufTensor>();
    for (const file of this.#files) {
      for (const [name, tensor] of file.tensors) {
        if (tensors.has(name)) throw shardError(file.path, `another shard has ${name} too`);
        tensors.set(name, tensor);
        this.#fileByTensor.set(name, file);
      }
    }
    const [first] = this.#files;
    if (first?.metadata.has(SPLIT_KEYS.tensors)) {
      requireKey(first, SPLIT_KEYS.tensors, tensors.size);
    }
    return tensors;
  }
}

/** Opens a model, returns its metadata and closes it. Throws a `checkpoint` error also when a shard is missing. */
export function readGgufKeys(path: string): GgufKeys {
  const file = new GgufShards(path);
  file.close();
  return { path: file.path, metadata: file.metadata };
}

/** Returns the paths of all shards in order, or the path of the file itself. Throws when some are missing. */
function listShardPaths({ path, metadata }: GgufFile): string[] {
  const count = metadata.get(SPLIT_KEYS.shards) ?? 1;
  if (typeof count !== "number" || !Number.isInteger(count) || count < 0 || count > MAX_SHARDS) {
    const value = String(count).slice(0, 40);
    throw shardError(path, `${SPLIT_KEYS.shards} is ${value}; expected at most ${MAX_SHARDS}`);
  }
  if (count <= 1) return [path];
  const [, name, , inName] = SHARD_NAME.exec(basename(path)) ?? [];
  if (name === undefined || Number(inName) !== count) {
    throw shardError(
      path,
      `it is one of ${count} shards, and its name does not tell those of the others; expected NAME-00001-of-${pad(count)}.gguf`,
    );
  }
  const paths = Array.from({ length: count }, (_, i) =>
    join(dirname(path), `${name}-${pad(i + 1)}-of-${pad(count)}.gguf`),
  );
  const missing = paths.filter((shard) => !existsSync(shard)).map((shard) => basename(shard));
  if (missing.length === 0) return paths;
  const more = missing.length > 5 ? ` and ${missing.length - 5} more` : "";
  throw shardError(
    path,
    `it is one of ${count} shards, and ${missing.slice(0, 5).join(", ")}${more} are missing from its folder`,
  );
}

const pad = (number: number) => String(number).padStart(5, "0");

function requireKey({ path, metadata }: GgufFile, key: string, expected: number): void {
  const value = metadata.get(key);
  if (value === expected) return;
  throw shardError(path, `${key} is ${String(value).slice(0, 40)}; expected ${expected}`);
}

function shardError(path: string, problem: string): BowlineError {
  return new BowlineError("checkpoint", `cannot read ${path}: ${problem}`);
}
