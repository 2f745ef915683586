import { beforeEach, describe, expect, test } from "vitest";
import office, { letters } from "../../../tests/support/office-world.ts";
import { defineApp, defineWorld } from "../define.ts";
import { resolveDials } from "../dials/index.ts";
import { WorldInstance } from "../episode/index.ts";
import { cloneSession, type EpisodeSession } from "./index.ts";
import { accounts } from "./me.ts";

const world = new WorldInstance(office, 1);
const [{ password } = { password: "" }] = world.copyPopulation().all(accounts);
let session: EpisodeSession;
const call = (app: string, api: string, args?: unknown, on = session, of = world) => {
  const result = of.dispatcher.call(on, of.owner, app, api, args);
  return "value" in result ? result.value : `${result.status} ${result.message}`;
};

beforeEach(() => {
  session = { state: world.copyPopulation(), calls: 0 };
});

describe("apps with logins", () => {
  test("apps with logins refuse every call without a session before its arguments are checked, and say what to do", () => {
    const told = "401 post needs a session: call post.login with the password from me.listAccounts";
    expect(call("post", "members")).toBe(told);
    expect(call("post", "send", { wrong: 1 })).toBe(told);
    expect(call("post", "nope")).toMatch(/^404 post has no API "nope"/);
    expect(call("board", "pin", { text: "x" })).toEqual({ id: 1 });
    expect(call("me", "profile")).toMatchObject({ name: "Ida" });
  });

  test("apps with logins open a session with the password for 20 minutes of the episode's clock", () => {
    call("me", "profile");
    expect(call("post", "login", { password })).toEqual({
      token: expect.stringMatching(/^[0-9a-f]{16}$/),
      expiresAt: "2026-01-05T09:20:01Z",
    });
    expect(call("post", "members")).toMatchObject({ more: true });
    while (session.calls < 1200) call("me", "profile");
    expect(call("post", "members")).toMatchObject({ more: true });
    expect(call("post", "members")).toBe(
      "401 the session of post expired at 2026-01-05T09:20:01Z: call post.login again with the password from me.listAccounts",
    );
    call("post", "login", { password });
    expect(call("post", "members")).toMatchObject({ more: true });
  });

  test("apps with logins refuse a wrong password, name the parameter, and open no session", () => {
    expect(call("post", "login", { password: "guess" })).toBe(
      '401 password: expected the password of ida in post, got "guess"; me.listAccounts has it',
    );
    expect(call("post", "login", {})).toMatch(/^422 post.login needs parameter "password"/);
    expect(call("post", "members")).toMatch(/^401 post needs a session/);
  });

  test("apps with logins give a new token at a second login, and logout ends all sessions", () => {
    const [first, second] = [1, 2].map(() => call("post", "login", { password }));
    expect(first).not.toEqual(second);
    const twin: EpisodeSession = { state: world.copyPopulation(), calls: 0 };
    expect(call("post", "login", { password }, twin)).toEqual(first);
    expect(call("post", "logout")).toEqual({ loggedOut: true });
    expect(call("post", "members")).toMatch(/^401 post needs a session/);
    expect(call("post", "logout")).toEqual({ loggedOut: false });
  });

  test("login sessions are kept in forks, checks do not compare them, and the documentation describes them", () => {
    const login = world.dispatcher.call(session, world.owner, "post", "login", { password });
    expect(login).toMatchObject({ wrote: false });
    const fork = cloneSession(session);
    call("post", "logout");
    expect(call("post", "members", {}, fork)).toMatchObject({ more: true });
    expect(call("docs", "listApis", { app: "post" })).toMatchObject({
      items: [{ name: "login" }, { name: "logout" }, { name: "members" }, {}, {}],
    });
    expect(call("docs", "showApi", { app: "post", api: "login" })).toMatchObject({
      call: "apis.post.login({ password })",
      example: expect.stringContaining("apis.me.listAccounts()"),
    });
  });

  test("apps with logins need no login when the dial `logins` is off", () => {
    const open = new WorldInstance(office, 1, { logins: false });
    const on: EpisodeSession = { state: open.copyPopulation(), calls: 0 };
    expect(call("post", "members", {}, on, open)).toMatchObject({ more: true });
    expect(open.dispatcher.apiNames["post"]).toEqual(["members", "send", "show"]);
    const tableNames = (of: WorldInstance) => of.dispatcher.catalog.tables.map(({ name }) => name);
    expect(tableNames(world)).toContain("me.sessions");
    expect(tableNames(open)).not.toContain("me.sessions");
    expect(open.copyPopulation().all(letters)).toEqual(world.copyPopulation().all(letters));
  });
});

test("a world whose population has no account for an app with logins is refused", () => {
  const forgetful = defineWorld({ ...office, populate: () => world.owner });
  expect(() => new WorldInstance(forgetful, 1)).toThrow(
    'app "post" has logins, but the population gives it no account: insert { app: "post"',
  );
  expect(() => new WorldInstance(forgetful, 1, { logins: false })).not.toThrow();
  const [post] = office.apps;
  const clash = defineApp({ ...post!, apis: { login: post!.apis["show"]! } });
  expect(() => new WorldInstance({ ...office, apps: [clash] }, 1)).toThrow(
    "post.login: this API name is reserved",
  );
  expect(() => resolveDials({ apiErrors: 2 })).toThrow(/^dials\.apiErrors: /);
});
