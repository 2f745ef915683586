/**
 * The trained tensors of LoRA in one flat buffer, and what they do inside a graph.
 *
 * Files see PEFT's names (`base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight`). Graphs see, for each
 * group of projections that read one input, their A stacked as one input (`layers.0.qkv.loraA`), so that the input is
 * read once for all of them, and each B under its PEFT name.
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
import { type Group, type Layout, place, TensorStore } from "./store.ts";

/** A, B, or what is laid out like them: gradients and moments of an adapter. */
export class AdapterStore extends TensorStore {
  readonly model: ModelConfig;
  readonly lora: LoraConfig;

  constructor(model: ModelConfig, lora: LoraConfig) {
    super(adapterLayout(model, lora));
    this.model = model;
    this.lora = lora;
  }
}

/** PEFT's name of one factor of a projection of a layer. */
export function adapterName(layer: number, module: TargetModule, factor: "A" | "B"): string {
  return `base_model.model.model.layers.${layer}.${modulePath(module)}.lora_${factor}.weight`;
}

/** The graph input that stacks the A of a group. */
function stackedName(layer: number, group: ProjectionGroup): string {
  return `layers.${layer}.${group}.loraA`;
}

export function adapterLayout(model: ModelConfig, lora: LoraConfig): Layout {
  const layers = Array.from({ length: model.layers }, (_, layer) =>
    groupsOf(lora).flatMap(([group, modules]): Group[] => [
      {
        name: stackedName(layer, group),
        parts: modules.map((module) => [
          adapterName(layer, module, "A"),
          [lora.rank, moduleShape(model, module)[1]],
          true,
        ]),
      },
      ...modules.map((module): Group => {
        const name = adapterName(layer, module, "B");
        return { name, parts: [[name, [moduleShape(model, module)[0], lora.rank], true]] };
      }),
    ]),
  );
  return place(layers.flat());
}

/** Groups that have adapted projections, and these. */
function groupsOf(lora: LoraConfig): [ProjectionGroup, readonly TargetModule[]][] {
  return (Object.keys(PROJECTION_GROUPS) as ProjectionGroup[])
    .map((group): [ProjectionGroup, readonly TargetModule[]] => {
      const modules: readonly TargetModule[] = PROJECTION_GROUPS[group];
      return [group, modules.filter((module) => lora.targetModules.includes(module))];
    })
    .filter(([, modules]) => modules.length > 0);
}

/**
 * As PEFT begins: A uniform in +-1/sqrt(in) (kaiming_uniform with a = sqrt 5), B zero, so that the adapted model is
 * the base. A tensor's values depend on (seed, its name, its shape) alone.
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
export interface LowRank {
  /** The A of the adapted projections on top of each other: (adapted * rank, in). */
  readonly a: Value;
  /** For each projection of the group B (out, rank), or undefined where it is not adapted. */
  readonly b: readonly (Value | undefined)[];
  readonly scale: number;
}

/** Absent: the group is as it is in the base. */
export type LayerAdapter = { readonly [G in ProjectionGroup]?: LowRank };

/** Declares one layer's A and B as graph inputs; feed them with `AdapterStore.feeds()`. */
export function declareLayerAdapter(
  graph: Graph,
  model: ModelConfig,
  lora: LoraConfig,
  layer: number,
): LayerAdapter {
  const entries = groupsOf(lora).map(([group, modules]): [ProjectionGroup, LowRank] => {
    const width = moduleShape(model, modules[0]!)[1];
    const rows = modules.length * lora.rank;
    const a = graph.input(stackedName(layer, group), "float32", [rows, width]);
    const declareB = (module: TargetModule) =>
      graph.input(adapterName(layer, module, "B"), "float32", [
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

/** The inputs of an adapter that a graph declared: what its gradients are taken with respect to. */
export function adapterInputs(adapters: readonly LayerAdapter[]): Value[] {
  return adapters.flatMap((adapter) =>
    Object.values(adapter).flatMap(({ a, b }) => [a, ...b.filter((value) => value !== undefined)]),
  );
}

/** Adds the update of a group to the outputs (n, out) of its projections of x (n, in). */
export function adapt(x: Value, outputs: readonly Value[], update: LowRank | undefined): Value[] {
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
    return b ? addProduct(output, low[adapted.indexOf(b)]!, b, update.scale) : output;
  });
}

/** y + scale * low B': (n, out), (n, rank), (out, rank). */
function addProduct(y: Value, low: Value, b: Value, scale: number): Value {
  const [sum] = y.graph.emit("Gemm", [low, b, y], [y], {
    attributes: { transB: { int: 1 }, alpha: { float: scale } },
  });
  y.graph.differentiable([y, low, b], [sum!], ([dsum]) => [
    dsum,
    matmul(dsum!, b, { scale }),
    matmul(dsum!, low, { transposeA: true, scale }),
  ]);
  return sum!;
}
