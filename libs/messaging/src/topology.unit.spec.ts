import { EVENT_TYPES, SERVICES } from '@pay/contracts';
import { formerTypesOf, QUEUES, typesOf } from './topology';

describe('the topology', () => {
  it.each(EVENT_TYPES)('has a queue for %s, or publishing it would fail for ever', (type) => {
    expect(QUEUES.filter((queue) => typesOf(queue).includes(type))).not.toEqual([]);
  });

  it.each(QUEUES)('does not take back from %s what it gives', (queue) => {
    expect(formerTypesOf(queue).filter((type) => typesOf(queue).includes(type))).toEqual([]);
  });

  it.each(SERVICES)('lets %s hear of replays that others ask it for', (service) => {
    expect(typesOf(`${service}.control`)).toContain('messaging.replay_requested');
  });
});
