import { dashboardOperations, type ApiKeyResponse } from '@pay/contracts';
import type { Serve, Session } from '@pay/http';
import type { Queryable, Transaction } from '@pay/persistence';
import { lastUsesOf } from './api-key-use-repository';
import { apiKeys } from '../db/tables';
import type { ApiKeyRecord } from '../domain/records';
import { apiKeyView } from '../domain/views';
import { issueApiKey } from './issue-api-key';
import { lockApiKey } from './lock-api-key';
import { changeOwn } from '../changes/change-own';
import { onBehalfOf, type ManageDeps, type UseCase } from '../changes/on-behalf-of';
import { findOwn, listOwn } from '../changes/own-records';
import { renameApiKey } from './rename-api-key';
import { revokeApiKey } from './revoke-api-key';
import { rotateApiKey } from './rotate-api-key';

export interface ApiKeyRouteDeps extends ManageDeps {
  readonly mostApiKeys: number;
}

export function mountApiKeys(serve: Serve, deps: ApiKeyRouteDeps): void {
  const mostOthers = deps.mostApiKeys - 1;

  serve(dashboardOperations.createApiKey, async ({ session, body }) => {
    const { environment, name, scopes, expiresAt } = body;
    const input = {
      tenant: { merchantId: session.merchantId, environment },
      name,
      scopes,
      expiresAt: expiresAt ?? undefined,
      limit: { mostOthers },
    };
    return onBehalfOf(deps, session, async (changeDeps, tx) => {
      const { apiKeyId, apiKey } = await issueApiKey(changeDeps, tx, input);
      return { ...(await viewOf(tx, apiKeyId)), apiKey };
    });
  });

  serve(dashboardOperations.listApiKeys, async ({ session, query: { environment, ...place } }) => {
    const filter = { merchantId: session.merchantId, environment };
    const { data, ...page } = await listOwn(deps.db, 'api_key', filter, place);
    return { ...page, data: await views(deps.db, data) };
  });
  serve(dashboardOperations.getApiKey, async ({ session, params }) => {
    const key = await findOwn(deps.db, 'api_key', params.id, session.merchantId);
    return view(deps.db, key);
  });

  serve(dashboardOperations.changeApiKey, ({ session, params, body }) =>
    change(session, renameApiKey, { apiKeyId: params.id, name: body.name }),
  );
  serve(dashboardOperations.lockApiKey, ({ session, params }) =>
    change(session, lockApiKey, { apiKeyId: params.id, isLocked: true }),
  );
  serve(dashboardOperations.unlockApiKey, ({ session, params }) =>
    change(session, lockApiKey, { apiKeyId: params.id, isLocked: false }),
  );
  serve(dashboardOperations.revokeApiKey, ({ session, params }) =>
    change(session, revokeApiKey, { apiKeyId: params.id }),
  );

  serve(dashboardOperations.rotateApiKey, async ({ session, params, body }) => {
    const { overlapSeconds, expiresAt } = body;
    return changeOwn(deps, session, 'api_key', params.id, async (changeDeps, tx) => {
      const input = { apiKeyId: params.id, overlapSeconds, expiresAt: expiresAt ?? undefined, mostOthers };
      const { apiKeyId, apiKey, replaced } = await rotateApiKey(changeDeps, tx, input);
      return { ...(await viewOf(tx, apiKeyId)), apiKey, replaced: await view(tx, replaced) };
    });
  });

  async function change<Input extends { readonly apiKeyId: string }>(
    session: Session,
    useCase: UseCase<[Input], ApiKeyRecord>,
    input: Input,
  ): Promise<ApiKeyResponse> {
    return changeOwn(deps, session, 'api_key', input.apiKeyId, async (changeDeps, tx) =>
      view(tx, await useCase(changeDeps, tx, input)),
    );
  }

  async function views(db: Queryable, records: readonly ApiKeyRecord[]): Promise<ApiKeyResponse[]> {
    const ids = records.map((record) => record.id);
    const uses = await lastUsesOf(db, ids);
    const now = deps.now();
    return records.map((record) => apiKeyView(record, uses.get(record.id), now));
  }

  async function view(db: Queryable, record: ApiKeyRecord): Promise<ApiKeyResponse> {
    return apiKeyView(record, (await lastUsesOf(db, [record.id])).get(record.id), deps.now());
  }

  async function viewOf(tx: Transaction, id: string): Promise<ApiKeyResponse> {
    const record = await apiKeys.find(tx, id);
    if (!record) throw new Error('invariant: an issued API key exists');
    return apiKeyView(record, undefined, deps.now());
  }
}
