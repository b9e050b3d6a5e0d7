/** How Sextant names itself to servers and clients of MCP. */
export const implementation = { name: 'sextant', version: '0.2.0' };

/** How it names itself in each HTTP request, so that an owner who reads the log of a server knows who called. */
export const userAgent = `${implementation.name}/${implementation.version}`;
