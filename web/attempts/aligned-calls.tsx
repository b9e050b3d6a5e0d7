import type { Step } from '#core/traces/trace.ts';
import { UntrustedText } from '../parts/outside-text.tsx';
import { alignCallsWithChain } from '#core/traces/align-chain.ts';
import { Call } from './calls.tsx';

interface AlignedCallsProps {
  readonly first: readonly Step[];
  readonly second: readonly Step[];
  /** Whose they are; shown with each call where both stand below each other. */
  readonly names: readonly [first: string, second: string];
}

/** The calls of two attempts side by side: the same tools in one row, a gap where one has no such call, arguments marked where they differ. */
export function AlignedCalls({ first, second, names }: AlignedCallsProps) {
  const rows = pairCalls(first, second);
  if (rows.length === 0) return <p class="faint">Neither called a tool.</p>;
  return (
    <ol class="aligned">
      {rows.map(([left, right], index) => {
        const differs =
          left !== undefined &&
          right !== undefined &&
          JSON.stringify(left.arguments) !== JSON.stringify(right.arguments);
        return (
          <li key={index}>
            <CallOrGap name={names[0]} step={left} other={right} differs={differs} />
            <CallOrGap name={names[1]} step={right} other={left} differs={differs} />
          </li>
        );
      })}
    </ol>
  );
}

interface CallOrGapProps {
  readonly name: string;
  readonly step: Step | undefined;
  readonly other: Step | undefined;
  readonly differs: boolean;
}

const CallOrGap = ({ name, step, other, differs }: CallOrGapProps) => (
  <div>
    <span class="whose">
      <UntrustedText text={name} />
    </span>
    {step === undefined ? (
      <p class="gap">
        no call of <UntrustedText text={other?.tool ?? ''} />
      </p>
    ) : (
      <Call step={step} differs={differs} note={differs ? ', with other arguments than beside' : ''} />
    )}
  </div>
);

/** Returns the calls in pairs, either of which may be missing. */
function pairCalls(
  first: readonly Step[],
  second: readonly Step[],
): (readonly [left: Step | undefined, right: Step | undefined])[] {
  let next = 0;
  return alignCallsWithChain(
    first.map(({ tool }) => tool),
    second.map(({ tool }) => tool),
  ).map(({ expected, call }) => {
    const left = expected === null ? undefined : first[next];
    if (expected !== null) next += 1;
    return [left, call === null ? undefined : second[call]];
  });
}
