import { deviceStatus } from './device-status';

const NOW = new Date('2026-11-21T10:00:00Z');
const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);

describe('deviceStatus', () => {
  it.each([
    ['never seen', null, false, false, 'UNKNOWN'],
    ['seen by an SMS a moment ago, without heartbeats', 1, false, false, 'ONLINE'],
    ['silent for an hour, without heartbeats', 3_600, false, false, 'UNKNOWN'],
    ['seen a moment ago, with heartbeats', 1, true, false, 'ONLINE'],
    ['seen exactly three minutes ago', 180, true, false, 'ONLINE'],
    ['silent for more than three minutes, with heartbeats', 180.001, true, false, 'OFFLINE'],
    ['seen at a future time', -5, true, false, 'ONLINE'],
    ['disabled and seen a moment ago', 1, true, true, 'DISABLED'],
    ['disabled and silent', 3_600, true, true, 'DISABLED'],
    ['disabled and never seen', null, false, true, 'DISABLED'],
  ] as const)(
    'returns the expected status for a device that is %s',
    (_name, ago, sendsHeartbeat, isDisabled, status) => {
      const seenAt = ago === null ? null : secondsAgo(ago);
      expect(deviceStatus({ isDisabled, seenAt, sendsHeartbeat }, NOW)).toBe(status);
    },
  );

  it('uses the configured number of offline seconds', () => {
    const presence = { isDisabled: false, seenAt: secondsAgo(61), sendsHeartbeat: true };
    expect(deviceStatus(presence, NOW, 60)).toBe('OFFLINE');
    expect(deviceStatus(presence, NOW, 61)).toBe('ONLINE');
  });
});
