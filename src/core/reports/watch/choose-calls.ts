import { canonicalJson } from '#core/values/canonical.ts';
import { effectOfTool } from '#core/catalog/effect.ts';
import { toolNameWithoutServer, type Tool } from '#core/catalog/tool.ts';
import { KnownValues, wordsOf } from '../check/probes/known-values.ts';
import { argumentsOf, sampleArguments } from '../check/probes/sample-arguments.ts';
import { mostWatchedCalls, type WatchedCall } from './record.ts';

/**
 * Returns calls of tools that only read, for a watch whose owner names none: two with arguments that the schema, its examples or a table of plain values
 * gives, and one without arguments where some are required, which should be refused. A call that is refused is watched like one that succeeds.
 */
export function chooseWatchedCalls(tools: readonly Tool[]): WatchedCall[] {
  const reading = tools.filter((tool) => effectOfTool(tool) === 'reads' && tool.taskSupport !== 'required');
  const calls = reading.map((tool): WatchedCall[] => {
    const name = toolNameWithoutServer(tool.name);
    const listed = { ...tool, name };
    const sampling = { tool: listed, about: wordsOf(name), known: new KnownValues(), mayChange: false };
    const needs = argumentsOf(listed).some(({ required }) => required);
    const given = [sampleArguments(sampling, 0), ...(needs ? [sampleArguments(sampling, 1), {}] : [])];
    return [...new Map(given.map((args) => [canonicalJson(args), { tool: name, arguments: { ...args } }])).values()];
  });
  // One call of each tool before the second of any.
  return [0, 1, 2].flatMap((turn) => calls.flatMap((own) => own[turn] ?? [])).slice(0, mostWatchedCalls);
}
