import type { ComponentChildren } from 'preact';
import type { Loaded } from '../data/use-loaded.ts';

interface AwaitProps<T> {
  readonly of: Loaded<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows what was loaded; until then that it is loading, or why it could not be. */
export function Await<T>({ of, children }: AwaitProps<T>) {
  if (of.state === 'loading') return <Skeleton />;
  if (of.state === 'failed') return <ProblemText text={of.problem} />;
  return <>{children(of.value)}</>;
}

/** Grey lines in the place of what loads. */
const Skeleton = () => (
  <div class="skeleton" role="status" aria-label="Loading">
    <i />
    <i />
    <i />
  </div>
);

/** Says what went wrong. */
export const ProblemText = ({ text }: { readonly text: string }) => (
  <p class="note" role="alert">
    {text}
  </p>
);
