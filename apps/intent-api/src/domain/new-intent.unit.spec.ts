import {
  createIntentRequestSchema,
  intentSnapshotSchema,
  REFERENCE_ALPHABET,
  type ReceiverAccountFact,
} from '@pay/contracts';
import { generatedReference } from './generated-reference';
import { intentResponse } from './intent-response';
import { newIntent } from './new-intent';
import { UNDECIDED } from './stored-intent';

const ID = '00000000-0000-7000-8000-000000000001';
const RECEIVER: ReceiverAccountFact = {
  id: '00000000-0000-7000-8000-0000000000c1',
  version: 1,
  deleted: false,
  merchantId: '00000000-0000-7000-8000-00000000000a',
  environment: 'LIVE',
  paymentMethod: 'BKASH_PAYMENT',
  msisdn: '01700000001',
  isActive: true,
};

function make(body: Record<string, unknown> = {}, receiver: ReceiverAccountFact | null = RECEIVER) {
  const request = createIntentRequestSchema.parse({ amount: 500.5, idempotencyKey: 'k', ...body });
  return newIntent(request, {
    id: ID,
    now: new Date('2026-11-21T04:00:00Z'),
    customerReference: 'INV-1',
    receiver: receiver ?? undefined,
  });
}

describe('a new intent', () => {
  it('satisfies the contract of events with only the required fields', () => {
    expect(() => intentSnapshotSchema.parse(make())).not.toThrow();
  });

  it('expires five minutes after its creation by default', () => {
    expect(make().expiresAt).toBe('2026-11-21T04:05:00.000Z');
  });

  it('expires after its time to live', () => {
    expect(make({ ttlSeconds: 60 }).expiresAt).toBe('2026-11-21T04:01:00.000Z');
  });

  it('shows the receiver that was chosen', () => {
    expect(make().shownReceivers).toEqual([
      { receiverAccountId: RECEIVER.id, paymentMethod: 'BKASH_PAYMENT', receiverMsisdn: '01700000001' },
    ]);
  });

  it('has no shown receiver while the customer has to choose', () => {
    expect(make({}, null)).toMatchObject({ paymentMethod: null, receiverMsisdn: null, shownReceivers: [] });
  });

  it('has a fixed method only if the merchant named one', () => {
    expect([make().methodFixed, make({ paymentMethod: 'bkash_payment' }).methodFixed]).toEqual([false, true]);
  });

  it('returns its amount as the shortest decimal', () => {
    expect([make({ amount: '500.50' }).amount, make({ amount: 500 }).amount]).toEqual(['500.5', '500']);
  });
});

describe('the response for an intent', () => {
  const answer = (body: Record<string, unknown>) =>
    intentResponse('https://pay.example/checkout', {
      merchantId: RECEIVER.merchantId,
      environment: 'LIVE',
      sequence: 1,
      ...UNDECIDED,
      intent: make(body),
    });

  it('has a checkout URL without a language when none was given', () => {
    expect(answer({}).checkoutUrl).toBe(`https://pay.example/checkout/${ID}`);
  });

  it.each(['en', 'bn'])('has a checkout URL with the language %s when it was given', (language) => {
    expect(answer({ language }).checkoutUrl).toBe(`https://pay.example/checkout/${ID}?language=${language}`);
  });

  it("does not contain the payer's data", () => {
    const body = answer({ customerId: 'c-1', expectedSenderMsisdn: '01800000000', expectedTrxId: 'DKL4A1B2C3' });

    expect(JSON.stringify(body)).not.toMatch(/c-1|01800000000|DKL4A1B2C3/);
  });
});

describe('a generated reference', () => {
  it('has ten characters without look-alikes', () => {
    let next = 0;
    const reference = generatedReference((below) => (next += 7) % below);

    expect(reference).toHaveLength(10);
    expect(Array.from(reference).every((character) => REFERENCE_ALPHABET.includes(character))).toBe(true);
  });
});
