import { formatAmount, RECOGNISED_SMS_KINDS } from '@pay/contracts';
import { BKASH } from '../../../test/other-kinds/bkash';
import { NAGAD, NAGAD_ODD } from '../../../test/other-kinds/nagad';
import { ROCKET, UPAY } from '../../../test/other-kinds/rocket-and-upay';
import { parseSms } from '../parse-sms';

const senderIds = {
  BKASH: ['bKash'],
  NAGAD: ['NAGAD'],
  ROCKET: ['16216'],
  UPAY: ['upay'],
  notices: { BKASH: ['16247'] },
};

const ALL = [
  ...BKASH.map((row) => ['bKash', ...row] as const),
  ...[...NAGAD, ...NAGAD_ODD].map((row) => ['NAGAD', ...row] as const),
  ...ROCKET.map((row) => ['16216', ...row] as const),
  ...UPAY.map((row) => ['upay', ...row] as const),
];

describe('a text that is no evidence', () => {
  it.each(ALL)('of %s is recognised as %s, %s: %s', (sender, kind, direction, message, said) => {
    const parsed = parseSms({ sender, message }, senderIds);

    if (parsed.status === 'PARSED') throw new Error('taken for evidence');
    const { reason, facts } = parsed;
    const money = (amount: bigint | null | undefined) => (typeof amount === 'bigint' ? formatAmount(amount) : null);
    expect({ reason, kind: facts?.kind, direction: facts?.direction }).toEqual({
      reason: 'not_collected',
      kind,
      direction,
    });
    expect([money(facts?.amount), money(facts?.fee), money(facts?.balance), facts?.trxId, facts?.providerTime]).toEqual(
      [...said.slice(0, 4), said[4] === null ? null : new Date(`${said[4]}:00+06:00`)],
    );
  });

  it.each(ALL)(
    'of %s, %s, %s, is none either when another provider is said to have sent it: %s',
    (sender, _k, _d, message) => {
      const others = ['bKash', 'NAGAD'].filter((other) => other !== sender);
      expect(others.map((other) => parseSms({ sender: other, message }, senderIds).status)).not.toContain('PARSED');
    },
  );

  it('covers nearly every kind', () => {
    const seen = new Set<string>(ALL.map(([, kind]) => kind));
    expect(RECOGNISED_SMS_KINDS.filter((kind) => !seen.has(kind))).toEqual([]);
  });

  it('contains payer and payee', () => {
    const sent = parseSms({ sender: 'bKash', message: BKASH[0]![2] }, senderIds);
    const received = parseSms({ sender: 'NAGAD', message: NAGAD[3]![2] }, senderIds);

    expect(sent).toMatchObject({ facts: { senderMsisdn: null, recipientMsisdn: '01811000801', reference: 'Karim' } });
    expect(received).toMatchObject({ facts: { senderMsisdn: '01811000854', recipientMsisdn: null, reference: null } });
  });
});
