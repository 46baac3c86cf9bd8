import type { Operation } from './operation';
import * as apiDescription from './api-description';
import * as auth from './auth';
import * as checkout from './checkout';
import * as dashboard from './dashboard';
import * as devices from './devices';
import * as events from './events';
import * as forwarderHooks from './forwarder-hooks';
import * as paymentIntents from './payment-intents';
import * as sandbox from './sandbox';
import * as testClock from './test-clock';
import * as smsEvents from './sms-events';
import * as webhookManagement from './webhook-management';
import * as webhooks from './webhooks';

export {
  operations,
  USUAL_BODY_LIMIT,
  type EnvironmentOwner,
  type Operation,
  type OperationAnswer,
  type OperationCredential,
  type SandboxOnly,
} from './operation';
export { isPermitted, permissionTable, rolesIn, type DescribedOperation } from './permissions';
export * from './api-description';
/** Under their own name: most are called like the use cases behind them. */
export * as authOperations from './auth';
export * from './checkout';
export * as dashboardOperations from './dashboard';
export * from './devices';
export * from './events';
export * from './forwarder-hooks';
export * from './payment-intents';
/** Under their own name, as with those of the dashboard. */
export * as sandboxOperations from './sandbox';
export * from './sms-events';
export * as testClockOperations from './test-clock';
export * from './webhook-management';
export * from './webhooks';

/** Every public operation of every service. */
export const OPERATIONS: readonly Operation[] = [
  apiDescription,
  auth,
  checkout,
  dashboard,
  devices,
  events,
  forwarderHooks,
  paymentIntents,
  sandbox,
  smsEvents,
  testClock,
  webhooks,
  webhookManagement,
].flatMap((surface) => Object.values<Operation>({ ...surface }));
