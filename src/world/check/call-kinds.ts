/** Calls of the kit's own APIs that mutants and equivalents treat apart. */
import type { Call } from "./replay.ts";

/** True for a call that lets time pass, in a world with actors. */
export function isWaitCall({ app, api }: Pick<Call, "app" | "api">): boolean {
  return app === "me" && api === "wait";
}

/** True for a question to the scripted owner. */
export function isAskCall({ app, api }: Pick<Call, "app" | "api">): boolean {
  return app === "owner" && api === "ask";
}

export function isFinishCall({ app, api }: Pick<Call, "app" | "api">): boolean {
  return app === "me" && api === "finishTask";
}
