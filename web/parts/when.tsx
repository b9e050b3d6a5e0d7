/** A point in time, in the reader's own zone. */
export const LocalTime = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={at}>
    {new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}
  </time>
);
