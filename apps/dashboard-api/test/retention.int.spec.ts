import { failOnLeaks } from '@pay/testing';
import { deleteOldRecords } from '../src/retention/delete-old-records';
import { anApiKey, openShop, type Shop } from './dashboard-under-test';
import { startService, type ServiceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
let shop: Shop;
beforeAll(async () => {
  service = await startService();
  shop = await openShop(service);
});
afterAll(() => service.stop());
failOnLeaks();

const entries = () => service.db.query('select at from audit_log where merchant_id = $1', [shop.merchantId]);
/** From the beginning: the service's own sweep has been here. */
async function sweep(): Promise<void> {
  await service.db.execute(`update retention_positions set restarted_at = now() - interval '1 day'`);
  const now = () => new Date();
  await deleteOldRecords({ db: service.db, now, recordRetentionDays: 400 }, new AbortController().signal);
}

it('deletes entries of the audit log after their retention period; the database refuses all other deletions', async () => {
  await anApiKey(shop);
  const young = await entries();
  await service.db.execute(
    `insert into audit_log (id, at, actor, action, subject_kind, subject_id, merchant_id)
     select ('01000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, now() - interval '401 days', 'user:x', 'merchant.renamed',
       'merchant', $1, $1 from generate_series(1, 3) n`,
    [shop.merchantId],
  );

  await sweep();

  expect(await entries()).toEqual(young);
  await expect(service.db.execute('delete from audit_log')).rejects.toThrow('the audit log is only added to');
});

it('deletes pairings and invitations 90 days after their end, and keeps those that are open', async () => {
  const device = '019a0000-0000-7000-8000-000000000001';
  await service.db.execute(
    `insert into devices (id, version, merchant_id, environment, name, key_hash, sims, is_disabled, created_at, updated_at)
     values ($1, 1, $2, 'SANDBOX', 'till', repeat('a', 64), '[]', false, now(), now())`,
    [device, shop.merchantId],
  );
  const pairing = (id: string, expires: string) =>
    service.db.execute(
      `insert into device_pairings (id, device_id, code_hash, created_by, created_at, expires_at, closed_at)
       select $1, $2, '$argon2id$x', id, now(), now() + $3::text::interval, case when $3::text like '-%' then now() end from users limit 1`,
      [id, device, expires],
    );
  await pairing('01000000-0000-7000-8000-000000000001', '-91 days');
  await pairing('01000000-0000-7000-8000-000000000002', '1 day');

  await sweep();

  expect(await service.db.query('select id from device_pairings where device_id = $1', [device])).toEqual([
    { id: '01000000-0000-7000-8000-000000000002' },
  ]);
});

it('deletes alerts 90 days after they were closed, and keeps those that are open', async () => {
  const alert = (id: string, closed: string | null) =>
    service.db.execute(
      `insert into merchant_alerts (id, merchant_id, environment, kind, subject, count, since, opened_at, closed_at)
       values ($1::uuid, $2, 'LIVE', 'device_silent', ($1::uuid)::text, 1, now(), now(), now() + $3::interval)`,
      [id, shop.merchantId, closed],
    );
  await alert('01000000-0000-7000-8000-000000000001', '-91 days');
  await alert('01000000-0000-7000-8000-000000000002', '-89 days');
  await alert('01000000-0000-7000-8000-000000000003', null);

  await sweep();

  expect(
    await service.db.query('select id from merchant_alerts where merchant_id = $1 order by id', [shop.merchantId]),
  ).toEqual([{ id: '01000000-0000-7000-8000-000000000002' }, { id: '01000000-0000-7000-8000-000000000003' }]);
});
