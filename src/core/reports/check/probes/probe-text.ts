import { answerText, isRefusal, isSuccess, resultValue, type Answer, type Result } from './answer.ts';
import { failureOfObject, saysFailure } from './answer-texts.ts';
import { judgeRefusal, looksFailed, markTheFailure } from './judge-answer.ts';
import { wordsOf } from './known-values.ts';
import type { Probe, ProbeRun, Sample } from './probe.ts';
import { countItems } from './result-content.ts';
import { isPath, sampleValues, textOf, type Argument } from './sample-arguments.ts';
import { isIdentifier, searches } from './tool-purpose.ts';
import { unlike } from './wrong-values.ts';

/** Gives a text argument values that mean nothing, are empty, very long or foreign, and paths that lead out. */
export function* probeText(
  run: ProbeRun,
  argument: Argument,
  good: Sample,
  probeUnknown: (run: ProbeRun, argument: Argument, good: Sample, value: string) => Probe,
): Probe {
  const { name, schema } = argument;
  const identifies = isIdentifier(run.tool, argument, run.about);
  const before = good.arguments[name] ?? sampleValues(name, schema, run.sampling)[0];
  const isOver = (): boolean => run.isOut() || run.has('hangs');
  const unfitting = unlike(typeof before === 'string' ? before : 'x', schema);
  if (unfitting !== null && !isOver()) {
    if (identifies) yield* probeUnknown(run, argument, good, unfitting);
    else yield* probeUnfitting(run, argument, good, unfitting);
  }
  // An empty path is often the folder of the server.
  if (isOver() || (run.mayChange && isPath(name))) return;
  const empty = { ...good.arguments, [name]: '' };
  judgeEmpty(run, argument, good, yield* run.ask(empty), identifies);
  if (isOver()) return;
  yield* run.ask({ ...good.arguments, [name]: 'lorem ipsum '.repeat(1_000) });
  if (isOver()) return;
  if (typeof before === 'string' && before.length > 1 && answerText(good.answer).includes(before) && !identifies)
    yield* probeLetters(run, name, good);
  if (!isOver()) yield* probePaths(run, argument, good);
}

/** What a text that means nothing is answered with: only a failure that is said to be a success is a mistake. */
function* probeUnfitting(run: ProbeRun, { name }: Argument, good: Sample, value: string): Probe {
  const given = { ...good.arguments, [name]: value };
  const answer = yield* run.ask(given);
  const what = `a \`${name}\` that means nothing`;
  if (isSuccess(answer)) {
    if (!looksFailed(answer, run.tool)) return;
    run.say(
      'error-as-success',
      `${what} is answered with a failure that is not marked as one`,
      'set `isError: true`, and say which values are right',
      [given, answer],
    );
  } else if (isRefusal(answer)) judgeRefusal(run, { what, name }, given, answer);
}

function judgeEmpty(
  run: ProbeRun,
  { name, schema, required }: Argument,
  good: Sample,
  answer: Answer,
  identifies: boolean,
): void {
  const given = { ...good.arguments, [name]: '' };
  const what = `an empty \`${name}\``;
  if (!isSuccess(answer)) {
    if (isRefusal(answer)) judgeRefusal(run, { what, name }, given, answer);
    return;
  }
  if (!identifies && !searches(run.tool, name)) return;
  if (failureOfObject(resultValue(answer)) !== null || saysFailure(answer.text))
    run.say('error-as-success', `${what} is answered with a failure that is not marked as one`, markTheFailure, [
      given,
      answer,
    ]);
  else if (
    required &&
    isMuchMore(answer, good.answer) &&
    !hasOtherText(run, name) &&
    !/empty|all\b|leave|omit/i.test(textOf(schema['description']))
  )
    run.say(
      'empty-is-everything',
      `${what} is answered with more than a valid one`,
      `refuse an empty \`${name}\`, or offer a tool that lists all`,
      [given, answer],
    );
}

/** Whether a result is much longer than another one, or lists three items and more and at least twice as many. */
const isMuchMore = (more: Result, less: Result): boolean => {
  const [many, few] = [countItems(more), countItems(less)];
  return (
    answerText(more).length > 1.5 * answerText(less).length + 80 ||
    (many !== null && few !== null && many > 2 && many >= 2 * few)
  );
};

/** Whether a call passes the text that is searched, so that the result says nothing about what the server has. */
const hasOtherText = (run: ProbeRun, name: string): boolean =>
  run.arguments.some(
    (each) =>
      each.name !== name && each.required && /^(?:text|content|input|string|body|source|html|code)$/i.test(each.name),
  );

/** Names and descriptions of tools that may give letters back as others. */
const changesLetters = /slug|ascii|transliterat|encod|escape|normali[sz]|strip/i;

function* probeLetters(run: ProbeRun, name: string, good: Sample): Probe {
  const given = { ...good.arguments, [name]: 'Zürich 東京 🚀' };
  const answer = yield* run.ask(given);
  if (!isSuccess(answer) || changesLetters.test(`${run.tool.name} ${run.tool.description ?? ''}`)) return;
  const came = answerText(answer);
  const isEscaped = came.includes('%C3') || came.includes('\\u') || came.includes('&#');
  if (!came.includes('Zürich') && /Z[^a-z"'\s]{1,6}rich/iu.test(came) && !isEscaped)
    run.say('breaks-unicode', 'letters beyond ASCII come back as others', 'read and write all texts as UTF-8', [
      given,
      answer,
    ]);
}

const placeWords = new Set(
  'path file filename folder dir directory document page note template datei pfad dateiname ordner fichero archivo ruta carpeta fichier chemin dossier arquivo caminho ficheiro pasta percorso cartella bestand map plik sciezka fil soubor'.split(
    ' ',
  ),
);
/** What ends like a file is one, whatever its argument is called. */
const fileName = /^[\w. /-]{1,80}\.(?:txt|md|json|csv|log|ya?ml|xml|html?|pdf|ini|conf|cfg|toml)$/i;
const foreignPaths = ['/etc/os-release', '../../../../../../../../etc/os-release'];

/** Asks for a file of the machine that has nothing to hide. Who may write must not be led there. */
function* probePaths(run: ProbeRun, { name, schema }: Argument, good: Sample): Probe {
  const isFile = fileName.test(textOf(good.arguments[name]));
  if (run.mayChange || !(isFile || wordsOf(name).some((word) => placeWords.has(word)))) return;
  const said = `${run.tool.description ?? ''} ${textOf(schema['description'])}`;
  if (/any (?:file|path)|absolute path|file ?system/i.test(said)) return;
  for (const path of foreignPaths) {
    const given = { ...good.arguments, [name]: path };
    const answer = yield* run.ask(given);
    if (!isSuccess(answer) || !/\b(?:PRETTY_NAME|VERSION_ID|ID_LIKE)=/.test(answerText(answer))) continue;
    run.say(
      'reads-foreign-files',
      'a path that leads out of what it serves is answered with the content of that file',
      'resolve the path and refuse it unless it lies in the served folder',
      [given, answer],
    );
    return;
  }
}
