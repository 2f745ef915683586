/**
 * A run's whole configuration: its setting, and its method's own sections. Which fields there are follows from what was
 * chosen, so a field that nothing reads cannot be given.
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

/** What was asked for by name. */
export interface Named {
  /** The name of the pair of setting and method, or "setting/method" where it has none. */
  readonly recipe: string;
  readonly setting: string;
  /** A method of the package, or the path of a module. */
  readonly method: string;
}

/** Setting and names are typed; of the method's sections, what every method has. The method itself knows the rest. */
export type Config = Named &
  SettingValues &
  BaseConfig & { readonly algo: Readonly<Record<string, unknown>> };

/** What a setting or a preset says, section by section. */
export type Patch = { readonly [section: string]: { readonly [field: string]: unknown } | null };

const names = {
  recipe: z.string().default("").describe("Name of the pair of setting and method"),
  setting: z.string().default("starter").describe("World, model, scaffold, warm start, budget"),
  method: z.string().default("loop").describe("How rollouts become updates"),
};

const known = new WeakMap<Method, Section<Config>>();

/** All sections of a run by this method. */
export function configSection(method: Method): Section<Config> {
  const made =
    known.get(method) ??
    (section({
      ...names,
      ...SETTING_SECTIONS,
      ...method.sections,
    }) as Section<unknown> as Section<Config>);
  known.set(method, made);
  return made;
}

/** The sections of a setting alone: what an evaluation of a policy reads. */
export const settingSection = section({ ...names, ...SETTING_SECTIONS });

const fieldsOf = new WeakMap<Method, readonly FieldInfo[]>();

/** Every field that a run by this method may have, in the order of the sections; names of the run left out. */
export function configFields(method: Method): readonly FieldInfo[] {
  const listed =
    fieldsOf.get(method) ?? listFields(section({ ...SETTING_SECTIONS, ...method.sections }), "");
  fieldsOf.set(method, listed);
  return listed;
}

/** The fields that there are as a configuration stands: those of choices that it does not make are left out. */
export function presentFields(config: Config, method: Method): readonly FieldInfo[] {
  const there = [...configLeaves(config).keys()];
  return configFields(method).filter(({ path }) =>
    there.some((leaf) => leaf === path || leaf.startsWith(`${path}.`)),
  );
}

/** The value of every field by its path, `algo.groupSize`. A list, or an object that is a value, is its JSON. */
export function configLeaves(config: object): Map<string, unknown> {
  return leaves(config, "");
}

function leaves(value: unknown, path: string): Map<string, unknown> {
  const isValue = typeof value !== "object" || value === null;
  if (isValue || Array.isArray(value) || "shape" in value || path === "engine.options") {
    return new Map([[path, isValue ? value : JSON.stringify(value)]]);
  }
  return new Map(
    Object.entries(value).flatMap(([name, child]) => [
      ...leaves(child, path === "" ? name : `${path}.${name}`),
    ]),
  );
}

/** Versions that rollouts may lag behind the learner; 0 where a method knows nothing of it. */
export function stalenessOf({ algo }: Pick<Config, "algo">): number {
  return "staleness" in algo ? Number(algo.staleness) : 0;
}

/** K, or 1 where a method has no groups. */
export function groupSizeOf({ algo }: Pick<Config, "algo">): number {
  return "groupSize" in algo ? Number(algo.groupSize) : 1;
}

/** The temperature at which training samples, where the method does. */
export function temperatureOf({ algo }: Pick<Config, "algo">): number {
  return "temperature" in algo ? Number(algo.temperature) : 1;
}

/** All dials of the run's world, each with its value. */
export function dialsOf({ world }: Pick<Config, "world">): Dials {
  return dialsSchema.parse(world.dials ?? {});
}

export interface SectionInfo {
  readonly name: string;
  readonly description: string;
  /** True for what the method brings; false for what the setting has whatever the method. */
  readonly isMethods: boolean;
}

/** The sections of a run by this method, the setting's first. */
export function configSections(method: Method): readonly SectionInfo[] {
  const about = (sections: Shape, isMethods: boolean) =>
    Object.entries(sections).map(([name, field]) => ({
      name,
      description:
        isSection(field) && field.description !== "" ? field.description : method.summary,
      isMethods,
    }));
  return [...about(SETTING_SECTIONS, false), ...about(method.sections, true)];
}

/** JSON Schema of a configuration by this method, or of the section or field at a path. */
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
