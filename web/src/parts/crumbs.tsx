/** The way down to a view: each step above it as a link. The view itself is its heading, so it is not repeated here. */
export interface Crumb {
  readonly name: string;
  readonly href: string;
}

export function Crumbs({ of }: { readonly of: readonly Crumb[] }) {
  return (
    <nav class="crumbs" aria-label="Where this is">
      {of.map(({ name, href }, i) => (
        <span key={href}>
          <a href={href}>{name}</a>
          {i < of.length - 1 && <span aria-hidden="true"> /</span>}
        </span>
      ))}
    </nav>
  );
}
