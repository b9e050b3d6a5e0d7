/** The version of the file format for pairs; every release reads it. */
export const pairFormat = 1;
/** The version of the file format for tasks. */
export const taskFormat = 2;
