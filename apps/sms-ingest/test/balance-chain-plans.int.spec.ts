import type { Queryable, Transaction } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { balancesAround, nextChain, stretchAround, unexaminedOf } from '../src/balances/balance-text-repository';
import { pageOfMissingSms } from '../src/balances/missing-sms-list-repository';
import { knownGaps, openDueGaps } from '../src/balances/missing-sms-repository';
import { startService, type ServiceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
failOnLeaks();

describe('with 50,000 texts in a chain', () => {
  const chainId = uuidv7();
  const merchantId = uuidv7();
  beforeAll(async () => {
    await service.db.transaction(async (tx) => {
      await tx.execute('set local statement_timeout = 0');
      await tx.execute(
        `insert into balance_texts (sms_event_id, chain_id, at, received_at, balance, effects, verdict)
         select gen_random_uuid(), $1, '2026-01-01'::timestamptz + n * interval '2 minutes', now(), n * 100, array[100], 'FOLLOWS'
         from generate_series(1, 50000) n`,
        [chainId],
      );
      await tx.execute(
        `insert into missing_sms (id, merchant_id, environment, chain_id, msisdn, receiver_account_ids, direction, amount, missing_from,
           missing_to, status, seen_at, found_at, explained_at, sms_event_id)
         select gen_random_uuid(), gen_random_uuid(), 'LIVE', gen_random_uuid(), '01700000900', '{}', 'IN', 1, now(), now(), 'EXPLAINED',
           now(), now(), now(), gen_random_uuid() from generate_series(1, 30000) n`,
      );
      await tx.execute('analyze balance_texts');
      await tx.execute('analyze missing_sms');
    });
  });

  it('a new text reads the texts around it by index, and so do the lists', async () => {
    const plans: string[] = [];
    await service.db.transaction(async (tx) => {
      const explained = explaining(tx, plans);
      const at = new Date('2026-02-01T00:00:00Z');
      expect((await stretchAround(explained, chainId, at)).texts).toHaveLength(32 + 243);
      await unexaminedOf(explained, chainId, 100);
      await nextChain(explained, '00000000-0000-0000-0000-000000000000');
      await balancesAround(explained, [{ chainId, at }], { known: 40, later: 20 });
      await knownGaps(explained, [uuidv7()]);
      await openDueGaps(explained, new Date(0), new Date(), 100);
      const filter = {
        merchantId,
        environments: ['LIVE'],
        statuses: ['OPEN', 'EXPLAINED'],
        receiverAccountId: null,
      } as const;
      await pageOfMissingSms(explained, filter, { limit: 20, offset: 0 });
    });

    expect(plans.length).toBeGreaterThanOrEqual(9);
    for (const plan of plans) {
      expect(plan).not.toMatch(/Seq Scan on (balance_texts|missing_sms)/);
    }
  });
});

/** Runs as the transaction does, and keeps the plan of every query. */
function explaining(tx: Transaction, plans: string[]): Transaction {
  const query = async <Row extends object>(
    sql: Parameters<Queryable['query']>[0],
    values: readonly unknown[] = [],
  ): Promise<Row[]> => {
    const text = typeof sql === 'string' ? sql : sql.text;
    const plan = await tx.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    plans.push(plan.map((row) => row['QUERY PLAN']).join('\n'));
    return tx.query<Row>(sql, values);
  };
  return { ...tx, query, execute: tx.execute.bind(tx), enqueue: tx.enqueue.bind(tx), onCommit: tx.onCommit.bind(tx) };
}
