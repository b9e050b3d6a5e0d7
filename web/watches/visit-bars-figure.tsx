import type { PastVisit } from '#core/reports/watch/record.ts';
import { layOutVisitBars } from '#core/reports/watch/visit-bars.ts';
import { UntrustedText } from '../parts/outside-text.tsx';

/** The latest visits as bars as high as their calls took, on a rule with a tick for every tenth. */
export function VisitBarsFigure({ visits }: { readonly visits: readonly PastVisit[] }) {
  const { bars, places, rule, said } = layOutVisitBars(visits);
  return (
    <figure>
      <svg class="visits" viewBox={`0 0 ${places * 10} 70`} preserveAspectRatio="none" role="img" aria-label={said}>
        {bars.map(({ place, tall, kind, said: ofVisit }) => (
          <rect key={place} class={`visit-${kind}`} x={place * 10 + 1} y={60 - 60 * tall} width={8} height={60 * tall}>
            <title>
              <UntrustedText text={ofVisit} />
            </title>
          </rect>
        ))}
        <path class="axis" d={rule} />
      </svg>
      <ul class="legend">
        <li class="visit-mark">as usual</li>
        <li class="visit-warn">unusual answers</li>
        <li class="visit-bad">not reached</li>
      </ul>
      <p class="faint">{said}</p>
    </figure>
  );
}
