import { receiveHeartbeat } from './receive-heartbeat';
import type { DeviceHeartbeat } from './device-last-seen-repository';

const device = {
  id: 'device',
  version: 1,
  deleted: false,
  merchantId: 'merchant',
  environment: 'LIVE' as const,
  name: 'Counter phone',
  keyHash: '',
  isDisabled: false,
  sims: [],
};

describe('a heartbeat', () => {
  it('returns the parts of the inbox to be sent again and stores the values of the heartbeat', async () => {
    const stored: DeviceHeartbeat[] = [];
    const answer = await receiveHeartbeat(
      {
        storeHeartbeat: (heartbeat) => {
          stored.push(heartbeat);
          return Promise.resolve(new Date('2026-11-21T10:00:00Z'));
        },
        listReread: () =>
          Promise.resolve([
            {
              receiverAccountId: 'wallet',
              simSlot: 2,
              from: new Date('2026-11-21T09:00:00Z'),
              to: new Date('2026-11-21T09:05:00Z'),
            },
          ]),
      },
      device,
      { batteryPercent: 41, isCharging: null },
    );

    expect(answer).toEqual({
      serverTime: '2026-11-21T10:00:00.000Z',
      status: 'ONLINE',
      nextHeartbeatSeconds: 60,
      reread: [
        {
          receiverAccountId: 'wallet',
          simSlot: 2,
          from: '2026-11-21T09:00:00.000Z',
          to: '2026-11-21T09:05:00.000Z',
        },
      ],
    });
    const unsaid = { isCharging: null, appVersion: null, queueDepth: null, lastSmsAt: null, simSlots: null };
    expect(stored).toEqual([
      { deviceId: 'device', merchantId: 'merchant', environment: 'LIVE', facts: { batteryPercent: 41, ...unsaid } },
    ]);
  });
});
