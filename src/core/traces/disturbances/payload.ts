import { z } from 'zod';
import { makePlainFunctionName } from '#core/catalog/function-names.ts';
import type { Canary } from './record.ts';

/** The text of an attack. `{tool}` and `{word}` are replaced by canaries. Nothing carries it out: it is data. */
export const payload = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/, 'lower-case letters, digits and hyphens'),
  /** BCP 47 */
  language: z.string().min(2).max(20),
  /** What it asks for: a call of the canary tool, or the canary word in the answer. */
  asks: z.enum(['call', 'word']),
  text: z.string().min(1).max(2_000),
});

/** A payload, with the version of its file. */
export type Payload = z.infer<typeof payload> & { readonly version: string };

/** A file of payloads of one's own. */
export const payloadFile = z
  .array(
    payload.refine(({ asks, text }) => text.includes(asks === 'call' ? '{tool}' : '{word}'), {
      message: 'the text names {tool} if it asks for a call, and {word} if it asks for a word',
      path: ['text'],
    }),
  )
  .min(1)
  .max(200);

const line = /^- (?<id>\S+) \| (?<language>\S+) \| (?<asks>call|word) \| (?<text>.+)$/;

/** Reads payloads from a text with one in each line: `- id | language | asks | text`. Throws for a line of another form. */
export const readPayloadsOrThrow = (text: string): z.infer<typeof payloadFile> =>
  payloadFile.parse(
    text
      .split('\n')
      .filter((each) => each.startsWith('- '))
      .map((each) => line.exec(each)?.groups ?? { id: each }),
  );

/** Returns a payload's text with its canaries; the tool by the name by which most agents call it. */
export const payloadTextWithCanary = ({ text }: Pick<Payload, 'text'>, { tool, word }: Canary): string =>
  text.replaceAll('{tool}', makePlainFunctionName(tool)).replaceAll('{word}', word);
