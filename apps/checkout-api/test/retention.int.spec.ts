import { daysBefore } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import { aRandomTrxId, failOnLeaks } from '@pay/testing';
import { deleteOldRecords } from '../src/retention/delete-old-records';
import { anIntent, given, startService, type ServiceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
failOnLeaks();

const isHere = async (id: string) =>
  (await service.db.query('select 1 from intent_copies where id = $1', [id])).length > 0;
const hasActivity = async (id: string) =>
  (await service.db.query('select 1 from checkout_activity where intent_id = $1', [id])).length > 0;

/** Moves the clock forward by this number of days. */
async function sweepAfter(days: number): Promise<void> {
  await service.db.execute(`update retention_positions set restarted_at = now() - interval '1 day'`);
  const log = createLogger({ service: 'checkout-api', level: 'silent' });
  const now = () => daysBefore(new Date(), -days);
  const retention = { claimDays: 180, copyDays: 30 };
  await deleteOldRecords({ db: service.db, log, now, retention }, new AbortController().signal);
}

it('deletes copies of ended intents with their activity 30 days after their creation, and keeps open ones and those with an unsettled claim', async () => {
  const copy = async (status: 'PAID' | 'PENDING' | 'REVIEW_REQUIRED' | 'EXPIRED') =>
    (await given(service, anIntent({ status, ...(status === 'PAID' && { paidAt: new Date().toISOString() }) }))).id;
  const [paid, pending, inReview, claimed] = [
    await copy('PAID'),
    await copy('PENDING'),
    await copy('REVIEW_REQUIRED'),
    await copy('EXPIRED'),
  ];
  await service.db.execute(
    `insert into claims (id, merchant_id, environment, intent_id, trx_id, submitted_at)
     select gen_random_uuid(), merchant_id, environment, id, $2, now() from intent_copies where id = $1`,
    [claimed, aRandomTrxId()],
  );
  await service.db.execute(
    `insert into checkout_activity select id, 'viewed', '', now(), now() from unnest($1::uuid[]) as id`,
    [[paid, pending, inReview, claimed]],
  );

  await sweepAfter(29);
  expect([await isHere(paid), await hasActivity(paid)]).toEqual([true, true]);
  await sweepAfter(31);

  expect(await Promise.all([paid, pending, inReview, claimed].map(isHere))).toEqual([false, true, true, true]);
  expect(await Promise.all([paid, pending, inReview, claimed].map(hasActivity))).toEqual([false, true, true, true]);
});

it('deletes claims 180 days after their latest submission', async () => {
  const claim = async (resubmittedDaysLater: number | null) => {
    const [row] = await service.db.query<{ id: string }>(
      `insert into claims (id, merchant_id, environment, intent_id, trx_id, submitted_at, resubmitted_at)
       values (gen_random_uuid(), gen_random_uuid(), 'LIVE', gen_random_uuid(), $1, now(), now() + $2::int * interval '1 day')
       returning id`,
      [aRandomTrxId(), resubmittedDaysLater],
    );
    return row?.id;
  };
  const [once, again] = [await claim(null), await claim(5)];
  const kept = async () => {
    const sql = 'select id from claims where id = any($1::uuid[]) order by resubmitted_at nulls first';
    return (await service.db.query<{ id: string }>(sql, [[once, again]])).map(({ id }) => id);
  };

  await sweepAfter(179);
  expect(await kept()).toEqual([once, again]);
  await sweepAfter(181);
  expect(await kept()).toEqual([again]);
  await sweepAfter(186);
  expect(await kept()).toEqual([]);
});
