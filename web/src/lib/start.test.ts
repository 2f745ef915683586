import { describe, expect, it } from "vitest";
import { buildStartCommand, buildStartRequest, parseFields } from "./start.ts";

const CHOICE = { setting: "smoke", method: "loop", seed: "1", name: "", fields: "" };

describe("the command that starts a run", () => {
  it("names a folder only if it is not the default, and quotes special characters", () => {
    expect(buildStartCommand(CHOICE, "runs/")).toBe("bowline train smoke --method loop --seed 1");
    expect(buildStartCommand({ ...CHOICE, method: "./my method.ts" }, undefined)).toBe(
      "bowline train smoke --method './my method.ts' --seed 1",
    );
    expect(buildStartCommand(CHOICE, "elsewhere")).toBe(
      "bowline train smoke --method loop --seed 1 --out elsewhere/smoke-loop-seed1",
    );
  });

  it("contains the chosen name and fields", () => {
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
  it("contains the seed as a number, and a name only if one was given", () => {
    const { fields, ...rest } = buildStartRequest({ ...CHOICE, seed: "7", fields: "a.b = 1 2 " });
    expect(rest).toEqual({ setting: "smoke", method: "loop", seed: 7 });
    expect(fields).toEqual({ "a.b": "1 2" });
  });
});

describe("the fields of a new run", () => {
  it("are lines of field=value, or options as on the command line", () => {
    expect(
      parseFields("\n algo.groupSize=4\n--algo.clip 0.2\n--world.name=toy\nx.y = a=b\n"),
    ).toEqual({ "algo.groupSize": "4", "algo.clip": "0.2", "world.name": "toy", "x.y": "a=b" });
  });

  it.each(["groupSize=4", "algo.groupSize", "algo.groupSize=", "--out /etc", "=4", "a.b"])(
    "are refused with the line in the message: %j",
    (line) => {
      expect(() => parseFields(`algo.clip=1\n${line}`)).toThrow(`got the line "${line}"`);
    },
  );

  it("are refused if a field is given twice", () => {
    expect(() => parseFields("a.b=1\na.b=2")).toThrow("a.b is given twice");
  });
});
