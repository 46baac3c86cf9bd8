import { dataSource } from './data-source';

const nothing = () => undefined;
const SETTINGS = {
  poolSize: 1,
  applicationName: 'spec',
  statementTimeoutMs: 0,
  log: { info: nothing, warn: nothing, error: nothing },
};

function hostOf(url: string): unknown {
  const { options } = dataSource({ ...SETTINGS, url });
  return 'extra' in options ? (options.extra as { readonly host?: string }).host : undefined;
}

describe('the host of a database URL', () => {
  it('is the folder of a Unix socket if the URL names one, as in libpq', () => {
    expect(hostOf('postgres://role:secret@127.0.0.1:5432/pay?host=%2Frun%2Fpg')).toBe('/run/pg');
  });

  it('is taken from the URL if it names no folder', () => {
    expect(hostOf('postgres://role:secret@127.0.0.1:5432/pay')).toBeUndefined();
  });
});
