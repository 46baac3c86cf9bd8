import type { PaymentMethod } from '@pay/contracts';
import { bkashSendMoneyText } from '@pay/testing';
import { READERS } from '../src/domain/parse-sms';
import { aPhone, phoneApi, startService, type PhoneUnderTest, type ServiceUnderTest } from './service-under-test';

const RECEIVED_AT = '2026-11-21T15:02:00.000+06:00';
const AT = '21/11/2026 15:01';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const wallet = (paymentMethod: PaymentMethod, place: number) => ({ paymentMethod, msisdn: `0170000091${place}` });

async function forward(phone: PhoneUnderTest, sender: string, message: string, more: Record<string, unknown> = {}) {
  const sms = { sender, message, receivedAt: RECEIVED_AT, simSlot: 1, ...more };
  const { status, body } = await phoneApi(service.url, phone.deviceKey).incoming(sms);
  const [row] = await service.db.query<Record<string, any>>('select * from sms_events where id = $1', [body.id]);
  const [event] = (await service.announced()).filter(({ aggregateId }) => aggregateId === body.id);
  return { status, body, row, event: event as { type: string; data: Record<string, any> } | undefined };
}

describe('each of the six methods', () => {
  it.each<[PaymentMethod, string, string]>([
    [
      'BKASH_SEND_MONEY',
      'SEND_MONEY_RECEIVED',
      `You have received Tk 1,549.00 from 01711000901. Ref tea. Fee Tk 0.00. Balance Tk 8,210.56. TrxID DKL4INT001 at ${AT}`,
    ],
    [
      'BKASH_PAYMENT',
      'PAYMENT_RECEIVED',
      `You have received payment Tk 1,549.00 from 0171XXXX901. Fee Tk 0.00. Balance Tk 8,210.56. TrxID DKL4INT002 at ${AT}`,
    ],
    [
      'BKASH_CASHOUT',
      'CASH_OUT_RECEIVED',
      `Cash Out Tk 1,549.00 from 01711000901 successful. Fee Tk 0.00. Balance Tk 8,210.56. TrxID DKL4INT003 at ${AT}`,
    ],
    [
      'NAGAD_SEND_MONEY',
      'SEND_MONEY_RECEIVED',
      `Money Received.\nAmount: Tk 1549.00\nSender: 01711000901\nRef: N/A\nTxnID: 76800004\nBalance: Tk 8210.56\n${AT}`,
    ],
    [
      'NAGAD_PAYMENT',
      'PAYMENT_RECEIVED',
      `Payment Received.\nAmount: Tk 1549.00\nCustomer: 01711000901\nTxnID: 76800005\nBalance: Tk 8210.56\n${AT}`,
    ],
    [
      'NAGAD_CASHOUT',
      'CASH_OUT_RECEIVED',
      `Cash Out Received.\nAmount: Tk 1549.00\nCustomer: 01711000901\nTxnID: 76800006\nComm: Tk 6.35\nBalance: Tk 8210.56\n${AT}`,
    ],
  ])('%s is evidence for the wallet that gets such texts', async (method, kind, message) => {
    const phone = await aPhone(service.db, { receivers: [wallet(method, 0)] });
    const { body, row, event } = await forward(phone, method.startsWith('BKASH') ? 'bKash' : 'NAGAD', message);

    expect(body).toMatchObject({ status: 'PARSED', duplicate: false });
    expect(row).toMatchObject({
      status: 'PARSED',
      kind,
      direction: 'IN',
      payment_method: method,
      parsed_amount: '154900',
      parsed_balance: '821056',
      receiver_account_id: phone.accounts[method],
      signals: [],
      failure_reason: null,
    });
    expect(event).toMatchObject({
      type: 'sms.parsed',
      data: { kind, paymentMethod: method, amount: '1549', receiverAccountId: phone.accounts[method], signals: [] },
    });
  });
});

