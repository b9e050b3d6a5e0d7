/** How Sextant names itself to servers and clients of MCP. */
export const implementation = { name: 'sextant', version: '0.2.0' };
