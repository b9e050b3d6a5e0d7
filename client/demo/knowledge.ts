import { readEmbeddedPassages } from '../../offline/knowledge/passages.ts';
import type { Client } from '../client.ts';
import type { Sink } from '../command-line/output.ts';
import { countWithNoun, durationText } from '../command-line/text.ts';

/** A loaded index, and how long loading took. */
export interface LoadedKnowledge {
  readonly index: string;
  readonly passages: number;
  readonly ms: number;
}

/** Creates an index of the passages in the repository. Their vectors are included, so nothing is embedded. */
export async function createAndLoadDemoIndex(
  client: Pick<Client, 'knowledge'>,
  progress: Sink,
): Promise<LoadedKnowledge> {
  const began = Date.now();
  const { id } = await client.knowledge.create({ name: 'demo' });
  const lines: string[] = [];
  for await (const passage of readEmbeddedPassages()) lines.push(`${JSON.stringify(passage)}\n`);
  const { loaded, unchanged } = await client.knowledge.load(id, new Blob(lines));
  const known = { index: id, passages: loaded + unchanged, ms: Date.now() - began };
  progress.write(`knowledge ${id}: ${countWithNoun(known.passages, 'passage')} in ${durationText(known.ms)}\n`);
  return known;
}
