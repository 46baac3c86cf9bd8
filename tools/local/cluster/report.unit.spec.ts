import { hasProblems, markdownTable, tablesOf } from './report';
import { emptyResults, type LoadRowResult } from './results';
import { ROWS } from './rows';

const EMPTY = emptyResults('payment-gateway:dev', 'one node');
const GOOD: LoadRowResult = {
  done: 'one after the other',
  rate: 100,
  figures: {
    payments: 900,
    lostPayments: 0,
    duplicatedPayments: 0,
    lostWebhooks: 0,
    duplicatedWebhooks: 0,
    repeatedWebhooks: 0,
    requests: 1_800,
    failures: { 'POST /a: answered 503': 3 },
    slowestMs: 1_240,
    seconds: 9.4,
    perSecond: 95.7,
  },
  problems: [],
};

describe('the tables of npm run cluster', () => {
  it('show figures of a row that was played, and say so of one that was not', () => {
    const lines = tablesOf({ ...EMPTY, rows: { restart: GOOD } })['rows']?.split('\n') ?? [];
    const cells = (title: string) =>
      lines
        .find((line) => line.includes(title))
        ?.split('|')
        .map((cell) => cell.trim())
        .filter((cell) => cell !== '');

    expect(cells(ROWS.restart.title)?.slice(1)).toEqual([
      ...['one after the other', '900', '96 of 100', '1800', '3', '0 / 0', '0 / 0 / 0', '1.2 s', '9', 'yes'],
    ]);
    expect(cells(ROWS.kill.title)?.slice(1)).toEqual(['not played']);
  });

  it('name the problems of a row', () => {
    const results = { ...EMPTY, rows: { restart: { ...GOOD, problems: ['3 payments lost', '1 webhooks lost'] } } };

    expect(tablesOf(results)['rows']).toContain('no: 3 payments lost; 1 webhooks lost');
    expect(hasProblems(results)).toBe(true);
  });

  it.each([
    { network: [{ name: 'edge', isGood: false, seen: 'reconciler:9090 is open' }] },
    { audit: { seen: '2 chains', problems: ['missing webhook'] } },
  ])('have a problem when $network$audit is wrong', (wrong) => {
    expect(hasProblems(EMPTY)).toBe(false);
    expect(hasProblems({ ...EMPTY, ...wrong })).toBe(true);
  });

  it('have columns as wide as their longest cell', () => {
    expect(markdownTable(['a', 'long'], [['longer', 'b']])).toBe(
      ['| a      | long |', '| ------ | ---- |', '| longer | b    |'].join('\n'),
    );
  });
});
