import { fixedDigitsText } from '#core/evaluation/figure-texts.ts';
import type { Score } from '#core/scoring/score.ts';
import { scorers } from '#core/evaluation/scorers.ts';
import { UntrustedText } from '../parts/outside-text.tsx';

interface ScoresProps {
  readonly caption: string;
  readonly scores: Readonly<Partial<Record<string, Score>>>;
}

/** Scores with the reasons that judges or rules gave; those without a value are folded, and those that the protocol does not ask for left out. */
export function Scores({ caption, scores }: ScoresProps) {
  const asked = scorers.flatMap(({ key, title, question }) => {
    const score = scores[key];
    return score === undefined || (score.value === null && score.reason === 'not-asked')
      ? []
      : [{ key, title, question, score }];
  });
  if (asked.length === 0) return null;
  const unscored = asked.filter(({ score }) => score.value === null);
  const rows = asked.filter(({ score }) => score.value !== null);
  return (
    <>
      {rows.length > 0 && <ScoreTable caption={caption} rows={rows} />}
      {unscored.length > 0 && (
        <details>
          <summary>{`Without a score: ${unscored.map(({ title }) => title).join(', ')}`}</summary>
          <ScoreTable caption={`${caption}: why there is none`} rows={unscored} />
        </details>
      )}
    </>
  );
}

/** The first score that was asked for, in a line; the others are below. */
export function Headline({ scores }: Pick<ScoresProps, 'scores'>) {
  const first = scorers.find(({ key }) => scores[key]?.value != null);
  const value = first === undefined ? null : (scores[first.key]?.value ?? null);
  if (first === undefined || value === null) return null;
  return (
    <p class="lead" title={first.question}>
      {`${first.title} `}
      <strong>{fixedDigitsText(value)}</strong>
    </p>
  );
}

interface ScoreTableProps {
  readonly caption: string;
  readonly rows: readonly {
    readonly key: string;
    readonly title: string;
    readonly question: string;
    readonly score: Score;
  }[];
}

function ScoreTable({ caption, rows }: ScoreTableProps) {
  return (
    <table class="scores">
      <caption>{caption}</caption>
      <tbody>
        {rows.map(({ key, title, question, score }) => (
          <tr key={key}>
            <th scope="row" class="text" title={question}>
              {title}
            </th>
            <td>{score.value === null ? score.reason : fixedDigitsText(score.value, 3)}</td>
            <td class="text">
              <UntrustedText text={score.explanation} />
              {score.votes?.map(({ judge, verdict, reason, why }) => (
                <div key={judge} class="faint">
                  <UntrustedText
                    text={`${judge}: ${verdict === null ? (reason ?? 'no verdict') : verdict ? 'passed' : 'failed'}. ${why}`}
                  />
                </div>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
