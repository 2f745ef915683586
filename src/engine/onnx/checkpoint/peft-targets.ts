/**
 * Finds the projections that the `target_modules` and `exclude_modules` of an adapter mean, as PEFT does: a list has
 * names or ends of paths, and a text is "all-linear" or a pattern that must match a whole path.
 */
import { BowlineError } from "../../../core/index.ts";
import { TARGET_MODULES, type TargetModule } from "../../../spec/index.ts";
import { modulePath } from "../model/index.ts";

/** Fields of `adapter_config.json` that choose modules. */
export interface ModuleChoice {
  readonly target_modules: string | readonly string[];
  readonly exclude_modules?: string | readonly string[] | null | undefined;
}

/** Modules of a model that are no projections of a layer. PEFT adapts some of them, and this engine none. */
const OTHER_MODULES = [
  "lm_head",
  "model",
  "model.embed_tokens",
  "model.layers",
  "model.norm",
  "model.rotary_emb",
];
const OTHER_LAYER_MODULES = [
  "",
  ".self_attn",
  ".self_attn.q_norm",
  ".self_attn.k_norm",
  ".mlp",
  ".mlp.act_fn",
  ".input_layernorm",
  ".post_attention_layernorm",
];

/**
 * Returns the targets in the order of `TARGET_MODULES`. `where` is for messages. Throws a `checkpoint` error when the
 * fields mean other modules, none, or not the same in all layers.
 */
export function findTargetModules(
  { target_modules: targets, exclude_modules: excluded }: ModuleChoice,
  layers: number,
  where: string,
): readonly TargetModule[] {
  const isTarget = targets === "all-linear" ? isProjection : createMatcher(targets, where);
  const isExcluded = createMatcher(excluded ?? [], where);
  const isAdapted = (path: string) => isTarget(path) && !isExcluded(path);
  const other = listOtherModules(layers).find(isAdapted);
  if (other !== undefined) {
    throw new BowlineError(
      "checkpoint",
      `${where}: target_modules means ${other}; expected only ${TARGET_MODULES.join(", ")}`,
    );
  }
  const found = TARGET_MODULES.filter((module) => isAdapted(projectionPath(0, module)));
  for (const module of TARGET_MODULES) {
    for (let layer = 1; layer < layers; layer++) {
      if (isAdapted(projectionPath(layer, module)) === found.includes(module)) continue;
      throw new BowlineError(
        "checkpoint",
        `${where}: target_modules and exclude_modules mean ${module} in some layers only; expected the same modules in all ${layers} layers`,
      );
    }
  }
  if (found.length > 0) return found;
  throw new BowlineError(
    "checkpoint",
    `${where}: target_modules means no module of this model; expected some of ${TARGET_MODULES.join(", ")}`,
  );
}

const projectionPath = (layer: number, module: TargetModule) =>
  `model.layers.${layer}.${modulePath(module)}`;

const isProjection = (path: string) => TARGET_MODULES.some((name) => path.endsWith(`.${name}`));

function listOtherModules(layers: number): string[] {
  const inLayers = Array.from({ length: layers }, (_, layer) =>
    OTHER_LAYER_MODULES.map((name) => `model.layers.${layer}${name}`),
  );
  return [...OTHER_MODULES, ...inLayers.flat()];
}

function createMatcher(
  choice: string | readonly string[],
  where: string,
): (path: string) => boolean {
  if (typeof choice !== "string") {
    return (path) => choice.some((name) => path === name || path.endsWith(`.${name}`));
  }
  try {
    // The flag makes everything an error that only Python knows, such as \Z, and does not let it match by chance.
    const pattern = new RegExp(`^(?:${choice})$`, "u");
    return (path) => pattern.test(path);
  } catch {
    throw new BowlineError(
      "checkpoint",
      `${where}: the pattern ${JSON.stringify(choice)} cannot be read; list the names of the modules`,
    );
  }
}
