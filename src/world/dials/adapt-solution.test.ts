import { describe, expect, test } from "vitest";
import { adaptSolution, resolveDials } from "./index.ts";
import { ParameterNames } from "./parameter-names.ts";

const names = new ParameterNames(
  new Map([
    ["to", "recipient"],
    ["page", "sheet"],
    ["id", "ref"],
  ]),
);
const surface = {
  parameterNames: (app: string) => (app === "mail" ? names : undefined),
  appsWithLogin: new Set(["mail"]),
};
const adapt = (code: string, dials: Parameters<typeof resolveDials>[0], first = false) =>
  adaptSolution(code, resolveDials(dials), surface, first);
const adaptWithRenaming = (code: string) => adapt(code, { renamedParams: 1 });
const adaptWithRetries = (code: string) => adapt(code, { apiErrors: 0.1 });

describe("adaptSolution rewrites a solution for the dials", () => {
  test("adaptSolution does not change code when no dial is on or the code cannot be parsed", () => {
    const code = "apis.mail.list({page})  // as it was";
    expect(adapt(code, { docs: "terse", paraphrase: 3 }, true)).toBe(code);
    expect(adaptWithRenaming("apis.mail.list({page}")).toBe("apis.mail.list({page}");
  });

  test.each([
    ["apis.mail.send({to:x, text:1})", "apis.mail.send({recipient:x, text:1})"],
    ['await apis.mail.send({"to":to})', "await apis.mail.send({recipient:to})"],
    ["f(()=>apis.mail.list({page}).items)", "f(()=>apis.mail.list({sheet:page}).items)"],
    [
      "apis.mail.show({id:apis.mail.list({page:1}).id})",
      "apis.mail.show({ref:apis.mail.list({sheet:1}).id})",
    ],
    ["apis.mail.list()", "apis.mail.list()"],
    ["apis.pay.send({to:{to}}); x.mail.send({to})", "apis.pay.send({to:{to}}); x.mail.send({to})"],
    ["'apis.mail.send({to})'", "'apis.mail.send({to})'"],
  ])("adaptSolution renames the parameters in %s", (code, expected) => {
    expect(adaptWithRenaming(code)).toBe(expected);
  });

  test.each(["apis.mail.list(args)", "apis.mail.list({...args})", "apis.mail.list({[to]:1})"])(
    "adaptSolution refuses arguments that are not written as an object literal, as in %s",
    (code) => {
      expect(() => adaptWithRenaming(code)).toThrow(
        "cannot rename the parameters of apis.mail.list",
      );
    },
  );

  test.each([
    ["apis.mail.list()", 'retrying("mail","list")'],
    ["apis.mail.list({}).items", 'retrying("mail","list",{}).items'],
    ["apis.pay.f( (x), apis.mail.g(y) )", 'retrying("pay","f", (x), retrying("mail","g",y) )'],
    ["apis.me.finishTask({answer:1})", "apis.me.finishTask({answer:1})"],
    ["apis.docs.listApps()", "apis.docs.listApps()"],
  ])(
    "adaptSolution retries app calls and evaluates their arguments once, as in %s",
    (code, expected) => {
      expect(adaptWithRetries(code)).toBe(expected);
    },
  );

  test("adaptSolution adds the retry helper to the first cell, which also logs in again when sessions expire early", () => {
    const [helper, code] = adapt("apis.mail.list()", { apiErrors: 1 }, true).split("\n");
    expect(code).toBe('retrying("mail","list")');
    expect(helper).toMatch(/^const retrying=.*503/);
    expect(helper).not.toContain("login");
    expect(adapt("1", { clockDriftMs: 1 }, true)).toContain('"login"');
    expect(adapt("1", { clockDriftMs: 1, renamedParams: 1 })).toBe("1");
  });
});
