/** Checks stored configurations, such as the one in `run.json`, and finds their methods. */
import {
  BowlineError,
  dropInactiveFields,
  formatValue,
  isPlainObject,
  isTrustError,
  type ModuleOrigin,
  parseSection,
  section,
} from "../../core/index.ts";
import { EVERY_METHOD, loop, type Method } from "../../methods/index.ts";
import { type Config, configSection, settingSection } from "./config.ts";
import { findMethodOfRun, loadMethod, loadNamedMethod, type NamedMethod } from "./named-method.ts";
import { requireConsistentConfig } from "./require-consistent.ts";
import type { ConfigAndMethod } from "./stages.ts";

/**
 * Checks a configuration and fills in its defaults. `ownMethod` is the method of the run if it is not one of the
 * package. Throws a `config` error that names the first wrong field.
 */
export function parseConfig(value: unknown, ownMethod?: NamedMethod): Config {
  const { method } = findMethodOfRun(readMethodName(value), ownMethod);
  return requireConsistentConfig(parseSection(configSection(method), value), method);
}

/**
 * Checks a configuration and returns it with its method. That is `givenMethod`, or else the method that the
 * configuration names, which is loaded if necessary.
 */
export async function loadConfigAndMethod(
  value: unknown,
  givenMethod?: Method,
): Promise<ConfigAndMethod> {
  const name = readMethodName(value);
  const { method } = givenMethod === undefined ? await loadMethod(name) : { method: givenMethod };
  return { config: parseConfig(value, { name, method }), method };
}

function readMethodName(value: unknown): string {
  if (isPlainObject(value)) return String(value["method"]);
  const message = `expected a configuration, such as resolveConfig() returns, got ${formatValue(value)}`;
  throw new BowlineError("config", message);
}

/**
 * Reads a configuration that the file `origin` stores, for an evaluation. The method is `givenMethod`, or else the one
 * that the file names. When that can no longer be loaded, the result has the stored setting and the method `loop` with
 * its defaults, so the policy can still be evaluated. Throws a `trust` error for a method that is not trusted.
 */
export async function loadStoredConfigAndMethod(
  value: unknown,
  origin: ModuleOrigin,
  givenMethod?: Method,
): Promise<ConfigAndMethod> {
  let method = givenMethod;
  try {
    method ??= (await loadNamedMethod(readMethodName(value), origin)).method;
  } catch (cause) {
    if (isTrustError(cause)) throw cause;
    const config = parseSection(settingSection, dropInactiveFields(settingSection, value));
    return { config: { ...config, algo: EVERY_METHOD_DEFAULTS }, method: loop };
  }
  return loadConfigAndMethod(value, method);
}

const EVERY_METHOD_DEFAULTS = parseSection(section(EVERY_METHOD), {});
