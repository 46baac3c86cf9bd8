import type { DeviceFact } from '@pay/contracts';
import { receiversOnline, type LastSeen } from './receiver-online';

const NOW = new Date('2026-11-21T04:10:00Z');
const ACCOUNT = '00000000-0000-7000-8000-0000000000c1';

function phone(id: string, change: Partial<DeviceFact> = {}): DeviceFact {
  return {
    id,
    version: 1,
    deleted: false,
    merchantId: 'm',
    environment: 'LIVE',
    name: id,
    keyHash: '',
    isDisabled: false,
    sims: [{ simSlot: 1, receiverAccountIds: [ACCOUNT] }],
    ...change,
  };
}
const seen = (deviceId: string, secondsAgo: number, sendsHeartbeat = true): [string, LastSeen] => [
  deviceId,
  { seenAt: new Date(NOW.getTime() - secondsAgo * 1_000), sendsHeartbeat },
];

describe('receiverOnline', () => {
  it.each<[string, DeviceFact[], [string, LastSeen][], boolean | undefined]>([
    ['a phone heard of within three heartbeats', [phone('a')], [seen('a', 179)], true],
    ['a phone silent for three heartbeats', [phone('a')], [seen('a', 180)], false],
    ['one of two phones heard of', [phone('a'), phone('b')], [seen('a', 600), seen('b', 5)], true],
    ['a forwarder without heartbeats, just heard of', [phone('a')], [seen('a', 1, false)], undefined],
    [
      'a silent phone beside one without heartbeats',
      [phone('a'), phone('b')],
      [seen('a', 600), seen('b', 1, false)],
      undefined,
    ],
    ['a phone that was never heard of', [phone('a')], [], undefined],
    ['a phone that is disabled', [phone('a', { isDisabled: true })], [seen('a', 1)], undefined],
    ['a phone of other accounts', [phone('a', { sims: [] })], [seen('a', 1)], undefined],
  ])('%s', (_, devices, lastSeen, expected) => {
    expect(receiversOnline(devices, new Map(lastSeen), NOW).get(ACCOUNT)).toBe(expected);
  });
});
