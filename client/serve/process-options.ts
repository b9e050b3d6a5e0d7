import { getDefaultEnvironment, type StdioServerParameters } from '@modelcontextprotocol/client/stdio';
import type { StdioEntry } from './server-file.ts';

/** The variables that say how this machine reaches the network: its proxies and its certificates. */
const networkVariables =
  /^(https?_proxy|all_proxy|no_proxy|node_use_env_proxy|node_extra_ca_certs|ssl_cert_file|ssl_cert_dir)$/i;

/**
 * Returns how a server's process is started: in its folder, with the variables that MCP clients give, those of the
 * network, and its own. It gets no others, such as keys of models.
 */
export function processOptionsWithLimitedEnvironment({
  command,
  args,
  env,
  cwd,
}: StdioEntry): StdioServerParameters & { stderr: 'pipe' } {
  const network = Object.entries(process.env).flatMap(([name, value]): [string, string][] =>
    value !== undefined && networkVariables.test(name) ? [[name, value]] : [],
  );
  return {
    command,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...Object.fromEntries(network), ...env },
    cwd,
    stderr: 'pipe',
  };
}
