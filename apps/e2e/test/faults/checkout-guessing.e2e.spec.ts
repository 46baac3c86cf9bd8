import { randomUUID } from 'node:crypto';
import { eventually } from '@pay/testing';
import { leftOver } from '../../src/left-over';
import { PublicApi } from '../../src/merchant-client';
import { readSystem, type MerchantAccess } from '../../src/system';
import { bkashSendMoney, newTrxId } from '../../src/wallet-texts';

const SAMPLES = 120;
const AT_ONCE = 20;

describe('guessing TrxIDs at a checkout', () => {
  const system = readSystem(process.env['E2E_RUN_DIRECTORY'] ?? '.run');
  const access = system.merchants[0]?.sandbox as MerchantAccess;
  const api = new PublicApi(system.baseUrl);
  afterAll(() => api.close());

  /** Money at another wallet of the shop: its TrxID exists, but the response must not reveal it. */
  async function otherCustomersMoney(trxId: string): Promise<void> {
    const wallet = access.receivers.find(({ paymentMethod }) => paymentMethod === 'BKASH_CASHOUT');
    const message = bkashSendMoney({ amount: '500', reference: null, trxId });
    const sms = { sender: 'bKash', message, receiverMsisdn: wallet?.msisdn ?? null };
    const { status } = await api.forwardSms(access, sms);
    expect(status).toBe(202);
  }

  test('the TrxID of another customer is answered like one that does not exist: the same words, and as fast', async () => {
    const known = Array.from({ length: SAMPLES }, () => newTrxId(new Date()));
    for (let sent = 0; sent < SAMPLES; sent += AT_ONCE)
      await Promise.all(known.slice(sent, sent + AT_ONCE).map(otherCustomersMoney));
    await eventually(async () => (await leftOver(system)).length === 0, 'all of them are known', { timeoutMs: 30_000 });
    const { body: intent } = await api.createIntent(access, {
      amount: 500,
      paymentMethod: 'BKASH_SEND_MONEY',
      idempotencyKey: randomUUID(),
    });

    const took = { known: [] as number[], unknown: [] as number[] };
    const answers = new Set<string>();
    let tooLate = 0;
    const guess = async (kind: keyof typeof took, trxId: string) => {
      for (;;) {
        const begun = performance.now();
        const { status, headers, body } = await api.confirm(intent.id, trxId);
        const ms = performance.now() - begun;
        // Not decided in time, on a machine that was paused. This happens for any TrxID, so it reveals nothing; but not
        // often.
        if (body.reason === 'processing' && (tooLate += 1) < AT_ONCE) continue;
        took[kind].push(ms);
        answers.add(JSON.stringify([status, Object.keys(headers).sort(), body]));
        return;
      }
    };
    // In turn, so that whatever else this machine does slows both alike.
    for (const trxId of known) {
      await guess('known', trxId);
      await guess('unknown', newTrxId(new Date()));
    }

    expect([...answers]).toEqual([expect.stringContaining('"trx_id_not_found"')]);
    // How often a known one took longer, of all pairs: one half, give or take four and a half standard deviations.
    expect(Math.abs(howOftenLonger(took.known, took.unknown) - 0.5)).toBeLessThan(0.17);
  });
});

/** The fraction of pairs of both samples in which the first took longer, the best statistic for an attacker. */
function howOftenLonger(some: readonly number[], others: readonly number[]): number {
  const longer = some.map((one) => others.filter((other) => one > other).length);
  return longer.reduce((sum, count) => sum + count, 0) / (some.length * others.length);
}
