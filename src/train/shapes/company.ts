/**
 * Who else takes part, from the configuration: built-in ones by name, one's own by the path of a module whose default
 * export makes a participant for a rollout, `(task) => Participant`. Modules are loaded once, before any work starts.
 */
import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { errorBuffer, reminder } from "../../agent/index.ts";
import { BowlineError, loadModule, messageOf, nearest } from "../../core/index.ts";
import type { Participant, TaskInfo } from "../../spec/index.ts";
import type { Config } from "../config.ts";

/** One participant a rollout, because it may remember what it heard. */
export type MakeParticipant = (task: TaskInfo) => Participant;

/** `policy`: played by the policy that is trained. */
export type Seat = MakeParticipant | "policy" | undefined;

export interface Company {
  readonly user: Seat;
  readonly judge: Seat;
}

const USERS: Readonly<Record<string, Seat>> = {
  none: undefined,
  policy: "policy",
  reminder: () => reminder(),
  errors: () => errorBuffer(),
};
const JUDGES: Readonly<Record<string, Seat>> = { none: undefined, policy: "policy" };

type Seats = { readonly participants: Pick<Config["participants"], "user" | "judge"> };

/** Throws a `config` error that names the field when a participant is unknown or its module cannot be used. */
export async function companyOf({ participants }: Seats): Promise<Company> {
  return {
    user: await seatOf("participants.user", participants.user, USERS),
    judge: await seatOf("participants.judge", participants.judge, JUDGES),
  };
}

/** A sentence when a value is neither a built-in name nor an existing module; undefined when all is well. */
export function companyConflict({
  participants,
}: Pick<Config, "participants">): string | undefined {
  return (
    seatConflict("participants.user", participants.user, USERS) ??
    seatConflict("participants.judge", participants.judge, JUDGES)
  );
}

function seatConflict(
  field: string,
  value: string,
  known: Readonly<Record<string, Seat>>,
): string | undefined {
  if (Object.hasOwn(known, value) || existsSync(resolve(value))) return undefined;
  const names = Object.keys(known);
  const near = nearest(value, names);
  const looksLikePath = /^\.{1,2}[\\/]|\.[cm]?[jt]s$/.test(value) || isAbsolute(value);
  const expected = `expected ${names.join(", ")} or the path of a module`;
  if (looksLikePath) return `${field}: no module at ${resolve(value)}; ${expected}`;
  return `${field}: ${expected}, came ${JSON.stringify(value)}${near ? ` (did you mean ${near}?)` : ""}`;
}

async function seatOf(
  field: string,
  value: string,
  known: Readonly<Record<string, Seat>>,
): Promise<Seat> {
  if (Object.hasOwn(known, value)) return known[value];
  const path = resolve(value);
  try {
    const { default: make } = await loadModule(pathToFileURL(path).href);
    if (typeof make === "function") return make as MakeParticipant;
  } catch (cause) {
    const problem = `${field}: ${path} cannot be loaded: ${messageOf(cause)}`;
    throw new BowlineError("config", problem, { cause });
  }
  throw new BowlineError(
    "config",
    `${field}: expected ${path} to export a function (task) => participant as its default`,
  );
}
