/** The gateway: sessions behind the dialects of OpenAI and Anthropic. */
export type { OpenOptions, Posted } from "./episodes.ts";
export * from "./gateway.ts";
export { type StatelessSession, statelessSession } from "./stateless.ts";
