import type { PaymentMethod } from '@pay/contracts';
import {
  anIntent,
  intentArrives,
  NAGAD_WALLET,
  OTHER_WALLET,
  smsArrives,
  someEvidence,
  TERMS,
  WALLET,
} from '../../test/builders';
import { inMemoryMatching } from '../../test/in-memory-matching';
import type { Arrival } from './arrivals';
import type { Intent } from './facts';
import { whyUnpayable, type Ways } from './unpayable';

const all = { [WALLET]: 'BKASH_SEND_MONEY', [OTHER_WALLET]: 'BKASH_SEND_MONEY', [NAGAD_WALLET]: 'NAGAD_SEND_MONEY' };

function ways(given: { closed?: string[]; methods?: PaymentMethod[]; isActive?: boolean } = {}): Ways {
  const { closed = [], methods = [...TERMS.enabledMethods], isActive = true } = given;
  const open = Object.entries(all).filter(([id]) => !closed.includes(id)) as [string, PaymentMethod][];
  return {
    merchantIsActive: isActive,
    enabledMethods: new Set(methods),
    activeReceivers: new Map(open),
    isClosed: (id) => closed.includes(id),
  };
}

function shows(...receivers: readonly string[]): Pick<Intent, 'shownReceivers'> {
  return {
    shownReceivers: receivers.map((id) => ({
      receiverAccountId: id,
      paymentMethod: id === NAGAD_WALLET ? 'NAGAD_SEND_MONEY' : 'BKASH_SEND_MONEY',
    })),
  };
}

describe('the reason why an intent can no longer be paid', () => {
  it.each<[string, Pick<Intent, 'shownReceivers'>, Ways, string | undefined]>([
    ['all is open', shows(WALLET), ways(), undefined],
    ['its only receiver is closed', shows(WALLET), ways({ closed: [WALLET] }), 'receiver_switched_off'],
    ['another receiver is closed', shows(WALLET), ways({ closed: [OTHER_WALLET] }), undefined],
    ['one of two shown receivers is closed', shows(WALLET, NAGAD_WALLET), ways({ closed: [WALLET] }), undefined],
    [
      'both shown receivers are closed',
      shows(WALLET, NAGAD_WALLET),
      ways({ closed: [WALLET, NAGAD_WALLET] }),
      'receiver_switched_off',
    ],
    ['its method is disabled', shows(WALLET), ways({ methods: ['NAGAD_SEND_MONEY'] }), 'method_disabled'],
    [
      'the method of one of two is disabled',
      shows(WALLET, NAGAD_WALLET),
      ways({ methods: ['NAGAD_SEND_MONEY'] }),
      undefined,
    ],
    [
      'one is closed and the method of the other disabled',
      shows(WALLET, NAGAD_WALLET),
      ways({ closed: [WALLET], methods: ['BKASH_SEND_MONEY'] }),
      'method_disabled',
    ],
    ['the merchant is switched off', shows(WALLET), ways({ isActive: false }), 'merchant_switched_off'],
    ['its receiver is unknown', shows('unheard-of'), ways(), undefined],
    ['none was chosen and one is open', shows(), ways({ closed: [WALLET, OTHER_WALLET] }), undefined],
    ['none was chosen and all are closed', shows(), ways({ closed: Object.keys(all) }), 'receiver_switched_off'],
    ['none was chosen and no open one is enabled', shows(), ways({ methods: ['BKASH_PAYMENT'] }), 'method_disabled'],
    ['none was chosen and the merchant is switched off', shows(), ways({ isActive: false }), 'merchant_switched_off'],
  ])('when %s', (_, intent, given, reason) => {
    expect(whyUnpayable(intent, given)).toBe(reason);
  });
});

describe('an intent that can no longer be paid', () => {
  const unpayable = ({ id: intentId, tenant, referenceKey }: Intent): Arrival => ({
    kind: 'unpayable',
    tenant,
    intentId,
    referenceKey,
    reason: 'receiver_switched_off',
  });

  it('becomes FAILED once, with its reason and without evidence', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    matching.deliver(intentArrives(intent));

    matching.deliver(unpayable(intent));
    matching.deliver(unpayable(intent));

    expect(matching.decisions).toMatchObject([
      {
        status: 'FAILED',
        reason: 'receiver_switched_off',
        intent: { id: intent.id, status: 'FAILED', sequence: 1 },
        sms: undefined,
        evidence: undefined,
      },
    ]);
  });

  it('stays PAID or in review when money arrived first', () => {
    const matching = inMemoryMatching();
    const [paid, doubtful] = [anIntent({ reference: 'PAID' }), anIntent({ reference: 'DOUBT' })];
    const short = someEvidence({ reference: 'DOUBT', trxId: 'SHORT00001', amount: 1n as Intent['amount'] });
    matching.deliver(intentArrives(paid), intentArrives(doubtful));
    matching.deliver(
      smsArrives(someEvidence({ reference: 'PAID' })),
      smsArrives(short),
      unpayable(paid),
      unpayable(doubtful),
    );

    expect(matching.intent(paid.id).status).toBe('PAID');
    expect(matching.intent(doubtful.id).status).toBe('REVIEW_REQUIRED');
  });

  it('is no longer paid by the system: money for it opens an exception', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1' });
    matching.deliver(intentArrives(intent), unpayable(intent));

    matching.deliver(smsArrives(sms));

    expect(matching.intent(intent.id).status).toBe('FAILED');
    expect(matching.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'intent_closed' });
  });
});
