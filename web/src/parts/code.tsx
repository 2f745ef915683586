/** An agent's code with syntax colours. */
import { splitCode } from "../lib/split-code.ts";
import { Recorded } from "./recorded.tsx";
import "../style/code.css";

/** Longer code is shown without syntax colours. */
const MAX_COLOURED_CHARACTERS = 20_000;

export function Code({ code }: { readonly code: string }) {
  return (
    <pre class="code">
      {code.length > MAX_COLOURED_CHARACTERS ? (
        <Recorded text={code} />
      ) : (
        splitCode(code).map(({ kind, text }, i) => (
          <span key={i} class={kind === "plain" ? undefined : `code-${kind}`}>
            <Recorded text={text} />
          </span>
        ))
      )}
    </pre>
  );
}
