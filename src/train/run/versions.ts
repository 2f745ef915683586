/** Reads the versions that `run.json` records, so that the numbers of a run can be traced to a build. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** Returns the versions of bowline, Node and the engine's kernels, and the platform. */
export function readVersions(): { readonly [name: string]: string } {
  return {
    bowline: readPackageVersion(new URL("../../../package.json", import.meta.url)),
    node: process.versions.node,
    "onnxruntime-node": readDependencyVersion("onnxruntime-node"),
    platform: `${process.platform}-${process.arch}`,
  };
}

function readPackageVersion(url: URL): string {
  return (JSON.parse(readFileSync(url, "utf8")) as { version: string }).version;
}

function readDependencyVersion(name: string): string {
  const paths = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const found = paths
    .map((path) => new URL(`file://${path}/${name}/package.json`))
    .find((url) => existsSync(url));
  return found === undefined ? "unknown" : readPackageVersion(found);
}
