/**
 * Call it before the broker is killed. RabbitMQ writes the registration of a new quorum queue to disk seconds after its
 * declaration; without it, the queue starts empty and never elects a leader.
 */
export async function newQueuesOnDisk(broker: { ctl(...args: string[]): Promise<string> }): Promise<void> {
  await broker.ctl('eval', '[ok = dets:sync(Table) || Table <- dets:all()].');
}
