import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { formatAmount } from '@pay/contracts';
import { parseSms } from './parse-sms';

/** A corpus of public texts that lies beside the checkout where there is one. It is read in place and never copied. */
const CORPUS = resolve(__dirname, '../../../../../shared/sms/samples.jsonl');
const OWN = join(__dirname, '..', '..', 'test', 'fixtures');
const senderIds = { BKASH: ['bKash'], NAGAD: ['NAGAD'] };

interface Sample {
  readonly id: string;
  readonly text: string;
  readonly sender_id: string | null;
  readonly method: string | null;
  readonly kind: string;
  readonly auto_confirm_ok: boolean;
  readonly expected: Readonly<
    Record<'amount' | 'fee' | 'balance' | 'trx_id' | 'reference' | 'sender_msisdn', string | null>
  > & {
    readonly timestamp_as_written: string;
  };
}

function corpus(): Sample[] {
  if (!existsSync(CORPUS)) return [];
  return readFileSync(CORPUS, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Sample => JSON.parse(line));
}

const SEND_MONEY = ['BKASH_SEND_MONEY', 'NAGAD_SEND_MONEY'];
/** How many texts of the corpus may confirm a payment by Send Money. */
const SEND_MONEY_SAMPLES = 29;

describe('texts seen in the wild', () => {
  const samples = corpus();
  const parsed = samples.map((sample) => ({
    sample,
    result: parseSms({ sender: sample.sender_id ?? '', message: sample.text }, senderIds),
  }));

  it('are read with the expected facts when they may confirm a payment by Send Money', () => {
    const wanted = parsed.filter(({ sample }) => sample.auto_confirm_ok && SEND_MONEY.includes(sample.method ?? ''));

    for (const { sample, result } of wanted) {
      const { expected } = sample;
      const [day, month, year, time] = expected.timestamp_as_written.split(/[/ ]/);
      expect({ id: sample.id, ...result }).toMatchObject({
        id: sample.id,
        status: 'PARSED',
        paymentMethod: sample.method,
        trxId: expected.trx_id,
        reference: expected.reference,
        senderMsisdn: expected.sender_msisdn,
        providerTime: new Date(`${year}-${month}-${day}T${time}:00+06:00`),
      });
      if (result.status !== 'PARSED') continue;
      for (const field of ['amount', 'fee', 'balance'] as const) {
        const value = result[field];
        expect(value === null ? null : Number(formatAmount(value))).toBe(
          expected[field] === null ? null : Number(expected[field]),
        );
      }
    }
    expect(wanted.length).toBe(samples.length === 0 ? 0 : SEND_MONEY_SAMPLES);
  });

  it('are no evidence when they are anything else', () => {
    const others = parsed.filter(({ sample }) => !(sample.auto_confirm_ok && SEND_MONEY.includes(sample.method ?? '')));

    const mistaken = others.filter(({ result }) => result.status === 'PARSED').map(({ sample }) => sample.id);
    expect(mistaken).toEqual([]);
    expect(others.length).toBe(samples.length === 0 ? 0 : samples.length - SEND_MONEY_SAMPLES);
  });

  it('have counterparts among the texts of this project, of every kind', () => {
    const own = readdirSync(OWN).map((name) => ({
      name,
      result: parseSms(
        { sender: name.includes('nagad') ? 'NAGAD' : 'bKash', message: readFileSync(join(OWN, name), 'utf8') },
        senderIds,
      ),
    }));

    const misread = own.filter(({ name, result }) => /^(bkash|nagad)-/.test(name) !== (result.status === 'PARSED'));
    expect(misread.map(({ name }) => name)).toEqual([]);
    expect(own.length).toBeGreaterThanOrEqual(60);
  });
});
