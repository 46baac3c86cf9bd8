import { z } from 'zod';
import { smsEventListQuerySchema } from './dashboard-sms-events';
import { deliveryListQuerySchema } from './dashboard-webhooks';
import { exceptionListQuerySchema } from './exceptions';
import { paymentListQuerySchema } from './payments';
import { deliveryQuerySchema, deliveryResponseSchema } from './webhooks';

/** Queries of the exports: the filters of the list, without its pages. */
export const paymentExportQuerySchema = paymentListQuerySchema.omit({ limit: true, after: true });
export const smsEventExportQuerySchema = smsEventListQuerySchema.omit({ limit: true, after: true });
export const deliveryExportQuerySchema = deliveryListQuerySchema.omit({ page: true, limit: true });
export const exceptionExportQuerySchema = exceptionListQuerySchema.omit({ page: true, limit: true, after: true });

/** Query of webhook-dispatcher's `GET /internal/v1/delivery-rows`; the tenant is in the headers. */
export const deliveryRowsQuerySchema = deliveryQuerySchema.omit({ page: true }).extend({ after: z.uuid().optional() });

/** Deliveries without their total, which would be counted again for each page. */
export const deliveryRowsSchema = z.object({
  data: z.array(deliveryResponseSchema),
  /** Null at the end. */
  nextCursor: z.uuid().nullable(),
});
export type DeliveryRows = z.infer<typeof deliveryRowsSchema>;
