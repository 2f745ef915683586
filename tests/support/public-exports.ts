/**
 * Lists what a module exports, where each name is declared, and whether the declaration has a comment. It follows
 * re-exports. It matches lines of source, because TypeScript 7 cannot be used as a library. Biome formats the source,
 * so its lines have a fixed form.
 */
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { ROOT } from "../e2e/support/cli.ts";

export interface PublicExport {
  /** The name that an importer writes; a member of a namespace is `algo.scoreRollouts`. */
  readonly name: string;
  readonly isType: boolean;
  /** The file that declares the name, or that re-exports it from another package. */
  readonly file: string;
  readonly isDocumented: boolean;
}

/**
 * Lists the entry points in the package's `exports`: the name that an importer writes, and the source file behind it.
 */
export function listEntryPoints(): {
  readonly entryPoint: string;
  readonly source: string;
}[] {
  const manifest: { readonly exports: { readonly [subpath: string]: string | { types: string } } } =
    JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    if (typeof target === "string") return [];
    const source = target.types.replace(/^\.\/dist\/(.*)\.d\.ts$/, "src/$1.ts");
    return [{ entryPoint: `bowline${subpath.slice(1)}`, source: join(ROOT, source) }];
  });
}

const STATEMENT = new RegExp(
  [
    /^export (?<star>\*)(?: as (?<namespace>\w+))? from "(?<starFrom>[^"]+)";/,
    /^export (?<listType>type )?\{(?<list>[^}]*)\}(?: from "(?<listFrom>[^"]+)")?;/,
    /^export (?:declare )?(?<kind>async function|function\*?|abstract class|class|const|let|interface|type) (?<name>\w+)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gm",
);

/** Lists every name that the module `entry` exports, each once. */
export function listExports(entry: string): PublicExport[] {
  const text = readFileSync(entry, "utf8");
  const found = [...text.matchAll(STATEMENT)].flatMap((match): PublicExport[] => {
    const { star, namespace, starFrom, list, listType, listFrom, kind, name } = match.groups!;
    const isDocumented = hasComment(text, match.index);
    const declaredHere = (name: string, isType: boolean) => ({
      name,
      isType,
      file: entry,
      isDocumented,
    });
    if (star) {
      const reExported = listExports(resolve(dirname(entry), starFrom!));
      if (!namespace) return reExported;
      const members = reExported.map((one) => ({ ...one, name: `${namespace}.${one.name}` }));
      return [declaredHere(namespace, false), ...members];
    }
    if (list === undefined) return [declaredHere(name!, kind === "type" || kind === "interface")];
    const names = list.split(",").flatMap((item) => item.trim() || []);
    const local = listFrom?.startsWith(".");
    const reExported = local ? listExports(resolve(dirname(entry), listFrom!)) : [];
    return names.map((item) => {
      const [, type, from, to] = /^(type )?(\w+)(?: as (\w+))?$/.exec(item)!;
      const origin = reExported.find((one) => one.name === from);
      if (local && !origin) throw new Error(`${entry}: ${from} is not in ${listFrom}`);
      const isType = Boolean(listType ?? type) || origin?.isType === true;
      return { ...(origin ?? declaredHere(from!, isType)), name: to ?? from!, isType };
    });
  });
  // The first signature of an overloaded function has the comment.
  return [...new Map(found.toReversed().map((one) => [one.name, one])).values()].toReversed();
}

/** Lists the exports whose declaration has no comment, as `file: name`. */
export function listUndocumented(exports: readonly PublicExport[]): string[] {
  const missing = exports.filter(({ isDocumented }) => !isDocumented);
  return missing.map(({ file, name }) => `${relative(ROOT, file)}: ${name}`).sort();
}

/** Says whether a JSDoc comment ends right above `index`. Lint directives between the two are ignored. */
function hasComment(text: string, index: number): boolean {
  const above = text.slice(0, index).replace(/(?:\s*\/\/[^\n]*\n)+$/, "\n");
  return /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.test(above);
}
