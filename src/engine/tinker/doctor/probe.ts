/** A probe of the doctor: it gets a subject and returns observations on the topics that it declares. */
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
  /** Whether to send inputs that can crash a server that does not check them. */
  readonly risky: boolean;
  /** The id of the token that ends a text, if known. */
  readonly endToken?: number;
}

export interface Probe {
  readonly topics: readonly Topic[];
  run(subject: DoctorSubject): Promise<Partial<Record<Topic, Observation>>>;
}

export async function createDoctorSubject(
  server: DoctorServer,
  options: { readonly risky: boolean; readonly endToken?: number },
): Promise<DoctorSubject> {
  const model = requireSuccess(await server.createModel(), "create_model");
  try {
    return { ...(await probedSubject(model)), server, ...options };
  } catch (error) {
    await model.unload();
    throw error;
  }
}

/** Formats a number with up to three significant digits. */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return value === 0 ? "0" : String(Number(value.toPrecision(3)));
}
