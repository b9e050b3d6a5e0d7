/** Stands where figures are no evidence about models. */
export const offlineCaveat = 'Rules stood in for models.';

/** Joins what figures rest on; what does not hold is null. */
export function sayBasis(parts: readonly (string | null)[]): string {
  const text = parts.filter((part) => part !== null).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Formats a count with what is counted: `1 unit`, `1,200 units`. */
export const countText = (count: number, of: string): string =>
  `${count.toLocaleString('en')} ${of}${count === 1 ? '' : 's'}`;
