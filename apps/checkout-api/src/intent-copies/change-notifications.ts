import type { Broadcast } from '@pay/messaging';

const TOPIC = 'checkout';

export interface ChangeNotifications {
  /** Synchronous for this replica, asynchronous for the others. */
  notify(intentIds: readonly string[]): void;
  onChange(listener: (intentIds: readonly string[]) => void): void;
}

/** Notifications contain only ids and may be lost, so receivers also poll. */
export function changeNotifications({
  broadcast,
  replica,
}: {
  broadcast: Broadcast;
  replica: string;
}): ChangeNotifications {
  const listeners: ((intentIds: readonly string[]) => void)[] = [];
  const pass = (intentIds: readonly string[]) => {
    for (const listener of listeners) listener(intentIds);
  };
  broadcast.on(TOPIC, (payload) => {
    const [from, ...intentIds] = payload.split(' ');
    if (from !== replica) pass(intentIds);
  });
  return {
    notify(intentIds) {
      if (intentIds.length === 0) return;
      pass(intentIds);
      broadcast.send(TOPIC, [replica, ...intentIds].join(' '));
    },
    onChange: (listener) => void listeners.push(listener),
  };
}
