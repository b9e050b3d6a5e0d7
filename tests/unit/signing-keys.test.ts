import { expect, test } from 'vitest';
import { createApp } from '#api/app.ts';
import { fakeServices } from '../support/fake-services.ts';

const keys = ['A', 'B'].map((letter) => `${letter.repeat(43)}=`);

test('retired keys are returned with the current one, each with its last day', async () => {
  const vars = { RETIRED_SIGNING_KEYS: `${keys[0]}@2026-01-31,${keys[1]}@2026-12-31` };
  const answer = await createApp(fakeServices({}, vars)).request('/v1/signing-key');
  expect(await answer.json()).toMatchObject({
    algorithm: 'Ed25519',
    retired: [
      { publicKey: keys[0], until: '2026-01-31' },
      { publicKey: keys[1], until: '2026-12-31' },
    ],
  });
  expect(await (await createApp(fakeServices()).request('/v1/signing-key')).json()).toMatchObject({ retired: [] });
});

test.each(['nonsense', `${keys[0]}`, `${keys[0]}@2026-01-31,`, `${keys[0]}@2026`])(
  'the setting %s is refused',
  (text) => {
    expect(() => fakeServices({}, { RETIRED_SIGNING_KEYS: text })).toThrow(/RETIRED_SIGNING_KEYS/);
  },
);
