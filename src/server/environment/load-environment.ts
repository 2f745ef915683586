/**
 * Loads an environment: a file in JSON, which `environment-format.ts` describes, or a module whose default export has
 * the same parts as the options of `trainAgent`. Both are code, because they name what is started.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  BowlineError,
  errorMessage,
  explainLoadFailure,
  formatValue,
  isPlainObject,
  loadUserModule,
  type ModuleOrigin,
  requireKnownFields,
  requireTrustedPath,
  THIS_CALL,
} from "../../core/index.ts";
import {
  type AgentTasks,
  type RunAgent,
  readRecordingFile,
  type WarmStart,
} from "../agent/index.ts";
import { command } from "./command.ts";
import { endpoint } from "./endpoint.ts";
import { type EnvironmentBody, environmentSchema } from "./environment-format.ts";

/** Tasks, and what plays them. */
export interface Environment {
  readonly tasks: AgentTasks<unknown>;
  readonly run: RunAgent<unknown>;
  readonly passAt?: number;
  readonly warmStart?: WarmStart<unknown>;
  /** How long an episode may take. */
  readonly timeoutSeconds?: number;
}

const MODULE_FIELDS = ["tasks", "run", "passAt", "warmStart", "timeoutSeconds"] as const;

/**
 * Loads the environment at `path`. Throws a `config` error when it is wrong, and a `trust` error, before anything is read
 * or started, when a file names it and this user has not trusted it at this path.
 */
export async function loadEnvironment(path: string, origin: ModuleOrigin): Promise<Environment> {
  const file = resolve(path);
  if (origin.by === "file") requireTrustedPath(file, "environment", origin);
  if (!existsSync(file)) throw configError(`environment: there is no file ${file}`);
  return extname(file) === ".json" ? readEnvironmentFile(file) : loadEnvironmentModule(file);
}

async function loadEnvironmentModule(file: string): Promise<Environment> {
  const url = pathToFileURL(file).href;
  let module: { readonly default?: unknown };
  try {
    // Its path is trusted, or this call names it.
    module = await loadUserModule(url, "environment", THIS_CALL);
  } catch (cause) {
    throw configError(
      `environment: ${file} cannot be loaded: ${explainLoadFailure(cause, url)}`,
      cause,
    );
  }
  const { default: made } = module;
  if (!isPlainObject(made)) {
    throw configError(
      `environment: expected ${file} to export { tasks, run } as its default, got ${formatValue(made)}`,
    );
  }
  requireKnownFields(`the environment ${file}`, made, MODULE_FIELDS);
  return made as unknown as Environment;
}

function readEnvironmentFile(file: string): Environment {
  const parsed = environmentSchema.safeParse(readJsonOf(file));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = [file, ...(issue?.path.length ? [issue.path.join(".")] : [])].join(": ");
    throw configError(`environment: ${place}: ${issue?.message}`);
  }
  return createEnvironment(parsed.data, file);
}

function createEnvironment(body: EnvironmentBody, file: string): Environment {
  const { tasks, passAt, conversations, timeoutSeconds } = body;
  const folder = dirname(file);
  const readList = (list: string | unknown[]) =>
    typeof list === "string" ? readTasks(resolve(folder, list)) : list;
  return {
    run: createRun(body, file),
    tasks:
      typeof tasks === "string" || Array.isArray(tasks)
        ? readList(tasks)
        : {
            train: readList(tasks.train),
            dev: readList(tasks.dev ?? []),
            test: readList(tasks.test ?? []),
          },
    ...(passAt !== undefined && { passAt }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(conversations !== undefined && {
      warmStart: { conversations: readRecordingFile(resolve(folder, conversations)) },
    }),
  };
}

function createRun(body: EnvironmentBody, file: string): RunAgent<unknown> {
  const { command: program, url, workingDirectory, env, graceSeconds, ...rest } = body;
  const { timeoutSeconds, rewardField } = rest;
  if ((program === undefined) === (url === undefined)) {
    throw configError(
      `environment: ${file}: expected either a command or a url, got ${url === undefined ? "neither" : "both"}`,
    );
  }
  if (program !== undefined) {
    const folder = resolve(dirname(file), workingDirectory ?? ".");
    return command({
      ...{ command: program, workingDirectory: folder, env },
      ...{ timeoutSeconds, graceSeconds, rewardField },
    });
  }
  const field = Object.entries({ workingDirectory, env, graceSeconds }).find(
    ([, value]) => value !== undefined,
  );
  if (field !== undefined) {
    throw configError(`environment: ${file}: ${field[0]} belongs to a command, and here is a url`);
  }
  return endpoint({ url: url!, timeoutSeconds, rewardField });
}

/** Reads tasks: a JSON list, or any JSON value on each line. */
function readTasks(path: string): unknown[] {
  if (extname(path) === ".json") {
    const list = readJsonOf(path);
    if (Array.isArray(list)) return list;
    throw configError(`environment: ${path}: expected a list of tasks, got ${formatValue(list)}`);
  }
  return readText(path)
    .split("\n")
    .flatMap((line, i) => (line.trim() === "" ? [] : [parseJson(line, `${path}:${i + 1}`)]));
}

const readJsonOf = (path: string) => parseJson(readText(path), path);

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw configError(`environment: cannot read ${path}: ${errorMessage(cause)}`, cause);
  }
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw configError(`environment: ${place} is no JSON: ${errorMessage(cause)}`, cause);
  }
}

const configError = (message: string, cause?: unknown) =>
  new BowlineError("config", message, { cause });
