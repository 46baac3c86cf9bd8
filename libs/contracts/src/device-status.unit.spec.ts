import { deviceStatus } from './device-status';

const NOW = new Date('2026-11-21T10:00:00Z');
const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);

describe('the status of a device', () => {
  it.each([
    ['never heard of', null, false, false, 'UNKNOWN'],
    ['heard of by an SMS a moment ago, without heartbeats', 1, false, false, 'ONLINE'],
    ['silent for an hour, without heartbeats', 3_600, false, false, 'UNKNOWN'],
    ['heard of a moment ago, with heartbeats', 1, true, false, 'ONLINE'],
    ['heard of exactly three minutes ago', 180, true, false, 'ONLINE'],
    ['silent for more than three minutes, with heartbeats', 180.001, true, false, 'OFFLINE'],
    ['ahead of our clock', -5, true, false, 'ONLINE'],
    ['disabled and heard of a moment ago', 1, true, true, 'DISABLED'],
    ['disabled and silent', 3_600, true, true, 'DISABLED'],
    ['disabled and never heard of', null, false, true, 'DISABLED'],
  ] as const)('%s', (_name, ago, sendsHeartbeat, isDisabled, status) => {
    const seenAt = ago === null ? null : secondsAgo(ago);
    expect(deviceStatus({ isDisabled, seenAt, sendsHeartbeat }, NOW)).toBe(status);
  });

  it('follows the setting', () => {
    const presence = { isDisabled: false, seenAt: secondsAgo(61), sendsHeartbeat: true };
    expect(deviceStatus(presence, NOW, 60)).toBe('OFFLINE');
    expect(deviceStatus(presence, NOW, 61)).toBe('ONLINE');
  });
});
