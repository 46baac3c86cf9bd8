/** A one-time code, which a reader could use. Examples: "Your bKash OTP", "verification code is 123456". */
const ONE_TIME_PASSWORD = /\botp\b|one[- ]time[- ](?:password|pin|code)|verification code|security code|ওটিপি/i;

/** Whether the text must not be shown. */
export function holdsOneTimePassword(message: string, kind: string | null): boolean {
  return kind === 'OTP' || ONE_TIME_PASSWORD.test(message);
}

/** A text with masked digits, for developers of parsers. */
export function maskedText(message: string): string {
  return message.replace(/\p{Nd}/gu, '0');
}
