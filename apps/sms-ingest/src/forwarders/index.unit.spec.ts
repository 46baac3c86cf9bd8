import { incomingSmsSchema, type Forwarder } from '@pay/contracts';
import fc from 'fast-check';
import { NOW_SECONDS, SECRET, hex, read } from '../../test/forwarder-requests';
import { ADAPTERS } from './index';

// The same in every run, so that no change fails by chance.
fc.configureGlobal({ seed: 20261121 });

describe('any request to any adapter', () => {
  const adapters = Object.keys(ADAPTERS) as Forwarder[];
  const anyBody = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.json(),
    fc
      .dictionary(
        fc.constantFrom(
          'event',
          'payload',
          'from',
          'text',
          'sign',
          'timestamp',
          'sms_list',
          'action',
          'data',
          'type',
          '__proto__',
        ),
        fc.jsonValue(),
        { noNullPrototype: true },
      )
      .map((value) => JSON.stringify(value)),
    fc.array(fc.tuple(fc.string(), fc.string())).map((fields) => fields.map((field) => field.join('=')).join('&')),
  );
  const header = fc.oneof(
    fc.string(),
    fc.constantFrom('1769050448', 'Bearer a.b.c', 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x'),
  );

  it.each(adapters)('%s judges it and throws nothing, with a right signature or without', (adapter) => {
    fc.assert(
      fc.property(anyBody, header, header, fc.boolean(), (body, one, other, isSigned) => {
        const [stampText, signature] = isSigned
          ? [String(NOW_SECONDS), adapter === 'textbee' ? hex(body) : hex(body, String(NOW_SECONDS))]
          : [one, other];
        const headers = { 'x-timestamp': stampText, 'x-signature': signature, authorization: one };
        const secret = ADAPTERS[adapter].later === 429 && !isSigned ? null : SECRET;
        const reading = read(adapter, { headers, query: other, body }, secret);
        // What is let through is checked field by field like any phone's message.
        if (reading.kind === 'sms') incomingSmsSchema.safeParse(reading.sms);
        if (reading.kind === 'list') for (const { sms } of reading.list) incomingSmsSchema.safeParse(sms);
        expect(Object.keys(reading)).toContain('kind');
      }),
      { numRuns: 150 },
    );
  });
});
