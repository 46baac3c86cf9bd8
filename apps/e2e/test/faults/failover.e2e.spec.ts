import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '@pay/testing';
import { ControlPlane } from '../../src/control-plane';
import { PublicApi, type Intent } from '../../src/merchant-client';
import { ownMerchant, type OwnMerchant } from '../../src/own-merchant';
import { ServiceDatabases } from '../../src/service-databases';
import { readSystem } from '../../src/system';
import { bkashSendMoney, newTrxId } from '../../src/wallet-texts';
import { WebhookReceiver } from '../../src/webhook-receiver';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const SECRET = 'failover-endpoint-secret';

describe('the running system after a failover that lost a commit', () => {
  const system = readSystem(RUN_DIRECTORY);
  const controlPlane = new ControlPlane(RUN_DIRECTORY);
  const api = new PublicApi(system.baseUrl);
  const databases = new ServiceDatabases(system);
  const started = new Date(Date.now() - 60_000);
  let merchant: OwnMerchant;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    merchant = await ownMerchant(system, controlPlane);
    receiver = await WebhookReceiver.listen(SECRET);
    expect((await api.registerEndpoint(merchant.sandbox, receiver.url, SECRET)).status).toBe(201);
  });

  afterAll(async () => {
    await api.close();
    await receiver.close();
    await databases.close();
  });

  async function anIntent(): Promise<Intent> {
    const fields = { amount: 75, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY' };
    return (await api.createIntent(merchant.sandbox, fields)).body;
  }

  /** Returns the id of the SMS event. */
  async function pay({ customerReference: reference, receiverMsisdn }: Intent, amount: string): Promise<string> {
    const message = bkashSendMoney({ amount, reference, trxId: newTrxId(new Date()) });
    const { body } = await api.forwardSms(merchant.sandbox, { sender: 'bKash', message, receiverMsisdn });
    return body.id;
  }

  const statusOf = async ({ id }: Intent): Promise<string> => (await api.getIntent(merchant.sandbox, id)).body.status;
  const becomes = (intent: Intent, status: string) =>
    eventually(async () => (await statusOf(intent)) === status, `the intent becomes ${status}`, { timeoutMs: 60_000 });

  /** The decision about a text, with all that was committed with it, is gone, and the database is of a later epoch. */
  async function loseDecision(intent: Intent, smsEventId: string): Promise<void> {
    await eventually(async () => {
      const text = `select 1 from reconciler.decisions where sms_event_id = $1 and position is not null`;
      return (await databases.query('reconciler', text, [smsEventId])).rowCount === 1;
    }, 'the decision has its place in the chain');
    const { rows } = await databases.query(
      'sms-ingest',
      `select id from sms_ingest.outbox where aggregate_id = $1 and type = 'sms.parsed'`,
      [smsEventId],
    );
    const undo = `
      begin;
      set local session_replication_role = replica;
      set local search_path = reconciler;
      delete from inbox where message_id = '${String(rows[0]?.id)}';
      delete from decisions where sms_event_id = '${smsEventId}';
      delete from matches where sms_event_id = '${smsEventId}';
      delete from evidence where sms_event_id = '${smsEventId}';
      update intents set status = 'PENDING', decision_sequence = 0 where id = '${intent.id}';
      update decision_chains c set (position, link) = (
        select coalesce(max(position), 0), (array_agg(link order by position desc) filter (where position is not null))[1]
          from decisions d where d.merchant_id = c.merchant_id and d.environment = c.environment)
       where merchant_id = '${merchant.id}';
      update publisher_epoch set base = base + 1000;
      commit;`;
    await databases.query('reconciler', undo);
  }

  /** The findings of the audit about one payment; other tests of this system may run meanwhile. */
  async function auditOf({ id }: Intent): Promise<string[]> {
    const range = { from: started.toISOString(), to: new Date(Date.now() + 1_000).toISOString() };
    interface Answer {
      readonly mismatches: readonly { readonly kind: string; readonly paymentIntentId: string }[];
    }
    const { answer } = await controlPlane.ask<Answer>('audit-payments', range);
    return answer.mismatches.filter(({ paymentIntentId }) => paymentIntentId === id).map(({ kind }) => kind);
  }

  /** The command of docs/recovery.md. */
  async function replayTexts(): Promise<void> {
    const words = ['request', 'sms-ingest', `--since=${started.toISOString()}`, '--queue=reconciler.events', '--wait'];
    const child = spawn(process.execPath, [join('dist', 'tools', 'replay.js'), ...words], {
      env: { DATABASE_URL: system.databaseUrls['sms-ingest'] },
    });
    expect((await once(child, 'close'))[0]).toBe(0);
  }

  test('in the reconciler: the next decision, which has the number of the lost one, is applied and announced', async () => {
    const intent = await anIntent();
    const lost = await pay(intent, '74');
    await becomes(intent, 'REVIEW_REQUIRED');

    await loseDecision(intent, lost);
    await pay(intent, '75');

    await receiver.next('payment.paid', intent.id);
    await becomes(intent, 'PAID');
    expect(await auditOf(intent)).toEqual([]);
  });

  test('in the reconciler: the audit reports a payment that it has lost, and one command repairs it', async () => {
    const intent = await anIntent();
    const lost = await pay(intent, '75');
    await receiver.next('payment.paid', intent.id);

    await loseDecision(intent, lost);

    expect(await auditOf(intent)).toEqual(['intent_without_decision']);
    await replayTexts();
    await eventually(async () => (await auditOf(intent)).length === 0, 'the audit finds nothing any more', {
      timeoutMs: 60_000,
    });
    expect(await statusOf(intent)).toBe('PAID');
    expect(receiver.of('payment.paid', intent.id)).toHaveLength(1);
  });

  test('in dashboard-api: a revocation that has the version of the lost change is applied everywhere', async () => {
    const key = merchant.sandbox.apiKeyId;
    const answers = async () => (await api.getIntent(merchant.sandbox, randomUUID())).status;
    await controlPlane.run('lock-api-key', { key });
    await eventually(async () => (await answers()) !== 404, 'the locked key is refused');
    await controlPlane.run('lock-api-key', { key, locked: 'false' });
    await eventually(async () => (await answers()) === 404, 'the unlocked key works');
    // The commit that unlocked it is lost.
    await databases.query(
      'dashboard-api',
      `begin;
       set local session_replication_role = replica;
       update dashboard_api.api_keys set version = version - 1, is_locked = true where id = '${key}';
       update dashboard_api.publisher_epoch set base = base + 1000;
       commit;`,
    );

    await controlPlane.run('revoke-api-key', { key });

    await eventually(async () => (await answers()) === 401, 'the revoked key is refused', { timeoutMs: 60_000 });
  });
});
