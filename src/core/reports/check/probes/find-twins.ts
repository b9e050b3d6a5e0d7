import { findingBy, type CheckFinding } from '../finding.ts';
import type { ListedTool } from '../listed-tool.ts';
import { answerText, isEmptyValue, isSuccess, resultValue, steadyText, type Answer, type Arguments } from './answer.ts';
import { saysUnknown } from './answer-texts.ts';
import { argumentsOf, typeOf, type Argument } from './sample-arguments.ts';
import type { Sample } from './probe.ts';

/** A tool with calls of it that succeeded. */
export interface SampledTool {
  readonly tool: ListedTool;
  readonly samples: readonly Sample[];
}

/** A call that a comparison needs. */
export interface TwinCall {
  readonly tool: string;
  readonly arguments: Arguments;
}

/** Calls whose results have to agree before two tools are called twins. */
const leastAgreeing = 2;
const leastChars = 12;

/** Yields calls of tools that take the same arguments, is given the answers, and returns those that answer alike. */
export function* findTwins(server: string, tools: readonly SampledTool[]): Generator<TwinCall, CheckFinding[], Answer> {
  const found: CheckFinding[] = [];
  for (const [index, one] of tools.entries())
    for (const other of tools.slice(index + 1)) {
      const names = mapArguments(requiredOf(one.tool), requiredOf(other.tool));
      // Tools of which one takes more do different things with it, although they begin alike.
      if (names === null || !takeTheSame(one.tool, other.tool)) continue;
      const samples = [
        ...one.samples.map((sample) => ({ ...sample, to: other, rename: names })),
        ...other.samples.map((sample) => ({ ...sample, to: one, rename: new Map([...names].map(([a, b]) => [b, a])) })),
      ];
      let agreeing = 0;
      let differs = false;
      let shown: Sample | null = null;
      for (const { arguments: given, answer, to, rename } of samples.slice(0, 6)) {
        if (isEmptyValue(resultValue(answer)) || answerText(answer).length < leastChars || saysUnknown(answer.text))
          continue;
        const renamed = Object.fromEntries(
          Object.entries(given).map(([key, value]) => [rename.get(key) ?? key, value]),
        );
        const reply = yield { tool: to.tool.name, arguments: renamed };
        if (
          isSuccess(reply) &&
          (steadyText(reply) === steadyText(answer) || sameValues(resultValue(reply), resultValue(answer)))
        ) {
          agreeing += 1;
          shown ??= { arguments: given, answer };
        } else {
          differs = true;
          break;
        }
      }
      const enough = names.size === 0 ? 1 : leastAgreeing;
      if (differs || agreeing < enough || shown === null) continue;
      found.push(
        findingBy('twin-by-behaviour', {
          server,
          tool: `${server}/${one.tool.name}`,
          others: [`${server}/${other.tool.name}`],
          sentence: `it answers like ${other.tool.name} in ${agreeing} of ${agreeing} calls with the same arguments`,
          evidence: [
            `${one.tool.name}: ${one.tool.description ?? ''}`,
            `${other.tool.name}: ${other.tool.description ?? ''}`,
          ],
          call: { tool: one.tool.name, arguments: shown.arguments, answer: answerText(shown.answer) },
          proposal: `keep one of them; if both are needed, say in each description what ${one.tool.name} does that ${other.tool.name} does not`,
        }),
      );
    }
  return found;
}

const requiredOf = (tool: ListedTool): Argument[] => argumentsOf(tool).filter(({ required }) => required);

/** Whether the optional arguments of two tools have the same names. */
const takeTheSame = (one: ListedTool, other: ListedTool): boolean => {
  const namesOf = (tool: ListedTool): string =>
    JSON.stringify(
      argumentsOf(tool)
        .flatMap(({ name, required }) => (required ? [] : [name]))
        .toSorted(),
    );
  return namesOf(one) === namesOf(other);
};

/** Returns which argument of one tool stands for which of another; null if they take different ones. */
function mapArguments(one: readonly Argument[], other: readonly Argument[]): Map<string, string> | null {
  if (one.length !== other.length) return null;
  const names = new Map<string, string>();
  for (const { name, schema } of one) {
    const twin = other.find((each) => each.name === name) ?? (one.length === 1 ? other[0] : undefined);
    if (twin === undefined || typeOf(twin.schema) !== typeOf(schema)) return null;
    names.set(name, twin.name);
  }
  return names;
}

/** Whether two results hold the same values, whatever their fields are called and in whatever order they stand. */
function sameValues(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  const leaves = (value: unknown): string[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [JSON.stringify(value)];
  const [a, b] = [leaves(one).toSorted(), leaves(other).toSorted()];
  return a.length >= 2 && a.length === b.length && a.every((each, at) => each === b[at]);
}
