import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation';

/** Keeps the sdk from compiling a server's schemas: its validators generate code, or match patterns without a bound. Nothing we call asks for one. */
export const noValidator: jsonSchemaValidator = {
  getValidator() {
    throw new Error('the sdk is not to hold anything against a foreign schema');
  },
};
