/** The frame around every view: the page's header with links to its sections, and the place for the view. */
import { useEffect, useRef } from "preact/hooks";
import { buildAddress, useAddress } from "./lib/address.ts";
import { pageTitle } from "./lib/page-title.ts";
import { useScrollMemory } from "./lib/scroll-memory.ts";
import { GlobalKeys } from "./parts/go-to.tsx";
import { ErrorMessage } from "./parts/loaded-content.tsx";
import { Logo } from "./parts/logo.tsx";
import { findView } from "./views.ts";

const SECTIONS = { runs: "Runs", worlds: "Worlds", documents: "Results" } as const;

export function App() {
  const address = useAddress();
  const match = findView(address);
  const path = address.path.join("/");
  const previousPath = useRef(path);
  useEffect(() => {
    if (previousPath.current !== path) focusMain();
    previousPath.current = path;
  }, [path]);
  const title = pageTitle(address);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useScrollMemory(path);
  return (
    <>
      <button type="button" class="skip" onClick={focusMain}>
        Skip to the content
      </button>
      <GlobalKeys />
      <header class="top">
        <a class="brand" href="#/">
          <Logo />
          Bowline studio
        </a>
        <nav aria-label="Sections">
          {Object.entries(SECTIONS).map(([section, name]) => (
            <a
              key={section}
              href={section === "runs" ? "#/" : buildAddress([section])}
              aria-current={match?.section === section ? "page" : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        {match ? (
          <match.view key={path} address={address} names={match.names} />
        ) : (
          <ErrorMessage text="This address does not exist. Choose one of the sections above." />
        )}
      </main>
    </>
  );
}

/**
 * Moves the focus to the main content, also after the view has changed. A link cannot do this, because `#` begins the
 * address of a view.
 */
function focusMain(): void {
  document.getElementById("main")?.focus({ preventScroll: true });
}
