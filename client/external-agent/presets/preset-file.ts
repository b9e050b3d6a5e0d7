import { z } from 'zod';
import { issueText } from '#core/values/issue-text.ts';
import { UsageError } from '../../../engine/usage-error.ts';
import { readTextFile } from '../../files/read-text-file.ts';
import { parsePrintedJson, type Preset, type PresetAttempt } from './preset.ts';

const texts = z.record(z.string(), z.string());

/** A file that says how a program is started which has no preset. Its texts may have placeholders such as `{mcpUrl}`. */
const presetFile = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,59}$/),
  program: z.string().min(1),
  install: z.string().default(''),
  endpoint: z.strictObject({ baseUrl: z.string(), keyVariable: z.string() }).nullable().default(null),
  model: z.string().nullable().default(null),
  versionArguments: z.array(z.string()).default(['--version']),
  arguments: z.array(z.string()).default([]),
  environment: texts.default({}),
  /** By their paths below the attempt's folder, which has `home` and `work`; a JSON value is written as JSON. */
  files: z.record(z.string(), z.unknown()).default({}),
  /** The standard input. */
  input: z.string().default('{request}'),
  /** Where the answer is: all of the output, or at a path of a JSON object that it is. */
  answer: z.union([z.literal('text'), z.strictObject({ json: z.array(z.string()).min(1) })]).default('text'),
});

const placeholders: Readonly<Record<string, (attempt: PresetAttempt) => string>> = {
  request: ({ request }) => request,
  mcpUrl: ({ mcp }) => mcp.url,
  mcpToken: ({ mcp }) => mcp.token,
  model: ({ model }) => model.name,
  modelToken: ({ model }) => model.token,
  modelUrlOpenai: ({ model }) => model.urls.openai,
  modelUrlAnthropic: ({ model }) => model.urls.anthropic,
  modelUrlGemini: ({ model }) => model.urls.gemini,
};

const fillText = (text: string, attempt: PresetAttempt): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => placeholders[name]?.(attempt) ?? whole);

/** Fills the texts in a JSON value, so that what is filled in needs no escaping. */
function fillValue(value: unknown, attempt: PresetAttempt): unknown {
  if (typeof value === 'string') return fillText(value, attempt);
  if (Array.isArray(value)) return value.map((each) => fillValue(each, attempt));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fillValue(each, attempt)]));
}

const fillTexts = (all: Readonly<Record<string, string>>, attempt: PresetAttempt): Record<string, string> =>
  Object.fromEntries(Object.entries(all).map(([key, text]) => [key, fillText(text, attempt)]));

/** Reads a preset from a file. */
export async function readPresetFile(path: string): Promise<Preset> {
  const read = presetFile.safeParse(parsePrintedJson(await readTextFile(path)));
  if (!read.success) throw new UsageError(`${path}: ${read.error.issues.map(issueText).join('; ')}`);
  const { files, answer, ...preset } = read.data;
  return {
    ...preset,
    start: (attempt) => ({
      files: Object.fromEntries(
        Object.entries(files).map(([name, value]) => {
          const filled = fillValue(value, attempt);
          return [name, typeof filled === 'string' ? filled : JSON.stringify(filled)];
        }),
      ),
      arguments: preset.arguments.map((text) => fillText(text, attempt)),
      environment: fillTexts(preset.environment, attempt),
      input: fillText(preset.input, attempt),
    }),
    readAnswer: (printed) =>
      answer === 'text' ? printed.replace(/\r?\n$/, '') : readAtPath(parsePrintedJson(printed), answer.json),
  };
}

function readAtPath(value: unknown, path: readonly string[]): string | null {
  const [key, ...rest] = path;
  if (key === undefined) return typeof value === 'string' ? value : null;
  const inner = z.record(z.string(), z.unknown()).safeParse(value).data;
  return inner === undefined ? null : readAtPath(inner[key], rest);
}
