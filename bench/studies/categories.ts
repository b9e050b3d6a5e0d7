import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { deriveCategory } from '#core/catalog/category.ts';
import { toolCategory } from '#core/catalog/tool-categories.ts';
import { toolNameWithoutServer } from '#core/catalog/tool.ts';
import { nominalKappa } from '#core/statistics/kappa.ts';
import { createClient } from '../../client/client.ts';
import type { Development } from '../../engine/development.ts';
import { readBenchOptions, makeLogOutsideJson } from '../shared/options.ts';
import { roundToHundredths } from '../shared/rounded.ts';
import { measureOnTemporaryWorker } from '../shared/with-worker.ts';

/**
 * `npm run study -- categories`: registers the bundled servers and compares the categories that their tools get with those
 * that a language model gave them by hand, and with those by rule. With a model in `.dev.vars` it is the model's
 * categories that are measured.
 */
const options = readBenchOptions(
  "Measures how far the categories of the bundled servers' tools agree with a person's and with the rules'.",
);
const say = makeLogOutsideJson(options);

const labelled = z.object({ name: z.string(), category: toolCategory });
const person = new Map(
  readFileSync('tests/fixtures/tool-categories.jsonl', 'utf8')
    .trim()
    .split('\n')
    .map((line) => labelled.parse(JSON.parse(line)))
    .map(({ name, category }): [string, string] => [name, category]),
);

/** The agreement of two raters: the share of tools with the same category, and Cohen's kappa. */
const computeAgreementAndKappa = (pairs: readonly (readonly [string, string])[]) => ({
  share: roundToHundredths(pairs.filter(([a, b]) => a === b).length / pairs.length),
  kappa: roundToHundredths(nominalKappa(pairs) ?? 0),
});

async function compareAndPrintCategories(worker: Development): Promise<void> {
  const client = createClient(worker);
  const rated: { readonly given: string; readonly rule: string; readonly label: string }[] = [];
  const by = { owner: 0, model: 0, rules: 0 };
  for (const server of worker.servers) {
    const { name } = server;
    const { id, categorizedBy } = await client.servers.add({ ...server, survey: false });
    for (const source of ['owner', 'model', 'rules'] as const) by[source] += categorizedBy[source];
    const { tools } = await client.servers.get(id);
    for (const tool of tools) {
      const label = person.get(tool.name);
      if (label === undefined) throw new Error(`nobody gave ${tool.name} a category`);
      const rule = deriveCategory({ ...tool, name: toolNameWithoutServer(tool.name) });
      rated.push({ given: tool.category, rule, label });
    }
    say(`${name}: ${tools.length} tools`);
  }
  const figures = {
    tools: rated.length,
    categorizedBy: by,
    other: rated.filter(({ given }) => given === 'other').length,
    withPerson: computeAgreementAndKappa(rated.map(({ given, label }) => [given, label])),
    withRules: computeAgreementAndKappa(rated.map(({ given, rule }) => [given, rule])),
    rulesWithPerson: computeAgreementAndKappa(rated.map(({ rule, label }) => [rule, label])),
  };
  console.log(options.json ? JSON.stringify(figures) : JSON.stringify(figures, null, 2));
}

await measureOnTemporaryWorker(options, compareAndPrintCategories);
