import { changedMigrations } from './changed-migrations';

const line = (name: string, digit: string) => `-- migration ${name} ${digit.repeat(64)}\n`;

describe('changedMigrations', () => {
  it('names a migration whose checksum differs, and none that is new, gone or the same', () => {
    const before =
      line('20260101000000-same', 'a') + line('20260102000000-changed', 'a') + line('20260103000000-gone', 'a');
    const after =
      line('20260101000000-same', 'a') + line('20260102000000-changed', 'b') + line('20260104000000-new', 'c');
    expect(changedMigrations(before, after)).toEqual(['20260102000000-changed']);
  });
});
