/** The query, with completions from the data and a live count of what matches. */
import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import type { ExploredAnswer } from "../../../../src/spec/studio/index.ts";
import { replaceQuery } from "../../lib/address.ts";
import { pluralize } from "../../lib/format.ts";
import { type Completion, completeQuery } from "../../lib/query-text.ts";
import type { Loaded } from "../../lib/use-api.ts";
import { useTyped } from "../../lib/use-typed.ts";
import { RecordedText } from "../../parts/recorded-text.tsx";

/** The pause in typing, in milliseconds, after which the query is asked. */
const TYPING_PAUSE_MS = 200;

export function QueryBar({
  bar,
  query,
  answer,
}: {
  readonly bar: RefObject<HTMLInputElement>;
  readonly query: string;
  readonly answer: Loaded<ExploredAnswer>;
}) {
  const { typed, type, use } = useTyped(query, { pauseMs: TYPING_PAUSE_MS, onUse: ask });
  const [chosen, setChosen] = useState(-1);
  const [hasFocus, setHasFocus] = useState(false);
  const completions = hasFocus && answer.value ? completeQuery(typed, answer.value) : [];
  const take = (completion: Completion) => {
    type(completion.query);
    setChosen(-1);
    bar.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && completions.length > 0) {
      event.preventDefault();
      setChosen((before) => Math.max(-1, Math.min(completions.length - 1, before + step)));
    } else if (event.key === "Enter") {
      const completion = completions[chosen];
      if (completion) take(completion);
      else bar.current?.blur();
    } else if (event.key === "Escape") bar.current?.blur();
  };
  return (
    <search class="query-bar">
      <input
        ref={bar}
        type="search"
        role="combobox"
        aria-label="Query"
        aria-expanded={completions.length > 0}
        aria-controls="query-completions"
        aria-autocomplete="list"
        spellcheck={false}
        autocomplete="off"
        placeholder="status:422 outcome:finished, or words of the text"
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onFocus={() => setHasFocus(true)}
        onBlur={() => {
          setHasFocus(false);
          use();
        }}
      />
      <span class="query-count" role="status">
        {describeCount(answer)}
      </span>
      <Completions {...{ completions, chosen, take }} />
    </search>
  );
}

/** Asks another query: what was open in the answer of the old one is closed. */
function ask(query: string): void {
  replaceQuery({ q: query || undefined, open: undefined, limit: undefined });
}

function describeCount({ value, error, loading }: Loaded<ExploredAnswer>): string {
  if (value === undefined || error) return "";
  const count = `${value.matching} of ${pluralize(value.total, "rollout")}`;
  return loading ? `${count} …` : count;
}

function Completions({
  completions,
  chosen,
  take,
}: {
  readonly completions: readonly Completion[];
  readonly chosen: number;
  readonly take: (completion: Completion) => void;
}) {
  return (
    <div
      id="query-completions"
      role="listbox"
      aria-label="Completions"
      class="query-completions"
      hidden={completions.length === 0}
    >
      {completions.map((completion, i) => (
        <div
          key={completion.label}
          role="option"
          tabIndex={-1}
          aria-selected={i === chosen}
          // The pressed button must not take the focus from the query before the click.
          onMouseDown={(event) => {
            event.preventDefault();
            take(completion);
          }}
        >
          <RecordedText text={completion.label} /> <span class="soft">{completion.detail}</span>
        </div>
      ))}
    </div>
  );
}
