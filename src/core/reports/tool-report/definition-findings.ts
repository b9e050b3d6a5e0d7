import { isFunctionName, longestFunctionName, makePlainFunctionName } from '#core/catalog/function-names.ts';
import { shownDescriptionChars } from '#core/catalog/shown-description.ts';
import { toolNameWithoutServer } from '#core/catalog/tool.ts';
import { azureDescriptionChars } from '#core/models/dialect.ts';
import type { SchemaProfileName } from '#core/models/function-schemas/profiles.ts';
import type { SchemaRefusal, SchemaRewrite } from '#core/models/function-schemas/writing.ts';
import { standardMounting } from '#core/units/mounting/mounting.ts';
import { firstCharacters } from '#core/values/excerpt.ts';
import type { Finding } from './record.ts';
import type { ToolDefinition } from './tool-definition.ts';

const mostEvidence = 10;
/** Characters of a name or a place that a finding shows: servers choose them. */
const evidenceChars = 300;
/** Characters of a description that Claude Code shows its model (anthropics/claude-code#41593). */
const claudeCodeDescriptionChars = 2_048;
/** Tokens of one definition that are worth a look. */
const costlyDefinitionTokens = 1_000;
/** A tenth of a context of 200,000 tokens, beyond which Claude Code stops showing its model all tools. */
const costlyListTokens = 20_000;

/** Who takes or shows how many characters of a description, the fewest first. */
const descriptionLimits = [
  { chars: azureDescriptionChars, text: `Azure OpenAI takes ${azureDescriptionChars} characters` },
  { chars: claudeCodeDescriptionChars, text: `Claude Code shows its model ${claudeCodeDescriptionChars} characters` },
  { chars: shownDescriptionChars, text: `Sextant shows models ${shownDescriptionChars} characters` },
] as const;

const profileTitles: Readonly<Record<SchemaProfileName, string>> = {
  any: 'other endpoints',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
};

const proposalsByRefusal: Readonly<Record<SchemaRefusal['reason'], string>> = {
  keyword: 'write the schema without this keyword: make one object of alternatives at the top, and say rules in words',
  'recursive-reference': 'write the levels that are needed instead of a schema that refers to itself',
  'broken-reference': 'put the schema there that the reference names',
  'overlapping-alternatives': 'give each alternative a field whose value tells it from the others',
  values: 'list only texts, numbers or truth values',
  'field-name': 'name arguments with letters, digits, `_`, `.` and `-`, at most 64',
  'no-object': 'describe an object whose fields are the arguments',
  'no-schema': 'write a schema of JSON Schema 2020-12',
  'nothing-fits': 'correct the schema: no arguments fit it',
  'too-large': 'make the schema smaller: fewer levels, fewer alternatives',
  undecided: 'make the schema simpler',
};

/** What drops words without a meaning for arguments, and is done for nearly every schema. */
const unnoticed: ReadonlySet<SchemaRewrite> = new Set(['dialect-dropped', 'annotations-dropped', 'fields-listed']);

/** Returns what stands out in the definitions of tools, which nobody has to call for that. */
export function listFindingsOfDefinitions(definitions: readonly ToolDefinition[]): Finding[] {
  const byDescription = Map.groupBy(definitions, ({ description }) => description.toLowerCase());
  const found = definitions.flatMap((each) => [
    findContradiction(each),
    findRefusedSchema(each),
    findRewrittenSchema(each),
    findName(each),
    findDescription(each, byDescription.get(each.description.toLowerCase()) ?? []),
    findUndescribedArguments(each),
    findCostlyDefinition(each),
  ]);
  return [...found, findCostlyToolList(definitions)].flatMap((each) => each ?? []);
}

function makeFinding(
  { tool }: Pick<Finding, 'tool'>,
  { evidence = [], ...of }: Omit<Finding, 'tool' | 'units' | 'evidence'> & { readonly evidence?: readonly string[] },
): Finding {
  return {
    ...of,
    tool,
    evidence: evidence.slice(0, mostEvidence).map((each) => firstCharacters(each, evidenceChars)),
    units: [],
  };
}

function findContradiction({ tool, contradiction }: ToolDefinition): Finding | null {
  if (contradiction === null) return null;
  const { verb, where } = contradiction;
  return makeFinding(
    { tool },
    {
      kind: 'effect-contradicted',
      severity: 'high',
      sentence: `it declares that it only reads, and its ${where} says "${verb}": it is not called where only reading is allowed`,
      evidence: [verb],
      proposal:
        'declare `readOnlyHint: false`, with `destructiveHint`; if it changes nothing, say in its name and description what it reads',
    },
  );
}

