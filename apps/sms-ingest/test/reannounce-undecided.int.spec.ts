import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEvent, eventsOf, undecidedSchema, type EventOf } from '@pay/contracts';
import { draft, parkedCli, PermanentError } from '@pay/messaging';
import { amqpUrl, bkashSendMoneyText, eventually } from '@pay/testing';
import { reannounceUndecided } from '../src/decisions/reannounce-undecided';
import { aPhone, phoneApi, startService, type PhoneUnderTest, type ServiceUnderTest } from './service-under-test';

const recovery = readFileSync(join(__dirname, '../../../docs/recovery.md'), 'utf8');

let service: ServiceUnderTest;
let phone: PhoneUnderTest;

beforeAll(async () => {
  service = await startService({ without: ['reannounce-undecided'], consumesFor: ['reconciler'] });
});
afterAll(() => service.stop());
beforeEach(async () => {
  warn.mockClear();
  await service.db.execute(`update sms_events set status = 'FAILED' where status = 'PARSED'`);
  phone = await aPhone(service.db);
});

async function aText(): Promise<string> {
  const message = bkashSendMoneyText({ amount: '500', reference: 'tea 77' });
  const sms = { sender: 'bKash', message, receivedAt: new Date().toISOString() };
  return (await phoneApi(service.url, phone.deviceKey).incoming(sms)).body.id;
}

function reannounce(): Promise<void> {
  const { db, messaging } = service;
  return reannounceUndecided({ db, messaging, log: { warn } as never, now: () => new Date() });
}
const warn = jest.fn();

async function announcementsOf(id: string): Promise<EventOf<'sms.parsed'>[]> {
  const rows = await service.db.query<{ body: string }>(
    'select body from outbox where aggregate_id = $1 order by seq',
    [id],
  );
  return eventsOf(
    rows.map(({ body }) => decodeEvent(body)),
    'sms.parsed',
  );
}

async function age(id: string, ingested: string, reannounced: string | null): Promise<void> {
  await service.db.execute(
    `update sms_events set ingested_at = now() - $2::interval, reannounced_at = now() - $3::interval where id = $1`,
    [id, ingested, reannounced],
  );
}

describe('a payment text without a decision', () => {
  it('is published again with the same facts and the flag decisionMissing', async () => {
    const id = await aText();
    await age(id, '61 seconds', null);

    await reannounce();
    await reannounce();

    const [first, again, ...more] = await announcementsOf(id);
    expect(more).toEqual([]);
    expect(again).toMatchObject({ sequence: first?.sequence, merchantId: phone.merchantId });
    expect(again?.id).not.toBe(first?.id);
    const ingestedAt = expect.any(String) as string;
    expect(again?.data).toEqual({ ...first?.data, ingestedAt, decisionMissing: true });
    expect(first?.data).not.toHaveProperty('decisionMissing');
    expect(warn.mock.calls).toEqual([[{ count: 1 }, 'sms.reannounced']]);
  });

  it.each([
    { ingested: '50 seconds', reannounced: null, isDue: false },
    { ingested: '70 seconds', reannounced: null, isDue: true },
    { ingested: '10 minutes', reannounced: '4 minutes', isDue: false },
    { ingested: '10 minutes', reannounced: '6 minutes', isDue: true },
    { ingested: '30 days', reannounced: '23 hours', isDue: false },
    { ingested: '30 days', reannounced: '25 hours', isDue: true },
  ])('$ingested old, announced again $reannounced ago: due $isDue', async ({ ingested, reannounced, isDue }) => {
    const id = await aText();
    await age(id, ingested, reannounced);

    await reannounce();

    expect(await announcementsOf(id)).toHaveLength(isDue ? 2 : 1);
  });

  it('is not published again once it is decided', async () => {
    const id = await aText();
    await age(id, '1 hour', null);
    await service.db.execute(`update sms_events set status = 'MATCH_PENDING' where id = $1`, [id]);

    await reannounce();

    expect(await announcementsOf(id)).toHaveLength(1);
  });
});

