import type { EndpointRequestBody, InternalShopRequest, WebhookBody } from '@pay/contracts';

type RequestToEndpoint = Exclude<InternalShopRequest, { readonly kind: 'redirect' }>;

export const ORDER_STATUS_EVENT = 'webhook.order_status';

/** For bodies that belong to no shop. A shop that compares the environment with its own rejects them. */
const OTHER_ENVIRONMENT = 'OTHER';

/** No body contains LIVE, so that a signed test body can never be taken for a real payment. */
export function shopRequestBody(
  request: RequestToEndpoint,
  now: Date,
): { readonly eventType: string; readonly body: string } {
  const { kind, paymentIntent } = request;
  const timestamp = now.toISOString();
  if (kind === 'order_status') {
    const data = { payment_intent_id: paymentIntent.id, merchant_reference: paymentIntent.merchantReference };
    const body: EndpointRequestBody<typeof ORDER_STATUS_EVENT> = {
      event: ORDER_STATUS_EVENT,
      environment: 'SANDBOX',
      timestamp,
      data,
    };
    return { eventType: ORDER_STATUS_EVENT, body: JSON.stringify(body) };
  }
  const data: Partial<WebhookBody['data']> = {
    payment_intent_id: paymentIntent.id,
    amount: paymentIntent.amount,
    currency: 'BDT',
    customer_reference: paymentIntent.customerReference,
    merchant_reference: paymentIntent.merchantReference,
    status: 'PAID',
    paid_at: timestamp,
  };
  const environment = kind === 'other_environment' ? OTHER_ENVIRONMENT : 'SANDBOX';
  return { eventType: 'payment.paid', body: JSON.stringify({ event: 'payment.paid', environment, timestamp, data }) };
}
