import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aRandomTrxId, bkashSendMoneyText } from '@pay/testing';
import { callerOf, textOf, type Call } from './gateway-call';
import type { SeededMerchant } from './seed-file';

export interface DemoShop {
  readonly url: string;
  readonly close: () => Promise<void>;
}

interface Order {
  readonly intentId: string;
  readonly checkoutUrl: string;
  readonly reference: string;
  readonly receiver: string;
}

const AMOUNT = '1250.50';
const TTL_SECONDS = 3_600;
/** Bounds the memory if the page is reloaded repeatedly. */
const MOST_ORDERS = 1_000;

/**
 * A shop with one page for `npm start`: each visit creates a SANDBOX order, and one click pays it like a customer and
 * the shop's phone would. Listens on loopback only.
 */
export async function openDemoShop(baseUrl: string, merchant: SeededMerchant): Promise<DemoShop> {
  const call = callerOf(baseUrl, merchant.sandbox);
  const orders = new Map<string, Order>();
  const server = createServer((request, response) => {
    answer(request, response, call, orders, merchant.name).catch((error: unknown) => {
      send(response, 502, page('The demo order is not available', `<p>${escaped(String(error))}</p>`));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  { method, url = '/' }: IncomingMessage,
  response: ServerResponse,
  call: Call,
  orders: Map<string, Order>,
  shop: string,
): Promise<void> {
  const [, id] = /^\/orders\/([0-9a-f-]{36})\/pay$/.exec(url) ?? [];
  const order = id === undefined ? undefined : orders.get(id);
  if (method === 'POST' && order !== undefined) {
    await pay(call, order);
    response.writeHead(303, { Location: order.checkoutUrl }).end();
  } else if (method === 'GET' && url === '/') {
    const made = await makeOrder(call);
    if (orders.size >= MOST_ORDERS) orders.clear();
    orders.set(made.intentId, made);
    send(response, 200, orderPage(shop, made));
  } else send(response, 404, page('No such order', '<p><a href="/">Make a new demo order</a></p>'));
}

async function makeOrder(call: Call): Promise<Order> {
  const intent = await call('POST', '/v1/payments/intents', {
    amount: AMOUNT,
    idempotencyKey: randomUUID(),
    paymentMethod: 'BKASH_SEND_MONEY',
    ttlSeconds: TTL_SECONDS,
    merchantReference: 'DEMO-ORDER',
  });
  return {
    intentId: textOf(intent, 'id'),
    checkoutUrl: textOf(intent, 'checkoutUrl'),
    reference: textOf(intent, 'customerReference'),
    receiver: textOf(intent, 'receiverMsisdn'),
  };
}

/** Forwards the SMS of the payment, as the shop's phone would. */
async function pay(call: Call, { reference, receiver }: Order): Promise<void> {
  await call('POST', '/v1/sms-events/incoming', {
    sender: 'bKash',
    message: bkashSendMoneyText({ amount: AMOUNT, reference, trxId: aRandomTrxId() }),
    receiverMsisdn: receiver,
    receivedAt: new Date().toISOString(),
  });
}

function orderPage(shop: string, { intentId, checkoutUrl, reference, receiver }: Order): string {
  return page(
    `Demo order at ${escaped(shop)}`,
    `<p>Tk 1,250.50 by bKash Send Money to ${escaped(receiver)}, reference ${escaped(reference)}</p>
<form method="post" action="/orders/${intentId}/pay"><button>Pay this order</button></form>
<p>The button plays the customer and the shop's phone: the SMS of bKash arrives, and the payment page shows the result.</p>
<p><a href="${escaped(checkoutUrl)}" target="_blank">See the payment page before you pay</a></p>`,
  );
}

function page(title: string, content: string): string {
  const style =
    'body{font:16px/1.5 sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}button{font-size:1.2rem;padding:.6rem 1.2rem}';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${style}</style></head><body><h1>${title}</h1>${content}</body></html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function send(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }).end(html);
}
