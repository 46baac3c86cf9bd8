import { EVENT_TYPES, SERVICES } from '@pay/contracts';
import { QUEUES, typesOf } from './topology';

describe('the topology', () => {
  it.each(EVENT_TYPES)('has a queue for %s, because an event without a queue can never be published', (type) => {
    expect(QUEUES.filter((queue) => typesOf(queue).includes(type))).not.toEqual([]);
  });

  it.each(SERVICES)('delivers replay requests of other services to %s', (service) => {
    expect(typesOf(`${service}.control`)).toContain('messaging.replay_requested');
  });
});
