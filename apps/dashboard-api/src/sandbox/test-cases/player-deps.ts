import type {
  InternalEndpoints,
  InternalShopAnswer,
  InternalShopRequest,
  PaymentMethod,
  SmsMatch,
  TestCaseKey,
  TestWebhook,
} from '@pay/contracts';
import type { TestEndpointRequestRow, TestEndpointRule } from '../test-endpoints/test-endpoint-repository';
import type { SimulateSmsDeps } from '../simulate-sms';
import type { ProvidedEndpoint } from '../test-endpoints/provide-test-endpoint';
import type { CallPublicApi } from './public-api';

export interface SandboxConfiguration {
  readonly enabledMethods: readonly PaymentMethod[];
  readonly receivers: readonly { readonly paymentMethod: PaymentMethod; readonly msisdn: string }[];
}

export interface RunInput {
  readonly id: string;
  readonly merchantId: string;
  readonly testCase: TestCaseKey;
  /** Format: `user:<id>` or `api_key:<id>`. */
  readonly startedBy: string;
  readonly successUrl: string | null;
  readonly configuration: SandboxConfiguration;
}

export interface PlayerDeps extends SimulateSmsDeps {
  readonly intents: CallPublicApi;
  readonly checkout: CallPublicApi;
  readonly apiKeyOf: (merchantId: string) => Promise<string>;
  readonly newTrxId: (merchantId: string, paymentMethod: PaymentMethod) => Promise<string>;
  /** Uses a step of the test clock for one intent. */
  readonly endTimeOf: (merchantId: string, paymentIntentId: string) => Promise<void>;
  readonly review: (
    run: RunInput,
    match: SmsMatch,
    action: 'resolve' | 'reject',
    expectedAmount: string,
  ) => Promise<void>;
  readonly endpointsOf: (merchantId: string) => Promise<InternalEndpoints['endpoints']>;
  readonly webhooksOf: (merchantId: string, paymentIntentId: string) => Promise<readonly TestWebhook[]>;
  readonly sendToShop: (merchantId: string, request: InternalShopRequest) => Promise<InternalShopAnswer>;
  readonly testEndpointOf: (merchantId: string) => Promise<ProvidedEndpoint>;
  readonly answerNext: (merchantId: string, paymentIntentId: string, rule: TestEndpointRule) => Promise<void>;
  readonly storedRequestsOf: (
    merchantId: string,
    paymentIntentId: string,
  ) => Promise<readonly TestEndpointRequestRow[]>;
  readonly now: () => Date;
}
