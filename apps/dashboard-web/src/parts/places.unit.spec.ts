import { environmentOf, placeOf, samePlaceIn } from './places';

it('reads the environment from the first segment of the address', () => {
  expect([environmentOf('sandbox'), environmentOf('live')]).toEqual(['SANDBOX', 'LIVE']);
  expect([environmentOf('LIVE'), environmentOf('test'), environmentOf(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('writes addresses that contain the environment', () => {
  expect(placeOf('LIVE', 'payments', 'a/b')).toBe('/live/payments/a%2Fb');
});

it('leaves an object when the environment is switched', () => {
  expect(samePlaceIn('LIVE', '/sandbox/payments/123')).toBe('/live/payments');
  expect(samePlaceIn('SANDBOX', '/')).toBe('/sandbox/overview');
});
