import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { forwardAll } from './forward';
import { ownApi } from './forwarders/own-api';
import type { InboxText } from './shop-day';

export interface RereadOptions {
  readonly origin: string;
  readonly deviceKey: string;
}

export interface Reread {
  readonly windows: number;
  readonly texts: number;
}

const HEARTBEAT_INTERVAL_MS = 5_000;

/** Sends heartbeats until the gateway requests texts. The gateway first waits some minutes for texts in transit. */
export async function rereadWhenAsked(
  inbox: readonly InboxText[],
  { patienceMs, ...options }: RereadOptions & { readonly patienceMs: number },
): Promise<Reread> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const again = await rereadInbox(inbox, options);
    if (again.windows > 0 || Date.now() > deadline) return again;
    await delay(HEARTBEAT_INTERVAL_MS);
  }
}

interface HeartbeatAnswer {
  readonly reread: readonly { readonly simSlot: number | null; readonly from: string; readonly to: string }[];
}

/**
 * Sends one heartbeat. The phone does not know which texts the gateway lacks, so it sends the requested ones from the
 * inbox.
 */
export async function rereadInbox(inbox: readonly InboxText[], { origin, deviceKey }: RereadOptions): Promise<Reread> {
  const response = await request(`${origin}/v1/devices/heartbeat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-device-key': deviceKey },
    body: JSON.stringify({ appVersion: 'simulator', queueDepth: 0 }),
  });
  const answer = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`the heartbeat returned ${response.statusCode}`);
  const windows = (JSON.parse(answer) as HeartbeatAnswer).reread;
  const wanted = inbox.filter(({ wallet, receivedAt }) =>
    windows.some(
      ({ simSlot, from, to }) =>
        (simSlot === null || simSlot === wallet.simSlot) &&
        receivedAt.getTime() >= Date.parse(from) &&
        receivedAt.getTime() <= Date.parse(to),
    ),
  );
  await forwardAll([{ at: new Date(), texts: wanted, isResend: true }], {
    url: `${origin}/v1/sms-events/incoming`,
    forwarder: ownApi,
    secret: deviceKey,
  });
  return { windows: windows.length, texts: wanted.length };
}
