import { formatJsonInDataTags } from '#core/values/fenced-text.ts';
import type { RenderedPrompt } from '#core/ports.ts';
import { err, ok, type Result } from '#core/values/result.ts';

interface Section {
  readonly role: 'system' | 'user';
  readonly content: string;
}

/** A prompt from its Markdown file. `Name` are the names of its variables. */
export interface PromptTemplate<Name extends string = string> {
  /** `name@version` */
  readonly id: string;
  readonly variables: readonly { readonly name: Name; readonly raw: boolean }[];
  /** Name of the answer's form; null if the answer is free text. */
  readonly output: string | null;
  readonly sections: readonly Section[];
}

/** A prompt was rendered with the wrong variables, or with a raw variable that is not text: a defect of ours. */
export class PromptVariableError extends Error {
  readonly missing: readonly string[];
  readonly extra: readonly string[];

  constructor(prompt: string, missing: readonly string[], extra: readonly string[]) {
    super(`prompt ${prompt}: missing [${missing.join(', ')}], extra [${extra.join(', ')}]`);
    this.name = 'PromptVariableError';
    this.missing = missing;
    this.extra = extra;
  }
}

const placeholder = /\{\{([a-z][A-Za-z0-9]*)\}\}/g;
const declaration = /^([a-z][A-Za-z0-9]*)( \(raw\))?$/;

/**
 * Reads a prompt's file: front matter with `variables` (comma-separated; `(raw)` after a name keeps it out of the
 * fence) and `output`, then the sections `## system` (optional) and `## user`. The declared variables must be those
 * that occur.
 */
export function parsePrompt(id: string, markdown: string): Result<PromptTemplate, string> {
  const file = /^---\n(?<front>[\s\S]*?)\n---\n(?<body>[\s\S]*)$/.exec(markdown.replaceAll('\r\n', '\n'))?.groups;
  if (file === undefined) return err('no front matter');
  const fields = new Map((file['front'] ?? '').split('\n').map(parseFrontMatterField));
  const variables = parseVariableDeclarations(fields.get('variables') ?? '');
  if (variables === undefined) return err('variables are not a list of names');
  const sections = parseSections(file['body'] ?? '');
  if (sections === undefined) return err('sections are not: system (if any), then user');
  const occurring = new Set(sections.flatMap(({ content }) => [...content.matchAll(placeholder)].map((m) => m[1])));
  const declared = new Set<string | undefined>(variables.map(({ name }) => name));
  const different = [...occurring.symmetricDifference(declared)];
  if (different.length > 0) return err(`declared or used only: ${different.join(', ')}`);
  const output = fields.get('output') ?? 'none';
  return ok({ id, variables, output: output === 'none' ? null : output, sections });
}

/**
 * Fills in a prompt's variables. Each becomes a fenced block of compact JSON in which no `<` occurs, so data can never
 * end its fence; raw variables are inserted unchanged. Throws PromptVariableError if the variables are not the
 * template's.
 */
export function renderPromptMessagesOrThrow<Name extends string>(
  template: PromptTemplate<Name>,
  variables: Readonly<Record<Name, unknown>>,
): RenderedPrompt {
  const given = new Map<string, unknown>(Object.entries(variables));
  const texts = new Map<string, string>();
  for (const { name, raw } of template.variables) {
    const text = raw ? given.get(name) : formatJsonInDataTags(name, given.get(name));
    if (typeof text === 'string') texts.set(name, text);
  }
  const missing = template.variables.map(({ name }) => name).filter((name) => !texts.has(name));
  const extra = [...given.keys()].filter((name) => !template.variables.some((variable) => variable.name === name));
  if (missing.length > 0 || extra.length > 0) throw new PromptVariableError(template.id, missing, extra);
  const fill = (content: string): string => content.replace(placeholder, (whole, name) => texts.get(name) ?? whole);
  return {
    id: template.id,
    messages: template.sections.map(({ role, content }) => ({ role, content: fill(content) })),
  };
}

function parseFrontMatterField(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, Math.max(0, colon)).trim(), line.slice(colon + 1).trim()];
}

function parseVariableDeclarations(list: string): { name: string; raw: boolean }[] | undefined {
  const names = list.trim() === '' ? [] : list.split(',').map((name) => name.trim());
  const found = names.flatMap((text) => {
    const match = declaration.exec(text);
    return match?.[1] === undefined ? [] : [{ name: match[1], raw: match[2] !== undefined }];
  });
  return found.length === names.length ? found : undefined;
}

function parseSections(body: string): Section[] | undefined {
  const parts = body.split(/^## (system|user)\n/m);
  const sections: Section[] = [];
  for (let i = 1; i < parts.length; i += 2) {
    sections.push({ role: parts[i] === 'system' ? 'system' : 'user', content: (parts[i + 1] ?? '').trim() });
  }
  const order = sections.map(({ role }) => role).join(' ');
  const complete = parts[0]?.trim() === '' && sections.every(({ content }) => content !== '');
  return complete && (order === 'user' || order === 'system user') ? sections : undefined;
}
