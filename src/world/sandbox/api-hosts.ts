/**
 * Answers the API calls of a cell. Either the live world answers, and its replies are recorded, or recorded replies are
 * replayed.
 */
import { BowlineError } from "../../core/index.ts";
import { explainUnknownName } from "../words/index.ts";
import type { ApiHost } from "./meter.ts";
import type { ApiNamesByApp } from "./shared-instance.ts";
import type { CallRecord, HostReply, ReplOptions } from "./types.ts";

/** Creates a host that asks the world and appends each call with its reply to `record`. */
export function liveApiHost({ apps, call, now }: ReplOptions, record: CallRecord[]): ApiHost {
  return {
    call(app, api, args) {
      const reply = JSON.stringify(withJsonValue(call(app, api, JSON.parse(args))));
      const after = now();
      record.push({ request: `${app}.${api} ${args}`, reply, now: after });
      return { reply, now: parseInstant(after) };
    },
    hint: (app, name) => explainMissing(apps, app, name),
  };
}

/** Creates a host that answers from `calls`, in order. It throws when the code makes any other call. */
export function recordedApiHost(apps: ApiNamesByApp, calls: readonly CallRecord[]): ApiHost {
  let next = 0;
  return {
    call(app, api, args) {
      const request = `${app}.${api} ${args}`;
      const recorded = calls[next++];
      if (recorded?.request !== request) {
        throw replayError(
          `call ${next} was ${recorded?.request ?? "absent"}, now it is ${request}`,
        );
      }
      return { reply: recorded.reply, now: parseInstant(recorded.now) };
    },
    hint: (app, name) => explainMissing(apps, app, name),
  };
}

export function replayError(reason: string): BowlineError {
  return new BowlineError("world", `a recorded cell did not replay: ${reason}`);
}

/** Parses an ISO instant into milliseconds since the epoch. Throws a `world` error for anything else. */
export function parseInstant(iso: string): number {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) {
    throw new BowlineError("world", `the clock must return an ISO instant, got '${iso}'`);
  }
  return ms;
}

/** Replaces a missing value by null, because `undefined` has no JSON. */
function withJsonValue(reply: HostReply): HostReply {
  return reply.ok ? { ok: true, value: reply.value ?? null } : reply;
}

/** Says why `apis.<name>` (when `app` is empty) or `apis.<app>.<name>` does not exist, and which names are nearest. */
function explainMissing(apps: ApiNamesByApp, app: string, name: string): string {
  if (app === "") return explainUnknownName("there is no app", name, Object.keys(apps), "'", 20);
  return explainUnknownName(`app '${app}' has no API`, name, apps[app] ?? [], "'");
}
