import { daysBefore } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import { bkashSendMoneyText, failOnLeaks } from '@pay/testing';
import { deleteOldRecords } from '../src/retention/delete-old-records';
import { aPhone, phoneApi, startService, type PhoneUnderTest, type ServiceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
let phone: PhoneUnderTest;
beforeAll(async () => {
  service = await startService();
  phone = await aPhone(service.db);
});
afterAll(() => service.stop());
failOnLeaks();

const receivedAt = new Date().toISOString();
const send = async (message: string): Promise<{ id: string; duplicate: boolean }> =>
  (await phoneApi(service.url, phone.deviceKey).incoming({ sender: 'bKash', receivedAt, message })).body;
const countOf = async (table: string, column: string, id: string) =>
  (await service.db.query(`select 1 from ${table} where ${column} = $1`, [id])).length;

/** As if it were so many days later. */
async function sweepAfter(days: number): Promise<void> {
  await service.db.execute(`update retention_positions set restarted_at = now() - interval '1 day'`);
  const log = createLogger({ service: 'sms-ingest', level: 'silent' });
  const now = () => daysBefore(new Date(), -days);
  await deleteOldRecords({ db: service.db, log, now, recordRetentionDays: 400 }, new AbortController().signal);
}

it('deletes decided SMS events with fingerprints and balances 90 days after their decisions, and keeps undecided ones', async () => {
  const [decided, undecided, inReview] = [
    await send(bkashSendMoneyText({ amount: '500' })),
    await send(bkashSendMoneyText({ amount: '500' })),
    await send(bkashSendMoneyText({ amount: '500' })),
  ];
  const decide = (id: string, status: string, matchStatus: string) =>
    service.db.execute('update sms_events set status = $2, match_status = $3 where id = $1', [id, status, matchStatus]);
  await decide(decided.id, 'MATCHED', 'MATCHED');
  await decide(inReview.id, 'MATCH_PENDING', 'REVIEW_REQUIRED');
  expect(await countOf('sms_fingerprints', 'sms_event_id', decided.id)).toBeGreaterThan(0);

  await sweepAfter(489);
  expect(await countOf('sms_events', 'id', decided.id)).toBe(1);

  await sweepAfter(491);
  expect(await countOf('sms_events', 'id', decided.id)).toBe(0);
  expect(await countOf('sms_fingerprints', 'sms_event_id', decided.id)).toBe(0);
  expect(await countOf('balance_texts', 'sms_event_id', decided.id)).toBe(0);
  for (const { id } of [undecided, inReview]) {
    expect(await countOf('sms_events', 'id', id)).toBe(1);
    expect(await countOf('sms_fingerprints', 'sms_event_id', id)).toBeGreaterThan(0);
  }
});
