import { listChangedWords } from '#core/reports/watch/changed-words.ts';
import { UntrustedText } from '../parts/outside-text.tsx';

interface ChangedWordsProps {
  readonly before: string;
  readonly now: string;
}

/** A text before and now in one: what is gone is struck out, what is new is marked; characters that hide are visible. */
export const ChangedWords = ({ before, now }: ChangedWordsProps) => (
  <blockquote>
    {listChangedWords(before, now).map(([kind, text], index) => {
      const Mark = ({ same: 'span', gone: 'del', new: 'ins' } as const)[kind];
      return (
        <Mark key={index}>
          <UntrustedText text={text} />
        </Mark>
      );
    })}
  </blockquote>
);
