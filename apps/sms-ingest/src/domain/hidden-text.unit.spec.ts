import { holdsOneTimePassword, maskedText } from './hidden-text';

it.each([
  ['Your bKash verification code is 000000.', null],
  ['Your bKash OTP for PAYMENT of Tk.50.00 to TEA HOUSE is 000000.', null],
  ['Use one-time password 000000 for your card.', null],
  ['আপনার ওটিপি ০০০০০০', null],
  ['something else', 'OTP'],
])('a text with a one-time password is not shown: %s', (message, kind) => {
  expect(holdsOneTimePassword(message, kind)).toBe(true);
});

it('a text about money is shown, also if a name contains the letters', () => {
  expect(
    holdsOneTimePassword('You have received Tk 5.00 from 01700000101. Ref potpourri.', 'SEND_MONEY_RECEIVED'),
  ).toBe(false);
});

it('digits of every script are masked', () => {
  expect(maskedText('Tk 1,250.50 from ০১৭১২৩৪৫৬৭৮')).toBe('Tk 0,000.00 from 00000000000');
});
