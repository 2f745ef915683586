/** Configurations as they are stored, such as that of `run.json`. */
import { BowlineError, isRaw, parseSection, pruned } from "../../core/index.ts";
import { type Config, configSection, settingSection } from "./config.ts";
import { isOld, migrated } from "./migrate.ts";
import { loadMethod, methodNamed } from "./method-named.ts";
import { checked } from "./resolve.ts";

/** Throws a `config` error that names the first wrong field. The method must be known (`loadMethod`). */
export function parseConfig(value: unknown): Config {
  const raw = isOld(value) ? migrated(value) : value;
  if (!isRaw(raw)) throw new BowlineError("config", "expected a configuration, came none");
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
export function parseSetting(value: unknown): Config {
  const raw = isOld(value) ? migrated(value) : value;
  try {
    return parseConfig(raw);
  } catch (error) {
    const isForeign = isRaw(raw) && !isKnown(String(raw["method"]));
    if (!isForeign) throw error;
    return parseSection(settingSection, pruned(settingSection, raw)) as unknown as Config;
  }
}

function isKnown(name: string): boolean {
  try {
    methodNamed(name);
    return true;
  } catch {
    return false;
  }
}
