import { z } from 'zod';

/** Numbers of one request to erase payers. */
export const MAX_ERASED_PAYERS = 100;
/** Records that one page looks at; one request erases at most as many. */
export const PAYER_PAGE = 2_000;

/** In bodies only: a number in a path would be logged. Numbers as normaliseMsisdn returns them. */
const payers = {
  merchantId: z.uuid(),
  msisdns: z
    .array(z.string().regex(/^01[3-9]\d{8}$/))
    .min(1)
    .max(MAX_ERASED_PAYERS),
};
const ids = z.array(z.uuid()).max(PAYER_PAGE).default([]);

/** sms-ingest and intent-api `POST /internal/v1/payers/find`: the records of a page that contain one of the numbers. */
export const findPayersRequestSchema = z.object({ ...payers, after: z.uuid().nullable() });
export type FindPayersRequest = z.infer<typeof findPayersRequestSchema>;

/** `next` is the `after` of the next page, null after the last one. A page may be empty. */
export const payerPageSchema = z.object({ ids: z.array(z.uuid()), next: z.uuid().nullable() });
export type PayerPage = z.infer<typeof payerPageSchema>;

/**
 * sms-ingest, intent-api and reconciler `POST /internal/v1/payers/erase`: erases the numbers in these records.
 * Idempotent.
 */
export const erasePayersRequestSchema = z.object({ ...payers, smsEventIds: ids, paymentIntentIds: ids });
export type ErasePayersRequest = z.infer<typeof erasePayersRequestSchema>;

/** `openIds`: records that are not decided yet and keep the numbers. */
export const erasedPayersSchema = z.object({ erased: z.int().nonnegative(), openIds: z.array(z.uuid()) });
export type ErasedPayers = z.infer<typeof erasedPayersSchema>;
