import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { getPromptOrThrow, render } from '#adapters/prompts/index.ts';
import { taskFormats } from '#core/benchmarks/formats/task-formats.ts';
import { modelLoop } from '#core/benchmarks/protocols/loops.ts';
import { protocols, scorerKeysOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import {
  askJudgesForGradings,
  computeScoresWithoutJudge,
  scoresChangedByJudging,
} from '#core/evaluation/attempt-scores.ts';
import type { Judges } from '#core/scoring/scorer.ts';
import { getScorerOrThrow } from '#core/evaluation/scorers.ts';
import { program } from '../../client/program.ts';
import { replyToChatOrThrow } from '../../offline/models/answering.ts';
import { chatRequest } from '../../offline/models/protocol.ts';
import { makeStep } from '../support/traces.ts';
import { traceWith } from '../unit/evaluation/cases.ts';
import { testCards } from './models-cards.ts';

/** What each protocol needs besides its row in the table. A new protocol is tested here without a line of its own. */

/** Asks the offline judge, by the prompts that are shipped; an answer in another form than the question's is refused. */
const offlineJudges: Judges = {
  async ask({ form, prompt, schema }, variables, repetition = 0) {
    const { messages } = render(getPromptOrThrow(prompt), variables);
    const response_format = { type: 'json_schema', json_schema: { name: form, strict: true, schema: {} } };
    const request = { model: 'offline-judge', seed: repetition, messages, response_format };
    const reply = replyToChatOrThrow(chatRequest.parse(request), testCards);
    return { ok: true, value: schema.parse('text' in reply ? JSON.parse(reply.text) : null) };
  },
  soleJudge: null,
  askPanel: async (question, variables) => [
    { judge: 'offline-judge', answer: await offlineJudges.ask(question, variables) },
  ],
  embed: async (texts) => ({ ok: true, value: texts.map(() => [1, 0]) }),
  getSubIntents: async () => ({ ok: true, value: ['compute the SHA-256 checksum of "blue heron"'] }),
};

const request = 'Please compute the SHA-256 checksum of "blue heron".';
const response = 'I was to compute the SHA-256 checksum of "blue heron", and got: digest: 5d4c01ab';
const step = makeStep('calc/hash_text', {
  arguments: { text: 'blue heron', algorithm: 'sha256' },
  text: 'digest: 5d4c01ab',
  form: 'fits',
});
const evidence = {
  chain: ['calc/hash_text'],
  origins: [],
  truth: { truth: '5d4c01ab' },
  trace: { ...traceWith(['calc/hash_text']), steps: [step], finalText: response },
};

const docs = readFileSync(`${import.meta.dirname}/../../docs/protocols.md`, 'utf8');

/** What the unit and the attempt of this test lack. */
const reasonsOfUnit = [
  ['dependencies', 'no-dependencies'],
  ['handlekept', 'no-handles'],
  ['refusal', 'tool-fits'],
  ...['disturbed', 'noticed', 'passedon', 'attacksuccess', 'leaked', 'withstood'].map((key) => [key, 'not-disturbed']),
];

describe.each(protocols)('the protocol $key', (protocol) => {
  const { key, title, headline, verdict, defaultLoop } = protocol;
  const format = taskFormats[key];

  test('orders and passes by scorers that it asks for', () => {
    expect(scorerKeysOfProtocol(key)).toContain(headline);
    expect(getScorerOrThrow(headline).direction).toBe('higher');
    if (verdict !== null) expect(scorerKeysOfProtocol(key)).toContain(verdict);
    expect(modelLoop.options).toContain(defaultLoop);
  });

  test('has its judges answered by the offline ones, so that an attempt has every score or a reason that the unit gives', async () => {
    const asked = scorerKeysOfProtocol(key);
    const gradings = await askJudgesForGradings(
      { request, response, truth: evidence.truth, steps: [step], sawWholeResults: true },
      offlineJudges,
      asked,
    );
    const scores = { ...computeScoresWithoutJudge(evidence), ...scoresChangedByJudging(evidence, gradings) };
    for (const scorer of protocol.scorers) {
      const score = scorer.unit === 'attempt' ? scores[scorer.key] : undefined;
      if (score?.value === null) expect(reasonsOfUnit).toContainEqual([scorer.key, score.reason]);
      else if (scorer.unit === 'attempt') expect(score?.value).toBeGreaterThanOrEqual(0);
    }
  });

  test('is explained in docs/protocols.md, and has verbs for its published tasks', () => {
    expect(docs).toContain(`| \`${key}\` | ${title} |`);
    if (format === null) return;
    expect(docs).toContain(`\n## Tasks of ${title}\n`);
    const verbs = program.commands.map(({ verb }) => verb);
    expect(verbs).toContain(`import ${key}`);
    expect(verbs.includes(`export ${key}`)).toBe(format.write !== null);
  });
});
