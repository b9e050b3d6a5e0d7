/** Normalizes letter case and white space. */
export const plainText = (text: string): string => text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
