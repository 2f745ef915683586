import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Policy, type Rollout, rolloutSchema, type Sample } from "../spec/index.ts";
import { byteTokenizer } from "../testing/byte-tokenizer.ts";
import { fakeEpisode } from "../testing/fake-episode.ts";
import { scriptedPolicy } from "../testing/scripted-policy.ts";
import { compactRenderer } from "./compact-renderer.ts";
import { compactScaffold } from "./compact-scaffold.ts";
import { type ContextOptions, splitIntoChunks, WRITING_REQUESTS } from "./context.ts";
import { createRolloutHooks } from "./participants.ts";
import { type RolloutRequest, runRollout } from "./rollout.ts";

const tokenizer = byteTokenizer();
const renderer = compactRenderer(tokenizer);
const prompts: string[] = [];

/**
 * Returns a policy that answers with the script's texts in order, whatever its prompt. Its prompts are kept in
 * `prompts`.
 */
function createScriptedPolicy(script: readonly string[]): Policy {
  let next = 0;
  prompts.length = 0;
  return {
    kind: "tokens",
    release: () => {},
    sample: async ({ tokens, stream }): Promise<Sample> => {
      prompts.push(tokenizer.decode(tokens));
      const said = renderer.turn(script[next++] ?? "finish");
      const logprobs = said.map(() => -(stream % 97) / 100);
      return { tokens: said, logprobs, stop: "stop", policyVersion: 1 };
    },
  };
}

function runWithContext(
  script: readonly string[],
  context: ContextOptions,
  more: Partial<RolloutRequest> = {},
): Promise<Rollout> {
  return runRollout({
    policy: createScriptedPolicy(script),
    renderer,
    scaffold: compactScaffold({ maxTurns: 8, maxTurnTokens: 40, maxTokens: 400 }),
    id: "1/0/0",
    index: 0,
    stream: 5,
    temperature: 1,
    episode: fakeEpisode(),
    hooks: createRolloutHooks({ context }),
    ...more,
  });
}

const listRows = (rollout: Rollout) => [rollout.tokens!, ...(rollout.segments ?? [])];
const decodeTurns = (rollout: Rollout) =>
  rollout.turns.map(({ span, segment = 0 }) =>
    renderer.text(
      listRows(rollout)
        [segment]!.ids.slice(...span!)
        .slice(0, -1),
    ),
  );

describe("all context rules", () => {
  const contexts = fc.oneof(
    fc.constant<ContextOptions>({ context: "growing" }),
    fc.record({
      context: fc.constant("window" as const),
      turns: fc.integer({ min: 1, max: 3 }),
      drops: fc.constantFrom("turns" as const, "observations" as const),
    }),
    fc.record({
      context: fc.constant("summary" as const),
      tokens: fc.integer({ min: 30, max: 120 }),
      maxSummaries: fc.integer({ min: 0, max: 3 }),
    }),
    fc.record({
      context: fc.constant("state" as const),
      chunkCharacters: fc.integer({ min: 3, max: 12 }),
    }),
  );

  test("every context rule keeps the sampled ids, sets the mask to 1 on the turns' spans alone, and gives a valid record", async () => {
    await fc.assert(
      fc.asyncProperty(
        contexts,
        fc.array(fc.string({ unit: "grapheme-ascii", maxLength: 12 }), { maxLength: 6 }),
        async (context, script) => {
          const rollout = await runWithContext(script, context);
          expect(rolloutSchema.parse(JSON.parse(JSON.stringify(rollout)))).toEqual(rollout);
          expect(decodeTurns(rollout)).toEqual(rollout.turns.map(({ message }) => message));
          listRows(rollout).forEach(({ ids, mask, logprobs }, row) => {
            const own = rollout.turns.filter(({ segment = 0 }) => segment === row);
            const sampled = new Set(
              own.flatMap(({ span }) =>
                Array.from({ length: span![1] - span![0] }, (_, i) => span![0] + i),
              ),
            );
            expect(mask).toEqual(ids.map((_, i) => Number(sampled.has(i))));
            expect(logprobs.length).toBe(ids.length);
          });
        },
      ),
      { numRuns: 15 },
    );
  });

  test("a growing context with hooks gives exactly the same record as a rollout without hooks", async () => {
    const script = ["one", "two", "finish"];
    const plain = await runRollout({
      policy: createScriptedPolicy(script),
      renderer,
      scaffold: compactScaffold({ maxTurns: 8, maxTurnTokens: 40, maxTokens: 400 }),
      id: "1/0/0",
      index: 0,
      stream: 5,
      temperature: 1,
      episode: fakeEpisode(),
    });
    expect(await runWithContext(script, { context: "growing" })).toEqual(plain);
    expect(plain.version).toBe(1);
  });

  test("every segment has its own random stream", async () => {
    const { segments } = await runWithContext(["a", "b", "finish"], { context: "state" });
    const firstSampledLogprob = (row: Rollout["tokens"]) => row!.logprobs[row!.mask.indexOf(1)];
    expect(new Set(segments!.map(firstSampledLogprob)).size).toBe(segments!.length);
  });

  test("a message policy sees the same prompts as a token policy", async () => {
    const seen: string[] = [];
    const script = ["a", "b", "c", "finish"];
    let next = 0;
    const policy = scriptedPolicy((messages) => {
      seen.push(messages.map(({ content }) => content).join("|"));
      return script[next++]!;
    });
    await runWithContext([], { context: "window", turns: 1, drops: "turns" }, { policy });
    expect(seen).toEqual([
      "Finish.",
      "Finish.|a|ran a\n",
      "Finish.|b|ran b\n",
      "Finish.|c|ran c\n",
    ]);
  });
});

