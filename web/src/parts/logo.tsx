/** The logo: two loops of a bowline knot, drawn in one stroke. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <path d="M4 27C12 27 20 24 20 15S11 3 9 10s6 11 13 9 7-12 1-14" />
    </svg>
  );
}
