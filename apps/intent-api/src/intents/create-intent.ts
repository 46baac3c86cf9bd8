import { hash } from 'node:crypto';
import { type CreateIntentRequest, type Tenant, BusinessError } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import type { Queryable } from '@pay/persistence';
import { findByIdempotencyKey } from './insert-intent-repository';
import { canonicalParameters } from '../domain/canonical-parameters';
import { generatedReference } from '../domain/generated-reference';
import { newIntent } from '../domain/new-intent';
import type { StoredIntent } from '../domain/stored-intent';
import type { IntentMetrics } from './intent-metrics';
import type { ChooseReceiver } from '../receivers/receiver-rotation';
import { LIMITS_REACHED, type ReceiverStateOf } from '../receivers/receiver-state';
import type { NewIntent, StoreOutcome } from './store-intents';
import type { ServiceDeps } from '../service-deps';

export interface CreateIntentDeps extends Pick<ServiceDeps, 'log' | 'now' | 'newId'> {
  readonly db: Queryable;
  readonly directory: Pick<Directory, 'merchant' | 'receiverAccounts'>;
  readonly chooseReceiver: ChooseReceiver;
  readonly receiverStateOf: ReceiverStateOf;
  /** Commits an intent together with other waiting ones. */
  readonly store: (intent: NewIntent) => Promise<StoreOutcome>;
  readonly metrics: IntentMetrics;
  /** Returns a uniform random integer below the argument. */
  readonly pick: (below: number) => number;
}

export interface CreatedIntent {
  readonly stored: StoredIntent;
  readonly replayed: boolean;
}

/** A repeated request with the same idempotency key returns the existing intent. */
export async function createIntent(
  deps: CreateIntentDeps,
  tenant: Tenant,
  request: CreateIntentRequest,
): Promise<CreatedIntent> {
  const parametersHash = hash('sha256', canonicalParameters(request));
  const accounts = await deps.directory.receiverAccounts(tenant);
  const choice = deps.chooseReceiver({
    method: request.paymentMethod ?? undefined,
    amount: request.amount,
    enabledMethods: await enabledMethods(deps, tenant),
    accounts,
    receivers: await deps.receiverStateOf(tenant, accounts),
  });
  if (choice.kind === 'none' || choice.kind === 'limits_reached') {
    const known = await replayOf(deps, tenant, request.idempotencyKey, parametersHash);
    if (known) return known;
    throw new BusinessError('RECEIVER_ACCOUNT_NOT_CONFIGURED', choice.kind === 'none' ? undefined : LIMITS_REACHED);
  }

  const anotherReference = () => generatedReference(deps.pick);
  const outcome = await deps.store({
    tenant,
    idempotencyKey: request.idempotencyKey,
    parametersHash,
    intent: newIntent(request, {
      id: deps.newId(),
      now: deps.now(),
      customerReference: request.customerReference ?? anotherReference(),
      receiver: choice.kind === 'chosen' ? choice.account : undefined,
    }),
    anotherReference: request.customerReference ? undefined : anotherReference,
  });
  switch (outcome.kind) {
    case 'created':
      announce(deps, outcome.stored);
      return { stored: outcome.stored, replayed: false };
    case 'replayed':
      return { stored: outcome.stored, replayed: true };
    case 'key_reused':
      throw new BusinessError('IDEMPOTENCY_KEY_REUSED');
    case 'reference_taken':
      throw new BusinessError('CUSTOMER_REFERENCE_TAKEN');
  }
}

async function enabledMethods({ directory }: CreateIntentDeps, { merchantId }: Tenant) {
  const merchant = await directory.merchant(merchantId);
  // The fact of the key can arrive before that of its merchant, so the caller must retry.
  if (merchant === undefined) throw new BusinessError('SERVICE_UNAVAILABLE');
  return merchant.enabledMethods;
}

/** A retry returns its intent even if no receiver could be chosen now. */
async function replayOf(
  { db }: CreateIntentDeps,
  tenant: Tenant,
  idempotencyKey: string,
  parametersHash: string,
): Promise<CreatedIntent | undefined> {
  const known = await findByIdempotencyKey(db, tenant, idempotencyKey);
  if (known === undefined) return undefined;
  if (known.parametersHash !== parametersHash) throw new BusinessError('IDEMPOTENCY_KEY_REUSED');
  return { stored: known.stored, replayed: true };
}

function announce({ log, metrics }: CreateIntentDeps, { merchantId, environment, intent }: StoredIntent): void {
  metrics.created.inc({ environment });
  log.info(
    { intentId: intent.id, merchantId, environment, paymentMethod: intent.paymentMethod, expiresAt: intent.expiresAt },
    'intent.created',
  );
}
