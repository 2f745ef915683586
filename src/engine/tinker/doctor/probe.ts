/** A probe of the doctor: it gets a subject and observes the topics that it declares, one after the other. */
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

/** How each topic of a probe is observed. One that throws leaves its topic unknown, and the next one goes on. */
export type Observers<T extends Topic = Topic> = {
  readonly [topic in T]: () => Promise<Observation>;
};

export interface Probe<T extends Topic = Topic> {
  /** The topics in the order in which they are observed. */
  readonly topics: readonly T[];
  /** Returns the observers of all topics. Nothing is sent before one of them is called. */
  createObservers(subject: DoctorSubject): Observers<T>;
}

/** Defines a probe and checks that every topic has an observer. */
export function defineProbe<const T extends Topic>(
  topics: readonly T[],
  createObservers: (subject: DoctorSubject) => Observers<T>,
): Probe {
  return { topics, createObservers: (subject) => createObservers(subject) as Observers };
}

/** Returns a function that does the work at its first call, and gives every later call the same result or error. */
export function doOnce<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

export async function createDoctorSubject(
  server: DoctorServer,
  options: { readonly risky: boolean; readonly endToken?: number },
): Promise<DoctorSubject> {
  const model = requireSuccess(await server.createModel(), "create_model");
  try {
    return { ...(await probedSubject(model, { isTolerant: true })), server, ...options };
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
