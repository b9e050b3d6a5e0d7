/** What an evaluation says to one who wants an attempt: one, that there is none just now, or that there will be none any more. */
export type ClaimAnswer =
  | {
      readonly kind: 'claimed';
      readonly attempt: string;
      readonly request: string;
      /** ISO 8601; until then the response is to be there. */
      readonly deadline: string;
    }
  | { readonly kind: 'wait' }
  | { readonly kind: 'finished' };
