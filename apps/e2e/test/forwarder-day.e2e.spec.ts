import { randomUUID } from 'node:crypto';
import { eventually } from '@pay/testing';
import { ControlPlane } from '../src/control-plane';
import { PublicApi } from '../src/merchant-client';
import { ownMerchant, type OwnMerchant } from '../src/own-merchant';
import { forwardAll } from '../src/phone/forward';
import { FORWARDERS } from '../src/phone/forwarders';
import { personalWallets } from '../src/phone/read-wallets';
import { playDay, type Delivery, type InboxText } from '../src/phone/shop-day';
import { RawApi } from '../src/raw-api';
import { ServiceDatabases } from '../src/service-databases';
import { readSystem } from '../src/system';
import { bkashSendMoney, nagadSendMoney, newTrxId } from '../src/wallet-texts';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const DAY_MS = 86_400_000;
const APPS = Object.keys(FORWARDERS).filter((name) => name !== 'own-api');

describe('a small day of a shop’s phone', () => {
  const system = readSystem(RUN_DIRECTORY);
  const api = new PublicApi(system.baseUrl);
  const raw = new RawApi(system.baseUrl);
  const databases = new ServiceDatabases(system);
  const seed = Number(process.env['FORWARDER_SEED'] ?? 20261121);
  let shop: OwnMerchant;
  let session: Record<string, string>;

  beforeAll(async () => {
    shop = await ownMerchant(system, new ControlPlane(RUN_DIRECTORY));
    session = { authorization: `Bearer ${await raw.signIn(shop.owner.email, shop.owner.password)}` };
  });
  afterAll(async () => {
    await api.close();
    await raw.close();
    await databases.close();
  });

  async function made<Body>(path: string, fields: Record<string, unknown>): Promise<Body> {
    const { status, body } = await api.call<Body>('POST', path, session, fields);
    expect({ path, status }).toEqual({ path, status: 201 });
    return body;
  }

  /** A phone with one wallet of each provider, because not every app sends the SIM slot. */
  async function newPhone(app: string) {
    const wallets = personalWallets(shop.sandbox);
    const sims = wallets.map(({ msisdn, simSlot, provider }) => {
      const account = shop.sandbox.receivers.find(
        (each) => each.msisdn === msisdn && each.paymentMethod === `${provider}_SEND_MONEY`,
      );
      return { simSlot, receiverAccountIds: [account?.id] };
    });
    const { id } = await made<{ id: string }>('/v1/dashboard/devices', { environment: 'SANDBOX', name: app, sims });
    const { path, signingSecret } = await made<{ path: string; signingSecret: string | null }>(
      `/v1/dashboard/devices/${id}/hooks`,
      { adapter: app },
    );
    return { id, wallets, url: `${system.baseUrl}${path}`, secret: signingSecret ?? '' };
  }

  /** A payment for an open intent, as it comes to the phone now. */
  async function paymentOf(wallet: InboxText['wallet']): Promise<{ intentId: string; text: InboxText }> {
    const { body: intent } = await api.createIntent(shop.sandbox, {
      amount: 75,
      idempotencyKey: randomUUID(),
      paymentMethod: `${wallet.provider}_SEND_MONEY`,
    });
    expect(intent.receiverMsisdn).toBe(wallet.msisdn);
    const transfer = { amount: '75', reference: intent.customerReference, trxId: newTrxId(new Date()) };
    const isBkash = wallet.provider === 'BKASH';
    const now = new Date();
    const text: InboxText = {
      kind: 'SEND_MONEY_RECEIVED',
      sender: isBkash ? 'bKash' : 'NAGAD',
      effect: 7_500,
      balance: 100_000,
      text: isBkash ? bkashSendMoney(transfer) : nagadSendMoney({ ...transfer, trxId: transfer.trxId.slice(-8) }),
      id: randomUUID(),
      wallet,
      happenedAt: now,
      receivedAt: now,
      isLost: false,
    };
    return { intentId: intent.id, text };
  }

  it.each(APPS)(
    'through %s is stored, every text once, and pays by reference',
    async (app) => {
      const phone = await newPhone(app);
      const midnight = new Date(`${new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)}T00:00:00+06:00`);
      const day = playDay({
        seed: seed + APPS.indexOf(app),
        wallets: phone.wallets,
        day: midnight,
        texts: 60,
        lost: 0.05,
        resent: 0.3,
        forged: 0,
      });
      const payments = await Promise.all(phone.wallets.map(paymentOf));
      const paid: Delivery[] = payments.map(({ text }) => ({ at: text.receivedAt, texts: [text], isResend: false }));

      const forwarded = await forwardAll([...day.deliveries, ...paid, ...paid], {
        url: phone.url,
        forwarder: FORWARDERS[app]!(phone.url),
        secret: phone.secret,
      });

      expect({ seed, dropped: forwarded.dropped }).toEqual({ seed, dropped: [] });
      const sent = day.inbox.filter(({ isLost }) => !isLost).length + paid.length;
      const { rows } = await databases.query<{ texts: number; read: number }>(
        'sms-ingest',
        `select count(*)::int as texts, count(*) filter (where receiver_account_id is not null and status <> 'UNPARSED')::int as read
           from sms_ingest.sms_events where device_id = $1`,
        [phone.id],
      );
      const incoming = day.inbox.filter(({ isLost, kind }) => !isLost && kind === 'SEND_MONEY_RECEIVED').length;
      expect({ seed, ...rows[0] }).toEqual({ seed, texts: sent, read: incoming + paid.length });
      for (const { intentId } of payments) {
        const isPaid = async () => (await api.getIntent(shop.sandbox, intentId)).body.status === 'PAID';
        await eventually(isPaid, `the payment through ${app} is found`);
      }
    },
    120_000,
  );
});
