/** The default ports on this machine: the API, the MCP servers, the offline models. */
export const usualPorts = { port: 8787, gatewayPort: 8970, modelsPort: 8971 } as const;
