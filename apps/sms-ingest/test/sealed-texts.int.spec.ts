import { createHash, randomBytes } from 'node:crypto';
import { migrate, openDatabase, type Database } from '@pay/persistence';
import { createLogger, type EncryptionKey } from '@pay/runtime';
import { failOnLeaks, testDatabase } from '@pay/testing';
import { migrations } from '../src/db/migrations';
import { deleteOldTexts } from '../src/texts/delete-old-texts';
import { repeatKeys } from '../src/domain/repeat-keys';
import { openSmsSecrets } from '../src/intake/open-sms-secrets';
import { aPhone, phoneApi, startService, type PhoneUnderTest, type ServiceUnderTest } from './service-under-test';

const log = createLogger({ service: 'sms-ingest', level: 'silent' });
const never = new AbortController().signal;
const receivedAt = '2026-11-21T15:00:00Z';

let service: ServiceUnderTest;
let phone: PhoneUnderTest;
beforeAll(async () => {
  service = await startService();
  phone = await aPhone(service.db);
});
afterAll(() => service.stop());
failOnLeaks();

const send = async (sms: Record<string, unknown>) =>
  (await phoneApi(service.url, phone.deviceKey).incoming({ sender: 'bKash', receivedAt, ...sms })).body;

/** All data that the service has written, as in a copy of the disk. */
async function everythingStored(): Promise<string> {
  const rows = await Promise.all(
    ['sms_events', 'sms_fingerprints', 'outbox', 'sms_text_keys', 'sms_secrets'].map((table) =>
      service.db.query(`select to_jsonb(${table}) as row from ${table}`),
    ),
  );
  return JSON.stringify(rows);
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('a stored text', () => {
  it('is encrypted like the number of its sender, and its hash cannot be tested without the key', async () => {
    const message = 'Amma, call me back when you close the shop';
    const { id } = await send({ sender: '+8801711000777', message });

    const stored = await everythingStored();
    for (const private_ of [message, 'Amma', '1711000777']) expect(stored).not.toContain(private_);
    expect(await service.textOf(id)).toEqual({ sender: '+8801711000777', message });
    const facts = { ...phone, receiverAccountId: null, sender: '', message, clientMessageId: null };
    for (const key of repeatKeys({ ...facts, receivedAt: new Date(receivedAt) })) {
      expect(stored).not.toContain(sha256(key));
    }
  });

  it('cannot be decrypted in another row', async () => {
    const [one, other] = [await send({ message: 'one' }), await send({ message: 'other' })];
    const rows = await service.db.query<{ sealed_text: string }>('select sealed_text from sms_events where id = $1', [
      one.id,
    ]);
    expect(() => service.secrets.open(other.id, rows[0]?.sealed_text ?? '')).toThrow();
  });
});

describe('keys', () => {
  const aKey = (id: string): EncryptionKey => ({ id, key: randomBytes(32) });
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let db: Database;
  beforeAll(async () => {
    database = await testDatabase({
      service: 'sms-ingest',
      migrate: (url) => migrate({ url, migrations, log }),
    });
    db = await openDatabase({ url: database.url, poolSize: 2, applicationName: 'keys', log, migrations });
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  it('can be rotated; the service refuses to start without a key that is still used, or with another key of the same id', async () => {
    const now = new Date();
    const [one, two] = [aKey('one'), aKey('two')];
    const before = await openSmsSecrets(db, [one], now);
    const sealed = before.seal('event', { sender: 'bKash', message: 'text' });
    const after = await openSmsSecrets(db, [two, one], now);

    expect(after.open('event', sealed)).toEqual({ sender: 'bKash', message: 'text' });
    expect(after.keyed('00')).toBe(before.keyed('00'));
    await expect(openSmsSecrets(db, [two], now)).rejects.toThrow('SMS_ENCRYPTION_KEYS does not contain one');
    await expect(openSmsSecrets(db, [two, aKey('one')], now)).rejects.toThrow('a different key with the id one');
  });

  it('are no longer needed when retention has deleted the texts encrypted with them', async () => {
    const [one, two] = [aKey('one'), aKey('two')];
    await db.execute('truncate sms_text_keys, sms_secrets');
    await openSmsSecrets(db, [one], new Date('2026-01-01T00:00:00Z'));
    await openSmsSecrets(db, [two, one], new Date('2026-01-02T00:00:00Z'));
    const now = () => new Date('2026-02-01T00:00:00Z');
    await deleteOldTexts({ db, currentKey: two, retention: { days: 10, unparsedDays: 20 }, log, now }, never);

    await expect(openSmsSecrets(db, [two], now())).resolves.toBeDefined();
  });
});
