/** Configurations as they are stored, such as the one in `run.json`. */
import {
  BowlineError,
  dropInactiveFields,
  formatValue,
  isPlainObject,
  parseSection,
  section,
} from "../../core/index.ts";
import { EVERY_METHOD, loop, type Method } from "../../methods/index.ts";
import { requireConsistent } from "./checked.ts";
import { type Config, configSection, settingSection } from "./config.ts";
import { findMethodOfRun, loadMethod, type NamedMethod } from "./named-method.ts";
import type { Phase } from "./stages.ts";

/**
 * Checks a configuration and fills in its defaults. Throws a `config` error that names the first wrong field. `own` is the
 * run's method where it is not one of the package.
 */
export function parseConfig(value: unknown, own?: NamedMethod): Config {
  const { method } = findMethodOfRun(storedMethodName(value), own);
  return requireConsistent(parseSection(configSection(method), value), method);
}

/**
 * The configuration with its method: `handed` where a program handed one over, else the one that the configuration names,
 * loaded when it is a module.
 */
export async function loadPhase(value: unknown, handed?: Method): Promise<Phase> {
  const name = storedMethodName(value);
  const { method } = handed === undefined ? await loadMethod(name) : { method: handed };
  return { config: parseConfig(value, { name, method }), method };
}

function storedMethodName(value: unknown): string {
  if (isPlainObject(value)) return String(value["method"]);
  const message = `expected a configuration, such as resolveConfig() makes, got ${formatValue(value)}`;
  throw new BowlineError("config", message);
}

/**
 * What an evaluation reads of a stored configuration: the setting, and the shape of rollouts where the method can be
 * loaded. A policy outlives the method that trained it.
 */
export async function loadStoredPhase(value: unknown): Promise<Phase> {
  let method: Method;
  try {
    ({ method } = await loadMethod(storedMethodName(value)));
  } catch {
    const config = parseSection(settingSection, dropInactiveFields(settingSection, value));
    return { config: { ...config, algo: EVERY_METHOD_DEFAULTS }, method: loop };
  }
  return loadPhase(value, method);
}

const EVERY_METHOD_DEFAULTS = parseSection(section(EVERY_METHOD), {});
