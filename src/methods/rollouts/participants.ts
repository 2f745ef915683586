/**
 * Who else takes part, from the configuration: built-in ones by name, one's own by the path of a module whose default
 * export makes a participant for a rollout, `(task) => Participant`. Modules are loaded once, before any work starts.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { failedCodeReminder, instructionReminder } from "../../agent/index.ts";
import {
  BowlineError,
  didYouMean,
  errorMessage,
  type FieldValue,
  isModulePath,
  loadModule,
} from "../../core/index.ts";
import type { Participant, TaskInfo } from "../../spec/index.ts";
import type { ROLLOUTS } from "../sections/rollouts.ts";

/** One participant a rollout, because it may remember what it heard. */
export type MakeParticipant = (task: TaskInfo) => Participant;

/** `policy`: played by the policy that is trained. Undefined: nobody. */
export type ParticipantSource = MakeParticipant | "policy" | undefined;

/** Who takes part beside the agent. */
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

/** Throws a `config` error that names the field when a participant is unknown or its module cannot be used. */
export async function loadParticipants({
  participants,
}: ParticipantsConfig): Promise<Participants> {
  return {
    user: await loadParticipant("participants.user", participants.user, USERS),
    judge: await loadParticipant("participants.judge", participants.judge, JUDGES),
  };
}

/** A sentence when a value is neither a built-in name nor an existing module; undefined when all is well. */
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
  return `${field}: ${expected}, came ${JSON.stringify(value)}${didYouMean(value, names)}`;
}

async function loadParticipant(
  field: string,
  value: string,
  known: Readonly<Record<string, ParticipantSource>>,
): Promise<ParticipantSource> {
  if (Object.hasOwn(known, value)) return known[value];
  const path = resolve(value);
  try {
    const { default: make } = await loadModule(pathToFileURL(path).href);
    if (typeof make === "function") return make as MakeParticipant;
  } catch (cause) {
    const problem = `${field}: ${path} cannot be loaded: ${errorMessage(cause)}`;
    throw new BowlineError("config", problem, { cause });
  }
  throw new BowlineError(
    "config",
    `${field}: expected ${path} to export a function (task) => participant as its default`,
  );
}
