/**
 * The two far sides of the boundary: the living world, whose answers are recorded, and a record, whose answers replay.
 */
import { BowlineError, nearest } from "../../core/index.ts";
import type { Outside } from "./meter.ts";
import type { Apps } from "./stage.ts";
import type { CallRecord, HostReply, ReplOptions } from "./types.ts";

/** Asks the world, and appends each exchange to `record`. */
export function liveOutside({ apps, call, now }: ReplOptions, record: CallRecord[]): Outside {
  return {
    call(app, api, args) {
      const reply = JSON.stringify(wire(call(app, api, JSON.parse(args))));
      const after = now();
      record.push({ request: `${app}.${api} ${args}`, reply, now: after });
      return { reply, now: instant(after) };
    },
    hint: (app, name) => hint(apps, app, name),
  };
}

/** Answers from `calls`, in order; throws when asked for anything else. */
export function recordedOutside(apps: Apps, calls: readonly CallRecord[]): Outside {
  let next = 0;
  return {
    call(app, api, args) {
      const request = `${app}.${api} ${args}`;
      const recorded = calls[next++];
      if (recorded?.request !== request) {
        throw diverged(`call ${next} was ${recorded?.request ?? "absent"}, now it is ${request}`);
      }
      return { reply: recorded.reply, now: instant(recorded.now) };
    },
    hint: (app, name) => hint(apps, app, name),
  };
}

export function diverged(how: string): BowlineError {
  return new BowlineError("world", `a recorded cell did not replay: ${how}`);
}

/** Milliseconds since the epoch. */
export function instant(iso: string): number {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) {
    throw new BowlineError("world", `the clock must tell an ISO instant, but told '${iso}'`);
  }
  return ms;
}

/** `undefined` has no JSON. */
function wire(reply: HostReply): HostReply {
  return reply.ok ? { ok: true, value: reply.value ?? null } : reply;
}

/** Why `apis.<name>` or `apis.<app>.<name>` is not there; `app` is empty for the former. */
function hint(apps: Apps, app: string, name: string): string {
  const known = app === "" ? Object.keys(apps) : (apps[app] ?? []);
  const what = app === "" ? `there is no app '${name}'` : `app '${app}' has no API '${name}'`;
  const near = nearest(name, known);
  if (near !== undefined) return `${what}; did you mean '${near}'?`;
  return `${what}; there ${known.length === 1 ? "is" : "are"} ${known.join(", ")}`;
}
