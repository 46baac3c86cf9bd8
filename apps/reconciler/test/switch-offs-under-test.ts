import { randomUUID } from 'node:crypto';
import {
  BusinessError,
  eventsOf,
  type Environment,
  type EventData,
  type EventOf,
  type ReceiverAccountFact,
} from '@pay/contracts';
import { openDirectory } from '@pay/directory';
import { draft, type ConsumerOptions, type Messaging } from '@pay/messaging';
import { retryOnConflict } from '@pay/persistence';
import type { Arrival } from '../src/domain/arrivals';
import type { FailUnpayableDeps } from '../src/expiry/fail-unpayable';
import { noteSwitchOffs } from '../src/expiry/note-switch-offs';
import { decideBatch } from '../src/matching/decide-batch';
import { openSession, silent, type SessionUnderTest } from './session-under-test';
import { newShop, type Shop } from './shop-with-wallets';

/** The matching part with a directory copy, which control events change; dashboard-api knows what the copy knows. */
export interface SwitchOffsUnderTest {
  readonly session: SessionUnderTest;
  /** intent-api has deleted all intents. */
  readonly deps: FailUnpayableDeps;
  readonly deliver: (...events: readonly EventOf[]) => Promise<void>;
  readonly decideArrivals: (...arrivals: readonly Arrival[]) => Promise<void>;
  /** Makes the second check due. */
  readonly later: () => Promise<void>;
  /** A merchant with a bKash and a Nagad wallet in the directory copy. */
  readonly aShop: (environment?: Environment) => Promise<Shop>;
  readonly statuses: (...intents: readonly { readonly id: string }[]) => Promise<(string | undefined)[]>;
  readonly failuresOf: (...intents: readonly { readonly id: string }[]) => Promise<EventOf<'match.failed'>[]>;
}

export async function openSwitchOffs(): Promise<SwitchOffsUnderTest> {
  const session = await openSession();
  const control: { handle?: ConsumerOptions['handle'] } = {};
  const directory = openDirectory({
    db: session.db,
    service: 'reconciler',
    kinds: ['merchant', 'receiver_account'],
    onChange: noteSwitchOffs,
    log: silent,
    messaging: controlOnly((handle) => (control.handle = handle)),
    now: () => new Date(),
  });
  directory.controlConsumer();
  const deps: FailUnpayableDeps = {
    ...session.deps,
    directory,
    async askTenantFacts(tenant) {
      const copy = await directory.tenantCopy(session.db, tenant);
      return copy && { merchant: copy.merchant ?? null, receiverAccounts: [...copy.receiverAccounts] };
    },
    fetchIntent: () => Promise.reject(new BusinessError('NOT_FOUND')),
    switchOffPage: 50,
  };
  const deliver: SwitchOffsUnderTest['deliver'] = async (...events) => {
    await session.db.transaction(async (tx) => {
      await control.handle?.(tx, events, undefined);
    });
  };
  await deliver(
    event('directory.resend_completed', {
      service: 'reconciler',
      kinds: ['merchant', 'receiver_account'],
      requestId: randomUUID(),
    }),
  );
  return {
    session,
    deps,
    deliver,
    async decideArrivals(...arrivals) {
      await retryOnConflict(session.db, (tx) => decideBatch(deps, tx, arrivals));
    },
    async later() {
      await session.db.execute('update switch_offs set due_at = now()');
    },
    async aShop(environment = 'LIVE') {
      const shop = newShop(environment);
      await deliver(
        event('merchant.changed', shop.merchant),
        event('receiver_account.changed', shop.bkash),
        event('receiver_account.changed', shop.nagad),
      );
      return shop;
    },
    statuses: (...intents) => Promise.all(intents.map(({ id }) => session.statusOf(id))),
    async failuresOf(...intents) {
      const ids = new Set(intents.map(({ id }) => id));
      return eventsOf(await session.announced(), 'match.failed').filter(({ data }) => ids.has(data.intent?.id ?? ''));
    },
  };
}

/** Passes control events directly to their handler, without a broker. */
function controlOnly(
  handledBy: (handle: ConsumerOptions['handle']) => void,
): Pick<Messaging, 'publish' | 'consumer' | 'broadcast' | 'handleControl' | 'reportConflict'> {
  return {
    reportConflict: () => undefined,
    publish: () => Promise.resolve(),
    consumer: (options: { handle: unknown }) => {
      handledBy(options.handle as ConsumerOptions['handle']);
      return { name: 'control', run: () => Promise.resolve() };
    },
    broadcast: { on: () => undefined, send: () => undefined },
    handleControl: () => Promise.resolve(),
  };
}

type ControlEvent = 'merchant.changed' | 'receiver_account.changed' | 'directory.resend_completed';

export function event<Type extends ControlEvent>(type: Type, data: EventData<Type>): EventOf {
  const about = { environment: null, merchantId: null, aggregateId: 'fact', sequence: 1, occurredAt: new Date() };
  return draft(type, { ...about, data }) as EventOf;
}

export function changed<Fact extends { readonly version: number }>(
  fact: Fact,
  change: Partial<Fact>,
  version = 2,
): Fact {
  return { ...fact, version, ...change };
}

export const closed = (wallet: ReceiverAccountFact, version = 2) =>
  event('receiver_account.changed', changed(wallet, { isActive: false }, version));
export const reopened = (wallet: ReceiverAccountFact, version = 3) =>
  event('receiver_account.changed', changed(wallet, {}, version));
