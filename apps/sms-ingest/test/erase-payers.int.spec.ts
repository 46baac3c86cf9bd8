import { erasedPayersSchema, payerPageSchema, type ErasedPayers } from '@pay/contracts';
import { aRandomTrxId, bkashSendMoneyText, failOnLeaks } from '@pay/testing';
import { aPhone, phoneApi, startService, type PhoneUnderTest, type ServiceUnderTest } from './service-under-test';

const PAYER = '01711000999';
const OTHER = '01811000888';

let service: ServiceUnderTest;
let phone: PhoneUnderTest;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  phone = await aPhone(service.db);
});
failOnLeaks();

async function received(message: string, sender = 'bKash', by = phone): Promise<string> {
  const sms = { sender, message, receivedAt: new Date().toISOString(), simSlot: 1 };
  const { status, body } = await phoneApi(service.url, by.deviceKey).incoming(sms);
  expect(status).toBe(202);
  return body.id as string;
}
const paid = (sender: string, reference = 'AB12CD') =>
  bkashSendMoneyText({ amount: '500', sender, reference, trxId: aRandomTrxId() });
const decided = (...ids: string[]) =>
  service.db.execute(`update sms_events set status = 'MATCHED', match_status = 'MATCHED' where id = any($1::uuid[])`, [
    ids,
  ]);

/** All pages. */
async function found(merchantId: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null = null; ;) {
    const page: { ids: string[]; next: string | null } = await service.asDashboard.request(
      'POST',
      '/internal/v1/payers/find',
      { schema: payerPageSchema, body: { merchantId, msisdns: [PAYER], after } },
    );
    ids.push(...page.ids);
    if (page.next === null) return ids;
    after = page.next;
  }
}
const erase = (smsEventIds: string[], merchantId = phone.merchantId): Promise<ErasedPayers> =>
  service.asDashboard.request('POST', '/internal/v1/payers/erase', {
    schema: erasedPayersSchema,
    body: { merchantId, msisdns: [PAYER], smsEventIds },
  });
const rowOf = async (id: string) =>
  (
    await service.db.query(
      `select sealed_text, parsed_sender_msisdn as payer, parsed_reference as reference, parsed_amount::int as amount,
         parsed_trx_id is not null as has_trx_id from sms_events where id = $1`,
      [id],
    )
  )[0];

describe('the erasure of a payer', () => {
  it('finds the number as payer, as reference and in any spelling in a text that was not parsed, at one merchant', async () => {
    const asPayer = await received(paid(PAYER));
    const asReference = await received(paid(OTHER, PAYER));
    const inText = await received('Call me back: +৮৮০ ১৭১১-০০০৯৯৯', '+8801911000777');
    const asSender = await received('Where is my order?', `+88${PAYER}`);
    await received(paid(OTHER));
    const elsewhere = await aPhone(service.db);
    await received(paid(PAYER), 'bKash', elsewhere);

    expect((await found(phone.merchantId)).sort()).toEqual([asPayer, asReference, inText, asSender].sort());
  });

  it('deletes the text and the number, and keeps amount, TrxID and the number of another payer', async () => {
    const ids = [await received(paid(PAYER)), await received(paid(OTHER, PAYER))] as const;
    await decided(...ids);

    expect(await erase([...ids])).toEqual({ erased: 2, openIds: [] });

    const gone = { sealed_text: null, amount: 50_000, has_trx_id: true };
    expect(await rowOf(ids[0])).toEqual({ ...gone, payer: null, reference: 'AB12CD' });
    expect(await rowOf(ids[1])).toEqual({ ...gone, payer: OTHER, reference: null });
    expect(await found(phone.merchantId)).toEqual([]);
  });

  it('does not change a text that is undecided or of another merchant', async () => {
    const id = await received(paid(PAYER));
    const before = await rowOf(id);

    expect(await erase([id])).toEqual({ erased: 0, openIds: [id] });
    await decided(id);
    expect(await erase([id], (await aPhone(service.db)).merchantId)).toEqual({ erased: 0, openIds: [id] });

    expect(await rowOf(id)).toEqual(before);
    expect(await found(phone.merchantId)).toEqual([id]);
  });

  it('recognises a repeat of an erased text, which stays erased', async () => {
    const message = paid(PAYER);
    const id = await received(message);
    await decided(id);
    await erase([id]);

    expect(await received(message)).toBe(id);

    expect(await rowOf(id)).toMatchObject({ sealed_text: null, payer: null });
  });
});
