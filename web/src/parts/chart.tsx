/**
 * A line chart: a picture, a description for screen readers, and on request a table.
 *
 * uPlot draws on a canvas and knows no themes. So colours are given as names of theme variables, which are read when
 * the plot is created. The plot is created again when the colour scheme changes. New values are added to the existing
 * plot.
 */
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { formatCompact } from "../lib/format.ts";
import { escapeInvisible } from "../lib/invisible-characters.ts";
import { buildPlotOptions } from "../lib/plot.ts";
import { type Column, computeRange, describeLines, type Line } from "../lib/series.ts";
import { useColourScheme } from "../lib/use-scheme.ts";
import "../style/chart.css";
import { ChartTable } from "./chart-table.tsx";

export interface ChartProps {
  readonly title: string;
  /** The meaning of the numbers, which is shown below the chart. */
  readonly meaning?: string;
  /** What the horizontal axis counts, such as `iteration`. */
  readonly xName: string;
  readonly x: readonly number[];
  readonly lines: readonly Line[];
  /** The range of the y axis, which is widened to contain all values. By default the range fits the values. */
  readonly range?: readonly [number, number];
  readonly logarithmic?: boolean;
  readonly format?: (value: number) => string;
  readonly height?: number;
  /** Opens what happened at a value of the horizontal axis. It is called by a click, and by links of the table. */
  readonly onStep?: (x: number) => void;
}

export function Chart(props: ChartProps) {
  const { meaning, x, xName, format = formatCompact } = props;
  // Names of metrics and arms come from runs, so they may contain invisible characters.
  const title = escapeInvisible(props.title);
  const lines = useMemo(
    () => props.lines.map((line) => ({ ...line, name: escapeInvisible(line.name) })),
    [props.lines],
  );
  const id = useId();
  const [asTable, setAsTable] = useState(false);
  const [at, setAt] = useState<number | null>(null);
  const [reset, setReset] = useState<(() => void) | undefined>(undefined);
  const named = lines.filter(({ isQuiet }) => !isQuiet);
  const summary = useMemo(() => describeLines(named, x, format), [lines, x]);
  return (
    <figure class="chart" aria-labelledby={id}>
      <div class="chart-head">
        <h3 id={id}>{title}</h3>
        {reset && (
          <button type="button" class="chart-toggle" onClick={reset}>
            Reset zoom
          </button>
        )}
        <button
          type="button"
          class="chart-toggle"
          aria-pressed={asTable}
          aria-label={`${title} as a table`}
          onClick={() => setAsTable(!asTable)}
        >
          Table
        </button>
      </div>
      <Readout lines={named} x={x} at={at} xName={xName} format={format} />
      {asTable ? (
        <ChartTable {...{ title, xName, x, format }} lines={named} onStep={props.onStep} />
      ) : (
        <Plot
          {...props}
          lines={lines}
          summary={`${title}. ${summary}`}
          onCursor={setAt}
          onZoom={(reset) => setReset(() => reset)}
        />
      )}
      {meaning && <figcaption class="soft">{escapeInvisible(meaning)}</figcaption>}
    </figure>
  );
}

/** The legend, with the values under the cursor or the latest values. */
function Readout({
  lines,
  x,
  at,
  xName,
  format,
}: Pick<ChartProps, "lines" | "x" | "xName"> & {
  readonly at: number | null;
  readonly format: (value: number) => string;
}) {
  return (
    <p class="chart-readout">
      <span class="soft">{at === null ? "latest" : `${xName} ${formatCompact(x[at] ?? 0)}`}</span>
      {lines.map(({ name, values, colour, dashed }) => {
        const value = at === null ? lastValue(values) : (values[at] ?? null);
        return (
          <span key={name}>
            <span
              class={dashed ? "chart-mark dashed" : "chart-mark"}
              style={{ borderColor: `var(${colour})` }}
            />
            {name} <b>{value === null ? "–" : format(value)}</b>
          </span>
        );
      })}
    </p>
  );
}

function lastValue(values: Column): number | null {
  return values.findLast((value) => value !== null) ?? null;
}

type PlotProps = ChartProps & {
  readonly summary: string;
  onCursor(at: number | null): void;
  /** Receives a function that shows the whole axis again, or undefined when it is shown. */
  onZoom(reset: (() => void) | undefined): void;
};

/** Returns true if some value can be shown on a logarithmic axis. */
function hasPositiveValue(lines: readonly Line[]): boolean {
  return lines.some(({ values }) => values.some((value) => value !== null && value > 0));
}

function Plot({ x, lines, range, format, height = 190, ...rest }: PlotProps) {
  const logarithmic = rest.logarithmic === true && hasPositiveValue(lines);
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const scheme = useColourScheme();
  const data = useMemo(() => [x, ...lines.map(({ values }) => values)], [x, lines]);
  const ends = useRef<[number, number] | null>(null);
  ends.current = computeRange(
    lines.map(({ values }) => values),
    range,
  );
  const latest = useRef(rest);
  latest.current = rest;
  const shape = JSON.stringify([
    scheme,
    height,
    logarithmic,
    lines.map(({ name, colour, width, dashed }) => [name, colour, width, dashed]),
  ]);
  const resetZoom = () => {
    const [first, last] = [plot.current?.data[0].at(0), plot.current?.data[0].at(-1)];
    if (first !== undefined && last !== undefined)
      plot.current?.setScale("x", { min: first, max: last });
  };
  // `shape` contains everything from which the plot is created.
  useEffect(() => {
    const box = place.current!;
    const options = buildPlotOptions(box, {
      lines,
      height,
      logarithmic,
      format: format ?? formatCompact,
      yRange: () => ends.current,
      xName: rest.xName,
      onCursor: (at) => latest.current.onCursor(at),
      onZoom: (isZoomed) => latest.current.onZoom(isZoomed ? resetZoom : undefined),
    });
    plot.current = new uPlot(options, data as unknown as uPlot.AlignedData, box);
    const sized = new ResizeObserver(() =>
      plot.current?.setSize({ width: box.clientWidth, height }),
    );
    sized.observe(box);
    return () => {
      sized.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [shape]);
  useEffect(() => {
    plot.current?.setData(data as unknown as uPlot.AlignedData);
  }, [data]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the table of the chart has links with the same effect
    <div
      class={rest.onStep ? "chart-plot leads" : "chart-plot"}
      ref={place}
      onClick={() => openStep(plot.current, rest.onStep)}
      role="img"
      aria-label={rest.summary}
      style={{ minHeight: `${height}px` }}
    />
  );
}

/** Opens the step under the cursor. A click that ends a drag selects a part of the axis instead. */
function openStep(plot: uPlot | null, onStep: ChartProps["onStep"]): void {
  const at = plot?.cursor.idx;
  const x = at === null || at === undefined ? undefined : plot?.data[0][at];
  if (x !== undefined && plot?.select.width === 0) onStep?.(x);
}
