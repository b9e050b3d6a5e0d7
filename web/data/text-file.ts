/** A text that becomes a file of the reader's. */
export interface TextFile {
  readonly name: string;
  /** Its media type. */
  readonly type: 'text/csv' | 'image/svg+xml';
  readonly text: string;
}
