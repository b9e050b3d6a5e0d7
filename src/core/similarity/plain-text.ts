/** Normalizes letter case and white space. */
export const normalizeCaseAndSpace = (text: string): string =>
  text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
