/**
 * Sentences that say more about a refusal than its code. `<name>` is replaced by a value. The dashboard has each of
 * them in Bangla, too.
 */
export const REFUSAL_DETAILS = {
  sinceInFuture: 'since must not be in the future',
  clockMovesForward: 'to: a test clock only moves forward.',
  clockTooFar: 'to: must be at most 30 days in the future.',
  expiryInPast: 'expiresAt: the expiry must be in the future',
  passwordIsEmail: 'password must not be the e-mail address',
  passwordIsCommon: 'password must not be one of the most common passwords',
  newPasswordIsSame: 'newPassword must differ from the current password',
  newPasswordIsEmail: 'newPassword must not be the e-mail address',
  newPasswordIsCommon: 'newPassword must not be one of the most common passwords',
  assigneeMayNotDecide: 'assigneeId: must be a person of the merchant who may decide',
  otherReceiver: 'sims: <id> is no receiver account of this merchant and environment',
  endpointSilent: 'The endpoint could not be asked: <outcome>.',
  endpointAnsweredOtherwise:
    'The endpoint answered <status> with <response>; expected 2xx with {"challenge": "..."} as it was sent.',
  endpointMoved: 'The URL of the endpoint was changed during the verification. Verify it again.',
  testEndpointRefused: 'The hosted test endpoint was refused: <answer>',
  testEndpointUnverified: 'The hosted test endpoint was not verified: <answer>',
  urlTooLong: 'url must be at most <most> characters',
  urlNotHttp: 'url must be an absolute http or https URL',
  urlNotHttps: 'url must use https for LIVE endpoints',
  urlHasUser: 'url must not contain user info',
  urlHasFragment: 'url must not contain a fragment',
  urlPort: 'url must use port 80, 443 or one from 1024 up',
  urlNotPublic: 'url must point to a public address',
} as const;

export type RefusalDetail = (typeof REFUSAL_DETAILS)[keyof typeof REFUSAL_DETAILS];

/** The sentence with its values. */
export function refusalDetail(
  name: keyof typeof REFUSAL_DETAILS,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return REFUSAL_DETAILS[name].replace(/<(\w+)>/g, (_, key: string) => String(values[key] ?? ''));
}
