import { isJsonObject } from '#core/values/json-schema/json-object.ts';
import type { LeftOutText } from '#core/reports/wording-proposal/read-answer.ts';
import type { WordingProposal } from '#core/reports/wording-proposal/record.ts';
import { tableLines, type Column } from '../command-line/table-lines.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';

const whyLeftOut: Readonly<Record<LeftOutText['reason'], string>> = {
  'unknown-tool': 'it was not asked about this tool',
  'repeated-tool': 'it wrote about this tool twice; the first text counts',
  'unknown-argument': 'the tool has no such argument',
  'too-long': 'the text is too long',
  'hidden-characters': 'the text has characters that nobody sees',
  'schema-too-large': 'the schema is too large to be copied',
};

/** Formats what a model proposes for a terminal. */
export function proposalLines({ overlay, asked, leftOut, seen, usage }: WordingProposal, width: number): string[] {
  const { writtenFrom } = overlay;
  const writer = writtenFrom?.offline === true ? 'rules, which stand in for a model,' : (writtenFrom?.model ?? '');
  const tokens = countWithNoun(usage.promptTokens + usage.completionTokens, 'token');
  return [
    `Written by ${makePrintableLine(writer)} from ${countWithNoun(seen.attempts, 'attempt')} at ${seen.units} of ${countWithNoun(seen.of, 'unit')}.`,
    '',
    ...tableLines(makeColumns(overlay.tools), asked, width),
    ...leftOut.map(({ tool, part, reason }) =>
      makePrintableLine(`left out: ${tool}${part === null ? '' : ` (${part})`}: ${whyLeftOut[reason]}`),
    ),
    '',
    `It took ${tokens} ($${usage.costUsd.toFixed(4)}).`,
  ];
}

type Changes = WordingProposal['overlay']['tools'];

const makeColumns = (changes: Changes): Column<WordingProposal['asked'][number]>[] => [
  { title: 'tool', cell: ({ tool }) => makePrintableLine(tool) },
  { title: 'not called', cell: ({ missed, expected }) => `${missed} of ${expected}` },
  { title: 'for another', cell: ({ taken }) => taken },
  { title: 'failed', cell: ({ failed, calls }) => `${failed} of ${calls}` },
  { title: 'new', cell: ({ tool }) => changedPartsText(changes[tool]) },
];

function changedPartsText(change: Changes[string] | undefined): string {
  if (change === undefined) return 'nothing';
  const { title, description, inputSchema } = change;
  const properties = inputSchema?.['properties'];
  return [
    ...(title === undefined ? [] : ['title']),
    ...(description === undefined ? [] : ['description']),
    ...(isJsonObject(properties) ? ['arguments'] : []),
  ].join(', ');
}
