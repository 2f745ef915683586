/**
 * Makes a screenshot small: a palette of at most 256 colours and the best compression. Screenshots of pages have few
 * colours, apart from the shades at the edges of letters, which become the nearest colour of the palette.
 */
import { crc32, deflateSync, inflateSync } from "node:zlib";

/** Returns the PNG with a palette. It must be an 8-bit RGB or RGBA picture without interlacing, as Chromium writes. */
export function shrinkPng(png: Buffer): Buffer {
  const { width, height, channels, pixels } = decodePng(png);
  const counts = new Map<number, number>();
  const colourAt = (at: number) =>
    ((pixels[at]! >> 2) << 12) | ((pixels[at + 1]! >> 2) << 6) | (pixels[at + 2]! >> 2);
  for (let at = 0; at < pixels.length; at += channels)
    counts.set(colourAt(at), (counts.get(colourAt(at)) ?? 0) + 1);
  const palette = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 256)
    .map(([key]) => key);
  const indexes = new Map([...counts.keys()].map((key) => [key, nearestColour(palette, key)]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += channels)
      rows[y * (width + 1) + 1 + x] = indexes.get(colourAt(at))!;
  const header = Buffer.from(png.subarray(16, 29));
  header.set([8, 3], 8);
  const widen = (six: number) => (six << 2) | (six >> 4);
  const colours = palette.flatMap((key) => splitColour(key).map(widen));
  return Buffer.concat([
    png.subarray(0, 8),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(colours)),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const splitColour = (key: number) => [key >> 12, (key >> 6) & 63, key & 63];

function nearestColour(palette: readonly number[], key: number): number {
  const wanted = splitColour(key);
  const distance = (other: number) =>
    splitColour(other).reduce((sum, part, i) => sum + (part - wanted[i]!) ** 2, 0);
  return palette.reduce((best, one, i) => (distance(one) < distance(palette[best]!) ? i : best), 0);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, check]);
}

function decodePng(png: Buffer) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = png[25] === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + length));
  }
  const stride = width * channels;
  const filtered = inflateSync(Buffer.concat(parts));
  const pixels = new Uint8Array(height * stride);
  for (let y = 0; y < height; y++) {
    const filter = filtered[y * (stride + 1)]!;
    for (let i = 0; i < stride; i++) {
      const at = y * stride + i;
      const left = i < channels ? 0 : pixels[at - channels]!;
      const up = y === 0 ? 0 : pixels[at - stride]!;
      const corner = y === 0 || i < channels ? 0 : pixels[at - stride - channels]!;
      pixels[at] = filtered[y * (stride + 1) + 1 + i]! + predict(filter, left, up, corner);
    }
  }
  return { width, height, channels, pixels };
}

/** Returns what a filter of the PNG format (section 9.2) adds to a byte. */
function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(guess - one)) as [
    number,
    number,
    number,
  ];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
