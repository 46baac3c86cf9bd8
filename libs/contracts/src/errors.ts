/**
 * Every business error the API answers, with its HTTP status and default text. The code is the contract; the text may grow.
 * `duplicate_trx_id` is lower case because the specification spells it so.
 */
export const ERRORS = {
  UNAUTHORIZED: { status: 401, message: 'The credential is missing or not valid.' },
  TOTP_REQUIRED: { status: 401, message: 'Two-factor authentication is on. Send the same again with a code.' },
  PAIRING_REFUSED: { status: 401, message: 'This pairing is not valid, or not any more. Ask for a new one.' },
  FORBIDDEN: { status: 403, message: 'The credential does not allow this.' },
  UNSIGNED_TEXTS_REFUSED: {
    status: 403,
    message:
      'This forwarder app does not sign the text of an SMS, so LIVE refuses its requests. Use an app that signs the text, or let an OWNER ' +
      'allow unsigned texts for this device in the dashboard.',
  },
  NOT_FOUND: { status: 404, message: 'Nothing with this id exists in this merchant and environment.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This path does not answer that method.' },
  INTENT_EXPIRED: { status: 409, message: 'The payment intent is past its expiry. Create a new intent.' },
  INTENT_NOT_PENDING: { status: 409, message: 'The payment intent is already in a final state.' },
  METHOD_FIXED: { status: 409, message: 'The merchant has fixed the payment method of this intent.' },
  CUSTOMER_REFERENCE_TAKEN: {
    status: 409,
    message: 'customerReference is already used by another intent of this merchant and environment.',
  },
  API_KEY_NOT_ACTIVE: { status: 409, message: 'This API key is revoked, expired or locked.' },
  API_KEY_LIMIT_REACHED: {
    status: 409,
    message: 'This merchant has as many API keys in this environment as it may have. Revoke one first.',
  },
  LAST_OWNER: { status: 409, message: 'A merchant keeps at least one active OWNER. Name another one first.' },
  EMAIL_TAKEN: {
    status: 409,
    message: 'This e-mail address has an account already. Log in with it and accept the invitation there.',
  },
  ALREADY_MEMBER: { status: 409, message: 'The person with this e-mail address belongs to this merchant already.' },
  INVITATION_OPEN: { status: 409, message: 'This e-mail address has an open invitation. Revoke it first.' },
  INVITATION_LIMIT_REACHED: { status: 409, message: 'This merchant has invited as many people as it may in a day.' },
  INVITATION_ACCEPTED: { status: 409, message: 'This invitation has been accepted. Deactivate the user instead.' },
  RECEIVER_ACCOUNT_EXISTS: { status: 409, message: 'This merchant has this number for this payment method already.' },
  RECEIVER_NUMBER_TAKEN: {
    status: 409,
    message: 'Another merchant has proven that this number is its own. Prove that it is yours first.',
  },
  NUMBER_PROOF_LIMIT_REACHED: {
    status: 409,
    message: 'This merchant has as many open proofs of numbers as it may have.',
  },
  DEVICE_DISABLED: { status: 409, message: 'This device is disabled. Enable it first.' },
  UNSIGNED_TEXTS_NOT_ALLOWED: {
    status: 409,
    message:
      'This forwarder app does not sign the text of an SMS. Whoever learns the address of the hook can forge a payment. In LIVE an OWNER ' +
      'must first allow unsigned texts for this device.',
  },
  TWO_FACTOR_ON: { status: 409, message: 'Two-factor authentication is on already. Switch it off first.' },
  TWO_FACTOR_NOT_BEGUN: { status: 409, message: 'Two-factor authentication has not been begun. Enrol first.' },
  REASON_REQUIRED: { status: 422, message: 'reason is required to relax a signal that was not relaxed before.' },
  TOO_MANY_HOOKS: { status: 409, message: 'This device has the most hooks that one may have. Delete one first.' },
  TIME_OUT_OF_RANGE: { status: 409, message: 'A time of the request must be in the future, or must not be.' },
  ENDPOINT_NOT_ACTIVE: { status: 409, message: 'This endpoint is switched off, or LIVE and not verified.' },
  ENDPOINT_LIMIT_REACHED: {
    status: 409,
    message: 'This merchant has as many webhook endpoints in this environment as it may have. Delete one first.',
  },
  ENDPOINT_HOST_UNVERIFIED: {
    status: 409,
    message:
      'url has the host and port of another endpoint of yours that is not verified. Verify or delete that one first.',
  },
  CURSOR_AHEAD: {
    status: 409,
    message: 'after is beyond the last event of this feed. Read on from the cursor of the last event.',
  },
  EXCEPTION_DECIDED: { status: 409, message: 'This has been decided already.' },
  EXCEPTION_NOT_CLOSED: { status: 409, message: 'Only what a person has set aside can be opened again.' },
  NO_INTENT_TO_APPROVE: { status: 409, message: 'This leads to no payment intent. Link it to one.' },
  NO_MONEY_READ: { status: 409, message: 'No money was read from this text, so it can pay nothing.' },
  INTENT_NOT_IN_REVIEW: { status: 409, message: 'Only a payment intent that is REVIEW_REQUIRED can be rejected.' },
  AMOUNT_DIFFERS: {
    status: 409,
    message: 'The amounts differ. Send acknowledgeAmountDifference with expectedAmount and receivedAmount as they are.',
  },
  METHOD_DIFFERS: {
    status: 409,
    message: 'The money came by a method that the intent never showed. Send acknowledgeMethodMismatch.',
  },
  RECEIVER_DIFFERS: {
    status: 409,
    message: 'The money came in on a number that the intent never showed. Send acknowledgeReceiverMismatch.',
  },
  NAMES_ANOTHER_INTENT: {
    status: 409,
    message: 'The text names another payment intent that is still to be paid. Send acknowledgeReferenceMismatch.',
  },
  duplicate_trx_id: { status: 409, message: 'This transaction id has already been used for another payment.' },
  CURSOR_EXPIRED: { status: 410, message: 'Events after this cursor are no longer kept. Start without one.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is larger than this route accepts.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The request body must be application/json.' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'idempotencyKey was already used with other parameters.',
  },
  RECEIVER_ACCOUNT_NOT_CONFIGURED: {
    status: 422,
    message: 'No active receiver account exists for this merchant, environment and payment method.',
  },
  ENDPOINT_URL_NOT_ALLOWED: { status: 422, message: 'The webhook endpoint address is not allowed.' },
  ENDPOINT_VERIFICATION_FAILED: { status: 422, message: 'The endpoint did not answer its challenge.' },
  INVITATION_NOT_VALID: { status: 422, message: 'This invitation is not valid, or not any more. Ask for a new one.' },
  PASSWORD_NOT_ALLOWED: { status: 422, message: 'This password is too easy to guess. Choose another one.' },
  PASSWORD_WRONG: { status: 422, message: 'The password is wrong.' },
  CODE_WRONG: { status: 422, message: 'The code is wrong, or has been used already.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Retry after the time in Retry-After.' },
  BUSY: {
    status: 429,
    message:
      'More is on the way than can be stored right now. Nothing of this was taken; send it again after the time in Retry-After.',
  },
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side. Quote the request id to support.' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'The service cannot answer right now. Retry shortly.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Body of every error that is not a validation error (spec section 7). */
export interface BusinessErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
}

/** Body of a validation error: one sentence per problem, each naming its field (spec section 7). */
export interface ValidationErrorBody {
  readonly statusCode: 400;
  readonly message: readonly string[];
  readonly error: 'Bad Request';
}
