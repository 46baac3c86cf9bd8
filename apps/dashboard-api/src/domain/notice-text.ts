/** Text of a notice. An unknown kind comes from a newer version of the service. */
export function noticeText(kind: string, details: Readonly<Record<string, unknown>>): string {
  switch (kind) {
    case 'login_limited':
      return (
        `Log-ins to your account failed repeatedly, most recently from ${String(details['address'])}. ` +
        'Your known browsers can still log in. If it was not you, choose a unique password and enable two-factor ' +
        'authentication.'
      );
    case 'number_shared':
      return (
        `Another merchant has also registered your number ${String(details['msisdn'])} in LIVE. The payments are kept separate. Verify the ` +
        'number to deactivate it for the other merchant.'
      );
    case 'number_lost':
      return (
        `Another merchant has verified the number ${String(details['msisdn'])}, and your LIVE receiver accounts with it are deactivated. ` +
        'If you own the SIM, verify the number too: the latest verification counts.'
      );
    default:
      return 'This version of the service cannot describe this notice.';
  }
}
