import { newTotpSecret, totpStep, totpUri } from './totp';

/** RFC 6238, appendix B: the ASCII text 12345678901234567890, last six of the eight digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => new Date(seconds * 1_000);

describe('totp', () => {
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [20_000_000_000, '353130', 666_666_666],
  ])('accepts the code of the standard at %d s', (seconds, code, step) => {
    expect(totpStep(SECRET, code, at(seconds))).toBe(step);
  });

  it('accepts a code one period early or late, as the period it is of, and no other', () => {
    expect(totpStep(SECRET, '287082', at(59 + 30))).toBe(1);
    expect(totpStep(SECRET, '287082', at(29))).toBe(1);
    expect(totpStep(SECRET, '287082', at(59 + 60))).toBeUndefined();
    expect(totpStep(SECRET, '287083', at(59))).toBeUndefined();
    expect(totpStep(SECRET, '', at(59))).toBeUndefined();
  });

  it('gives apps an address with a secret of 160 bits', () => {
    const uri = new URL(totpUri(newTotpSecret(), 'rahim@shop.example'));

    expect(uri.protocol).toBe('otpauth:');
    expect(uri.searchParams.get('secret')).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri.searchParams.get('period')).toBe('30');
  });
});
