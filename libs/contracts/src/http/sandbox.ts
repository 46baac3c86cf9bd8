import { z } from 'zod';
import { environmentSchema } from '../environment';
import { authenticitySchema, smsSignalSchema } from '../events/sms-events';
import { formatAmount } from '../money';
import { normaliseMsisdn } from '../msisdn';
import { METHODS_WITHOUT_REFERENCE } from '../method-texts';
import { paymentMethodSchema } from '../payment-method';
import { checksSchema, intentStatusSchema, matchPathSchema, matchStatusSchema, smsStatusSchema } from '../status';
import { amountInput, AMOUNTS_FROM_ZERO, INTENT_AMOUNTS } from './amount-input';
import { matchCandidateSchema } from './exceptions';
import { withParsedNames } from './parsed-names';
import { paymentMethodInput, requestBody } from './request-body';
import { boundedText, factTimeText, MSISDN_TEXT } from './request-values';
import { MAX_SMS_TEXT_LENGTH } from './sms-events';
import { sandboxEnvironment, timestamp } from './request-fields';

/**
 * The device id of all simulated SMS. sms-ingest stores it with SANDBOX events alone, and a constraint of its database
 * repeats that.
 */
export const SIMULATOR_DEVICE_ID = '00000000-0000-8000-8000-000000000001';

/** Example: "500.5". */
const amountText = (field: string, range: typeof INTENT_AMOUNTS | typeof AMOUNTS_FROM_ZERO) => {
  const { least, most } = range;
  const refused = `${field} must be an amount in BDT from ${formatAmount(least)} to ${formatAmount(most)}, with at most two decimals`;
  return amountInput(range, `${field} must be a number or a decimal string`, () => refused).transform(formatAmount);
};

const msisdn = (field: string) =>
  z
    .string({ error: `${field} is required and must be a string` })
    .meta(MSISDN_TEXT)
    .transform((text, context) => {
      const number = normaliseMsisdn(text);
      if (number !== undefined) return number;
      context.addIssue({
        code: 'custom',
        message: `${field} must be a mobile number of Bangladesh such as 01712345678`,
      });
      return z.NEVER;
    });

/** Fields that the simulator composes a provider's text from. */
export const composedSmsSchema = requestBody({
  environment: sandboxEnvironment,
  paymentMethod: paymentMethodInput,
  amount: amountText('amount', INTENT_AMOUNTS),
  customerReference: boundedText('customerReference', { max: 50, trimmed: true })
    .nullish()
    .meta({
      description: `The reference that the payer entered. Texts of ${METHODS_WITHOUT_REFERENCE.join(', ')} contain no reference; the value is omitted for them.`,
      examples: ['TEA-77'],
    }),
  receiverMsisdn: msisdn('receiverMsisdn').meta({ description: 'Number of the wallet that receives the SMS.' }),
  senderMsisdn: msisdn('senderMsisdn').meta({
    description: 'Number of the payer. BKASH_PAYMENT texts mask it, as bKash does.',
  }),
  trxId: z
    .string({ error: 'trxId must be a string' })
    .regex(/^(?:[0-9A-Z]{8}|[0-9A-Z]{10})$/, 'trxId must be 8 (Nagad) or 10 (bKash) capital letters and digits')
    .meta({ minLength: 8, maxLength: 10 })
    .nullish()
    .meta({
      description:
        'Ten characters for bKash, eight for Nagad; with another length the SMS is UNPARSED. Default: a new one of the day of the payment.',
    }),
  fee: amountText('fee', AMOUNTS_FROM_ZERO).nullish().meta({
    description:
      'bKash texts: `Fee`, default 0.00. NAGAD_CASHOUT: `Comm`, default 0.41 % of the amount. Other Nagad texts contain no fee.',
  }),
  balance: amountText('balance', AMOUNTS_FROM_ZERO)
    .nullish()
    .meta({ description: 'Balance after the payment. Default: it continues the balance chain of the wallet.' }),
  receivedAt: factTimeText('receivedAt').nullish().meta({ description: 'Time of the payment. Default: now.' }),
});

/** A text that is sent as given. */
export const rawSmsSchema = requestBody({
  environment: sandboxEnvironment,
  sender: boundedText('sender', { max: 64, missing: 'sender is required and must be a string', trimmed: true }).meta({
    examples: ['bKash'],
  }),
  message: boundedText('message', { max: MAX_SMS_TEXT_LENGTH, missing: 'message is required and must be a string' }),
  receiverMsisdn: boundedText('receiverMsisdn', {
    max: 20,
    missing: 'receiverMsisdn is required and must be a string',
    trimmed: true,
  }),
  receivedAt: factTimeText('receivedAt').nullish().meta({ description: 'Default: now.' }),
});

