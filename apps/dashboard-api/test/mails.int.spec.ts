import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failOnLeaks } from '@pay/testing';
import { openMailTransport, type MailTransport } from '../src/mails/mail-transport';
import { watchMails } from '../src/mails/watch-mails';
import { sendMails } from '../src/mails/send-mails';
import { createLogger, createMetrics, createSecretBox, databaseGauges } from '@pay/runtime';
import { createMailQueue } from '../src/mails/mail-queue';
import { randomBytes } from 'node:crypto';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

const silent = createLogger({ service: 'spec', level: 'silent' });

const MAIL = { to: 'karim@shop.example', subject: 'Invitation to Boi Bazar', text: 'The token is t-o-k-e-n.\n' };

/** A minimal mail server that records its input. */
class MailServer {
  readonly received: { readonly to: string; readonly data: string }[] = [];
  /** The replies to commands that are not accepted, by the beginning of the command. */
  readonly refusals: Record<string, string> = {};
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor() {
    this.server = createServer((socket) => this.talk(socket));
  }

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private talk(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    const say = (line: string) => socket.write(`${line}\r\n`);
    const refusalOf = (line: string) =>
      Object.entries(this.refusals).find(([command]) => line.startsWith(command))?.[1];
    let [to, data, isData] = ['', '', false];
    let rest = '';
    say('220 mail.test ready');
    socket.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (isData && line !== '.') data += `${line}\n`;
        else if (isData) {
          this.received.push({ to, data });
          [data, isData] = ['', false];
          say('250 taken');
        } else if (refusalOf(line) !== undefined) say(refusalOf(line) ?? '');
        else if (line.startsWith('RCPT TO:')) {
          to = line.slice(8);
          say('250 ok');
        } else if (line === 'DATA') {
          isData = true;
          say('354 go on');
        } else if (line === 'QUIT') socket.end('221 bye\r\n');
        else say('250 ok');
      }
    });
  }
}

