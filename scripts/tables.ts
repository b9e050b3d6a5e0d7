import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TokenCounts } from '#core/exploration/estimates/cost-estimate.ts';
import { mountingName } from '#core/units/mounting/mounting.ts';
import { protocols, scorerKeysOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { scorers } from '#core/evaluation/scorers.ts';
import { checkRules, families, ruleIds } from '#core/reports/check/rules.ts';

/**
 * `npm run tables` writes the tables of protocols, of scores, of what judging takes and of the rules of a check into docs/, between the comments that name them; with `--check` it only
 * reports whether they are up to date.
 */

const code = (name: string): string => `\`${name}\``;

const makeTable = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
  [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const protocolTable = makeTable(
  [
    'protocol',
    'of',
    'unit',
    'requests of a case',
    'headline',
    'verdict',
    'mountings, the first by default',
    'loop',
    'source',
  ],
  protocols.map(({ key, title, unitKind, requests, headline, verdict, mountings, defaultLoop, source }) => [
    code(key),
    title,
    unitKind,
    requests[unitKind].map(code).join(', '),
    code(headline),
    verdict === null ? 'none' : code(verdict),
    mountings.map((mounting) => code(mountingName(mounting))).join(', '),
    code(defaultLoop),
    source,
  ]),
);

const scoreTable = makeTable(
  ['score', 'of', 'asked by', 'question', 'formula', 'not to be taken for', 'source'],
  scorers.map(({ key, title, name, unit, question, formula, caveat, source }) => [
    name === title ? code(key) : `${code(key)}, ${name}`,
    unit,
    protocols
      .filter((protocol) => scorerKeysOfProtocol(protocol.key).includes(key))
      .map((protocol) => code(protocol.key))
      .join(', '),
    question,
    formula,
    caveat,
    source,
  ]),
);

const tokensText = ({ promptTokens, completionTokens }: TokenCounts): string =>
  promptTokens + completionTokens === 0
    ? 'none'
    : `${promptTokens.toLocaleString('en-GB')} and ${completionTokens.toLocaleString('en-GB')}`;

const judgingTable = makeTable(
  ['protocol', 'judge', 'member of a panel', 'embedder'],
  protocols.map(({ key, judging: { judge, panelMember, embedder } }) => [
    code(key),
    ...[judge, panelMember, embedder].map(tokensText),
  ]),
);

const ruleTable = makeTable(
  ['rule', 'family', 'severity', 'found when', 'for example'],
  families.flatMap((family) =>
    ruleIds
      .filter((id) => checkRules[id].family === family)
      .map((id) => [
        `<a id="${id}"></a>${code(id)}`,
        family,
        checkRules[id].severity,
        checkRules[id].when,
        checkRules[id].example,
      ]),
  ),
);

const tables = [
  { file: 'docs/check.md', name: 'rules', table: ruleTable },
  { file: 'docs/measurements.md', name: 'judging', table: judgingTable },
  { file: 'docs/protocols.md', name: 'protocols', table: protocolTable },
  { file: 'docs/results.md', name: 'scores', table: scoreTable },
];

const isCheck = process.argv.includes('--check');
for (const { file, name, table } of tables) {
  const path = join(import.meta.dirname, '..', file);
  const before = readFileSync(path, 'utf8');
  const [begin, end] = [`<!-- ${name}: written by npm run tables -->`, `<!-- end of ${name} -->`];
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no place for the table of ${name}`);
  const after = `${before.slice(0, from)}${begin}\n\n${table}\n\n${before.slice(to)}`;
  if (after === before) continue;
  if (!isCheck) writeFileSync(path, after);
  else {
    console.error(`the table of ${name} in ${file} is not what src/core says. Run: npm run tables`);
    process.exitCode = 1;
  }
}
