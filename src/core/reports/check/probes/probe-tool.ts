import { isSuccess, parseJsonOrNull, resultValue } from './answer.ts';
import { looksFailed } from './judge-answer.ts';
import { findValidCall, probeOptional, probeRepetition, sampleMore } from './plain-calls.ts';
import type { Probe, ProbedTool, ProbeOptions, ProbeRun, Sample } from './probe.ts';
import { probeArgument } from './probe-argument.ts';
import { probeLoad } from './probe-load.ts';
import {
  contradictsNamedNumber,
  fewAsked,
  findCutBelowLimit,
  findSilentCut,
  listPossibleLimits,
  mostAsked,
  saysOtherNumbers,
} from './result-content.ts';
import { startRun } from './start-run.ts';
import { explainsChange } from './tool-purpose.ts';

/**
 * Probes a tool: plain calls, the same call again, calls that should be refused, calls at once and in a row. A call whose answer never
 * came ends the kind of probe it belongs to.
 */
export function* probeTool(options: ProbeOptions): Probe<ProbedTool> {
  const { run, findings } = startRun(options);
  const { samples, times } = run;
  const plain = yield* findValidCall(run);
  if (plain.valid === null) {
    const [unsettled = 'no answer'] = plain.refusals;
    return { findings: findings(), samples, times, calls: run.calls(), unsettled };
  }
  const { valid, also } = plain;
  samples.push(valid);
  run.known.add(resultValue(valid.answer), run.about);
  yield* probeOptional(run, valid, also);
  yield* probeRepetition(run, valid);
  const isSteady = !run.has('unsteady-result') && !run.has('not-idempotent') && !explainsChange(run.tool);
  yield* sampleMore(run, also);
  for (const argument of run.arguments) {
    if (run.isOut() || run.has('hangs')) break;
    yield* probeArgument(run, argument, valid);
  }
  yield* probeExtraArgument(run, valid);
  yield* probeLimits(run, valid);
  yield* probeLoad(run, valid, isSteady);
  judgeSamples(run, valid);
  return { findings: findings(), samples, times, calls: run.calls(), unsettled: null };
}

/** Gives an argument that the schema excludes, as an agent does that misspells one. */
function* probeExtraArgument(run: ProbeRun, valid: Sample): Probe {
  if (run.isOut() || run.tool.inputSchema['additionalProperties'] !== false || run.has('hangs')) return;
  const given = { ...valid.arguments, zz_unknown: 1 };
  const answer = yield* run.ask(given);
  if (isSuccess(answer) && !looksFailed(answer, run.tool))
    run.say(
      'misspelled-argument-ignored',
      'an argument that its schema excludes is ignored',
      'refuse arguments that the schema does not have, and name those that it has',
      [given, answer],
    );
}

/** Asks for few items, which shows that an argument limits them, and then for as many as it takes. */
function* probeLimits(run: ProbeRun, valid: Sample): Probe {
  for (const { name, schema } of listPossibleLimits(run.tool)) {
    if (run.isOut() || run.has('hangs') || run.has('cut-in-silence')) return;
    const few = yield* run.ask({ ...valid.arguments, [name]: fewAsked });
    if (!isSuccess(few)) continue;
    const asked = Number(schema['maximum'] ?? mostAsked);
    const given = { ...valid.arguments, [name]: asked };
    const many = yield* run.ask(given);
    const items = isSuccess(many) ? findCutBelowLimit(run.tool, few, { many, asked }) : null;
    if (items === null) continue;
    run.say(
      'cut-in-silence',
      `\`${name}\` asks for ${asked} items, ${items} come, and neither the result nor the description says that there may be more`,
      'say how many there are and how to get the others, or state the limit in the schema and the description',
      [given, many],
    );
  }
}

/** Judges what valid results have in common. */
function judgeSamples({ tool, samples, prose, say }: ProbeRun, valid: Sample): void {
  const isOther = prose.map(({ arguments: given, answer }) => saysOtherNumbers(answer, given));
  const contrary = isOther.includes(false)
    ? prose.find(({ answer }) => contradictsNamedNumber(answer))
    : (prose[isOther.indexOf(true)] ?? undefined);
  if (contrary !== undefined) {
    const { arguments: given, answer } = contrary;
    say(
      'text-contradicts-structure',
      'the text of a result has other numbers than its structured content',
      'make the text from the structured content',
      [given, { ...answer, text: `${answer.text} / ${JSON.stringify(answer.structured)}` }],
    );
  }
  const cut = findSilentCut(tool, samples);
  if (cut !== null)
    say(
      'cut-in-silence',
      `results end after ${cut.items} items each, and neither they nor the description say that there may be more`,
      'say how many there are and how to get the others, or state the limit in the description',
      [cut.sample.arguments, cut.sample.answer],
    );
  if (parseJsonOrNull(valid.answer.text) !== null && tool.outputSchema === undefined)
    say(
      'output-schema-missing',
      'results are JSON in text, and it declares no output schema',
      'declare `outputSchema` and return `structuredContent`',
      [valid.arguments, valid.answer],
      'low',
    );
}