describe('a text of any other kind', () => {
  it.each<[string, string, string, string | null, string | null, string, string]>([
    [
      'SEND_MONEY_SENT',
      'OUT',
      'bKash',
      'BKASH',
      '47000',
      'Send Money Tk 30.00 to 01711000902 successful. Ref 1. Fee Tk 0.00. Balance Tk 470.00. TrxID DKL4INT011 at ',
      'not_collected',
    ],
    [
      'CASH_IN_RECEIVED',
      'IN',
      'bKash',
      'BKASH',
      '97000',
      'Cash In Tk 500.00 from 01711000903 successful. Fee Tk 0.00. Balance Tk 970.00. TrxID DKL4INT012 at ',
      'not_collected',
    ],
    [
      'RECHARGE',
      'OUT',
      '16247',
      'BKASH',
      '94800',
      'Received Recharge request of Tk 22.00 for 01511000904. Fee Tk 0.00. Balance Tk 948.00. TrxID DKL4INT013 at ',
      'not_collected',
    ],
    [
      'CASHBACK_RECEIVED',
      'IN',
      'bKash',
      'BKASH',
      '95000',
      'Congratulations! You have received Cashback Tk 2.00. Balance Tk 950.00. TrxID DKL4INT014 at ',
      'not_collected',
    ],
    [
      'OTP',
      'NONE',
      'bKash',
      'BKASH',
      null,
      '<#> Your bKash verification code is 000000. Asked for at ',
      'not_collected',
    ],
    ['PROMOTION', 'NONE', 'bKash', 'BKASH', null, 'Send Money with cashback offer until ', 'not_collected'],
    [
      'CASH_OUT_RECEIVED',
      'IN',
      'bKash',
      'BKASH',
      '90000',
      'Cash Out Tk 5.00 from 01711000905 successful. Fee Tk 0.00. Comm Tk 0.02. Balance Tk 900.00. TrxID DKL4INT015 at ',
      'unsupported_format',
    ],
    [
      'REFUND_RECEIVED',
      'IN',
      'NAGAD',
      'NAGAD',
      '26770',
      'Refund from Tea House\nAmount: Tk 239\nTrnxID: 76800016\nBalance:TK 267.70\n',
      'not_collected',
    ],
    [
      'FAILED',
      'NONE',
      'NAGAD',
      'NAGAD',
      null,
      'Money Received.\nFailed.\nAmount: Tk 500.00\nTxnID: 76800017\n',
      'not_collected',
    ],
    [
      'SEND_MONEY_RECEIVED',
      'IN',
      '16216',
      'ROCKET',
      '1205692',
      'Tk480.00 received from A/C:***906 Fee:Tk0, Your A/C Balance: Tk12,056.92 TxnId:6790000906 at ',
      'not_collected',
    ],
    [
      'CASH_OUT_RECEIVED',
      'IN',
      'upay',
      'UPAY',
      '656882',
      'You have received Cash-out of Tk. 394.00 from 01511000907. Comm: TK. 1.6154. Balance Tk. 6568.82. TrxID 01KAJH4GET at ',
      'not_collected',
    ],
  ])(
    '(%s) is stored as what it is, %s, and announced as no evidence',
    async (kind, direction, sender, provider, balance, text, reason) => {
      const phone = await aPhone(service.db);
      const { body, row, event } = await forward(phone, sender, text + AT);

      expect(body).toMatchObject({ status: 'UNPARSED', duplicate: false });
      expect(row).toMatchObject({
        status: 'UNPARSED',
        failure_reason: reason,
        provider,
        kind,
        direction,
        parsed_balance: balance,
        payment_method: null,
      });
      const collected = provider === 'BKASH' || provider === 'NAGAD';
      expect(event).toMatchObject({
        type: 'sms.unparsed',
        data: { reason, provider: collected ? provider : null, wallet: provider, facts: { kind, direction } },
      });
      const ofPhone = provider === 'BKASH' ? phone.accounts.BKASH_SEND_MONEY : phone.accounts.NAGAD_SEND_MONEY;
      // An agent's text belongs to no wallet of the phone's type, but there is only one wallet of that provider.
      expect(row?.['receiver_account_id']).toBe(collected ? ofPhone : null);
    },
  );

  it('cannot be stored as evidence: the database refuses texts about sent money', async () => {
    const phone = await aPhone(service.db);
    const { body } = await forward(phone, 'bKash', bkashSendMoneyText({ amount: '5' }));

    await expect(
      service.db.execute(`update sms_events set direction = 'OUT' where id = $1`, [body.id]),
    ).rejects.toThrow('sms_events_evidence_is_money_in');
  });
});

