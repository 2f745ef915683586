/**
 * The whole configuration of a run: the sections of its setting and those of its method. The values of some fields
 * decide which other fields exist, so nobody can set a field that nothing reads.
 */
import { z } from "zod";
import {
  BowlineError,
  type FieldInfo,
  type FieldValue,
  fieldJsonSchema,
  findField,
  isSection,
  type JsonObject,
  listFields,
  type Section,
  type Shape,
  section,
  sectionJsonSchema,
} from "../../core/index.ts";
import type { BaseConfig, Method } from "../../methods/index.ts";
import { type Dials, dialsSchema } from "../../spec/index.ts";
import { SETTING_SECTIONS } from "./setting-sections.ts";

type SettingValues = {
  readonly [K in keyof typeof SETTING_SECTIONS]: FieldValue<(typeof SETTING_SECTIONS)[K]>;
};

/** The names of the recipe, setting and method that a run uses. */
export interface ConfigNames {
  /** The name of the pair of setting and method, or "setting/method" when the pair has no name. */
  readonly recipe: string;
  readonly setting: string;
  /** The name of a method of the package, or the path of a module that exports one. */
  readonly method: string;
}

/** The part of a run's configuration that all methods share. Each method knows the type of its own fields. */
export type Config = ConfigNames &
  SettingValues &
  BaseConfig & { readonly algo: Readonly<Record<string, unknown>> };

/** Field values that a setting or a preset changes, section by section. */
export type Patch = { readonly [section: string]: { readonly [field: string]: unknown } | null };

const nameFields = {
  recipe: z.string().default("").describe("Name of the pair of setting and method"),
  setting: z.string().default("starter").describe("Name of the setting, such as starter or smoke"),
  method: z.string().default("loop").describe("Name of the method, or the path of a module"),
};

const sectionsByMethod = new WeakMap<Method, Section<Config>>();

/** Returns one section that holds all sections of a run with this method. */
export function configSection(method: Method): Section<Config> {
  const cached =
    sectionsByMethod.get(method) ??
    (section({
      ...nameFields,
      ...SETTING_SECTIONS,
      ...method.sections,
    }) as Section<unknown> as Section<Config>);
  sectionsByMethod.set(method, cached);
  return cached;
}

/** The sections of a setting without a method. An evaluation of a policy reads only these. */
export const settingSection = section({ ...nameFields, ...SETTING_SECTIONS });

const fieldsByMethod = new WeakMap<Method, readonly FieldInfo[]>();

/**
 * Returns every field that a run with this method may have, in the order of the sections. The names of recipe, setting
 * and method are not among them.
 */
export function configFields(method: Method): readonly FieldInfo[] {
  const fields =
    fieldsByMethod.get(method) ??
    listFields(section({ ...SETTING_SECTIONS, ...method.sections }), "");
  fieldsByMethod.set(method, fields);
  return fields;
}

/**
 * Returns the fields that exist in this configuration. Fields that belong to options which are not chosen are left out.
 */
export function activeFields(config: Config, method: Method): readonly FieldInfo[] {
  const leafPaths = [...configLeaves(config).keys()];
  return configFields(method).filter(({ path }) =>
    leafPaths.some((leaf) => leaf === path || leaf.startsWith(`${path}.`)),
  );
}

/** Maps the path of every field, such as `algo.groupSize`, to its value. Lists and object values become JSON text. */
export function configLeaves(config: object): Map<string, unknown> {
  return collectLeaves(config, "");
}

function collectLeaves(value: unknown, path: string): Map<string, unknown> {
  const isValue = typeof value !== "object" || value === null;
  if (isValue || Array.isArray(value) || "shape" in value || path === "engine.options") {
    return new Map([[path, isValue ? value : JSON.stringify(value)]]);
  }
  return new Map(
    Object.entries(value).flatMap(([name, child]) => [
      ...collectLeaves(child, path === "" ? name : `${path}.${name}`),
    ]),
  );
}

/**
 * Returns the number of versions by which rollouts may be older than the learner; 0 for a method without this field.
 */
export function readStaleness({ algo }: Pick<Config, "algo">): number {
  return "staleness" in algo ? Number(algo.staleness) : 0;
}

/** Returns K, the number of rollouts for each task; 1 for a method without groups. */
export function readGroupSize({ algo }: Pick<Config, "algo">): number {
  return "groupSize" in algo ? Number(algo.groupSize) : 1;
}

/** Returns the temperature at which training samples; 1 for a method without this field. */
export function readTemperature({ algo }: Pick<Config, "algo">): number {
  return "temperature" in algo ? Number(algo.temperature) : 1;
}

/** Returns the value of every dial of the run's world. */
export function readDials({ world }: Pick<Config, "world">): Dials {
  return dialsSchema.parse(world.dials ?? {});
}

export interface SectionInfo {
  readonly name: string;
  readonly description: string;
  /** True for a section of the method, false for a section that every setting has. */
  readonly isFromMethod: boolean;
}

/** Describes the sections of a run with this method. Those of the setting come first. */
export function configSections(method: Method): readonly SectionInfo[] {
  const describeSections = (sections: Shape, isFromMethod: boolean) =>
    Object.entries(sections).map(([name, field]) => ({
      name,
      description:
        isSection(field) && field.description !== "" ? field.description : method.summary,
      isFromMethod,
    }));
  return [...describeSections(SETTING_SECTIONS, false), ...describeSections(method.sections, true)];
}

/** Returns the JSON Schema of a configuration with this method, or of the section or field at `path`. */
export function configJsonSchema(method: Method, path?: string): JsonObject {
  const group = section({ ...SETTING_SECTIONS, ...method.sections }) as Section<unknown>;
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  if (path === undefined) return { $schema, ...sectionJsonSchema(group) };
  const field = findField(group, path);
  if (field === undefined) {
    throw new BowlineError("config", `the method ${method.name} has no section or field ${path}`);
  }
  return { $schema, ...fieldJsonSchema(field) };
}
