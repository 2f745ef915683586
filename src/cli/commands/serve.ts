/** `bowline serve --tinker` serves the embedded engine to clients of the Tinker protocol, until Ctrl-C. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Command, Option } from "commander";
import { BowlineError, toCamelCase, toVisibleJson } from "../../core/index.ts";
import type { BaseSource, OpenedBase, TinkerServer } from "../../server/index.ts";
import { type Config, resolveConfig } from "../../train/index.ts";
import type { CommandContext } from "../command-context.ts";
import { listenForInterrupt, waitForAbort } from "../interrupt.ts";
import {
  BASE_HELP,
  integerParser,
  jsonOption,
  POLICY_KINDS,
  readDialFields,
  readKeyVariable,
  seedOption,
} from "../shared-options.ts";
import type { Channel } from "../terminal.ts";
import {
  addOpenEnvOptions,
  OPENENV_OPTIONS,
  type OpenEnvOptions,
} from "./serve-openenv-options.ts";

interface ServeOptions extends OpenEnvOptions {
  readonly tinker?: boolean;
  readonly openai?: string;
  readonly keyFrom?: string;
  readonly key?: string;
  readonly checkpoint?: string;
  readonly host: string;
  readonly port: number;
  readonly state?: string;
  readonly context: number;
  readonly models: number;
  readonly samplers: number;
  readonly seed?: number;
  readonly json?: boolean;
}

/** The fields of the configuration that the Tinker server reads. A name that ends with a dot means a whole section. */
const SERVER_FIELDS = ["engine.model", "engine.threads", "model."] as const;
const TINKER_OPTIONS = ["context", "models", "samplers"];
const LOOPBACK_HOSTS = ["127.0.0.1", "::1", "localhost"];

export function defineServeCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Serve a model or a world until Ctrl-C. With --openenv, trainers of OpenEnv (such as TRL, verifiers, SkyRL) and agents of MCP act in a world. With --openai, agents use a policy through the APIs of OpenAI (chat completions, responses) and Anthropic (messages). With --tinker, any client of the Tinker protocol trains and samples a model in the embedded engine: a Hugging Face folder or GGUF file (--engine.model), any policy (--checkpoint), or a small model with random weights (its shape is given by --model.*).",
    )
    .option("--openai <policy>", `policy to serve to agents: ${POLICY_KINDS}`)
    .option(
      "--key-from <variable>",
      "with --openai and --openenv: environment variable with the API key that clients must send (default: a new key with --openai, none with --openenv)",
    )
    .addOption(new Option("--key <key>").hideHelp())
    .addOption(new Option("--tinker", "serve the Tinker protocol").conflicts(["openai", "openenv"]))
    .option(
      "--checkpoint <policy>",
      `with --tinker: policy that is the base model: ${POLICY_KINDS}`,
    )
    .option(
      "--host <address>",
      "address to listen on; note that --tinker checks no keys",
      "127.0.0.1",
    )
    .addOption(portOption())
    .option("--state <dir>", "folder for checkpoints and results (default: a temporary folder)")
    .option("--context <tokens>", "limit on the tokens of a row", integerParser(16), 4096)
    .option(
      "--models <count>",
      "number of models in training at the same time, each with its own copy of the weights",
      integerParser(1, 64),
      4,
    )
    .option(
      "--samplers <count>",
      "number of weights (such as checkpoints) to sample from at the same time, each with its own copy",
      integerParser(1, 64),
      2,
    )
    .addOption(
      seedOption("seed of the initial weights and of sampling, or of the world").default(1),
    )
    .addOption(jsonOption())
    .addHelpText("after", () => HELP)
    .action((options: ServeOptions, command: Command) =>
      startChosenServer(options, command, context),
    );
  addOpenEnvOptions(command);
}

function portOption(): Option {
  return new Option("--port <port>", "port to listen on, 0 for any free port")
    .default(8000)
    .argParser(integerParser(0, 65_535));
}

const HELP = `
Examples:
  bowline serve --openai runs/starter-seed1 --port 8100
  bowline serve --openenv everyday/starter --port 8100
  bowline serve --tinker --engine.model ./Qwen3-0.6B
  bowline serve --tinker --checkpoint runs/starter-seed1 --port 8100
  bowline serve --tinker --model.hidden-size 32 --model.layers 2

Then point a client at it, such as the official Python SDK:
  TINKER_BASE_URL=http://127.0.0.1:8000 TINKER_API_KEY=tml-local python train.py${BASE_HELP}`;

/**
 * Starts the server that the options select. Throws a `config` error for an option that belongs to the other server.
 */
async function startChosenServer(
  options: ServeOptions,
  command: Command,
  context: CommandContext,
): Promise<void> {
  const { openai, checkpoint, state, key, keyFrom } = options;
  if (key !== undefined) {
    throw new BowlineError(
      "config",
      "--key: other users of this machine can read arguments; put the key into an environment variable and name it: --key-from NAME",
    );
  }
  const readOwnKey = () => (keyFrom === undefined ? {} : { key: readKeyVariable(keyFrom) });
  if (options.openenv !== undefined) {
    refuseGivenOptions(command, TINKER_OPTIONS, "--tinker");
    const { serveOpenEnv } = await import("./serve-openenv.ts");
    const dials = readDialFields(command, context);
    return serveOpenEnv({ ...options, ...readOwnKey(), openenv: options.openenv, dials }, context);
  }
  refuseGivenOptions(command, OPENENV_OPTIONS, "--openenv");
  if (openai === undefined) {
    if (keyFrom === undefined) return serveTinker(options, context);
    throw new BowlineError(
      "config",
      "--key-from is an option for --openai; the Tinker server checks no keys",
    );
  }
  const tinkerOption =
    (checkpoint !== undefined && "--checkpoint") || (state !== undefined && "--state");
  if (tinkerOption) {
    throw new BowlineError(
      "config",
      `${tinkerOption} is an option for --tinker; --openai names the policy itself`,
    );
  }
  const { serveOpenAi } = await import("./serve-openai.ts");
  return serveOpenAi({ ...options, ...readOwnKey(), openai }, context);
}

