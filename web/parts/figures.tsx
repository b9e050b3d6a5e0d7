import type { ComponentChildren } from 'preact';

/** A figure, what it is, and what is said beside it in small. */
export type BigFigure = readonly [name: string, value: ComponentChildren, beside?: string];

/** The few figures that a page or a card is about. */
export const Figures = ({ of }: { readonly of: readonly BigFigure[] }) => (
  <dl class="figures">
    {of.map(([name, value, beside]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          {value}
          {beside !== undefined && <small>{` ${beside}`}</small>}
        </dd>
      </div>
    ))}
  </dl>
);
