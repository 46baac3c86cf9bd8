import { randomBytes } from 'node:crypto';
import { refusalDetail, webhookEventSchema, type InternalEndpoints } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { onceAtATime, type SecretBox } from '@pay/runtime';
import {
  findTestEndpoint,
  insertTestEndpoint,
  registerTestEndpoint,
  replaceTestEndpoint,
  type TestEndpointRow,
} from './test-endpoint-repository';
import { textOf, type CallPublicApi } from '../test-cases/public-api';

export interface ProvideTestEndpointDeps {
  readonly db: Queryable;
  readonly testSecrets: Pick<SecretBox, 'seal' | 'openOnce'>;
  readonly webhooks: CallPublicApi;
  readonly apiKeyOf: (merchantId: string) => Promise<string>;
  readonly endpointsOf: (merchantId: string) => Promise<InternalEndpoints['endpoints']>;
  /** Public base URL of the API. */
  readonly apiUrl: string;
}

export interface ProvidedEndpoint extends TestEndpointRow {
  readonly endpointId: string;
  readonly url: string;
}

/** The endpoint could not be registered. */
export class TestEndpointRefused extends Error {
  override readonly name = 'TestEndpointRefused';
}

export function urlOfTestEndpoint(apiUrl: string, token: string): string {
  return `${apiUrl.replace(/\/$/, '')}/v1/sandbox/test-endpoints/${token}`;
}

/** Registers and verifies the hosted endpoint through the public API if it does not exist. */
export function testEndpointProvider(deps: ProvideTestEndpointDeps): (merchantId: string) => Promise<ProvidedEndpoint> {
  return onceAtATime(
    (merchantId: string) => provide(deps, merchantId),
    (merchantId) => merchantId,
  );
}

async function provide(deps: ProvideTestEndpointDeps, merchantId: string): Promise<ProvidedEndpoint> {
  const { db, apiUrl, endpointsOf } = deps;
  const known = await findTestEndpoint(db, merchantId);
  const endpoints = await endpointsOf(merchantId);
  // Another process may have registered it without storing the id, so it is searched by URL.
  const registered = endpoints.find(({ url }) => known !== undefined && url === urlOfTestEndpoint(apiUrl, known.token));
  if (known !== undefined && registered?.isActive === true) return withId(deps, known, registered.id);
  if (known?.endpointId !== null && known !== undefined)
    await replaceTestEndpoint(db, merchantId, ...newAddress(deps, merchantId));
  if (known === undefined) await insertTestEndpoint(db, merchantId, ...newAddress(deps, merchantId));
  const row = await findTestEndpoint(db, merchantId);
  if (row === undefined) throw new Error('invariant: a test endpoint that was inserted is stored');
  return withId(deps, row, await register(deps, row));
}

function newAddress({ testSecrets }: ProvideTestEndpointDeps, merchantId: string): [token: string, sealed: string] {
  return [randomBytes(24).toString('base64url'), testSecrets.seal(merchantId, randomBytes(32).toString('base64url'))];
}

async function withId(
  deps: ProvideTestEndpointDeps,
  row: TestEndpointRow,
  endpointId: string,
): Promise<ProvidedEndpoint> {
  if (row.endpointId !== endpointId) await registerTestEndpoint(deps.db, row.merchantId, row.token, endpointId);
  return { ...row, endpointId, url: urlOfTestEndpoint(deps.apiUrl, row.token) };
}

async function register(deps: ProvideTestEndpointDeps, row: TestEndpointRow): Promise<string> {
  const { merchantId, token, sealedSecret } = row;
  const apiKey = await deps.apiKeyOf(merchantId);
  const created = await deps.webhooks('POST', '/v1/webhooks/endpoints', {
    apiKey,
    body: {
      url: urlOfTestEndpoint(deps.apiUrl, token),
      secret: deps.testSecrets.openOnce(merchantId, sealedSecret),
      eventTypes: webhookEventSchema.options,
    },
  });
  const { id } = created.body;
  if (created.status !== 201 || typeof id !== 'string')
    throw new TestEndpointRefused(
      refusalDetail('testEndpointRefused', {
        answer: `${created.status} ${textOf(created.body, 'code', 'message')}`,
      }),
    );
  const verified = await deps.webhooks('POST', `/v1/webhooks/endpoints/${id}/verify`, { apiKey, body: {} });
  if (verified.status !== 200)
    throw new TestEndpointRefused(
      refusalDetail('testEndpointUnverified', { answer: textOf(verified.body, 'message') }),
    );
  return id;
}
