/** The gateway: serves sessions in the dialects of OpenAI, Anthropic and Google. */
export type { OpenOptions, PostedReward } from "./episodes.ts";
export * from "./gateway.ts";
export { createStatelessSession, type StatelessSession } from "./stateless-session.ts";
