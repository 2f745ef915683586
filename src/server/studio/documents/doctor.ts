/** Shows the output of `bowline doctor --json`: the findings about a Tinker server, or the description of a machine. */
import { z } from "zod";
import { tinkerDoctor } from "../../../engine/index.ts";
import { formatCount, formatDuration, pluralize } from "../../../report/index.ts";
import { makeSection, type RecognisedResult } from "./section.ts";

const serverSchema = z.object({
  url: z.string(),
  model: z.string(),
  seconds: z.number(),
  cost: z.object({
    requests: z.number(),
    prefillTokens: z.number(),
    sampledTokens: z.number(),
    trainedTokens: z.number(),
    optimizerSteps: z.number(),
  }),
  findings: z.array(
    z.object({
      topic: z.string(),
      verdict: z.string(),
      evidence: z.string(),
      consequence: z.string(),
    }),
  ),
});

const machineSchema = z.object({
  bowline: z.string(),
  node: z.string(),
  platform: z.string(),
  cpu: z.string(),
  cores: z.number(),
  memoryMb: z.number(),
  kernels: z.discriminatedUnion("installed", [
    z.object({
      installed: z.literal(true),
      version: z.string(),
      providers: z.array(z.string()),
    }),
    z.object({ installed: z.literal(false), problem: z.string() }),
  ]),
  gpus: z
    .array(
      z.object({
        provider: z.string(),
        name: z.string(),
        memoryMb: z.number().nullable(),
        check: z.enum(["none", "agrees", "deviates"]),
        problem: z.string(),
      }),
    )
    .default([]),
});

export function recogniseDoctorReport(value: unknown): RecognisedResult | undefined {
  const server = serverSchema.safeParse(value);
  if (server.success) return describeServerReport(server.data);
  const machine = machineSchema.safeParse(value);
  return machine.success ? describeMachineReport(machine.data) : undefined;
}

function describeServerReport({
  url,
  model,
  seconds,
  cost,
  findings,
}: z.infer<typeof serverSchema>) {
  const topics: { readonly [topic: string]: string } = tinkerDoctor.TOPICS;
  const verdicts = [...new Set(findings.map(({ verdict }) => verdict))];
  const counts = verdicts.map(
    (verdict) => `${findings.filter((one) => one.verdict === verdict).length} ${verdict}`,
  );
  return {
    kind: "doctor",
    title: `${url}, ${model}`,
    sections: () => [
      makeSection(
        "Findings",
        {
          columns: ["topic", "verdict", "seen", "what Bowline does about it"].map((title) => ({
            title,
          })),
          rows: findings.map(({ topic, verdict, evidence, consequence }) => [
            Object.hasOwn(topics, topic) ? topics[topic]! : topic,
            verdict,
            evidence,
            consequence === "none" ? "" : consequence,
          ]),
        },
        [
          counts.join(", "),
          `${pluralize(cost.requests, "request")} in ${formatDuration(seconds)}: ${formatCount(cost.prefillTokens)} tokens of prompts, ${formatCount(cost.sampledTokens)} sampled, ${formatCount(cost.trainedTokens)} trained, ${pluralize(cost.optimizerSteps, "optimizer step")}`,
        ],
      ),
    ],
  } satisfies RecognisedResult;
}

function describeMachineReport({
  bowline,
  kernels,
  gpus,
  ...machine
}: z.infer<typeof machineSchema>) {
  const { node, platform, cores, cpu, memoryMb } = machine;
  return {
    kind: "doctor",
    title: `${cores} cores (${cpu}), ${platform}`,
    sections: () => [
      makeSection("Machine", {
        columns: [{ title: "" }, { title: "" }],
        rows: [
          ["bowline", bowline],
          ["Node", `${node} on ${platform}`],
          ["machine", `${cores} cores (${cpu}), ${memoryMb} MiB`],
          ["kernels", describeKernels(kernels)],
          ...gpus.map((gpu) => ["GPU", describeGpu(gpu)]),
        ],
      }),
    ],
  } satisfies RecognisedResult;
}

type Kernels = z.infer<typeof machineSchema>["kernels"];

function describeKernels(kernels: Kernels): string {
  if (!kernels.installed) return kernels.problem;
  return `onnxruntime-node ${kernels.version}: ${kernels.providers.join(", ")}`;
}

function describeGpu(gpu: z.infer<typeof machineSchema>["gpus"][number]): string {
  const memory = gpu.memoryMb === null ? "memory unknown" : `${gpu.memoryMb} MiB`;
  const checks = {
    none: "not compared with the CPU yet",
    agrees: "agrees with the CPU",
    deviates: `deviates from the CPU: ${gpu.problem}`,
  };
  return `${gpu.name}, ${memory}, by ${gpu.provider}; ${checks[gpu.check]}`;
}
