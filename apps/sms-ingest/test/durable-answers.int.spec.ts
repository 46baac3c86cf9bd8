import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { undecidedSchema } from '@pay/contracts';
import { openDatabase, type Database } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import { bkashSendMoneyText, eventually } from '@pay/testing';
import { enterIntake } from '../src/db/intake-lock';
import { migrations } from '../src/db/migrations';
import { reportWaiting, waitingTenants } from '../src/intake/waiting-sms-repository';
import { aPhone, phoneApi, startService, type Answered, type ServiceUnderTest } from './service-under-test';

const log = createLogger({ service: 'sms-ingest', level: 'silent' });
const receivedAt = '2026-11-21T09:00:00Z';

const HOUR_MS = 3_600_000;

/** How far the clock of the service is ahead of the clock of this machine, in milliseconds. */
let aheadMs = 0;
let service: ServiceUnderTest;
let saboteur: Database;
let api: ReturnType<typeof phoneApi>;

beforeAll(async () => {
  service = await startService({ now: () => new Date(Date.now() + aheadMs) });
  const access = { url: service.databaseUrl, poolSize: 2, applicationName: 'saboteur' };
  saboteur = await openDatabase({ ...access, log, migrations });
  api = phoneApi(service.url, (await aPhone(service.db)).deviceKey);
});
afterAll(async () => {
  await saboteur.close();
  await service.stop();
});

function anSms(amount = '500') {
  return { sender: 'bKash', message: bkashSendMoneyText({ amount }), receivedAt };
}

async function breakBusyConnections(): Promise<number> {
  const broken = await saboteur.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name like 'sms-ingest@%' and datname = current_database() and state <> 'idle'`,
  );
  return broken.length;
}

async function storedIds(): Promise<string[]> {
  return (await service.db.query<{ id: string }>('select id from sms_events')).map(({ id }) => id).sort();
}

/** A phone of a merchant who reviews breaks of the balance: its texts are compared before they are stored. */
async function carefulPhone() {
  const phone = await aPhone(service.db);
  await service.db.execute(
    `update directory_facts set data = data || '{"evidenceRules": {"reviewForgerySignals": false, "requirePayerAgreement": false,
       "reviewOlderThanHours": null, "reviewBalanceBreaks": true}}' where kind = 'merchant' and id = $1`,
    [phone.merchantId],
  );
  return phoneApi(service.url, phone.deviceKey);
}

/**
 * Whether an SMS waits for this table: workers wait for it too, but have not entered the intake. Other specs have locks
 * of tables with the same number in their own databases.
 */
const waitsFor = async (table: string) => {
  const waiting = await saboteur.query(
    `select from pg_locks wanted join pg_locks entered using (pid)
     where not wanted.granted and wanted.relation = $1::regclass
       and wanted.database = (select oid from pg_database where datname = current_database())
       and entered.granted and entered.locktype = 'advisory' and entered.classid = 7366`,
    [table],
  );
  return waiting.length > 0;
};

/** Other specs have locks in their own databases on the same server. */
const WAITS_FOR_INTAKE = `select from pg_locks join pg_database on pg_database.oid = pg_locks.database
  where locktype = 'advisory' and classid = 7366 and mode = 'ShareLock' and not granted and datname = current_database()`;

describe('while another transaction blocks the intake', () => {
  it('SMS are still stored', async () => {
    await saboteur.transaction(async (tx) => {
      enterIntake(tx);
      await tx.query('select 1');
      expect(await api.incoming(anSms())).toMatchObject({ status: 202 });
    });
  });

  it('an SMS that waits for it is ingested at the time of its request', async () => {
    const requestedAt = Date.now();
    let answer: Promise<Answered> | undefined;
    await saboteur.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock(7366, 1)');
      answer = api.incoming(anSms('7654321'));
      await eventually(async () => (await saboteur.query(WAITS_FOR_INTAKE)).length > 0, 'the SMS waits');
      aheadMs = HOUR_MS;
    });

    const { body } = (await answer) ?? { body: {} };
    const [row] = await service.db.query<{ at: Date }>('select ingested_at as at from sms_events where id = $1', [
      body.id,
    ]);
    expect(row?.at.getTime()).toBeLessThan(requestedAt + HOUR_MS / 2);
    aheadMs = 0;
  });
});

