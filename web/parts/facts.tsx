import type { ComponentChildren } from 'preact';

/** A fact and its name; none without a value. */
export type Fact = readonly [name: string, value: ComponentChildren];

/** Names and values, one below the other. */
export const Facts = ({ of }: { readonly of: readonly Fact[] }) => (
  <dl class="facts">
    {of
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
  </dl>
);
