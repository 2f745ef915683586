/**
 * `bowline/testing`: fakes that keep the contracts, for tests of worlds, agents, rewards, objectives and whole runs
 * without a model. An iteration of the table engine in the fake world takes milliseconds, and it learns. A scripted
 * policy gives the answers of a script. Only tests should import this module.
 */

export * from "../world/testing/index.ts";
export { byteTokenizer } from "./byte-tokenizer.ts";
export { type FakeEpisodeOptions, fakeEpisode, fakeStepResult, fakeTask } from "./fake-episode.ts";
export { createMemoryFolder, FAKE_RUN, fakeMakers } from "./fake-makers.ts";
export {
  type FakeRollout,
  fakeEvaluation,
  fakeRollout,
  fakeTokens,
  fakeTurn,
} from "./fake-rollout.ts";
export {
  type ConnectionTrouble,
  FakeClock,
  type FakeReply,
  FakeServer as FakeTinkerServer,
  type ReceivedRequest,
} from "./fake-tinker-server.ts";
export { fakeWorld } from "./fake-world.ts";
export { centralDifference, replaceEntry } from "./finite-differences.ts";
export {
  type ScriptedTokenPolicy,
  scriptedLogprob,
  scriptedPolicy,
  scriptedTokenPolicy,
} from "./scripted-policy.ts";
export {
  type ScriptedAnswer,
  type ScriptedSession,
  type SessionScript,
  scriptedSession,
} from "./scripted-session.ts";
export { tableEngine } from "./table-engine.ts";
