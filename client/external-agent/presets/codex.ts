import type { Preset } from './preset.ts';

/** A basic string of TOML has the escapes of JSON. */
const toml = (text: string): string => JSON.stringify(text);

/** OpenAI's Codex. */
export const codex: Preset = {
  name: 'codex',
  program: 'codex',
  install: 'npm install --global @openai/codex',
  endpoint: { baseUrl: 'https://api.openai.com/v1', keyVariable: 'OPENAI_API_KEY' },
  model: 'gpt-5.6',
  versionArguments: ['--version'],
  start: ({ request, mcp, model, ownTools }) => ({
    files: {
      'home/.codex/config.toml': [
        `model = ${toml(model.name)}`,
        'model_provider = "sextant"',
        'approval_policy = "never"',
        `sandbox_mode = ${ownTools ? '"danger-full-access"' : '"read-only"'}`,
        'check_for_update_on_startup = false',
        ...(ownTools ? [] : ['web_search = "disabled"']),
        '[analytics]',
        'enabled = false',
        '[model_providers.sextant]',
        'name = "Sextant"',
        `base_url = ${toml(model.urls.openai)}`,
        'env_key = "SEXTANT_MODEL_TOKEN"',
        'wire_api = "responses"',
        '[mcp_servers.sextant]',
        `url = ${toml(mcp.url)}`,
        'bearer_token_env_var = "SEXTANT_MCP_TOKEN"',
        'default_tools_approval_mode = "approve"',
        // Without its tools it would answer all the same.
        'required = true',
        'startup_timeout_sec = 60',
        'tool_timeout_sec = 600',
        ...(ownTools ? [] : ['[features]', 'shell_tool = false', 'unified_exec = false', 'multi_agent = false']),
        ...(ownTools ? [] : ['[tools]', 'view_image = false']),
        '',
      ].join('\n'),
    },
    arguments: ['exec', '--skip-git-repo-check', '--ephemeral', '--color', 'never', '-'],
    environment: { SEXTANT_MODEL_TOKEN: model.token, SEXTANT_MCP_TOKEN: mcp.token },
    input: request,
  }),
  // Everything but the last message goes to its standard error.
  readAnswer: (printed) => printed.replace(/\r?\n$/, ''),
};
