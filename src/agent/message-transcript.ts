/** The transcript of a rollout for a policy that takes messages. It is a list of messages and has no tokens. */
import type { Message, Policy, TaskInfo } from "../spec/index.ts";
import { callAcrossBoundary } from "./failure.ts";
import type { SampledTurn, Transcript } from "./transcript.ts";

type MessagePolicy = Extract<Policy, { kind: "messages" }>;

export class MessageTranscript implements Transcript {
  readonly #policy: MessagePolicy;
  readonly #task: TaskInfo;
  #messages: Message[] = [];
  decodeSteps = 0;
  readonly policyVersion = -1;
  readonly tokens = undefined;
  readonly segments = [];

  constructor(policy: MessagePolicy, task: TaskInfo) {
    this.#policy = policy;
    this.#task = task;
  }

  startRow(messages: readonly Message[]): boolean {
    this.#messages = [...messages];
    return true;
  }

  async sampleTurn(signal?: AbortSignal): Promise<SampledTurn> {
    const prompt = [...this.#messages];
    const message = await callAcrossBoundary("policy", () =>
      this.#policy.complete(prompt, this.#task, signal),
    );
    this.#messages.push({ role: "assistant", content: message });
    this.decodeSteps += 1;
    return { message };
  }

  appendObservation(observation: Message): boolean {
    this.#messages.push(observation);
    return true;
  }

  sizeAfter(observation: Message): number {
    const characters = [...this.#messages, observation].map(({ content }) => content.length);
    return Math.ceil(characters.reduce((sum, length) => sum + length, 0) / 4);
  }

  releasePrefix(): void {}
}
