/**
 * Replays a demonstration, to get the rows that the warm start imitates. A scripted policy repeats the demonstrated
 * code, and a scripted episode repeats the recorded answers. Both run in the loop of `agent/rollout.ts`, which yields
 * the rows. The policy reads at the end of its prompt what it is asked for, and answers with the texts of
 * `part-texts.ts`.
 */
import {
  appendToLastMessage,
  type ContextOptions,
  createRolloutHooks,
  type PolicyParticipantOptions,
  policyParticipant,
  runRollout,
  WRITING_REQUESTS,
} from "../../../agent/index.ts";
import { BowlineError } from "../../../core/index.ts";
import { rolloutOfDemonstration } from "../../../methods/index.ts";
import type {
  Demonstration,
  Episode,
  Policy,
  Renderer,
  Rollout,
  Scaffold,
  TaskInfo,
} from "../../../spec/index.ts";
import type { Agent } from "../../parts/agent.ts";
import { writeNote, writePlan, writeState } from "./part-texts.ts";

type TokenPolicy = Extract<Policy, { kind: "tokens" }>;
type RequestName = keyof typeof WRITING_REQUESTS;

/** The number of tokens at the end of a prompt in which a request is searched. */
const PROMPT_TAIL_TOKENS = 64;
/** The largest number of characters that a template may put after a request. */
const MAX_SUFFIX_CHARACTERS = 48;

/** Creates a policy that answers each prompt with the text that `next` returns for this prompt. */
function createScriptedPolicy(next: (prompt: string) => string, renderer: Renderer): TokenPolicy {
  return {
    kind: "tokens",
    sample: async ({ tokens, maxTokens }) => {
      const prompt = renderer.text(Array.from(tokens).slice(-PROMPT_TAIL_TOKENS));
      const said = [...renderer.turn(next(prompt))];
      const whole = said.length <= maxTokens;
      const demonstration = whole ? said : said.slice(0, maxTokens);
      return {
        tokens: demonstration,
        logprobs: demonstration.map(() => 0),
        stop: whole ? "stop" : "length",
        policyVersion: 0,
      };
    },
    release: () => {},
  };
}

/**
 * Creates a policy that repeats a demonstration's code turn by turn, and writes the other texts when it is asked for
 * them.
 */
function createDemonstrationPolicy(
  demonstration: Demonstration,
  { scaffold, renderer }: { readonly scaffold: Scaffold; readonly renderer: Renderer },
): TokenPolicy {
  let cell = 0;
  const words: Readonly<Record<Exclude<RequestName, "act">, () => string>> = {
    plan: () => writePlan(demonstration, cell),
    summary: () => writeState(demonstration, cell),
    state: () => writeState(demonstration, cell),
    note: () => writeNote(demonstration),
  };
  return createScriptedPolicy((prompt) => {
    const asked = findRequest(prompt);
    if (asked !== undefined && asked !== "act") return words[asked]();
    const { code = "" } = demonstration.turns[cell++] ?? {};
    return scaffold.messageOf?.(code) ?? code;
  }, renderer);
}

/** Returns the name of the request at the end of a prompt; undefined if the prompt ends with no request. */
function findRequest(prompt: string): RequestName | undefined {
  const ends = (Object.keys(WRITING_REQUESTS) as RequestName[]).map(
    (name): [RequestName, number] => {
      const at = prompt.lastIndexOf(WRITING_REQUESTS[name]);
      return [name, at < 0 ? -1 : at + WRITING_REQUESTS[name].length];
    },
  );
  const [name, end] = ends.reduce((a, b) => (b[1] > a[1] ? b : a));
  return end >= 0 && prompt.length - end <= MAX_SUFFIX_CHARACTERS ? name : undefined;
}

/** Creates an episode that answers the demonstrated code with the recorded results. */
function createPlaybackEpisode({ task, turns, evaluation }: Demonstration): Episode {
  let next = 0;
  const episode: Episode = {
    task,
    step: async (code) => {
      const turn = turns[next++];
      if (turn && turn.code.trim() === code.trim()) return turn.result;
      throw new BowlineError(
        "world",
        `the code is not the next turn of the demonstration of ${task.id}: ${code}`,
      );
    },
    evaluate: async () => evaluation,
    fork: async () => episode,
    close: async () => {},
  };
  return episode;
}

type ReplayHooks = Partial<Omit<Parameters<typeof createRolloutHooks>[0], "context">> & {
  readonly rule?: ContextOptions;
};

/** Replays the whole demonstration. The hooks may add parts, and the lines are put at the end of its first prompt. */
export async function replayDemonstration(
  demonstration: Demonstration,
  { scaffold, renderer }: Agent,
  { rule = { context: "growing" }, ...hooks }: ReplayHooks,
  sections: readonly string[] = [],
): Promise<Rollout[]> {
  const scaffoldWithSections = addPromptSections(scaffold, sections);
  const rollout = await runRollout({
    ...rolloutIdentity(demonstration.task),
    policy: createDemonstrationPolicy(demonstration, { scaffold, renderer }),
    scaffold: scaffoldWithSections,
    renderer,
    episode: createPlaybackEpisode(demonstration),
    hooks: createRolloutHooks({ ...hooks, context: rule }),
  });
  return [rollout];
}

function rolloutIdentity({ id }: TaskInfo) {
  return { id, index: 0, stream: 0, temperature: 0 };
}

function addPromptSections(scaffold: Scaffold, sections: readonly string[]): Scaffold {
  if (sections.length === 0) return scaffold;
  return { ...scaffold, start: (task) => appendToLastMessage(scaffold.start(task), ...sections) };
}

/**
 * Replays a participant that the policy plays, such as a judge. The participant answers after each turn of the
 * demonstration.
 */
export async function replayParticipant(
  name: string,
  demonstration: Demonstration,
  { scaffold, renderer }: Agent,
  prompt: PolicyParticipantOptions["prompt"],
  words: (demonstration: Demonstration, turn: number) => string,
): Promise<Rollout[]> {
  const rollout = rolloutOfDemonstration(demonstration, { id: demonstration.task.id, scaffold });
  let turn = 0;
  const voice = policyParticipant({
    ...rolloutIdentity(demonstration.task),
    name,
    prompt,
    renderer,
    limits: scaffold.limits,
    policy: createScriptedPolicy(() => words(demonstration, turn), renderer),
  });
  for (; turn < rollout.turns.length; turn++) {
    await voice.speak({ task: demonstration.task, turns: rollout.turns.slice(0, turn + 1) });
  }
  const cast = voice.record();
  return cast ? [{ ...rollout, outcome: "finished", turns: [...cast.turns], cast: [cast] }] : [];
}
