/** Plays worlds of an HTTP API, whose server dies, hangs, answers garbage and restarts. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { resolveDials } from "../../dials/index.ts";
import type { ForeignTask, ForeignWorldDefinition } from "../define.ts";
import { type ForeignWorld, openForeignWorld } from "../foreign-world.ts";
import { type HttpApi, httpApps } from "./http-apps.ts";
import { readOperations } from "./read-openapi.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const DOCUMENT = {
  openapi: "3.1.0",
  components: {
    schemas: {
      Note: { type: "object", properties: { id: { type: "integer" }, text: { type: "string" } } },
    },
    parameters: { Id: { name: "id", in: "path", required: true, schema: { type: "integer" } } },
  },
  paths: {
    "/notes": {
      get: {
        operationId: "list_notes",
        summary: "List the notes.",
        parameters: [{ name: "word", in: "query", schema: { type: "string" } }],
        responses: {
          200: {
            content: {
              "application/json": {
                schema: { type: "array", items: { $ref: "#/components/schemas/Note" } },
              },
            },
          },
        },
      },
      post: {
        operationId: "add-note",
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["text"],
                properties: { text: { type: "string" } },
              },
            },
          },
        },
        responses: {},
      },
    },
    "/notes/{id}": {
      delete: { parameters: [{ $ref: "#/components/parameters/Id" }], responses: {} },
    },
    "/reset": { post: { operationId: "reset", responses: {} } },
  },
};

/** A server of notes, with one list for each session. `fault` decides what happens to a request instead. */
class NoteServer {
  readonly lists = new Map<string, { id: number; text: string }[]>();
  fault: ((path: string, response: ServerResponse) => boolean) | undefined;
  /** True to refuse every session that no reset has begun. */
  forgetsSessions = false;
  #server: Server | undefined;
  port = 0;

  async start(port = 0): Promise<void> {
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (part) => {
        body += part;
      });
      request.on("end", () => {
        const path = request.url ?? "";
        if (this.fault?.(path, response)) return;
        const session = String(request.headers["x-session"]);
        const [status, value] = this.#answer(`${request.method} ${path}`, session, body);
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(value));
      });
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Ends the server, which loses all its lists. */
  async stop(): Promise<void> {
    this.lists.clear();
    const server = this.#server;
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  }

  #answer(what: string, session: string, body: string): [number, unknown] {
    if (this.forgetsSessions && what.includes("/notes") && !this.lists.has(session)) {
      return [410, { detail: "no such session" }];
    }
    const list = this.lists.get(session) ?? [];
    this.lists.set(session, list);
    if (what === "GET /openapi.json") return [200, DOCUMENT];
    if (what === "POST /reset") {
      list.length = 0;
      return [200, {}];
    }
    if (what.startsWith("GET /notes")) {
      const word = new URL(`http://x${what.slice(4)}`).searchParams.get("word") ?? "";
      return [200, list.filter(({ text }) => text.includes(word))];
    }
    if (what === "POST /notes") {
      const { text } = JSON.parse(body || "{}");
      if (typeof text !== "string") return [422, { detail: "text must be a string" }];
      list.push({ id: list.length + 1, text });
      return [201, list.at(-1)];
    }
    const id = /^DELETE \/notes\/(\d+)$/.exec(what)?.[1];
    const at = list.findIndex((note) => note.id === Number(id));
    if (at < 0) return [404, { message: `there is no note ${id}` }];
    list.splice(at, 1);
    return [200, {}];
  }
}

const task: ForeignTask = {
  ...{ signature: "note", difficulty: 1, instruction: "Write a note that says milk." },
  check: async ({ read }) => {
    const notes = (await read("notes", "listNotes")) as { text: string }[];
    return [{ name: "milk", label: "progress", passed: notes.some(({ text }) => text === "milk") }];
  },
};

async function openNotes(
  others: Partial<ForeignWorldDefinition> = {},
  api: Partial<HttpApi> = {},
): Promise<{ server: NoteServer; world: ForeignWorld }> {
  const server = new NoteServer();
  await server.start();
  closers.push(() => server.stop());
  const url = `http://127.0.0.1:${server.port}`;
  const apps = httpApps({ notes: { url, headers: { "x-session": "{session}" }, ...api } });
  const tasks = () => [task, task, task] as const;
  const definition = { name: "notes", apps, scenarios: { train: 5 }, tasks, ...others };
  const world = await openForeignWorld(definition, { seed: 1, dials: resolveDials() });
  closers.push(() => world.close());
  return { server, world };
}

const DONE = 'apis.notes.addNote({text: "milk"}); apis.me.finishTask({})';

