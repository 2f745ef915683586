import { describe, expect, test } from "vitest";
import {
  type Demonstration,
  type Episode,
  type Policy,
  rolloutSchema,
  type StepResult,
} from "../spec/index.ts";
import { byteTokenizer } from "../testing/byte-tokenizer.ts";
import { fakeEpisode } from "../testing/fake-episode.ts";
import {
  compactRenderer,
  compactScaffold,
  createRolloutHooks,
  encodeDemonstration,
  failedCodeReminder,
  type RolloutOptions,
  reactScaffold,
  runRollout,
  splitIntoSessions,
} from "./index.ts";

const tokenizer = byteTokenizer();
const renderer = compactRenderer(tokenizer);
const scaffold = compactScaffold();

/** An episode whose session ends by the code `end`, after which another one begins. */
function episodeOfTwoSessions(): Episode {
  const episode = fakeEpisode();
  return {
    ...episode,
    task: episode.task,
    step: async (code): Promise<StepResult> => {
      const result = await episode.step(code);
      return code === "end"
        ? { ...result, nextSession: { number: 2, instruction: "Go on." } }
        : result;
    },
    evaluate: () => episode.evaluate(),
    fork: () => episode.fork(),
    close: () => episode.close(),
  };
}

const CELLS = ["one", "end", "two", "finish"];

/** A policy that writes the cells one after the other, whatever it sees. */
function createPolicy(): Policy {
  let next = 0;
  return {
    kind: "tokens",
    release: () => {},
    sample: async () => {
      const tokens = renderer.turn(CELLS[next++]!);
      return { tokens, logprobs: tokens.map(() => -1), stop: "stop", policyVersion: 1 };
    },
  };
}

function runSessions(options: Partial<RolloutOptions> = {}) {
  return runRollout({
    ...{ policy: createPolicy(), renderer, scaffold },
    ...{ episode: episodeOfTwoSessions(), id: "0/0/0", index: 0, stream: 1, temperature: 1 },
    ...options,
  });
}

const readRow = ({ ids }: { readonly ids: readonly number[] }) => tokenizer.decode(ids);

describe("a rollout of two sessions", () => {
  test("each session is a row with its own instruction and nothing of the other", async () => {
    const rollout = await runSessions();
    expect(rolloutSchema.parse(rollout)).toBeDefined();
    expect(rollout.outcome).toBe("finished");
    expect(rollout.turns.map(({ segment = 0 }) => segment)).toEqual([0, 0, 1, 1]);
    const [first, second] = [rollout.tokens!, rollout.segments![0]!].map(readRow);
    expect(first).toMatch(/Finish\.<\|code\|>one.*end/s);
    expect(first).not.toContain("two");
    expect(second).toMatch(/Go on\.<\|code\|>two.*finish/s);
    expect(second).not.toMatch(/one|end|Finish\./);
  });

  test("a policy of messages sees only the session that runs", async () => {
    const prompts: string[] = [];
    let next = 0;
    const policy: Policy = {
      kind: "messages",
      complete: async (messages) => {
        prompts.push(messages.map(({ content }) => content).join("\n"));
        return `\`\`\`js\n${CELLS[next++]}\n\`\`\``;
      },
    };
    await runSessions({ policy, scaffold: reactScaffold() });
    expect(prompts[1]).toContain("ran one");
    expect(prompts[2]).toContain("The task: Go on.");
    expect(prompts[2]).not.toMatch(/ran one|ran end|Finish\./);
    expect(prompts[3]).toContain("As a reminder: Go on.");
  });

  test("a rule of context and participants begin anew with a session", async () => {
    const hooks = createRolloutHooks({
      context: { context: "window", turns: 9, drops: "turns" },
      participants: [
        { name: "count", speak: async ({ turns }) => `turn ${turns.length}` },
        failedCodeReminder(),
      ],
    });
    const { turns, segments } = await runSessions({ hooks });
    expect(turns.map(({ heard }) => heard?.[0]?.text)).toEqual([
      "turn 1",
      undefined,
      "turn 1",
      undefined,
    ]);
    expect(readRow(segments![0]!)).not.toContain("one");
  });

  test("demonstrations of the sessions have the rows of a rollout that repeats them", async () => {
    const episode = episodeOfTwoSessions();
    const turns: { code: string; result: StepResult }[] = [];
    for (const code of CELLS) turns.push({ code, result: await episode.step(code) });
    const evaluation = await episode.evaluate();
    const whole: Demonstration = { task: episode.task, style: "careful", turns, evaluation };
    const sessions = splitIntoSessions(whole);
    const rows = sessions.map((session) => encodeDemonstration(session, scaffold, renderer));
    const { tokens, segments } = await runSessions();
    expect(rows.map(({ ids, mask }) => ({ ids, mask }))).toEqual(
      [tokens!, ...segments!].map(({ ids, mask }) => ({ ids, mask })),
    );
    expect(sessions.map(({ turns }) => turns.at(-1)!.result.finished)).toEqual([true, true]);
    expect(splitIntoSessions(sessions[0]!)).toEqual([sessions[0]]);
  });
});
