import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CheckoutView } from '@pay/contracts';
import { createKernel } from '@pay/http';
import { createLogger, createMetrics } from '@pay/runtime';
import { request } from 'undici';
import { mountCheckoutPage, type CheckoutPageDeps } from '../src/page/checkout-page-routes';
import { aView } from './a-view';

/** The page on a real server, new for each test of the suite that calls this. */
export function servedPage() {
  let server: Server;
  const page = {
    /** Replaced by tests. */
    deps: {} as { -readonly [Name in keyof CheckoutPageDeps]: CheckoutPageDeps[Name] },
    lines: [] as string[],
    claims: [] as string[],
    digits: [] as (string | undefined)[],
    show: (change: Partial<CheckoutView>) => void (page.deps.view = () => Promise.resolve(aView(change))),
    get: async (path: string, headers: Record<string, string> = {}) => {
      const { port } = server.address() as AddressInfo;
      const answer = await request(`http://127.0.0.1:${port}${path}`, { headers });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      return { status: answer.statusCode, headers: answer.headers, bytes, html: bytes.toString() };
    },
    post: async (path: string, form: string) => {
      const { port } = server.address() as AddressInfo;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await request(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: form });
      const { location } = answer.headers;
      return { status: answer.statusCode, headers: answer.headers, location, html: await answer.body.text() };
    },
  };
  const log = createLogger({
    service: 'checkout-api',
    level: 'debug',
    destination: { write: (line) => void page.lines.push(line) },
  });

  beforeEach(async () => {
    page.lines.length = 0;
    page.claims.length = 0;
    page.digits.length = 0;
    page.deps = {
      view: () => Promise.resolve(aView()),
      choose: () => Promise.resolve(),
      confirm: ({ trxId, intentId, payerDigits }) => {
        page.claims.push(trxId);
        page.digits.push(payerDigits);
        return Promise.resolve({
          matched: false,
          paymentIntentId: intentId,
          smsEventId: null,
          reason: 'trx_id_not_found',
        });
      },
      cancel: () => Promise.resolve({ redirectUrl: 'https://shop.example/basket?a=1&status=CANCELLED' }),
      noteReturn: () => Promise.resolve(),
    };
    const mine: CheckoutPageDeps = {
      view: (id) => page.deps.view(id),
      choose: (id, method) => page.deps.choose(id, method),
      confirm: (claim) => page.deps.confirm(claim),
      cancel: (id) => page.deps.cancel(id),
      noteReturn: (id) => page.deps.noteReturn(id),
    };
    const metrics = createMetrics('checkout-api');
    const app = createKernel({
      log,
      metrics,
      isUnavailable: (error) => String(error).includes('database'),
      mount: (mounted) => mountCheckoutPage(mounted, mine),
    });
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => server.close());

  return page;
}
