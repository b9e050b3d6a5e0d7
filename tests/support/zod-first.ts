// zod's schemas learn `.openapi` only if this is loaded before they are made. The Worker does so too: its app comes first.
export { z } from '@hono/zod-openapi';