describe('the wallet of a text', () => {
  const float = (trxId: string, reference = '') =>
    `You have received Tk 900.00 from 01711000908.${reference} Fee Tk 0.00. Balance Tk 9,900.00. TrxID ${trxId} at ${AT}`;
  const agent = wallet('BKASH_CASHOUT', 1);
  const personal = wallet('BKASH_SEND_MONEY', 2);

  it("makes a Send Money text float if the wallet is an agent's", async () => {
    const phone = await aPhone(service.db, { receivers: [agent] });
    const { row, event } = await forward(phone, 'bKash', float('DKL4INT021'));

    expect(row).toMatchObject({
      status: 'UNPARSED',
      kind: 'B2B_RECEIVED',
      direction: 'IN',
      failure_reason: 'not_collected',
      payment_method: null,
      parsed_amount: '90000',
      receiver_account_id: phone.accounts.BKASH_CASHOUT,
    });
    expect(event?.type).toBe('sms.unparsed');
  });

  it('is empty when both wallets fit, and is found by its number', async () => {
    const phone = await aPhone(service.db, { receivers: [agent, personal] });
    const unclear = await forward(phone, 'bKash', float('DKL4INT022'));
    const known = await forward(phone, 'bKash', float('DKL4INT023'), { receiverMsisdn: personal.msisdn });

    expect(unclear.event).toMatchObject({
      type: 'sms.parsed',
      data: { receiverAccountId: null, signals: [{ name: 'receiver', detail: 'ambiguous_receiver' }] },
    });
    expect(known.event).toMatchObject({
      type: 'sms.parsed',
      data: { receiverAccountId: phone.accounts.BKASH_SEND_MONEY, signals: [] },
    });
  });

  it('is never one that cannot receive such texts', async () => {
    const phone = await aPhone(service.db, { receivers: [personal] });
    const message = `Cash Out Tk 500.00 from 01711000909 successful. Fee Tk 0.00. Balance Tk 900.00. TrxID DKL4INT024 at ${AT}`;
    const { event } = await forward(phone, 'bKash', message);

    expect(event).toMatchObject({
      type: 'sms.parsed',
      data: { receiverAccountId: null, signals: [{ name: 'receiver', detail: 'wrong_account_type' }] },
    });
  });
});

it('stores and publishes forgery signals with the text', async () => {
  const phone = await aPhone(service.db);
  const message = `You have received Tk 900.00 from 01711000910. Fee Tk 0.00. Balance Tk 100.00. TrxID AKL4INT031 at ${AT}`;
  const { row, event } = await forward(phone, 'bKash', message);

  const signals = [
    { name: 'trx_id_time', detail: 'differs' },
    { name: 'balance', detail: 'below_amount' },
  ];
  expect(row).toMatchObject({ status: 'PARSED', signals });
  expect(event).toMatchObject({ type: 'sms.parsed', data: { signals } });
});

it('stores a text as UNPARSED and answers 202 when the parser fails', async () => {
  const failing = () => {
    throw new RangeError('no such thing');
  };
  const faulty = await startService({ readers: { ...READERS, BKASH: failing } });
  try {
    const phone = await aPhone(faulty.db);
    const message = bkashSendMoneyText({ amount: '500' });
    const answer = await phoneApi(faulty.url, phone.deviceKey).incoming({
      sender: 'bKash',
      message,
      receivedAt: RECEIVED_AT,
    });

    expect(answer).toMatchObject({ status: 202, body: { status: 'UNPARSED', duplicate: false } });
    expect(await faulty.textOf(answer.body.id)).toEqual({ sender: 'bKash', message });
    expect(await faulty.db.query('select status, provider, failure_reason from sms_events')).toEqual([
      { status: 'UNPARSED', provider: 'BKASH', failure_reason: 'parser_error' },
    ]);
    const announced = (await faulty.announced()).filter(({ aggregateId }) => aggregateId === answer.body.id);
    expect(announced).toMatchObject([{ type: 'sms.unparsed', data: { reason: 'parser_error', facts: null } }]);
  } finally {
    await faulty.stop();
  }
});
