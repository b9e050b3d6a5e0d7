import type { DialectSetting } from '#core/models/dialect.ts';
import { gemini } from './gemini.ts';
import { anthropic, deepSeek, deepSeekChat, groq, mistral, openRouter } from './hosted.ts';
import { anthropicMessages } from './messages.ts';
import { azure, gpt54, gpt56, gpt56WithoutResponses, o4 } from './openai.ts';
import type { Profile } from './profile.ts';
import { llamaCpp, ollama, vllm } from './self-hosted.ts';

/** The stand-ins, in the order of the table in docs/models.md. */
export const profiles: readonly Profile[] = [
  gpt54,
  o4,
  gpt56,
  gpt56WithoutResponses,
  azure,
  gemini,
  deepSeekChat,
  deepSeek,
  mistral,
  anthropicMessages,
  anthropic,
  openRouter,
  groq,
  vllm,
  llamaCpp,
  ollama,
];

interface DialectsToSet {
  readonly own?: DialectSetting;
  readonly behind?: DialectSetting;
}

/** What no refusal says has to be set, at the endpoint's own address and behind an unknown one. */
export const dialectsToSet: ReadonlyMap<string, DialectsToSet> = new Map<string, DialectsToSet>([
  ['Azure OpenAI', { behind: { authentication: 'api-key' } }],
  ['Anthropic (Messages)', { behind: { wire: 'messages' } }],
  ['Anthropic (compatibility layer)', { own: { wire: 'chat' } }],
]);

export function profileNamed(name: string): Profile {
  const found = profiles.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no stand-in ${name}`);
  return found;
}
