import { randomUUID } from 'node:crypto';
import { eventually } from '@pay/testing';
import { CheckoutStream } from '../../src/checkout-stream';
import { leftOver } from '../../src/left-over';
import { PublicApi } from '../../src/merchant-client';
import { readSystem, type MerchantAccess } from '../../src/system';
import { bkashSendMoney, newTrxId } from '../../src/wallet-texts';

const SAMPLES = 120;
const AT_ONCE = 20;
const SHORTEST = { ttlSeconds: 60 };
const EXPIRED_WITHIN_MS = 90_000;

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

  test('the TrxID of another customer is shown like one that does not exist, also after the end', async () => {
    const known = newTrxId(new Date());
    await otherCustomersMoney(known);
    await eventually(async () => (await leftOver(system)).length === 0, 'it is known', { timeoutMs: 30_000 });
    const ids = await Promise.all([known, newTrxId(new Date())].map(claimedBy));
    const shownAlike = async (status: string, claim: string, stage: string) => {
      const shown = await Promise.all(ids.map(shownOf));
      expect(shown).toEqual(ids.map(() => ({ status, claim, streamed: claim, stage })));
    };

    await eventually(async () => (await leftOver(system)).length === 0, 'both are decided', { timeoutMs: 30_000 });
    await shownAlike('PENDING', 'waiting', 'waiting');
    for (const id of ids) {
      const hasExpired = async () => (await shownOf(id)).status === 'EXPIRED';
      await eventually(hasExpired, 'the payment has expired', { timeoutMs: EXPIRED_WITHIN_MS });
    }
    await eventually(async () => (await leftOver(system)).length === 0, 'all is decided', { timeoutMs: 30_000 });
    await shownAlike('EXPIRED', 'late', 'expired');
  }, 180_000);

  async function claimedBy(trxId: string): Promise<string> {
    const fields = { ...SHORTEST, amount: 500, paymentMethod: 'BKASH_SEND_MONEY', idempotencyKey: randomUUID() };
    const { body: intent } = await api.createIntent(access, fields);
    await api.confirm(intent.id, trxId);
    return intent.id;
  }

  async function shownOf(id: string) {
    const { body } = await api.call<{ status: string; claim: string }>('GET', `/v1/checkout/${id}`, {});
    const stream = await CheckoutStream.open(system.baseUrl, id);
    const { claim: streamed } = await stream.until(body.status);
    stream.close();
    const page = await (await fetch(`${system.baseUrl}/checkout/${id}`)).text();
    const stage = / data-stage="(\w+)"/.exec(page)?.[1];
    return { status: body.status, claim: body.claim, streamed, stage };
  }
});

/** The fraction of pairs of both samples in which the first took longer, the best statistic for an attacker. */
function howOftenLonger(some: readonly number[], others: readonly number[]): number {
  const longer = some.map((one) => others.filter((other) => one > other).length);
  return longer.reduce((sum, count) => sum + count, 0) / (some.length * others.length);
}