function findRefusedSchema(of: ToolDefinition): Finding | null {
  const [first] = of.refused;
  if (first === undefined) return null;
  const profiles = of.refused.map(({ profile }) => profileTitles[profile]);
  return makeFinding(of, {
    kind: 'schema-refused',
    severity: of.refused.every(({ profile }) => profile === 'gemini') ? 'medium' : 'high',
    sentence: `${joinWords(profiles)} ${profiles.length === 1 ? 'refuses' : 'refuse'} its schema, which cannot be rewritten with the same meaning`,
    evidence: of.refused.map(
      ({ profile, reason, pointer }) => `${profileTitles[profile]}: ${reason} at ${pointer === '' ? '/' : pointer}`,
    ),
    proposal: proposalsByRefusal[first.reason],
  });
}

function findRewrittenSchema(of: ToolDefinition): Finding | null {
  const noticed = of.rewritten.flatMap(({ profile, rewrites }) => {
    const kept = rewrites.filter((each) => !unnoticed.has(each));
    return kept.length === 0 ? [] : [{ title: profileTitles[profile], kept }];
  });
  if (noticed.length === 0) return null;
  return makeFinding(of, {
    kind: 'schema-rewritten',
    severity: 'low',
    sentence: `its schema is rewritten for ${joinWords(noticed.map(({ title }) => title))}, which may refuse it as it is`,
    evidence: noticed.map(({ title, kept }) => `${title}: ${kept.join(', ')}`),
    proposal: 'write it as they take it: not every client rewrites schemas',
  });
}

function findName(of: ToolDefinition): Finding | null {
  const name = toolNameWithoutServer(of.tool);
  if (!isFunctionName(name))
    return makeFinding(of, {
      kind: 'name-refused',
      severity: 'medium',
      sentence:
        name.length > longestFunctionName
          ? `its name has ${name.length} characters, and endpoints take ${longestFunctionName}`
          : 'endpoints refuse its name',
      proposal: `choose a name of at most ${longestFunctionName} letters, digits, \`_\` and \`-\` that begins with a letter`,
    });
  const { length } = makePlainFunctionName(of.tool);
  if (length <= longestFunctionName) return null;
  return makeFinding(of, {
    kind: 'name-shortened',
    severity: 'low',
    sentence: `behind the name of its server its name has ${length} characters, and endpoints take ${longestFunctionName}: models see a part of it`,
    proposal: 'choose a shorter name',
  });
}

function findDescription(of: ToolDefinition, alike: readonly ToolDefinition[]): Finding | null {
  const chars = of.descriptionChars;
  if (of.description === '')
    return makeFinding(of, {
      kind: 'description-missing',
      severity: 'medium',
      sentence: 'it has no description',
      proposal: 'say what the tool does, what it needs, and what it returns',
    });
  if (alike.length > 1)
    return makeFinding(of, {
      kind: 'description-shared',
      severity: 'medium',
      sentence: `its description is also that of ${alike.length === 2 ? 'another tool' : `${alike.length - 1} other tools`}`,
      evidence: alike.flatMap(({ tool }) => (tool === of.tool ? [] : [tool])),
      proposal: 'say in each description what this tool does that the others do not',
    });
  if (chars <= azureDescriptionChars) return null;
  return makeFinding(of, {
    kind: 'description-long',
    severity: chars > claudeCodeDescriptionChars ? 'medium' : 'low',
    sentence: `its description has ${chars} characters, more than some clients or endpoints take`,
    evidence: descriptionLimits.flatMap((limit) => (chars > limit.chars ? [limit.text] : [])),
    proposal: 'say first what the tool is for, and shorten the rest',
  });
}

function findUndescribedArguments(of: ToolDefinition): Finding | null {
  const { undescribed } = of;
  if (undescribed.length === 0) return null;
  return makeFinding(of, {
    kind: 'arguments-undescribed',
    severity: 'low',
    sentence: `${undescribed.length} of ${of.arguments} ${of.arguments === 1 ? 'argument has' : 'arguments have'} no description`,
    evidence: undescribed,
    proposal: 'describe each argument: its meaning, its form, and an example',
  });
}

function findCostlyDefinition(of: ToolDefinition): Finding | null {
  if (of.schemaTokens < costlyDefinitionTokens) return null;
  return makeFinding(of, {
    kind: 'definition-costly',
    severity: 'low',
    sentence: `its definition takes about ${of.schemaTokens} tokens of each request that offers it`,
    proposal: 'shorten the description and the schema, or split the tool',
  });
}

function findCostlyToolList(definitions: readonly ToolDefinition[]): Finding | null {
  const tokens = definitions.reduce((sum, { schemaTokens }) => sum + schemaTokens, 0);
  if (tokens < costlyListTokens) return null;
  return makeFinding(
    { tool: null },
    {
      kind: 'list-costly',
      severity: tokens > standardMounting.schemaTokens ? 'medium' : 'low',
      sentence: `the definitions of ${definitions.length} tools take about ${tokens} tokens of each request that offers them all`,
      evidence: definitions
        .toSorted((one, other) => other.schemaTokens - one.schemaTokens)
        .slice(0, mostEvidence)
        .map(({ tool, schemaTokens }) => `${tool}: ${schemaTokens}`),
      proposal: 'shorten the longest of them, or offer fewer tools at once',
    },
  );
}

/** `a`, `a and b`, `a, b and c`. */
const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
