import { internalEvidenceFileSchema } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { randomUUID } from 'node:crypto';
import { findException } from '../src/reviews/find-exception';
import { makeEvidenceFile } from '../src/audit/make-evidence-file';
import { sealDecisions } from '../src/decision-chain/seal-decisions';
import { showChainHead } from '../src/decision-chain/show-chain-head';
import { verifyDecisions } from '../src/decision-chain/verify-decisions';
import { ALL_RULES, anIntent, aSignal, claimArrives, intentArrives, SHOP, smsArrives, someEvidence } from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';
import { reviewDesk } from './review-under-test';

let session: SessionUnderTest;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.close());
failOnLeaks();

const fileOf = (id: string, merchantId = SHOP.merchantId) => makeEvidenceFile(session.deps, merchantId, id);
const seal = () => sealDecisions(session.deps, new AbortController().signal);

describe('an evidence file', () => {
  it('contains texts, claims and decisions in order, with checks, reasons and signatures', async () => {
    const trxId = aName();
    const intent = anIntent({ reference: aName() });
    const sms = someEvidence({ trxId });
    await session.deliver(smsArrives(sms));
    await session.deliver(intentArrives(intent));
    await session.deliver(claimArrives(intent.id, trxId));
    await seal();

    const file = internalEvidenceFileSchema.parse(await fileOf(intent.id));

    expect(file).toMatchObject({
      environment: 'LIVE',
      intent: { id: intent.id, status: 'PAID', amount: '500' },
      sms: [{ smsEventId: sms.smsEventId, trxId, amount: '500', payerMsisdn: '018******78' }],
      claims: [{ trxId, source: 'CHECKOUT', outcome: 'matched' }],
      decisions: [
        { status: 'PENDING', reason: 'no_reference', paymentIntentId: null, isAuthentic: true, intentStatus: null },
        {
          status: 'MATCHED',
          path: 'TRX_ID',
          reason: 'trx_id_match',
          checks: { amount: 'pass', reuse: 'pass' },
          decidedBy: 'system',
          note: null,
          isAuthentic: true,
          intentStatus: 'PAID',
          candidates: [{ paymentIntentId: intent.id, reason: 'pays' }],
        },
      ],
    });
    expect(file.decisions.every(({ position, link }) => position !== null && link?.length === 64)).toBe(true);
    expect(JSON.stringify(file)).not.toContain(sms.payerMsisdn);
  });

  it('marks a decision that differs from its signature', async () => {
    const reference = aName();
    const intent = anIntent({ reference });
    await session.deliver(intentArrives(intent), smsArrives(someEvidence({ reference, trxId: aName() })));
    await session.db.transaction(async (tx) => {
      await tx.execute('alter table decisions disable trigger user');
      await tx.execute(
        `update decisions set record = replace(record, '"expectedAmount":"500"', '"expectedAmount":"5"') where payment_intent_id = $1`,
        [intent.id],
      );
      await tx.execute('alter table decisions enable trigger user');
    });

    expect((await fileOf(intent.id)).decisions).toMatchObject([{ status: 'MATCHED', isAuthentic: false }]);
  });

  it('does not exist for another merchant or for an unknown payment', async () => {
    const intent = anIntent({ reference: aName() });
    await session.deliver(intentArrives(intent));

    await expect(fileOf(intent.id, randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(fileOf(randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(fileOf(intent.id)).resolves.toMatchObject({ sms: [], claims: [], decisions: [] });
  });
});

describe("the doubts of a merchant's rules about a text", () => {
  let strict: SessionUnderTest;
  beforeAll(async () => {
    strict = await openSession({ evidenceRules: ALL_RULES });
  });
  afterAll(() => strict.close());

  it('are listed in the exception and in the evidence file, also after the decision', async () => {
    const reference = aName();
    const intent = anIntent({ reference, expectedSenderMsisdn: '01911111111' });
    const sms = someEvidence({ reference, trxId: aName(), signals: [aSignal('text_was_edited')] });
    await strict.deliver(intentArrives(intent), smsArrives(sms));
    const doubts = ['forgery_signals', 'payer_differs'];
    const desk = reviewDesk(strict);

    const item = await findException(strict, SHOP.merchantId, await desk.itemOf(sms.smsEventId));
    const { refusal } = await desk.ask(sms.smsEventId, { action: 'resolve' });

    expect(item).toMatchObject({ kind: 'doubtful', reason: 'forgery_signals', doubts, checks: { amount: 'pass' } });
    expect(refusal).toBeNull();
    const { decisions, sms: texts } = await makeEvidenceFile(strict.deps, SHOP.merchantId, intent.id);
    expect(decisions).toMatchObject([
      { status: 'REVIEW_REQUIRED', reason: 'forgery_signals', doubts },
      { status: 'MANUALLY_RESOLVED', reason: 'approved_by_person', doubts, decidedBy: expect.stringMatching(/^user:/) },
    ]);
    expect(texts).toMatchObject([{ signals: [{ name: 'text_was_edited' }] }]);
  });
});

describe('the head of a chain', () => {
  it('is the last verified link, with the number of decisions that are not linked yet', async () => {
    const tenant = { ...SHOP, environment: 'SANDBOX' } as const;
    const pay = async () => {
      const reference = aName();
      const sms = someEvidence({ tenant, reference, trxId: aName() });
      await session.deliver(intentArrives(anIntent({ tenant, reference })), smsArrives(sms));
    };
    expect(await showChainHead(session.deps, tenant)).toMatchObject({ position: '0', link: null, unsealed: 0 });
    await pay();
    await seal();
    await pay();

    const head = await showChainHead(session.deps, tenant);

    expect(head).toMatchObject({ position: '1', sealedAt: expect.any(String), unsealed: 1 });
    expect((await verifyDecisions(session.deps, tenant)).head).toMatchObject({ position: '1', link: head.link });
  });
});
