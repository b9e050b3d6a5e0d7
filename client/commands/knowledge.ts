import { z } from 'zod';
import { namespaceName, newKnowledge, vectorStoreChoice, type LoadRecord } from '#core/similarity/knowledge/record.ts';
import type { Command } from '../command-line/command.ts';
import {
  makeSchemaNumberParser,
  makeOneOfParser,
  optionalOption,
  parseNonEmptyText,
  makeSchemaTextParser,
} from '../command-line/options.ts';
import { fieldLines } from '../command-line/field-lines.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { makeLoadProgressCallback, passageLoadTotalsText } from '../progress/load-display.ts';
import { openFileAsBlobOrThrow } from '../files/readable-file.ts';

const index = { name: 'index', about: 'the id of a knowledge index, such as kn_...' };
const file = { name: 'file', about: 'JSON Lines: {"text", "id"?, "source"?, "licence"?, "vector"?}' };
const query = { name: 'query', about: 'a text; the passages nearest to it are found' };

const stores = vectorStoreChoice.options.map(({ shape }) => shape.kind.value);
const embeddings = newKnowledge.shape.embedding.unwrap().options;
const tokenVariable = 'UPSTASH_VECTOR_REST_TOKEN';
const name = optionalOption('name', 'NAME', 'what to call the index', parseNonEmptyText);
const store = optionalOption(
  'store',
  'STORE',
  `where the vectors are kept: ${stores.join(', ')}`,
  makeOneOfParser(stores),
);
const upstash = optionalOption(
  'upstash',
  'URL',
  `an index of your own at Upstash Vector; its token is read from ${tokenVariable}`,
  parseNonEmptyText,
);
const embedding = optionalOption(
  'embedding',
  'WHO',
  `who makes the vectors: ${embeddings.join(', ')} (embedder without it)`,
  makeOneOfParser(embeddings),
);
const namespace = optionalOption(
  'namespace',
  'NAME',
  'a part of the index (main without it)',
  makeSchemaTextParser(namespaceName),
);
const limit = optionalOption(
  'limit',
  'N',
  'how many at most (10 without it)',
  makeSchemaNumberParser(z.int().min(1).max(100)),
);

const create: Command = {
  verb: 'knowledge create',
  about: 'Make a knowledge index',
  operands: [],
  options: [name, store, upstash, embedding],
  async run(given, { client, output }) {
    const kind = given.parseOptionValue(store);
    const url = given.parseOptionValue(upstash);
    // On the command line, everybody on the machine could read it.
    const token = process.env[tokenVariable];
    if (url !== undefined && token === undefined) throw new UsageError(`--upstash needs the token in ${tokenVariable}`);
    if (url !== undefined && kind === 'embedded') throw new UsageError('--upstash does not go with --store embedded');
    const made = await client.knowledge.create({
      name: given.parseOptionValue(name),
      store: url !== undefined ? { kind: 'upstash', url, token } : kind === undefined ? undefined : { kind },
      embedding: given.parseOptionValue(embedding),
    });
    const vectors = made.model === null ? 'the store embeds' : `${made.model}, ${made.dimension ?? 0} dimensions`;
    output.writeAsJsonOrLines(made, () => [`${made.id}: ${made.store}, ${makePrintableLine(vectors)}`]);
  },
};

const load: Command = {
  verb: 'knowledge load',
  about: 'Load passages from a file; what is in already is not loaded again',
  more: 'A load that was broken off goes on where it was: give the same file again.',
  operands: [index, file],
  options: [namespace],
  async run(given, { client, output, signal }) {
    const blob = await openFileAsBlobOrThrow(given.firstOperandWordOrThrow(file));
    const show = makeLoadProgressCallback(blob.size, output.outSinkOrNotesInJsonMode);
    let totals: LoadRecord = { lines: 0, loaded: 0, unchanged: 0 };
    const onProgress = (now: LoadRecord, bytes: number): void => {
      totals = now;
      show(now, bytes);
    };
    try {
      const loaded = await client.knowledge.load(given.firstOperandWordOrThrow(index), blob, {
        namespace: given.parseOptionValue(namespace),
        onProgress,
        signal,
      });
      output.writeAsJsonOrLines(loaded, () => [passageLoadTotalsText(loaded)]);
    } catch (error) {
      // The error itself says how much of the failed part is loaded.
      if (totals.lines > 0) output.writeNote(`until then ${passageLoadTotalsText(totals)}`);
      throw error;
    }
  },
};

