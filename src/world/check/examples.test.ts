import { beforeAll, describe, expect, test } from "vitest";
import office, { members } from "../../../tests/support/office-world.ts";
import type { Api, WorldDefinition } from "../define.ts";
import { LiveEpisode, WorldInstance } from "../episode/index.ts";
import { createSandbox, type Sandbox } from "../sandbox/index.ts";
import { apisWithoutExample } from "./index.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});

/** Returns the office world with another example for `post.send`. */
function officeWithSendExample(example: Api["example"]): WorldDefinition {
  const [post, board] = office.apps;
  const send = { ...post!.apis["send"]!, example } as Api;
  return { ...office, apps: [{ ...post!, apis: { ...post!.apis, send } }, board!] };
}

async function showApiDocs(world: WorldInstance, api: string): Promise<Record<string, unknown>> {
  const episode = LiveEpisode.open(world, sandbox, "train/0/1");
  const [app, name] = api.split(".");
  const call = `apis.docs.showApi({app:"${app}",api:"${name}"})`;
  const { stdout } = await episode.step(`print(JSON.stringify(${call}))`);
  episode.close();
  return JSON.parse(stdout);
}

describe("examples in the documentation", () => {
  test("examples of APIs are computed from the present state", async () => {
    const world = new WorldInstance(office, 1);
    const { example } = await showApiDocs(world, "post.send");
    expect(example).toBe('apis.post.send({"to":"m0","text":"hello"})');
    expect(await showApiDocs(world, "board.pin")).not.toHaveProperty("example");
  });

  test.each([0, 5])(
    "examples of APIs can be run as printed when parameters are renamed with seed %i",
    async (renamedParams) => {
      const world = new WorldInstance(office, 1, { renamedParams });
      const apis = ["post.login", "post.members", "post.send", "post.show"];
      const episode = LiveEpisode.open(world, sandbox, "train/0/1");
      for (const api of apis) {
        const { example } = await showApiDocs(world, api);
        expect(await episode.step(String(example))).toMatchObject({ status: "ok" });
      }
      episode.close();
    },
  );

  test("an API has no example when its example throws, when the world wants no examples, and in terse documentation", async () => {
    const throwing = officeWithSendExample((db) => ({ to: db.get(members, 99)!.name }));
    const without: WorldDefinition[] = [throwing, { ...office, examples: false }];
    for (const definition of without)
      expect(await showApiDocs(new WorldInstance(definition, 1), "post.send")).not.toHaveProperty(
        "example",
      );
    const terse = await showApiDocs(new WorldInstance(office, 1, { docs: "terse" }), "post.send");
    expect(terse).toEqual({
      call: "apis.post.send({ to, text })",
      summary: "Send a letter.",
      params: [
        { name: "to", type: "string", required: true },
        { name: "text", type: "string >= 1 characters", required: true },
      ],
      returns: "{ id: integer }",
    });
  });

  test("verbose documentation shows the examples of APIs together with notes about the call", async () => {
    const dials = { docs: "verbose", apiErrors: 0.1, renamedParams: 1 } as const;
    const { notes, example } = await showApiDocs(
      new WorldInstance(office, 1, dials),
      "post.members",
    );
    expect(example).toBe("apis.post.members({})");
    expect(notes).toEqual([
      expect.stringContaining("call post.login first"),
      expect.stringMatching(/raise `(pageNumber|pageNo|sheet)` while `more` is true/),
      expect.stringContaining("503"),
      expect.stringContaining("`status`"),
    ]);
  });
});

describe("apisWithoutExample checks the examples of APIs", () => {
  const findExampleProblems = (definition: WorldDefinition) =>
    apisWithoutExample(new WorldInstance(definition, 1));

  test("apisWithoutExample lists the APIs without an example", () => {
    expect(findExampleProblems(office)).toEqual([{ api: "board.pin", why: "it has no example" }]);
  });

  test.each([
    [
      "throws",
      (() => {
        throw new Error("oops");
      }) as Api["example"],
      "its example throws: oops",
    ],
    [
      "fails",
      (() => ({ to: "nobody", text: "x" })) as Api["example"],
      '404 to: there is no member "nobody"; `text` was not sent',
    ],
    ["is wrong", (() => ({ to: 1, text: "x" })) as Api["example"], expect.stringMatching(/^422 /)],
  ])("apisWithoutExample reports an example that %s", (_, example, expected) => {
    expect(findExampleProblems(officeWithSendExample(example))[0]).toEqual({
      api: "post.send",
      why: expected,
    });
  });
});
