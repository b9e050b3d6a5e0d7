import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { redactionRules } from '#core/catalog/redaction/rules.ts';
import { patternNames } from '#core/catalog/redaction/named-patterns.ts';

/** What the owner of a server keeps out of everything that is stored or shown. */
export const ownersRedaction = documented(redactionRules, 'RedactionRules', {
  description: `What is replaced by \`[redacted]\` in results and arguments before anything of them is stored, shown to a model or passed on. \`fields\`: names of properties, or paths such as \`$.customers[*].email\`. \`patterns\`: regular expressions, or ${patternNames.map((name) => `\`${name}\``).join(', ')}. Runs keep to what holds when they are created.`,
});

/** Whether what agents do on a server stays within its workspace. */
export const privateSwitch = documented(z.boolean(), {
  description:
    'Whether nothing that agents did on the server is ever public: benchmarks and leaderboards over it show figures alone. It holds for the name, also when the server is removed, until it is set to false.',
});