describe('a payment text that the reconciler has parked', () => {
  const commands = section(recovery, 'A payment SMS without a decision');
  const sql = (word: string) => {
    const found = commands.find((command) => command.startsWith(word));
    if (found === undefined) throw new Error(`docs/recovery.md has no command ${word}`);
    return found;
  };
  const undecided = async () => {
    const schema = undecidedSchema;
    const answer = await service.asReconciler.request('GET', '/internal/v1/undecided', { schema });
    return answer.undecided.filter(({ merchantId }) => merchantId === phone.merchantId);
  };
  const parked = async (words: string): Promise<string> => {
    let output = '';
    const [, , ...args] = words.replace('AMQP_URL=… ', '').split(' ');
    await parkedCli(args, { AMQP_URL: amqpUrl(), AMQP_NAMESPACE: service.namespace }, (text) => (output += text));
    return output;
  };

  it('can be found, replayed and abandoned with the documented commands', async () => {
    let isBroken = true;
    const stop = new AbortController();
    const reconciler = service.messaging.consumer({
      queue: 'reconciler.events',
      async handle(tx, events) {
        const texts = eventsOf(events, 'sms.parsed').filter(({ merchantId }) => merchantId === phone.merchantId);
        if (texts.length > 0 && isBroken) throw new PermanentError('no such method');
        await service.messaging.publish(
          tx,
          texts.map(({ data, merchantId, environment }) =>
            draft('match.pending', {
              merchantId,
              environment,
              aggregateId: data.smsEventId,
              sequence: 1,
              occurredAt: new Date(),
              data: {
                matchId: data.smsEventId,
                matchStatus: 'PENDING',
                path: null,
                reason: 'reference_not_found',
                checks: null,
                decidedBy: 'system',
                paymentIntentId: null,
                intent: null,
                evidence: null,
                sms: { id: data.smsEventId, status: 'MATCH_PENDING', sequence: 1 },
              },
            }),
          ),
        );
      },
    });
    const running = reconciler.run(stop.signal);
    try {
      const id = await aText();
      const list = sql('AMQP_URL=… node tools/parked.mjs list');
      await eventually(async () => (await parked(list)).includes('no such method'), 'the text is parked');
      await age(id, '10 minutes', null);
      expect(await service.db.query(sql('select'))).toMatchObject([{ id, merchant_id: phone.merchantId }]);
      expect(await undecided()).toHaveLength(1);

      isBroken = false;
      expect(await parked(sql('AMQP_URL=… node tools/parked.mjs replay'))).toContain('replayed ');
      await eventually(async () => (await undecided()).length === 0, 'the text is decided');

      isBroken = true;
      const hopeless = await aText();
      await eventually(async () => (await parked(list)).includes('no such method'), 'the next text is parked');
      expect(await undecided()).toHaveLength(1);

      await service.db.execute(sql('update sms_events').replace('ID', hopeless));

      expect(await undecided()).toEqual([]);
      const [row] = await service.db.query('select status, failure_reason from sms_events where id = $1', [hopeless]);
      expect(row).toEqual({ status: 'FAILED', failure_reason: 'not_decided' });

      isBroken = false;
      await parked(sql('AMQP_URL=… node tools/parked.mjs replay'));
      await eventually(
        async () =>
          (
            await service.db.query('select 1 from sms_events where id = $1 and status = $2', [
              hopeless,
              'MATCH_PENDING',
            ])
          ).length === 1,
        'a later decision replaces it',
      );
    } finally {
      stop.abort();
      await running;
    }
  });
});

/** The commands in backticks of a section. */
function section(page: string, title: string): string[] {
  const [, body] = page.split(`## ${title}\n`);
  const text = body?.split('\n## ')[0] ?? '';
  return [...text.matchAll(/`([^`]+)`/g)].flatMap(([, command]) => command ?? []);
}