describe('an SMS that is accepted and not stored', () => {
  const asReconciler = () => service.asReconciler.request('GET', '/internal/v1/undecided', { schema: undecidedSchema });

  it('delays expiry from the first statement of its transaction', async () => {
    const careful = await carefulPhone();
    let answer: Promise<Answered> | undefined;
    await saboteur.transaction(async (tx) => {
      await tx.execute('lock table balance_texts in access exclusive mode');
      answer = careful.incoming(anSms('612'));
      await eventually(() => waitsFor('balance_texts'), 'its balance is being compared');

      await expect(asReconciler()).rejects.toThrow();
    });
    expect(await answer).toMatchObject({ status: 202 });
  });

  it('is reported to all processes by its tenant and its arrival, until it is stored', async () => {
    const phone = await aPhone(service.db);
    const requestedAt = Date.now();
    let answer: Promise<Answered> | undefined;
    await saboteur.transaction(async (tx) => {
      await tx.execute('lock table sms_fingerprints in exclusive mode');
      answer = phoneApi(service.url, phone.deviceKey).incoming(anSms('613'));

      const reported = await eventually(async () => {
        const tenants = await waitingTenants(service.db);
        return tenants.find(({ merchantId }) => merchantId === phone.merchantId);
      }, 'the SMS is reported');
      expect(reported.environment).toBe(phone.environment);
      expect(reported.oldest.getTime()).toBeGreaterThanOrEqual(requestedAt);
      expect(reported.oldest.getTime()).toBeLessThan(Date.now());
    });

    expect(await answer).toMatchObject({ status: 202 });
    await eventually(async () => (await waitingTenants(saboteur)).length === 0, 'nothing is reported any more');
  });

  it('is reported in a transaction whose commit does not wait for a standby', async () => {
    await saboteur.execute(`create table noted_settings (value text)`);
    await saboteur.execute(
      `create function note_setting() returns trigger language plpgsql as
         $$ begin insert into noted_settings values (current_setting('synchronous_commit')); return null; end $$`,
    );
    await saboteur.execute(
      'create trigger note_setting after insert on waiting_sms for each statement execute function note_setting()',
    );

    await reportWaiting(saboteur, randomUUID(), []);

    expect(await saboteur.query('select value from noted_settings')).toEqual([{ value: 'off' }]);
    await saboteur.execute('drop trigger note_setting on waiting_sms');
  });

  it('is listed as undecided as long as its process reports it', async () => {
    const tenant = { merchantId: randomUUID(), environment: 'LIVE' as const };
    const waiting = { ...tenant, oldest: new Date('2026-11-21T09:00:00.000Z') };
    const isListed = async () => (await asReconciler()).undecided.some((each) => each.merchantId === tenant.merchantId);
    const processId = randomUUID();
    await reportWaiting(saboteur, processId, [waiting]);
    expect((await asReconciler()).undecided).toContainEqual({ ...tenant, oldest: '2026-11-21T09:00:00.000Z' });

    await saboteur.execute(`update waiting_sms set reported_at = now() - interval '11 seconds'`);
    expect(await isListed()).toBe(false);

    await saboteur.execute(`update waiting_sms set reported_at = now() - interval '2 minutes'`);
    await reportWaiting(saboteur, randomUUID(), []);
    expect(await saboteur.query('select from waiting_sms where process_id = $1', [processId])).toEqual([]);
  });
});

describe('a response 202', () => {
  it('is not sent, and undecided SMS are not listed, before the SMS is durable; a repeat is stored once', async () => {
    const before = await storedIds();
    const sms = anSms('501');
    let answer: Promise<Answered> | undefined;
    await saboteur.transaction(async (tx) => {
      await tx.execute('lock table sms_fingerprints in exclusive mode');
      answer = api.incoming(sms);
      await eventually(() => waitsFor('sms_fingerprints'), 'the service is in the middle of storing it');
      const undecided = { schema: undecidedSchema };
      await expect(service.asReconciler.request('GET', '/internal/v1/undecided', undecided)).rejects.toThrow();
      await breakBusyConnections();
      expect(await answer).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    });

    const again = await api.incoming(sms);
    expect(again).toMatchObject({ status: 202, body: { duplicate: false } });
    expect(await storedIds()).toEqual([...before, again.body.id].sort());
  });

  it('is sent only for SMS that are stored and published when connections break', async () => {
    const texts = Array.from({ length: 200 }, (_, n) => anSms(String(n + 1)));
    const stop = new AbortController();
    const sabotage = (async () => {
      while (!stop.signal.aborted) {
        await breakBusyConnections();
        await delay(Math.random() * 60);
      }
    })();
    const answers: Answered[] = [];
    try {
      for (let at = 0; at < texts.length; at += 20) {
        answers.push(...(await Promise.all(texts.slice(at, at + 20).map((sms) => api.incoming(sms)))));
      }
    } finally {
      stop.abort();
      await sabotage;
    }

    expect(answers.filter(({ status }) => status !== 202 && status !== 503)).toEqual([]);
    const stored = await eventually(storedIds, 'the service has a connection again');
    const accepted = answers.filter(({ status }) => status === 202).map(({ body }): string => body.id);
    expect(accepted.filter((id) => !stored.includes(id))).toEqual([]);
    const announced = (await service.announced()).filter((event) => event.type === 'sms.parsed');
    expect(announced.map((event) => event.aggregateId).sort()).toEqual(stored);

    // A phone sends again what was not accepted.
    const { body } = await eventually(async () => {
      const answer = await api.incoming({ messages: texts });
      return answer.status === 202 && answer;
    }, 'the service recovers');
    expect(body.results.filter((result: object) => 'error' in result)).toEqual([]);
    const highest = texts.length * 100;
    const amounts = await service.db.query('select 1 from sms_events where parsed_amount <= $1', [highest]);
    expect(amounts).toHaveLength(texts.length);
  });
});
