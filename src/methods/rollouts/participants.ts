/**
 * Loads the participants that the configuration names. A built-in participant has a name. A user's own is given by the
 * path of a module, whose default export makes a participant for a rollout: `(task) => Participant`. Modules are loaded
 * once, before any work starts.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { failedCodeReminder, instructionReminder } from "../../agent/index.ts";
import {
  BowlineError,
  didYouMean,
  explainLoadFailure,
  type FieldValue,
  isModulePath,
  isTrustError,
  loadUserModule,
  type ModuleOrigin,
} from "../../core/index.ts";
import type { Participant, TaskInfo } from "../../spec/index.ts";
import type { ROLLOUTS } from "../sections/rollouts.ts";

/** Makes a participant for one rollout. Each rollout has its own, because a participant may remember what was said. */
export type MakeParticipant = (task: TaskInfo) => Participant;

/**
 * Where a participant comes from: a function that makes it, `policy` if the trained policy plays it, or undefined if
 * there is none.
 */
export type ParticipantSource = MakeParticipant | "policy" | undefined;

/** The user and the judge that take part in rollouts in addition to the agent. */
export interface Participants {
  readonly user: ParticipantSource;
  readonly judge: ParticipantSource;
}

export const NOBODY: Participants = { user: undefined, judge: undefined };

const USERS: Readonly<Record<string, ParticipantSource>> = {
  none: undefined,
  policy: "policy",
  reminder: () => instructionReminder(),
  errors: () => failedCodeReminder(),
};
const JUDGES: Readonly<Record<string, ParticipantSource>> = { none: undefined, policy: "policy" };

type ParticipantsConfig = {
  readonly participants: Pick<FieldValue<typeof ROLLOUTS.participants>, "user" | "judge">;
};

/** Returns true if the value of `participants.user` or `participants.judge` names a module, and so code. */
export function isParticipantModule(participant: keyof Participants, value: string): boolean {
  return !Object.hasOwn(participant === "user" ? USERS : JUDGES, value);
}

/**
 * Loads the configured participants. `origin` says who named them. Throws a `config` error that names the field when a
 * participant is unknown or its module cannot be used, and a `trust` error when its module is not trusted.
 */
export async function loadParticipants(
  { participants }: ParticipantsConfig,
  origin: ModuleOrigin,
): Promise<Participants> {
  const { user, judge } = participants;
  return {
    user: await loadParticipant("participants.user", user, USERS, origin),
    judge: await loadParticipant("participants.judge", judge, JUDGES, origin),
  };
}

/**
 * Returns a sentence when a configured participant is neither a built-in name nor an existing module, else undefined.
 */
export function findParticipantsConflict({ participants }: ParticipantsConfig): string | undefined {
  return (
    findParticipantConflict("participants.user", participants.user, USERS) ??
    findParticipantConflict("participants.judge", participants.judge, JUDGES)
  );
}

function findParticipantConflict(
  field: string,
  value: string,
  known: Readonly<Record<string, ParticipantSource>>,
): string | undefined {
  if (Object.hasOwn(known, value) || existsSync(resolve(value))) return undefined;
  const names = Object.keys(known);
  const looksLikePath = isModulePath(value);
  const expected = `expected ${names.join(", ")} or the path of a module`;
  if (looksLikePath) return `${field}: no module at ${resolve(value)}; ${expected}`;
  return `${field}: ${expected}, got ${JSON.stringify(value)}${didYouMean(value, names)}`;
}

async function loadParticipant(
  field: string,
  value: string,
  known: Readonly<Record<string, ParticipantSource>>,
  origin: ModuleOrigin,
): Promise<ParticipantSource> {
  if (Object.hasOwn(known, value)) return known[value];
  const path = resolve(value);
  try {
    const { default: make } = await loadUserModule(pathToFileURL(path).href, field, origin);
    if (typeof make === "function") return make as MakeParticipant;
  } catch (cause) {
    if (isTrustError(cause)) throw cause;
    const problem = `${field}: ${path} cannot be loaded: ${explainLoadFailure(cause, pathToFileURL(path).href)}`;
    throw new BowlineError("config", problem, { cause });
  }
  throw new BowlineError(
    "config",
    `${field}: expected ${path} to export a function (task) => participant as its default`,
  );
}
