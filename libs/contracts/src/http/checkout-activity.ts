import { z } from 'zod';
import { paymentMethodSchema } from '../payment-method';
import { timestamp } from './request-fields';

/** Events of a checkout. `returned`: the browser was sent back to the shop. */
export const checkoutActionSchema = z.enum(['viewed', 'method_chosen', 'cancelled', 'returned']);
export type CheckoutAction = z.infer<typeof checkoutActionSchema>;

/** One action at a checkout. A repeated one is not listed again; only of a choice the last time is kept, too. */
export const checkoutActivitySchema = z.object({
  action: checkoutActionSchema,
  /** The method that was chosen; null for other actions. */
  paymentMethod: paymentMethodSchema.nullable(),
  /** The status in the redirect to the shop: of the intent, or CANCELLED; null for other actions. */
  outcome: z.string().nullable(),
  firstAt: timestamp,
  lastAt: timestamp,
});
export type CheckoutActivity = z.infer<typeof checkoutActivitySchema>;

/** checkout-api `GET /internal/v1/checkouts/:intentId/activity`: empty for an intent without a checkout. */
export const internalCheckoutActivitySchema = z.object({ activity: z.array(checkoutActivitySchema) });
export type InternalCheckoutActivity = z.infer<typeof internalCheckoutActivitySchema>;
