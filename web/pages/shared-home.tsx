import { useSharedRun } from '../data/session.ts';
import { useTitle } from '../parts/use-title.ts';

/** What somebody sees who came by a link that shows one run. */
export function SharedHome() {
  useTitle('A shared run');
  const run = useSharedRun() ?? '';
  const kind = run.startsWith('exp_') ? 'explorations' : 'evaluations';
  return (
    <>
      <h1>A shared run</h1>
      <p>
        Your link shows one run and nothing else: <a href={`/${kind}/${run}`}>{run}</a>. With a key you see all runs:
        sign out, then sign in with it.
      </p>
    </>
  );
}
