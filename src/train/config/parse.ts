/** Configurations as they are stored, such as that of `run.json`. */
import { BowlineError, isRaw, parseSection, pruned, section, shown } from "../../core/index.ts";
import { EVERY_METHOD, loop, type Method } from "../../methods/index.ts";
import { type Config, configSection, settingSection } from "./config.ts";
import { loadMethod, methodNamed } from "./method-named.ts";
import { isOld, migrated } from "./migrate.ts";
import { checked } from "./resolve.ts";
import type { Phase } from "./stages.ts";
import { fromVersion2 } from "./version-2.ts";

/** Throws a `config` error that names the first wrong field. The method must be known (`loadMethod`). */
export function parseConfig(value: unknown): Config {
  if (!isRaw(value)) {
    const message = `expected a configuration, such as resolveConfig() makes, got ${shown(value)}`;
    throw new BowlineError("config", message);
  }
  const raw = isOld(value) ? migrated(value) : fromVersion2(value);
  const method = methodNamed(String(raw["method"]));
  return checked(parseSection(configSection(method), raw), method);
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
  const raw = current(value);
  const name = isRaw(raw) ? String(raw["method"]) : "";
  let method: Method;
  try {
    method = await loadMethod(name);
  } catch {
    const config = parseSection(settingSection, pruned(settingSection, raw));
    return { config: { ...config, algo: EVERY_METHOD_DEFAULTS }, method: loop };
  }
  return { config: parseConfig(raw), method };
}

/** Its weights are there, so fields that only made them need not be what they are now. */
function current(value: unknown): unknown {
  if (!isRaw(value)) return value;
  return isOld(value) ? migrated(value, { isDone: true }) : fromVersion2(value, { isDone: true });
}

const EVERY_METHOD_DEFAULTS = parseSection(section(EVERY_METHOD), {});
