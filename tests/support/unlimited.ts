/** The limits of a server on which calls may do anything. */
export const unlimited = { allows: 'destroys', effects: {}, protocolVersion: null } as const;

/** Tools of which nothing but the names is known. */
export const toolsNamed = (...names: readonly string[]): { readonly name: string }[] => names.map((name) => ({ name }));
