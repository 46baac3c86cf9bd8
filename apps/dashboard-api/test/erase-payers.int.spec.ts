import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { uuidv7 } from 'uuidv7';
import { failOnLeaks } from '@pay/testing';
import { buildBundles, type Bundles } from './bundles';
import { PEER_SECRETS, startService, type ServiceUnderTest } from './service-under-test';

const PAYER = '01711000999';

interface Call {
  readonly service: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The private port of another service: answers from `records`, as those services do. */
async function startPeer(
  service: string,
  calls: Call[],
  records: { pages?: string[][]; open?: string[] },
): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
      const path = request.url ?? '';
      calls.push({ service, path, body });
      const ids = [body['smsEventIds'], body['paymentIntentIds']].flatMap((each) => (each ?? []) as string[]);
      const openIds = ids.filter((id) => records.open?.includes(id));
      const pages = records.pages ?? [];
      const page = body['after'] === null ? 0 : pages.findIndex((each) => each.at(-1) === body['after']) + 1;
      const answer = path.endsWith('/find')
        ? { ids: pages[page] ?? [], next: page + 1 < pages.length ? pages[page]?.at(-1) : null }
        : { erased: ids.length - openIds.length, openIds };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('the command erase-payers', () => {
  let service: ServiceUnderTest;
  let bundles: Bundles;
  let merchantId: string;
  beforeAll(async () => {
    [service, bundles] = await Promise.all([startService(), buildBundles()]);
    const created = await bundles.run('cli', ['create-merchant', '--name=Rahim Electronics'], {
      DATABASE_URL: service.databaseUrl,
    });
    merchantId = created.answer.merchantId;
  });
  afterAll(async () => {
    bundles.remove();
    await service.stop();
  });
  failOnLeaks();

  const [first, second, third] = [uuidv7(), uuidv7(), uuidv7()] as [string, string, string];

  async function erase(input: string, open: string[], at = merchantId) {
    const calls: Call[] = [];
    const peers = {
      SMS_INGEST: await startPeer('sms-ingest', calls, { pages: [[first, second], [third]] }),
      INTENT_API: await startPeer('intent-api', calls, { pages: [] }),
      RECONCILER: await startPeer('reconciler', calls, { open }),
      CHECKOUT_API: await startPeer('checkout-api', calls, {}),
      WEBHOOK_DISPATCHER: await startPeer('webhook-dispatcher', calls, {}),
    };
    const env: Record<string, string> = { DATABASE_URL: service.databaseUrl };
    for (const [name, server] of Object.entries(peers)) {
      env[`${name}_URL`] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const peer = name.toLowerCase().replace('_', '-') as keyof typeof PEER_SECRETS;
      env[`PEER_SECRET_${name}`] = PEER_SECRETS[peer];
    }
    const words = ['erase-payers', `--merchant=${at}`, '--reason=request 7'];
    const outcome = await bundles.run('cli', words, env, input);
    for (const server of Object.values(peers)) {
      server.close();
      server.closeAllConnections();
    }
    return { ...outcome, calls };
  }

  const logged = () =>
    service.db.query(
      `select actor, action, after from audit_log where merchant_id = $1 and action like 'payers.%' order by at, id`,
      [merchantId],
    );

  it('erases copies before the records of their owner, leaves open ones with the owner, and is in the audit log without the number', async () => {
    const { code, answer, stderr, calls } = await erase('+880 1711-000999\n', [second]);

    expect({ code, answer, stderr }).toEqual({
      code: 1,
      stderr: '',
      answer: { erased: { smsIngest: 2, intentApi: 0, reconciler: 2 }, open: 1 },
    });
    const erasures = calls.filter(({ path }) => path.endsWith('/erase'));
    expect(erasures.map(({ service: of, body }) => [of, body['smsEventIds']])).toEqual([
      ['reconciler', [first, second]],
      ['sms-ingest', [first]],
      ['reconciler', [third]],
      ['sms-ingest', [third]],
    ]);
    for (const { body } of calls) expect(body).toMatchObject({ merchantId, msisdns: [PAYER] });
    const entries = await logged();
    expect(entries).toMatchObject([
      { action: 'payers.erasure_started', after: { payers: ['XXXXXXXX999'], reason: 'request 7' } },
      { action: 'payers.erased', after: { payers: ['XXXXXXXX999'], open: 1, erased: { smsIngest: 2 } } },
    ]);
    expect(entries[0]?.['actor']).toMatch(/^cli:/);
    expect(JSON.stringify(entries)).not.toContain('1711000999');
  });

  it('ends with 0 if no record is open, for several numbers together', async () => {
    const { code, calls } = await erase(`${PAYER}\n01811000888\n\n${PAYER}\n`, []);

    expect(code).toBe(0);
    expect(calls[0]?.body['msisdns']).toEqual([PAYER, '01811000888']);
  });

  it('refuses a merchant that does not exist', async () => {
    const { code, stderr, calls } = await erase(PAYER, [], uuidv7());

    expect({ code, calls }).toEqual({ code: 2, calls: [] });
    expect(stderr).toContain('there is no merchant');
  });

  it('refuses input that is not one number per line, without calling a service', async () => {
    for (const input of ['', '0171100\n', `${PAYER}\nnumber\n`]) {
      const { code, stderr, calls } = await erase(input, []);
      expect({ code, calls }).toEqual({ code: 2, calls: [] });
      expect(stderr).toContain('one per line');
    }
  });
});
