import { describe, expect, it } from 'vitest';
import {
  chooseServerDescriptionOrNull,
  makeModelWrittenDescriptionOrNull,
  pickSelfDescription,
  serverTextChars,
  type KnownDescriptions,
} from '#core/catalog/server-description.ts';

const nothing: KnownDescriptions = { owned: undefined, kept: null, instructions: null, isSameListing: false };

describe('the description of a server', () => {
  it("is the owner's, else the server's instructions, else a model has to be asked", () => {
    const all = { ...nothing, owned: ' Prices ', instructions: 'Ask me for prices.' };
    expect(chooseServerDescriptionOrNull(all)).toEqual({ text: 'Prices', source: 'owner' });
    expect(chooseServerDescriptionOrNull({ ...all, owned: undefined })).toEqual({
      text: 'Ask me for prices.',
      source: 'server',
    });
    expect(chooseServerDescriptionOrNull(nothing)).toBeNull();
  });

  it('of its owner is kept by new listings until the owner withdraws it', () => {
    const kept = { text: 'Prices', source: 'owner' } as const;
    expect(chooseServerDescriptionOrNull({ ...nothing, kept, instructions: 'Other.' })).toEqual(kept);
    expect(chooseServerDescriptionOrNull({ ...nothing, kept, owned: '' })).toBeNull();
  });

  it('by a model is kept as long as the tools are the same', () => {
    const kept = { text: 'Prices', source: 'model' } as const;
    expect(chooseServerDescriptionOrNull({ ...nothing, kept, isSameListing: true })).toEqual(kept);
    expect(chooseServerDescriptionOrNull({ ...nothing, kept })).toBeNull();
    expect(chooseServerDescriptionOrNull({ ...nothing, kept, isSameListing: true, instructions: 'I.' })?.source).toBe(
      'server',
    );
  });

  it('by the server is not kept when the server stops saying it', () => {
    const kept = { text: 'Prices', source: 'server' } as const;
    expect(chooseServerDescriptionOrNull({ ...nothing, kept, isSameListing: true })).toBeNull();
  });

  it('by a model is none where the model wrote nothing', () => {
    expect(makeModelWrittenDescriptionOrNull('  ')).toBeNull();
    expect(makeModelWrittenDescriptionOrNull(null)).toBeNull();
    expect(makeModelWrittenDescriptionOrNull('x'.repeat(9_000))).toEqual({
      text: 'x'.repeat(serverTextChars),
      source: 'model',
    });
  });
});

describe('what a server says about itself', () => {
  it('is kept', () => {
    const info = { name: 'prices-mcp', title: 'Prices', version: '1.2.0', websiteUrl: 'https://example.com' };
    expect(pickSelfDescription(info, ' Ask for prices. ')).toEqual({
      info: { name: 'prices-mcp', title: 'Prices', version: '1.2.0' },
      instructions: 'Ask for prices.',
    });
  });

  it('is cut where it is endless', () => {
    const { info, instructions } = pickSelfDescription({ name: 'n'.repeat(9_000) }, 'i'.repeat(100_000));
    expect(info?.name).toHaveLength(200);
    expect(instructions).toHaveLength(serverTextChars);
  });

  it.each([
    [undefined, undefined],
    [{}, ''],
    ['prices', 7],
    [{ name: 3 }, ['a']],
  ])('is left out if it is %j and %j', (info, instructions) => {
    expect(pickSelfDescription(info, instructions)).toEqual({ info: null, instructions: null });
  });
});
