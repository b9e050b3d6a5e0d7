import type { TransitionRecord } from '#core/exploration/counts.ts';
import { countWithNoun } from '../../client/command-line/text.ts';
import { Facts } from '../parts/facts.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';
import { unitsHeadingId } from './units-section.tsx';

interface OpenedToolProps {
  readonly tool: string;
  /** Those that begin or end with it. */
  readonly transitions: readonly TransitionRecord[];
  /** How many units of the list below have it in their chain. */
  readonly units: number;
  readonly onClose: () => void;
}

/** What is known of a tool; the tables below are narrowed to it. */
export function OpenedTool({ tool, transitions, units, onClose }: OpenedToolProps) {
  return (
    <section aria-label="The open tool" class="opened-tool">
      <h3>
        <UntrustedText text={tool} />
      </h3>
      <Facts
        of={[
          ['before it', transitionCountsText(transitions.filter(({ to }) => to === tool))],
          ['after it', transitionCountsText(transitions.filter(({ from }) => from === tool))],
          ['units', <a href={`#${unitsHeadingId}`}>{`${countWithNoun(units, 'unit')} with it in the chain`}</a>],
        ]}
      />
      <button type="button" onClick={onClose}>
        Show all tools again
      </button>
    </section>
  );
}

function transitionCountsText(transitions: readonly TransitionRecord[]): string {
  const executed = transitions.filter((each) => each.executed > 0).length;
  const passing = transitions.filter((each) => each.valuePassed > 0).length;
  return `${countWithNoun(transitions.length, 'transition')}, ${executed} executed, ${passing} passing a value`;
}
