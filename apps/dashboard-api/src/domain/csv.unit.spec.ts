import { csvOf } from './csv';

describe('CSV', () => {
  it('ends lines as RFC 4180 requires, and quotes characters that would end a field', () => {
    const rows = [[{ text: 'a "b", c\nd' }, { number: '-12.5' }, { number: null }, { text: null }]];

    expect(csvOf(['what', 'sum', 'none', 'nothing'], rows)).toBe(
      'what,sum,none,nothing\r\n"a ""b"", c\nd",-12.5,,\r\n',
    );
  });

  it.each(['=1+1', '+8801700000900', '-2', '@SUM(A1)', '\tx', '\rx', '\nx', ' =1+1', '＝1+1', '＠SUM(A1)'])(
    'lets no spreadsheet take %j for a formula',
    (text) => {
      expect(csvOf(['a'], [[{ text }]]).replace(/^a\r\n"?/, '')).toMatch(/^'/);
    },
  );

  it('does not change numbers, and mobile numbers without a plus', () => {
    expect(csvOf(['a', 'b'], [[{ number: '-5.05' }, { text: '01700000900' }]])).toBe('a,b\r\n-5.05,01700000900\r\n');
  });
});
