import { createClient } from '../../client/client.ts';
import { Output, type Sink } from '../../client/command-line/output.ts';
import { parseLineToVerbOrHelp } from '../../client/command-line/parse-line.ts';
import { program } from '../../client/program.ts';
import type { FakeApi } from './fake-api.ts';

export interface Said {
  /** The lines of the standard output. */
  readonly lines: readonly string[];
  /** All of the standard error. */
  readonly notes: string;
}

/** Runs a verb of the command line against an API; `words` are those behind the program's name. */
export async function runVerb(api: FakeApi, ...words: readonly string[]): Promise<Said> {
  const request = parseLineToVerbOrHelp(words, program);
  if (request.kind === 'help') throw new Error('no verb');
  const [written, noted]: [string[], string[]] = [[], []];
  const sink = (to: string[]): Sink => ({ columns: 250, write: (text) => to.push(text) });
  const output = new Output(words.includes('--json'), sink(written), sink(noted));
  const client = createClient({ url: api.url, key: 'key', retries: 0 });
  await request.command.run(request.given, {
    client,
    isServiceNamed: true,
    output,
    signal: new AbortController().signal,
  });
  return { lines: written.join('').split('\n').slice(0, -1), notes: noted.join('') };
}

/** The frames of an event stream that ends. */
export const framesOf = (
  events: readonly { readonly id: number; readonly event: { readonly type: string } }[],
): string =>
  `${events.map((each) => `id: ${each.id}\nevent: ${each.event.type}\ndata: ${JSON.stringify(each)}\n\n`).join('')}event: end\ndata: {}\n\n`;
