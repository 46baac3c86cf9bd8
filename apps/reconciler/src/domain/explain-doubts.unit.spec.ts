import { FORGERY_SIGNALS, HONEST_SIGNALS, MATCH_REASONS, signalInWords } from '@pay/contracts';
import { explainDoubts } from './explain-doubts';

const of = (doubts: readonly string[], ...signals: { name: string; detail: string }[]) =>
  explainDoubts({ doubts, signals });

describe('the explanation of doubts about a text', () => {
  it('names each signal of the text, starting with those that honest texts never show', () => {
    const sentences = of(
      ['forgery_signals', 'balance_break'],
      { name: 'grammar', detail: 'spacing' },
      { name: 'balance_break', detail: 'passed_over' },
      { name: 'trx_id_time', detail: 'differs' },
    );

    expect(sentences).toEqual([
      'The date in the TrxID differs from the date in the text.',
      'The text differs from the format of the provider.',
      'The balances of later texts of the wallet contradict the text.',
    ]);
  });

  it.each([
    ['that the chain skips', [{ name: 'balance_break', detail: 'passed_over' }], /later texts .* contradict/],
    ['that no text leads to', [{ name: 'balance_break', detail: 'does_not_follow' }], /does not match the previous/],
    ['without the signal now', [], /does not match the previous/],
  ])('says how the balance of a text %s differs', (_, signals, sentence) => {
    expect(of(['balance_break'], ...signals)).toEqual([expect.stringMatching(sentence)]);
  });

  it('has a sentence for every known signal, with and without a detail', () => {
    const names = [...FORGERY_SIGNALS, ...HONEST_SIGNALS];

    expect(names.filter((name) => !/^The [^_]+\.$/.test(signalInWords({ name })))).toEqual([]);
    expect(signalInWords({ name: 'trx_id_time', detail: 'unheard of' })).toBe(signalInWords({ name: 'trx_id_time' }));
    expect(signalInWords({ name: 'a_newer_signal', detail: 'x' })).toBe('The text has the signal a_newer_signal.');
    expect(signalInWords({ name: 'constructor', detail: 'x' })).toBe('The text has the signal constructor.');
  });

  it('names the missing signature, and is empty without doubts', () => {
    expect(of(['unsigned_forwarder'])).toEqual([expect.stringContaining('did not sign the text')]);
    expect(of([], { name: 'grammar', detail: 'spacing' })).toEqual([]);
  });

  it('is not empty when the row contains no signals', () => {
    expect(explainDoubts({ doubts: ['forgery_signals'], signals: null })).toHaveLength(1);
    expect(of(['forgery_signals'])).toHaveLength(1);
  });

  it('has a sentence for every doubt', () => {
    const doubts = ['forgery_signals', 'unsigned_forwarder', 'balance_break', 'payer_differs', 'evidence_too_old'];

    expect(doubts.filter((doubt) => of([doubt]).length === 0)).toEqual([]);
    expect(doubts.every((doubt) => (MATCH_REASONS as readonly string[]).includes(doubt))).toBe(true);
  });
});
