/** What a notice says to whom it is for. An unknown kind is of a newer version of the service. */
export function noticeText(kind: string, details: Readonly<Record<string, unknown>>): string {
  switch (kind) {
    case 'login_limited':
      return (
        `Somebody has tried wrong passwords or codes for your account, last from ${String(details['address'])}. ` +
        'Your known browsers can still log in. If it was not you, choose a password that you use nowhere else and switch two-factor ' +
        'authentication on.'
      );
    default:
      return 'Something has happened that this version cannot describe.';
  }
}
