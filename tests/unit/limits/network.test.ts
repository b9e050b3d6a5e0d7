import { expect, test } from 'vitest';
import { networkOfAddress } from '#api/middleware/network-name.ts';

test('an IPv4 address counts separately, an IPv6 address with its /64, and nonsense as one', () => {
  expect(networkOfAddress('203.0.113.7')).toBe('203.0.113.7');
  expect(networkOfAddress('::ffff:203.0.113.7')).toBe('203.0.113.7');
  expect(networkOfAddress('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
  expect(networkOfAddress('2001:DB8:1:2::')).toBe('2001:db8:1:2::/64');
  expect(networkOfAddress('2001:db8:1:3::1')).not.toBe(networkOfAddress('2001:db8:1:2::1'));
  for (const nonsense of ['', 'nobody', '1.2.3.4, 5.6.7.8', '2001:db8::1/64'])
    expect(networkOfAddress(nonsense)).toBe('unknown');
});
