/** Tests what is read of PEFT's `adapter_config.json`. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { TARGET_MODULES } from "../../../spec/index.ts";
import { modulePath } from "../model/index.ts";
import { buildPeftConfig, readAdapterConfig, requireSameLora } from "./peft-config.ts";

const folder = mkdtempSync(join(tmpdir(), "bowline-peft-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lora = { rank: 4, alpha: 6, targetModules: ["q_proj", "down_proj"] } as const;

function writeConfig(changes: object): string {
  const config = { ...buildPeftConfig(lora, "org/base"), ...changes };
  writeFileSync(join(folder, "adapter_config.json"), JSON.stringify(config));
  return folder;
}

describe("readAdapterConfig", () => {
  it("returns rank, alpha, modules and base of a file that was written here", () => {
    expect(readAdapterConfig(writeConfig({}))).toEqual({ ...lora, baseName: "org/base" });
  });

  it("returns the modules of whole paths, and no base when the file names none", () => {
    const target_modules = TARGET_MODULES.map((name) => `model.layers.0.${modulePath(name)}`);
    const config = readAdapterConfig(
      writeConfig({ target_modules, base_model_name_or_path: null }),
    );
    expect(config).toMatchObject({ targetModules: TARGET_MODULES, baseName: "" });
  });

  it("gives an rslora adapter the alpha whose quotient by the rank is alpha / sqrt(rank)", () => {
    const { alpha, rank } = readAdapterConfig(writeConfig({ use_rslora: true }));
    expect(alpha / rank).toBe(6 / Math.sqrt(4));
    expect(() => requireSameLora({ ...lora, alpha: 12 }, folder)).not.toThrow();
    expect(() => requireSameLora(lora, folder)).toThrow(/alpha is 12, but the engine's is 6/);
  });
});
