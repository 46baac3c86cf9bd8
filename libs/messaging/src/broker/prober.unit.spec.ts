import type { Database } from '@pay/persistence';
import { Prober, type ProberDeps } from './prober';

const round = ['intent.created', 'intent.method_selected'].map((type) => ({
  type,
  number: '1',
  id: type,
  routingKey: type,
  body: '{}',
  sentAt: new Date(),
  publishedUntil: new Date(),
}));

function probeRound(confirmed: (type: string) => Promise<void>) {
  const rowsOf = ({ name }: { readonly name: string }) =>
    name === 'probe-round' ? round : name === 'probe-pending' ? [{ pending: 0 }] : [{ taken: true }];
  return new Prober({
    db: {
      query: (statement: { name: string }) => Promise.resolve(rowsOf(statement)),
      execute: () => Promise.resolve(1),
    } as unknown as Database,
    publisher: { isWritable: true, confirmed: ({ type }: { type: string }) => confirmed(type) },
    sender: { prepare: () => ({ headers: {} }), publisherOf: () => 'intent-api' },
    timings: { probeEveryMs: 100, confirmTimeoutMs: 100 },
    latest: new Map(),
  } as unknown as ProberDeps).runDue();
}

it('reports a round of which no probe is confirmed as an error of its task', async () => {
  await expect(probeRound(() => Promise.reject(new Error('not confirmed')))).rejects.toThrow('not confirmed');
});

it('reports no error if only one type is not confirmed', async () => {
  const confirmed = (type: string) =>
    type === 'intent.created' ? Promise.resolve() : Promise.reject(new Error('not confirmed'));

  expect(await probeRound(confirmed)).toBe('done');
});
