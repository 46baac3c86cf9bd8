import { SERVICES, type ServiceName } from '@pay/contracts';
import { inspectBindings, type ProbeState } from './inspect-bindings';

const NOTHING: ProbeState = { sent: [], received: [] };
type Received = ProbeState['received'][number];

/** sms-ingest probes `sms.parsed`, which one queue consumes. */
function inspect(sentAge: number | null, received: readonly Partial<Received>[]) {
  const states = Object.fromEntries(SERVICES.map((service) => [service, NOTHING])) as Record<ServiceName, ProbeState>;
  const binding = { queue: 'reconciler.events', publisher: 'sms-ingest', type: 'sms.parsed', age: 3, isMissing: false };
  states['sms-ingest'] = { sent: [{ type: 'sms.parsed', age: sentAge }], received: [] };
  states.reconciler = { sent: [], received: received.map((given) => ({ ...binding, ...given })) };
  return inspectBindings(states);
}

describe('inspectBindings', () => {
  it('returns each binding of a probed type with the age of its last probe, and no other binding', () => {
    expect(inspect(5, [{ age: 12 }])).toEqual([
      { queue: 'reconciler.events', publisher: 'sms-ingest', type: 'sms.parsed', age: 12, problem: undefined },
    ]);
  });

  it.each<[string, number | null, Partial<Received>[], string]>([
    ['a publisher that has sent none', null, [{}], 'its publisher has sent no probe'],
    ['a publisher that sends none any more', 300, [{}], 'its publisher sent the last probe 300 s ago'],
    ['a queue that has received none', 5, [], 'no probe was received'],
    ['a queue that has received another type', 5, [{ type: 'sms.unparsed' }], 'no probe was received'],
    ['a queue that has received them from another service', 5, [{ publisher: 'intent-api' }], 'no probe was received'],
    ['another queue that has received it', 5, [{ queue: 'reconciler.control' }], 'no probe was received'],
    ['a queue that receives none any more', 5, [{ age: 121 }], 'the last probe was received 121 s ago'],
    ['probes that are missing', 5, [{ isMissing: true }], 'probes are missing, and their replay is not requested yet'],
  ])('names %s', (_, sentAge, received, problem) => {
    expect(inspect(sentAge, received)).toMatchObject([{ problem }]);
  });
});
