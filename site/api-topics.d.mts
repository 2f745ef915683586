/** The types of `api-topics.mjs`, which the build of the site runs without a compiler. */

/** Returns the topic of a source, such as `algo/loop.ts`. Throws where no topic has it. */
export function topicOfSource(source: string): string;
