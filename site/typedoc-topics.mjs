/** A plugin of TypeDoc that gives every export the topic of the source that declares it. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, Comment, CommentTag, Converter, ReflectionKind } from "typedoc";
import { API_TOPICS, topicOfSource } from "./api-topics.mjs";

const SOURCES = fileURLToPath(new URL("../src", import.meta.url));

export function load(app) {
  app.on(Application.EVENT_BOOTSTRAP_END, () => {
    app.options.setValue("categoryOrder", [...API_TOPICS.map(([title]) => title), "*"]);
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => {
    const modules = context.project.getReflectionsByKind(ReflectionKind.SomeModule);
    for (const child of modules.flatMap(({ children = [] }) => children)) {
      if (!child.kindOf(ReflectionKind.SomeModule)) addTopic(child, findTopic(context, child));
    }
  });
}

function findTopic(context, reflection) {
  const described = reflection.isReference() ? reflection.getTargetReflectionDeep() : reflection;
  const [declaration] = context.getSymbolFromReflection(described)?.declarations ?? [];
  if (declaration === undefined)
    throw new Error(`${reflection.name}: TypeDoc knows no source of it`);
  return topicOfSource(relative(SOURCES, declaration.getSourceFile().fileName));
}

/** Functions keep their comment at the signature, and TypeDoc reads the topic there. */
function addTopic(reflection, topic) {
  for (const owner of reflection.signatures ?? [reflection]) {
    owner.comment ??= new Comment();
    owner.comment.blockTags.push(new CommentTag("@category", [{ kind: "text", text: topic }]));
  }
}
