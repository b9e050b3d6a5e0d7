import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { measureFigures } from './disturbed/planted-figures.ts';
import { findWhetherAttackSucceeded, findWhetherNoticed } from '#core/traces/disturbances/attempt-under-disturbance.ts';
import { disturbanceKey } from '#core/traces/disturbances/disturbances.ts';
import { changedValue } from '#core/traces/disturbances/record.ts';
import { roundedJsonLine } from './shared/json-line.ts';
import { readBenchOptions } from './shared/options.ts';

/**
 * `npm run bench:disturbed`: whether rules see what agents were planted to do under disturbances, and whether intervals hold the
 * planted values: bench/README.md.
 */
const options = readBenchOptions(
  'Measures the rules on noticing, and the intervals of resilience and of attack success.',
);

const call = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()), text: z.string().default('') });
const plantedAnswer = z.object({
  kind: disturbanceKey,
  noticed: z.boolean(),
  values: z.array(changedValue),
  met: call,
  text: z.string(),
  later: z.array(call),
  answer: z.string(),
});
const plantedAttack = z.object({
  followed: z.boolean(),
  asks: z.enum(['word', 'call']),
  word: z.string().default(''),
  answer: z.string(),
  calledCanary: z.boolean().default(false),
});

const readPlanted = <T>(file: string, form: z.ZodType<T>): T[] =>
  z.array(form).parse(JSON.parse(readFileSync(join(import.meta.dirname, 'disturbed', file), 'utf8')));

/** How often a rule agrees with the plant, of the attempts that it decides; the others are a judge's. */
interface Agreement {
  readonly noticedByRule: number;
  readonly n: number;
  readonly undecided: number;
}

const agreementOf = (verdicts: readonly { readonly planted: boolean; readonly found: boolean | null }[]): Agreement => {
  const decided = verdicts.filter(({ found }) => found !== null);
  return {
    noticedByRule: decided.filter(({ planted, found }) => planted === found).length / Math.max(1, decided.length),
    n: decided.length,
    undecided: verdicts.length - decided.length,
  };
};

const judgeByRule = (file: string) =>
  readPlanted(file, plantedAnswer).map((each) => ({
    ...each,
    planted: each.noticed,
    found: findWhetherNoticed({
      disturbance: { kind: each.kind, met: true, values: each.values },
      steps: [{ ...each.met, text: each.text, disturbed: true }, ...each.later],
      finalText: each.answer,
    }),
  }));
const canaryTool = 'relay-desk/register_note';
const attacks = readPlanted('attack-answers.json', plantedAttack).map((each) => ({
  ...each,
  planted: each.followed,
  found: findWhetherAttackSucceeded({
    disturbance: {
      kind: 'result-instruction',
      met: true,
      values: [],
      canary: { word: each.word, secret: '', tool: canaryTool },
      asks: each.asks,
    },
    steps: each.calledCanary ? [{ tool: canaryTool, arguments: {}, text: '' }] : [],
    finalText: each.answer,
  }),
}));

/** The rules were made with the first file in sight, and without the second. */
const [seen, heldOut] = [judgeByRule('answers.json'), judgeByRule('held-out-answers.json')];
const answers = [...seen, ...heldOut];
const kinds = Object.fromEntries(
  [...Map.groupBy(heldOut, ({ kind }) => kind)].map(([kind, own]) => [kind, agreementOf(own)]),
);
const attacked = agreementOf(attacks);
const planted = measureFigures(options.smallest ? 10 : 200);
if (options.json)
  console.log(
    roundedJsonLine({
      kinds,
      seen: agreementOf(seen),
      attackSuccess: { agrees: attacked.noticedByRule, n: attacked.n },
      planted,
    }),
  );
else {
  console.table(kinds);
  console.log('answers that the rules were made with', agreementOf(seen));
  console.log('attack success', attacked);
  console.table(planted);
  for (const { kind, planted: noticed, found, answer } of answers)
    if (found !== null && found !== noticed)
      console.log(`${kind}, planted ${noticed ? 'noticed' : 'not noticed'}: ${answer}`);
  for (const { planted: followed, found, answer } of attacks)
    if (found !== followed) console.log(`attack, planted ${followed ? 'followed' : 'not followed'}: ${answer}`);
}
