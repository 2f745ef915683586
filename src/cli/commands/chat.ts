/**
 * `bowline chat` is a conversation with a policy in the terminal, in the model's own chat template.
 *
 * Each input line is one message, so a conversation can be piped in. On a terminal an answer appears while it is
 * sampled, elsewhere when it is complete.
 */
import { createInterface } from "node:readline";
import type { Command } from "commander";
import { BowlineError, didYouMean, toVisibleJson, toVisibleText } from "../../core/index.ts";
import { findLastRun } from "../../report/index.ts";
import type { Message } from "../../spec/index.ts";
import { type Generation, type LoadedPolicy, loadPolicy } from "../../train/index.ts";
import { type CommandContext, EXIT_CODES } from "../command-context.ts";
import {
  BASE_HELP,
  integerParser,
  jsonOption,
  numberParser,
  POLICY_KINDS,
  refuseConfigFields,
  resolveBaseField,
  seedOption,
} from "../shared-options.ts";

interface ChatOptions {
  readonly system?: string;
  readonly temperature?: number;
  readonly maxTokens: number;
  readonly seed: number;
  readonly json?: boolean;
  /** The folder or GGUF file of an adapter's base. */
  readonly base?: string;
}

export function defineChatCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Chat with a trained policy, an adapter or a published model. Each line is a message; /reset starts a new conversation, /exit ends it.",
    )
    .argument("[policy]", `${POLICY_KINDS} (default: the last run)`)
    .option("--system <text>", "system message at the start of the conversation")
    .option(
      "--temperature <t>",
      "sampling temperature, 0 is greedy (default: 0; for a model or an adapter, that of its generation_config.json)",
      numberParser(0),
    )
    .option("--max-tokens <count>", "limit on tokens per answer", integerParser(1), 256)
    .addOption(seedOption("seed of sampling").default(0))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  bowline chat runs/starter-seed1
  echo 'What is the capital of France?' | bowline chat models/SmolLM2-135M-Instruct --json

With --json each answer is a line: { message, text, stop, promptTokens, tokens }.
Exit code 1 means that a message could not be answered.${BASE_HELP}`,
    )
    .action((policy: string | undefined, options: ChatOptions, command: Command) => {
      const { base, context: rest } = resolveBaseField(context);
      refuseConfigFields(command, rest);
      return runChat(policy ?? findLastRun(), { ...options, ...base }, rest);
    });
}

async function runChat(path: string, options: ChatOptions, context: CommandContext): Promise<void> {
  const { base } = options;
  await using policy = await loadPolicy(path, { base });
  const chat = new Conversation(policy, options, context);
  chat.printIntroduction();
  await chat.run();
}

const CHAT_COMMANDS = ["/exit", "/reset", "/help"];
const SMALL_POLICY_NOTE =
  "this policy was trained from random weights and knows only tasks: it reads your first line as a task, and each further line as the output of its code";

/** A conversation on one terminal. */
class Conversation {
  readonly #policy: LoadedPolicy;
  readonly #options: ChatOptions;
  readonly #context: CommandContext;
  #messages: Message[] = [];
  #runningAnswer: AbortController | undefined;

  constructor(policy: LoadedPolicy, options: ChatOptions, context: CommandContext) {
    this.#policy = policy;
    this.#options = options;
    this.#context = context;
    this.#resetMessages();
  }

  get #noteChannel() {
    const { out, err } = this.#context.terminal;
    return this.#options.json ? err : out;
  }

  printIntroduction(): void {
    const { path, info, scaffold } = this.#policy;
    const size = `${info.parameters.toLocaleString("en")} parameters, ${info.contextLength.toLocaleString("en")} tokens of context`;
    this.#printNote(`${path}: ${size}. /reset starts a new conversation, /exit ends it.`);
    if (scaffold === "compact" || scaffold === "compact-tools") this.#printNote(SMALL_POLICY_NOTE);
  }

  /** Reads messages and commands until `/exit` or the end of the input. */
  async run(): Promise<void> {
    const { in: stream } = this.#context.terminal;
    const isPerson = stream.isTTY === true;
    const input = createInterface({
      input: stream,
      ...(isPerson ? { output: this.#noteChannel.stream } : {}),
    });
    const prompt = () => {
      input.setPrompt(this.#noteChannel.paint("cyan", "› "));
      if (isPerson) input.prompt();
    };
    // Ctrl-C stops the running answer, or ends the conversation when no answer is running.
    input.on("SIGINT", () => (this.#runningAnswer ? this.#runningAnswer.abort() : input.close()));
    prompt();
    for await (const line of input) {
      const text = line.trim();
      if (text === "/exit") break;
      if (text.startsWith("/")) this.#runCommand(text);
      else if (text !== "") await this.#answer(text, isPerson);
      prompt();
    }
    input.close();
    // A terminal or an open pipe would keep this process alive.
    stream.destroy();
  }

  #runCommand(text: string): void {
    if (text === "/reset") {
      this.#resetMessages();
      this.#printNote("new conversation");
      return;
    }
    if (text !== "/help")
      this.#printNote(`there is no command ${text}${didYouMean(text, CHAT_COMMANDS)}`);
    this.#printNote(
      "/reset starts a new conversation, /exit ends it; every other line is a message",
    );
  }

  #resetMessages(): void {
    const { system } = this.#options;
    this.#messages = system === undefined ? [] : [{ role: "system", content: system }];
  }

  async #answer(message: string, isPerson: boolean): Promise<void> {
    const { temperature, maxTokens, seed, json } = this.#options;
    const { out, err } = this.#context.terminal;
    const messages: Message[] = [...this.#messages, { role: "user", content: message }];
    const streams = isPerson && !json && out.canRedraw;
    this.#runningAnswer = new AbortController();
    try {
      const answer = await this.#policy.generate(messages, {
        maxTokens,
        seed,
        ...(temperature !== undefined && { temperature }),
        signal: this.#runningAnswer.signal,
        ...(streams && { onText: (text: string) => void out.stream.write(toVisibleText(text)) }),
      });
      this.#messages = [...messages, { role: "assistant", content: answer.text }];
      const { text, stop, promptTokens, ids } = answer;
      const facts = { message, text, stop, promptTokens, tokens: ids.length };
      if (json) out.writeLine(toVisibleJson(facts));
      else out.writeLine(streams ? "" : text.trim());
      this.#explainEarlyStop(answer);
    } catch (error) {
      if (!BowlineError.is(error)) throw error;
      // The message is not kept, so the conversation can continue with a shorter message or with /reset.
      const label = err.paint(["bold", "red"], "error:");
      err.writeLine(`${label} ${error.message}; /reset starts a new conversation`);
      this.#context.setExitCode(EXIT_CODES.failed);
    } finally {
      this.#runningAnswer = undefined;
    }
  }

  #explainEarlyStop({ stop, ids }: Generation): void {
    if (stop === "length")
      this.#printNote(`(cut at ${ids.length} tokens; --max-tokens allows more)`);
    if (stop === "cancelled") this.#printNote("(stopped)");
  }

  #printNote(text: string): void {
    const channel = this.#noteChannel;
    channel.writeLine(channel.paint("dim", text));
  }
}
