/** What is said first where figures are no evidence about models. */
export const offlineCaveat = 'rules stood in for models';

/** Joins what figures rest on; what does not hold is null. */
export function sayBasis(parts: readonly (string | null)[]): string {
  const text = parts.filter((part) => part !== null).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
