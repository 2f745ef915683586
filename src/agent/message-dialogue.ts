/** What has been said so far to a policy that takes part as messages: a list of them, and no tokens. */
import type { Message, Policy, TaskInfo } from "../spec/index.ts";
import type { Dialogue, Utterance } from "./dialogue.ts";
import { at } from "./failure.ts";

type MessagePolicy = Extract<Policy, { kind: "messages" }>;

export class MessageDialogue implements Dialogue {
  readonly #policy: MessagePolicy;
  readonly #task: TaskInfo;
  #messages: Message[] = [];
  steps = 0;
  readonly policyVersion = -1;
  readonly tokens = undefined;
  readonly segments = [];

  constructor(policy: MessagePolicy, task: TaskInfo) {
    this.#policy = policy;
    this.#task = task;
  }

  start(messages: readonly Message[]): boolean {
    this.#messages = [...messages];
    return true;
  }

  async speak(signal?: AbortSignal): Promise<Utterance> {
    const heard = [...this.#messages];
    const message = await at("policy", () => this.#policy.complete(heard, this.#task, signal));
    this.#messages.push({ role: "assistant", content: message });
    this.steps += 1;
    return { message };
  }

  hear(observation: Message): boolean {
    this.#messages.push(observation);
    return true;
  }

  sizeWith(observation: Message): number {
    const characters = [...this.#messages, observation].map(({ content }) => content.length);
    return Math.ceil(characters.reduce((sum, length) => sum + length, 0) / 4);
  }

  release(): void {}
}
