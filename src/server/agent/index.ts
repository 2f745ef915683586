/** Training of a user's own agents. */

export { type ChatRecording, readRecordingFile } from "./chat-recordings.ts";
export { type EvaluateAgentOptions, evaluateAgent } from "./evaluate-agent.ts";
export type {
  AgentContext,
  AgentReward,
  RecordingsOptions,
  RunAgent,
  TaskAgentOptions,
  WarmStart,
  WorldAgentOptions,
  WorldContext,
} from "./options.ts";
export { playWithTeacher, type TaughtPlay, type TaughtResult } from "./play-with-teacher.ts";
export type { RewardWithMetrics } from "./reward.ts";
export type { AgentTasks } from "./task-world.ts";
export type { Lesson, TaughtAnswer, Teacher } from "./teacher.ts";
export { resolveAgentConfig, resolveRecordingsConfig, trainAgent } from "./train-agent.ts";
