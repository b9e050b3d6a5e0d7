import { showHiddenCharacters } from '#core/leaderboards/visible-text.ts';

/** Shows a text from outside, such as the name of a tool: what it hides is visible, and it cannot reorder what is around it. */
export const UntrustedText = ({ text }: { readonly text: string }) => <bdi>{showHiddenCharacters(text)}</bdi>;

/** Shows a longer text from outside with its line breaks and tabs. */
export const UntrustedTextWithLineBreaks = ({ text }: { readonly text: string }) => (
  <bdi>{text.split(/(\r?\n|\t)/).map((part, index) => (index % 2 === 1 ? part : showHiddenCharacters(part)))}</bdi>
);
