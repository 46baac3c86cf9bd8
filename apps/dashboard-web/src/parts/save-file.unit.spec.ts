import { fileNameOf, saveFile } from './save-file';

it('takes the name of a file from its response, and never a path', () => {
  expect(fileNameOf('attachment; filename="payments-live-2026-11-23.csv"')).toBe('payments-live-2026-11-23.csv');
  expect([fileNameOf(null), fileNameOf('inline'), fileNameOf('attachment; filename="../x"')]).toEqual([
    ...['export', 'export', 'export'],
  ]);
});

it('saves no part of a file that ends early, and reports that it ended early', async () => {
  const cut = new Response(
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('id,amount'));
        controller.error(new TypeError('terminated'));
      },
    }),
  );

  await expect(saveFile(cut)).rejects.toMatchObject({ status: 0, code: 'interrupted' });
});
