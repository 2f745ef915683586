/** Jinja as Python's library and transformers run it. */
export { TemplateRaisedError } from "./builtins.ts";
export { compileTemplate, type Template } from "./template.ts";
