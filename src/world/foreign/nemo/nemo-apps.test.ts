/** Plays a world of a fake resources server of NeMo Gym, whose sessions are cookies. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { resolveDials } from "../../dials/index.ts";
import type { ForeignTask } from "../define.ts";
import { type ForeignWorld, openForeignWorld } from "../foreign-world.ts";
import { nemoApps } from "./nemo-apps.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const TOOLS = [
  {
    ...{ type: "function", name: "calendar_add_event", description: "Add an event." },
    parameters: { type: "object", properties: { day: { type: "string" } }, required: ["day"] },
  } as const,
  { type: "function", name: "calendar_list_events" } as const,
];

interface Fake {
  readonly url: string;
  readonly sessions: Map<string, string[]>;
  readonly verified: { response: { output: Record<string, unknown>[] }; day: string }[];
  fault: ((path: string, response: ServerResponse) => boolean) | undefined;
}

/** A server whose tools answer `{output}`, errors of tools as text with status 200, and which verifies by the session. */
async function startFake(): Promise<Fake> {
  const fake = { url: "", sessions: new Map(), verified: [], fault: undefined } as unknown as {
    -readonly [name in keyof Fake]: Fake[name];
  };
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part) => {
      text += part;
    });
    request.on("end", () => {
      const path = request.url ?? "";
      if (fake.fault?.(path, response)) return;
      const body = JSON.parse(text);
      const id =
        /session=(\w+)/.exec(request.headers.cookie ?? "")?.[1] ?? `s${fake.sessions.size}`;
      const send = (value: unknown, status = 200) => {
        const headers = {
          "content-type": "application/json",
          "set-cookie": `session=${id}; Path=/`,
        };
        response.writeHead(status, headers).end(JSON.stringify(value));
      };
      if (path === "/seed_session") {
        fake.sessions.set(id, []);
        return send({});
      }
      const events = fake.sessions.get(id);
      if (!events) return send({ detail: "no session" }, 400);
      if (path === "/verify") {
        fake.verified.push(body);
        return send({ ...body, reward: events.join() === body.day ? 1 : 0 });
      }
      if (path === "/calendar_list_events") return send({ output: events });
      if (body.day === "never") return send({ output: "Error: there is no such day" });
      events.push(body.day);
      return send({ output: `added ${events.length}` });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}

async function openGym(fake: Fake): Promise<ForeignWorld> {
  const createTask = (day: string): ForeignTask => ({
    ...{ signature: "event", difficulty: 1, instruction: `Add an event on ${day}.` },
    data: { responses_create_params: { input: "", tools: TOOLS }, day },
  });
  const world = await openForeignWorld(
    {
      name: "gym",
      apps: nemoApps({ url: fake.url, tools: TOOLS }),
      scenarios: { train: 2 },
      tasks: () => [createTask("monday"), createTask("tuesday"), createTask("friday")],
    },
    { seed: 1, dials: resolveDials() },
  );
  closers.push(() => world.close());
  return world;
}

test("the server's verdict is the reward, and it gets the calls as the items of a Responses answer", async () => {
  const fake = await startFake();
  const world = await openGym(fake);
  const episode = await world.open("train/0/1");
  expect((await episode.step('print(apis.gym.calendarAddEvent({day: "never"}))')).text).toContain(
    "there is no such day",
  );
  await episode.step('print(apis.gym.calendarAddEvent({day: "monday"}))');
  await episode.step('apis.me.finishTask({answer: "done"})');
  expect(await episode.evaluate()).toMatchObject({ passed: true, reward: 1 });
  const [{ response, day }] = fake.verified as [Fake["verified"][number]];
  expect(day).toBe("monday");
  expect(response.output.map(({ type }) => type)).toEqual([
    ...[
      "function_call",
      "function_call_output",
      "function_call",
      "function_call_output",
      "message",
    ],
  ]);
  expect(response.output[2]).toMatchObject({
    name: "calendar_add_event",
    arguments: '{"day":"monday"}',
  });
  expect(response.output[3]).toMatchObject({ output: "added 1" });
  expect(response.output[4]).toMatchObject({ content: [{ text: "done" }] });
  await episode.close();
});

test("episodes have sessions of their own", async () => {
  const fake = await startFake();
  const world = await openGym(fake);
  const [first, second] = [await world.open("train/0/1"), await world.open("train/0/2")];
  await first.step('apis.gym.calendarAddEvent({day: "monday"}); apis.me.finishTask({})');
  await second.step('apis.gym.calendarAddEvent({day: "monday"}); apis.me.finishTask({})');
  expect([(await first.evaluate()).reward, (await second.evaluate()).reward]).toEqual([1, 0]);
  await first.close();
  await second.close();
});

test("a verdict without a reward, and a server that is away, fail the episode: no reward is invented", async () => {
  const fake = await startFake();
  const world = await openGym(fake);
  const episode = await world.open("train/0/1");
  await episode.step('apis.gym.calendarAddEvent({day: "monday"}); apis.me.finishTask({})');
  fake.fault = (path, response) => {
    if (path !== "/verify") return false;
    response.writeHead(200, { "content-type": "application/json" }).end('{"reward":null}');
    return true;
  };
  await expect(episode.evaluate()).rejects.toThrow("expected a reward from 0 to 1, got null");
  fake.fault = (_, response) => Boolean(response.writeHead(503).end());
  await expect(episode.evaluate()).rejects.toThrow("the apps did not answer");
  fake.fault = undefined;
  await episode.close();
});
