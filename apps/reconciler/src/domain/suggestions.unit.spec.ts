import { amountFromWire } from '@pay/contracts';
import { misspellingsOf } from './misspellings';
import { suggest, type KnownIntent, type Puzzle } from './suggest';

const at = new Date('2026-11-21T10:00:00Z');
const anIntent = (given: Partial<KnownIntent> = {}): KnownIntent => ({
  id: 'intent',
  referenceKey: 'INV1',
  amount: amountFromWire('500'),
  status: 'PENDING',
  createdAt: at,
  expiresAt: at,
  ...given,
});
const aPuzzle = (given: Partial<Puzzle> = {}): Puzzle => ({
  money: { smsEventId: 'sms', amount: amountFromWire('200'), payerMsisdn: '01812345678', referenceKey: 'INV1' },
  leadsTo: undefined,
  named: undefined,
  alike: [],
  sameAmount: [],
  parts: [],
  paidBy: undefined,
  ...given,
});
const part = (smsEventId: string, amount: string, payerMsisdn = '01812345678') => ({
  smsEventId,
  amount: amountFromWire(amount),
  payerMsisdn,
});

describe('a misspelled reference', () => {
  it.each([
    ['left out', 'INV204', 'INV2041'],
    ['typed twice', 'INV20411', 'INV2041'],
    ['mistaken', 'INB2041', 'INV2041'],
    ['swapped', 'INV2014', 'INV2041'],
    ['read as a digit', 'INV2O4I', 'INV2041'],
    ['read as letters, all of them', 'B0SS1', '8O5SI'],
  ])('is found when characters were %s', (_slip, typed, meant) => {
    expect(misspellingsOf(typed)).toContain(meant);
  });

  it('is not suggested for two mistakes or for none', () => {
    expect(misspellingsOf('INV2041')).not.toContain('INW2042');
    expect(misspellingsOf('INV2041')).not.toContain('INV2041');
  });

  it('has a limited number of candidates, also when every character has look-alikes', () => {
    expect(misspellingsOf('1'.repeat(16)).length).toBeLessThan(1_500);
  });
});

describe('suggestions', () => {
  it('add up the parts of one payer only if they make the amount', () => {
    const parts = [part('one', '200'), part('two', '300'), part('another payer', '500', '01999999999')];
    const kinds = (amount: string) =>
      suggest(aPuzzle({ leadsTo: 'intent', named: anIntent({ amount: amountFromWire(amount) }), parts }));

    expect(kinds('500')).toMatchObject([
      { kind: 'parts_add_up', smsEventIds: ['one', 'two'], sentence: expect.stringContaining('200 + 300 = 500') },
    ]);
    expect(kinds('700')).toEqual([]);
  });

  it('name intents that may be meant and can still be paid', () => {
    const alike = [anIntent({ referenceKey: 'INV7' }), anIntent({ id: 'paid', status: 'PAID' })];

    expect(suggest(aPuzzle({ alike }))).toMatchObject([{ kind: 'reference_misspelt', paymentIntentIds: ['intent'] }]);
  });

  it('say that the intent was paid before, and by which text', () => {
    const twice = suggest(aPuzzle({ leadsTo: 'intent', paidBy: 'first' }));

    expect(twice).toMatchObject([{ kind: 'already_paid', paymentIntentIds: ['intent'], smsEventIds: ['first'] }]);
  });

  it('say that no intent asks for this amount', () => {
    expect(suggest(aPuzzle())).toMatchObject([{ kind: 'no_intent', paymentIntentIds: [], smsEventIds: [] }]);
  });

  it('have the values of their sentences, for sentences in other languages', () => {
    const parts = [part('one', '200'), part('two', '300')];
    const [sum] = suggest(aPuzzle({ leadsTo: 'intent', named: anIntent(), parts }));
    const [misspelt] = suggest(aPuzzle({ alike: [anIntent({ referenceKey: 'INV7' })] }));

    expect(sum?.values).toEqual({ parts: ['200', '300'], amount: '500' });
    expect(misspelt?.values).toEqual({ writtenReference: 'INV1', reference: 'INV7', amount: '500' });
  });

  it('are sentences without a score or a confidence', () => {
    const all = suggest(aPuzzle({ alike: [anIntent()], sameAmount: [anIntent({ id: 'other' })] }));

    for (const each of all)
      expect(Object.keys(each).sort()).toEqual(['kind', 'paymentIntentIds', 'sentence', 'smsEventIds', 'values']);
    expect(JSON.stringify(all)).not.toMatch(/confiden|score|%|likel|probab/i);
  });
});
