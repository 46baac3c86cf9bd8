import { oldRowsInOrder, statement, type OldRows, type Queryable } from '@pay/persistence';

export interface TestEndpointRow {
  readonly merchantId: string;
  readonly token: string;
  readonly sealedSecret: string;
  /** Of webhook-dispatcher; null until it is registered there. */
  readonly endpointId: string | null;
  readonly responseStatus: number;
  readonly responseDelaySeconds: number;
}

const COLUMNS = `merchant_id as "merchantId", token, sealed_secret as "sealedSecret", endpoint_id as "endpointId",
  response_status as "responseStatus", response_delay_seconds as "responseDelaySeconds"`;

const FIND = statement('find-test-endpoint', `select ${COLUMNS} from test_endpoints where merchant_id = $1`);
const FIND_BY_TOKEN = statement(
  'find-test-endpoint-by-token',
  `select ${COLUMNS} from test_endpoints where token = $1`,
);
const INSERT = statement(
  'insert-test-endpoint',
  `insert into test_endpoints (merchant_id, token, sealed_secret) values ($1, $2, $3) on conflict (merchant_id) do nothing`,
);
const REPLACE = statement(
  'replace-test-endpoint',
  `update test_endpoints set token = $2, sealed_secret = $3, endpoint_id = null where merchant_id = $1`,
);
const REGISTER = statement(
  'register-test-endpoint',
  'update test_endpoints set endpoint_id = $3 where merchant_id = $1 and token = $2',
);
const CHANGE = statement(
  'change-test-endpoint',
  'update test_endpoints set response_status = $2, response_delay_seconds = $3 where merchant_id = $1',
);

export async function findTestEndpoint(db: Queryable, merchantId: string): Promise<TestEndpointRow | undefined> {
  return (await db.query<TestEndpointRow>(FIND, [merchantId]))[0];
}

export async function findTestEndpointByToken(db: Queryable, token: string): Promise<TestEndpointRow | undefined> {
  return (await db.query<TestEndpointRow>(FIND_BY_TOKEN, [token]))[0];
}

export async function insertTestEndpoint(
  db: Queryable,
  merchantId: string,
  token: string,
  sealed: string,
): Promise<void> {
  await db.execute(INSERT, [merchantId, token, sealed]);
}

/** A new address with a new secret, for an endpoint that was deleted. */
export async function replaceTestEndpoint(
  db: Queryable,
  merchantId: string,
  token: string,
  sealed: string,
): Promise<void> {
  await db.execute(REPLACE, [merchantId, token, sealed]);
}

export async function registerTestEndpoint(
  db: Queryable,
  merchantId: string,
  token: string,
  id: string,
): Promise<void> {
  await db.execute(REGISTER, [merchantId, token, id]);
}

export async function changeTestEndpoint(
  db: Queryable,
  merchantId: string,
  response: Pick<TestEndpointRow, 'responseStatus' | 'responseDelaySeconds'>,
): Promise<void> {
  await db.execute(CHANGE, [merchantId, response.responseStatus, response.responseDelaySeconds]);
}

const SET_RULE = statement(
  'set-test-endpoint-rule',
  `insert into test_endpoint_rules (payment_intent_id, merchant_id, requests_left, response_status, response_delay_seconds, created_at)
   values ($1, $2, $3, $4, $5, $6)`,
);
const USE_RULE = statement(
  'use-test-endpoint-rule',
  `update test_endpoint_rules set requests_left = requests_left - 1
   where payment_intent_id = $1 and merchant_id = $2 and requests_left > 0
   returning response_status as "responseStatus", response_delay_seconds as "responseDelaySeconds"`,
);

export interface TestEndpointRule extends Pick<TestEndpointRow, 'responseStatus' | 'responseDelaySeconds'> {
  readonly requests: number;
}

/** How the next requests about one intent are answered. */
export async function setTestEndpointRule(
  db: Queryable,
  merchantId: string,
  paymentIntentId: string,
  { requests, responseStatus, responseDelaySeconds }: TestEndpointRule,
  now: Date,
): Promise<void> {
  await db.execute(SET_RULE, [paymentIntentId, merchantId, requests, responseStatus, responseDelaySeconds, now]);
}

export async function useTestEndpointRule(db: Queryable, merchantId: string, paymentIntentId: string) {
  const rows = await db.query<Omit<TestEndpointRule, 'requests'>>(USE_RULE, [paymentIntentId, merchantId]);
  return rows[0];
}

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
const INSERT_REQUEST = statement(
  'insert-test-endpoint-request',
  `insert into test_endpoint_requests (id, merchant_id, received_at, headers, body, signature, event_type, payment_intent_id,
     body_environment, response_status)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);
const PAGE = statement(
  'page-of-test-endpoint-requests',
  `select ${REQUEST_COLUMNS} from test_endpoint_requests where merchant_id = $1 order by id desc limit $2 offset $3`,
);
const COUNT = statement(
  'count-test-endpoint-requests',
  'select count(*)::int as total from test_endpoint_requests where merchant_id = $1',
);
const DELETE_OLDEST = statement(
  'delete-oldest-test-endpoint-requests',
  `delete from test_endpoint_requests where merchant_id = $1 and signature = $2 and id <= (
     select id from test_endpoint_requests where merchant_id = $1 and signature = $2 order by id desc offset $3 limit 1)`,
);
const OF_INTENT = statement(
  'test-endpoint-requests-of-intent',
  `select ${REQUEST_COLUMNS} from test_endpoint_requests where merchant_id = $1 and payment_intent_id = $2 order by id`,
);

export async function insertTestEndpointRequest(
  db: Queryable,
  merchantId: string,
  request: TestEndpointRequestRow,
): Promise<void> {
  const { id, receivedAt, headers, body, signature, eventType, paymentIntentId, environment, responseStatus } = request;
  await db.execute(INSERT_REQUEST, [
    ...[id, merchantId, receivedAt, JSON.stringify(headers), body, signature, eventType, paymentIntentId],
    ...[environment, responseStatus],
  ]);
}

/** Keeps the newest requests of a kind. */
export async function deleteOldestRequests(
  db: Queryable,
  merchantId: string,
  signature: SignatureResult,
  most: number,
): Promise<void> {
  await db.execute(DELETE_OLDEST, [merchantId, signature, most]);
}

export async function countTestEndpointRequests(db: Queryable, merchantId: string): Promise<number> {
  return (await db.query<{ total: number }>(COUNT, [merchantId]))[0]?.total ?? 0;
}

export async function pageOfTestEndpointRequests(
  db: Queryable,
  merchantId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<TestEndpointRequestRow[]> {
  return db.query<TestEndpointRequestRow>(PAGE, [merchantId, limit, offset]);
}

/** Oldest first. */
export async function testEndpointRequestsOf(
  db: Queryable,
  merchantId: string,
  paymentIntentId: string,
): Promise<TestEndpointRequestRow[]> {
  return db.query<TestEndpointRequestRow>(OF_INTENT, [merchantId, paymentIntentId]);
}

export function oldTestEndpointRequests(before: Date): OldRows {
  return oldRowsInOrder({ table: 'test_endpoint_requests', order: 'received_at', orderType: 'timestamptz', before });
}

export function oldTestEndpointRules(before: Date): OldRows {
  return oldRowsInOrder({ table: 'test_endpoint_rules', order: 'created_at', orderType: 'timestamptz', before });
}