describe("the window rule", () => {
  test("a window keeps the opening and the last turns, and begins a new row when it drops a turn", async () => {
    const rollout = await runWithContext(["a", "b", "c", "finish"], {
      context: "window",
      turns: 2,
      drops: "turns",
    });
    expect(rollout).toMatchObject({ version: 2, outcome: "finished" });
    expect(rollout.segments).toHaveLength(1);
    expect(prompts[3]).toBe(
      "<|task|>Finish.<|code|>b<|run|>ran b\n<|code|>c<|run|>ran c\n<|code|>",
    );
    expect(rollout.turns.map(({ segment }) => segment)).toEqual([
      undefined,
      undefined,
      undefined,
      1,
    ]);
  });

  test("a window that drops observations keeps the agent's messages", async () => {
    await runWithContext(["a", "b", "finish"], {
      context: "window",
      turns: 1,
      drops: "observations",
    });
    expect(prompts[2]).toBe(
      "<|task|>Finish.<|code|>a<|run|>(left out)<|code|>b<|run|>ran b\n<|code|>",
    );
  });

  test("a window that exceeds the token limit ends the rollout", async () => {
    const long = "x".repeat(30);
    const rollout = await runWithContext(
      Array.from({ length: 8 }, () => long),
      { context: "window", turns: 1, drops: "turns" },
      { scaffold: compactScaffold({ maxTurns: 8, maxTurnTokens: 40, maxTokens: 70 }) },
    );
    expect(rollout.outcome).toBe("token-limit");
  });
});

describe("the summary rule", () => {
  test("the policy summarises a row that grows too long, and the summary replaces it", async () => {
    const rollout = await runWithContext(["a", "b", "did a b", "finish"], {
      context: "summary",
      tokens: 25,
      maxSummaries: 1,
    });
    expect(rollout.turns.map(({ part, message }) => part ?? message)).toEqual([
      "a",
      "b",
      "summary",
      "finish",
    ]);
    expect(prompts[2]).toContain(`ran b\n${WRITING_REQUESTS.summary}<|code|>`);
    expect(prompts[3]).toBe(`<|task|>Finish.\nSo far: did a b\n${WRITING_REQUESTS.act}<|code|>`);
    expect(rollout.turns[2]).toMatchObject({ code: "", observation: "", calls: [] });
    expect(rollout.outcome).toBe("finished");
  });

  test("a rollout ends when it needs more summaries than allowed", async () => {
    const rollout = await runWithContext(["a", "b", "did", "c", "d", "e"], {
      context: "summary",
      tokens: 30,
      maxSummaries: 0,
    });
    expect(rollout).toMatchObject({ outcome: "token-limit" });
    expect(rollout.turns.every(({ part }) => part === undefined)).toBe(true);
  });
});

describe("the state rule", () => {
  test("a prompt has only the opening, the state and the last observation, so its size does not grow", async () => {
    const rollout = await runWithContext(["a1", "s1", "a2", "s2", "a3", "s3", "finish"], {
      context: "state",
    });
    expect(rollout.turns.map(({ part }) => part)).toEqual([
      undefined,
      "state",
      undefined,
      "state",
      undefined,
      "state",
      undefined,
    ]);
    const asked = prompts.filter((prompt) => prompt.endsWith(`${WRITING_REQUESTS.state}<|code|>`));
    expect(asked[2]).toBe(
      `<|task|>Finish.\nYou remember: s2\nYou ran: a3\nIt printed: ran a3\n\n${WRITING_REQUESTS.state}<|code|>`,
    );
    expect(new Set(asked.slice(1).map(({ length }) => length)).size).toBe(1);
    expect(rollout.segments).toHaveLength(3);
  });

  test("a long observation is read in pieces, each with the state written after the piece before", async () => {
    const rollout = await runWithContext(["abcdefgh", "s1", "s2", "s3", "finish"], {
      context: "state",
      chunkCharacters: 5,
    });
    expect(rollout.turns.map(({ part }) => part)).toEqual([
      undefined,
      "state",
      "state",
      "state",
      undefined,
    ]);
    const pieces = prompts.slice(1, 4).map((prompt) => /It printed: (.*)/.exec(prompt)![1]);
    expect(pieces.join("")).toBe("ran abcdefgh");
    expect(prompts[3]).toContain("You remember: s2");
  });

  test("splitting a text into pieces loses nothing and cuts no character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "é", "😀", "\n") }),
        fc.integer({ min: 1, max: 9 }),
        (text, length) => {
          const pieces = splitIntoChunks(text, length);
          expect(pieces.join("")).toBe(text);
          expect(pieces.every((piece) => piece === Array.from(piece).join(""))).toBe(true);
          expect(pieces.slice(0, -1).every((piece) => Array.from(piece).length === length)).toBe(
            true,
          );
        },
      ),
    );
  });
});
