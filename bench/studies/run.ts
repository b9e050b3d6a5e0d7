import { join } from 'node:path';
import { exitCodeFor } from '../../client/command-line/error-output.ts';
import { UsageError } from '../../engine/usage-error.ts';

/** `npm run study -- NAME`: runs a study, whose results are written down in docs/measurements.md. */
const studies: Readonly<Record<string, () => Promise<unknown>>> = {
  ablation: () => import('./ablation.ts'),
  agreement: () => import('./agreement.ts'),
  categories: () => import('./categories.ts'),
  retrieval: () => import('./retrieval.ts'),
};

// The study reads its name from the file that runs, and the options that follow.
const [name = ''] = process.argv.splice(2, 1);
process.argv[1] = join(import.meta.dirname, `${name}.ts`);
const study = studies[name];
if (study === undefined) {
  const error = new UsageError(`"${name}" is no study; give one of ${Object.keys(studies).join(', ')}`);
  console.error(error.message);
  process.exitCode = exitCodeFor(error);
} else await study();
