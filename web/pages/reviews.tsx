import { useEffect, useState } from 'preact/hooks';
import { percentText } from '../../client/command-line/text.ts';
import { useClient } from '../data/session.ts';
import { useArrivingList } from '../data/use-list.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { Await, ProblemText } from '../parts/await.tsx';
import { Facts } from '../parts/facts.tsx';
import { IdTag } from '../parts/id-tag.tsx';
import { useTitle } from '../parts/use-title.ts';
import { UnitReviewForm } from '../reviews/review.tsx';

/** The units of an exploration that wait for a decision, one after another, and how far people and the critic agree. */
export default function Reviews({ id }: { readonly id: string }) {
  useTitle(`Reviews of ${id}`);
  const { reviews } = useClient();
  const [decided, setDecided] = useState<readonly string[]>([]);
  const [chosen, choose] = useState<string | null>(null);
  const open = useArrivingList((signal) => reviews.list(id, { pageSize: 500, signal }), [id]);
  const agreement = useLoaded(() => reviews.agreement(id), [id, decided.length]);
  const queue = open.items.map((unit) => unit.id).filter((unit) => !decided.includes(unit));
  const shown = chosen !== null && queue.includes(chosen) ? chosen : queue[0];
  const move = (steps: number): void => {
    const place = shown === undefined ? 0 : queue.indexOf(shown);
    choose(queue[Math.min(queue.length - 1, Math.max(0, place + steps))] ?? null);
  };
  const markDecided = (unit: string): void => {
    const place = queue.indexOf(unit);
    choose(queue[place + 1] ?? queue[place - 1] ?? null);
    setDecided([...decided, unit]);
  };
  useEffect(() => choose(null), [id]);
  return (
    <>
      <p class="eyebrow">
        <a href={`/explorations/${id}`}>Exploration</a> <IdTag id={id} />
      </p>
      <h1>Reviews</h1>
      {open.problem !== null && <ProblemText text={open.problem} />}
      <Await of={agreement}>
        {({ decided: count, approved, edited, rejected, accuracy, kappa }) => (
          <Facts
            of={[
              ['waiting', queue.length],
              ['decided', `${count}: ${approved} approved, ${edited} edited, ${rejected} rejected`],
              [
                'agreement with the critic',
                accuracy === null
                  ? null
                  : `${percentText(accuracy)}${kappa === null ? '' : `, kappa ${kappa.toFixed(2)}`}`,
              ],
            ]}
          />
        )}
      </Await>
      {open.done && shown === undefined && <p>Nothing waits for a decision.</p>}
      {queue.length > 0 && (
        <nav aria-label="Units that wait" class="queue">
          {queue.map((unit) => (
            <button key={unit} type="button" aria-pressed={unit === shown} onClick={() => choose(unit)}>
              {unit}
            </button>
          ))}
        </nav>
      )}
      {shown !== undefined && (
        <UnitReviewForm key={shown} exploration={id} unit={shown} onMove={move} onDecided={markDecided} />
      )}
    </>
  );
}
