import { describe, expect, it } from 'vitest';
import { placeholders, replacePlaceholdersByUris, removeOurPlaceholders } from '#core/values/placeholders.ts';
import { valuePassingTransitions } from '#core/traces/tool-sequence.ts';
import { stepFrom } from '../scoring/steps.ts';

const made = [
  placeholders.blob('image', 'image/png', 1_500_000),
  placeholders.blob('audio', 'audio/ogg; codecs=opus', 3),
  placeholders.part('hologram', 42),
  placeholders.moreParts(149_000),
  placeholders.cut,
];

describe('placeholders', () => {
  it.each(made)('are not the words of a server: %s', (placeholder) => {
    expect(removeOurPlaceholders(`before ${placeholder} after`).split(/\s+/)).toEqual(['before', 'after']);
    expect(replacePlaceholdersByUris(`before\n${placeholder}\nafter`, false).split(/\s+/)).toEqual(['before', 'after']);
  });

  it.each([
    placeholders.link('file:///b'),
    placeholders.textResource('file:///b'),
    placeholders.blobResource('file:///b', 'no type', 12),
  ])('keep the URI that the server gave: %s', (placeholder) => {
    expect(replacePlaceholdersByUris(placeholder, false)).toBe('file:///b');
    expect(removeOurPlaceholders(placeholder).trim()).toBe('');
  });

  it('are found where an excerpt ends within one', () => {
    expect(replacePlaceholdersByUris('see\n[image image/png, 15000', true).trim()).toBe('see');
    expect(replacePlaceholdersByUris('[{"name":"report.txt"},{"na', true)).toBe('[{"name":"report.txt"},{"na');
  });
});

describe('a value that only a placeholder holds', () => {
  const photo = { ...stepFrom('huge/take_photo'), text: 'taken\n[image image/png, 1500000 bytes]', turn: 1 };
  const linked = (name: string) => ({ ...stepFrom('huge/link_file'), arguments: { name }, turn: 2 });
  it.each(['[image image/png, 1500000 bytes]', '1500000', 'image/png', '[cut off here]'])(
    'is not passed on: %s',
    (name) => {
      expect(valuePassingTransitions({ steps: [photo, linked(name)] }, 'link a photo')).toEqual([]);
    },
  );

  it('does not keep a value of the server from being passed on', () => {
    const steps = [
      { ...photo, text: `${photo.text}\n[resource link file:///photo-7.png]` },
      linked('file:///photo-7.png'),
    ];
    expect(valuePassingTransitions({ steps }, 'link a photo')).toEqual([['huge/take_photo', 'huge/link_file']]);
  });
});
