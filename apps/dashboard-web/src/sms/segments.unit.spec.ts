import { segmentsOf } from './segments';

const MESSAGE = 'You have received Tk 500.00. Ref A1.';

it('cuts a text at its parts and keeps every character', () => {
  const segments = segmentsOf(MESSAGE, [
    { name: 'amount', from: 21, to: 27 },
    { name: 'reference', from: 33, to: 35 },
  ]);

  expect(segments).toEqual([
    { text: 'You have received Tk ' },
    { text: '500.00', name: 'amount' },
    { text: '. Ref ' },
    { text: 'A1', name: 'reference' },
    { text: '.' },
  ]);
  expect(segments.map(({ text }) => text).join('')).toBe(MESSAGE);
});

it('shows a text without parts as it is, and leaves out parts that overlap or lie outside of it', () => {
  expect(segmentsOf(MESSAGE, [])).toEqual([{ text: MESSAGE }]);
  const segments = segmentsOf(MESSAGE, [
    { name: 'amount', from: 21, to: 27 },
    { name: 'fee', from: 24, to: 27 },
    { name: 'balance', from: 30, to: 99 },
  ]);
  expect(segments.map(({ name }) => name)).toEqual([undefined, 'amount', undefined]);
  expect(segments.map(({ text }) => text).join('')).toBe(MESSAGE);
});
