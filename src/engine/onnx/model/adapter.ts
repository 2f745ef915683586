/**
 * The trained tensors of LoRA in one flat buffer, and their use inside a graph.
 *
 * Files use PEFT's names (`base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight`). A graph has one input
 * for each group of projections that read the same value: their A matrices stacked (`layers.0.qkv.loraA`), so that
 * the value is read once for all of them. Each B is an input under its PEFT name.
 */
import { Rng } from "../../../core/index.ts";
import type { TargetModule } from "../../../spec/index.ts";
import { type Graph, linear, matmul, split, type Value } from "../graph/index.ts";
import type { ModelConfig } from "./config.ts";
import {
  type LoraConfig,
  loraScale,
  modulePath,
  moduleShape,
  PROJECTION_GROUPS,
  type ProjectionGroup,
} from "./lora.ts";
import { buildLayout, type StoreLayout, TensorStore, type UnplacedInput } from "./store.ts";

/** The A and B tensors of an adapter, or its gradient or moments in the same layout. */
export class AdapterStore extends TensorStore {
  readonly model: ModelConfig;
  readonly lora: LoraConfig;

  constructor(model: ModelConfig, lora: LoraConfig) {
    super(adapterLayout(model, lora));
    this.model = model;
    this.lora = lora;
  }
}

/** Returns PEFT's name of one factor of a projection of a layer. */
export function adapterTensorName(layer: number, module: TargetModule, factor: "A" | "B"): string {
  return `base_model.model.model.layers.${layer}.${modulePath(module)}.lora_${factor}.weight`;
}

/** Returns the name of the graph input that stacks the A matrices of a group. */
function stackedInputName(layer: number, group: ProjectionGroup): string {
  return `layers.${layer}.${group}.loraA`;
}

export function adapterLayout(model: ModelConfig, lora: LoraConfig): StoreLayout {
  const layers = Array.from({ length: model.layers }, (_, layer) =>
    adaptedGroups(lora).flatMap(([group, modules]): UnplacedInput[] => [
      {
        name: stackedInputName(layer, group),
        parts: modules.map((module) => [
          adapterTensorName(layer, module, "A"),
          [lora.rank, moduleShape(model, module)[1]],
          true,
        ]),
      },
      ...modules.map((module): UnplacedInput => {
        const name = adapterTensorName(layer, module, "B");
        return { name, parts: [[name, [moduleShape(model, module)[0], lora.rank], true]] };
      }),
    ]),
  );
  return buildLayout(layers.flat());
}

/** Returns the groups that have adapted projections, each with those projections. */
function adaptedGroups(lora: LoraConfig): [ProjectionGroup, readonly TargetModule[]][] {
  return (Object.keys(PROJECTION_GROUPS) as ProjectionGroup[])
    .map((group): [ProjectionGroup, readonly TargetModule[]] => {
      const modules: readonly TargetModule[] = PROJECTION_GROUPS[group];
      return [group, modules.filter((module) => lora.targetModules.includes(module))];
    })
    .filter(([, modules]) => modules.length > 0);
}

/**
 * Initialises an adapter as PEFT does: A uniform in +-1/sqrt(in) (kaiming_uniform with a = sqrt 5), B zero, so that
 * the adapted model equals the base. A tensor's values depend only on the seed, its name and its shape.
 */
export function initializeAdapter(store: AdapterStore, seed: number): void {
  const rng = new Rng(seed).child("adapter");
  store.data.fill(0);
  for (const { name, shape } of store.parameters) {
    if (!name.includes(".lora_A.")) continue;
    const own = rng.child(name);
    const bound = 1 / Math.sqrt(shape[1]!);
    const view = store.view(name);
    for (let i = 0; i < view.length; i++) view[i] = (2 * own.uniform() - 1) * bound;
  }
}

/** The low-rank update of a group of projections, as graph values. */
export interface LowRankUpdate {
  /** The A matrices of the adapted projections, stacked: (adapted * rank, in). */
  readonly a: Value;
  /** B (out, rank) for each projection of the group, or undefined where it is not adapted. */
  readonly b: readonly (Value | undefined)[];
  readonly scale: number;
}

/** The low-rank updates of one layer. A group that is absent is not adapted. */
export type LayerAdapter = { readonly [G in ProjectionGroup]?: LowRankUpdate };

/** Declares one layer's A and B as graph inputs, to be fed with `AdapterStore.feeds()`. */
export function declareLayerAdapter(
  graph: Graph,
  model: ModelConfig,
  lora: LoraConfig,
  layer: number,
): LayerAdapter {
  const entries = adaptedGroups(lora).map(([group, modules]): [ProjectionGroup, LowRankUpdate] => {
    const width = moduleShape(model, modules[0]!)[1];
    const rows = modules.length * lora.rank;
    const a = graph.addInput(stackedInputName(layer, group), "float32", [rows, width]);
    const declareB = (module: TargetModule) =>
      graph.addInput(adapterTensorName(layer, module, "B"), "float32", [
        moduleShape(model, module)[0],
        lora.rank,
      ]);
    const b = PROJECTION_GROUPS[group].map((module) =>
      modules.includes(module) ? declareB(module) : undefined,
    );
    return [group, { a, b, scale: loraScale(lora) }];
  });
  return Object.fromEntries(entries);
}

/** Returns the adapter inputs that a graph declared: the values whose gradients are taken. */
export function adapterInputs(adapters: readonly LayerAdapter[]): Value[] {
  return adapters.flatMap((adapter) =>
    Object.values(adapter).flatMap(({ a, b }) => [a, ...b.filter((value) => value !== undefined)]),
  );
}

/** Adds the low-rank update of a group to the outputs (n, out) of its projections of x (n, in). */
export function addLowRankUpdates(
  x: Value,
  outputs: readonly Value[],
  update: LowRankUpdate | undefined,
): Value[] {
  if (!update) return [...outputs];
  const adapted = update.b.filter((value) => value !== undefined);
  const rank = adapted[0]!.shape[1] as number;
  const low = split(
    linear(x, update.a),
    -1,
    adapted.map(() => rank),
  );
  return outputs.map((output, i) => {
    const b = update.b[i];
    return b ? addScaledProduct(output, low[adapted.indexOf(b)]!, b, update.scale) : output;
  });
}

/** Computes y + scale * low B' for y (n, out), low (n, rank) and B (out, rank). */
function addScaledProduct(y: Value, low: Value, b: Value, scale: number): Value {
  const [sum] = y.graph.emit("Gemm", [low, b, y], [y], {
    attributes: { transB: { int: 1 }, alpha: { float: scale } },
  });
  y.graph.defineGradient([y, low, b], [sum!], ([dsum]) => [
    dsum,
    matmul(dsum!, b, { scale }),
    matmul(dsum!, low, { transposeA: true, scale }),
  ]);
  return sum!;
}
