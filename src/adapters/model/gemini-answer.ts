import { z } from 'zod';
import type { StreamAssembly, StreamedCompletion } from './event-stream.ts';
import type { CountedTokens } from './usage.ts';

const text = z.string().nullish().catch(null);
const count = z.int().min(0).optional().catch(undefined);
const part = z.looseObject({
  text,
  functionCall: z.looseObject({ name: text, args: z.unknown().optional() }).nullish().catch(null),
});
const usageMetadata = z.looseObject({
  promptTokenCount: count,
  candidatesTokenCount: count,
  thoughtsTokenCount: count,
  toolUsePromptTokenCount: count,
  cachedContentTokenCount: count,
});
/** The fields that we read from an answer of Gemini's own API, or from a part of one that is streamed. */
const answer = z.looseObject({
  candidates: z
    .array(
      z.looseObject({
        content: z
          .looseObject({ parts: z.array(part).nullish().catch(null) })
          .nullish()
          .catch(null),
        finishReason: text,
      }),
    )
    .nullish()
    .catch(null),
  usageMetadata: usageMetadata.nullish().catch(null),
  error: z.unknown().optional(),
});

/** What an answer of Gemini says that is recorded. */
export interface GeminiAnswer {
  readonly content: string;
  readonly toolCalls: readonly { readonly name: string; readonly argumentsText: string }[];
  readonly usage: Partial<CountedTokens>;
}

/** Reads an answer of Gemini's own API, whole or as the list of its parts; undefined if it is none. */
export function parseGeminiAnswer(body: unknown): GeminiAnswer | undefined {
  const read = z.array(answer).safeParse(Array.isArray(body) ? body : [body]).data;
  const known = read?.filter(({ candidates, usageMetadata: used }) => candidates != null || used != null) ?? [];
  if (known.length === 0) return undefined;
  const parts = known.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
  const used = known.findLast((each) => each.usageMetadata != null)?.usageMetadata ?? undefined;
  return {
    content: parts.map((each) => each.text ?? '').join(''),
    toolCalls: parts.flatMap(({ functionCall }) =>
      functionCall == null
        ? []
        : [{ name: functionCall.name ?? '', argumentsText: JSON.stringify(functionCall.args ?? {}) }],
    ),
    usage: used === undefined ? {} : convertUsage(used),
  };
}

/** What a model thought is not among its candidates' tokens, and what its tools returned not among the prompt's. */
function convertUsage(used: z.infer<typeof usageMetadata>): Partial<CountedTokens> {
  const { promptTokenCount: prompt, candidatesTokenCount: said, thoughtsTokenCount: thought = 0 } = used;
  const { cachedContentTokenCount: cached, toolUsePromptTokenCount: ofTools = 0 } = used;
  return {
    ...(prompt === undefined ? {} : { prompt: prompt + ofTools }),
    ...(said === undefined ? {} : { completion: said + thought }),
    ...(cached === undefined ? {} : { cached }),
    ...(thought === 0 ? {} : { reasoning: thought }),
  };
}

/** Assembles the events of a streamed answer, each of which has the form of a whole one. */
class GeminiAssembly implements StreamAssembly {
  chars = 0;
  readonly #parts: unknown[] = [];
  #isFinished = false;

  get isFinished(): boolean {
    return this.#isFinished;
  }

  addEventAndGetEndIfAny(json: unknown): StreamedCompletion | null {
    const read = answer.safeParse(json).data;
    if (read === undefined) return { kind: 'malformed' };
    if (read.error !== undefined) return { kind: 'error', error: read.error, usage: undefined };
    this.chars += JSON.stringify(read.candidates ?? []).length;
    this.#parts.push(json);
    this.#isFinished ||= (read.candidates?.[0]?.finishReason ?? null) !== null;
    return null;
  }

  makeCompletion(): StreamedCompletion {
    return this.#parts.length === 0 ? { kind: 'malformed' } : { kind: 'complete', body: this.#parts };
  }
}

export const makeGeminiAssembly = (): StreamAssembly => new GeminiAssembly();
