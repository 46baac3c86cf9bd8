/**
 * A code that must not be passed on: whoever reads it in time can use it. Examples: "Your bKash OTP", "verification
 * code is 123456".
 */
const ONE_TIME_PASSWORD = /\botp\b|one[- ]time[- ](?:password|pin|code)|verification code|security code|ওটিপি/i;

/** Whether nobody is shown the text. */
export function holdsOneTimePassword(message: string, kind: string | null): boolean {
  return kind === 'OTP' || ONE_TIME_PASSWORD.test(message);
}

/** A text in which digits are masked, for whoever writes parsers. */
export function maskedText(message: string): string {
  return message.replace(/\p{Nd}/gu, '0');
}
