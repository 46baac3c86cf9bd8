import { randomUUID } from 'node:crypto';
import { eventually } from '@pay/testing';
import amqp from 'amqplib';
import { uuidv7 } from 'uuidv7';
import { ControlPlane } from '../../src/control-plane';
import { isReady } from '../../src/hold-down';
import { PublicApi } from '../../src/merchant-client';
import { COPIES, everyCopyIsWhole, ownMerchant, type OwnMerchant } from '../../src/own-merchant';
import { signedHeaders } from '../../src/signed-events';
import { ServiceDatabases } from '../../src/service-databases';
import { readSystem } from '../../src/system';

const COPIES_OF_RECEIVERS = COPIES.filter((service) => service !== 'webhook-dispatcher');
const schemaOf = (service: string) => service.replace('-', '_');
const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';

describe('a copy of the directory', () => {
  const system = readSystem(RUN_DIRECTORY);
  const controlPlane = new ControlPlane(RUN_DIRECTORY);
  const api = new PublicApi(system.baseUrl);
  const databases = new ServiceDatabases(system);
  let merchant: OwnMerchant;

  beforeAll(async () => {
    merchant = await ownMerchant(system, controlPlane);
  });

  afterAll(async () => {
    await api.close();
    await databases.close();
  });

  async function versionIn(service: string, id: string): Promise<number> {
    const sql = `select version from ${schemaOf(service)}.directory_facts where id = $1`;
    return Number((await databases.query<{ version: string }>(service, sql, [id])).rows[0]?.version ?? 0);
  }

  async function completedIn(service: string): Promise<number> {
    const sql = `select from ${schemaOf(service)}.directory_resends where completed_at is not null`;
    return (await databases.query(service, sql)).rowCount ?? 0;
  }

  const create = (key: OwnMerchant['sandbox']) =>
    api.createIntent(key, { amount: 10, idempotencyKey: randomUUID(), paymentMethod: 'NAGAD_PAYMENT' });

  test('that was emptied under a running service gets everything again, deletions included', async () => {
    const deleted = merchant.sandbox.receivers.find(({ paymentMethod }) => paymentMethod === 'NAGAD_CASHOUT')?.id ?? '';
    // Deleted by SQL, so only a re-send can restore them.
    const behindTheirBack = 'update dashboard_api.receiver_accounts set version = 2, deleted_at = now() where id = $1';
    await databases.query('dashboard-api', behindTheirBack, [deleted]);

    for (const service of COPIES) {
      const schema = schemaOf(service);
      await databases.query(service, `truncate ${schema}.directory_facts, ${schema}.directory_resends`);
    }

    for (const service of COPIES) {
      await eventually(async () => (await completedIn(service)) > 0, `${service} has received everything`);
    }
    await everyCopyIsWhole(system);
    for (const service of COPIES_OF_RECEIVERS) expect(await versionIn(service, deleted)).toBe(2);
    for (const service of COPIES) {
      await eventually(() => isReady(RUN_DIRECTORY, service), `${service} is ready`);
    }
    expect((await create(merchant.sandbox)).status).toBe(201);
  });

  test('changes nothing when an older version comes late', async () => {
    const { apiKeyId } = merchant.sandbox;
    const sql = `select body from dashboard_api.outbox
                  where type = 'api_key.changed' and body::jsonb ->> 'aggregateId' = $1 order by seq limit 1`;
    const [first] = (await databases.query<{ body: string }>('dashboard-api', sql, [apiKeyId])).rows;
    const issued = JSON.parse(first?.body ?? '{}') as { type: string; data: { version: number } };
    expect(issued.data.version).toBe(1);
    await controlPlane.run('lock-api-key', { key: apiKeyId });
    await eventually(async () => (await create(merchant.sandbox)).status === 401, 'the locked key is refused');

    const { apiKeyId: laterId } = await controlPlane.run<{ apiKeyId: string }>('issue-api-key', {
      merchant: merchant.id,
      environment: 'SANDBOX',
    });
    const [second] = (await databases.query<{ body: string }>('dashboard-api', sql, [laterId])).rows;
    for (const service of ['intent-api', 'webhook-dispatcher']) {
      await eventually(async () => (await versionIn(service, laterId)) === 1, 'the later key is known');
      await databases.query(service, `delete from ${schemaOf(service)}.directory_facts where id = $1`, [laterId]);
      await sendTo(`${service}.control`, issued, JSON.parse(second?.body ?? '{}') as { type: string });
      await eventually(async () => (await versionIn(service, laterId)) === 1, 'what came behind it has been stored');
      expect(await versionIn(service, apiKeyId)).toBe(2);
    }

    expect((await create(merchant.sandbox)).status).toBe(401);
  });

  /** Straight to a queue, as new messages: their first delivery does not make them repeats. */
  async function sendTo(queue: string, ...events: readonly { readonly type: string }[]): Promise<void> {
    const connection = await amqp.connect(system.amqpUrl);
    try {
      const channel = await connection.createConfirmChannel();
      for (const event of events) {
        const id = uuidv7();
        const body = Buffer.from(JSON.stringify({ ...event, id }));
        const headers = signedHeaders(system, queue, event.type, body);
        const options = { persistent: true, contentType: 'application/json', messageId: id, headers };
        channel.sendToQueue(`${system.amqpNamespace}${queue}`, body, options);
      }
      await channel.waitForConfirms();
    } finally {
      await connection.close();
    }
  }
});
