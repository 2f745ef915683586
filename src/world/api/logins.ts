/**
 * Sessions of apps with `login: true`: the kit adds `login` and `logout` to such an app, and refuses its other calls
 * without a live session.
 *
 * The session is implicit: the client keeps the token, so no call takes one. Sessions are rows, so forks carry them.
 */
import { z } from "zod";
import { BowlineError, hash32 } from "../../core/index.ts";
import { ApiError, type App, defineApi, defineTable, type Reader } from "../define.ts";
import { addMilliseconds } from "./clock.ts";
import { accounts } from "./me.ts";

const SESSION_MINUTES = 20;

/** A login. The last login to an app decides whether the app has a live session. */
type LoginSession = {
  readonly id: number;
  readonly app: string;
  readonly username: string;
  readonly token: string;
  readonly expiresAt: string;
  readonly open: boolean;
};

export const sessionsTable = defineTable<LoginSession>("me.sessions", {
  indexes: ["app"],
  classes: {
    app: "session",
    username: "session",
    token: "session",
    expiresAt: "session",
    open: "session",
  },
});

/** Returns true for the two APIs of an app with logins that need no session. */
export function isLoginApi(api: string): boolean {
  return api === "login" || api === "logout";
}

/** Returns the app with `login` and `logout` in front of its own APIs. */
export function addLoginApis(app: App): App {
  const own = Object.keys(app.apis).find(isLoginApi);
  if (own) {
    throw new BowlineError(
      "world",
      `${app.name}.${own}: this API name is reserved, because the kit adds it to an app with \`login: true\`; rename the API`,
    );
  }
  return {
    ...app,
    apis: { login: makeLoginApi(app.name), logout: makeLogoutApi(app.name), ...app.apis },
  };
}

/** Throws a `world` error when the population has no account for one of the apps. */
export function requireAccounts(db: Reader, apps: Iterable<string>): void {
  for (const app of apps) {
    if (findAccount(db, app)) continue;
    throw new BowlineError(
      "world",
      `app "${app}" has logins, but the population gives it no account: insert { app: "${app}", username, password } into \`accounts\``,
    );
  }
}

/** Throws an ApiError 401, which says what to do, unless the app has a live session. */
export function requireSession(db: Reader, app: string, now: string): void {
  const last = db.where(sessionsTable, { app }).at(-1);
  if (last?.open && now < last.expiresAt) return;
  const [what, how] = last?.open
    ? [`the session of ${app} expired at ${last.expiresAt}`, "again with"]
    : [`${app} needs a session`, "with"];
  throw new ApiError(401, `${what}: call ${app}.login ${how} the password from me.listAccounts`);
}

export function findAccount(db: Reader, app: string) {
  return db.where(accounts, { app })[0];
}

function makeLoginApi(app: string) {
  return defineApi({
    summary: `Open a session of ${app}, which its other APIs need; it lasts ${SESSION_MINUTES} minutes.`,
    params: z.strictObject({
      password: z.string().describe(`the password of ${app} in me.listAccounts`),
    }),
    returns: z.object({ token: z.string(), expiresAt: z.string() }),
    handler: ({ db, now }, { password }) => {
      const account = findAccount(db, app);
      if (account?.password !== password) {
        const whose = account ? `${account.username} in ${app}` : app;
        throw new ApiError(
          401,
          `password: expected the password of ${whose}, got ${JSON.stringify(password)}; me.listAccounts has it`,
        );
      }
      const { username } = account;
      const login = db.where(sessionsTable, { app }).length + 1;
      const token = makeToken(app, username, login);
      const expiresAt = addMilliseconds(now, SESSION_MINUTES * 60_000);
      return db.insert(sessionsTable, { app, username, token, expiresAt, open: true });
    },
  });
}

function makeLogoutApi(app: string) {
  return defineApi({
    summary: `End the session of ${app}.`,
    params: z.strictObject({}),
    returns: z.object({ loggedOut: z.boolean() }),
    handler: ({ db }) => {
      const open = db.where(sessionsTable, { app }).filter((session) => session.open);
      for (const { id } of open) db.update(sessionsTable, id, { open: false });
      return { loggedOut: open.length > 0 };
    },
  });
}

function makeToken(app: string, username: string, login: number): string {
  const tokenHalf = (seed: number) =>
    hash32(`${app}/${username}/${login}`, seed).toString(16).padStart(8, "0");
  return tokenHalf(1) + tokenHalf(2);
}
