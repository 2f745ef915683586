/**
 * Ranks APIs by how well their documentation answers a query, with BM25 over several fields (Robertson, Zaragoza and
 * Taylor, "Simple BM25 extension to multiple weighted fields", CIKM 2004).
 *
 * Each word of the query stands for itself and, with less weight, for its synonyms. All of them count as occurrences of
 * one word, so a word with many synonyms has no advantage.
 */
import { readQuery, stemWords, synonymsOf } from "../words/index.ts";

/** What is known of an API, by field. */
export interface SearchedApi {
  /** `app.api` */
  readonly name: string;
  readonly summary: string;
  /** The name and the summary of its app. */
  readonly app: { readonly name: string; readonly summary: string };
  /** The names, descriptions and possible words of its parameters. */
  readonly params: string;
}

/** The weight of a word by the field in which it stands, in the order of `fieldTexts`. */
const FIELD_WEIGHTS = [4, 2, 2, 0.5, 0.3] as const;
/** How much a field's length lowers the weight of its words, from 0 to 1: b of BM25, by field. */
const LENGTH_SHARE = [0.7, 0, 0.4, 0.7, 0] as const;
/** How soon a further occurrence of a word stops to count: k1 of BM25. */
const SATURATION = 1.2;
const SYNONYM_WEIGHT = 0.4;
const UNKNOWN_WORD_WEIGHT = 0.8;

/** Returns the texts of an API's fields, in the order of their weights. */
function fieldTexts({ name, summary, app, params }: SearchedApi): readonly string[] {
  return [name.slice(app.name.length + 1), app.name, summary, params, app.summary];
}

interface IndexedApi {
  readonly api: SearchedApi;
  /** Maps a stem to its weighted number of occurrences. */
  readonly weights: ReadonlyMap<string, number>;
}

/** An index of APIs that was made once for many searches. */
export class ApiIndex {
  readonly #apis: readonly IndexedApi[];

  constructor(apis: readonly SearchedApi[]) {
    const fields = apis.map((api) => fieldTexts(api).map(stemWords));
    const means = FIELD_WEIGHTS.map(
      (_, f) => fields.reduce((sum, texts) => sum + texts[f]!.length, 0) / apis.length || 1,
    );
    this.#apis = apis.map((api, i) => ({ api, weights: weighStems(fields[i]!, means) }));
  }

  /** Returns the APIs that have at least one word of the query or a synonym of it, the best first. */
  search(query: string): SearchedApi[] {
    const concepts = readQuery(query).map((word) => this.#makeConcept(word));
    const scored = this.#apis.map(({ api, weights }) => {
      const score = concepts.reduce((sum, concept) => sum + scoreConcept(concept, weights), 0);
      return { api, score };
    });
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ api }) => api);
  }

  #makeConcept(word: string): Concept {
    const others = [...synonymsOf(word)];
    const isKnown = this.#apis.some(({ weights }) => weights.has(word));
    // A word that no API has can only be meant as one of its synonyms.
    const share = isKnown ? SYNONYM_WEIGHT : UNKNOWN_WORD_WEIGHT;
    const members = [[word, 1], ...others.map((other) => [other, share] as const)] as const;
    const hasMember = ({ weights }: IndexedApi) => members.some(([member]) => weights.has(member));
    const frequency = this.#apis.filter(hasMember).length;
    const rarity = Math.log(1 + (this.#apis.length - frequency + 0.5) / (frequency + 0.5));
    return { members, rarity };
  }
}

/** A word of the query with its synonyms. */
interface Concept {
  /** The words, and how much each counts. */
  readonly members: readonly (readonly [word: string, share: number])[];
  /** The inverse document frequency of APIs with any of the words. */
  readonly rarity: number;
}

function scoreConcept({ members, rarity }: Concept, weights: ReadonlyMap<string, number>): number {
  const weight = members.reduce((sum, [word, share]) => sum + share * (weights.get(word) ?? 0), 0);
  return (rarity * weight) / (weight + SATURATION);
}

function weighStems(
  fields: readonly (readonly string[])[],
  means: readonly number[],
): Map<string, number> {
  const weights = new Map<string, number>();
  for (const [f, stems] of fields.entries()) {
    const b = LENGTH_SHARE[f]!;
    const weight = FIELD_WEIGHTS[f]! / (1 - b + (b * stems.length) / means[f]!);
    for (const stem of stems) weights.set(stem, (weights.get(stem) ?? 0) + weight);
  }
  return weights;
}
