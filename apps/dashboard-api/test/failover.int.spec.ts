import { paymentMethodSchema } from '@pay/contracts';
import { checkEpoch, outboxOnly, queuesReceiving, raiseEpoch } from '@pay/messaging';
import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { createMerchant } from '../src/merchants/create-merchant';
import { issueApiKey } from '../src/api-keys/issue-api-key';
import { resendDirectoryToAll } from '../src/directory/resend-directory';
import { revokeApiKey } from '../src/api-keys/revoke-api-key';
import { startCopy, type CopyOfDirectory } from './copy-of-directory';
import { quietLog, startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('dashboard-api after a failover that lost its last commit', () => {
  let service: ServiceUnderTest;
  let copy: CopyOfDirectory;
  beforeEach(async () => {
    service = await startService();
    copy = await startCopy(service.namespace);
    await eventually(() => copy.resend.isReady?.(), 'the copy is complete');
  });
  afterEach(async () => {
    await copy.stop();
    await service.stop();
  });

  const now = () => new Date();
  const works = async (key: string) => (await copy.directory.findApiKey(key)) !== undefined;
  const aKey = () =>
    service.change(async (deps, tx) => {
      const { merchantId } = await createMerchant(deps, tx, {
        name: 'Boi Bazar',
        enabledMethods: paymentMethodSchema.options,
      });
      const tenant = { merchantId, environment: 'SANDBOX' as const };
      return issueApiKey(deps, tx, { tenant, name: 'Shop', scopes: ['payments:read'] });
    });
  /** A failover passes by the triggers that guard the rows. */
  const rollBack = (sql: string, values: readonly unknown[]) =>
    service.db.transaction(async (tx) => {
      await tx.execute('alter table api_keys disable trigger user');
      await tx.execute(sql, values);
      await tx.execute('alter table api_keys enable trigger user');
    });
  /** The periodic task of the service in main.ts. */
  const check = () =>
    checkEpoch({
      db: service.db,
      log: quietLog,
      gauge: { set: () => undefined },
      onNewEpoch: (tx) => resendDirectoryToAll({ messaging: outboxOnly(), now, newId: uuidv7 }, tx),
    });

  it('refuses a key that is revoked a second time, because its first revocation was lost', async () => {
    const { apiKey, apiKeyId } = await aKey();
    await eventually(() => works(apiKey), 'the key works');
    const [before] = await service.db.query('select version, revoked_at, is_locked from api_keys where id = $1', [
      apiKeyId,
    ]);
    await service.change((deps, tx) => revokeApiKey(deps, tx, { apiKeyId }));
    await eventually(async () => !(await works(apiKey)), 'the first revocation has arrived');
    await rollBack('update api_keys set version = $2, revoked_at = null where id = $1', [
      apiKeyId,
      before?.['version'],
    ]);
    await raiseEpoch(service.db);

    await check();
    // The copies agree with the owner again, which is what an operator can see and repair.
    await eventually(() => works(apiKey), 'the copy says what the owner says');
    await service.change((deps, tx) => revokeApiKey(deps, tx, { apiKeyId }));

    await eventually(async () => !(await works(apiKey)), 'the second revocation has arrived');
  });

  it('lets no key act that only the lost commit had created', async () => {
    const [kept, lost] = [await aKey(), await aKey()];
    await eventually(async () => (await works(kept.apiKey)) && (await works(lost.apiKey)), 'both keys work');
    await rollBack('delete from api_keys where id = $1', [lost.apiKeyId]);
    await raiseEpoch(service.db);

    await check();

    await eventually(async () => !(await works(lost.apiKey)), 'the lost key is refused', { timeoutMs: 30_000 });
    expect(await works(kept.apiKey)).toBe(true);
  });

  it('sends each service only the kinds that its queue takes', async () => {
    await aKey();
    await raiseEpoch(service.db);

    await check();

    const sent = await service.db.query<{ queue: string; type: string }>(
      'select distinct target_queue as queue, type from outbox where target_queue is not null',
    );
    const notTaken = sent.filter(({ queue, type }) => !queuesReceiving(type).some((each) => each === queue));
    expect(notTaken).toEqual([]);
    expect(sent).toContainEqual({ queue: 'intent-api.control', type: 'api_key.changed' });
  });
});