/** Throws a `config` error when an option was given that only another server has. */
function refuseGivenOptions(command: Command, names: readonly string[], owner: string): void {
  const name = names.find((option) => command.getOptionValueSource(option) === "cli");
  if (name === undefined) return;
  const { flags } = command.options.find((option) => option.attributeName() === name)!;
  throw new BowlineError("config", `${flags.split(" ")[0]} is an option for ${owner}`);
}

async function serveTinker(options: ServeOptions, context: CommandContext): Promise<void> {
  const { out, err } = context.terminal;
  const source = chooseBaseModel(options, context);
  const interrupt = listenForInterrupt(options.json ? err : out);
  const isTemporary = options.state === undefined;
  const state = isTemporary
    ? mkdtempSync(join(tmpdir(), "bowline-serve-"))
    : resolve(options.state!);
  try {
    const { server, opened } = await startTinker(options, source, context, state);
    if (options.json) out.writeLine(toVisibleJson(describeServer(server, opened, state)));
    else
      out.writeLine(formatHeading(server, opened, options, isTemporary ? undefined : state, out));
    await waitForAbort(interrupt.signal);
    await server.close();
    if (!options.json) out.writeLine("the server has stopped");
  } finally {
    interrupt.dispose();
    if (isTemporary) rmSync(state, { recursive: true, force: true });
  }
}

/** Returns where the base model comes from. Throws a `config` error for options that contradict each other. */
function chooseBaseModel(options: ServeOptions, { fields }: CommandContext): BaseSource {
  if (!options.tinker) {
    throw new BowlineError(
      "config",
      "choose what to serve: `bowline serve --openai <policy>` for agents, `bowline serve --tinker` for training, or `bowline serve --openenv <world>` for trainers of other people",
    );
  }
  for (const name of Object.keys(fields)) {
    const field = toCamelCase(name);
    if (
      SERVER_FIELDS.some(
        (known) => field === known || (known.endsWith(".") && field.startsWith(known)),
      )
    ) {
      continue;
    }
    throw new BowlineError(
      "config",
      `bowline serve takes the config fields engine.model, engine.threads and model.*, but --${name} was given; it belongs to bowline train`,
    );
  }
  const config = resolveConfig({ overrides: { ...fields, "run.seed": options.seed ?? 1 } });
  const shapeField = Object.keys(fields).find((name) => toCamelCase(name).startsWith("model."));
  const { model } = config.engine;
  const { checkpoint } = options;
  if (checkpoint !== undefined && shapeField !== undefined) {
    const text = `--checkpoint and --${shapeField} each name a model; give one of them`;
    throw new BowlineError("config", text);
  }
  // With --checkpoint, --engine.model is the base of an adapter.
  if (checkpoint !== undefined) {
    return { from: "policy", path: checkpoint, ...(model !== null && { base: model }) };
  }
  return model === null ? { from: "scratch", config } : { from: "policy", path: model };
}

async function startTinker(
  options: ServeOptions,
  source: BaseSource,
  context: CommandContext,
  state: string,
) {
  const { EmbeddedBackend, openBase, startTinkerServer } = await import("../../server/index.ts");
  const { createOnnxEngine } = await import("../../engine/index.ts");
  const { seed = 1, context: contextLength, host, port } = options;
  const opened = await openBase(source, { stateDirectory: state, contextLength });
  const backend = new EmbeddedBackend({
    ...opened,
    createEngine: createOnnxEngine,
    threads: engineThreads(resolveConfig({ overrides: context.fields })),
    seed,
    maxModels: options.models,
    samplerEngines: options.samplers,
  });
  const server = await startTinkerServer({ backend, stateDirectory: state, host, port, seed });
  return { server, opened };
}

/** Returns the number of threads for the embedded engine. */
function engineThreads({ engine }: Config): number {
  return "threads" in engine ? engine.threads : 2;
}

function describeServer({ url }: TinkerServer, { base }: OpenedBase, state: string) {
  const { name, contextLength, vocabularySize } = base;
  return { url, baseModel: name, contextLength, vocabularySize, state };
}

function formatHeading(
  { url }: TinkerServer,
  { base, model }: OpenedBase,
  { host }: ServeOptions,
  state: string | undefined,
  { paint }: Channel,
): string {
  const about = [
    `hidden ${model.hiddenSize}, ${model.layers} layers`,
    `vocabulary ${base.vocabularySize}`,
    `context ${base.contextLength}`,
  ].join(" · ");
  const open = LOOPBACK_HOSTS.includes(host)
    ? []
    : [paint("yellow", `  Anyone who can reach ${host} can use it: the server checks no keys.`)];
  return [
    `${paint("bold", `bowline serve --tinker  ${base.name}`)}  ${paint("dim", about)}`,
    `  ${paint("cyan", url)}`,
    ...open,
    "",
    "  Point a client of the Tinker protocol at it, with this base_model:",
    `    TINKER_BASE_URL=${url} TINKER_API_KEY=tml-local python train.py   ${paint("dim", `# base_model=${JSON.stringify(base.name)}`)}`,
    "",
    state
      ? `  Checkpoints and results are kept in ${state}.`
      : "  Checkpoints are deleted when the server stops; --state <dir> keeps them.",
    "  Press Ctrl-C to stop the server.",
  ].join("\n");
}
