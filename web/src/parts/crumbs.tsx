/** Links to the levels above a view. The view itself is not among them, because its heading names it. */
export interface Crumb {
  readonly name: string;
  readonly href: string;
}

export function Crumbs({ crumbs }: { readonly crumbs: readonly Crumb[] }) {
  return (
    <nav class="crumbs" aria-label="Breadcrumbs">
      {crumbs.map(({ name, href }, i) => (
        <span key={href}>
          <a href={href}>{name}</a>
          {i < crumbs.length - 1 && <span aria-hidden="true"> /</span>}
        </span>
      ))}
    </nav>
  );
}
