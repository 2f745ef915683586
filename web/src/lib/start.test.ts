import { describe, expect, it } from "vitest";
import { buildStartCommand, buildStartRequest, parseFields } from "./start.ts";

const CHOICE = { setting: "smoke", method: "loop", seed: "1", name: "", fields: "" };

describe("the command that starts a run", () => {
  it("names a folder only where it is not the usual one, and quotes what a shell would read", () => {
    expect(buildStartCommand(CHOICE, "runs/")).toBe("bowline train smoke --method loop --seed 1");
    expect(buildStartCommand({ ...CHOICE, method: "./my method.ts" }, undefined)).toBe(
      "bowline train smoke --method './my method.ts' --seed 1",
    );
    expect(buildStartCommand(CHOICE, "elsewhere")).toBe(
      "bowline train smoke --method loop --seed 1 --out elsewhere/smoke-loop-seed1",
    );
  });

  it("has the name and the fields that were asked for", () => {
    const choice = { ...CHOICE, name: "small", fields: "warm.parts=[]\nnot yet whole" };
    expect(buildStartCommand(choice, "runs")).toBe(
      "bowline train smoke --method loop --seed 1 --out runs/small",
    );
    expect(buildStartCommand({ ...choice, fields: "warm.parts=[]" }, "runs")).toContain(
      " '--warm.parts=[]'",
    );
  });
});

describe("the request that starts a run", () => {
  it("has a number for a seed, and no name where none was given", () => {
    const { fields, ...rest } = buildStartRequest({ ...CHOICE, seed: "7", fields: "a.b = 1 2 " });
    expect(rest).toEqual({ setting: "smoke", method: "loop", seed: 7 });
    expect(fields).toEqual({ "a.b": "1 2" });
  });
});

describe("fields", () => {
  it("are lines, also as one types them elsewhere", () => {
    expect(
      parseFields("\n algo.groupSize=4\n--algo.clip 0.2\n--world.name=toy\nx.y = a=b\n"),
    ).toEqual({ "algo.groupSize": "4", "algo.clip": "0.2", "world.name": "toy", "x.y": "a=b" });
  });

  it.each(["groupSize=4", "algo.groupSize", "algo.groupSize=", "--out /etc", "=4", "a.b"])(
    "are not %j",
    (line) => {
      expect(() => parseFields(`algo.clip=1\n${line}`)).toThrow(`in the line "${line}"`);
    },
  );

  it("stand there once", () => {
    expect(() => parseFields("a.b=1\na.b=2")).toThrow("a.b stands there twice");
  });
});