describe('mails', () => {
  let service: ServiceUnderTest;
  let ahead = 0;
  let isAway = false;
  const sent: string[] = [];
  const now = () => new Date(Date.now() + ahead);
  const box = createSecretBox([{ id: 'k1', key: randomBytes(32) }], 'mail');
  const transport: Pick<MailTransport, 'send'> = {
    send: async (id) => {
      if (isAway)
        throw Object.assign(new Error('535 gateway@shop.example is unknown'), { code: 'EAUTH', responseCode: 535 });
      sent.push(id);
    },
  };
  beforeAll(async () => {
    service = await startService({ now, mailTransport: { send: async () => undefined } });
  });
  afterAll(() => service.stop());

  const waiting = async () => (await service.db.query<{ sealed: string }>('select sealed from mails')).length;
  /** Its rows are due long after those of the service itself are. */
  const run = (through = transport) => {
    const { db } = service;
    const log = {
      warn: (fields: object, line: string) => logged.push([line, fields]),
      error: (fields: object, line: string) => logged.push([line, fields]),
    };
    return sendMails({
      db,
      box,
      transport: through,
      sent: sentCounter,
      refused,
      log: log as never,
      now: () => new Date(now().getTime() + 10 * 86_400_000),
    });
  };
  const gauges = async () => {
    const metrics = createMetrics('spec');
    watchMails(databaseGauges(metrics, silent), service.db, () => new Date(now().getTime() + 10 * 86_400_000));
    const valueOf = async (name: string) => (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;
    return {
      unsent: await valueOf('dashboard_mails_unsent'),
      hours: Math.floor(((await valueOf('dashboard_mails_oldest_seconds')) ?? Number.NaN) / 3_600),
    };
  };
  const logged: [string, object][] = [];
  const sentCounter = { inc: jest.fn() };
  const refused = { inc: jest.fn() };
  /** Due in ten days: the running service, whose clock is not that far, leaves it alone. */
  const add = () => {
    const later = () => new Date(now().getTime() + 10 * 86_400_000);
    const queue = createMailQueue({ box, now: later, newId: () => crypto.randomUUID() });
    return service.db.transaction((tx) => queue.add(tx, MAIL));
  };

  it('a mail is stored encrypted, sent once, and its row is deleted', async () => {
    await add();
    const [row] = await service.db.query<{ text: string }>('select m::text as text from mails m');
    expect(row!.text).not.toMatch(/karim|t-o-k-e-n|Boi Bazar/);

    await Promise.all([run(), run()]);
    await run();

    expect(sent).toHaveLength(1);
    expect(sentCounter.inc).toHaveBeenCalledTimes(1);
    await expect(waiting()).resolves.toBe(0);
  });

  it('a mail of a transaction that is undone does not go out', async () => {
    const queue = createMailQueue({ box, now, newId: () => crypto.randomUUID() });
    const undone = service.db.transaction(async (tx) => {
      await queue.add(tx, MAIL);
      throw new Error('undone');
    });

    await expect(undone).rejects.toThrow('undone');
    await expect(waiting()).resolves.toBe(0);
  });

  it('what fails is tried again later and shown by its age for a day, and the log names no address', async () => {
    sent.length = 0;
    isAway = true;
    await add();
    await run();
    await run();
    expect(logged.map(([line]) => line)).toEqual(['mail.not_sent']);
    ahead += 3_600_000;
    isAway = false;
    await run();
    expect(sent).toHaveLength(1);

    isAway = true;
    await add();
    ahead += 25 * 3_600_000;
    expect(await gauges()).toEqual({ unsent: 1, hours: 25 });
    await run();
    isAway = false;

    await expect(waiting()).resolves.toBe(0);
    expect(await gauges()).toEqual({ unsent: 0, hours: 0 });
    expect(logged.map(([line]) => line)).toEqual(['mail.not_sent', 'mail.given_up']);
    expect(JSON.stringify(logged)).toContain('EAUTH 535');
    expect(JSON.stringify(logged)).not.toContain('shop.example');
  });

  it.each([
    ['mail.refused', 'RCPT TO:', '550 5.1.1 <karim@shop.example> is unknown'],
    ['mail.refused', 'RCPT TO:', '550 5.2.1 The mailbox of <karim@shop.example> is disabled'],
    ['mail.refused', 'RCPT TO:', '556 5.1.10 shop.example accepts no mail'],
    ['mail.not_sent', 'RCPT TO:', '451 4.3.0 <karim@shop.example> try again later'],
    ['mail.not_sent', 'RCPT TO:', '552 5.2.2 The mailbox of <karim@shop.example> is full'],
    ['mail.not_sent', 'RCPT TO:', '530 5.7.0 Authentication required'],
    ['mail.not_sent', 'RCPT TO:', '554 5.7.1 <karim@shop.example>: Relay access denied'],
    ['mail.not_sent', 'RCPT TO:', '550 5.1.8 <gateway@shop.example>: Sender address rejected'],
    ['mail.not_sent', 'RCPT TO:', '550 5.1.0 <gateway@shop.example>: Sender address rejected'],
    ['mail.not_sent', 'RCPT TO:', '550 relay not permitted'],
    ['mail.not_sent', 'MAIL FROM:', '550 5.1.0 <gateway@shop.example>: Sender address rejected'],
    ['mail.not_sent', 'DATA', '554 5.3.0 No'],
  ])(
    'a mail is deleted at its first attempt only if its recipient is permanently refused: %s after %s %s',
    async (event, command, reply) => {
      const server = new MailServer();
      server.refusals[command] = reply;
      const SMTP_URL = await server.listen();
      const smtp = openMailTransport({ NODE_ENV: 'test', MAIL_FROM: 'gateway@shop.example', SMTP_URL });
      logged.length = 0;
      sentCounter.inc.mockClear();
      refused.inc.mockClear();
      await add();
      await run(smtp);
      await smtp.close();
      await server.close();

      const isRefused = event === 'mail.refused';
      expect(logged).toEqual([[event, expect.objectContaining({ err: `EENVELOPE ${reply.slice(0, 3)}` })]]);
      expect(sentCounter.inc).not.toHaveBeenCalled();
      expect(refused.inc).toHaveBeenCalledTimes(isRefused ? 1 : 0);
      await expect(waiting()).resolves.toBe(isRefused ? 0 : 1);
      ahead += 3_600_000;
      await run();
    },
  );

  it('SMTP_URL: a mail server receives the mail with its sender, its recipient and a unique id', async () => {
    const server = new MailServer();
    const SMTP_URL = await server.listen();
    const smtp = openMailTransport({ NODE_ENV: 'test', MAIL_FROM: 'gateway@shop.example', SMTP_URL });

    await smtp.send('0193a5f0', MAIL);
    await smtp.close();
    await server.close();

    expect(server.received).toHaveLength(1);
    const [{ to, data }] = server.received as [{ to: string; data: string }];
    expect(to).toContain('karim@shop.example');
    expect(data).toMatch(/^From: gateway@shop.example$/m);
    expect(data).toMatch(/^Subject: Invitation to Boi Bazar$/m);
    expect(data).toMatch(/^Message-ID: <0193a5f0@shop.example>$/m);
    expect(data).toContain('The token is t-o-k-e-n.');
  });

  it('in production a mail server that offers no encryption is given nothing', async () => {
    const server = new MailServer();
    const SMTP_URL = await server.listen();
    const smtp = openMailTransport({ NODE_ENV: 'production', MAIL_FROM: 'gateway@shop.example', SMTP_URL });

    await expect(smtp.send('0193a5f1', MAIL)).rejects.toThrow();

    await smtp.close();
    await server.close();
    expect(server.received).toEqual([]);
  });

  it('MAIL_DIRECTORY: each mail is a file that its owner alone can read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mails-'));
    const MAIL_DIRECTORY = join(folder, 'mail');
    const files = openMailTransport({ NODE_ENV: 'development', MAIL_FROM: 'gateway@shop.example', MAIL_DIRECTORY });

    await files.send('0193a5f2', MAIL);

    expect(readdirSync(MAIL_DIRECTORY)).toEqual(['0193a5f2.eml']);
    const path = join(MAIL_DIRECTORY, '0193a5f2.eml');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toContain('The token is t-o-k-e-n.');
    rmSync(folder, { recursive: true });
  });
});
