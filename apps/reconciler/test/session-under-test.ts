import { randomUUID } from 'node:crypto';
import {
  DEFAULT_EVIDENCE_RULES,
  type EventOf,
  type EvidenceRules,
  type MerchantFact,
  type PaymentMethod,
  type ReceiverAccountFact,
  type Tenant,
} from '@pay/contracts';
import { outboxOnly } from '@pay/messaging';
import { migrate, openDatabase, retryOnConflict, type Database } from '@pay/persistence';
import { createLogger, createMetrics, type Metrics } from '@pay/runtime';
import { testDatabase } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { migrations } from '../src/db/migrations';
import { createDecisionChain } from '../src/decision-chain/decision-chain';
import type { Arrival } from '../src/domain/arrivals';
import { decideBatch, type DecideDeps } from '../src/matching/decide-batch';
import { chainMetrics } from '../src/decision-chain/chain-metrics';
import type { SealDecisionsDeps } from '../src/decision-chain/seal-decisions';
import { reconcilerMetrics } from '../src/matching/reconciler-metrics';
import { NAGAD_WALLET, OTHER_WALLET, SHOP, TERMS, WALLET } from './builders';
import { moneyProblem } from './money-agrees';

const service = 'reconciler';
export const DECISION_KEYS = [{ id: 'test', key: Buffer.alloc(32, 7) }];
export const silent = createLogger({ service, level: 'silent' });

/** The matching part of the service on its own database: real locks, real constraints, events left in the outbox. */
export interface SessionUnderTest {
  readonly db: Database;
  readonly url: string;
  readonly deps: DecideDeps & SealDecisionsDeps;
  readonly metrics: Metrics;
  readonly lines: Record<string, unknown>[];
  /** Decides these in one transaction. */
  deliver(...arrivals: readonly Arrival[]): Promise<void>;
  statusOf(intentId: string): Promise<string | undefined>;
  matchOf(smsEventId: string): Promise<Record<string, unknown> | undefined>;
  claimOf(claimId: string): Promise<Record<string, unknown> | undefined>;
  announced(): Promise<EventOf[]>;
  /** Throws if money and intents disagree, unless a spec has written rows directly. */
  close(given?: { readonly rowsByHand: boolean }): Promise<void>;
}

export async function openSession({
  merchants = [SHOP.merchantId],
  poolSize = 24,
  evidenceRules = DEFAULT_EVIDENCE_RULES,
} = {}): Promise<SessionUnderTest> {
  const database = await testDatabase({ service, migrate: (url) => migrate({ url, migrations, log: silent }) });
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const log = createLogger({ service, level: 'info', destination });
  const metrics = createMetrics(service);
  const db = await openDatabase({ url: database.url, poolSize, applicationName: service, log, migrations });
  const deps = {
    db,
    directory: staticDirectory(merchants, evidenceRules),
    messaging: outboxOnly(),
    settings: TERMS,
    log,
    decisionChain: createDecisionChain(DECISION_KEYS),
    metrics: { ...reconcilerMetrics(metrics), ...chainMetrics(metrics) },
    now: () => new Date(),
    newId: uuidv7,
  };
  const one = async (sql: string, id: string) => (await db.query(sql, [id]))[0];
  return {
    db,
    url: database.url,
    deps,
    metrics,
    lines,
    async deliver(...arrivals) {
      await retryOnConflict(db, (tx) => decideBatch(deps, tx, arrivals));
    },
    async statusOf(id) {
      const row = await one('select status from intents where id = $1', id);
      return row?.['status'] as string | undefined;
    },
    matchOf: (id) => one('select * from matches where sms_event_id = $1', id),
    claimOf: (id) => one('select * from claims where id = $1', id),
    async announced() {
      const rows = await db.query<{ body: string }>('select body from outbox order by seq');
      return rows.map(({ body }) => JSON.parse(body) as EventOf);
    },
    async close({ rowsByHand } = { rowsByHand: false }) {
      const problem = rowsByHand ? undefined : await moneyProblem(db);
      await db.close();
      await database.drop();
      if (problem !== undefined) throw problem;
    },
  };
}

/** Merchants with the builders' terms; all others are unknown. */
export function staticDirectory(
  merchants: readonly string[],
  evidenceRules: EvidenceRules = DEFAULT_EVIDENCE_RULES,
): DecideDeps['directory'] {
  const merchant = (id: string): MerchantFact => ({
    id,
    version: 1,
    deleted: false,
    name: 'Boi Bazar',
    isActive: true,
    enabledMethods: [...TERMS.enabledMethods],
    evidenceRules,
  });
  const account = (tenant: Tenant, id: string, paymentMethod: PaymentMethod): ReceiverAccountFact => ({
    id,
    version: 1,
    deleted: false,
    merchantId: tenant.merchantId,
    environment: tenant.environment,
    paymentMethod,
    msisdn: '01700000900',
    isActive: true,
  });
  return {
    merchant: (id) => Promise.resolve(merchants.includes(id) ? merchant(id) : undefined),
    receiverAccounts: (tenant) =>
      Promise.resolve([
        account(tenant, WALLET, 'BKASH_SEND_MONEY'),
        account(tenant, OTHER_WALLET, 'BKASH_SEND_MONEY'),
        account(tenant, NAGAD_WALLET, 'NAGAD_SEND_MONEY'),
      ]),
  };
}

export function aName(): string {
  return randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase();
}
