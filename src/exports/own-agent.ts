/** Training of external agents as they are, which call the policy through a language model object or an address. */
export type { Play, Player } from "../agent/index.ts";
export {
  type AgentContext,
  type AgentReward,
  type AgentTasks,
  type ChatRecording,
  type CommandOptions,
  command,
  type Lesson,
  playWithTeacher,
  type RecordingsOptions,
  type RewardWithMetrics,
  type RunAgent,
  readRecordingFile,
  type TaskAgentOptions,
  type TaughtAnswer,
  type TaughtPlay,
  type TaughtResult,
  type Teacher,
  trainAgent,
  type WarmStart,
  type WorldAgentOptions,
  type WorldContext,
} from "../server/index.ts";
export type { OwnAgent } from "../train/index.ts";
