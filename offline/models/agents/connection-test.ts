/** Returns whether a request only asks for any call, to see whether the model can call functions. */
export const isConnectionTest = (request: string): boolean =>
  request.startsWith('This only tests the connection, before work begins: call any one of your tools');
