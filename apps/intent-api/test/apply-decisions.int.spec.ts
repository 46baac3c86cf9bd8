import { decodeEvent, internalIntentSchema, type IntentStatus, type MatchDecided } from '@pay/contracts';
import { serviceClient } from '@pay/http';
import { raiseEpoch } from '@pay/messaging';
import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { apply as applyTo, DECIDED_AT, decisionOn, type DecisionDraft } from './decisions';
import { merchantApi } from './merchant-api';
import {
  aMerchant,
  BKASH,
  NAGAD,
  PEER_SECRETS,
  startService,
  type MerchantUnderTest,
  type ServiceUnderTest,
} from './service-under-test';

failOnLeaks();

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

  const decision = (
    intentId: string,
    status: IntentStatus,
    sequence: number,
    change: Partial<MatchDecided> = {},
    owner = merchant,
  ) => decisionOn(owner, intentId, status, sequence, change);

  /** Publishes events to the service's queue, like a replay. */
  const send = (...drafts: DecisionDraft[]) =>
    service.db.transaction((tx) => service.messaging.publish(tx, drafts, { queue: 'intent-api.events' }));

  const apply = (...drafts: DecisionDraft[]) => applyTo(service, ...drafts);

  const announcedFor = async (intentId: string) =>
    (await service.announced()).filter((event) => event.type.startsWith('intent.') && event.aggregateId === intentId);

  /** The answer for services that have no copy of the intent. */
  const internalAnswerOf = async (intentId: string) => {
    const secret = PEER_SECRETS['checkout-api'];
    const names = { issuer: 'checkout-api', audience: 'intent-api' } as const;
    const client = serviceClient({ ...names, secret, baseUrl: service.internalUrl });
    const answer = await client.request('GET', `/internal/v1/intents/${intentId}`, { schema: internalIntentSchema });
    await client.close();
    return answer;
  };

  const becomes = (intentId: string, status: IntentStatus) =>
    eventually(async () => {
      const { body } = await api.get(merchant, intentId);
      return body.status === status && body;
    }, `the intent becomes ${status}`);

  describe('over the queue', () => {
    it('a confirmed match pays the intent, and the published event has the state that the API returns', async () => {
      const id = await newIntent();

      const matchId = uuidv7();
      await send(decision(id, 'PAID', 1, { matchId }));

      const body = await becomes(id, 'PAID');
      expect(body.paidAt).toBe(DECIDED_AT.toISOString());
      const published = (await announcedFor(id)).at(-1);
      expect(decodeEvent(JSON.stringify(published))).toMatchObject({
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
      expect(await internalAnswerOf(id)).toMatchObject({ sequence: 2, paidTrxId: 'DKL4A1B2C3' });
      expect(body.trxId).toBe('DKL4A1B2C3');
      expect((await api.list(merchant, '?status=PAID')).body.data).toContainEqual(body);
      const line = service.lines.find((each) => each['msg'] === 'intent.settled' && each['intentId'] === id);
      expect(line).toMatchObject({ from: 'PENDING', to: 'PAID', reason: 'reference_match' });
      expect(JSON.stringify(service.lines)).not.toContain('DKL4A1B2C3');
    });

    it('applies and publishes a decision once when it arrives ten times', async () => {
      const id = await newIntent();
      const again = () => decision(id, 'PAID', 1);

      await send(...Array.from({ length: 10 }, again));
      await becomes(id, 'PAID');
      const last = await newIntent();
      await send(again(), decision(last, 'PAID', 1));
      await becomes(last, 'PAID');

      expect((await announcedFor(id)).map((event) => event.type)).toEqual(['intent.created', 'intent.paid']);
    });

    it('a decision that arrives before an earlier one waits for it', async () => {
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
    });
  });

  describe('in one batch', () => {
    it('applies and publishes several decisions about one intent in any order of arrival', async () => {
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

    it('a missing decision delays only its own intent', async () => {
      const [early, due] = [await newIntent(), await newIntent()];
      const gap = decision(early, 'PAID', 2);

      const { notYet } = await apply(gap, decision(due, 'EXPIRED', 1));

      expect(notYet).toEqual([gap.id]);
      expect((await api.get(merchant, due)).body.status).toBe('EXPIRED');
      expect((await api.get(merchant, early)).body.status).toBe('PENDING');
    });

    it.each([
      ['EXPIRED', 'intent.expired', 'expiredAt'],
      ['FAILED', 'intent.failed', 'failedAt'],
      ['REVIEW_REQUIRED', 'intent.review_required', 'reviewRequiredAt'],
    ] as const)('%s is published as %s, with %s and without a time of payment', async (status, type, field) => {
      const id = await newIntent();

      await apply(decision(id, status, 1));

      const at = DECIDED_AT.toISOString();
      const published = (await announcedFor(id)).at(-1);
      expect(published).toMatchObject({ type, data: { intent: { status, paidAt: null, [field]: at } } });
      expect((await api.get(merchant, id)).body).toMatchObject({ status, paidAt: null, [field]: at });
    });

    it('a receiver account switched off under a pending intent fails it, with the reason', async () => {
      const id = await newIntent();
      const reason = 'receiver_switched_off';

      await apply(decision(id, 'FAILED', 1, { matchStatus: 'FAILED', path: null, reason, evidence: null, sms: null }));

      expect((await api.get(merchant, id)).body).toMatchObject({ status: 'FAILED', failureReason: reason });
      expect((await announcedFor(id)).at(-1)).toMatchObject({
        type: 'intent.failed',
        data: { intent: { failureReason: reason }, decision: { reason, smsEventId: null } },
      });
    });

    it('an intent that was reviewed and then paid shows the time of both', async () => {
      const id = await newIntent();

      await apply(decision(id, 'REVIEW_REQUIRED', 1));
      await apply(decision(id, 'PAID', 2));

      const at = DECIDED_AT.toISOString();
      expect((await api.get(merchant, id)).body).toMatchObject({ status: 'PAID', reviewRequiredAt: at, paidAt: at });
    });

    it('ignores a decision that changes no intent', async () => {
      const id = await newIntent();

      expect(await apply(decision(id, 'PAID', 1, { intent: null }))).toEqual({ notYet: [] });
      expect((await api.get(merchant, id)).body.status).toBe('PENDING');
    });

    it('an intent without a method gets the method and receiver of the money that paid it', async () => {
      const wide = await aMerchant(service.db, { receivers: [BKASH, NAGAD] });
      const id = await newIntent(wide);

      await apply(decision(id, 'PAID', 1, {}, wide));

      expect((await api.get(wide, id)).body).toMatchObject({
        paymentMethod: 'NAGAD_SEND_MONEY',
        receiverMsisdn: NAGAD.msisdn,
        chosenPaymentMethod: null,
        chosenReceiverMsisdn: null,
      });
    });

    it('an intent whose money came in by another method than the chosen one names that method, and the choice apart from it', async () => {
      const id = await newIntent();

      await apply(decision(id, 'PAID', 1));

      const paid = {
        paymentMethod: 'NAGAD_SEND_MONEY',
        receiverMsisdn: NAGAD.msisdn,
        chosenPaymentMethod: 'BKASH_SEND_MONEY',
        chosenReceiverMsisdn: BKASH.msisdn,
      };
      expect((await api.get(merchant, id)).body).toMatchObject(paid);
      expect((await announcedFor(id)).at(-1)).toMatchObject({ type: 'intent.paid', data: { intent: paid } });
    });

    it('applies a decision once when twenty batches contain it at the same time', async () => {
      const id = await newIntent();

      await Promise.all(Array.from({ length: 20 }, () => apply(decision(id, 'PAID', 1))));

      expect((await announcedFor(id)).map((event) => event.type)).toEqual(['intent.created', 'intent.paid']);
    });
  });

  describe('that are invalid', () => {
    it.each([
      ['an illegal move', async () => [await newIntent(), 'REJECTED', {}] as const],
      ['an intent that does not exist', async () => [uuidv7(), 'PAID', {}] as const],
    ])('%s is refused permanently and changes nothing', async (_case, given) => {
      const [id, status] = await given();

      await expect(apply(decision(id, status, 1))).rejects.toMatchObject({ name: 'PermanentError' });
      expect((await announcedFor(id)).filter((event) => event.type !== 'intent.created')).toEqual([]);
    });

    it("another merchant's decision does not touch an intent", async () => {
      const id = await newIntent();
      const otherMerchant = await aMerchant(service.db);

      await expect(apply(decision(id, 'PAID', 1, {}, otherMerchant))).rejects.toMatchObject({ name: 'PermanentError' });
      expect((await api.get(merchant, id)).body.status).toBe('PENDING');
    });
  });

  describe('after a promoted reconciler lost its last commit', () => {
    const inEpoch = (epoch: number, draft: DecisionDraft) => ({ ...draft, epoch });
    const conflictsOf = async () => {
      const metric = await service.metrics.registry.getSingleMetric('messaging_sequence_conflicts_total')?.get();
      return metric?.values.find(({ labels }) => labels['subject'] === 'decision')?.value ?? 0;
    };

    it('the next decision, with the sequence of the lost one, is applied and published', async () => {
      const id = await newIntent();
      await send(decision(id, 'REVIEW_REQUIRED', 1, { matchStatus: 'REVIEW_REQUIRED' }));
      await becomes(id, 'REVIEW_REQUIRED');

      // In this test the services share a database: its epoch is the one in which the decision is published.
      await raiseEpoch(service.db);
      await send(decision(id, 'PAID', 1));

      await becomes(id, 'PAID');
      expect((await announcedFor(id)).map(({ type }) => type)).toEqual([
        'intent.created',
        'intent.review_required',
        'intent.paid',
      ]);
    });

    it('a lost decision that is made again with the same result is not published or counted again', async () => {
      const id = await newIntent();
      await apply(inEpoch(1, decision(id, 'PAID', 1)));
      const totals = 'select * from receiver_takings order by 1, 2, 3';
      const before = await service.db.query(totals);

      await apply(inEpoch(2, decision(id, 'PAID', 1)));

      expect((await announcedFor(id)).filter(({ type }) => type === 'intent.paid')).toHaveLength(1);
      expect(await service.db.query(totals)).toEqual(before);
      await expect(
        service.db.query('select sequence, decision_sequence, decision_epoch from payment_intents where id = $1', [id]),
      ).resolves.toEqual([{ sequence: 2, decision_sequence: 1, decision_epoch: 2 }]);
    });

    it('PAID stays PAID when the promoted reconciler decides otherwise, and the decision is parked', async () => {
      const id = await newIntent();
      await apply(inEpoch(1, decision(id, 'PAID', 1)));

      await expect(apply(inEpoch(2, decision(id, 'EXPIRED', 1)))).rejects.toThrow(
        'an intent cannot move from PAID to EXPIRED',
      );
      expect((await api.get(merchant, id)).body.status).toBe('PAID');
    });

    it('reports another decision with the epoch and sequence of the applied one once and ignores it; a repeat is not reported', async () => {
      const id = await newIntent();
      const first = inEpoch(1, decision(id, 'REVIEW_REQUIRED', 1));
      await apply(first);
      const before = await conflictsOf();

      await apply(first);
      expect(await conflictsOf()).toBe(before);
      await apply(inEpoch(1, decision(id, 'PAID', 1)));

      expect(await conflictsOf()).toBe(before + 1);
      expect(service.lines).toContainEqual(
        expect.objectContaining({ msg: 'sequence.conflict', subject: 'decision', id, epoch: 1, sequence: 1 }),
      );
      expect((await api.get(merchant, id)).body.status).toBe('REVIEW_REQUIRED');
    });

    it.each([
      ['the event', null, 1],
      ['the stored decision', 1, null],
    ])('only sequences are compared while %s has no epoch', async (_, given, stored) => {
      const id = await newIntent();
      const bare = (epoch: number | null, draft: DecisionDraft) => (epoch === null ? draft : inEpoch(epoch, draft));
      await apply(bare(stored, decision(id, 'REVIEW_REQUIRED', 1)));

      await apply(bare(given, decision(id, 'PAID', 1)));
      expect((await api.get(merchant, id)).body.status).toBe('REVIEW_REQUIRED');
      await apply(bare(given, decision(id, 'PAID', 2)));
      expect((await api.get(merchant, id)).body.status).toBe('PAID');
    });
  });
});
