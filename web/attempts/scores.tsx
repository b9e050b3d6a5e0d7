import { fixedDigitsText } from '#core/evaluation/figure-texts.ts';
import type { Score } from '#core/scoring/score.ts';
import { scorers } from '#core/evaluation/scorers.ts';
import { UntrustedText } from '../parts/outside-text.tsx';

interface ScoresProps {
  readonly caption: string;
  readonly scores: Readonly<Partial<Record<string, Score>>>;
}

/** Scores with the reasons that judges or rules gave, without those that the protocol does not ask for. */
export function Scores({ caption, scores }: ScoresProps) {
  const asked = scorers.flatMap(({ key, title, question }) => {
    const score = scores[key];
    return score === undefined || (score.value === null && score.reason === 'not-asked')
      ? []
      : [{ key, title, question, score }];
  });
  if (asked.length === 0) return null;
  return (
    <table class="scores">
      <caption>{caption}</caption>
      <tbody>
        {asked.map(({ key, title, question, score }) => (
          <tr key={key}>
            <th scope="row" class="text" title={question}>
              {title}
            </th>
            <td>{score.value === null ? `unscored: ${score.reason}` : fixedDigitsText(score.value, 3)}</td>
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
