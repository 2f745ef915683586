/**
 * `bowline doctor` examines this machine or, when it is given a URL, a Tinker server: what it can do and where it
 * differs.
 */
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { BowlineError, toVisibleJson } from "../../core/index.ts";
import { tinkerDoctor } from "../../engine/index.ts";
import { pluralize } from "../../report/index.ts";
import type { CommandContext } from "../command-context.ts";
import { listenForInterrupt, monotonicSeconds } from "../interrupt.ts";
import { renderDoctorReport } from "../render/doctor-report.ts";
import {
  integerParser,
  jsonOption,
  readKeyVariable,
  refuseConfigFields,
} from "../shared-options.ts";
import type { Channel } from "../terminal.ts";
import { examineMachine } from "./examine-machine.ts";

interface DoctorOptions {
  readonly model?: string;
  readonly rank: number;
  readonly eos?: number;
  readonly keyFrom?: string;
  readonly risky?: boolean;
  readonly timeout: number;
  readonly gpu?: boolean;
  readonly json?: boolean;
}

const DEFAULT_KEY_VARIABLE = "TINKER_API_KEY";

export function defineDoctorCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Without a URL, check whether this machine has what training needs. With a URL, examine a Tinker server: train and sample temporary models with a few tokens, and report what works, what differs, the evidence, and what Bowline does about it.",
    )
    .argument("[url]", "URL of the server, without /api/v1")
    .option(
      "--model <name>",
      "base model, required if the server has several; asked for if it names none",
    )
    .option("--rank <rank>", "rank of the temporary adapters", integerParser(1, 256), 8)
    .option(
      "--eos <id>",
      "id of the end token, to check that samples end with it",
      integerParser(0),
    )
    .option(
      "--key-from <name>",
      `environment variable that holds the API key (default: ${DEFAULT_KEY_VARIABLE}, if set)`,
    )
    .option(
      "--risky",
      "also send NaN and token ids outside the vocabulary, which can crash a server that does not check for them (default for a server on this machine)",
    )
    .option("--no-risky", "never send such values")
    .option(
      "--gpu",
      "without a URL: compare what the graphics adapter computes with the CPU, which takes seconds and is done by itself before anything is trained there",
    )
    .option("--timeout <seconds>", "limit on one request, in seconds", integerParser(1, 3600), 120)
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(async (url: string | undefined, flags: DoctorOptions, command: Command) => {
      refuseConfigFields(command, context);
      if (url !== undefined && flags.gpu) {
        throw new BowlineError("config", "--gpu is about this machine; leave out the URL");
      }
      if (url !== undefined) return examineServer(url, flags, context);
      refuseServerOptions(command);
      return examineMachine(flags, context.terminal.out);
    });
}

const HELP = `
Examples:
  bowline doctor
  bowline doctor --gpu
  bowline doctor http://127.0.0.1:8000 --eos 257
  TINKER_API_KEY=... bowline doctor https://tinker.example.com --model Qwen/Qwen3-8B --json

Examining a server takes a few hundred requests and a few thousand tokens, which the report counts.
Ctrl-C prints what was found so far. Exit code 0 means examined, whatever was found; 1 means no server, no Tinker server, or a refused model.`;

/** The options that are meant without a URL. */
const MACHINE_OPTIONS = ["json", "gpu"];

/** Throws a `config` error when an option for a server is given without a URL. */
function refuseServerOptions(command: Command): void {
  const given = command.options.find(
    (option) =>
      !MACHINE_OPTIONS.includes(option.attributeName()) &&
      command.getOptionValueSource(option.attributeName()) === "cli",
  );
  if (given === undefined) return;
  throw new BowlineError(
    "config",
    `${given.long} is an option for a server; name its URL, such as bowline doctor http://127.0.0.1:8000`,
  );
}

async function examineServer(
  address: string,
  flags: DoctorOptions,
  { terminal: { out, err }, setExitCode }: CommandContext,
): Promise<void> {
  const url = parseServerUrl(address);
  const key = readApiKey(flags.keyFrom);
  const interrupt = listenForInterrupt(err);
  try {
    const report = await tinkerDoctor.diagnose({
      url,
      rank: flags.rank,
      timeoutMs: flags.timeout * 1000,
      risky: flags.risky ?? isLoopback(url),
      signal: interrupt.signal,
      onTopics: createProgressPrinter(flags.json ? err : out),
      ...(process.stdin.isTTY && { askModel: () => askModelName(url, interrupt.signal) }),
      ...(flags.model === undefined ? {} : { model: flags.model }),
      ...(flags.eos === undefined ? {} : { endToken: flags.eos }),
      ...(key === undefined ? {} : { key }),
    });
    out.writeLine(flags.json ? toVisibleJson(report) : renderDoctorReport(report, out));
    if (report.stopped) setExitCode(interrupt.exitCode);
  } finally {
    interrupt.dispose();
  }
}

/** Asks on the terminal, on standard error, so that JSON on standard output stays JSON. */
async function askModelName(url: string, signal: AbortSignal): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(`${url} names no model. Base model: `, { signal });
    return answer.trim() || undefined;
  } catch {
    return undefined;
  } finally {
    lines.close();
  }
}

/** Makes a callback that prints which topics are being examined, but only if nothing was printed for 3 seconds. */
function createProgressPrinter(channel: Channel): (topics: readonly tinkerDoctor.Topic[]) => void {
  const startedAt = monotonicSeconds();
  let shownAt = startedAt;
  return (topics) => {
    if (monotonicSeconds() - shownAt < 3) return;
    shownAt = monotonicSeconds();
    const names = topics.map((topic) => tinkerDoctor.TOPICS[topic]).join(", ");
    const waited = pluralize(Math.round(shownAt - startedAt), "second");
    channel.writeLine(channel.paint("dim", `${waited}: ${names}`));
  };
}

function parseServerUrl(address: string): string {
  const expected = "expected http://host:port or https://host";
  if (!URL.canParse(address)) {
    const got = /[@?]/.test(address) ? "the address" : address;
    throw new BowlineError("config", `${got} is not a URL; ${expected}`);
  }
  const url = new URL(address);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new BowlineError(
      "config",
      `${url.protocol}// is not the protocol of a server; ${expected}`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new BowlineError(
      "config",
      "the URL must not contain a password; name a variable with --key-from",
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+(api\/v1\/?)?$/, "");
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}

function readApiKey(variable: string | undefined): string | undefined {
  return variable === undefined
    ? process.env[DEFAULT_KEY_VARIABLE] || undefined
    : readKeyVariable(variable);
}
