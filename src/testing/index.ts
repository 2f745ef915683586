/**
 * `bowline/testing`: fakes that keep the contracts, for tests of worlds, agents, rewards, objectives and whole runs without a
 * model. A run of the table engine on the fake world takes milliseconds an iteration and learns; a scripted policy says what
 * it is told to. Nothing but tests imports this.
 */

export * from "../world/testing/index.ts";
export { byteTokenizer } from "./byte-tokenizer.ts";
export { type FakeEpisodeOptions, fakeEpisode, fakeTask, stepResult } from "./fake-episode.ts";
export { FAKE_RUN, fakeMakers, memoryFolder } from "./fake-makers.ts";
export { evaluationOf, type FakeRollout, fakeRollout, fakeTurn, tokensOf } from "./fake-rollout.ts";
export {
  FakeClock,
  FakeServer as FakeTinkerServer,
  type Reply,
  type SeenRequest,
  type Trouble,
} from "./fake-tinker-server.ts";
export { fakeWorld } from "./fake-world.ts";
export { centralDifference, withEntry } from "./finite-differences.ts";
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
