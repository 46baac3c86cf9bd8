import { amountFromWire, type PaymentMethod, type ReceiverAccountFact, BusinessError } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import { draft, type Messaging } from '@pay/messaging';
import type { Transaction } from '@pay/persistence';
import { countIntents } from './intent-counter-repository';
import { lockIntents } from './move-intent-repository';
import { findIntent } from './intent-repository';
import { showReceiver } from './shown-receiver-repository';
import { countedOver } from '../domain/counted';
import { receiverShownBefore, refuseMethodChoice, withReceiver } from '../domain/method-choice';
import type { StoredIntent } from '../domain/stored-intent';
import type { ChooseReceiver } from '../receivers/receiver-rotation';
import { LIMITS_REACHED, type ReceiverStateOf } from '../receivers/receiver-state';
import type { ServiceDeps } from '../service-deps';

export interface ChooseMethodDeps extends Pick<ServiceDeps, 'db' | 'log' | 'now'> {
  readonly messaging: Pick<Messaging, 'publish'>;
  readonly directory: Pick<Directory, 'merchant' | 'receiverAccounts'>;
  readonly chooseReceiver: ChooseReceiver;
  readonly receiverStateOf: ReceiverStateOf;
}

/** Repeating the request gives the same response. */
export async function chooseMethod(deps: ChooseMethodDeps, id: string, method: PaymentMethod): Promise<StoredIntent> {
  const found = await findIntent(deps.db, id);
  if (found === undefined) throw new BusinessError('NOT_FOUND');
  refuseUnlessOpen(deps, found);
  const account = await receiverFor(deps, found, method);
  return deps.db.transaction((tx) => show(deps, tx, id, account));
}

function refuseUnlessOpen({ now }: ChooseMethodDeps, { intent }: StoredIntent): void {
  const refusal = refuseMethodChoice(intent, now());
  if (refusal) throw new BusinessError(refusal);
}

async function receiverFor(
  { directory, chooseReceiver, receiverStateOf }: ChooseMethodDeps,
  stored: StoredIntent,
  method: PaymentMethod,
): Promise<ReceiverAccountFact> {
  const [merchant, accounts] = await Promise.all([
    directory.merchant(stored.merchantId),
    directory.receiverAccounts(stored),
  ]);
  const enabledMethods = merchant?.enabledMethods ?? [];
  const before = enabledMethods.includes(method) ? receiverShownBefore(stored.intent, method, accounts) : undefined;
  if (before) return before;
  const choice = chooseReceiver({
    method,
    amount: amountFromWire(stored.intent.amount),
    enabledMethods,
    accounts,
    receivers: await receiverStateOf(stored, accounts),
  });
  if (choice.kind === 'chosen') return choice.account;
  throw new BusinessError(
    'RECEIVER_ACCOUNT_NOT_CONFIGURED',
    choice.kind === 'limits_reached' ? LIMITS_REACHED : undefined,
  );
}

/** Checked again under the lock, because a concurrent request or decision may have changed the intent. */
async function show(
  deps: ChooseMethodDeps,
  tx: Transaction,
  id: string,
  account: ReceiverAccountFact,
): Promise<StoredIntent> {
  const [before] = await lockIntents(tx, [id]);
  if (before === undefined) throw new BusinessError('NOT_FOUND');
  refuseUnlessOpen(deps, before);
  if (before.intent.receiverAccountId === account.id && before.intent.receiverMsisdn === account.msisdn) return before;
  const next = withReceiver(before, account);
  await showReceiver(tx, next);
  countIntents(tx, countedOver([{ before, next }]));
  await deps.messaging.publish(tx, [
    draft('intent.method_selected', {
      environment: next.environment,
      merchantId: next.merchantId,
      aggregateId: id,
      sequence: next.sequence,
      occurredAt: deps.now(),
      data: { intent: next.intent },
    }),
  ]);
  const { merchantId, environment, intent } = next;
  tx.onCommit(() =>
    deps.log.info(
      { intentId: id, merchantId, environment, paymentMethod: intent.paymentMethod },
      'intent.method_selected',
    ),
  );
  return next;
}
