import { decodeEvent, eventsOf } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import type { Claim } from '../src/claims/claim-repository';
import { submitClaims } from '../src/claims/submit-claims';
import { startService, type ServiceUnderTest } from './service-under-test';

/** Before the payment, after the payment and in time, shortly after the expiry at 10:00. */
const [EARLY, IN_TIME, LATE] = [at('09:50:00'), at('09:59:50'), at('10:00:06')];

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
failOnLeaks();

function at(time: string): Date {
  return new Date(`2026-11-21T${time}Z`);
}

function aClaim(given: Partial<Claim> = {}): Claim {
  return {
    id: uuidv7(),
    merchantId: uuidv7(),
    environment: 'LIVE',
    intentId: uuidv7(),
    trxId: 'AAAA000001',
    submittedAt: IN_TIME,
    payerDigits: undefined,
    ...given,
  };
}

const submit = (...claims: Claim[]) =>
  service.db.transaction((tx) =>
    submitClaims({ messaging: service.messaging, notifications: { notify: () => undefined } }, tx, claims),
  );

async function published(intentId: string) {
  const sql = `select body from outbox where type = 'claim.submitted' and body::jsonb -> 'data' ->> 'paymentIntentId' = $1 order by seq`;
  const rows = await service.db.query<{ body: string }>(sql, [intentId]);
  const events = eventsOf(
    rows.map(({ body }) => decodeEvent(body)),
    'claim.submitted',
  );
  return events.map(({ data }) => data);
}

const timesOf = async (intentId: string) => (await published(intentId)).map(({ submittedAt }) => new Date(submittedAt));

async function stored(intentId: string) {
  const [row] = await service.db.query<object>(
    'select submitted_at, resubmitted_at, state, outcome, payer_digits from claims where intent_id = $1',
    [intentId],
  );
  return row;
}

describe('submissions of one claim', () => {
  const orders = [
    [EARLY, IN_TIME, LATE],
    [LATE, IN_TIME, EARLY],
    [EARLY, LATE, IN_TIME],
    [LATE, EARLY, IN_TIME],
  ];

  it.each(orders)('at %s, %s and %s in one group are published by their times, each once', async (...times) => {
    const claim = aClaim();

    const answers = await submit(...times.map((submittedAt) => ({ ...claim, id: uuidv7(), submittedAt })));

    expect(await timesOf(claim.intentId)).toEqual([EARLY, IN_TIME, LATE]);
    expect(answers.map(({ submittedAt }) => submittedAt)).toEqual(times);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await stored(claim.intentId)).toMatchObject({ submitted_at: EARLY, resubmitted_at: LATE });
  });

  it.each(orders)('at %s, %s and %s that are stored in this order are all published', async (...times) => {
    const claim = aClaim();

    for (const submittedAt of times) {
      const [answer] = await submit({ ...claim, submittedAt });
      expect(answer?.submittedAt).toEqual(submittedAt);
    }

    expect(await timesOf(claim.intentId)).toEqual(times);
    expect((await published(claim.intentId)).map(({ submissionNumbers }) => submissionNumbers)).toEqual(
      [1, 2, 3].map((number) => ({ first: number, last: number })),
    );
    expect(await stored(claim.intentId)).toMatchObject({ submitted_at: EARLY, resubmitted_at: LATE });
  });

  it('are undecided again after an earlier one, whose event requests the decision', async () => {
    const claim = aClaim({ submittedAt: LATE });
    await submit(claim);
    await service.db.execute(
      `update claims set state = 'settled', outcome = 'intent_expired', judged_at = now() where id = $1`,
      [claim.id],
    );

    await submit({ ...claim, submittedAt: IN_TIME, payerDigits: '345' });
    await submit({ ...claim, submittedAt: IN_TIME, payerDigits: '678' });

    expect(await stored(claim.intentId)).toMatchObject({ state: 'undecided', outcome: null, payer_digits: '345' });
    expect(await published(claim.intentId)).toEqual([
      expect.not.objectContaining({ decisionMissing: true }),
      expect.objectContaining({ submittedAt: IN_TIME.toISOString(), payerDigits: '345', decisionMissing: true }),
    ]);
  });

  it('in the same minute as the first are published only if one has other digits', async () => {
    const claim = aClaim({ submittedAt: EARLY });
    const again = new Date(EARLY.getTime() + 1_000);
    await submit(claim, { ...claim, submittedAt: again });
    await submit({ ...claim, submittedAt: LATE });

    await submit({ ...claim, submittedAt: again });
    expect(await timesOf(claim.intentId)).toEqual([EARLY, LATE]);
    await submit({ ...claim, submittedAt: again, payerDigits: '345' });

    expect(await timesOf(claim.intentId)).toEqual([EARLY, LATE, again]);
  });

  it('are one event with the digits of any of them if they share a group and a minute', async () => {
    const claim = aClaim();
    const later = new Date(IN_TIME.getTime() + 1);

    await submit(claim, { ...claim, submittedAt: later, payerDigits: '345' }, { ...claim, submittedAt: later });

    expect(await published(claim.intentId)).toMatchObject([{ submittedAt: IN_TIME.toISOString(), payerDigits: '345' }]);
  });

  it('are published again in the same minute if another TrxID of the intent is in the same group', async () => {
    const claim = aClaim();
    const second = (n: number, trxId: string) => ({
      ...aClaim(),
      intentId: claim.intentId,
      trxId,
      submittedAt: new Date(IN_TIME.getTime() + n),
    });
    await submit(claim);

    await submit(second(1, 'AAAA000002'), second(2, claim.trxId));

    expect((await published(claim.intentId)).map(({ trxId }) => trxId)).toEqual([
      claim.trxId,
      'AAAA000002',
      claim.trxId,
    ]);
  });

  it('need no second statement if each claim is in the group once', async () => {
    const statements: string[] = [];
    await service.db.transaction((tx) => {
      const counting = new Proxy(tx, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== 'function') return value;
          return (statement: { name?: string }, ...rest: unknown[]) => {
            if (name === 'query') statements.push(statement.name ?? '');
            return (value as (...input: unknown[]) => unknown).call(target, statement, ...rest);
          };
        },
      });
      const claims = [aClaim(), aClaim(), aClaim()];
      return submitClaims(
        { messaging: service.messaging, notifications: { notify: () => undefined } },
        counting,
        claims,
      );
    });

    expect(statements.filter((name) => name === 'submit-claims')).toHaveLength(1);
  });
});
