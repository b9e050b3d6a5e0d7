import { z } from 'zod';
import { bearerHeader, parsePrintedJson, type Preset } from './preset.ts';

const textEvent = z.object({ type: z.literal('text'), part: z.object({ messageID: z.string(), text: z.string() }) });

const ownToolNames = [
  'bash',
  'edit',
  'glob',
  'grep',
  'list',
  'patch',
  'read',
  'skill',
  'task',
  'todoread',
  'todowrite',
  'webfetch',
  'websearch',
  'write',
];

/** opencode, with any endpoint that is compatible with OpenAI's chat completions. */
export const opencode: Preset = {
  name: 'opencode',
  program: 'opencode',
  install: 'npm install --global opencode-ai',
  endpoint: { baseUrl: 'https://api.openai.com/v1', keyVariable: 'OPENAI_API_KEY' },
  model: 'gpt-5.4',
  versionArguments: ['--version'],
  start: ({ request, mcp, model, ownTools }) => {
    const named = `sextant/${model.name}`;
    return {
      files: {
        'work/opencode.json': JSON.stringify({
          autoupdate: false,
          share: 'disabled',
          model: named,
          small_model: named,
          provider: {
            sextant: {
              npm: '@ai-sdk/openai-compatible',
              name: 'Sextant',
              options: { baseURL: model.urls.openai, apiKey: model.token },
              models: { [model.name]: { name: model.name } },
            },
          },
          mcp: {
            sextant: { type: 'remote', url: mcp.url, headers: bearerHeader(mcp.token), enabled: true, oauth: false },
          },
          ...(ownTools ? {} : { tools: Object.fromEntries(ownToolNames.map((name) => [name, false])) }),
          permission: ownTools ? { edit: 'allow', bash: 'allow', webfetch: 'allow' } : {},
        }),
      },
      arguments: ['run', '--format', 'json', request],
      environment: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
      input: '',
    };
  },
  readAnswer: (printed) => {
    const texts = printed.split('\n').flatMap((line) => textEvent.safeParse(parsePrintedJson(line)).data?.part ?? []);
    const last = texts.at(-1)?.messageID;
    return last === undefined ? null : texts.map(({ messageID, text }) => (messageID === last ? text : '')).join('');
  },
};
