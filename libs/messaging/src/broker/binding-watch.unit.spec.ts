import type { Database } from '@pay/persistence';
import { BindingWatch, type BindingWatchDeps } from './binding-watch';

it('reports a repair that fails as an error of its task', async () => {
  const missing = {
    queue: 'reconciler.events',
    publisher: 'intent-api',
    type: 'intent.created',
    missingSince: new Date(),
  };
  const watch = new BindingWatch({
    db: { query: () => Promise.resolve([missing]) } as unknown as Database,
    topology: { declareBindings: () => Promise.reject(new Error('ACCESS_REFUSED')) },
    queues: ['reconciler.events'],
  } as unknown as BindingWatchDeps);

  await expect(watch.repair()).rejects.toThrow('ACCESS_REFUSED');
});
