import { z } from 'zod';
import { environmentSchema } from '../../environment';
import { receiverLimitsSchema } from '../../events/directory-events';
import { formatAmount } from '../../money';
import { normaliseMsisdn } from '../../msisdn';
import { paymentMethodSchema } from '../../payment-method';
import { amountInput, LIMIT_AMOUNTS } from '../amount-input';
import { pageQuerySchema } from '../pagination';
import { requestBody } from '../request-body';
import { MSISDN_TEXT } from '../request-values';
import { method, name, versioned } from './fields';
import { environmentFilter, requiredEnvironment, timestamp, typedCode, wholeNumber } from '../request-fields';

const limitAmount = (field: string) => {
  const refused = `${field} must be more than 0 and at most ${formatAmount(LIMIT_AMOUNTS.most)}, with at most two decimals`;
  return amountInput(LIMIT_AMOUNTS, `${field} must be an amount in BDT`, () => refused)
    .nullish()
    .transform((amount) => (amount ? formatAmount(amount) : null));
};

/** Replaces all limits; omitted limits are removed. */
const limits = z
  .object(
    {
      dailyAmount: limitAmount('dailyAmount'),
      monthlyAmount: limitAmount('monthlyAmount'),
      dailyCount: wholeNumber('dailyCount', 1, 1_000_000)
        .nullish()
        .transform((count) => count ?? null),
    },
    { error: 'limits must be an object' },
  )
  .nullable()
  .transform((given) => (given && Object.values(given).some((limit) => limit !== null) ? given : null));

const walletNumber = z
  .string({ error: 'msisdn is required and must be a string' })
  .meta({
    ...MSISDN_TEXT,
    description: 'Spaces and dashes are ignored.',
    examples: ['01712345678'],
  })
  .refine(
    (text) => normaliseMsisdn(text) !== undefined,
    'msisdn must be a mobile number of Bangladesh, such as 01712345678',
  );

export const createReceiverAccountRequestSchema = requestBody({
  environment: requiredEnvironment,
  paymentMethod: method('paymentMethod'),
  msisdn: walletNumber,
  label: name('label').nullish(),
  limits: limits.optional(),
});

export const requestNumberProofRequestSchema = requestBody({ msisdn: walletNumber });

export const confirmNumberProofRequestSchema = requestBody({
  code: typedCode,
});

export const numberProofResponseSchema = z.object({
  id: z.uuid(),
  msisdn: z.string(),
  status: z.enum(['REQUESTED', 'CODE_SENT', 'PROVEN', 'EXPIRED', 'CLOSED']),
  createdAt: timestamp,
  /** Of the request, and of the code once it was sent. */
  expiresAt: timestamp,
  provenAt: timestamp.nullable(),
});
export type NumberProofResponse = z.infer<typeof numberProofResponseSchema>;

export const changeReceiverAccountRequestSchema = requestBody({
  label: name('label').nullish(),
  limits: limits.optional(),
});

export const receiverAccountResponseSchema = z.object({
  id: z.uuid(),
  environment: environmentSchema,
  paymentMethod: paymentMethodSchema,
  msisdn: z.string(),
  label: z.string().nullable(),
  limits: receiverLimitsSchema.nullable(),
  isActive: z.boolean(),
  ...versioned,
});
export type ReceiverAccountResponse = z.infer<typeof receiverAccountResponseSchema>;

/** Received amounts of a receiver account, next to its limits. */
export const receiverUsageSchema = z
  .object({
    id: z.uuid().meta({ description: 'Id of the receiver account.' }),
    dayAmount: z.string().meta({ description: 'Amount paid to the account today.' }),
    monthAmount: z.string().meta({ description: 'Amount paid to the account since the first day of the month.' }),
    dayCount: z.int().nonnegative().meta({ description: 'Number of payments today.' }),
  })
  .meta({ id: 'ReceiverUsage' });
export const receiverUsageListSchema = z.object({
  day: z.iso.date().meta({ description: 'Today in Asia/Dhaka.' }),
  data: z.array(receiverUsageSchema),
});
export type ReceiverUsageList = z.infer<typeof receiverUsageListSchema>;

/**
 * intent-api `POST /internal/v1/receiver-usage`: of receiver accounts that dashboard-api has found to be of one
 * merchant.
 */
export const internalReceiverUsageRequestSchema = z.object({ receiverAccountIds: z.array(z.uuid()).max(1_000) });

/** Query of GET /v1/dashboard/receiver-usage. */
export const receiverUsageQuerySchema = z.object({ environment: environmentFilter });

export const receiverAccountListQuerySchema = pageQuerySchema.extend({
  environment: environmentFilter,
  paymentMethod: method('paymentMethod').optional(),
});
