import type { Operation } from './operation';
import * as paymentIntents from './payment-intents';

export { operation, type Operation, type OperationAnswer, type OperationCredential } from './operation';
export * from './payment-intents';

/** Every public operation of every service. */
export const OPERATIONS: readonly Operation[] = Object.values({ ...paymentIntents });
