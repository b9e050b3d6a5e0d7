import { showHiddenCharacters } from '#core/leaderboards/visible-text.ts';

/** Shows a text from outside, such as the name of a tool: what it hides is visible, and it cannot reorder what is around it. */
export const Outside = ({ text }: { readonly text: string }) => <bdi>{showHiddenCharacters(text)}</bdi>;
