/**
 * Draws the visible part of the grid. A cell is filled in proportion to the rollouts that passed, so that it can be
 * read without colours. It is an empty frame with a cross, a partly filled cell, or a full cell with a tick.
 */
import type { Grid } from "../../../src/spec/studio/index.ts";
import {
  classifyGroup,
  findCellOrigin,
  findRow,
  type GridGroup,
  type GridLayout,
} from "./grid-layout.ts";
import { readThemeVariable } from "./use-scheme.ts";

/** The smallest side of a cell, in pixels, at which a cross or a tick can be recognised. */
const MIN_GLYPH_SIDE = 13;

interface DrawingTools {
  readonly pen: CanvasRenderingContext2D;
  readonly side: number;
  readonly colour: (name: string) => string;
}

/** Draws the part of the grid that begins at `top` and is `height` pixels high. */
export function drawGrid(
  canvas: HTMLCanvasElement,
  grid: Grid,
  layout: GridLayout,
  { width, top, height }: { readonly width: number; readonly top: number; readonly height: number },
): void {
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.setTransform(scale, 0, 0, scale, 0, -top * scale);
  const colours = new Map<string, string>();
  const readColour = (name: string) => {
    if (!colours.has(name)) colours.set(name, readThemeVariable(canvas, name));
    return colours.get(name)!;
  };
  const ink: DrawingTools = { pen, side: layout.side, colour: readColour };
  pen.font = `11px ${readColour("--sans")}`;
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  const last = Math.min(grid.iterations.length - 1, findRow(layout, top + height));
  for (let row = findRow(layout, top); row <= last; row++) drawRow(ink, grid, layout, row);
}

function drawRow(
  { pen, side, colour }: DrawingTools,
  grid: Grid,
  layout: GridLayout,
  row: number,
): void {
  const { iteration, whole, groups } = grid.iterations[row]!;
  pen.fillStyle = colour("--soft");
  pen.fillText(
    `${iteration}${whole ? "" : "…"}`,
    layout.margin - 8,
    layout.tops[row]! + side / 2 + 1,
  );
  for (const [column, group] of groups.entries()) {
    const { x, y } = findCellOrigin(layout, { row, column });
    drawCell({ pen, side, colour }, group, x, y);
  }
}

function drawCell(
  { pen, side, colour }: DrawingTools,
  group: GridGroup,
  x: number,
  y: number,
): void {
  const kind = classifyGroup(group);
  pen.lineWidth = 1;
  pen.strokeStyle = colour(OUTCOME_COLOURS[kind]);
  pen.strokeRect(x + 0.5, y + 0.5, side - 1, side - 1);
  if (kind === "right" || kind === "mixed") {
    const filled = Math.max(1, Math.round((side * group.passed) / group.size));
    pen.fillStyle = colour(OUTCOME_COLOURS[kind]);
    pen.fillRect(x, y + side - filled, side, filled);
  }
  if (side < MIN_GLYPH_SIDE) return;
  pen.lineWidth = 1.6;
  if (kind === "right") strokePath(pen, colour("--card"), tickPath(x, y, side));
  if (kind === "wrong")
    for (const line of crossPaths(x, y, side)) strokePath(pen, colour("--down"), line);
}

const OUTCOME_COLOURS = {
  right: "--up",
  mixed: "--mixed",
  wrong: "--down",
  none: "--line",
} as const;

type Path = readonly (readonly [number, number])[];

function tickPath(x: number, y: number, side: number): Path {
  const pointAt = (across: number, down: number) => [x + side * across, y + side * down] as const;
  return [pointAt(0.25, 0.52), pointAt(0.43, 0.7), pointAt(0.75, 0.3)];
}

function crossPaths(x: number, y: number, side: number): Path[] {
  const pointAt = (across: number, down: number) => [x + side * across, y + side * down] as const;
  return [
    [pointAt(0.33, 0.33), pointAt(0.67, 0.67)],
    [pointAt(0.67, 0.33), pointAt(0.33, 0.67)],
  ];
}

function strokePath(pen: CanvasRenderingContext2D, colour: string, path: Path): void {
  pen.strokeStyle = colour;
  pen.beginPath();
  for (const [i, [x, y]] of path.entries()) i === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y);
  pen.stroke();
}
