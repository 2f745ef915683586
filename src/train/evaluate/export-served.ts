/**
 * Downloads the weights of a run that was trained on a server with the Tinker protocol. The checkpoint on this machine
 * holds only the path of the weights on the server. If the server gives no archive, the error says in one line how to
 * get the weights.
 */
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  BowlineError,
  createFolder,
  errorMessage,
  formatJson,
  type ModuleOrigin,
  requireTrustedServer,
  unpackTar,
  writeFileAtomic,
} from "../../core/index.ts";
import type { BaseName, ServedWeights } from "../../engine/index.ts";
import type { Config } from "../config/config.ts";
import type { ExportDtype } from "./export-gguf.ts";

/** What a download needs to know: the policy, its checkpoint, and the wanted form (adapter or whole model). */
export interface ServedExport {
  readonly policy: string;
  readonly checkpoint: string;
  readonly config: Config;
  /** Who named the server. */
  readonly origin: ModuleOrigin;
  readonly merged: boolean;
  readonly dtype: ExportDtype;
}

const PEFT_CONFIG = "adapter_config.json";
/** Files of the archive that are needed only to continue training on the server, with the digests of its files. */
const RESUME_FILES = new Set(["optimizer.safetensors", "sha256sums.txt", "trainer-state.json"]);
/**
 * The time for repeated requests is short, because nobody wants an export to wait long for a server that does not
 * answer.
 */
const RETRY_OPTIONS = { budgetMs: 5000 };

/**
 * Downloads the adapter, or the whole model if all weights were trained, into `folder`. Throws a `config` error when
 * the server does not have the wanted form, and an `engine` error with the path of the weights if they cannot be
 * downloaded.
 */
export async function downloadServedWeights(
  wanted: ServedExport,
  folder: string,
): Promise<BaseName> {
  const { checkpoint, config, merged, dtype } = wanted;
  const { readServedWeights, writeDigests } = await import("../../engine/index.ts");
  const served = readServedWeights(join(checkpoint, "engine"));
  if (dtype !== "f32" || merged !== (served.rank === 0)) {
    throw new BowlineError(
      "config",
      `${explainServedForm(served)}; ${describeServedWeights(wanted, served)}`,
    );
  }
  const archive = await downloadArchive(wanted, served);
  const base = await findBase(served, config);
  try {
    createFolder(folder);
    for (const { name, data } of unpackTar(archive)) {
      if (RESUME_FILES.has(name)) continue;
      writeFileAtomic(
        join(folder, name),
        name === PEFT_CONFIG ? replaceBaseName(data, base) : data,
      );
    }
    writeDigests(folder);
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    throw unavailableError(wanted, served, cause);
  }
  return base;
}

function explainServedForm({ rank }: ServedWeights): string {
  return rank === 0
    ? "the server has only the whole model, in the form in which it trained it: use --merged without --dtype"
    : "the server has only the adapter, in the form in which it trained it: use neither --merged nor --dtype, and merge the adapter into its base model afterwards";
}

async function downloadArchive(wanted: ServedExport, served: ServedWeights): Promise<Uint8Array> {
  requireTrustedServer(serverUrl(wanted), "engine.url", wanted.origin);
  const { createTinkerClient } = await import("../../engine/index.ts");
  const apiKey = process.env["TINKER_API_KEY"];
  try {
    const client = await createTinkerClient({
      baseUrl: serverUrl(wanted),
      apiKey,
      retry: RETRY_OPTIONS,
    });
    try {
      return await client.downloadCheckpoint(served.path);
    } finally {
      client.close();
    }
  } catch (cause) {
    throw unavailableError(wanted, served, cause);
  }
}

const serverUrl = ({ config: { engine } }: ServedExport) => ("url" in engine && engine.url) || "";

function unavailableError(
  wanted: ServedExport,
  served: ServedWeights,
  cause: unknown,
): BowlineError {
  const why = errorMessage(cause).split("\n")[0];
  return new BowlineError(
    "engine",
    `${describeServedWeights(wanted, served)}, and could not be downloaded (${why}); try the service's own tools: tinker checkpoint download ${served.path}`,
    { cause },
  );
}

function describeServedWeights(
  wanted: ServedExport,
  { path, baseModel, rank }: ServedWeights,
): string {
  const what = rank === 0 ? "all weights" : `rank ${rank}`;
  return `the weights of ${wanted.policy} are on the server ${serverUrl(wanted)} as ${path} (base ${baseModel}, ${what})`;
}

/**
 * Returns the server's name of the base model if the Hugging Face hub has a model of this name, otherwise the name of
 * the local folder.
 */
async function findBase({ baseModel }: ServedWeights, { engine }: Config): Promise<BaseName> {
  const { findBaseName, isHubId } = await import("../../engine/index.ts");
  if (isHubId(baseModel)) return { name: baseModel, isHubId: true };
  if (engine.model !== null) return findBaseName(resolve(engine.model));
  return { name: baseModel, isHubId: false };
}

function replaceBaseName(data: Uint8Array, { name }: BaseName): string {
  const config: object = JSON.parse(Buffer.from(data).toString("utf8"));
  return formatJson({ ...config, base_model_name_or_path: name });
}
