/** A task's difficulty, 1 to 3, as dots for the eye and as a number for everyone. */
export function Difficulty({ of }: { readonly of: number }) {
  return (
    <span class="difficulty" title={`difficulty ${of} of 3`}>
      <span class="hidden">difficulty </span>
      {of}{" "}
      <span class="dots" aria-hidden="true">
        {"●".repeat(of) + "○".repeat(Math.max(0, 3 - of))}
      </span>
    </span>
  );
}
