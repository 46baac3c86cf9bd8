import { fileNameOf } from './save-file';

it('takes the name of a file from its response, and never a path', () => {
  expect(fileNameOf('attachment; filename="payments-live-2026-11-23.csv"')).toBe('payments-live-2026-11-23.csv');
  expect([fileNameOf(null), fileNameOf('inline'), fileNameOf('attachment; filename="../x"')]).toEqual([
    ...['export', 'export', 'export'],
  ]);
});
