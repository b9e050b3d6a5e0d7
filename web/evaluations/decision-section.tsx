import type { Decision } from '#core/evaluation/decision.ts';
import { decisionSentence, pairText } from '#core/evaluation/decision-text.ts';
import { UntrustedText } from '../parts/outside-text.tsx';

const boundsText = ({ low, high }: { readonly low: number; readonly high: number }): string =>
  `${low.toFixed(3)} to ${high.toFixed(3)}`;

/** What the units that were drawn so far tell: in a sentence, by pair, and by agent over all planned units. */
export function DecisionSection({ decision }: { readonly decision: Decision }) {
  const { pairs, means } = decision;
  return (
    <section aria-labelledby="decision">
      <h2 id="decision">{decision.isDecided ? 'Decision' : 'Decision so far'}</h2>
      <p>
        <UntrustedText text={`${decisionSentence(decision)}.`} />
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Pair</th>
            <th scope="col">Difference</th>
            <th scope="col">Bounds</th>
            <th scope="col">Units</th>
          </tr>
        </thead>
        <tbody>
          {pairs.map((pair) => (
            <tr key={`${pair.a} ${pair.b}`}>
              <th scope="row">
                <UntrustedText text={pairText(pair, decision)} />
              </th>
              <td>{pair.difference?.toFixed(3) ?? 'none'}</td>
              <td>{boundsText(pair)}</td>
              <td>{pair.units}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table>
        <thead>
          <tr>
            <th scope="col">Over all planned units</th>
            <th scope="col">Mean</th>
            <th scope="col">95% interval</th>
          </tr>
        </thead>
        <tbody>
          {means.map(({ agent, mean, ...interval }) => (
            <tr key={agent}>
              <th scope="row">
                <UntrustedText text={agent} />
              </th>
              <td>{mean?.toFixed(3) ?? 'none'}</td>
              <td>{boundsText(interval)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        Differences are those of the second agent of a pair minus the first. The figures below are of the units that
        were drawn, which are more often such that agents differ at.
      </p>
    </section>
  );
}
