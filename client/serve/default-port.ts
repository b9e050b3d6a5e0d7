/** The port of `serve`, where `servers add` looks for local servers. */
export const defaultBridgePort = 8972;
