/**
 * `bowline doctor`: what this machine has, and with a URL what a Tinker server can do and where it differs, measured on a
 * throw-away model.
 */
import type { Command } from "commander";
import { BowlineError, describeMachine } from "../../core/index.ts";
import { checkOnnxRuntime, tinkerDoctor } from "../../engine/index.ts";
import { pluralize } from "../../report/index.ts";
import type { CommandContext } from "../command-context.ts";
import { listenForInterrupt, monotonicSeconds } from "../interrupt.ts";
import { renderDoctorReport } from "../render/doctor-report.ts";
import { renderMachineReport } from "../render/machine-report.ts";
import { integerParser, jsonOption, refuseConfigFields } from "../shared-options.ts";
import type { Channel } from "../terminal.ts";
import { packageVersion } from "../version.ts";

interface DoctorOptions {
  readonly model?: string;
  readonly rank: number;
  readonly eos?: number;
  readonly keyEnv?: string;
  readonly risky?: boolean;
  readonly timeout: number;
  readonly json?: boolean;
}

const DEFAULT_KEY_VARIABLE = "TINKER_API_KEY";

/** Options, help and action. */
export function defineDoctorCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Without a URL: look whether this machine has what training needs. With one, examine a Tinker server: trains and samples throw-away models of a few tokens, and says what works, what differs, how that was seen, and what Bowline does about it.",
    )
    .argument("[url]", "of the server, without /api/v1")
    .option("--model <name>", "base model; needed where the server has several")
    .option("--rank <rank>", "of the throw-away adapters", integerParser(1, 256), 8)
    .option(
      "--eos <id>",
      "the token that ends a text, to see whether samples end with it",
      integerParser(0),
    )
    .option(
      "--key-env <name>",
      `environment variable that holds the API key (default: ${DEFAULT_KEY_VARIABLE}, where it is set)`,
    )
    .option(
      "--risky",
      "also send ids outside the vocabulary and NaN, which can end a server that does not check them (default: on a server of this machine)",
    )
    .option("--no-risky", "never send them")
    .option("--timeout <seconds>", "for one call", integerParser(1, 3600), 120)
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action((url: string | undefined, flags: DoctorOptions, command: Command) => {
      refuseConfigFields(command, context);
      if (url !== undefined) return examineServer(url, flags, context);
      refuseServerOptions(command);
      examineMachine(flags, context);
    });
}

const HELP = `
Examples:
  bowline doctor
  bowline doctor http://127.0.0.1:8000 --eos 257
  TINKER_API_KEY=... bowline doctor https://tinker.example.com --model Qwen/Qwen3-8B --json

A server costs some hundred requests and a few thousand tokens, which the report counts, and unloads what it made.
Exit code 0: examined, whatever was found. 1: no server there, not a Tinker server, or it refused a model.`;

/** Whatever is found is a result: this command says what is missing, and fails at nothing. */
function examineMachine({ json }: DoctorOptions, { terminal: { out } }: CommandContext): void {
  const report = { bowline: packageVersion(), ...describeMachine(), kernels: checkOnnxRuntime() };
  out.writeLine(json ? JSON.stringify(report) : renderMachineReport(report, out));
}

function refuseServerOptions(command: Command): void {
  const given = command.options.find(
    (option) =>
      option.attributeName() !== "json" &&
      command.getOptionValueSource(option.attributeName()) === "cli",
  );
  if (given === undefined) return;
  throw new BowlineError(
    "config",
    `${given.long} is about a server; name its URL, such as bowline doctor http://127.0.0.1:8000`,
  );
}

async function examineServer(
  address: string,
  flags: DoctorOptions,
  { terminal: { out, err } }: CommandContext,
): Promise<void> {
  const url = parseServerUrl(address);
  const key = readApiKey(flags.keyEnv);
  const interrupt = listenForInterrupt(err);
  try {
    const report = await tinkerDoctor.diagnose({
      url,
      rank: flags.rank,
      timeoutMs: flags.timeout * 1000,
      risky: flags.risky ?? isLoopback(url),
      signal: interrupt.signal,
      onTopics: createWaitingNotes(flags.json ? err : out),
      ...(flags.model === undefined ? {} : { model: flags.model }),
      ...(flags.eos === undefined ? {} : { endToken: flags.eos }),
      ...(key === undefined ? {} : { key }),
    });
    out.writeLine(flags.json ? JSON.stringify(report) : renderDoctorReport(report, out));
  } finally {
    interrupt.dispose();
  }
}

/** Plain lines, and only while a slow server makes one wait. */
function createWaitingNotes(channel: Channel): (topics: readonly tinkerDoctor.Topic[]) => void {
  const from = monotonicSeconds();
  let shownAt = from;
  return (topics) => {
    if (monotonicSeconds() - shownAt < 3) return;
    shownAt = monotonicSeconds();
    const names = topics.map((topic) => tinkerDoctor.TOPICS[topic]).join(", ");
    const waited = pluralize(Math.round(shownAt - from), "second");
    channel.writeLine(channel.paint("dim", `${waited}: ${names}`));
  };
}

function parseServerUrl(address: string): string {
  const expected = "expected http://host:port or https://host";
  if (!URL.canParse(address)) {
    throw new BowlineError("config", `${address} is not a URL; ${expected}`);
  }
  const url = new URL(address);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new BowlineError("config", `${url.protocol}// is no server; ${expected}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new BowlineError("config", "a URL must hold no password; name a variable with --key-env");
  }
  return `${url.origin}${url.pathname}`.replace(/\/+(api\/v1\/?)?$/, "");
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}

function readApiKey(variable: string | undefined): string | undefined {
  const key = process.env[variable ?? DEFAULT_KEY_VARIABLE];
  if (key !== undefined && key !== "") return key;
  if (variable === undefined) return undefined;
  throw new BowlineError("config", `--key-env ${variable}: this variable is not set`);
}
