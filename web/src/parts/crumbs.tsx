/** The way down to a view: each step above it as a link. The view itself is its heading, so it is not repeated here. */
export interface Crumb {
  readonly name: string;
  readonly href: string;
}

export function Crumbs({ crumbs }: { readonly crumbs: readonly Crumb[] }) {
  return (
    <nav class="crumbs" aria-label="Where this is">
      {crumbs.map(({ name, href }, i) => (
        <span key={href}>
          <a href={href}>{name}</a>
          {i < crumbs.length - 1 && <span aria-hidden="true"> /</span>}
        </span>
      ))}
    </nav>
  );
}
