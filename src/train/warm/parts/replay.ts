/**
 * A policy that repeats a demonstration, and an episode that answers as the demonstrated one did. The loop of
 * `agent/rollout.ts` runs them with the hooks of the run and yields the rows to imitate. The policy reads from the end
 * of its prompt what it is asked for, and answers with the texts of `part-texts.ts`.
 */
import { WRITING_REQUESTS } from "../../../agent/index.ts";
import { BowlineError } from "../../../core/index.ts";
import type { Demonstration, Episode, Policy, Renderer, Scaffold } from "../../../spec/index.ts";
import { noteOnCalls, planFromTurn, stateAfterTurns } from "./part-texts.ts";

type TokenPolicy = Extract<Policy, { kind: "tokens" }>;
type RequestName = keyof typeof WRITING_REQUESTS;

/** The number of tokens at the end of a prompt that are searched for a request. */
const PROMPT_TAIL_TOKENS = 64;
/** The number of characters that a template may put after a request. */
const MAX_SUFFIX_CHARACTERS = 48;

/** Returns a policy that answers each prompt with the text that `next` returns for it. */
export function createScriptedPolicy(
  next: (prompt: string) => string,
  renderer: Renderer,
): TokenPolicy {
  return {
    kind: "tokens",
    sample: async ({ tokens, maxTokens }) => {
      const prompt = renderer.text(Array.from(tokens).slice(-PROMPT_TAIL_TOKENS));
      const said = [...renderer.turn(next(prompt))];
      const whole = said.length <= maxTokens;
      const shown = whole ? said : said.slice(0, maxTokens);
      return {
        tokens: shown,
        logprobs: shown.map(() => 0),
        stop: whole ? "stop" : "length",
        policyVersion: 0,
      };
    },
    release: () => {},
  };
}

/** Returns a policy that repeats a demonstration's code turn by turn, and writes the other texts that are asked for. */
export function createDemonstrationPolicy(
  shown: Demonstration,
  { scaffold, renderer }: { readonly scaffold: Scaffold; readonly renderer: Renderer },
): TokenPolicy {
  let cell = 0;
  const words: Readonly<Record<Exclude<RequestName, "act">, () => string>> = {
    plan: () => planFromTurn(shown, cell),
    summary: () => stateAfterTurns(shown, cell),
    state: () => stateAfterTurns(shown, cell),
    note: () => noteOnCalls(shown),
  };
  return createScriptedPolicy((prompt) => {
    const asked = findRequest(prompt);
    if (asked !== undefined && asked !== "act") return words[asked]();
    const { code = "" } = shown.turns[cell++] ?? {};
    return scaffold.messageOf?.(code) ?? code;
  }, renderer);
}

/** Returns the name of the request that a prompt ends with; undefined if it ends with none. */
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

/** Returns an episode that answers the demonstrated code with the recorded results. */
export function createPlaybackEpisode({ task, turns, evaluation }: Demonstration): Episode {
  let next = 0;
  const episode: Episode = {
    task,
    step: async (code) => {
      const turn = turns[next++];
      if (turn && turn.code.trim() === code.trim()) return turn.result;
      throw new BowlineError(
        "world",
        `the demonstration of ${task.id} does not have this turn next: ${code}`,
      );
    },
    evaluate: async () => evaluation,
    fork: async () => episode,
    close: async () => {},
  };
  return episode;
}
