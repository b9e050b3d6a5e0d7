import { splitIdentifier } from '#core/catalog/category.ts';
import { verbForms } from '#core/catalog/english-verbs.ts';
import { effectOfTool } from '#core/catalog/effect.ts';
import { toolNameWithoutServer, type Tool } from '#core/catalog/tool.ts';
import { checkValueAgainstSchema } from '#core/values/json-schema/check.ts';

/** Most tools of a server that a survey calls. */
export const maxSurveyedTools = 10;

/**
 * Returns the tools that a survey calls with `{}`, in the order of the listing, at most `maxSurveyedTools`: those that
 * only read, and take no required arguments.
 */
export const chooseSurveyedTools = (tools: readonly Tool[]): Tool[] =>
  tools.filter((tool) => onlyReads(tool) && acceptsEmptyArguments(tool)).slice(0, maxSurveyedTools);

const acceptsEmptyArguments = ({ inputSchema }: Tool): boolean =>
  checkValueAgainstSchema(inputSchema, {}).verdict === 'fits';

/** The hints of MCP's annotations about what a call changes. */
const effectHints = ['readOnlyHint', 'destructiveHint', 'idempotentHint'];

/**
 * Returns whether a call changes nothing, as far as the owner or the tool says: by its effect, or, without any hint about
 * effects, by a name and a description that speak of reading and of nothing else.
 */
export const onlyReads = (tool: Tool): boolean => {
  const { name, description, annotations = {} } = tool;
  const known = effectOfTool(tool);
  if (known !== 'unknown') return known === 'reads';
  if (effectHints.some((hint) => annotations[hint] !== undefined)) return false;
  const named = splitIdentifier(toolNameWithoutServer(name));
  const described = (description ?? '').toLowerCase().match(/[a-z]+/g) ?? [];
  return (
    named.some((word) => readingVerbs.has(word)) &&
    readingVerbs.has(described[0] ?? '') &&
    !mentionsChange(named) &&
    !mentionsChange(described)
  );
};

const mentionsChange = (words: readonly string[]): boolean =>
  words.some(
    (word, index) =>
      changingVerbs.has(word) || (verbsLikeNouns.has(word) && (index === 0 || joining.has(words[index - 1] ?? ''))),
  );

/** Words after which a word that may be a noun is a verb. */
const joining = new Set(['and', 'or', 'then', 'also', 'to', 'can', 'will']);

const readingVerbs = verbForms('list get read show view describe fetch retrieve return display enumerate');

// Stricter than the verbs that contradict a declaration: without one, a tool is called only if no word of it speaks of change.
const changingVerbs = verbForms(
  'create add make insert write edit put modify replace rename append delete remove clear drop clean purge destroy reset ' +
    'restore revert undo send notify submit upload install uninstall restart execute launch save register unregister ' +
    'subscribe unsubscribe enable disable toggle activate deactivate navigate approve reject cancel pay sell generate ' +
    'invoke kill terminate unlock unmount connect disconnect initialize init assign increment decrement revoke',
);

/** Verbs whose forms are nouns or adjectives as well: to list orders changes nothing. */
const verbsLikeNouns = verbForms(
  'set update change move copy post push publish patch store order book schedule type press mark switch archive lock ' +
    'run start stop open close select click commit merge transfer import export download trigger mount login logout ' +
    'rotate grant buy new',
);
