import type { Profile, Rule } from './profile.ts';
import { takesGeminiSchemas } from './function-schema-rules.ts';
import { assistantCalls, namesFunctionsWithin, objectsIn, refused, takesOnly, wantsKey } from './rules.ts';

/** ai.google.dev, "OpenAI compatibility". */
const chatFields = (
  'messages model max_tokens max_completion_tokens n reasoning_effort response_format stop ' +
  'stream stream_options temperature top_p tools tool_choice user extra_body'
).split(' ');

/** Vali-98/ChatterUI#227 (`seed`), jackmpcollins/magentic#382 (`parallel_tool_calls`), each "Cannot find field". */
const takesKnownFields = takesOnly(chatFields, (name) =>
  refused(`Invalid JSON payload received. Unknown name "${name}": Cannot find field.`),
);

/** openswarm-ai/openswarm#24, zed-industries/zed#44875, bigduu/Bodhi-AI#52. */
const unknownInSchemas = (
  '$schema $ref $defs definitions additionalProperties propertyNames patternProperties const ' +
  'oneOf allOf not exclusiveMinimum exclusiveMaximum default examples uniqueItems'
).split(' ');
const takesKnownSchemas: Rule = ({ body: { tools } }) => {
  for (const [at, tool] of tools.entries()) {
    for (const [node, path] of objectsIn(tool.function.parameters)) {
      const where = `tools[${at}].function_declarations[0].parameters${path === '' ? '' : `.${path}`}`;
      const isSchema = !/(?:^|\.)properties$/.test(path);
      const unknown = isSchema ? Object.keys(node).find((key) => unknownInSchemas.includes(key)) : undefined;
      if (unknown !== undefined)
        return refused(`Invalid JSON payload received. Unknown name "${unknown}" at '${where}': Cannot find field.`);
      if (isSchema && Array.isArray(node['type']))
        return refused(`Invalid value at '${where}.type' (type), Proto field is not repeating, cannot start list.`);
    }
  }
  return null;
};

/** ai.google.dev, "Thought signatures"; securo-finance/securo#884 on the compatibility layer. */
const wantsSignatures: Rule = ({ body: { messages } }) => {
  const calls = assistantCalls(messages).flatMap(({ tool_calls = [] }) => tool_calls.slice(0, 1));
  const unsigned = calls.find((call) => JSON.stringify(call['extra_content'] ?? null) !== JSON.stringify(signature));
  return unsigned === undefined
    ? null
    : refused(
        `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${unsigned.function.name}\`, position 2.`,
      );
};

const signature = { google: { thought_signature: 'c2lnbmF0dXJl' } };

export const gemini: Profile = {
  name: 'Gemini (compatibility layer)',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
  model: 'gemini-3.5-flash',
  rules: [
    wantsKey('authorization', /^Bearer /),
    takesKnownFields,
    takesKnownSchemas,
    takesGeminiSchemas,
    namesFunctionsWithin(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,62}$/),
    wantsSignatures,
  ],
  // A list of one.
  writeRefusal: ({ status, message }) => [{ error: { code: status, message, status: 'INVALID_ARGUMENT' } }],
  adorn: (answer) => ({
    ...answer,
    // The first call of a turn is signed.
    calls: answer.calls.map((call, at) => (at === 0 ? { ...call, others: { extra_content: signature } } : call)),
    // The completion leaves out the reasoning.
    usage: { prompt_tokens: 2_000, completion_tokens: 40, total_tokens: 2_640 },
  }),
};
