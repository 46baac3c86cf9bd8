export interface InvitationMail {
  readonly merchantName: string;
  readonly inviterName: string;
  readonly role: string;
  readonly token: string;
  readonly expiresAt: Date;
  /** Page of the dashboard that reads the token after the #; undefined if there is no dashboard. */
  readonly dashboardUrl: string | undefined;
  readonly apiUrl: string;
}

/** The token follows a #, because browsers do not send that part to servers. */
export function invitationMail(given: InvitationMail): { subject: string; text: string } {
  const { merchantName, inviterName, role, token, expiresAt, dashboardUrl, apiUrl } = given;
  const api = apiUrl.replace(/\/+$/, '');
  const how =
    dashboardUrl === undefined
      ? [
          'If you have no account yet, send this token with a password of at least 12 characters:',
          `  POST ${api}/v1/auth/invitations/accept  {"token": "${token}", "password": "..."}`,
          'If you already have an account, log in and send only the token:',
          `  POST ${api}/v1/auth/invitations/join  {"token": "${token}"}`,
        ]
      : [`Accept it here: ${dashboardUrl.replace(/\/+$/, '')}/invitations#${token}`];
  const text = [
    `${inviterName} invites you to ${merchantName}, with the role ${role}.`,
    '',
    ...how,
    '',
    `The invitation can be used once until ${expiresAt.toISOString()}. If you do not know ${merchantName}, ignore this mail.`,
    '',
  ];
  return { subject: `Invitation to ${merchantName}`, text: text.join('\n') };
}
