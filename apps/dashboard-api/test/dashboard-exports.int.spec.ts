import type { PaymentPage } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { changeUser } from '../src/people/change-user';
import { aPerson, openShop, someDeliveries, someExceptions, somePayments, type Shop } from './dashboard-under-test';
import { KnownSms } from './known-sms';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('CSV exports', () => {
  const smsIngest = new KnownSms();
  let service: ServiceUnderTest;
  let shop: Shop;
  let token: string;
  let aheadMs = 0;
  /** Called before the second of three pages of payments, if it is set. */
  let beforeSecond: (() => Promise<unknown>) | undefined;
  let pagesRead = 0;
  const intentApi: typeof somePayments.intentApi = {
    request: async (method, path, request) => {
      const page = await somePayments.intentApi.request(method, path, request);
      if (beforeSecond === undefined) return page;
      pagesRead += 1;
      if (pagesRead === 2) await beforeSecond();
      const nextCursor = pagesRead < 3 ? (page as PaymentPage).data[0]?.id : null;
      return request.schema.parse({ ...page, nextCursor });
    },
  };
  beforeAll(async () => {
    service = await startService({
      now: () => new Date(Date.now() + aheadMs),
      smsIngest,
      intentApi,
      webhookDispatcher: someDeliveries,
      reconciler: someExceptions,
    });
    shop = await openShop(service);
    token = await service.tokenOf(shop.people.VIEWER.userId);
  });
  afterAll(() => service.stop());
  afterEach(() => {
    beforeSecond = undefined;
    pagesRead = 0;
  });

  const download = async (path: string) => {
    const response = await fetch(`${service.url}/v1/dashboard/exports/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes, text: bytes.toString('utf8') };
  };

  it('are files with a name, a byte order mark and a line per row', async () => {
    const id = somePayments.add(shop.merchantId);

    const { status, headers, bytes, text } = await download('payments?environment=SANDBOX');

    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="payments-sandbox-\d{4}-\d{2}-\d{2}\.csv"$/,
    );
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [head, line, end] = text.replace('\ufeff', '').split('\r\n');
    expect(head).toMatch(/^id,created_at,status,amount,/);
    expect(line).toBe(
      `${id},2026-11-21T10:00:00.000Z,PAID,500,BDT,INV-1,,BKASH_SEND_MONEY,01700000900,2026-11-21T10:00:00.000Z,2026-11-21T10:00:00.000Z`,
    );
    expect(end).toBe('');
  });

  it('contain no formula, whatever a phone has forwarded', async () => {
    smsIngest.add(shop.merchantId, { sender: '=HYPERLINK("http://x")', reference: '+1', amount: '500.5', trxId: '@A' });

    const { text } = await download('sms?environment=SANDBOX&status=UNPARSED');

    expect(text).toContain(`"'=HYPERLINK(""http://x"")"`);
    expect(text).toContain(",500.5,'@A,'+1,");
  });

  it('have the rows of their merchant alone', async () => {
    const other = await openShop(service);
    const id = someExceptions.add(other.merchantId);

    for (const path of ['payments', 'sms', 'webhook-deliveries', 'exceptions']) {
      const { status, text } = await download(path);
      expect({ path, status }).toEqual({ path, status: 200 });
      expect(text).not.toContain(id);
    }
  });

  it('pass their filters on, and refuse filters that the list refuses', async () => {
    const { status, text } = await download('payments?status=OPEN');

    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ message: [expect.stringContaining('status must be one of')] });
  });

  it('of a service that does not answer are answered 503 before the first byte', async () => {
    somePayments.away.add('intent-api');
    const { status, text } = await download('payments');
    somePayments.away.delete('intent-api');

    expect({ status, body: JSON.parse(text) as unknown }).toMatchObject({
      status: 503,
      body: { code: 'SERVICE_UNAVAILABLE' },
    });
  });

  /** The part of a file of three pages that a client has saved when `change` happens during the second one. */
  async function exportDuring(change: (userId: string) => Promise<unknown>) {
    const { userId } = await aPerson(service, shop.merchantId, 'REVIEWER');
    const authorization = `Bearer ${await service.tokenOf(userId)}`;
    beforeSecond = async () => {
      await change(userId);
      // The state of a session is read again every second.
      aheadMs += 2_000;
    };
    const response = await fetch(`${service.url}/v1/dashboard/exports/payments`, { headers: { authorization } });
    const chunks: Uint8Array[] = [];
    let isWhole = true;
    try {
      for await (const chunk of response.body ?? []) chunks.push(chunk);
    } catch {
      isWhole = false;
    }
    const [, ...lines] = Buffer.concat(chunks).toString('utf8').split('\r\n');
    return { isWhole, last: lines.at(-2), pagesRead };
  }
  const change = (userId: string, given: { readonly role: 'VIEWER' } | { readonly isActive: false }) =>
    service.change((deps, tx) =>
      changeUser(deps, tx, { merchantId: shop.merchantId, session: shop.people.OWNER, userId, change: given }),
    );

  it('end incomplete, with a line that says so, when the person loses access meanwhile', async () => {
    somePayments.add(shop.merchantId);

    const { isWhole, last, pagesRead: read } = await exportDuring((userId) => change(userId, { isActive: false }));

    expect({ isWhole, read }).toEqual({ isWhole: false, read: 2 });
    expect(last).toBe('INCOMPLETE: rows are missing because the session has ended. Export the list again.');
  });

  it('go on to their end when the person gets another role that may export the list', async () => {
    const { isWhole, last, pagesRead: read } = await exportDuring((userId) => change(userId, { role: 'VIEWER' }));

    expect({ isWhole, read }).toEqual({ isWhole: true, read: 3 });
    expect(last).not.toContain('INCOMPLETE');
  });
});
