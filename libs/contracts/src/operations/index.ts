import type { Operation } from './operation';
import * as checkout from './checkout';
import * as paymentIntents from './payment-intents';
import * as smsEvents from './sms-events';
import * as webhooks from './webhooks';

export { operation, type Operation, type OperationAnswer, type OperationCredential } from './operation';
export * from './checkout';
export * from './payment-intents';
export * from './sms-events';
export * from './webhooks';

/** Every public operation of every service. */
export const OPERATIONS: readonly Operation[] = Object.values({
  ...checkout,
  ...paymentIntents,
  ...smsEvents,
  ...webhooks,
});
