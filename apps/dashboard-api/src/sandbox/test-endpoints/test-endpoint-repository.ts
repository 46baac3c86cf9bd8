import { command, firstRow, oldRowsInOrder, pageOfRows, rows, type OldRows } from '@pay/persistence';

export interface TestEndpointResponse {
  readonly responseStatus: number;
  readonly responseDelaySeconds: number;
}

export interface TestEndpointRow extends TestEndpointResponse {
  readonly merchantId: string;
  readonly token: string;
  readonly sealedSecret: string;
  /** Id in webhook-dispatcher; null before the registration. */
  readonly endpointId: string | null;
}

const COLUMNS = `merchant_id as "merchantId", token, sealed_secret as "sealedSecret", endpoint_id as "endpointId",
  response_status as "responseStatus", response_delay_seconds as "responseDelaySeconds"`;

export const findTestEndpoint = firstRow<TestEndpointRow, [merchantId: string]>(
  'find-test-endpoint',
  `select ${COLUMNS} from test_endpoints where merchant_id = $1`,
);

export const findTestEndpointByToken = firstRow<TestEndpointRow, [token: string]>(
  'find-test-endpoint-by-token',
  `select ${COLUMNS} from test_endpoints where token = $1`,
);

export const insertTestEndpoint = command<[merchantId: string, token: string, sealed: string]>(
  'insert-test-endpoint',
  `insert into test_endpoints (merchant_id, token, sealed_secret) values ($1, $2, $3) on conflict (merchant_id) do nothing`,
);

/** A new token and secret after the endpoint was deleted. */
export const replaceTestEndpoint = command<[merchantId: string, token: string, sealed: string]>(
  'replace-test-endpoint',
  `update test_endpoints set token = $2, sealed_secret = $3, endpoint_id = null where merchant_id = $1`,
);

export const registerTestEndpoint = command<[merchantId: string, token: string, id: string]>(
  'register-test-endpoint',
  'update test_endpoints set endpoint_id = $3 where merchant_id = $1 and token = $2',
);

export const changeTestEndpoint = command(
  'change-test-endpoint',
  'update test_endpoints set response_status = $2, response_delay_seconds = $3 where merchant_id = $1',
  (merchantId: string, { responseStatus, responseDelaySeconds }: TestEndpointResponse) => [
    ...[merchantId, responseStatus, responseDelaySeconds],
  ],
);

export interface TestEndpointRule extends TestEndpointResponse {
  readonly requests: number;
}

export const setTestEndpointRule = command(
  'set-test-endpoint-rule',
  `insert into test_endpoint_rules (payment_intent_id, merchant_id, requests_left, response_status, response_delay_seconds, created_at)
   values ($1, $2, $3, $4, $5, $6)`,
  (merchantId: string, paymentIntentId: string, rule: TestEndpointRule, now: Date) => [
    ...[paymentIntentId, merchantId, rule.requests, rule.responseStatus, rule.responseDelaySeconds, now],
  ],
);

export const useTestEndpointRule = firstRow<TestEndpointResponse, [merchantId: string, paymentIntentId: string]>(
  'use-test-endpoint-rule',
  `update test_endpoint_rules set requests_left = requests_left - 1
   where merchant_id = $1 and payment_intent_id = $2 and requests_left > 0
   returning response_status as "responseStatus", response_delay_seconds as "responseDelaySeconds"`,
);

export type SignatureResult = 'VALID' | 'INVALID';

export interface TestEndpointRequestRow {
  readonly id: string;
  readonly receivedAt: Date;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signature: SignatureResult;
  readonly eventType: string | null;
  readonly paymentIntentId: string | null;
  readonly environment: string | null;
  readonly responseStatus: number;
}

const REQUEST_COLUMNS = `id, received_at as "receivedAt", headers, body, signature, event_type as "eventType",
  payment_intent_id as "paymentIntentId", body_environment as environment, response_status as "responseStatus"`;
export const insertTestEndpointRequest = command(
  'insert-test-endpoint-request',
  `insert into test_endpoint_requests (id, merchant_id, received_at, headers, body, signature, event_type, payment_intent_id,
     body_environment, response_status)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
  (merchantId: string, { headers, ...row }: TestEndpointRequestRow) => [
    ...[row.id, merchantId, row.receivedAt, JSON.stringify(headers), row.body, row.signature, row.eventType],
    ...[row.paymentIntentId, row.environment, row.responseStatus],
  ],
);

export const deleteOldestRequests = command<[merchantId: string, signature: SignatureResult, most: number]>(
  'delete-oldest-test-endpoint-requests',
  `delete from test_endpoint_requests where merchant_id = $1 and signature = $2 and id <= (
     select id from test_endpoint_requests where merchant_id = $1 and signature = $2 order by id desc offset $3 limit 1)`,
);

/** Newest first. */
export const pageOfTestEndpointRequests = pageOfRows<TestEndpointRequestRow, [merchantId: string]>(
  'test-endpoint-requests',
  { columns: REQUEST_COLUMNS, from: 'from test_endpoint_requests where merchant_id = $1', order: 'id desc' },
);

/** Oldest first. */
export const testEndpointRequestsOf = rows<TestEndpointRequestRow, [merchantId: string, paymentIntentId: string]>(
  'test-endpoint-requests-of-intent',
  `select ${REQUEST_COLUMNS} from test_endpoint_requests where merchant_id = $1 and payment_intent_id = $2 order by id`,
);

export function oldTestEndpointRequests(before: Date): OldRows {
  return oldRowsInOrder({ table: 'test_endpoint_requests', order: 'received_at', orderType: 'timestamptz', before });
}

export function oldTestEndpointRules(before: Date): OldRows {
  return oldRowsInOrder({ table: 'test_endpoint_rules', order: 'created_at', orderType: 'timestamptz', before });
}