describe("an HTTP API", () => {
  test("operations become APIs with the arguments of path, query and body", async () => {
    const operations = readOperations(DOCUMENT);
    expect([...operations.keys()]).toEqual(["listNotes", "addNote", "deleteNotesId", "reset"]);
    expect(operations.get("listNotes")!.api).toEqual({
      summary: "List the notes.",
      params: { type: "object", properties: { word: { type: "string" } } },
      returns: {
        type: "array",
        items: {
          type: "object",
          properties: { id: { type: "integer" }, text: { type: "string" } },
        },
      },
      readOnly: true,
    });
    expect(operations.get("addNote")!.api.params).toMatchObject({ required: ["text"] });
    expect(operations.get("deleteNotesId")!.places.get("id")).toBe("path");
  });

  test("an agent reads, writes, meets errors and solves the task", async () => {
    const { world } = await openNotes();
    const episode = await world.open("train/0/1");
    const first = await episode.step(
      'apis.notes.addNote({text: "tea"}); apis.notes.addNote({text: "te deum"}); print(apis.notes.listNotes({word: "tea"}).length)',
    );
    expect(first.stdout).toBe("1\n");
    expect(first.calls.map(({ wrote }) => wrote)).toEqual([true, true, false]);
    expect((await episode.step("apis.notes.deleteNotesId({id: 9})")).text).toContain(
      "there is no note 9",
    );
    expect((await episode.evaluate()).passed).toBe(false);
    await episode.step(DONE);
    expect(await episode.evaluate()).toMatchObject({ passed: true, finished: true });
    await episode.close();
  });

  test("sessions keep episodes apart, and a reset puts one into its start state", async () => {
    const reset: HttpApi["reset"] = async (call) => void (await call("reset"));
    const probe = { app: "notes", api: "listNotes", args: {} };
    const { world, server } = await openNotes(
      { isolation: "reset", connections: 2, probe },
      { reset },
    );
    const episodes = [await world.open("train/0/1"), await world.open("train/0/2")];
    for (const [i, episode] of episodes.entries()) {
      await episode.step(`apis.notes.addNote({text: "n${i}"})`);
      expect((await episode.step("print(apis.notes.listNotes().length)")).stdout).toBe("1\n");
    }
    for (const episode of episodes) await episode.close();
    const again = await world.open("train/1/1");
    expect((await again.step("print(apis.notes.listNotes().length)")).stdout).toBe("0\n");
    await again.close();
    expect(server.lists.size).toBeLessThanOrEqual(4);
  });
});

const FAULTS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "is away (503)": (response) => response.writeHead(503).end(),
  "cuts the line": (response) => response.socket?.destroy(),
  "answers garbage": (response) =>
    response.writeHead(200, { "content-type": "application/json" }).end("<html>"),
  "never answers": () => {},
};

describe.each(Object.entries(FAULTS))("a server that %s", (_, spoil) => {
  test("once: the call is made again on another connection, and counts once", async () => {
    const { world, server } = await openNotes({ callTimeoutMs: 300 });
    const episode = await world.open("train/0/1");
    await episode.step('apis.notes.addNote({text: "a"})');
    let faults = 1;
    server.fault = (_path, response) => {
      if (faults-- <= 0) return false;
      spoil(response);
      return true;
    };
    expect((await episode.step("print(apis.notes.listNotes().length)")).stdout).toBe("1\n");
    await episode.step(DONE);
    expect((await episode.evaluate()).passed).toBe(true);
    await episode.close();
  });

  test("always: the episode fails and has no reward, and the next one plays", async () => {
    const { world, server } = await openNotes({ callTimeoutMs: 300 });
    server.fault = (_path, response) => {
      spoil(response);
      return true;
    };
    const episode = await world.open("train/0/1");
    await expect(episode.step(DONE)).rejects.toThrow("the apps did not answer");
    await expect(episode.evaluate()).rejects.toThrow("the apps did not answer");
    await episode.close();
    server.fault = undefined;
    const next = await world.open("train/0/2");
    await next.step(DONE);
    expect((await next.evaluate()).passed).toBe(true);
    await next.close();
  });
});

test("a server that restarts and has lost the session is brought back into the episode's state", async () => {
  const reset: HttpApi["reset"] = async (call) => void (await call("reset"));
  const { world, server } = await openNotes({}, { reset, lostStatuses: [410] });
  server.forgetsSessions = true;
  const episode = await world.open("train/0/1");
  await episode.step('apis.notes.addNote({text: "milk"})');
  const { port } = server;
  await server.stop();
  await server.start(port);
  await episode.step("apis.me.finishTask({})");
  expect((await episode.evaluate()).passed).toBe(true);
  expect([...server.lists.values()]).toEqual([[{ id: 1, text: "milk" }]]);
  await episode.close();
});

test("what is no document, and an operation that is not there, are named", async () => {
  await expect(openNotes({}, { document: { swagger: 2 } })).rejects.toThrow(
    "expected an OpenAPI document",
  );
  await expect(openNotes({}, { operations: ["listNote"] })).rejects.toThrow(
    "notes: there is no operation listNote (did you mean listNotes?)",
  );
});
