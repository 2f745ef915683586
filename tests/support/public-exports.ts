/**
 * What a module exports, followed through its re-exports to where each name is declared, and whether a comment stands
 * above the declaration. Reads source by its line structure, which Biome's formatter fixes: TypeScript 7 has no
 * interface for programs to ask.
 */
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { ROOT } from "../e2e/support/cli.ts";

export interface PublicExport {
  /** As an importer writes it; of a namespace, `algo.score`. */
  readonly name: string;
  readonly isType: boolean;
  /** Where it is declared, or leaves the repository. */
  readonly file: string;
  readonly documented: boolean;
}

/** The doors of the package, as its `exports` name them: what an importer writes, and the source behind it. */
export function listEntryPoints(): { readonly door: string; readonly source: string }[] {
  const manifest: { readonly exports: { readonly [door: string]: string | { types: string } } } =
    JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return Object.entries(manifest.exports).flatMap(([door, target]) => {
    if (typeof target === "string") return [];
    const source = target.types.replace(/^\.\/dist\/(.*)\.d\.ts$/, "src/$1.ts");
    return [{ entryPoint: `bowline${door.slice(1)}`, source: join(ROOT, source) }];
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

/** Every name that `entry` exports, each once. */
export function listExports(entry: string): PublicExport[] {
  const text = readFileSync(entry, "utf8");
  const found = [...text.matchAll(STATEMENT)].flatMap((match): PublicExport[] => {
    const { star, namespace, starFrom, list, listType, listFrom, kind, name } = match.groups!;
    const documented = hasComment(text, match.index);
    const here = (name: string, isType: boolean) => ({ name, isType, file: entry, documented });
    if (star) {
      const below = listExports(resolve(dirname(entry), starFrom!));
      if (!namespace) return below;
      const members = below.map((one) => ({ ...one, name: `${namespace}.${one.name}` }));
      return [here(namespace, false), ...members];
    }
    if (list === undefined) return [here(name!, kind === "type" || kind === "interface")];
    const names = list.split(",").flatMap((item) => item.trim() || []);
    const local = listFrom?.startsWith(".");
    const below = local ? listExports(resolve(dirname(entry), listFrom!)) : [];
    return names.map((item) => {
      const [, type, from, to] = /^(type )?(\w+)(?: as (\w+))?$/.exec(item)!;
      const origin = below.find((one) => one.name === from);
      if (local && !origin) throw new Error(`${entry}: ${from} is not in ${listFrom}`);
      const isType = Boolean(listType ?? type) || origin?.isType === true;
      return { ...(origin ?? here(from!, isType)), name: to ?? from!, isType };
    });
  });
  // Of an overloaded function the first signature carries the comment.
  return [...new Map(found.toReversed().map((one) => [one.name, one])).values()].toReversed();
}

/** Names without a comment of their own, as `file: name`. */
export function listUndocumented(exports: readonly PublicExport[]): string[] {
  const missing = exports.filter(({ documented }) => !documented);
  return missing.map(({ file, name }) => `${relative(ROOT, file)}: ${name}`).sort();
}

/** Whether a JSDoc comment ends right above; lint directives between the two do not count. */
function hasComment(text: string, index: number): boolean {
  const above = text.slice(0, index).replace(/(?:\s*\/\/[^\n]*\n)+$/, "\n");
  return /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.test(above);
}
