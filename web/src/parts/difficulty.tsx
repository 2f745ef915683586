/** A task's difficulty from 1 to 3, as a number and as dots. */
export function Difficulty({
  level,
  isLabelled = false,
}: {
  readonly level: number;
  /** True to show the word "difficulty". Otherwise only screen readers get the word. */
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
