import type { jsonSchemaValidator } from '@modelcontextprotocol/client';

/**
 * Keeps the SDK from compiling a server's schemas: its validators generate code, or match patterns without a bound.
 * Nothing that we call needs one.
 */
export const noValidator: jsonSchemaValidator = {
  getValidator() {
    throw new Error('the sdk is not to hold anything against a foreign schema');
  },
};
