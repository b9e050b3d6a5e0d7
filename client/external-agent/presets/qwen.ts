import { z } from 'zod';
import { bearerHeader, parsePrintedJson, type Preset } from './preset.ts';

const printedEvents = z.array(z.looseObject({ type: z.string() }));
const result = z.looseObject({ type: z.literal('result'), is_error: z.boolean(), result: z.string() });

/** Its own tools, without `tool_search`, by which it finds those of MCP servers. */
const ownToolNames = [
  'agent',
  'edit',
  'glob',
  'grep_search',
  'list_directory',
  'lsp',
  'monitor',
  'read_file',
  'run_shell_command',
  'save_memory',
  'send_message',
  'skill',
  'task_stop',
  'todo_write',
  'web_fetch',
  'web_search',
  'write_file',
];

/** Alibaba's Qwen Code. */
export const qwen: Preset = {
  name: 'qwen',
  program: 'qwen',
  install: 'npm install --global @qwen-code/qwen-code',
  endpoint: { baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1', keyVariable: 'DASHSCOPE_API_KEY' },
  model: 'qwen3-coder-plus',
  versionArguments: ['--version'],
  start: ({ request, mcp, model, ownTools }) => ({
    files: {
      'home/.qwen/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'openai' } },
        telemetry: { enabled: false },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true },
        memory: { enableManagedAutoMemory: false },
        mcpServers: { sextant: { httpUrl: mcp.url, headers: bearerHeader(mcp.token), trust: true } },
        ...(ownTools ? {} : { permissions: { deny: ownToolNames }, tools: { exclude: ownToolNames } }),
      }),
    },
    arguments: ['--approval-mode', 'yolo', '--output-format', 'json', '--prompt', request],
    environment: { OPENAI_API_KEY: model.token, OPENAI_BASE_URL: model.urls.openai, OPENAI_MODEL: model.name },
    input: '',
  }),
  readAnswer: (printed) => {
    const events = printedEvents.safeParse(parsePrintedJson(printed)).data ?? [];
    const last = events.flatMap((event) => result.safeParse(event).data ?? []).at(-1);
    return last === undefined || last.is_error ? null : last.result;
  },
};
