/** `bowline trust` lets a person allow the code that a run from elsewhere names, see what is allowed, and end it. */
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import {
  BowlineError,
  type InspectedModule,
  isPlainObject,
  listTrustedModules,
  listTrustedServers,
  readJson,
  removeServerTrust,
  removeTrust,
  toVisibleJson,
  trustModule,
  trustServer,
} from "../../core/index.ts";
import { pluralize } from "../../report/index.ts";
import { readEnvironmentRecord } from "../../server/index.ts";
import {
  listNamedModules,
  listNamedServers,
  recognisePolicyWithWeights,
} from "../../train/index.ts";
import { type CommandContext, EXIT_CODES } from "../command-context.ts";
import { jsonOption, refuseConfigFields } from "../shared-options.ts";

interface TrustOptions {
  readonly list?: boolean;
  readonly remove?: string;
  readonly json?: boolean;
}

export function defineTrustCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Allow what a run or checkpoint from elsewhere names: its modules (world, method, engine, scaffold, participants and so on), which are code with your rights, so read them first; and its server, to which your key is sent. Runs that you train here are trusted without this command.",
    )
    .argument("[run]", "a run directory or a checkpoint")
    .option("--list", "list the modules and servers that you trust")
    .option(
      "--remove <module>",
      "end the trust in the module at this path, or in the server at this URL",
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  bowline trust runs/from-a-colleague\n  bowline trust --list\n  bowline trust --remove ./world.mjs",
    )
    .action((run: string | undefined, options: TrustOptions, command: Command) => {
      refuseConfigFields(command, context);
      requireOneTask(run, options);
      if (options.list) listTrust(options, context);
      else if (options.remove !== undefined) endTrust(options.remove, options, context);
      else trustRun(run!, options, context);
    });
}

function requireOneTask(run: string | undefined, { list, remove }: TrustOptions): void {
  const given = [run, list, remove].filter((value) => value !== undefined);
  if (given.length === 1) return;
  throw new BowlineError(
    "config",
    "bowline trust takes one of these: a run or checkpoint whose modules you trust, --list, or --remove MODULE",
  );
}

/** Trusts every module that the run's files name, or none if one of them is missing. */
function trustRun(run: string, { json }: TrustOptions, { terminal }: CommandContext): void {
  const { out } = terminal;
  const named = listRecords(run).flatMap(({ file, config }) =>
    listNamedModules(config).map((module) => ({ ...module, file })),
  );
  const environment = readEnvironmentRecord(run);
  if (environment !== undefined) {
    const { file: path, record } = environment;
    named.push({ field: "environment", path, file: record });
  }
  const namedServers = listRecords(run).flatMap(({ config }) => listNamedServers(config));
  const servers = new Map(namedServers.map(({ url, field }) => [url, field]));
  const missing = named.find(({ path }) => !existsSync(path));
  if (missing !== undefined) {
    throw new BowlineError(
      "config",
      `${missing.field}: ${missing.file} names the module ${missing.path}, which does not exist, so nothing was trusted; paths are relative to the folder in which bowline runs`,
    );
  }
  const fields = new Map(named.map(({ path, field }) => [path, field]));
  const trusted = [...fields].map(([path, field]) => ({ field, ...trustModule(path) }));
  for (const server of servers.keys()) trustServer(server);
  const lines = [
    ...trusted.map(formatModule),
    ...[...servers].map(([server, field]) => `trusted  ${server}  (${field})`),
  ];
  const none = `${run} names no modules and no server, so it needs no trust`;
  out.writeLine(
    json ? toVisibleJson({ run, trusted, servers: [...servers.keys()] }) : lines.join("\n") || none,
  );
}

function formatModule({
  field,
  path,
  digest,
  files,
}: InspectedModule & { readonly field: string }): string {
  const others = files.length - 1;
  const imports = others === 0 ? "" : `, with ${pluralize(others, "local import")}`;
  return `trusted  ${shorten(digest)}  ${path}  (${field}${imports})`;
}

const shorten = (digest: string) => digest.slice(0, 12);

/** Reads every file of a run or checkpoint that names modules. */
function listRecords(path: string): { readonly file: string; readonly config: unknown }[] {
  const checkpoints = join(path, "checkpoints");
  const folders = existsSync(checkpoints) ? readdirSync(checkpoints).sort() : [];
  const candidates = [
    join(path, "run.json"),
    join(path, "policy.json"),
    ...folders.map((name) => join(checkpoints, name, "policy.json")),
  ].filter((file) => existsSync(file));
  const files = candidates.length > 0 ? candidates : [findPolicyFile(path)];
  return files.map((file) => {
    const record = readJson(file);
    return { file, config: isPlainObject(record) ? record["config"] : undefined };
  });
}

/** Returns the file that names the modules of a policy. Throws a `config` error if the policy can name none. */
function findPolicyFile(path: string): string {
  const policy = recognisePolicyWithWeights(path);
  if ("checkpoint" in policy) return join(policy.checkpoint, "policy.json");
  throw new BowlineError(
    "config",
    `${resolve(path)} is no run and no checkpoint of one, so it names no modules and needs no trust`,
  );
}

function listTrust({ json }: TrustOptions, { terminal }: CommandContext): void {
  const { out } = terminal;
  const trusted = listTrustedModules();
  const servers = listTrustedServers();
  const lines = trusted.map(({ path, digest }) => `${shorten(digest)}  ${path}`);
  const text = [...lines, ...servers].join("\n") || "you trust no modules and no servers";
  out.writeLine(json ? toVisibleJson({ trusted, servers }) : text);
}

function endTrust(
  path: string,
  { json }: TrustOptions,
  { terminal, setExitCode }: CommandContext,
): void {
  const { out, err } = terminal;
  const isRemoved = /^https?:/.test(path) ? removeServerTrust(path) : removeTrust(path);
  if (json) out.writeLine(toVisibleJson({ removed: isRemoved }));
  else if (isRemoved) out.writeLine(`${path} is no longer trusted`);
  if (isRemoved) return;
  if (!json) err.writeLine(`${path} was not trusted; bowline trust --list shows what is`);
  setExitCode(EXIT_CODES.failed);
}
