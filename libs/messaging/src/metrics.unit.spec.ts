import { createLogger, createMetrics } from '@pay/runtime';
import { messagingMetrics } from './metrics';

it('counters of rare faults have a value before the first fault, for every queue and subject', async () => {
  const metrics = createMetrics('intent-api');
  const log = createLogger({ service: 'intent-api', level: 'silent' });
  messagingMetrics(metrics, { query: () => Promise.resolve([]) }, log, ['intent-api.events']);

  const text = await metrics.registry.metrics();

  for (const counter of ['queues', 'bindings'])
    expect(text).toContain(`messaging_${counter}_repaired_total{queue="intent-api.events",service="intent-api"} 0`);
  for (const subject of ['decision', 'intent', 'sms', 'directory_fact'])
    expect(text).toContain(`messaging_sequence_conflicts_total{subject="${subject}",service="intent-api"} 0`);
});
