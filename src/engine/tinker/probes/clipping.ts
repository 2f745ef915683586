/** Measures whether the server clips gradients: whether a bound on the gradient's norm shortens a step. */
import type { Subject } from "./subject.ts";

/** A bound so small that a clipped step is invisible, whatever the norm is. */
export const TINY_CLIP = 1e-4;

export interface ClippedChange {
  readonly clipped: number;
  readonly free: number;
}

/** Measures how far one linear step moves the example's log-probs, in nats, with that bound and without it. */
export async function measureClippedChange({
  trainer,
  example,
}: Pick<Subject, "trainer" | "example">): Promise<ClippedChange> {
  const clipped = await trainer.measureChange(example, { grad_clip_norm: TINY_CLIP });
  return { clipped, free: await trainer.measureChange(example) };
}

/** Returns true when the bound shortens the step to less than a fifth. */
export function isStepClipped({ clipped, free }: ClippedChange): boolean {
  return Math.abs(clipped / free) < 0.2;
}