/** Body of the simulator: `message` decides which of the two shapes applies. */
export const anySimulationSchema = z.looseObject({}, { error: 'body must be a JSON object' });
export const describedSimulationSchema = z.union([
  composedSmsSchema.extend({ message: z.never().optional() }),
  rawSmsSchema,
]);

/** sms-ingest `POST /internal/v1/sandbox/sms`: what dashboard-api has validated, for the tenant of the headers. */
export const internalSimulationSchema = z.union([
  z.object({ raw: rawSmsSchema.omit({ environment: true }) }),
  z.object({ composed: composedSmsSchema.omit({ environment: true }) }),
]);
export type InternalSimulation = z.infer<typeof internalSimulationSchema>;

/** The SMS as it was sent. */
const simulatedTextSchema = z.object({
  sender: z.string(),
  message: z.string(),
  receiverMsisdn: z.string(),
  receivedAt: timestamp,
});

/** A stored SMS event with what the parser read, in answers of sms-ingest. */
export const internalParsedSmsSchema = z.object({
  id: z.uuid(),
  status: smsStatusSchema,
  /** Whether the SMS repeats an earlier one; the event is the earlier one then. */
  duplicate: z.boolean(),
  provider: z.string().nullable(),
  kind: z.string().nullable(),
  paymentMethod: paymentMethodSchema.nullable(),
  amount: z.string().nullable(),
  fee: z.string().nullable(),
  commission: z.string().nullable(),
  balance: z.string().nullable(),
  trxId: z.string().nullable(),
  reference: z.string().nullable(),
  senderMsisdn: z.string().nullable(),
  receiverAccountId: z.uuid().nullable(),
  receiverMsisdn: z.string().nullable(),
  providerTime: timestamp.nullable(),
  parserVersion: z.string(),
  authenticity: authenticitySchema.nullable(),
  signals: z.array(smsSignalSchema),
  /** Why it is UNPARSED. */
  failureReason: z.string().nullable(),
});
export const parsedSmsEventSchema = z
  .object(withParsedNames(internalParsedSmsSchema.shape))
  .meta({ id: 'ParsedSmsEvent' });

export const internalSimulationResponseSchema = z.object({
  sms: simulatedTextSchema,
  smsEvent: internalParsedSmsSchema,
});
export type InternalSimulationResponse = z.infer<typeof internalSimulationResponseSchema>;

/** reconciler `GET /internal/v1/sms-events/:id/match`: the match of an SMS; null while it is not decided. */
export const smsMatchSchema = z
  .object({
    id: z.uuid(),
    environment: environmentSchema,
    smsEventId: z.uuid(),
    paymentIntentId: z.uuid().nullable(),
    path: matchPathSchema.nullable(),
    status: matchStatusSchema,
    reason: z.string(),
    checks: checksSchema.nullable(),
    expectedAmount: z.string().nullable(),
    receivedAmount: z.string().nullable(),
    paidInTime: z.boolean().nullable(),
    doubts: z.array(z.string()),
    /** A reconciler of the version before sends neither candidates nor an assignee. */
    candidates: z.array(matchCandidateSchema).default([]),
    assigneeId: z.uuid().nullable().default(null),
    /** A reconciler of the version before sends `user:` and the id. */
    resolvedBy: z.preprocess(
      (person) => (typeof person === 'string' ? person.replace(/^user:/, '') : person),
      z.uuid().nullable(),
    ),
    resolutionNote: z.string().nullable(),
    createdAt: timestamp,
    resolvedAt: timestamp.nullable(),
  })
  .meta({ id: 'Match' });
export type SmsMatch = z.infer<typeof smsMatchSchema>;
export const internalSmsMatchSchema = z.object({ match: smsMatchSchema.nullable() });
export type InternalSmsMatch = z.infer<typeof internalSmsMatchSchema>;

/** The intent of a match, as intent-api has committed it. */
export const simulatedIntentSchema = z.object({
  id: z.uuid(),
  status: intentStatusSchema,
  amount: z.string(),
  currency: z.literal('BDT'),
  customerReference: z.string(),
  merchantReference: z.string().nullable(),
  paymentMethod: paymentMethodSchema.nullable(),
  receiverMsisdn: z.string().nullable(),
  expiresAt: timestamp,
  paidAt: timestamp.nullable(),
});

/** 200 answer of the simulator. */
export const simulationResponseSchema = z
  .object({
    sms: simulatedTextSchema,
    smsEvent: parsedSmsEventSchema,
    match: smsMatchSchema.nullable().meta({ description: 'Null if it was not decided in time; see `isDecided`.' }),
    paymentIntent: simulatedIntentSchema.nullable().meta({ description: 'The intent of the match, if it has one.' }),
    isDecided: z.boolean().meta({
      description: 'False if the match or its effect on the intent was not there after five seconds. It follows later.',
    }),
  })
  .meta({ id: 'Simulation' });
export type SimulationResponse = z.infer<typeof simulationResponseSchema>;
