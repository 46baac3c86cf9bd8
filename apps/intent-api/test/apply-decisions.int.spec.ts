import { decodeEvent, type EventOf, type IntentStatus, type MatchDecided } from '@pay/contracts';
import { draft } from '@pay/messaging';
import { createMetrics } from '@pay/runtime';
import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { applyDecisions } from '../src/apply-decisions';
import { intentMetrics } from '../src/intent-metrics';
import { merchantApi } from './merchant-api';
import {
  aMerchant,
  BKASH,
  NAGAD,
  quietLog,
  startService,
  type MerchantUnderTest,
  type ServiceUnderTest,
} from './service-under-test';

failOnLeaks();

const DECIDED_AT = new Date('2026-11-21T04:05:06.789Z');
const EVIDENCE: MatchDecided['evidence'] = {
  smsEventId: uuidv7(),
  provider: 'NAGAD',
  paymentMethod: 'NAGAD_SEND_MONEY',
  trxId: 'DKL4A1B2C3',
  amount: '500',
  receiverAccountId: uuidv7(),
  receiverMsisdn: NAGAD.msisdn,
  providerTime: '2026-11-21T04:05:00Z',
  ingestedAt: '2026-11-21T04:05:05Z',
};

describe('decisions of the reconciler', () => {
  let service: ServiceUnderTest;
  let merchant: MerchantUnderTest;
  const api = merchantApi(() => service);

  beforeAll(async () => {
    service = await startService();
    merchant = await aMerchant(service.db);
  });
  afterAll(() => service.stop());

  const newIntent = async (owner = merchant): Promise<string> => (await api.create(owner)).body.id;

  function decision(
    intentId: string,
    status: IntentStatus,
    sequence: number,
    change: Partial<MatchDecided> = {},
    owner = merchant,
  ) {
    return draft('match.confirmed', {
      environment: owner.environment,
      merchantId: owner.id,
      aggregateId: uuidv7(),
      sequence: 1,
      occurredAt: DECIDED_AT,
      data: {
        matchId: uuidv7(),
        matchStatus: 'MATCHED',
        path: 'REFERENCE',
        reason: 'reference_match',
        checks: null,
        decidedBy: 'system',
        paymentIntentId: intentId,
        intent: { id: intentId, status, sequence },
        sms: null,
        evidence: EVIDENCE,
        ...change,
      },
    });
  }

  /** Puts events into the service's queue the way a replay does. */
  const send = (...drafts: ReturnType<typeof decision>[]) =>
    service.db.transaction((tx) => service.messaging.publish(tx, drafts, { queue: 'intent-api.events' }));

  /** Hands a batch to the use case as the consumer would, in one transaction. */
  async function apply(...drafts: ReturnType<typeof decision>[]) {
    const deps = { messaging: service.messaging, log: quietLog, metrics: intentMetrics(createMetrics('spec')) };
    const events = drafts as unknown as EventOf[];
    return service.db.transaction((tx) => applyDecisions(deps, tx, events));
  }

  const announcedFor = async (intentId: string) =>
    (await service.announced()).filter((event) => event.type.startsWith('intent.') && event.aggregateId === intentId);

  const becomes = (intentId: string, status: IntentStatus) =>
    eventually(
      async () => {
        const { body } = await api.get(merchant, intentId);
        return body.status === status && body;
      },
      `the intent becomes ${status}`,
      { timeoutMs: 20_000 },
    );

  describe('over the queue', () => {
    it('a confirmed match pays the intent, and the world is told with the state the API answers', async () => {
      const id = await newIntent();

      const matchId = uuidv7();
      await send(decision(id, 'PAID', 1, { matchId }));

      const body = await becomes(id, 'PAID');
      expect(body.paidAt).toBe(DECIDED_AT.toISOString());
      const told = (await announcedFor(id)).at(-1);
      expect(decodeEvent(JSON.stringify(told))).toMatchObject({
        type: 'intent.paid',
        sequence: 2,
        merchantId: merchant.id,
        environment: 'SANDBOX',
        data: {
          intent: { id, status: 'PAID', paidAt: body.paidAt, amount: '500' },
          decision: {
            matchId,
            path: 'REFERENCE',
            trxId: 'DKL4A1B2C3',
            receivedAmount: '500',
            decidedBy: 'system',
          },
        },
      });
      const line = service.lines.find((each) => each['msg'] === 'intent.settled' && each['intentId'] === id);
      expect(line).toMatchObject({ from: 'PENDING', to: 'PAID', reason: 'reference_match' });
      expect(JSON.stringify(service.lines)).not.toContain('DKL4A1B2C3');
    });

    it('the same decision ten times is one move and one announcement', async () => {
      const id = await newIntent();
      const again = () => decision(id, 'PAID', 1);

      await send(...Array.from({ length: 10 }, again));
      await becomes(id, 'PAID');
      const last = await newIntent();
      await send(again(), decision(last, 'PAID', 1));
      await becomes(last, 'PAID');

      expect((await announcedFor(id)).map((event) => event.type)).toEqual(['intent.created', 'intent.paid']);
    });

    it('a decision that overtook an earlier one waits for it', async () => {
      const id = await newIntent();

      await send(decision(id, 'PAID', 2));
      const barrier = await newIntent();
      await send(decision(barrier, 'PAID', 1));
      await becomes(barrier, 'PAID');
      expect((await api.get(merchant, id)).body.status).toBe('PENDING');
      await send(decision(id, 'REVIEW_REQUIRED', 1));

      await becomes(id, 'PAID');
      expect((await announcedFor(id)).map((event) => [event.type, event.sequence])).toEqual([
        ['intent.created', 1],
        ['intent.review_required', 2],
        ['intent.paid', 3],
      ]);
    }, 30_000);
  });

  describe('in one batch', () => {
    it('several decisions about one intent are all applied and announced, whatever their order', async () => {
      const id = await newIntent();

      const { notYet } = await apply(decision(id, 'REJECTED', 2), decision(id, 'REVIEW_REQUIRED', 1));

      expect(notYet).toEqual([]);
      expect((await api.get(merchant, id)).body.status).toBe('REJECTED');
      expect((await announcedFor(id)).map((event) => event.type)).toEqual([
        'intent.created',
        'intent.review_required',
        'intent.rejected',
      ]);
    });

    it('a gap holds back only its own intent', async () => {
      const [early, due] = [await newIntent(), await newIntent()];
      const gap = decision(early, 'PAID', 2);

      const { notYet } = await apply(gap, decision(due, 'EXPIRED', 1));

      expect(notYet).toEqual([gap.id]);
      expect((await api.get(merchant, due)).body.status).toBe('EXPIRED');
      expect((await api.get(merchant, early)).body.status).toBe('PENDING');
    });

    it.each([
      ['EXPIRED', 'intent.expired'],
      ['FAILED', 'intent.failed'],
      ['REVIEW_REQUIRED', 'intent.review_required'],
    ] as const)('%s is told as %s, without a time of payment', async (status, type) => {
      const id = await newIntent();

      await apply(decision(id, status, 1));

      expect((await announcedFor(id)).at(-1)).toMatchObject({ type, data: { intent: { status, paidAt: null } } });
    });

    it('a decision that touches no intent changes nothing', async () => {
      const id = await newIntent();

      expect(await apply(decision(id, 'PAID', 1, { intent: null }))).toEqual({ notYet: [] });
      expect((await api.get(merchant, id)).body.status).toBe('PENDING');
    });

    it('an intent without a method takes method and receiver of the money that paid it', async () => {
      const wide = await aMerchant(service.db, { receivers: [BKASH, NAGAD] });
      const id = await newIntent(wide);

      await apply(decision(id, 'PAID', 1, {}, wide));

      expect((await api.get(wide, id)).body).toMatchObject({
        paymentMethod: 'NAGAD_SEND_MONEY',
        receiverMsisdn: NAGAD.msisdn,
      });
    });

    it('twenty batches about one intent at once make one move', async () => {
      const id = await newIntent();

      await Promise.all(Array.from({ length: 20 }, () => apply(decision(id, 'PAID', 1))));

      expect((await announcedFor(id)).map((event) => event.type)).toEqual(['intent.created', 'intent.paid']);
    });
  });

  describe('that can never be right', () => {
    it.each([
      ['an illegal move', async () => [await newIntent(), 'REJECTED', {}] as const],
      ['an intent that does not exist', async () => [uuidv7(), 'PAID', {}] as const],
    ])('%s is refused for good and changes nothing', async (_case, given) => {
      const [id, status] = await given();

      await expect(apply(decision(id, status, 1))).rejects.toMatchObject({ name: 'PermanentError' });
      expect((await announcedFor(id)).filter((event) => event.type !== 'intent.created')).toEqual([]);
    });

    it("another merchant's decision does not touch an intent", async () => {
      const id = await newIntent();
      const stranger = await aMerchant(service.db);

      await expect(apply(decision(id, 'PAID', 1, {}, stranger))).rejects.toMatchObject({ name: 'PermanentError' });
      expect((await api.get(merchant, id)).body.status).toBe('PENDING');
    });
  });
});
