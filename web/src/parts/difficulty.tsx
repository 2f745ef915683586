/** A task's difficulty, 1 to 3, as dots for the eye and as a number for everyone. */
export function Difficulty({
  level: of,
  isLabelled: named = false,
}: {
  readonly level: number;
  /** Says what it is; otherwise a heading or the place does, and screen readers hear it. */
  readonly isLabelled?: boolean;
}) {
  return (
    <span class="difficulty" title={`difficulty ${of} of 3`}>
      <span class={named ? undefined : "hidden"}>difficulty </span>
      {of}{" "}
      <span class="dots" aria-hidden="true">
        {"●".repeat(of) + "○".repeat(Math.max(0, 3 - of))}
      </span>
    </span>
  );
}