const search: Command = {
  verb: 'knowledge search',
  about: 'Find the passages nearest to a text',
  operands: [index, query],
  options: [namespace, limit],
  async run(given, { client, output }) {
    const options = { namespace: given.parseOptionValue(namespace), limit: given.parseOptionValue(limit) };
    const passages = await client.knowledge.search(
      given.firstOperandWordOrThrow(index),
      given.firstOperandWordOrThrow(query),
      options,
    );
    await output.writeRowsAsJsonOrTable(
      passages,
      [
        { title: 'score', cell: ({ score }) => score.toFixed(3) },
        { title: 'text', cell: ({ text }) => text, flexible: true },
        { title: 'source', cell: ({ source }) => source, flexible: true },
        { title: 'id', cell: ({ id }) => id },
      ],
      'nothing is in this part of the index; load it with: knowledge load <index> <file>',
    );
  },
};

const list: Command = {
  verb: 'knowledge list',
  about: 'List the knowledge indexes',
  operands: [],
  options: [],
  run: (_, { client, output }) =>
    output.writeRowsAsJsonOrTable(
      client.knowledge.list(),
      [
        { title: 'id', cell: ({ id }) => id },
        { title: 'name', cell: ({ name }) => name, flexible: true },
        { title: 'store', cell: ({ store }) => store },
        { title: 'model', cell: ({ model }) => model ?? "the store's own", flexible: true },
        { title: 'dimension', cell: ({ dimension }) => dimension ?? '' },
        { title: 'created', cell: ({ createdAt }) => createdAt },
      ],
      'there are no knowledge indexes; make one with: knowledge create',
    ),
};

const show: Command = {
  verb: 'knowledge show',
  about: 'Show a knowledge index: its model, its store, how many passages each part holds',
  operands: [index],
  options: [],
  async run(given, { client, output }) {
    const found = await client.knowledge.get(given.firstOperandWordOrThrow(index));
    output.writeAsJsonOrLines(found, () =>
      fieldLines([
        ['index', found.id],
        ['name', found.name === '' ? null : found.name],
        ['store', found.store],
        ['model', found.model ?? "the store's own"],
        ['created', found.createdAt],
        ...found.namespaces.map(({ name, passages }): [string, string] => [
          `in ${name}`,
          countWithNoun(passages, 'passage'),
        ]),
      ]),
    );
  },
};

const remove: Command = {
  verb: 'knowledge delete',
  about: 'Delete a knowledge index with its passages',
  operands: [index],
  options: [],
  async run(given, { client, output }) {
    const id = given.firstOperandWordOrThrow(index);
    await client.knowledge.remove(id);
    output.writeAsJsonOrLines({ deleted: id }, () => [`${id} is deleted`]);
  },
};

const clear: Command = {
  verb: 'knowledge clear',
  about: 'Take all passages out of a part of an index',
  operands: [index],
  options: [namespace],
  async run(given, { client, output }) {
    const id = given.firstOperandWordOrThrow(index);
    const cleared = given.parseOptionValue(namespace) ?? 'main';
    await client.knowledge.clear(id, cleared);
    output.writeAsJsonOrLines({ index: id, cleared }, () => [`${cleared} of ${id} is empty`]);
  },
};

/** Verbs on knowledge indexes. */
export const knowledgeCommands: readonly Command[] = [create, load, search, list, show, remove, clear];
