import { z } from 'zod';
import { bearerHeader, parsePrintedJson, type Preset } from './preset.ts';

const answer = z.object({ response: z.string(), error: z.unknown().optional() });

/** Its own tools, without those for MCP servers. */
const ownToolNames = [
  'ask_user',
  'complete_task',
  'enter_plan_mode',
  'exit_plan_mode',
  'activate_skill',
  'get_internal_docs',
  'glob',
  'google_web_search',
  'grep_search',
  'invoke_agent',
  'list_background_processes',
  'list_directory',
  'read_background_output',
  'read_file',
  'read_many_files',
  'replace',
  'run_shell_command',
  'save_memory',
  'update_topic',
  'web_fetch',
  'write_file',
  'write_todos',
];

/** Google's Gemini CLI. */
export const gemini: Preset = {
  name: 'gemini',
  program: 'gemini',
  install: 'npm install --global @google/gemini-cli',
  endpoint: { baseUrl: 'https://generativelanguage.googleapis.com/v1beta', keyVariable: 'GEMINI_API_KEY' },
  model: 'gemini-3.8-flash',
  versionArguments: ['--version'],
  start: ({ request, mcp, model, ownTools }) => ({
    files: {
      'home/.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        telemetry: { enabled: false },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
        mcpServers: { sextant: { httpUrl: mcp.url, headers: bearerHeader(mcp.token), trust: true } },
        ...(ownTools ? {} : { tools: { exclude: ownToolNames } }),
      }),
    },
    arguments: [
      '--model',
      model.name,
      '--approval-mode',
      'yolo',
      '--skip-trust',
      '--output-format',
      'json',
      '--prompt',
      request,
    ],
    environment: { GEMINI_API_KEY: model.token, GOOGLE_GEMINI_BASE_URL: model.urls.gemini },
    input: '',
  }),
  readAnswer: (printed) => {
    const read = answer.safeParse(parsePrintedJson(printed)).data;
    return read === undefined || (read.error ?? null) !== null ? null : read.response;
  },
};
