import { shownSender } from './shown-sender';

it.each([
  ['bKash', 'bKash'],
  ['16247', '16247'],
  ['BKASH-2026', 'BKASH-2026'],
  ['01711000201', 'XXXXXXXX201'],
  ['+880 1711-000201', '+XXX XXXX-XXX201'],
  ['০১৭১১০০০২০১', 'XXXXXXXX২০১'],
])('%s is shown as %s', (sender, shown) => {
  expect(shownSender(sender)).toBe(shown);
});
