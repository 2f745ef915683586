/** Configurations as they are stored, such as that of `run.json`. */
import { BowlineError, isRaw, parseSection, pruned, section, shown } from "../../core/index.ts";
import { EVERY_METHOD, loop, type Method } from "../../methods/index.ts";
import { type Config, configSection, settingSection } from "./config.ts";
import { loadMethod, methodNamed } from "./method-named.ts";
import { checked } from "./resolve.ts";
import type { Phase } from "./stages.ts";

/** Throws a `config` error that names the first wrong field. The method must be known (`loadMethod`). */
export function parseConfig(value: unknown): Config {
  if (!isRaw(value)) {
    const message = `expected a configuration, such as resolveConfig() makes, got ${shown(value)}`;
    throw new BowlineError("config", message);
  }
  const method = methodNamed(String(value["method"]));
  return checked(parseSection(configSection(method), value), method);
}

/** The same where the method may be a module that was not loaded yet. */
export async function loadConfig(value: unknown): Promise<Config> {
  if (isRaw(value) && typeof value["method"] === "string") await loadMethod(value["method"]);
  return parseConfig(value);
}

/**
 * What of a stored configuration an evaluation reads: the setting, and the shape of rollouts where the method is known. A
 * policy outlives the method that trained it.
 */
export async function storedPhase(value: unknown): Promise<Phase> {
  const name = isRaw(value) ? String(value["method"]) : "";
  let method: Method;
  try {
    method = await loadMethod(name);
  } catch {
    const config = parseSection(settingSection, pruned(settingSection, value));
    return { config: { ...config, algo: EVERY_METHOD_DEFAULTS }, method: loop };
  }
  return { config: parseConfig(value), method };
}

const EVERY_METHOD_DEFAULTS = parseSection(section(EVERY_METHOD), {});
