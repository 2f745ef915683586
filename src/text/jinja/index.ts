/** Jinja as Python's library and transformers run it. */
export { TemplateRefusal } from "./builtins.ts";
export { compileTemplate, type Template } from "./template.ts";
