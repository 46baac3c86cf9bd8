import { randomUUID } from 'node:crypto';
import { eventually } from '@pay/testing';
import amqp from 'amqplib';
import pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { ControlPlane } from '../src/control-plane';
import { isReady } from '../src/hold-down';
import { PublicDoors } from '../src/merchant-client';
import { COPIES, everyCopyIsWhole, ownMerchant, type OwnMerchant } from '../src/own-merchant';
import { signedHeaders } from '../src/signed-events';
import { readSystem } from '../src/system';

const COPIES_OF_RECEIVERS = COPIES.filter((schema) => schema !== 'webhook_dispatcher');
const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';

describe('a copy of the directory', () => {
  const system = readSystem(RUN_DIRECTORY);
  const controlPlane = new ControlPlane(RUN_DIRECTORY);
  const doors = new PublicDoors(system.baseUrl);
  const database = new pg.Client({ connectionString: system.postgresUrl });
  let merchant: OwnMerchant;

  beforeAll(async () => {
    await database.connect();
    merchant = await ownMerchant(system, controlPlane);
  });

  afterAll(async () => {
    await doors.close();
    await database.end();
  });

  async function versionIn(schema: string, id: string): Promise<number> {
    const sql = `select version from ${schema}.directory_facts where id = $1`;
    return Number((await database.query<{ version: string }>(sql, [id])).rows[0]?.version ?? 0);
  }

  async function completedIn(schema: string): Promise<number> {
    const sql = `select from ${schema}.directory_resends where completed_at is not null`;
    return (await database.query(sql)).rowCount ?? 0;
  }

  const create = (key: OwnMerchant['sandbox']) =>
    doors.createIntent(key, { amount: 10, idempotencyKey: randomUUID(), paymentMethod: 'NAGAD_PAYMENT' });

  test('that was emptied under a running service gets everything again, deletions included', async () => {
    const deleted = merchant.sandbox.receivers.find(({ paymentMethod }) => paymentMethod === 'NAGAD_CASHOUT')?.id ?? '';
    // Behind the back of every copy: nothing but a re-send can tell them.
    const behindTheirBack = 'update dashboard_api.receiver_accounts set version = 2, deleted_at = now() where id = $1';
    await database.query(behindTheirBack, [deleted]);

    for (const schema of COPIES) {
      await database.query(`truncate ${schema}.directory_facts, ${schema}.directory_resends`);
    }

    for (const schema of COPIES) {
      await eventually(async () => (await completedIn(schema)) > 0, `${schema} was told that this is all`);
    }
    await everyCopyIsWhole(system);
    for (const schema of COPIES_OF_RECEIVERS) expect(await versionIn(schema, deleted)).toBe(2);
    for (const schema of COPIES) {
      const service = schema.replace('_', '-');
      await eventually(() => isReady(RUN_DIRECTORY, service), `${service} is ready`);
    }
    expect((await create(merchant.sandbox)).status).toBe(201);
  });

  test('changes nothing when an older version comes late', async () => {
    const { apiKeyId } = merchant.sandbox;
    const sql = `select body from dashboard_api.outbox
                  where type = 'api_key.changed' and body::jsonb ->> 'aggregateId' = $1 order by seq limit 1`;
    const [first] = (await database.query<{ body: string }>(sql, [apiKeyId])).rows;
    const issued = JSON.parse(first?.body ?? '{}') as { type: string; data: { version: number } };
    expect(issued.data.version).toBe(1);
    await controlPlane.run('lock-api-key', { key: apiKeyId });
    await eventually(async () => (await create(merchant.sandbox)).status === 401, 'the locked key is refused');

    const { apiKeyId: laterId } = await controlPlane.run<{ apiKeyId: string }>('issue-api-key', {
      ...{ merchant: merchant.id, environment: 'SANDBOX' },
    });
    const [second] = (await database.query<{ body: string }>(sql, [laterId])).rows;
    for (const schema of ['intent_api', 'webhook_dispatcher']) {
      await eventually(async () => (await versionIn(schema, laterId)) === 1, 'the later key is known');
      await database.query(`delete from ${schema}.directory_facts where id = $1`, [laterId]);
      await sendTo(`${schema.replace('_', '-')}.control`, issued, JSON.parse(second?.body ?? '{}') as { type: string });
      await eventually(async () => (await versionIn(schema, laterId)) === 1, 'what came behind it has been stored');
      expect(await versionIn(schema, apiKeyId)).toBe(2);
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
