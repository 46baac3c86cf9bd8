import {
  after,
  anIntent,
  HOUR,
  MINUTE,
  NAGAD_WALLET,
  OTHER_WALLET,
  SANDBOX_SHOP,
  someEvidence,
  TEN,
  TERMS,
  WALLET,
} from '../../test/builders';
import type { Claim, Evidence, Intent } from './facts';
import {
  amountIsExact,
  checkAll,
  failedRules,
  notExpired,
  referenceNamesIntent,
  sameEnvironment,
  sameMethod,
  sameReceiver,
  trxIdUnused,
  wasPaidInTime,
  type ReferenceCase,
  type TrxIdCase,
} from './rules';

function byReference(evidence: Evidence, intent: Intent): ReferenceCase {
  return { path: 'REFERENCE', evidence, intent, named: intent, terms: TERMS };
}

function byTrxId(evidence: Evidence, intent: Intent, submittedAt = after(3), named?: Intent): TrxIdCase {
  const claim: Claim = {
    id: 'c',
    tenant: intent.tenant,
    intentId: intent.id,
    trxId: evidence.trxId,
    submittedAt,
    resubmittedAt: undefined,
    payerDigits: undefined,
    source: 'CHECKOUT',
    state: 'OPEN',
    outcome: 'waiting',
    reason: 'new',
    smsEventId: undefined,
    sequence: 0,
    submissions: 0,
  };
  return { path: 'TRX_ID', evidence, intent, named, terms: TERMS, claim };
}

describe('the reference check', () => {
  it('passes when the text names the intent, on both paths', () => {
    const intent = anIntent();

    expect(referenceNamesIntent(byReference(someEvidence(), intent))).toBe('pass');
    expect(referenceNamesIntent(byTrxId(someEvidence(), intent, after(3), intent))).toBe('pass');
  });

  it.each(['PENDING', 'REVIEW_REQUIRED'] as const)(
    'fails on the TrxID path when the text names another intent that is %s',
    (status) => {
      const other = anIntent({ reference: 'INV-2', status });

      expect(referenceNamesIntent(byTrxId(someEvidence(), anIntent(), after(3), other))).toBe('fail');
    },
  );

  it.each(['PAID', 'EXPIRED', 'FAILED', 'REJECTED'] as const)(
    'does not apply when the other intent that the text names is %s',
    (status) => {
      const other = anIntent({ reference: 'INV-2', status });

      expect(referenceNamesIntent(byTrxId(someEvidence(), anIntent(), after(3), other))).toBe('not_applicable');
    },
  );

  it('does not apply when the text names nothing', () => {
    expect(referenceNamesIntent(byTrxId(someEvidence(), anIntent()))).toBe('not_applicable');
  });
});

describe('the amount check', () => {
  it.each([
    [50_000n, 'pass'],
    [49_999n, 'fail'],
    [50_001n, 'fail'],
  ])('compares in poisha: %s poisha for an intent of 50000 is a %s', (amount, result) => {
    const evidence = someEvidence({ amount: amount as Evidence['amount'] });

    expect(amountIsExact(byReference(evidence, anIntent()))).toBe(result);
  });
});

describe('the environment check', () => {
  it('fails between sandbox and live, and between merchants', () => {
    const sandbox = someEvidence({ tenant: SANDBOX_SHOP });
    const unrelated = someEvidence({ tenant: { merchantId: WALLET, environment: 'LIVE' } });

    expect(sameEnvironment(byReference(sandbox, anIntent()))).toBe('fail');
    expect(sameEnvironment(byReference(unrelated, anIntent()))).toBe('fail');
    expect(sameEnvironment(byReference(someEvidence(), anIntent()))).toBe('pass');
  });
});

describe('the method and receiver checks', () => {
  it('pass for every receiver that the intent has shown', () => {
    const intent = anIntent({
      shownReceivers: [
        { receiverAccountId: WALLET, paymentMethod: 'BKASH_SEND_MONEY' },
        { receiverAccountId: NAGAD_WALLET, paymentMethod: 'NAGAD_SEND_MONEY' },
      ],
    });

    for (const question of [
      byReference(someEvidence(), intent),
      byReference(
        someEvidence({ method: 'NAGAD_SEND_MONEY', provider: 'NAGAD', receiverAccountId: NAGAD_WALLET }),
        intent,
      ),
    ]) {
      expect(sameMethod(question)).toBe('pass');
      expect(sameReceiver(question)).toBe('pass');
    }
  });

  it('fail the receiver for another wallet of the same method, and the method for another method', () => {
    expect(sameReceiver(byReference(someEvidence({ receiverAccountId: OTHER_WALLET }), anIntent()))).toBe('fail');
    expect(sameMethod(byReference(someEvidence({ method: 'NAGAD_SEND_MONEY' }), anIntent()))).toBe('fail');
  });

  it('pass for any active receiver of an enabled method while none has been chosen', () => {
    const open = anIntent({ shownReceivers: [] });

    expect(sameReceiver(byReference(someEvidence({ receiverAccountId: OTHER_WALLET }), open))).toBe('pass');
    expect(sameMethod(byReference(someEvidence({ method: 'NAGAD_SEND_MONEY' }), open))).toBe('pass');
    expect(sameMethod(byReference(someEvidence({ method: 'BKASH_CASHOUT' }), open))).toBe('fail');
    expect(sameReceiver(byReference(someEvidence({ receiverAccountId: NAGAD_WALLET }), open))).toBe('fail');
  });

  it('fail the receiver when the text could belong to several wallets', () => {
    const unclear = someEvidence({ receiverAccountId: undefined });

    expect(sameReceiver(byReference(unclear, anIntent()))).toBe('fail');
    expect(sameReceiver(byReference(unclear, anIntent({ shownReceivers: [] })))).toBe('fail');
  });
});

