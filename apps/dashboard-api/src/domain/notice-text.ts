/** What a notice says to whom it is for. An unknown kind is of a newer version of the service. */
export function noticeText(kind: string, details: Readonly<Record<string, unknown>>): string {
  switch (kind) {
    case 'login_limited':
      return (
        `Somebody has tried wrong passwords or codes for your account, last from ${String(details['address'])}. ` +
        'Your known browsers can still log in. If it was not you, choose a password that you use nowhere else and switch two-factor ' +
        'authentication on.'
      );
    case 'number_shared':
      return (
        `Another merchant has registered your number ${String(details['msisdn'])} for LIVE too. Payments of the two never mix. Prove that ` +
        'the number is yours, and the other merchant loses it.'
      );
    case 'number_lost':
      return (
        `Another merchant has proven that the number ${String(details['msisdn'])} is its own, and your LIVE accounts on it are switched ` +
        'off. If you have its SIM, prove it too: the latest proof counts.'
      );
    default:
      return 'Something has happened that this version cannot describe.';
  }
}
