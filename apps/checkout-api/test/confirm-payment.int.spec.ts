import { randomUUID } from 'node:crypto';
import { decodeEvent, undecidedSchema, type ClaimOutcome, type IntentStatus } from '@pay/contracts';
import { serviceClient } from '@pay/http';
import { draft } from '@pay/messaging';
import { aRandomTrxId, eventually, failOnLeaks, promptly } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { createLogger } from '@pay/runtime';
import { deleteOldRecords } from '../src/retention/delete-old-records';
import { checkoutCustomer } from './checkout-customer';
import {
  anIntent,
  given,
  intentEvent,
  MERCHANT,
  PEER_SECRETS,
  send,
  startService,
  type ServiceUnderTest,
} from './service-under-test';

failOnLeaks();

const SMS = uuidv7();

describe('POST /v1/checkout/:id/confirm', () => {
  let service: ServiceUnderTest;
  let impatient: ServiceUnderTest;
  const customer = checkoutCustomer(() => service);

  /** The clock of the service. Claims are decided by the minute, so tests set the time. */
  let at = new Date();
  const MINUTE = 60_000;
  const later = (ms: number) => (at = new Date(at.getTime() + ms));

  beforeAll(async () => {
    service = await startService({ now: () => at });
    impatient = await startService({ beside: service, patienceMs: 500 });
  });
  afterAll(async () => {
    await impatient.stop();
    await service.stop();
  });
  beforeEach(() => {
    at = new Date(Math.floor(Date.now() / MINUTE) * MINUTE);
    service.reconciler.respondWith(() => ({ status: 503 }));
  });

  const json = (status: number, body: unknown) => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const decision = (outcome: ClaimOutcome, intentStatus: IntentStatus, smsEventId: string | null = null) =>
    service.reconciler.respondWith(() => json(200, { outcome, smsEventId, intentStatus }));
  const paid = (intent: ReturnType<typeof anIntent>) => ({
    ...intent,
    status: 'PAID' as const,
    paidAt: new Date().toISOString(),
  });
  const claimsOf = (intentId: string) =>
    service.db.query<{ id: string; state: string; outcome: string | null }>(
      'select id, state, outcome from claims where intent_id = $1',
      [intentId],
    );
  const decidedWith = (intentId: string) =>
    service.reconciler.requests
      .map((request) => request.json() as any)
      .filter((body) => body.paymentIntentId === intentId);

  describe('the response to a confirm with', () => {
    it('a TrxID that passes the seven checks is matched, as soon as the copy is PAID', async () => {
      decision('matched', 'PAID', SMS);

      await promptly(1_900, async () => {
        const intent = await given(service, anIntent());
        const answer = customer.confirm(intent.id, aRandomTrxId());
        await service.reconciler.waitFor((request) => request.rawBody.includes(intent.id));
        await send(service, intentEvent(paid(intent), 2));

        const { status, body, durationMs } = await answer;
        expect({ status, body }).toEqual({
          status: 200,
          body: { matched: true, paymentIntentId: intent.id, smsEventId: SMS, reason: 'trx_id_match' },
        });
        return durationMs;
      });
    });

    it.each([
      ['passes the seven checks', 'matched', 'PAID', 'trx_id_match'],
      ['only a person may approve', 'not_found', 'REVIEW_REQUIRED', 'trx_id_not_found'],
    ] as const)(
      'a TrxID that %s comes after two seconds if the copy does not',
      async (_case, outcome, status, reason) => {
        const intent = await given(service, anIntent());
        decision(outcome, status, SMS);

        const { body, durationMs } = await customer.confirm(intent.id, aRandomTrxId());

        expect(body).toMatchObject({ matched: outcome === 'matched', reason });
        expect(durationMs).toBeGreaterThan(1_900);
      },
    );

    it('the TrxID that already paid this intent is the same response again, immediately', async () => {
      const intent = await given(service, paid(anIntent()), 2);
      decision('matched', 'PAID', SMS);

      await promptly(1_900, async () => {
        const { body, durationMs } = await customer.confirm(intent.id, aRandomTrxId());
        expect(body).toMatchObject({ matched: true, smsEventId: SMS, reason: 'trx_id_match' });
        return durationMs;
      });
    });

    it.each([
      ['a TrxID not seen yet', 'waiting', 'PENDING', { matched: false, smsEventId: null, reason: 'trx_id_not_found' }],
      [
        'a TrxID on another receiver, method, environment or merchant (as not seen)',
        'not_found',
        'PENDING',
        { matched: false, smsEventId: null, reason: 'trx_id_not_found' },
      ],
      [
        'a TrxID whose SMS has another amount',
        'amount_mismatch',
        'PENDING',
        { matched: false, smsEventId: SMS, reason: 'trx_id_match_amount_mismatch' },
      ],
    ] as const)('%s is 200 with its reason', async (_row, outcome, status, answer) => {
      const intent = await given(service, anIntent());
      decision(outcome, status, SMS);

      expect(await customer.confirm(intent.id, aRandomTrxId())).toMatchObject({
        status: 200,
        body: { paymentIntentId: intent.id, ...answer },
      });
    });

    it.each([
      ['a TrxID used for another intent', 'duplicate_trx_id', 'PENDING', 'duplicate_trx_id'],
      ['an expired intent', 'intent_expired', 'EXPIRED', 'INTENT_EXPIRED'],
      ['another final intent', 'intent_not_pending', 'FAILED', 'INTENT_NOT_PENDING'],
    ] as const)('%s is 409, and the claim is stored', async (_row, outcome, status, code) => {
      const intent = await given(service, anIntent({ status }), 2);
      decision(outcome, status);

      expect(await customer.confirm(intent.id, aRandomTrxId())).toMatchObject({ status: 409, body: { code } });
      expect(await claimsOf(intent.id)).toHaveLength(1);
    });

    it.each([
      ['is away', () => ({ status: 503 })],
      ['answers nonsense', () => json(200, { outcome: 'perhaps' })],
      ['refuses', () => json(401, { code: 'UNAUTHORIZED', message: 'no' })],
      ['does not answer', () => undefined],
    ])(
      'a TrxID while the reconciler %s is processing, and the claim is stored and published',
      async (_case, respond) => {
        const intent = await given(service, anIntent());
        service.reconciler.respondWith(respond);
        const trxId = aRandomTrxId();

        const { status, body } = await checkoutCustomer(() => impatient).confirm(intent.id, trxId);

        expect({ status, body }).toEqual({
          status: 200,
          body: { matched: false, paymentIntentId: intent.id, smsEventId: null, reason: 'processing' },
        });
        expect(await claimsOf(intent.id)).toMatchObject([{ state: 'undecided', outcome: null }]);
        const events = (await service.submitted()).filter((event) => event.data.paymentIntentId === intent.id);
        expect(events.map((event) => decodeEvent(JSON.stringify(event)))).toMatchObject([
          { type: 'claim.submitted', sequence: 1, merchantId: MERCHANT, environment: 'SANDBOX', data: { trxId } },
        ]);
      },
    );
  });

  describe('the claim', () => {
    it('is committed before the reconciler is called, with the TrxID in canonical form', async () => {
      const intent = await given(service, anIntent(), 1);
      decision('waiting', 'PENDING');

      const confirming = customer.confirm(intent.id, '  dkl4a1b2c3 ');
      await service.reconciler.waitFor((request) => request.rawBody.includes(intent.id));
      const stored = (await claimsOf(intent.id)).length;
      await confirming;

      expect(stored).toBe(1);
      expect(decidedWith(intent.id)).toMatchObject([
        {
          merchantId: MERCHANT,
          environment: 'SANDBOX',
          paymentIntentId: intent.id,
          trxId: 'DKL4A1B2C3',
          intentSequence: 1,
        },
      ]);
    });

    it('submitted again in the same minute is the same claim with its first time, and is decided again', async () => {
      const intent = await given(service, anIntent());
      const trxId = aRandomTrxId();
      decision('waiting', 'PENDING');

      await customer.confirm(intent.id, trxId);
      later(MINUTE - 1);
      await Promise.all(Array.from({ length: 10 }, () => customer.confirm(intent.id, trxId)));

      const decided = decidedWith(intent.id);
      expect(decided).toHaveLength(11);
      expect(new Set(decided.map((body) => body.claimId)).size).toBe(1);
      expect(new Set(decided.map((body) => body.submittedAt)).size).toBe(1);
      const repeats = Array.from({ length: 10 }, () => ({ first: 1, last: 0 }));
      expect(decided.map((body) => body.submissionNumbers)).toEqual([{ first: 1, last: 1 }, ...repeats]);
      expect((await service.submitted()).filter((event) => event.data.paymentIntentId === intent.id)).toHaveLength(1);
    });

    it('submitted again after other claims in the same minute is published again', async () => {
      const intent = await given(service, anIntent());
      const [trxId, ...others] = Array.from({ length: 4 }, () => aRandomTrxId()) as [string, ...string[]];
      decision('waiting', 'PENDING');

      for (const each of [trxId, ...others, trxId, trxId]) {
        await customer.confirm(intent.id, each);
        later(1_000);
      }

      const published = (await service.submitted()).filter(
        ({ data }) => data.paymentIntentId === intent.id && data.trxId === trxId,
      );
      expect(published.map(({ sequence }) => sequence)).toEqual([1, 2]);
    });

    it('submitted again in another minute keeps its id, has the new time and is published again', async () => {
      const intent = await given(service, anIntent());
      const trxId = aRandomTrxId();
      decision('waiting', 'PENDING');
      const times = [at.toISOString(), later(MINUTE).toISOString()];
      later(-MINUTE);

      await customer.confirm(intent.id, trxId);
      later(MINUTE);
      await Promise.all([customer.confirm(intent.id, trxId), customer.confirm(intent.id, trxId)]);

      expect(decidedWith(intent.id).map(({ submittedAt }) => submittedAt)).toEqual([times[0], times[1], times[1]]);
      const [claim, ...others] = await claimsOf(intent.id);
      expect(others).toEqual([]);
      expect((await service.submitted()).filter(({ aggregateId }) => aggregateId === claim?.id)).toMatchObject([
        { sequence: 1, data: { submittedAt: times[0] } },
        { sequence: 2, data: { submittedAt: times[1] } },
      ]);
    });

    it('submitted again stays undecided until its latest submission is decided', async () => {
      const intent = await given(service, anIntent());
      const trxId = aRandomTrxId();
      const first = at.toISOString();
      await customer.confirm(intent.id, trxId);
      later(MINUTE);
      await customer.confirm(intent.id, trxId);
      const [claim] = await claimsOf(intent.id);
      const decided = (outcome: ClaimOutcome, submittedAt: string) =>
        draft('claim.settled', {
          environment: 'SANDBOX',
          merchantId: MERCHANT,
          aggregateId: claim?.id ?? '',
          sequence: 1,
          occurredAt: at,
          data: { claimId: claim?.id ?? '', paymentIntentId: intent.id, outcome, smsEventId: null, submittedAt },
        });

      await send(service, decided('not_found', first));
      await given(service, anIntent());
      expect(await claimsOf(intent.id)).toMatchObject([{ state: 'undecided' }]);
      await send(service, decided('matched', at.toISOString()));

      await eventually(async () => (await claimsOf(intent.id))[0]?.outcome === 'matched', 'the claim is settled');
    });

    it.each([
      ['duplicate_trx_id', 'EXPIRED', 'late', 'used'],
      ['duplicate_trx_id', 'PENDING', 'waiting', 'used'],
    ] as const)(
      'settled as not_found and then as %s changes the view of the %s intent from %s to %s',
      async (outcome, status, before, shown) => {
        const intent = await given(service, anIntent());
        await customer.confirm(intent.id, aRandomTrxId());
        const [claim] = await claimsOf(intent.id);
        const settledAs = (settled: ClaimOutcome, sequence: number) =>
          draft('claim.settled', {
            environment: 'SANDBOX',
            merchantId: MERCHANT,
            aggregateId: claim?.id ?? '',
            sequence,
            occurredAt: at,
            data: { claimId: claim?.id ?? '', paymentIntentId: intent.id, outcome: settled, smsEventId: null },
          });
        const stateOf = async () => (await customer.view(intent.id)).body.claim as unknown;
        await given(service, { ...intent, status }, 2);
        await send(service, settledAs('not_found', 1));
        await eventually(async () => (await claimsOf(intent.id))[0]?.outcome === 'not_found', 'it is not found');
        expect(await stateOf()).toBe(before);

        await send(service, settledAs(outcome, 2));

        await eventually(async () => (await stateOf()) === shown, `the view shows ${shown}`);
      },
    );

    it('contains the digits of the payer, which a later submission may add', async () => {
      const intent = await given(service, anIntent());
      const trxId = aRandomTrxId();
      decision('waiting', 'PENDING');

      await customer.confirm(intent.id, trxId);
      later(1_000);
      await customer.confirm(intent.id, trxId, { payerDigits: ' ৩৪5 ' });
      later(1_000);
      await customer.confirm(intent.id, trxId, { payerDigits: null });

      expect(decidedWith(intent.id).map(({ payerDigits }) => payerDigits)).toEqual([undefined, '345', '345']);
      const events = (await service.submitted()).filter((event) => event.data.paymentIntentId === intent.id);
      expect(events.map(({ data }) => data.payerDigits)).toEqual([undefined, '345']);
    });

    it.each(['34', '3456', '34a', '', 345, ['345'], { $ne: '' }])(
      'is not stored with %j as the digits of the payer, and the response is 400',
      async (payerDigits) => {
        const intent = await given(service, anIntent());

        const reply = await customer.confirm(intent.id, aRandomTrxId(), { payerDigits });

        expect(reply).toMatchObject({ status: 400, body: { message: [expect.stringContaining('payerDigits')] } });
        expect(await claimsOf(intent.id)).toEqual([]);
      },
    );

    it('is deleted in batches after its retention period, and not before', async () => {
      const intent = await given(service, anIntent());
      decision('waiting', 'PENDING');
      await customer.confirm(intent.id, aRandomTrxId());
      await service.db.execute(
        `insert into claims (id, merchant_id, environment, intent_id, trx_id, submitted_at, state, outcome, judged_at)
         select gen_random_uuid(), merchant_id, environment, intent_id, 'OLD' || lpad(n::text, 7, '0'), old, 'settled', 'matched', old
         from claims, generate_series(1, 1500) n, lateral (select $2::timestamptz - interval '31 days' as old) as submission
         where intent_id = $1`,
        [intent.id, at],
      );
      const { db } = service;
      const log = createLogger({ service: 'checkout-api', level: 'silent' });

      await deleteOldRecords(
        { db, log, now: () => at, retention: { claimDays: 30, copyDays: 30 } },
        new AbortController().signal,
      );

      expect(await claimsOf(intent.id)).toHaveLength(1);
    });

    it('is one claim for twenty concurrent requests', async () => {
      const intent = await given(service, anIntent());
      decision('waiting', 'PENDING');

      await Promise.all(Array.from({ length: 20 }, () => customer.confirm(intent.id, 'DKL4A1B2C3')));

      expect(await claimsOf(intent.id)).toHaveLength(1);
      expect(new Set(decidedWith(intent.id).map((body) => body.claimId)).size).toBe(1);
    });

    it('writes one log line without the TrxID', async () => {
      const intent = await given(service, anIntent());
      const trxId = aRandomTrxId();
      decision('waiting', 'PENDING');

      await customer.confirm(intent.id, trxId);

      expect(
        service.lines.filter((line) => line['msg'] === 'claim.decided' && line['intentId'] === intent.id),
      ).toMatchObject([{ outcome: 'waiting' }]);
      expect(JSON.stringify(service.lines)).not.toContain(trxId);
    });

    it.each([
      undefined,
      null,
      '',
      'ABC',
      'x'.repeat(21),
      '<script>',
      'DKL 4A1B2C3',
      12345678,
      ['DKL4A1B2C3'],
      { $ne: '' },
    ])('is not stored for a text that is no TrxID, %j, and the response is 400', async (trxId) => {
      const intent = await given(service, anIntent());

      const reply = await customer.confirm(intent.id, trxId);

      expect(reply).toMatchObject({ status: 400, body: { statusCode: 400, error: 'Bad Request' } });
      expect(reply.body.message).toEqual([expect.stringContaining('trxId')]);
      expect(await claimsOf(intent.id)).toEqual([]);
    });

    it.each(['', '{', '[]', 'null'])('is not stored for a body of %j, and the response is 400', async (body) => {
      const intent = await given(service, anIntent());

      expect((await customer.call('POST', `/v1/checkout/${intent.id}/confirm`, body)).status).toBe(400);
    });

    it('answers 404 for an unknown intent', async () => {
      service.intentApi.respondWith(() => json(404, { code: 'NOT_FOUND', message: 'no' }));

      expect(await customer.confirm(randomUUID(), 'DKL4A1B2C3')).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      });
    });
  });

  describe('GET /internal/v1/undecided', () => {
    const undecided = async (secret = PEER_SECRETS.reconciler) => {
      const client = serviceClient({
        issuer: 'reconciler',
        audience: 'checkout-api',
        secret,
        baseUrl: service.internalUrl,
      });
      const answer = await client.request('GET', '/internal/v1/undecided', { schema: undecidedSchema });
      await client.close();
      return answer.undecided;
    };
    const settle = (
      type: 'claim.waiting' | 'claim.settled',
      claimId: string,
      intentId: string,
      outcome: ClaimOutcome,
      sequence = 1,
    ) =>
      draft(type, {
        environment: 'SANDBOX',
        merchantId: MERCHANT,
        aggregateId: claimId,
        sequence,
        occurredAt: new Date(),
        data: { claimId, paymentIntentId: intentId, outcome, smsEventId: null },
      });

    beforeEach(async () => {
      await service.db.execute('truncate claims');
    });

    it('returns the time of the oldest undecided claim per tenant', async () => {
      const intent = await given(service, anIntent());
      const before = at;
      await customer.confirm(intent.id, 'AAAA000001');
      later(1_000);
      await customer.confirm(intent.id, 'AAAA000002');
      const [first, second] = await service.db.query<{ id: string; submitted_at: Date }>(
        'select id, submitted_at from claims order by submitted_at',
      );
      if (!first || !second) throw new Error('two claims were made');

      expect(await undecided()).toEqual([
        { merchantId: MERCHANT, environment: 'SANDBOX', oldest: first.submitted_at.toISOString() },
      ]);
      expect(first.submitted_at.getTime()).toBeGreaterThanOrEqual(before.getTime());

      await send(service, settle('claim.waiting', first.id, intent.id, 'waiting'));
      await eventually(
        async () => (await undecided())[0]?.oldest === second.submitted_at.toISOString(),
        'the second is the oldest',
      );
      await send(service, settle('claim.settled', second.id, intent.id, 'duplicate_trx_id'));
      await eventually(async () => (await undecided()).length === 0, 'nothing is undecided');
    });

    it('is refused while claims are being stored, and then includes them by the time of their submission', async () => {
      const [first, second] = [await given(service, anIntent()), await given(service, anIntent())];
      const waiting = async () =>
        (
          await service.db.query(
            `select 1 from pg_locks where not granted and relation = 'claims'::regclass and database =
               (select oid from pg_database where datname = current_database())`,
          )
        ).length;
      const confirming: Promise<unknown>[] = [];
      await service.db.transaction(async (tx) => {
        await tx.execute('lock table claims in exclusive mode');
        confirming.push(customer.confirm(first.id, 'AAAA000004'));
        await eventually(async () => (await waiting()) === 1, 'the first claim is being stored');
        confirming.push(customer.confirm(second.id, 'AAAA000005'));
        await eventually(async () => (await waiting()) === 2, 'the second claim does not wait behind the first');

        await expect(undecided()).rejects.toMatchObject({ status: 503 });
      });
      await Promise.all(confirming);

      const [oldest] = await service.db.query<{ at: Date }>('select min(submitted_at) as at from claims');
      expect(await undecided()).toEqual([
        { merchantId: MERCHANT, environment: 'SANDBOX', oldest: oldest?.at.toISOString() },
      ]);
    });

    it('does not change a settled claim when an earlier decision arrives late', async () => {
      const intent = await given(service, anIntent());
      await customer.confirm(intent.id, 'AAAA000003');
      const [claim] = await claimsOf(intent.id);

      await send(service, settle('claim.settled', claim?.id ?? '', intent.id, 'matched', 3));
      await eventually(async () => (await claimsOf(intent.id))[0]?.state === 'settled', 'the claim is settled');
      await send(service, settle('claim.waiting', claim?.id ?? '', intent.id, 'waiting', 1));
      await send(service, settle('claim.settled', claim?.id ?? '', intent.id, 'intent_expired', 2));
      await given(service, anIntent());

      expect(await claimsOf(intent.id)).toMatchObject([{ state: 'settled', outcome: 'matched' }]);
    });

    it('answers 401 for another secret, and is not reachable through the public port', async () => {
      await expect(undecided('x'.repeat(32))).rejects.toMatchObject({ status: 401 });
      expect((await customer.call('GET', '/internal/v1/undecided')).status).toBe(404);
    });
  });
});
