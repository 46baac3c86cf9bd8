import { FORWARDERS, SECRET_USE } from '@pay/contracts';
import { settingsOf } from './forwarder-settings';

it.each(FORWARDERS)('contain the address for %s, and the secret if the app has a field for it', (adapter) => {
  const values = settingsOf(adapter, 'https://pay.example.com/hook', 'a-secret').map(({ value }) => value);

  expect(values).toContain('https://pay.example.com/hook');
  expect(values.some((value) => value.includes('a-secret'))).toBe(SECRET_USE[adapter] !== 'nothing');
});
