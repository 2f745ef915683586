/** What a probe of the doctor is handed and what it gives: observations on the topics that it declares. */
import {
  type Subject as ProbedSubject,
  createSubject as probedSubject,
  requireSuccess,
} from "../probes/index.ts";
import type { DoctorModel, DoctorServer } from "./doctor-server.ts";
import type { Observation, Topic } from "./finding.ts";

export interface DoctorSubject extends ProbedSubject {
  readonly server: DoctorServer;
  readonly model: DoctorModel;
  /** Send what can bring a server down that does not check it. */
  readonly risky: boolean;
  /** The id that ends a text, where it is known. */
  readonly endToken?: number;
}

export interface Probe {
  readonly topics: readonly Topic[];
  run(subject: DoctorSubject): Promise<Partial<Record<Topic, Observation>>>;
}

export async function createDoctorSubject(
  lab: DoctorServer,
  options: { readonly risky: boolean; readonly endToken?: number },
): Promise<DoctorSubject> {
  const model = requireSuccess(await lab.createModel(), "create_model");
  try {
    return { ...(await probedSubject(model)), server: lab, ...options };
  } catch (error) {
    await model.unload();
    throw error;
  }
}

/** Up to three significant digits, for evidence. */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return value === 0 ? "0" : String(Number(value.toPrecision(3)));
}
