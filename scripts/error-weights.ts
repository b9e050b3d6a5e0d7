/**
 * Writes src/core/traces/error-weights.json: how much each trait of a result says that the call failed, learned from
 * tests/fixtures/labelled-results.jsonl by logistic regression:
 *
 *     node scripts/error-weights.ts            # writes the weights
 *     node scripts/error-weights.ts --measure  # leaves out one server at a time, and says what the weights make of it
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { listErrorTraits, longChars } from '#core/traces/error-traits.ts';
import { findErrorByRule } from '#core/traces/error-by-rule.ts';

const source = fileURLToPath(import.meta.resolve('../tests/fixtures/labelled-results.jsonl'));
const target = fileURLToPath(import.meta.resolve('../src/core/traces/error-weights.json'));

const labelledResult = z.object({
  server: z.string(),
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  text: z.string(),
  /** Whether the server marked it as an error. */
  marked: z.boolean(),
  /** Whether it is one, by a reader's label. */
  error: z.boolean(),
  /** Of a long text only the beginning is kept. */
  cut: z.literal(true).optional(),
});

/** A trait that fewer servers show is a habit of theirs. */
const minServers = 3;
const sparsity = 0.0003;
const shrinkage = 0.0006;
const steps = 250;
/** Unmarked results are those that are weighed. */
const unmarkedWeight = 2;

interface Row {
  readonly server: string;
  readonly tool: string;
  readonly text: string;
  readonly traits: readonly string[];
  readonly error: boolean;
  readonly marked: boolean;
  readonly rule: string | null;
}

const rows: Row[] = readFileSync(source, 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const { arguments: args, cut, ...row } = labelledResult.parse(JSON.parse(line));
    const text = cut === true ? `${row.text}${'.'.repeat(longChars)}` : row.text;
    return {
      ...row,
      traits: listErrorTraits({ ...row, text, arguments: args }),
      rule: findErrorByRule(text, row.tool),
    };
  });

if (process.argv.includes('--measure')) measure();
else {
  const weights = learn(rows);
  const kept = [...weights].filter(([, weight]) => Math.abs(weight) >= 0.005).toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(
    target,
    `${JSON.stringify(Object.fromEntries(kept.map(([k, w]) => [k, Math.round(w * 1000) / 1000])), null, 2)}\n`,
  );
  console.log(
    `${kept.length} weights from ${rows.length} results of ${new Set(rows.map(({ server }) => server)).size} servers`,
  );
}

/** Minimizes the weighted logistic loss with both penalties by accelerated proximal gradient steps. The same rows give the same weights. */
function learn(learned: readonly Row[]): Map<string, number> {
  const servers = new Map<string, Set<string>>();
  const sizes = new Map<string, number>();
  for (const { server, traits } of learned) {
    sizes.set(server, (sizes.get(server) ?? 0) + 1);
    for (const trait of traits) servers.set(trait, (servers.get(trait) ?? new Set()).add(server));
  }
  const names = [...servers].filter(([, shown]) => shown.size >= minServers).map(([trait]) => trait);
  const index = new Map(names.map((name, place) => [name, place]));
  const data = learned.map(({ server, traits, error, marked }) => ({
    at: traits.flatMap((trait) => index.get(trait) ?? []),
    sign: error ? 1 : -1,
    weight: (marked ? 1 : unmarkedWeight) / Math.sqrt(sizes.get(server) ?? 1),
  }));
  const total = data.reduce((sum, { weight }) => sum + weight, 0);
  const weights = new Float64Array(names.length);
  const ahead = new Float64Array(names.length);
  let momentum = 1;
  const rate = 4 / Math.max(...data.map(({ at }) => at.length));
  const bias = index.get('bias');
  for (let step = 0; step < steps; step++) {
    const gradient = new Float64Array(names.length);
    for (const { at, sign, weight } of data) {
      let margin = 0;
      for (const place of at) margin += ahead[place] ?? 0;
      const pull = (-sign * weight) / total / (1 + Math.exp(sign * margin));
      for (const place of at) gradient[place] = (gradient[place] ?? 0) + pull;
    }
    const next = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
    for (let place = 0; place < names.length; place++) {
      const from = ahead[place] ?? 0;
      const moved = from - rate * ((gradient[place] ?? 0) + shrinkage * from);
      const shrunk = place === bias ? moved : Math.sign(moved) * Math.max(0, Math.abs(moved) - rate * sparsity);
      ahead[place] = shrunk + ((momentum - 1) / next) * (shrunk - (weights[place] ?? 0));
      weights[place] = shrunk;
    }
    momentum = next;
  }
  return new Map(names.map((name, place) => [name, weights[place] ?? 0]));
}

function measure(): void {
  const servers = [...new Set(rows.map(({ server }) => server))];
  const scored = servers.flatMap((left) => {
    const weights = learn(rows.filter(({ server }) => server !== left));
    return rows
      .filter(({ server, marked }) => server === left && !marked)
      .map((row) => ({ ...row, score: row.traits.reduce((sum, trait) => sum + (weights.get(trait) ?? 0), 0) }));
  });
  const errors = scored.filter(({ error }) => error);
  const honest = scored.filter(({ error }) => !error);
  const count = (list: readonly { rule: string | null; score: number }[], at: number, withRules: boolean): number =>
    list.filter(({ rule, score }) => (withRules && rule !== null) || score >= at).length;
  for (const [name, of] of [
    ['written', true],
    ['real', false],
  ] as const)
    console.log(
      name,
      errors.filter(({ server }) => server.startsWith('written') === of).length,
      'errors: rules',
      errors.filter(({ server, rule }) => server.startsWith('written') === of && rule !== null).length,
      [0, 0.5, 1, 1.5, 2].map(
        (at) =>
          errors.filter(
            ({ server, rule, score }) => server.startsWith('written') === of && (rule !== null || score >= at),
          ).length,
      ),
      'honest',
      honest.filter(({ server }) => server.startsWith('written') === of).length,
      'wrong: rules',
      honest.filter(({ server, rule }) => server.startsWith('written') === of && rule !== null).length,
      [0, 0.5, 1, 1.5, 2].map(
        (at) =>
          honest.filter(
            ({ server, rule, score }) => server.startsWith('written') === of && (rule !== null || score >= at),
          ).length,
      ),
    );
  console.log(`${errors.length} errors and ${honest.length} others, unmarked, of ${servers.length} servers`);
  console.log(`rules alone: ${count(errors, Infinity, true)} found, ${count(honest, Infinity, true)} wrong`);
  for (const at of [-1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3])
    console.log(
      `from ${at}: weights find ${count(errors, at, false)}, wrong ${count(honest, at, false)}; with rules ${count(errors, at, true)}, wrong ${count(honest, at, true)}`,
    );
  if (process.argv.includes('--list'))
    for (const { server, tool, text, error, rule, score } of scored.toSorted((a, b) => b.score - a.score))
      if (error ? score < 1.5 && rule === null : score > 0)
        console.log(
          `${error ? 'MISS' : 'FALSE'} ${score.toFixed(2)} ${server} ${tool} ${rule ?? ''} | ${text.slice(0, 160).replaceAll('\n', '\\n')}`,
        );
}
