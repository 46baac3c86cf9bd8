import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FORWARDERS, SECRET_USE, type Forwarder } from '@pay/contracts';
import { hex, NOW, NOW_SECONDS, read, SECRET, smsOf, TEXT } from '../../test/forwarder-requests';
import { SECRET_HEADER } from './incoming-sms-to-url';

const PAGES = join(__dirname, '../../../../docs/forwarders');
const page = (name: string) => readFileSync(join(PAGES, `${name}.md`), 'utf8');
/** The blocks of a page that a merchant copies into the app. */
const blocksOf = (name: Forwarder) => [...page(name).matchAll(/```json\n([^]*?)```/g)].map(([, block = '']) => block);

/** A template as the app fills it: each placeholder by its value. */
function filled(template: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, value), template);
}

describe('docs/forwarders', () => {
  it('has a page of some ten lines for each app, with the address of its hooks, and lists it', () => {
    const index = page('README');

    expect(readdirSync(PAGES).sort()).toEqual([...FORWARDERS, 'README'].map((name) => `${name}.md`).sort());
    for (const name of FORWARDERS) {
      expect(page(name)).toContain(`https://pay.example.com/v1/sms-events/hooks/${name}/<hookId>`);
      expect(page(name)).toContain(`"adapter": "${name}"`);
      expect(page(name).match(/^\d+\. /gm)?.length).toBeLessThanOrEqual(10);
      const says = { signs: 'yes', header: 'no; optional header', nothing: 'no' }[SECRET_USE[name]];
      expect(index).toMatch(new RegExp(`\\]\\(${name}\\.md\\) *\\| \`${name}\` *\\| ${says} *`));
    }
  });

  it('the template for Incoming SMS to URL is understood as it is printed', () => {
    const [body = '', headers = ''] = blocksOf('incoming-sms-to-url');
    const values = {
      '%from%': 'bKash',
      '%text%': TEXT,
      '%sentStamp%': '1769050441000',
      '%sim%': 'sim2',
      '%receivedStamp%': '1769050448417',
    };
    const sent = JSON.parse(headers.replace('<signingSecret>', SECRET)) as Record<string, string>;
    const asNodeReads = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]));

    expect(asNodeReads).toHaveProperty(SECRET_HEADER);
    const reading = read('incoming-sms-to-url', { headers: asNodeReads, body: filled(body, values) });
    expect(smsOf(reading)).toMatchObject({
      sender: 'bKash',
      message: TEXT,
      simSlot: 2,
      receivedAt: '2026-01-22T02:54:08.417Z',
    });
  });

  it('the template for SmsForwarder is understood as it is printed', () => {
    const [body = ''] = blocksOf('smsforwarder');
    const timestamp = String(NOW.getTime());
    const sign = createHmac('sha256', SECRET).update(`${timestamp}\n${SECRET}`).digest('base64');
    const values = {
      '[from]': 'bKash',
      '[org_content]': TEXT,
      '[timestamp]': timestamp,
      '[card_slot]': 'SIM1_Robi_01811',
      '[receive_time]': '2026-01-22 08:54:01',
      '[sign]': encodeURIComponent(sign),
    };

    expect(smsOf(read('smsforwarder', { body: filled(body, values) }))).toMatchObject({
      sender: 'bKash',
      message: TEXT,
      simSlot: 1,
      receivedAt: '2026-01-22T02:54:01.000Z',
    });
  });

  it('the documented events are those that the adapter handles', () => {
    const kinds = blocksOf('sms-gateway-android').map((block) => {
      const { event } = JSON.parse(block) as { event: string };
      const body = JSON.stringify({ event, id: 'e', payload: { sender: 'bKash', message: TEXT } });
      const headers = { 'x-timestamp': String(NOW_SECONDS), 'x-signature': hex(body, String(NOW_SECONDS)) };
      return read('sms-gateway-android', { headers, body }).kind;
    });
    expect(kinds).toEqual(['sms', 'heartbeat']);

    const event = /Events: `(\w+)`/.exec(page('textbee'))?.[1];
    const body = JSON.stringify({ webhookEvent: event, sender: 'bKash', message: TEXT });
    expect(read('textbee', { headers: { 'x-signature': hex(body) }, body }).kind).toBe('sms');
    expect(/Events: `([\w.]+)`/.exec(page('httpsms'))?.[1]).toBe('message.phone.received');
  });
});
