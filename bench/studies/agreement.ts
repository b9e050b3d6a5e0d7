import { basename } from 'node:path';
import { VerdictCounts } from '#core/evaluation/judge-agreement.ts';
import { majorityVerdict, type Verdict } from '#core/scoring/votes.ts';
import {
  publishedLabels,
  publishedVerdicts,
  parseVerdictStrictly,
  parseVerdictAsPublished,
} from '#core/benchmarks/formats/live-mcp-bench/verdict.ts';
import { makeRandom } from '#core/values/random.ts';
import { exitCodeFor } from '../../client/command-line/error-output.ts';
import { flagOption, parseNonEmptyText, repeatableOption, requiredOption } from '../../client/command-line/options.ts';
import { errorTextKeepingLines } from '../shared/complaint.ts';
import { parseBenchOptionsOrHelp } from '../shared/bench-line.ts';
import { roundedJsonLine } from '../shared/json-line.ts';
import { readPublishedJsonFile } from '../../client/files/read-published-file.ts';
import { agreementTableLines, type JudgeRow } from '../published/agreement-text.ts';

/** `npm run study -- agreement`: how far published judges agree with published labels of people: bench/README.md. */
const options = {
  labels: requiredOption('labels', 'FILE', "people's verdicts, in LiveMCPBench's format", parseNonEmptyText),
  verdicts: repeatableOption(
    'verdicts',
    'FILE',
    "a judge's verdicts on the same attempts, as NAME=FILE",
    parseNonEmptyText,
  ),
  json: flagOption('json', 'print one line of JSON'),
  help: flagOption('help', 'this text'),
};

try {
  const asked = parseBenchOptionsOrHelp(process.argv.slice(2), {
    verb: 'agreement',
    about: 'Compares the verdicts of judges with those of people on the same attempts.',
    more: 'Options stand behind two hyphens: npm run study -- agreement --labels human.json --verdicts gpt=gpt.json',
    options: Object.values(options),
  });
  if ('help' in asked) console.log(asked.help);
  else
    await printJudgeAgreementWithLabels(
      asked.parseOptionValue(options.labels),
      asked.parseOptionValue(options.verdicts),
      asked.parseOptionValue(options.json),
    );
} catch (error) {
  console.error(errorTextKeepingLines(error));
  process.exitCode = exitCodeFor(error);
}

async function printJudgeAgreementWithLabels(
  labelsFile: string,
  verdictFiles: readonly string[],
  json: boolean,
): Promise<void> {
  const labels = new Map<string, boolean>();
  let unparsedLabels = 0;
  for (const { task_id: task, task_success: text } of await readPublishedJsonFile(labelsFile, publishedLabels)) {
    const label = parseVerdictStrictly(text);
    if (label === 'unparsed') unparsedLabels += 1;
    else labels.set(task, label === 'success');
  }
  const judges = await Promise.all(verdictFiles.map(readJudgeVerdictsFromNamedFile));
  const rowOf = (judge: string, verdicts: ReadonlyMap<string, Verdict>, flips: number | null): JudgeRow => {
    const counts = new VerdictCounts();
    for (const [task, label] of labels) {
      const verdict = verdicts.get(task);
      if (verdict !== undefined) counts.countLabelAndVerdict(label, verdict);
    }
    return { judge, flips, ...counts.computeAgreement(makeRandom(1, 'agreement', judge)) };
  };
  const votes = new Map(
    [...labels.keys()].map((task) => [task, majorityVerdict(judges.flatMap(({ strict }) => strict.get(task) ?? []))]),
  );
  const rows = [
    ...judges.map(({ name, strict, published }) => {
      const flips = [...strict].filter(([task, verdict]) => verdict !== published.get(task)).length;
      return rowOf(name, strict, flips);
    }),
    ...(judges.length > 1 ? [rowOf('majority', votes, null)] : []),
    ...judges.map(({ name, published }) => rowOf(`${name}, as published`, published, null)),
  ];
  const successes = [...labels.values()].filter(Boolean).length;
  if (json) return console.log(roundedJsonLine({ labels: labels.size, successes, unparsedLabels, judges: rows }));
  for (const line of agreementTableLines({ labels: labels.size, successes, unparsedLabels }, rows)) console.log(line);
}

interface PublishedJudge {
  readonly name: string;
  readonly strict: ReadonlyMap<string, Verdict>;
  readonly published: ReadonlyMap<string, boolean>;
}

async function readJudgeVerdictsFromNamedFile(given: string): Promise<PublishedJudge> {
  const [, name = basename(given, '.json'), path = given] = /^([^=/]+)=(.+)$/.exec(given) ?? [];
  const read = await readPublishedJsonFile(path, publishedVerdicts);
  return {
    name,
    strict: new Map(
      read.map(({ task_id: task, judge }) => [task, verdictOrNullIfUnparsed(parseVerdictStrictly(judge))]),
    ),
    published: new Map(read.map(({ task_id: task, judge }) => [task, parseVerdictAsPublished(judge) === 'success'])),
  };
}

function verdictOrNullIfUnparsed(read: ReturnType<typeof parseVerdictStrictly>): Verdict {
  return read === 'unparsed' ? null : read === 'success';
}