describe('the expiry check', () => {
  const ending = (expiresAt: Date) => anIntent({ expiresAt });

  it.each([
    ['the minute before the end', after(4), 'pass'],
    ['the minute of the end', after(5), 'pass'],
    ['the minute after the end', after(6), 'fail'],
  ])('compares the time in the text by the minute: %s', (_, providerTime, result) => {
    const question = byReference(someEvidence({ providerTime, ingestedAt: after(4) }), ending(after(5, 30)));

    expect(notExpired(question)).toBe(result);
    expect(wasPaidInTime(question)).toBe(result === 'pass');
  });

  it('rounds the time of a text with seconds down to its minute', () => {
    const question = byReference(someEvidence({ providerTime: after(5, 45) }), ending(after(5, 30)));

    expect(wasPaidInTime(question)).toBe(true);
  });

  it('uses the time of ingestion on the reference path', () => {
    expect(notExpired(byReference(someEvidence({ ingestedAt: after(5) }), anIntent()))).toBe('pass');
    expect(notExpired(byReference(someEvidence({ ingestedAt: after(5, 1) }), anIntent()))).toBe('fail');
  });

  it('uses the time of submission of the claim on the TrxID path', () => {
    const lateText = someEvidence({ ingestedAt: after(9) });

    expect(notExpired(byTrxId(lateText, anIntent(), after(5)))).toBe('pass');
    expect(notExpired(byTrxId(someEvidence(), anIntent(), after(5, 1)))).toBe('fail');
  });

  it('fails for an intent that is EXPIRED at any time', () => {
    expect(notExpired(byReference(someEvidence(), anIntent({ status: 'EXPIRED' })))).toBe('fail');
  });

  it('accepts evidence older than the intent by at most the match window on the reference path', () => {
    const old = (ms: number) => someEvidence({ providerTime: new Date(TEN.getTime() - ms) });

    expect(notExpired(byReference(old(72 * HOUR), anIntent()))).toBe('pass');
    expect(notExpired(byReference(old(72 * HOUR + MINUTE), anIntent()))).toBe('fail');
  });

  it('accepts sandbox evidence of any age on the reference path, so that sample texts work', () => {
    const sample = someEvidence({ tenant: SANDBOX_SHOP, providerTime: new Date('2024-01-01T00:00:00Z') });

    expect(notExpired(byReference(sample, anIntent({ tenant: SANDBOX_SHOP })))).toBe('pass');
    expect(notExpired(byTrxId(sample, anIntent({ tenant: SANDBOX_SHOP })))).toBe('fail');
  });

  it('accepts evidence at most ten minutes older than the intent on the TrxID path', () => {
    expect(notExpired(byTrxId(someEvidence({ providerTime: after(-10) }), anIntent()))).toBe('pass');
    expect(notExpired(byTrxId(someEvidence({ providerTime: after(-11) }), anIntent()))).toBe('fail');
  });

  it('fails for evidence whose match window is over', () => {
    expect(notExpired(byReference(someEvidence({ state: 'LAPSED' }), anIntent()))).toBe('fail');
  });
});

describe('the reuse check', () => {
  it('fails only for evidence that has paid', () => {
    expect(trxIdUnused(byReference(someEvidence({ state: 'USED' }), anIntent()))).toBe('fail');
    expect(trxIdUnused(byReference(someEvidence({ state: 'REVIEW' }), anIntent()))).toBe('pass');
  });
});

describe('all checks together', () => {
  it('are seven, and the failed ones are listed in their order', () => {
    const question = byReference(
      someEvidence({ amount: 1n as Evidence['amount'], receiverAccountId: OTHER_WALLET, state: 'USED' }),
      anIntent(),
    );

    const checks = checkAll(question);

    expect(Object.keys(checks)).toHaveLength(7);
    expect(failedRules(checks)).toEqual(['amount', 'receiver', 'reuse']);
  });
});
