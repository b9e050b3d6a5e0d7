import { z } from 'zod';
import { bearerHeader, parsePrintedJson, type Preset } from './preset.ts';

const result = z.object({ type: z.literal('result'), is_error: z.boolean(), result: z.string() });

/** Anthropic's Claude Code. */
export const claudeCode: Preset = {
  name: 'claude-code',
  program: 'claude',
  install: 'npm install --global @anthropic-ai/claude-code',
  endpoint: { baseUrl: 'https://api.anthropic.com', keyVariable: 'ANTHROPIC_API_KEY' },
  model: 'claude-sonnet-5-5',
  versionArguments: ['--version'],
  start: ({ request, mcp, model, ownTools }) => ({
    files: {
      'mcp.json': JSON.stringify({
        mcpServers: { sextant: { type: 'http', url: mcp.url, headers: bearerHeader(mcp.token) } },
      }),
    },
    arguments: [
      '--print',
      '--output-format',
      'json',
      '--model',
      model.name,
      '--mcp-config',
      '../mcp.json',
      '--strict-mcp-config',
      '--no-session-persistence',
      ...(ownTools ? ['--permission-mode', 'bypassPermissions'] : ['--tools', '', '--allowedTools', 'mcp__sextant']),
    ],
    environment: {
      ANTHROPIC_BASE_URL: model.urls.anthropic,
      ANTHROPIC_API_KEY: model.token,
      // Titles and the like are asked of the same model, because the evaluation names no other.
      ANTHROPIC_SMALL_FAST_MODEL: model.name,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model.name,
      CLAUDE_CODE_SUBAGENT_MODEL: model.name,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // Without its tools it would answer all the same.
      MCP_TIMEOUT: '60000',
      MCP_TOOL_TIMEOUT: '600000',
      // It takes this for a container, without which it refuses to run with all tools as root.
      IS_SANDBOX: '1',
    },
    input: request,
  }),
  readAnswer: (printed) => {
    const read = result.safeParse(parsePrintedJson(printed)).data;
    return read === undefined || read.is_error ? null : read.result;
  },
};
