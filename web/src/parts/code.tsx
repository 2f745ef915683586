/** An agent's code with syntax colours. */
import { splitCode } from "../lib/split-code.ts";
import { RecordedText } from "./recorded-text.tsx";
import "../style/code.css";

/** The number of characters above which code is shown without syntax colours. */
const MAX_COLOURED_CHARACTERS = 20_000;

export function Code({ code }: { readonly code: string }) {
  return (
    <pre class="code">
      {code.length > MAX_COLOURED_CHARACTERS ? (
        <RecordedText text={code} />
      ) : (
        splitCode(code).map(({ kind, text }, i) => (
          <span key={i} class={kind === "plain" ? undefined : `code-${kind}`}>
            <RecordedText text={text} />
          </span>
        ))
      )}
    </pre>
  );
}
