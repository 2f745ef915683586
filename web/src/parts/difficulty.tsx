/** A task's difficulty, 1 to 3, as dots for the eye and as a number for everyone. */
export function Difficulty({
  level,
  isLabelled = false,
}: {
  readonly level: number;
  /** Says what it is; otherwise a heading or the place does, and screen readers hear it. */
  readonly isLabelled?: boolean;
}) {
  return (
    <span class="difficulty" title={`difficulty ${level} of 3`}>
      <span class={isLabelled ? undefined : "hidden"}>difficulty </span>
      {level}{" "}
      <span class="dots" aria-hidden="true">
        {"●".repeat(level) + "○".repeat(Math.max(0, 3 - level))}
      </span>
    </span>
  );
}
