import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES } from '@pay/contracts';
import { ROOT } from '../arguments';
import { OVERLAYS } from './overlay-rows';
import { LOAD_ROW_NAMES, ROWS } from './rows';

describe('docs/operations.md', () => {
  const page = readFileSync(join(ROOT, 'docs', 'operations.md'), 'utf8');
  const block = (name: string) => new RegExp(`<!-- cluster:${name} -->([\\s\\S]*?)<!-- end -->`).exec(page)?.[1] ?? '';
  const lineOf = (name: string, title: string) =>
    block(name)
      .split('\n')
      .find((line) => line.startsWith(`| ${title} `));

  it.each(LOAD_ROW_NAMES)('has a row for %s, which holds or says that it was not played', (name) => {
    expect(lineOf('rows', ROWS[name].title)).toMatch(/\| (?:not played .*|.*\| yes +)\|$/);
  });

  it('has a row for the payment audit, which finds nothing or says that it was not played', () => {
    expect(lineOf('rows', 'payment audit after all rows')).toMatch(/\| (?:not played .*|.*\| yes +)\|$/);
  });

  it.each([...SERVICES, 'edge'])('has what %s reaches', (name) => {
    expect(lineOf('network', name)).toMatch(/\| yes +\|$/);
  });

  it.each(OVERLAYS)('has what the API server says of the overlay %s', (name) => {
    expect(lineOf('overlays', name)).toMatch(/\| yes +\|$/);
  });

  it.each(SERVICES)('has both start times and the memory at rest and under load of %s', (name) => {
    expect(lineOf('pods', name)).toMatch(/\| \d+ s +\| \d+ s +\| \d+ MiB +\| \d+ MiB +\|$/);
  });
});
