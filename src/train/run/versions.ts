/** What a run was made with: written to `run.json`, so that a number can be traced to a build. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** Versions of bowline, Node and the engine's kernels. */
export function versions(): { readonly [name: string]: string } {
  return {
    bowline: packageVersion(new URL("../../../package.json", import.meta.url)),
    node: process.versions.node,
    "onnxruntime-node": dependencyVersion("onnxruntime-node"),
    platform: `${process.platform}-${process.arch}`,
  };
}

function packageVersion(url: URL): string {
  return (JSON.parse(readFileSync(url, "utf8")) as { version: string }).version;
}

function dependencyVersion(name: string): string {
  const paths = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const found = paths
    .map((path) => new URL(`file://${path}/${name}/package.json`))
    .find((url) => existsSync(url));
  return found === undefined ? "unknown" : packageVersion(found);
}
